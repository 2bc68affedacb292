"""Damaged result files, and faults while files are written.

    PYTHONPATH=. python tests/fuzz/fuzz_files.py --count 10000 --seed 0

Damage: bytes changed, cut out, doubled, exchanged, zeroed, the file cut off or grown. A damaged file is refused in
Mekane's own errors, or gives back exactly what was saved. Faults: the k-th opening, writing, flushing or renaming fails, as
on a full disk; then the error is Mekane's own, the old file or the new one is there, whole, nothing is left beside it,
and the run can be saved again.
"""

import errno
import os
import random
import tempfile
import warnings
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
from by_hand import main
from random_mechanism import mechanism

import mekane as mk
from mekane import files
from mekane.errors import MekaneError
from mekane.importers.yaml import dump

MECHANISMS = (3, 6, 7, 10, 16)  # of random_mechanism: trees and loops


@cache
def runs():
    return [mk.simulate(mechanism(seed), 0.1, every=0.02, code="loops") for seed in MECHANISMS]


@cache
def saved(number):
    """A run as the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        runs()[number].save(Path(folder) / "run.nc")
        return (Path(folder) / "run.nc").read_bytes()


def check(seed):
    rng = random.Random(seed)
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("error")
        return rng.choice((damage_file, damage_file, damage_file, fail_writing))(rng, Path(folder))


def damage_file(rng, folder):
    number = rng.randrange(len(MECHANISMS))
    content = saved(number)
    for _ in range(rng.choice((1, 1, 2, 5))):
        content = rng.choice(DAMAGES)(rng, content)
    path = folder / "damaged.nc"
    path.write_bytes(content)
    try:
        found = mk.load(path)
    except MekaneError:
        return "refused", ""
    if same(found, runs()[number]):
        return "whole", ""
    return "failed", f"loaded with changed content; health says {found.health.ok}"


def same(one, other):
    states = np.array_equal(one.record.y, other.record.y) and np.array_equal(
        one.record.measurement, other.record.measurement
    )
    return (
        states
        and np.array_equal(one.t, other.t)
        and one.system.to_dict() == other.system.to_dict()
        and str(one.health) == str(other.health)
    )


def change_bytes(rng, content):
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 3, 30))):
        place = rng.randrange(len(changed)) if changed else None
        if place is not None:
            changed[place] = rng.choice((changed[place] ^ 1 << rng.randrange(8), rng.randrange(256)))
    return bytes(changed)


def cut_off(rng, content):
    return content[: rng.choice((rng.randrange(len(content) + 1), max(0, len(content) - rng.randint(1, 100))))]


def cut_out(rng, content):
    begin, length = stretch(rng, content)
    return content[:begin] + content[begin + length :]


def zero(rng, content):
    begin, length = stretch(rng, content)
    return content[:begin] + bytes(length) + content[begin + length :]


def double(rng, content):
    begin, length = stretch(rng, content)
    return content[: begin + length] + content[begin:]


def grow(rng, content):
    return content + rng.randbytes(rng.choice((1, 8, 40, 5000)))


def mix(rng, content):
    """A stretch of another file, as after a wrong repair."""
    begin, length = stretch(rng, content)
    return content[:begin] + saved(rng.randrange(len(MECHANISMS)))[begin : begin + length] + content[begin + length :]


def stretch(rng, content):
    begin = rng.randrange(len(content) + 1)
    return begin, min(rng.choice((1, 8, 100, 512, 4096)), len(content) - begin)


DAMAGES = (change_bytes,) * 5 + (cut_off, cut_off, cut_out, zero, double, grow, mix)


def fail_writing(rng, folder):
    """Write over a file that is there, with a fault on the way."""
    run, path = rng.choice(runs()), folder / rng.choice(("run.nc", "run.csv", "report.txt", "model.yaml"))
    write = writer(run, path)
    path.write_bytes(BEFORE)
    with Fault(
        rng.randrange(8), rng.choice((errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT, errno.EFBIG))
    ) as fault:
        try:
            write()
        except MekaneError as error:
            if not fault.struck:
                return "failed", f"refused without a fault: {error}"
    there, left = path.read_bytes(), sorted(one.name for one in folder.iterdir() if one != path)
    write()
    if left:
        return "failed", f"left beside the file: {left}"
    if there not in (BEFORE, path.read_bytes()):
        return "failed", "neither the file that was there nor the new one"
    return "faulted" if fault.struck else "written", ""


BEFORE = b"what was there"


def writer(run, path):
    ways = {".nc": run.save, ".csv": run.to_csv, ".txt": run.report, ".yaml": lambda path: dump(run.system, path)}
    return lambda: ways[path.suffix](path)


class Fault:
    """While it is entered, the k-th call that changes the disk fails; half of what was to be written may be on it."""

    def __init__(self, k, number):
        self.left, self.number, self.struck = k, number, False

    def __enter__(self):
        self.patches = [patch.object(files, "open", self.opened, create=True)]
        self.patches += [
            patch.object(os, name, self.counted(getattr(os, name))) for name in ("open", "fsync", "replace")
        ]
        for one in self.patches:
            one.start()
        return self

    def __exit__(self, *_):
        for one in self.patches:
            one.stop()

    def count(self):
        self.left -= 1
        if self.left < 0 and not self.struck:
            self.struck = True
            raise OSError(self.number, os.strerror(self.number))

    def counted(self, call):
        def counted(*args, **keywords):
            self.count()
            return call(*args, **keywords)

        return counted

    def opened(self, *args, **keywords):
        self.count()
        return Failing(self, open(*args, **keywords))


class Failing:
    """A file that fails when the fault says so."""

    def __init__(self, fault, file):
        self.fault, self.file = fault, file

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def __getattr__(self, name):
        return getattr(self.file, name)

    def writelines(self, contents):
        for content in contents:
            self.file.write(content[: len(content) // 2])
            self.fault.count()
            self.file.write(content[len(content) // 2 :])


if __name__ == "__main__":
    main(check, __doc__)
