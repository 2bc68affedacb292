"""A system some of whose numbers vary: its equations, and how they change with those numbers."""

import re
from functools import cached_property

import numpy as np

from mekane.analyses.dynamics import Model
from mekane.compile.compiled import compile_system
from mekane.errors import ModelError
from mekane.expressions.graph import symbol
from mekane.model.recipe import unknown
from mekane.model.values import read_value
from mekane.results.labels import XYZ
from mekane.solvers.parameter_slopes import ParameterSlopes

VECTORS = ("position", "velocity", "angular_velocity", "centre")


class Varied:
    """names: the parameters that vary; outputs: names or expressions of the state whose changes are wanted."""

    def __init__(self, system, names, outputs=(), formulation="joint", word="sensitivity"):
        self.word, self.names = word, names_of(names, word, "to")
        self.system, self.formulation = with_parameters(system, self.names), formulation
        self.outputs = names_of(outputs, word, "of", some=False)
        self.values = [value_of(self.system, text, f"{word}, of") for text in self.outputs]
        self.model = Model(compile_system(self.system, formulation, self.values))
        self.compiled, self.slopes = self.model.compiled, self.model.slopes
        refuse_sequences(self.compiled, word)

    @cached_property
    def by_parameters(self):
        """Slopes of the equations along the parameters."""
        return ParameterSlopes(self.system, self.formulation, self.names, self.values)

    @property
    def parameters(self):
        """Values of the parameters that vary."""
        return np.array([self.system.parameters[name] for name in self.names], float)

    @cached_property
    def initial(self):
        """q, u at the start."""
        return self.model.start()

    @cached_property
    def initial_slopes(self):
        """dq and du at the start, a row for each parameter."""
        from mekane.solvers.initial_slopes import initial_slopes

        found = [initial_slopes(self.system, self.formulation, name) for name in self.names]
        return np.array([dq for dq, _ in found]), np.array([du for _, du in found])

    def follow(self, t, q, u):
        """Angles of joints that are not coordinates, counted on from where they were."""
        self.model.follow(t, np.concatenate([q, u]))
        self.by_parameters.know_gauges(self.model.workspace.gauge)


def value_of(system, text, word):
    """A name as it stands in results (parts may have spaces in their names), or an expression of names."""
    owner, _, words = text.partition(".")
    parts = (*system.joints, *system.bodies, *system.forces)
    return read_value(symbol(text) if owner in parts and re.fullmatch(r"[\w.]+", words) else text, None, word, text)


def names_of(names, word, what, some=True):
    """A list of different names."""
    names = [names] if isinstance(names, str) else list(names or ())
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f"{word}, {what}", f"{name!r} is among them", "names are expected")
        if names.count(name) > 1:
            raise ModelError(f"{word}, {what}", f"{name!r} stands there twice", "every name once")
    if some and not names:
        raise ModelError(f"{word}, {what}", "no name is there", "parameters, or numbers such as 'arm.mass', are expected")
    return names


def with_parameters(system, names):
    """The system in which all these numbers are parameters."""
    for name in names:
        if name not in system.parameters and "." not in name:
            raise unknown(system, name)
    numbers = [name for name in names if name not in system.parameters]
    return system.named(numbers) if numbers else system


def channels(system, names, word):
    """Names with vectors opened up: "arm.position" is three. By default the coordinates and rates of all joints, else positions."""
    if names is None:
        of_joints = [f"{name}.{m.name}{end}" for name, joint in system.joints.items() for m in joint.measures() for end in ("", ".rate")]
        names = of_joints or [f"{body}.position" for body in system.bodies]
    names = names_of(names, word, "of")
    is_vector = lambda name: name.rpartition(".")[2] in VECTORS and name.rpartition(".")[0] in system.bodies
    return [one for name in names for one in ([f"{name}.{axis}" for axis in XYZ] if is_vector(name) else [name])]


def refuse_sequences(compiled, word):
    if any(name.endswith(".sequence") for name in compiled.coordinates):
        problem = f"formulation {compiled.formulation!r} changes its angles on the way"
        raise ModelError(word, problem, "coordinates that stay the same", 'Leave formulation= out, or say "joint".')
