"""The state of a solver from which its run can go on to a later time: where the end of the run first set a step, or, if
it ended otherwise, where it ended. From there on a run that ends later goes another way, so it goes on from there."""

import json
from functools import cache
from io import BytesIO

import numpy as np

from mekane.errors import FileError, ModelError
from mekane.solvers.checkpoint import archive, program
from mekane.solvers.hybrid.controller_objects import objects_of, restore_objects
from mekane.solvers.saved_state import solver_from, state_of
from mekane.solvers.state import NOW, SAMPLE


class EndState:
    """arrays, values: what `state_of` gives, but for the table of events, of which the result has all: so many were there.
    objects: of controllers, or the error that says why there are none. construction, parts: by which a system that was
    changed since is known."""

    def __init__(self, system, arrays, values, objects=()):
        self.arrays, self.values, self.objects = arrays, values, objects
        self.construction, self.parts = system._construction, len(system._construction)

    @property
    def t(self):
        return float(self.arrays["step_state"][NOW])

    @property
    def samples(self):
        """So many were there."""
        return int(self.arrays["counters"][SAMPLE])

    def is_of(self, system):
        """Whether it is of the system as it is now."""
        return system._construction is self.construction and len(self.construction) == self.parts

    def state(self, events, work):
        """As `state_of` gives it. events, work: of the whole run."""
        phases = self.values["phases"]
        phases = phases | dict(table=events[: phases["table"]], work=work[: phases["work"]])
        return self.arrays, self.values | dict(phases=phases)

    def solver(self, compiled, events, work, made=None):
        """A solver in this state."""
        if isinstance(self.objects, ModelError):
            raise self.objects
        solver = solver_from(compiled, *self.state(events, work), made)
        restore_objects(solver, self.objects)
        return solver

    def to_bytes(self):
        return archive(self.arrays, True, values=self.values, program=source_digest())


def end_state(solver):
    """Of a solver where it is now."""
    arrays, values = state_of(solver)
    phases = values["phases"]
    values["phases"] = phases | {name: len(phases[name]) for name in ("table", "work")}
    try:
        objects = objects_of(solver)
    except ModelError as error:
        objects = error
    return EndState(solver.compiled.system, arrays, values, objects)


def from_bytes(system, data):
    """The EndState in a file of a result."""
    with np.load(BytesIO(data), allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files}
    values, written_by = (json.loads(str(arrays.pop(name))) for name in ("values", "program"))
    if written_by != source_digest():
        expected = "it goes on to the same numbers only in the same version"
        raise FileError("resume", "the file was written by another version of Mekane", expected, "Simulate it anew.")
    return EndState(system, arrays, values, [None] * len(system.controllers))


@cache
def source_digest():
    return program()
