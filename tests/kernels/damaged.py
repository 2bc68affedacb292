"""Run by test_damaged_cache.py in a process of its own, as LLVM ends the process on damaged code: python damaged.py
WHAT FOLDER

Each time the kernels are loaded anew, as another process would. What a load prints is read by the test.
"""

import ctypes
import importlib.util
import os
import pickle
import random
import shutil
import sys
from pathlib import Path

import numpy as np

from mekane.numba_backend import checked_files, kernel_cache

KERNELS = """
from mekane.numba_backend.kernel import entry, kernel


@kernel
def product(a, b):
    return a * b + 1.0


@kernel(exact=True, outer=True)
def total(x):
    found = 0.0
    for k in range(x.shape[0]):
        found += product(x[k], 2.0)
    return found


@entry("float64(float64)")
def tripled(x):
    return product(x, 3.0)
"""


def flipped(data, k):
    changed = bytearray(data)
    changed[k] ^= 16
    return bytes(changed)


DAMAGE = {
    "empty": lambda data: b"",
    "one byte": lambda data: data[:1],
    "checksum alone": lambda data: data[: checked_files.CHECK],
    "no checksum": lambda data: data[checked_files.CHECK :],
    "half": lambda data: data[: len(data) // 2],
    "last byte missing": lambda data: data[:-1],
    "first byte missing": lambda data: data[1:],
    "one byte more": lambda data: data + b"\0",
    "twice": lambda data: data + data,
    "zeros": lambda data: bytes(len(data)),
    "ones": lambda data: b"\xff" * len(data),
    "noise": lambda data: random.Random(1).randbytes(len(data)),
    "end of zeros": lambda data: data[: len(data) // 2] + bytes(len(data) - len(data) // 2),
    "block of zeros": lambda data: data[:300] + bytes(100) + data[400:],
    "bit of the checksum": lambda data: flipped(data, 3),
    "first bit of the code": lambda data: flipped(data, checked_files.CHECK),
    "bit in the middle": lambda data: flipped(data, len(data) // 2),
    "last bit": lambda data: flipped(data, -1),
    "line ends": lambda data: data.replace(b"\n", b"\r\n") + b"\r\n",
    "text": lambda data: b"<html>404</html>",
    "another pickle": lambda data: pickle.dumps(42),
}
REPLACED = {
    "missing": lambda file: file.unlink(),
    "a folder": lambda file: (file.unlink(), file.mkdir(), (file / "x").touch()),
    "a dead link": lambda file: (file.unlink(), file.symlink_to("nowhere")),
}


def load():
    """The kernels as a new process with Numba finds them: (numbers, how many came from disk)."""
    import numba  # noqa: F401

    module = loaded()
    numbers = module.total(np.arange(4.0)), module.tripled.compiled.ctypes(2.0)
    return numbers, sum(module.total.stats.cache_hits.values()) + module.tripled.compiled.cache_hits


def loaded():
    spec = importlib.util.spec_from_file_location("kernels_to_damage", kernel_cache.PACKAGE / "part.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    kernel_cache._complete.clear()
    spec.loader.exec_module(module)
    return module


def load_without_numba():
    """Numbers, as far as machine code is on disk without Numba; and whether it was loaded."""
    module = loaded()
    entry = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(module.tripled.address)
    print(module.total(np.arange(4.0)), entry(2.0), "numba" in sys.modules, sep="\t")


def damaged_machine_code():
    """Each form of damage, once: a process loads damaged code at most once."""
    name = os.environ["DAMAGE"]
    for file in folder().glob("*.native"):
        file.write_bytes(DAMAGE[name](file.read_bytes()))
    load_without_numba()


def files():
    return sorted(path for path in folder().iterdir() if path.is_symlink() or path.name.endswith(".code"))


def folder():
    return kernel_cache.cache_folder(kernel_cache.PACKAGE / "part.py")


def damage_and_load(name, change, damaged):
    """Once with the damage, once more to see it healed."""
    for file in damaged:
        change(file)
    kernel_cache._complete.clear()
    complete = kernel_cache.is_complete("part")
    numbers, _ = load()
    kernel_cache.mark_complete("part")
    again, from_disk = load()
    print(name, *numbers, *again, from_disk, complete, kernel_cache.is_complete("part"), sep="\t", flush=True)


def swap(file):
    first, second = files()[:2]
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)


def wrong_and_whole(file):
    """A pickle of something else, with the right checksum."""
    found = {}
    usual, kernel_cache.checked_files.read = (
        checked_files.read,
        lambda file, key: found.setdefault(file.name, key) and None,
    )
    load()
    kernel_cache.checked_files.read = usual
    for name, key in found.items():
        checked_files.write(folder() / name, key, pickle.dumps((1, 2)))


def all_damages():
    load()
    kernel_cache.mark_complete("part")
    for name, change in DAMAGE.items():
        rewrite = lambda file, change=change: file.write_bytes(change(file.read_bytes()))
        damage_and_load(f"{name}: all", rewrite, files())
        damage_and_load(f"{name}: one", rewrite, [file for file in files() if file.name.startswith("total")])
        damage_and_load(f"{name}: mark", rewrite, folder().glob("complete-*"))
    for name, change in REPLACED.items():
        damage_and_load(f"{name}: all", change, files())
    damage_and_load("swapped", swap, [None])
    damage_and_load("whole and wrong", wrong_and_whole, [None])
    damage_and_load("no folder", lambda _: shutil.rmtree(folder()), [None])
    damage_and_load("a file for a folder", lambda _: (shutil.rmtree(folder()), folder().touch()), [None])


def read_only():
    """A warm cache in a folder that cannot be written to; and there an empty one."""
    load()
    for path in (folder(), folder().parent):
        path.chmod(0o555)
    give_up_overriding()
    print("read only", *load(), kernel_cache.can_store(), sep="\t")
    for path in (folder().parent, folder()):
        path.chmod(0o755)
    shutil.rmtree(folder())
    folder().parent.chmod(0o555)
    print("read only and empty", *load(), kernel_cache.can_store(), sep="\t")
    folder().parent.chmod(0o755)


def give_up_overriding():
    """An administrator may write anywhere; without CAP_DAC_OVERRIDE (bit 1), only where permitted, as anyone else."""
    if os.geteuid() == 0:
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        sets = (ctypes.c_uint32 * 6)()
        system = ctypes.CDLL(None, use_errno=True)
        assert system.capget(header, sets) == 0
        for k in range(3):
            sets[k] &= ~2
        assert system.capset(header, sets) == 0


if __name__ == "__main__":
    kernel_cache.PACKAGE = Path(sys.argv[2])
    (kernel_cache.PACKAGE / "part.py").write_text(KERNELS)
    os.utime(kernel_cache.PACKAGE / "part.py", (0, 0))  # long before this process began
    globals()[sys.argv[1]]()
