"""A system some of whose numbers vary: its equations, and how they change with those numbers."""

from functools import cached_property

import numpy as np

from mekane.analyses.quantity_names import as_value, compile_with, names_of
from mekane.analyses.state.dynamics import Model
from mekane.errors import ModelError
from mekane.expressions.located_discontinuities import located_discontinuities
from mekane.model.construction_log import with_names
from mekane.model.names import joint_coordinates
from mekane.results.labels import XYZ
from mekane.solvers.derivatives.parameters import ParameterDerivatives

VECTORS = ("position", "velocity", "angular_velocity", "centre")


class ParametrizedSystem:
    """names: the parameters that vary; outputs: names or expressions of the state whose changes are wanted."""

    def __init__(self, system, names, outputs=(), formulation="joint", analysis="sensitivity"):
        self.analysis, self.names = analysis, names_of(names, f"{analysis}, to", some=True)
        self.system, self.formulation = with_names(system, self.names), formulation
        self.outputs = names_of(outputs, f"{analysis}, of")
        self.rates = rates_of_events(self.system)
        self.values = [as_value(self.system, text, f"{analysis}, of") for text in (*self.outputs, *self.rates)]
        with located_discontinuities():
            self.model = Model(compile_with(self.system, formulation, self.values, f"{analysis}, of"))
        self.compiled, self.derivatives = self.model.compiled, self.model.derivatives
        refuse_sequences(self.compiled, analysis)

    def place_of_rate(self, target):
        """Of a rate that an event sets, among all outputs."""
        return len(self.outputs) + self.rates.index(target)

    @cached_property
    def by_parameters(self):
        """Derivatives of the equations along the parameters."""
        with located_discontinuities():
            return ParameterDerivatives(self.system, self.formulation, self.names, self.values)

    @property
    def parameters(self):
        """Values of the parameters that vary."""
        return np.array([self.system.parameters[name] for name in self.names], float)

    @cached_property
    def initial(self):
        """q, u at the start."""
        return self.model.start()

    @cached_property
    def initial_state_derivatives(self):
        """dq and du at the start, a row for each parameter."""
        from mekane.solvers.derivatives.initial_state import initial_state_derivatives

        found = [initial_state_derivatives(self.system, self.formulation, name) for name in self.names]
        return np.array([dq for dq, _ in found]), np.array([du for _, du in found])

    def follow(self, t, q, u):
        """Angles of joints that are not coordinates, counted on from where they were."""
        self.model.follow(t, np.concatenate([q, u]))
        self.by_parameters.set_measurements(self.model.workspace.measurement)


def rates_of_events(system):
    """Rates that events set."""
    targets = dict.fromkeys(target for event in system.events.values() for target in event.set)
    return [target for target in targets if target not in {**system.inputs, **system.variables}]


def channels(system, names, analysis):
    """Names with vectors opened up: "arm.position" is three. By default the coordinates and rates of all joints, else
    positions."""
    if names is None:
        of_joints = [f"{name}{end}" for name in joint_coordinates(system) for end in ("", ".rate")]
        names = of_joints or [f"{body}.position" for body in system.bodies]
    names = names_of(names, f"{analysis}, of", some=True)
    is_vector = lambda name: name.rpartition(".")[2] in VECTORS and name.rpartition(".")[0] in system.bodies
    return [one for name in names for one in ([f"{name}.{axis}" for axis in XYZ] if is_vector(name) else [name])]


def refuse_sequences(compiled, analysis):
    if any(name.endswith(".sequence") for name in compiled.coordinates):
        problem = f"formulation {compiled.formulation!r} changes its angles on the way"
        raise ModelError(
            analysis, problem, "coordinates that stay the same", 'Leave formulation= out, or write "joint".'
        )
