"""What Mekane uses of Numba that Numba does not promise to keep, and whether it is there.

Where it is not, kernels are compiled by plain `numba.njit` in every process anew: slower to start, and the same
numbers.
"""

import importlib
import sys
from functools import cache
from operator import attrgetter

INNER = "inner kernel "  # before the names of kernels that only other kernels call
USED = {
    "numba.core.codegen": (
        "JITCodeLibrary._optimize_final_module", "JITCodeLibrary._finalize_final_module", "JITCodeLibrary._finalize_dynamic_globals",
        "JITCodeLibrary._verify_declare_only_symbols", "JITCodeLibrary.serialize_using_object_code",
        "JITCodeLibrary.serialize_using_bitcode", "JITCPUCodegen.create_library", "JITCPUCodegen._library_class", "JITCPUCodegen.set_env",
        "JITCPUCodegen.magic_tuple",
    ),
    "numba.core.caching": ("NullCache.load_overload", "NullCache.save_overload", "NullCache.flush"),
    "numba.core.ccallback": ("CFunc.compile",),
    "numba.core.compiler": ("CompileResult._reduce", "CompileResult._rebuild"),
    "numba.core.serialize": ("dumps",),
    "numba.core.sigutils": ("normalize_signature",),
}  # fmt: skip


@cache
def is_as_expected():
    """True if all that is used is there; if not, a line says so, once."""
    missing = [f"{module}.{name}" for module, names in USED.items() for name in names if not is_there(module, name)]
    if missing:
        print(
            f"mekane: this Numba has no {missing[0]}: kernels are compiled in every process anew",
            file=sys.stderr,
            flush=True,
        )
    return not missing


def is_there(module, name):
    try:
        attrgetter(name)(importlib.import_module(module))
        return True
    except (ImportError, AttributeError):
        return False


def prepare():
    """Teach Numba about libraries of inner kernels."""
    from numba.core.codegen import JITCodeLibrary, JITCPUCodegen

    class InnerLibrary(JITCodeLibrary):
        """Code of a kernel that only other kernels call: it is linked into theirs and needs no machine code of its own.

        Numba would make it all the same, and optimise it once more, which is a third of all compilation.
        """

        def _optimize_final_module(self):
            pass

        def _finalize_final_module(self):
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True

        def serialize_using_object_code(self):
            return self.serialize_using_bitcode()

    def create_library(self, name, **options):
        library = InnerLibrary if name.startswith(INNER) else self._library_class
        return library(self, name, **options)

    def set_env(self, name, env, usual=JITCPUCodegen.set_env):
        """Inner kernels have no environment of Python objects in memory, and need none."""
        if self._engine.get_global_value_address(name):
            usual(self, name, env)

    JITCPUCodegen.create_library, JITCPUCodegen.set_env = create_library, set_env


def load_array_functions():
    """Load Numba's array functions without SciPy's linear algebra, which takes a fifth of the start of a program.

    Numba looks at import whether SciPy is there; Mekane depends on SciPy, so the answer is yes. Code that calls `np.dot`
    and its like loads it when it is compiled, as ever."""
    if "numba.np.arraymath" in sys.modules:
        return
    linalg = importlib.import_module("numba.np.linalg")
    check = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath").ensure_blas = check
    finally:
        linalg.ensure_blas = check


if is_as_expected():
    prepare()
    if is_there("numba.np.linalg", "ensure_blas"):
        load_array_functions()
