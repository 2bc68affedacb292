"""Is an equilibrium stable? Where forces have a potential, by the stiffness left by the constraints; else by the
eigenvalues.  THEORY §9

    ZᵀMZ ÿ + ZᵀDZ ẏ + ZᵀKZ y = 0          Z: the directions that the constraints allow

A symmetric positive stiffness is stable whatever damping and gyroscopic forces there are, a negative one unstable
without the latter (Kelvin, Tait and Chetaev). Directions without stiffness are neutral if forces stay balanced a
finite way along them.
"""

from functools import cached_property

import numpy as np

from mekane.analyses.equilibrium.solver import FLOOR, SOFT, soft_solve, symmetric
from mekane.analyses.equilibrium.static_equations import range_and_null

FINITE = 0.03  # way along a direction without stiffness, radians or sizes
FOLLOWING = 5  # steps of Newton's method
FLAT = 1e-7  # what may be unbalanced there: a cubic force would leave FINITE³
BESIDE = 1e-6  # way to either side of where a law changes, radians or sizes
ALONG, SAME_BORDER = 1e-6, 1e-9  # gradients of unit length: an allowed direction leads across; two are parallel
AXIS = 1e-7  # real part of an eigenvalue that counts as none, relative to the largest eigenvalue


class Stability:
    """The verdict on one equilibrium; stable is True, False or None (undecided)."""

    def __init__(self, statics, state):
        self.statics, self.state = statics, state
        K = state.stiffness
        # each beside what it moves
        unit = np.sqrt(np.maximum(np.abs(K).max(axis=1, initial=0.0), max(FLOOR * state.scale, 1e-300)))
        self.values, vectors = np.linalg.eigh(symmetric(K) / np.outer(unit, unit))
        self._vectors = vectors / unit[:, None] / np.linalg.norm(vectors / unit[:, None], axis=0)
        self._soft = np.abs(self.values) <= 100 * SOFT
        largest = max(np.abs(K).max(initial=0.0), 1e-2 * state.scale)
        self.has_potential = bool(np.abs(K - K.T).max(initial=0.0) <= 1e-7 * max(largest, 1e-300))
        self.D = state.Z.T @ state.D @ state.Z
        self.stable, self.reason = self._judge()

    def _judge(self):
        if not len(self.values):
            return True, "the constraints leave no freedom"
        stable, reason = self._by_stiffness() if statically_decided(self) else self._by_eigenvalues()
        discontinuous, across = self.state.laws_not_smooth() if stable else ({}, [])
        if not discontinuous:
            return stable, reason
        normal = None if any(discontinuous.values()) else self._border(across)
        if normal is not None and all(side._is_firm for side in (self, *self._sides(normal))):
            return (
                True,
                "the potential has a minimum, where the slope of a law is discontinuous: it rises on both sides",
            )
        return None, f"on one side of this state {reason}, on the other a law is different"

    @property
    def _is_firm(self):
        """Whether the potential rises along every freedom."""
        return bool(statically_decided(self) and self.values[0] > 0.0 and not self._soft.any())

    def _border(self, across):
        """The allowed direction across the one surface at which laws change; None where there are several, or where the
        constraints allow none."""
        normals = np.array(across) @ self.state.Z
        size = np.linalg.norm(normals, axis=1)
        if not (size > ALONG).all() or np.linalg.matrix_rank(normals / size[:, None], tol=SAME_BORDER) > 1:
            return None
        return self.state.Z @ normals[0] / size[0]

    def _sides(self, normal):
        """Stability a little to both sides of where laws change. Their forces are continuous, and so is the slope of the
        potential: where it is convex on both sides, it has a minimum."""
        places = (self.statics.displaced(self.state.q, way) for way in (BESIDE * normal, -BESIDE * normal))
        there = [self.statics.at(q, self.state.parameters, self.state.integrals) for q in places]
        return [Stability(self.statics, state) for state in there]

    def _by_stiffness(self):
        lowest, name = self.values[0], "potential"
        if lowest < 0 and not self._soft[0]:
            n = int(np.sum(self.values[~self._soft] < 0))
            return (
                False,
                f"the {name} falls along {n} of {len(self.values)} freedoms, most along {self.name_of(self._vectors[:, 0])}",
            )
        if self._soft.all() and self.all_neutral:
            return True, "it is neutral along every freedom"
        if self.critical:
            return (
                None,
                f"the stiffness along {', '.join(self.critical)} vanishes without the freedom being neutral: a critical point",
            )
        also = f"; neutral along {', '.join(self.neutral)}" if self.neutral else ""
        return True, f"the {name} has a minimum{also}"

    def _by_eigenvalues(self):
        s = self.eigenvalues
        edge = AXIS * max(np.abs(s).max(initial=0.0), 1e-300)
        rising = s[s.real > edge]
        if len(rising):
            first = rising[rising.real.argmax()]
            return False, f"an eigenvalue {as_text(first)} 1/s has a positive real part"
        standing = s[(np.abs(s.real) <= edge) & (np.abs(s) > 1e-4 * max(np.abs(s).max(initial=0.0), 1e-300))]
        if len(standing):
            return (
                None,
                f"eigenvalues such as {as_text(standing[0])} 1/s lie on the imaginary axis, which decides nothing without a potential",
            )
        also = f"; neutral along {', '.join(self.neutral)}" if self.neutral else ""
        return True, f"all eigenvalues have negative real parts{also}"

    # ---------------------------------------------------------------- directions without stiffness

    @cached_property
    def _directions_without_stiffness(self):
        """(neutral, critical): scaled directions without stiffness."""
        found = [], []
        for k in np.flatnonzero(self._soft):
            found[0 if self._stays_balanced(self._vectors[:, k]) else 1].append(self._vectors[:, k])
        return found

    def _stays_balanced(self, vector):
        """A finite way along it, the firm directions following, nothing must pull."""
        statics, state = self.statics, self.state
        soft = state.Z @ self._vectors[:, self._soft]
        there = statics.at(statics.displaced(state.q, FINITE * (state.Z @ vector)), state.parameters, state.integrals)
        for _ in range(FOLLOWING):
            there = statics.closed(there)
            if there is None:
                return False
            across = range_and_null((there.Z.T @ soft).T)[1]  # allowed, and not along the soft directions
            y = there.Z @ (
                across @ soft_solve(across.T @ there.stiffness @ across, across.T @ there.gradient, there.scale)
            )
            there = statics.at(statics.displaced(there.q, -y), state.parameters, state.integrals)
        return np.linalg.norm(there.gradient) <= FLAT * state.scale

    @property
    def all_neutral(self):
        return not self._directions_without_stiffness[1]

    @cached_property
    def neutral(self):
        """Coordinates along which it may be moved without any force."""
        return self._names(self._directions_without_stiffness[0])

    @cached_property
    def critical(self):
        return self._names(self._directions_without_stiffness[1])

    def _names(self, vectors):
        """One coordinate for each direction: the one that it moves most, of those not yet named."""
        if not vectors:
            return []
        from scipy.linalg import qr

        displaced = np.array([self.state.Z @ v for v in vectors])
        return sorted(
            (coordinate(self.statics.compiled.speeds[k]) for k in qr(displaced, pivoting=True)[2][: len(vectors)]),
            key=self._order,
        )

    def _order(self, name):
        return [coordinate(speed) for speed in self.statics.compiled.speeds].index(name)

    def name_of(self, vector):
        return coordinate(self.statics.compiled.speeds[int(np.abs(self.state.Z @ vector).argmax())])

    # ---------------------------------------------------------------- numbers

    @cached_property
    def eigenvalues(self):
        """Of linearized motion about it [1/s], controller states included; those of massless directions are left out."""
        from scipy.linalg import eig

        A, B = self.linearized_equations()
        top, bottom = eig(A, B, right=False, homogeneous_eigvals=True)
        finite = np.abs(bottom) > 1e-12 * np.abs(top)
        values = top[finite] / bottom[finite]
        unit = 1e-9 * max(np.abs(values).max(initial=0.0), 1e-300)  # pairs must not be parted by round-off
        return values[np.lexsort((values.imag, np.round(values.real / unit)))]

    def linearized_equations(self):
        """B d/dt (y, ẏ, controller states) = A (y, ẏ, controller states)"""
        state, z, k = self.state, self.state.derivatives.z, self.statics.n_controller_states
        Z, f, by_controller_states = state.Z, state.Z.shape[1], state.by_controller_states
        C = Z.T @ (self.statics.unit[:, None] * by_controller_states[:, z.tau].T)
        grows = [(X[:, z.power][:, :k].T @ Z) for X in (state.by_shifts, state.by_speeds)]
        A = np.block(
            [
                [np.zeros((f, f)), np.eye(f), np.zeros((f, k))],
                [-state.stiffness, -self.D, -C],
                [*grows, by_controller_states[:, z.power][:, :k].T],
            ]
        )
        B = np.eye(2 * f + k)
        B[f : 2 * f, f : 2 * f] = Z.T @ state.M @ Z
        return A, B

    @cached_property
    def reduced(self):
        """(names, stiffness): for independent coordinates, the others following by the constraints; in their own
        units."""
        from scipy.linalg import qr

        Z, unit = self.state.Z, self.statics.unit
        if not Z.shape[1]:
            return [], np.zeros((0, 0))
        chosen = np.sort(qr(Z.T, pivoting=True)[2][: Z.shape[1]])
        by = Z @ np.linalg.inv(Z[chosen] * unit[chosen, None])  # scaled change of all for a unit change of each
        return [coordinate(self.statics.compiled.speeds[k]) for k in chosen], by.T @ self.state.K @ by


def statically_decided(stability):
    """True if the stiffness alone decides: it is symmetric, and speeds meet damping only."""
    D, scale = stability.D, np.abs(stability.D).max(initial=0.0)
    if not stability.has_potential or stability.statics.n_controller_states:
        return False
    damping = np.linalg.eigvalsh(symmetric(D))
    if scale and damping[0] < -1e-9 * scale:
        return False
    falls = stability.values[0] < 0 and not stability._soft[0]
    return not falls or np.abs(D - D.T).max(initial=0.0) <= 1e-9 * max(scale, 1e-300)


def coordinate(speed):
    """What a speed is the rate of, by name; rotations that have no coordinate of their own are described."""
    owner, _, suffix = speed.rpartition(".")
    return f"rotation of {owner} about its {suffix[1]}" if suffix in ("wx", "wy", "wz") else speed.removesuffix(".rate")


def as_text(s):
    return f"{s.real:.4g}" if abs(s.imag) <= 1e-9 * abs(s) else f"{s.real:.4g} ± {abs(s.imag):.4g}i"
