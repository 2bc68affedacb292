"""Whether all that `mekane warm` compiles is on disk: one file lists it. To read it, Numba is not loaded."""

import hashlib

from mekane.numba_backend import checked_files
from mekane.numba_backend.kernel_cache import PACKAGE, cache_folder, listing, used_files
from mekane.numba_backend.processor import processor

HOME = "solvers/explicit.py"  # the list is kept with the compiled code of this file


def is_warm():
    """True if everything listed is on disk for the present sources, and whole."""
    mark = place()
    text = None if mark is None else checked_files.read(*mark)
    return bool(text) and text == listed(files_in(text))


def mark_warm():
    """Say that what this process has used is all there is to compile, and is on disk, if it is."""
    mark, used = place(), used_files()
    text = None if mark is None or used is None else listed(used)
    return text is not None and checked_files.write(*mark, text)


def place():
    """File and key of the list; None if nothing is stored."""
    folder = cache_folder(PACKAGE / HOME)
    key = f"warm {processor()}"
    return None if folder is None else (folder / f"warm-{hashlib.sha256(key.encode()).hexdigest()[:16]}", key)


def listed(files):
    """{file of this package: names of files of its compiled code} → names and checksums, as text; None if one cannot be
    read."""
    found = []
    for source in sorted(files):
        folder = cache_folder(PACKAGE / source)
        lines = None if folder is None else listing(folder, files[source])
        if lines is None:
            return None
        found += [source.encode(), b"\n", lines]
    return b"".join(found)


def files_in(text):
    """The files in such a text."""
    found, names = {}, []
    for line in text.decode().splitlines():
        name, tab, _ = line.partition("\t")
        if tab:
            names.append(name)
        else:
            names = found[name] = []
    return found
