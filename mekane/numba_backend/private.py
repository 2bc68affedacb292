"""What Mekane uses of Numba that Numba does not promise to keep: whether it is as expected, and how it is switched on
while kernels are compiled.

Versions of Numba in the tested range are believed if all names are there. Any other version must compile a small kernel
first (`probe`). Where it does not, kernels are compiled by plain `numba.njit` in every process anew: slower to start,
and the same numbers.
"""

import importlib
import re
import sys
from contextlib import contextmanager
from functools import cache, wraps
from operator import attrgetter

INNER = "inner kernel "  # before the names of kernels that only other kernels call
TESTED = (0, 62), (0, 68)  # first and last version of Numba that the tests have run with
USED = {
    "numba.core.codegen": (
        "JITCodeLibrary._optimize_final_module", "JITCodeLibrary._finalize_final_module", "JITCodeLibrary._finalize_dynamic_globals",
        "JITCodeLibrary._verify_declare_only_symbols", "JITCodeLibrary.serialize_using_object_code",
        "JITCodeLibrary.serialize_using_bitcode", "JITCPUCodegen.create_library", "JITCPUCodegen.set_env", "JITCPUCodegen.magic_tuple",
    ),
    "numba.core.caching": ("NullCache.load_overload", "NullCache.save_overload", "NullCache.flush"),
    "numba.core.ccallback": ("CFunc.compile",),
    "numba.core.compiler": ("CompileResult._reduce", "CompileResult._rebuild"),
    "numba.core.compiler_lock": ("global_compiler_lock",),
    "numba.core.dispatcher": ("Dispatcher.compile", "Dispatcher.get_call_template"),
    "numba.core.serialize": ("dumps",),
    "numba.core.sigutils": ("normalize_signature",),
}  # fmt: skip


# ---------------------------------------------------------------- is it as expected?


@cache
def is_as_expected():
    """True if Numba's private side can be used; if not, a line says so, once."""
    reason = problem()
    if reason:
        print(f"mekane: {reason}: kernels are compiled in every process anew", file=sys.stderr, flush=True)
    return not reason


def problem():
    """What is not as expected; empty if nothing."""
    import numba

    missing = [f"{module}.{name}" for module, names in USED.items() for name in names if not is_there(module, name)]
    if missing:
        return f"this Numba has no {missing[0]}"
    if not is_tested(numba.__version__) and not probe():
        first, last = (".".join(map(str, version)) for version in TESTED)
        return f"Numba {numba.__version__} is not among {first} to {last}, and does not pass the trial"
    return ""


def is_there(module, name):
    try:
        attrgetter(name)(importlib.import_module(module))
        return True
    except (ImportError, AttributeError):
        return False


def is_tested(version):
    first, last = TESTED
    return first <= tuple(map(int, re.findall(r"\d+", version)[:2])) <= last


def probe():
    """True if a small kernel, compiled and stored as Mekane's are, gives the right numbers."""
    try:
        from mekane.numba_backend.trial import passes

        return passes()
    except Exception:
        return False


# ---------------------------------------------------------------- switched on while kernels are compiled


@cache
def replacements():
    """Methods of Numba's code generator that know libraries of inner kernels."""
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

    def create_library(self, name, *, usual=JITCPUCodegen.create_library, **options):
        return InnerLibrary(self, name, **options) if name.startswith(INNER) else usual(self, name, **options)

    def set_env(self, name, env, usual=JITCPUCodegen.set_env):
        """Inner kernels have no environment of Python objects in memory, and need none."""
        if self._engine.get_global_value_address(name):
            usual(self, name, env)

    return dict(create_library=create_library, set_env=set_env)


@contextmanager
def inner_libraries():
    """While a kernel of Mekane is compiled or loaded: Numba makes libraries of inner kernels. No other thread compiles
    meanwhile; afterwards Numba is as it was."""
    from numba.core.codegen import JITCPUCodegen
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock:
        own = replacements()
        before = {name: vars(JITCPUCodegen).get(name) for name in own}  # None: inherited
        try:
            for name, method in own.items():
                setattr(JITCPUCodegen, name, method)
            yield
        finally:
            for name, method in before.items():
                if method is None:
                    delattr(JITCPUCodegen, name)
                else:
                    setattr(JITCPUCodegen, name, method)


def with_inner_libraries(compile):
    """A method `compile` of a dispatcher, with libraries of inner kernels."""

    @wraps(compile)
    def compile_kernel(*signature):
        with inner_libraries():
            return compile(*signature)

    return compile_kernel


# ---------------------------------------------------------------- quicker to load


def load_array_functions():
    """Load Numba's array functions without SciPy's linear algebra, which takes a fifth of the start of a program.

    Numba looks at import whether SciPy is there; Mekane depends on SciPy, so the answer is yes. Code that calls `np.dot`
    and its like loads it when it is compiled, as ever."""
    if "numba.np.arraymath" in sys.modules or not is_there("numba.np.linalg", "ensure_blas"):
        return
    linalg = importlib.import_module("numba.np.linalg")
    check = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath").ensure_blas = check
    finally:
        linalg.ensure_blas = check
