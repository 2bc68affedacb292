"""One state of a system, which answers to the names that a run does."""

from functools import cached_property

import numpy as np

from mekane.analyses.kinematics.placement import placed, poses_at, with_values
from mekane.analyses.state.dynamics import Model
from mekane.compiler.compiler import compile_system
from mekane.model.initial_conditions import starting_names
from mekane.model.names import joint_coordinates
from mekane.results.printing import Printed
from mekane.results.result import Result
from mekane.solvers.state import Record


class Snapshot(Printed):
    """Values by name, reactions, and the system placed in this state.

    discrete: inputs, variables and activity, by name, where they are not those that the described system begins with.

    described: the system whose coordinates are q (what they mean depends on where its bodies were described);
    parameters: their values here; integrals: controller states; turns: angles of joints that are not
        among q, with their whole turns, which q does not know.
    """

    discrete, places = {}, {}  # places: where joints close that were locked at their present positions

    def __init__(self, described, formulation, *, t, q, u, parameters, integrals=(), turns=None):
        self.turns = turns or {}
        self.described, self.formulation, self.t = described, formulation, t
        self.q, self.u, self.parameters, self.integrals = (
            np.array(q, float),
            np.array(u, float),
            dict(parameters),
            np.array(integrals, float),
        )

    @cached_property
    def system(self):
        """The system placed in this state, with the parameters and the discrete state it has here."""
        return self.placed_system(self.result.system, self.discrete | self.places if self.discrete else {})

    def placed_system(self, system, discrete):
        """A system of these bodies, placed in this state, with these values of the discrete state."""
        run = self.result
        poses, start = poses_at(run.compiled, run.record.y[0], self.t), self.plain(starting_names(run.system))
        found = placed(with_values(system, self.parameters), poses, start=start)
        return found.with_discrete_state(discrete) if discrete else found

    @cached_property
    def result(self):
        """A Result with this one sample."""
        system = with_values(self.described, self.parameters)
        compiled = compile_system(system, self.formulation)
        y = np.concatenate([self.q, self.u, self.integrals, np.zeros(compiled.n_work - len(self.integrals))])
        model = Model(compiled)
        model.measure_near(self.turns, self.t, y)
        return Result(
            system, compiled, Record(np.array([self.t]), y[None], model.workspace.measurement.copy()[None]), {}
        )

    def __getitem__(self, name):
        """A number, or an array of its components."""
        values = self.result.numbers(name)[0]
        return float(values) if np.ndim(values) == 0 else values.copy()

    def names(self):
        return self.result.names()

    def reaction(self, joint, on=None, axes="world", at="b"):
        """Force and moment that a joint or constraint exerts, as a Dataset; keywords as in Result.reaction."""
        return self.result.reaction(joint, on, axes, at).isel(time=0, drop=True)

    def reactions(self):
        """Of all joints and constraints, by name."""
        return {name: self.reaction(name) for name in (*self.described.joints, *self.described.constraints)}

    def coordinates(self):
        """Names of all joint coordinates."""
        return joint_coordinates(self.described)

    def plot(self, path=None):
        """A drawing of where the bodies are: a figure, written if a path is given."""
        from mekane.analyses.kinematics.skeleton import figure_of

        return figure_of([self], self.described.name, path)

    def plain(self, names):
        """Values by name, as plain data."""
        return {
            name: value if isinstance(value, float) else value.tolist()
            for name, value in ((name, self[name]) for name in names)
        }


def is_motion(at):
    """Whether it has many states: a result or a stepper."""
    return callable(getattr(at, "state", None))
