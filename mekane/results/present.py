"""Quantities of one state by name, as a result would have them at that instant: sim["hinge.angle"].

A reader is made at the first request of a name and kept. Positions and velocities of bodies are one compiled call. Most
other quantities are bound: which numbers of the kernels' workspaces they need is known from then on, and fetched. What
depends on more than one formula of the state (shares of loads that are not unique, formulas of other quantities) is
read from a result of one sample.
"""

import numpy as np

from mekane.results.derived import Derived
from mekane.results.quantities import angular_velocity, position, velocity
from mekane.results.result import Result
from mekane.results.sampled_kinematics import KinematicsEvaluator, SampledKinematics, measured_joints
from mekane.results.sampled_loads import Loads
from mekane.results.samples import Columns, Part, fetching, sources

ONE = slice(0, 1)


class NotBound(Exception):
    """A quantity that needs a result."""


class BoundPart(Part):
    """The one sample at hand."""

    def numbers(self, name):
        raise NotBound

    def is_unique(self, joint):
        return True  # bound only where every reaction is

    @property
    def sharing(self):
        raise NotBound


class Present:
    """record: of one sample, in arrays that follow the state."""

    def __init__(self, system, compiled, record):
        self.run, self._readers = Result(system, compiled, record, {}), {}

    def read(self, name, unique):
        """unique: whether no constraint repeats others now."""
        if name not in self._readers:
            self._readers[name] = self._reader(name)
        reader = self._readers[name] if unique else None
        return plain(self.once().numbers(name)[0]) if reader is None else reader()

    def _reader(self, name):
        """None: it needs a result."""
        quantity, labels = self.run._find(name)
        if isinstance(quantity.compute, Derived):
            return None
        component = None if labels == quantity.labels else quantity.labels.index(name.rpartition(".")[2])
        if getattr(quantity.compute, "compute", None) in BODY:
            return body_reader(self.run, quantity.compute, component)
        try:
            return bound(self.run, quantity.compute, component)
        except NotBound:
            return None

    def once(self):
        """A result of this one sample, which stays as it is."""
        record = self.run.record
        return Result(self.run.system, self.run.compiled, type(record)(*(array.copy() for array in record)), {})


BODY = {position: slice(0, 3), velocity: slice(3, 6), angular_velocity: slice(6, 9)}  # places in `body_motion`


def body_reader(run, formula, component):
    """A function without arguments: position, velocity or angular velocity of a body or marker, or one component of it."""
    from mekane.solvers.entries import precompile

    with precompile.first_use("solvers/body_motion"):
        from mekane.solvers.body_motion import N_MOTION, body_motion
    compiled, (frame,) = run.compiled, formula.args
    row = compiled.frames.row[frame.body]
    evaluator = KinematicsEvaluator(compiled, {row}, measured_joints(compiled, ()))
    body, arm, out = (
        evaluator.workspace.body,
        np.array(compiled.frames.point(frame.body, frame.at)),
        np.zeros(N_MOTION),
    )
    place, t = body.ctypes.data + body.strides[0] * evaluator.row[row], memoryview(run.record.t)
    state, columns, arm_place, out_place = run.record.y.ctypes.data, body.shape[1], arm.ctypes.data, out.ctypes.data
    header, wanted = evaluator.handle.header.ctypes.data, BODY[formula.compute]
    numbers, vector = memoryview(out), out[wanted]

    def motion():
        body_motion(header, t[0], state, place, columns, arm_place, out_place)
        return vector.copy()

    def one(k=wanted.start + (component or 0)):
        body_motion(header, t[0], state, place, columns, arm_place, out_place)
        return numbers[k]

    motion.kept = one.kept = evaluator, arm, out  # alive as long as their addresses are used
    return motion if component is None else one


def bound(run, formula, component):
    """A function without arguments: the formula at the present state, or one component of it."""
    kinematic, dynamic = Columns(), Columns()
    kinematics, loads = SampledKinematics(run.compiled, kinematic), Loads(run.compiled, dynamic)
    formula(BoundPart(run, slice(0, 0), kinematics, loads))
    fetches = [
        fetching(source, columns, run.record, 1)
        for source, columns in sources(run.compiled, kinematic, dynamic, loads.needs)
    ]
    part = BoundPart(run, ONE, kinematics, loads)

    def read():
        for fetch in fetches:
            fetch(ONE)
        values = formula(part)[0]
        return plain(values if component is None else values[component])

    return read


def plain(values):
    """A float, or an array of its own."""
    return values.copy() if getattr(values, "ndim", 0) else float(values)
