"""Files: every file Mekane writes is written here. An existing one is replaced whole or not at all, and a failure says
what is missing."""

import errno
import hashlib
import os
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

from mekane.errors import FileError

HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"  # the first bytes of results
DISK_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


def write(path, *contents):
    """Write text (as UTF-8) or bytes to a file, one after the other."""
    contents = [content.encode("utf-8") if isinstance(content, str) else content for content in contents]
    with replacing(path, size=sum(map(len, contents))) as beside, open(beside, "wb") as file:
        file.writelines(contents)


@contextmanager
def replacing(path, instead=None, size=None):
    """Gives a path beside `path` to write to; what was written takes the place of `path` at the end, if nothing went
    wrong.

    instead: called at the end; returns the path to be replaced.  size: bytes that will be written, where known, for
        messages. Devices and pipes cannot be replaced: they are written to as they are.
    """
    whole = Path(os.fspath(path)).expanduser().resolve()
    with explain_errors(path, whole.parent, size):
        if whole.exists() and not (whole.is_file() or whole.is_dir()):
            yield whole
            return
        beside = whole.with_name(f".{whole.name[:60]}.{os.getpid()}.{threading.get_ident()}.part")
        try:
            yield beside
            to_disk(beside)
            put_in_place(beside, whole if instead is None else Path(instead()))
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def explain_errors(path, folder, size=None):
    """What the operating system refuses, as a FileError."""
    try:
        yield
    except OSError as error:
        expected, remedy = missing(error.errno, folder, size)
        raise FileError(
            f"file {str(path)!r}", f"it cannot be written ({error.strerror or error})", expected, remedy
        ) from None


def missing(number, folder, size):
    """What would be needed, and what to do, by the number of an error."""
    if number in DISK_FULL:
        return free_space(folder, size), "Free some space there, or write to another disk."
    if number == errno.EFBIG:
        return (
            f"it needs {counted(size)}; {limit()}" if size else limit(),
            "Raise the limit (ulimit -f), or write a smaller file.",
        )
    return "", "Check the folder and your rights there."


def free_space(folder, size):
    """How much space is free, and how much is missing."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return f"it needs {counted(size)}" if size else ""
    if size is None:
        return f"{counted(free)} are free"
    lack = f", {counted(size - free)} are missing" if size > free else ""
    return f"it needs {counted(size)}; {counted(free)} are free{lack}"


def limit():
    try:
        import resource
    except ImportError:  # not on this operating system
        return "there is a limit to the size of files"
    return f"files may not exceed {counted(resource.getrlimit(resource.RLIMIT_FSIZE)[0])} here"


def counted(n):
    """Bytes as a person reads them."""
    for unit in ("bytes", "kB", "MB"):
        if n < 1000:
            return f"{n:.3g} {unit}"
        n /= 1000
    return f"{n:.3g} GB"


def to_disk(path):
    """Wait until a file, or the list of a folder, is on the disk: errors of a full disk may show only here."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put_in_place(beside, whole):
    """A file takes the place, and the rights, of another."""
    if whole.is_file():
        shutil.copymode(whole, beside)
    os.replace(beside, whole)
    if os.name == "posix":  # elsewhere folders cannot be opened
        to_disk(whole.parent)


# ---------------------------------------------------------------- checksums

MARK = b"\nmekane sha256 "
TRAILER = len(MARK) + 65  # 64 digits and the end of the line
CHUNK = 2**20


def with_checksum(data):
    """Bytes, and a line to stand behind them by which every change is noticed. Readers of HDF5 do not look there."""
    return data, MARK + hashlib.sha256(data).hexdigest().encode() + b"\n"


def checksum_holds(path):
    """True or False if the file ends in such a line, None if there is none. Nothing else in the file is looked at."""
    with open(path, "rb") as file:
        rest = os.fstat(file.fileno()).st_size - TRAILER
        if rest < 0:
            return None
        found = hashlib.sha256()
        while rest > 0:
            chunk = file.read(min(rest, CHUNK))
            found.update(chunk)
            rest -= len(chunk) or rest
        trailer = file.read()
    return trailer[len(MARK) :] == found.hexdigest().encode() + b"\n" if trailer.startswith(MARK) else None
