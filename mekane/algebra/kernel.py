"""How a kernel is written once and run in several ways.

A kernel is a plain Python function over arrays of scalars that branches only on integers. `@kernel` compiles it with Numba;
`plain(kernel)` gives back the uncompiled function, with everything it calls uncompiled too, to be run on complex numbers or on symbols.

Numba's disk cache looks only at the file a function stands in, so an edit in another file would silently return old answers.
The cache folder therefore carries a hash of all sources (DESIGN, "Facts about the tools").
"""

import functools
import hashlib
import os
import re
import shutil
import tempfile
import time
import types
from contextlib import contextmanager
from pathlib import Path

import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral

PACKAGE = Path(__file__).resolve().parent.parent
BEGUN = time.time()
INNER = "inner kernel "
IMPORT = re.compile(r"^\s*(?:from|import) +mekane\.([\w.]+)(?: +import +(\w+))?", re.MULTILINE)

# Everything but `nnan` and `ninf`: a solver must still be able to see that a number is not finite.
FAST = {"nsz", "arcp", "contract", "reassoc", "afn"}


@functools.cache
def sources(file):
    """A file of this package and every file of the package it imports, directly or not."""
    found, waiting = set(), [file]
    while waiting:
        path = waiting.pop()
        if path not in found and path.exists():
            found.add(path)
            for module, name in IMPORT.findall(path.read_text(encoding="utf-8")):
                stem = PACKAGE.joinpath(*module.split("."))
                waiting += [stem.with_suffix(".py"), stem / "__init__.py", stem / f"{name}.py"]
    return sorted(found)


@functools.cache
def cache_home():
    """Where compiled kernels are kept; where that cannot be written to, a folder for this process alone."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mekane"
    home = Path(os.environ.get("MEKANE_CACHE") or default)
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except OSError:
        return Path(tempfile.mkdtemp(prefix="mekane-kernels-"))


@functools.cache
def cache_folder(file):
    """The folder for the compiled kernels of one file: another one whenever a source it depends on changes.

    A source edited while this process runs may be loaded here as it was before: what is compiled then is kept for this process alone.
    """
    if any(BEGUN < source.stat().st_mtime <= time.time() for source in sources(file)):
        return Path(tempfile.mkdtemp(prefix="mekane-kernels-")) / file.stem
    text = hashlib.sha256(f"{numba.__version__} {np.__version__} {PACKAGE}".encode())
    for source in sources(file):
        text.update(source.read_bytes())
    return cache_home() / f"{file.parent.name}.{file.stem}-{text.hexdigest()[:16]}"


def discard_old_caches(folder, keep=4):
    """Delete all but the newest few folders of compiled kernels of the same file."""
    same = sorted(folder.parent.glob(folder.name.rsplit("-", 1)[0] + "-*"), key=lambda f: f.stat().st_mtime, reverse=True)
    for old in same[keep:]:
        shutil.rmtree(old, ignore_errors=True)


def kernel(function=None, *, exact=False, inline=False, outer=False):
    """Compile a kernel, cached on disk. Kernels allocate nothing.

    exact: keep strict floating-point order (for error norms and comparisons).
    inline: copy it into its callers, which spares the compiler a function with very many arguments.
    outer: called from Python too, not only by other kernels.
    """
    if function is None:
        return functools.partial(kernel, exact=exact, inline=inline, outer=outer)
    if not outer:
        function.__qualname__ = INNER + function.__qualname__
    options = dict(error_model="numpy", fastmath=False if exact else FAST, inline="always" if inline else "never", _nrt=False)
    if not outer:
        options |= dict(no_cpython_wrapper=True, no_cfunc_wrapper=True)
    with our_cache(function):
        return one_for_all_integers(numba.njit(cache=not inline, **options)(function))


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


def one_for_all_integers(dispatcher):
    """Numba would compile a function anew for every constant integer it is called with; the column numbers of our tables are many."""
    resolve = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: resolve(tuple(map(unliteral, args)), {k: unliteral(v) for k, v in kws.items()})
    return dispatcher


def entry(signature):
    """Compile a function that compiled code calls through its address: the caller is then compiled without it, which is far quicker."""

    def compile_entry(function):
        with our_cache(function):
            return numba.cfunc(signature, cache=True, error_model="numpy", fastmath=FAST, _nrt=False)(function)

    return compile_entry


@contextmanager
def our_cache(function):
    before = numba.config.CACHE_DIR
    folder = cache_folder(Path(function.__code__.co_filename))
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        discard_old_caches(folder)
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def is_complete(name):
    """True if all compiled code of a file, such as "solvers/explicit", is on disk for the present sources."""
    return (cache_folder(PACKAGE / f"{name}.py") / "complete").exists()


def mark_complete(name):
    """Say that all compiled code of a file is on disk."""
    folder = cache_folder(PACKAGE / f"{name}.py")
    if folder.exists() and not is_complete(name):
        (folder / "complete").touch()


def plain(function, _seen=None):
    """The uncompiled twin of a kernel: a copy whose globals hold the uncompiled twins of the kernels it calls."""
    seen = {} if _seen is None else _seen
    if function in seen:
        return seen[function]
    source = function.py_func if isinstance(function, Dispatcher) else function
    twin_globals = dict(source.__globals__)
    twin = types.FunctionType(source.__code__, twin_globals, source.__name__, source.__defaults__, source.__closure__)
    seen[function] = twin
    for name in source.__code__.co_names:
        if isinstance(twin_globals.get(name), Dispatcher):
            twin_globals[name] = plain(twin_globals[name], seen)
    return twin
