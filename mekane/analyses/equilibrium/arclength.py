"""Along an equilibrium path by its arc length, around turning points.

    Zᵀ(K Z dy + (∂tau/∂p) dp) = 0          the tangent (dy, dp) is the null vector of this f × (f + 1) matrix

Turning points are where dp = 0, branches cross where the matrix bordered by its own tangent is singular.
"""

import numpy as np

from mekane.analyses.equilibrium.solver import BALANCED
from mekane.analyses.equilibrium.static_equations import least
from mekane.analyses.kinematics.configuration_shift import shift_of

ITERATIONS = 12
TIGHT = 1e-13  # relative size of what is unbalanced on the path
SHORTEST = 1e-9
ASTRAY = 0.2  # how far from the tangent, in steps, a point ahead may lie to be worth a closer look
# corrections towards the nearest point; how near it is to be the same: where branches cross, points are found to
# √round-off only
REFINEMENTS, SAME = 4, 1e-3


class EquilibriumPoint:
    """An equilibrium, the matrix there, and the tangent that goes on from `before` (scaled changes of the
    configuration, and of p)."""

    def __init__(self, path, state, before=None):
        self.path, self.state = path, state
        self.p = float(state.parameters[path.where])
        # how constraints carry the bodies along with p
        self.drag = -least(state.J, state.phi_by_unknowns[:, 0] * path.unit)
        by_p = state.Z.T @ (state.by_unknowns[:, 0] * path.unit + state.K @ self.drag)
        self.A = np.column_stack([state.stiffness, by_p]) / max(state.scale, 1e-300)
        vector = np.linalg.svd(self.A)[2][-1]
        self.tangent = np.append(state.Z @ vector[:-1], vector[-1])
        if before is not None and self.tangent @ before < 0:
            self.tangent = -self.tangent

    def inside(self, direction):
        """A direction (configuration, p) in terms of Z and p."""
        return np.append(self.state.Z.T @ direction[:-1], direction[-1])

    @property
    def bordered(self):
        return np.vstack([self.A, self.inside(self.tangent)])

    @property
    def turning(self):
        """Changes its sign at turning points."""
        return self.tangent[-1]

    @property
    def crossing(self):
        """Changes its sign where branches cross."""
        return (
            np.linalg.det(self.bordered)
            and np.sign(np.linalg.det(self.bordered)) * np.linalg.svd(self.bordered, compute_uv=False)[-1]
        )

    def across(self):
        """Direction of the other branch where two cross."""
        vector = np.linalg.svd(self.bordered)[2][-1]
        return np.append(self.state.Z @ vector[:-1], vector[-1])


class EquilibriumPath:
    """A model at rest with one parameter to follow, which counts in units of its range."""

    def __init__(self, statics, name, unit):
        self.statics, self.where, self.unit = statics, statics.names.index(name), unit

    def between(self, here, there):
        """The change (configuration, p) from a point to another one near it."""
        statics, q = self.statics, here.state.q
        y = shift_of(statics.primitive_i, q, there.state.q - q, statics.compiled.n_u) / statics.unit
        return np.append(y - here.drag * (dp := (there.p - here.p) / self.unit), dp)

    def passes(self, here, length, there):
        """Whether the way a length on from `here` leads through `there`."""
        ahead = self.between(here, there)
        s = ahead @ here.tangent
        if not 0.0 < s <= length or np.linalg.norm(ahead - s * here.tangent) > ASTRAY * length:
            return False
        for _ in range(REFINEMENTS):
            point = self.step(here, s)
            if point is None:
                return False
            left = self.between(point, there)
            s += left @ point.tangent
        return bool(np.linalg.norm(left) < SAME)

    def point(self, state, before=None):
        return EquilibriumPoint(self, state, before)

    def displaced(self, here, step, value=None):
        """The model after a step (configuration, p) from a point; or with a given value of p."""
        parameters = here.state.parameters.copy()
        parameters[self.where] = here.p + self.unit * step[-1] if value is None else value
        q = self.statics.displaced(here.state.q, step[:-1] + here.drag * step[-1])
        return self.statics.closed(self.statics.at(q, parameters, here.state.integrals))

    def corrected(self, state, normal):
        """Back onto the path in the plane across `normal` (configuration, p), or None."""
        best = None
        for _ in range(ITERATIONS):
            if state is None:
                return None
            here = self.point(state, normal)
            if best is None or state.unbalanced < 0.5 * best.state.unbalanced:
                best = here
            else:
                break
            if state.unbalanced < TIGHT:
                break
            matrix = np.vstack([here.A, here.inside(normal)])
            d = -np.linalg.lstsq(matrix, np.append(state.gradient / max(state.scale, 1e-300), 0.0), rcond=1e-13)[0]
            if np.linalg.norm(d) > 1.0:
                return None
            state = self.displaced(here, np.append(state.Z @ d[:-1], d[-1]))
        return best if best.state.unbalanced < BALANCED else None

    def step(self, here, length, direction=None):
        """The point a length further on, or None."""
        direction = here.tangent if direction is None else direction
        return self.corrected(self.displaced(here, length * direction), direction)

    def at_value(self, here, value):
        """The point near this one with this value of the parameter, or None."""
        normal = np.zeros(len(here.tangent))
        normal[-1] = 1.0
        share = (value - here.p) / self.unit / here.tangent[-1] if abs(here.tangent[-1]) > 1e-3 else 0.0
        state = self.displaced(here, share * here.tangent, value)
        return self.corrected(state, normal)
