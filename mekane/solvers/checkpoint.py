"""Checkpoints: a run that is under way, in a file, so that it can go on in another process to the same numbers.

The file is a zip archive of arrays (NumPy's npz) with a checksum behind it: the state of the solver (saved_state.py),
the samples so far, and what run it is of. It is written between calls of the compiled loop, whose results do not depend
on where one call ends.
"""

import hashlib
import json
import os
import time
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np

from mekane.errors import FileError, ModelError
from mekane.files import TRAILER, checksum_holds, with_checksum, write
from mekane.numba_backend.kernel_cache import PACKAGE, source, sources
from mekane.solvers.saved_state import solver_from, state_of
from mekane.solvers.state import SAMPLE

SECONDS = 10.0  # of work between checkpoints
SHARE = 20  # and at least so many times longer than writing the last one took
FIELDS = ("y", "measurement", "discrete")  # of a record
ANEW = "Leave out resume to start anew."


class Checkpoint:
    """A file for checkpoints of one run. run_id: plain data by which another run is recognised (`run_of`)."""

    def __init__(self, path, run_id, every=None):
        self.path, self.run_id = Path(os.fspath(path)).expanduser(), run_id
        self.every = SECONDS if every is None else every
        self.problem, self.due = "", time.perf_counter() + self.every
        if not self.path.absolute().parent.is_dir():
            raise FileError(
                self.part,
                "there is no such folder",
                "checkpoints go to a folder that is there",
                "Make it, or name another.",
            )

    @property
    def part(self):
        return f"checkpoint {str(self.path)!r}"

    def keep(self, solver, record, now=False):
        """Write one, if it is time or `now`. A disk that is full does not end the run: it is noted."""
        begun = time.perf_counter()
        if begun < self.due and not now:
            return
        try:
            write(self.path, *with_checksum(self.content(solver, record)))
        except FileError as error:
            if not self.problem:
                self.problem = f"no checkpoint could be kept: {error.problem}"
                solver.notes.append(self.problem)
        end = time.perf_counter()
        self.due = end + max(self.every, SHARE * (end - begun) if self.every else 0.0)

    def content(self, solver, record):
        arrays, values = (
            state_of(solver) if solver.end is None else solver.end.state(solver.phases.table, solver.phases.work)
        )
        n = int(arrays["counters"][SAMPLE])
        arrays |= {f"record.{field}": getattr(record, field)[:n] for field in FIELDS}
        return archive(arrays, values=values, run=self.run_id)

    def read(self, compiled, record):
        """The solver as it was, with its samples put in the record; None if there is no such file."""
        if not self.path.exists():
            return None
        arrays = self.arrays()
        self.refuse_other_run(json.loads(str(arrays.pop("run"))))
        values = json.loads(str(arrays.pop("values")))
        for field in FIELDS:
            kept = arrays.pop(f"record.{field}")
            getattr(record, field)[: len(kept)] = kept
        return solver_from(compiled, arrays, values)

    def arrays(self):
        """All that is in the file, which must be whole."""
        return read_archive(self.path, self.part, "a checkpoint", ANEW)

    def refuse_other_run(self, found):
        other = [name for name in self.run_id if found.get(name) != self.run_id[name]]
        if other:
            expected = "it goes on with the same model, options and version of Mekane"
            raise FileError(self.part, f"it is of another run: {', '.join(other)} differ", expected, ANEW)

    def remove(self):
        self.path.unlink(missing_ok=True)


def archive(arrays, compressed=False, **data):
    """Arrays and plain data as bytes."""
    file, save = BytesIO(), np.savez_compressed if compressed else np.savez
    save(file, **{name: np.array(json.dumps(one)) for name, one in data.items()}, **arrays)
    return file.getvalue()


def read_archive(path, part, what, remedy):
    """The arrays of an archive in a file, which must be whole; plain data as the text they are kept as."""
    try:
        if checksum_holds(path):
            with np.load(BytesIO(path.read_bytes()[:-TRAILER]), allow_pickle=False) as found:
                return {name: found[name] for name in found.files}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise FileError(part, f"it cannot be read ({error})", f"{what} is expected", remedy) from None
    raise FileError(
        part, f"it is damaged, or no {what.split()[-1]}: its checksum does not hold", f"{what} is expected", remedy
    )


def run_of(solver, times, **further):
    """What distinguishes one run from another, as plain data: model, options, and the program itself."""
    system = solver.compiled.system
    try:
        model = system.to_dict()
    except ModelError as error:
        problem = f"a run is recognised by its model, but {error.part}: {error.problem}"
        raise ModelError("checkpoint", problem, error.expected, f"{error.remedy} Or leave out checkpoint.") from None
    options = dict(
        method=solver.method, rtol=solver.rtol, atol=solver.atol, step=solver.step_size, correct=bool(solver.correct)
    )
    options |= (
        dict(formulation=solver.compiled.formulation, constraints=solver.constraints, code=solver.code.wanted) | further
    )
    return json.loads(json.dumps(dict(model=model, **options, every=digest(times.tobytes()), program=program())))


def program():
    """A digest of the sources that compute a motion."""
    return digest(*(source(path).checksum for path in sources(PACKAGE / "solvers" / "solver.py")))


def digest(*contents):
    return hashlib.sha256(b"".join(contents)).hexdigest()
