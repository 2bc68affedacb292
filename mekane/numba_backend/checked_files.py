"""Files that are believed only as they were written: a checksum of the bytes, and of the key they are kept under,
stands before them.

What is damaged, belongs to another key or cannot be read counts as missing; what cannot be written is left out. Nothing
here raises.
"""

import hashlib
import os
import shutil
import tempfile

CHECK = 32  # bytes of the checksum


def checksum(key, data):
    return hashlib.sha256(key.encode() + b"\0" + data).digest()


def read(file, key):
    """The bytes that were written to a file under this key, or None."""
    try:
        found = file.read_bytes()
    except OSError:
        return None
    data = found[CHECK:]
    return data if found[:CHECK] == checksum(key, data) else None


def write(file, key, data):
    """Write a file whole or not at all; True if it is there now."""
    new = None
    try:
        make_way(file)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
            new.write(checksum(key, data) + data)
        os.replace(new.name, file)
        return True
    except OSError:
        if new is not None:
            discard(new.name)
        return False


def make_way(file):
    """The folder of a file is there, and what is in the way of either is not."""
    if file.parent.exists() and not file.parent.is_dir():
        file.parent.unlink()
    if file.is_dir():
        shutil.rmtree(file)
    file.parent.mkdir(parents=True, exist_ok=True)


def discard(file):
    try:
        os.unlink(file)
    except OSError:
        pass


def can_write(folder):
    """True if files can be made in this folder: only trying tells, as permissions say nothing about disks, or about an
    administrator."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
