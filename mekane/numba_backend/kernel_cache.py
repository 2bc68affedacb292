"""Compiled kernels on disk, in the place of Numba's own cache.

Numba's looks only at the file a function stands in, so an edit in another file would silently return old answers: a
folder here carries a hash of all sources (DESIGN, "Facts about the tools"). Numba's reads whatever it finds, and LLVM
ends the process on damaged code: each file here has a checksum, and damaged ones are compiled anew. There is no index
that two processes could write at the same time. A folder that can only be read is read; what cannot be stored is kept
in memory.
"""

import functools
import hashlib
import os
import pickle
import re
import shutil
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from mekane.numba_backend import checked_files
from mekane.numba_backend.private import is_as_expected, is_tested
from mekane.numba_backend.processor import processor

PACKAGE = Path(__file__).resolve().parent.parent
BEGUN = time.time()
MODULE = re.compile(rb"mekane\.([\w.]+)(?: +import +(\([^)]*\)|[^\n#]+))?")  # a pattern that begins plainly is quick
NAME = re.compile(rb"\w+")
TOOLS = ("numba", "llvmlite", "numpy")

_used = {}  # {folder: {file: whether it is on disk}} of what was loaded or compiled
_source_of = {}  # {folder: the file whose kernels it holds}
_complete = set()  # names of files whose mark was verified


@functools.cache
def is_tested_numba():
    """True if Numba, which need not be loaded, is of a version whose private side is known."""
    return is_tested(version("numba"))


class Source(NamedTuple):
    """A file of this package: a hash of it, and the files of the package that it names in its imports."""

    checksum: bytes
    imports: list[str]


@functools.cache
def sources(file):
    """A file of this package and every file of the package it imports, directly or not; their paths as text."""
    found, waiting = set(), [str(file)] if file.exists() else []
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += source(path).imports
    return sorted(found)


@functools.cache
def source(path):
    with open(path, "rb") as file:
        text = file.read()
    found, files = [], files_of(PACKAGE)
    for match in MODULE.finditer(text):
        if text.endswith((b"from ", b"import "), 0, match.start()):
            module, names = match.groups(b"")
            found += [module, *(b"%b.%b" % (module, name) for name in NAME.findall(names))]
    return Source(hashlib.sha256(text).digest(), [files[module] for module in found if module in files])


@functools.cache
def files_of(package):
    """The files of a package by the names of their modules, found once: to look for each name that is imported would
    take longer."""
    found = {}
    for folder, folders, files in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__"]
        parent = os.path.relpath(folder, package).split(os.sep) if folder != str(package) else []
        for file in files:
            name, suffix = os.path.splitext(file)
            if suffix == ".py":
                module = ".".join([*parent, *([] if name == "__init__" else [name])])
                found[module.encode()] = os.path.join(folder, file)
    return found


@functools.cache
def versions():
    """Of Python and of what compiles. Numba need not be loaded to know its own."""
    found = (getattr(sys.modules.get(name), "__version__", None) or version(name) for name in TOOLS)
    return " ".join([sys.implementation.cache_tag, *found])


@functools.cache
def cache_home():
    """Where compiled kernels are kept; None where there is no such place."""
    try:
        default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mekane"
    except RuntimeError:  # no home
        default = None
    given = os.environ.get("MEKANE_CACHE")
    return Path(given) if given else default


@functools.cache
def can_store():
    """True if what is compiled can be stored for other processes."""
    return is_as_expected() and cache_home() is not None and checked_files.can_write(cache_home())


@functools.cache
def cache_folder(file):
    """The folder for the compiled kernels of one file: another one whenever a source it depends on changes. None:
    nothing is stored.

    A source edited while this process runs may be loaded here as it was before: what is compiled then is kept for this
    process alone.
    """
    if cache_home() is None or any(BEGUN < os.stat(path).st_mtime <= time.time() for path in sources(file)):
        return None
    text = hashlib.sha256(versions().encode())
    for path in sources(file):
        text.update(source(path).checksum)
    return cache_home() / f"{file.parent.name}.{file.stem}-{text.hexdigest()[:16]}"


def discard_old_caches(folder, keep=12):
    """Delete all but the newest folders of compiled kernels of the same file. Copies of the package with the same sources
    and versions share one, wherever they stand; a dozen others of the same user keep theirs."""
    same = sorted(folder.parent.glob(folder.name.rsplit("-", 1)[0] + "-*"), key=age)
    for old in same[keep:]:
        shutil.rmtree(old, ignore_errors=True)


def age(path):
    """Newest first; what another process has just deleted is the oldest."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def code_of(function):
    return hashlib.sha256(function.__code__.co_code).hexdigest()


def note(file, function, stored):
    """A file of compiled code of a function was loaded, or compiled and stored."""
    _used.setdefault(file.parent, {})[file.name] = stored
    _source_of[file.parent] = Path(function.__code__.co_filename)


class KernelCache:
    """What Numba's dispatchers and C functions ask of a cache, for one function."""

    def __init__(self, function, native=None):
        """native: "kernel" or "entry", where machine code is stored to be called without Numba, too."""
        self.name, self.folder = function.__qualname__, cache_folder(Path(function.__code__.co_filename))
        self.function, self.native, self.code = function, native, code_of(function)
        self.line = function.__code__.co_firstlineno

    @property
    def cache_path(self):
        return self.folder

    def place(self, signature):
        """File and key of the code for a signature."""
        key = f"{self.name} {signature} {processor()} {self.code}"
        name = re.sub(r"[^\w.]+", "_", self.name)
        return self.folder / f"{name}-{self.line}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.code", key

    def load_overload(self, signature, target):
        """The compiled function, or None. What is whole and can still not be rebuilt is compiled anew."""
        if self.folder is None:
            return None
        target.refresh()
        file, key = self.place(signature)
        data = checked_files.read(file, key)
        try:
            found = None if data is None else rebuild(target, data)
        except Exception:
            found = None
        if found is not None:
            note(file, self.function, True)
        return found

    def save_overload(self, signature, result):
        if self.folder is None or result.library.has_dynamic_globals or result.lifted:
            return
        file, key = self.place(signature)
        if not self.folder.exists():
            discard_old_caches(self.folder)
        note(file, self.function, checked_files.write(file, key, reduce(result)))
        if self.native:
            from mekane.numba_backend import native

            native.store(self.function, self.native, result)

    def flush(self):
        """Nothing stands between memory and disk."""


def reduce(result):
    from numba.core.serialize import dumps

    return dumps(result._reduce())


def rebuild(target, data):
    from numba.core.compiler import CompileResult

    return CompileResult._rebuild(target, *pickle.loads(data))


# ---------------------------------------------------------------- marks: all compiled code of a file is on disk


def mark_of(name):
    """File and key of the mark of a file such as "solvers/explicit", for this processor; None if nothing of it is
    stored."""
    folder = cache_folder(PACKAGE / f"{name}.py")
    if folder is None:
        return None
    key = f"complete {name} {processor()}"
    return folder / f"complete-{hashlib.sha256(key.encode()).hexdigest()[:16]}", key


def is_complete(name):
    """True if all compiled code of a file, such as "solvers/explicit", is on disk for the present sources, and
    whole."""
    if name not in _complete:
        mark = mark_of(name)
        listed = None if mark is None else checked_files.read(*mark)
        if listed is None or listed != listing(
            mark[0].parent, [line.split("\t")[0] for line in listed.decode().splitlines()]
        ):
            return False
        _complete.add(name)
    return True


def mark_complete(name):
    """Say that all compiled code of a file is on disk, if it is."""
    mark = None if name in _complete else mark_of(name)
    if mark is None or is_complete(name):
        return
    used = _used.get(mark[0].parent, {})
    if used and all(used.values()) and (listed := listing(mark[0].parent, sorted(used))) is not None:
        checked_files.write(*mark, listed)


def used_files():
    """{file of this package: names of all files of its compiled code that this process has loaded or stored, and of their
    mark}; None if one could not be stored."""
    if not all(all(files.values()) for files in _used.values()):
        return None
    return {
        os.path.relpath(os.path.realpath(_source_of[folder]), PACKAGE): sorted(
            [*files, *(mark.name for mark in folder.glob("complete-*"))]
        )
        for folder, files in _used.items()
    }


def listing(folder, names):
    """Names and checksums of files, as text; None if one cannot be read."""
    try:
        return "".join(
            f"{name}\t{hashlib.sha256((folder / name).read_bytes()).hexdigest()}\n" for name in names
        ).encode()
    except OSError:
        return None
