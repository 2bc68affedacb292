"""The state of a stepper at one instant: as an object for other processes, or in a file. Going on from there gives the
same numbers to the last bit."""

import json
import os
from functools import cache
from pathlib import Path

from mekane.errors import FileError, ModelError
from mekane.files import with_checksum, write
from mekane.solvers.checkpoint import archive, digest, program, read_archive

PART = "stepper"


class SavedState:
    """What sim.save() returns and sim.restore() takes. t: its time [s]. Copies for other processes and files leave out
    the samples that were recorded before."""

    def __init__(self, model, arrays, values, samples=None, objects=None):
        self.model, self.arrays, self.values, self.samples = model, arrays, values, samples
        self.objects = objects  # controllers that are objects, as they were; None: plain functions

    @property
    def t(self):
        return self.values["t"]

    def __getstate__(self):
        return vars(self) | {"samples": None}

    def __eq__(self, other):
        """The same model in the same state."""
        if not isinstance(other, SavedState):
            return NotImplemented
        if self.model != other.model or self.values != other.values or self.arrays.keys() != other.arrays.keys():
            return False
        return all(array.tobytes() == other.arrays[name].tobytes() for name, array in self.arrays.items())

    __hash__ = None

    def __repr__(self):
        return f"SavedState at t = {self.t:g} s"

    def write(self, path):
        write(path, *with_checksum(archive(self.arrays, stepper=self.model, values=self.values)))


def read(path):
    """The SavedState in a file."""
    path = Path(os.fspath(path)).expanduser()
    part, remedy = f"file {str(path)!r}", 'Write it with sim.save("file").'
    if not path.exists():
        raise FileError(part, "there is no such file", "a saved state is expected", remedy)
    arrays = read_archive(path, part, "a saved state", remedy)
    if "stepper" not in arrays:
        raise FileError(part, "it holds no state of a stepper", "a saved state is expected", remedy)
    model, values = (json.loads(str(arrays.pop(name))) for name in ("stepper", "values"))
    return SavedState(model, arrays, values, objects=[])


def model_of(solver):
    """What the state of one model is known by, as plain data: names, and a digest of all the rest."""
    compiled = solver.compiled
    known = dict(system=compiled.system.name, formulation=compiled.formulation, constraints=solver.constraints)
    known |= dict(coordinates=list(compiled.coordinates), speeds=list(compiled.speeds))
    return known | dict(content=content_of(compiled.system), program=source_digest())


def content_of(system):
    """A digest of the model; empty where it holds Python functions, of which only names could be compared."""
    try:
        return digest(json.dumps(system.to_dict(), sort_keys=True).encode())
    except ModelError:
        return ""


@cache
def source_digest():
    return program()


def refuse_functions(system):
    """A file is recognised by its model, which must be plain data then."""
    try:
        system.to_dict()
    except ModelError as error:
        problem = f"a file is recognised by its model, but {error.part}: {error.problem}"
        raise ModelError(PART, problem, error.expected, f"{error.remedy} Or keep sim.save() without a file.") from None


def refuse_other_model(found, here):
    other = [name for name in here if found.get(name) != here[name]]
    if other:
        shown = {"content": "parts or values of the model", "program": "the version of Mekane"}
        names = ", ".join(shown.get(name, name) for name in other)
        expected = "the state of the same model, formulation and constraints is expected"
        remedy = "Make the stepper from the model that the state was saved of."
        raise ModelError(PART, f"the state is of another model: {names} differ", expected, remedy)
