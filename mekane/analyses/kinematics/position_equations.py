"""Where a mechanism can be: the position equations of its loops and constraints, and named positions, all with exact
derivatives.

Changes of the configuration are expressed in speeds (δq = N δs, qd = N u). For rank and for the size of steps, lengths
are measured in sizes of the mechanism.
"""

from functools import cached_property

import numpy as np

from mekane.analyses.kinematics.configuration_shift import shift_of, shifted
from mekane.analyses.kinematics.named_positions import scalars
from mekane.analyses.kinematics.speed_scales import size_of, units_of_speeds
from mekane.analyses.state.dynamics import Model
from mekane.compiler.compiler import compile_system
from mekane.compiler.coordinates import coordinates_of
from mekane.expressions.graph import symbol
from mekane.model.values.values import Value
from mekane.results.labels import XYZ
from mekane.solvers.constraints.assembly import poses_of
from mekane.tables import columns as at

SINGULAR = 1e-8  # of the largest singular value
VANISHING = 1e-3  # the least that rank is judged beside, lengths in sizes: all rows may be round-off


class PositionEquations:
    """One system in a formulation, at a fixed time; forces play no part."""

    def __init__(self, system, formulation="joint", t=0.0):
        self.described, self.system, self.t = system, bare(system), t
        numbers = [*scalars(self.system)]
        vectors = [
            f"{body}.{quantity}"
            for body in self.system.bodies
            for quantity in ("position", "velocity", "angular_velocity")
        ]
        names = [x for name in numbers for x in (name, f"{name}.rate")] + [
            f"{name}.{axis}" for name in vectors for axis in XYZ
        ]
        self.where = {name: k for k, name in enumerate(names)}
        outputs = [Value(name, symbol(name)) for name in names]
        self.model = Model(compile_system(self.system, formulation, outputs=outputs))
        self.compiled, self.derivatives = self.model.compiled, self.model.derivatives
        levels = self.compiled.pairs.levels[: self.compiled.n_rows]
        self.rows = [k for k, level in enumerate(levels) if level == "position"]
        self.rates = [k for k, level in enumerate(levels) if level != "acceleration"]
        self.size = size_of(self.system)
        self.scale = units_of_speeds(self.compiled, self.size)
        self.row_scale = row_scale(self.compiled, self.size)

    @property
    def n_u(self):
        return self.compiled.n_u

    def coordinates(self, poses):
        return coordinates_of(self.compiled, poses)

    def here(self, q):
        return Configuration(self, q)

    def displaced(self, here, step):
        """q after a step in speeds, lengths in sizes of the mechanism."""
        primitive_i = self.compiled.tables.primitive_i
        return shifted(primitive_i, here.q, shift_of(primitive_i, here.q, here.N @ (self.scale * step), self.n_u))

    def poses(self, q):
        self.model.evaluate_kinematics(self.t, np.concatenate([q, np.zeros(self.n_u)]))
        return poses_of(self.compiled, self.model.workspace)

    def follow(self, q):
        """Angles of cut joints are measured near what they are here, from now on."""
        self.model.follow(self.t, np.concatenate([q, np.zeros(self.n_u)]))

    @property
    def known(self):
        """What angles of cut joints are known to be, whole turns counted."""
        return self.model.workspace.measurement.copy()

    def recall(self, known):
        self.model.workspace.measurement[:] = known
        self.derivatives.set_measurements(known)

    def forget_turns(self, q):
        """Angles of cut joints between −π and π."""
        self.model.workspace.measurement[:] = 0.0
        self.follow(q)


class Configuration:
    """One configuration. Derivatives are along speeds, with lengths in sizes of the mechanism."""

    def __init__(self, positions, q):
        self.of, self.q = positions, q
        derivatives, z = positions.derivatives, positions.derivatives.z
        self.x = derivatives.point(positions.t, q, np.zeros(positions.n_u))
        self.z, by_speeds = derivatives.along(self.x, derivatives.unit(derivatives.x.u))
        self.N = by_speeds[:, z.qd].T
        self._outputs, self._output_derivatives = self.z[z.outputs], by_speeds[:, z.outputs].T * positions.scale
        self._rates = by_speeds[:, z.rate].T * positions.scale
        self.phi = self.z[z.phi][positions.rows] * positions.row_scale[positions.rows]
        self.J = self.row_derivatives(positions.rows)

    def row_derivatives(self, rows):
        return self._rates[rows] * self.of.row_scale[rows][:, None]

    def scalar(self, name):
        return self._outputs[self.of.where[name]]

    def scalar_derivatives(self, name):
        return self._output_derivatives[self.of.where[f"{name}.rate"]]

    def vector(self, name):
        first = self.of.where[f"{name}.x"]
        return self._outputs[first : first + 3]

    def vector_derivatives(self, name):
        first = self.of.where[f"{name}.x"]
        return self._output_derivatives[first : first + 3]

    @cached_property
    def R(self):
        """Axes of all bodies."""
        return self.of.poses(self.q).R

    def motion(self, step, step_rate=None):
        return Motion(self, step, step_rate)


class Motion:
    """Rates and second rates of everything, in a motion through a configuration with speeds u and their rates."""

    def __init__(self, here, step, step_rate=None):
        self.here, positions = here, here.of
        derivatives, z = positions.derivatives, positions.derivatives.z
        self.step, u = step, positions.scale * step
        x = here.x.copy()
        x[derivatives.x.u] = u
        direction = np.zeros((1, derivatives.n_x))
        direction[0, derivatives.x.q] = here.N @ u
        values, changing = derivatives.along(x, direction)
        self._first, self._carried = values[z.outputs], changing[0, z.outputs]  # with the speeds constant
        self.row_bias = changing[0, z.rate] * positions.row_scale
        self.step_rate = np.zeros(positions.n_u) if step_rate is None else step_rate

    def first(self, name):
        return self._first[self.here.of.where[name]]

    def first_vector(self, name):
        first = self.here.of.where[f"{name}.x"]
        return self._first[first : first + 3]

    def second(self, name):
        k = self.here.of.where[name]
        return self._carried[k] + self.here._output_derivatives[k] @ self.step_rate

    def second_vector(self, name):
        return np.array([self.second(f"{name}.{axis}") for axis in XYZ])


# ---------------------------------------------------------------- helpers


def bare(system):
    """The system without the forces that are Python functions: they have no derivatives, and positions need none."""
    new = system.copied()
    new.forces = {
        name: force for name, force in system.forces.items() if not any(value.callback for value in force.values())
    }
    return new


def row_scale(compiled, size):
    """Rows of joints that are lengths, in sizes; rows of constraints as they are."""
    kinds = compiled.tables.row_i[: compiled.n_rows, at.ROW_KIND]
    return np.where((kinds == at.PERPENDICULAR) | (kinds == at.EXPRESSION), 1.0, 1.0 / size)


def null_space(A, freedom=None):
    """Orthonormal columns that A sends to zero; `freedom` of them if it is known how many."""
    n = A.shape[1]
    if not len(A):
        return np.eye(n)
    _, values, V = np.linalg.svd(A)
    rank = n - freedom if freedom is not None else int(np.sum(values > SINGULAR * max(values[0], VANISHING)))
    return V[rank:].T
