"""All equilibria that a search from many starts finds: starts spread evenly over the coordinates, always the same
ones."""

import numpy as np

from mekane.analyses.equilibrium.equilibrium import Equilibrium
from mekane.analyses.equilibrium.solver import BALANCED, find_any_equilibrium, find_equilibrium, symmetric
from mekane.analyses.kinematics.placement import poses_at
from mekane.errors import ModelError
from mekane.model.names import joint_coordinates
from mekane.results.printing import Printed, Shown
from mekane.solvers.constraints.assembly import refuse_opposite
from mekane.tables.columns import BRYAN, KIND, PRIMITIVE_Q, QUATERNION, ROTATION, TRANSLATION

FEWEST, EACH, MOST = 32, 16, 240  # starts: at least, for each freedom, at most
SAME = 1e-6  # positions relative to the size, entries of rotation matrices, energies relative to those at work


def search(statics, state, starts=None):
    """Equilibria, lowest first."""
    number = starts or min(MOST, max(FEWEST, EACH * state.Z.shape[1]))
    found = []
    for start in [state, *spread(statics, state, number)]:
        for way in (find_equilibrium, find_any_equilibrium):
            end = way(statics, start)
            if end.unbalanced <= BALANCED and np.isfinite(end.K).all():
                add_new(found, statics, with_angles_within_pi(statics, end))
    return Equilibria([Equilibrium(statics, end) for end, _, _ in found], statics.system, number + 1)


def spread(statics, state, number):
    """Configurations that meet the constraints, spread over all coordinates; those that cannot be closed are left
    out."""
    from scipy.stats.qmc import Halton

    points = Halton(statics.compiled.n_u, scramble=True, rng=np.random.default_rng(0)).random(number)
    for point in points:
        start = statics.closed(statics.at(scattered(statics, state.q, point)))
        if start is not None:
            yield start


def scattered(statics, q, point):
    """Coordinates for a point of the unit cube: any angle, slides within a size around where they are."""
    q = q.copy()
    for primitive in statics.primitive_i:
        iq, x = primitive[PRIMITIVE_Q], point[primitive[2] : primitive[2] + 3]
        if primitive[KIND] >= QUATERNION:
            q[iq : iq + 4] = any_quaternion(*x)
        elif primitive[KIND] == TRANSLATION:
            q[iq] += statics.size * (2 * x[0] - 1)
        else:
            q[iq] = np.pi * (2 * x[0] - 1)
    return statics.displaced(q, np.zeros(statics.compiled.n_u))


def any_quaternion(a, b, c):
    """Evenly over all orientations (Shoemake)."""
    one, two = np.sqrt(1 - a), np.sqrt(a)
    angles = 2 * np.pi * np.array([b, b, c, c])
    return np.array([one, one, two, two]) * np.array(
        [np.sin(angles[0]), np.cos(angles[1]), np.sin(angles[2]), np.cos(angles[3])]
    )


def with_angles_within_pi(statics, state):
    """The same with all angles between −π and π, where no law counts turns."""
    q = state.q.copy()
    for primitive in statics.primitive_i:
        if primitive[KIND] in (ROTATION, BRYAN):
            q[primitive[PRIMITIVE_Q]] = np.pi - np.mod(np.pi - q[primitive[PRIMITIVE_Q]], 2 * np.pi)
    if np.array_equal(q, state.q):
        return state
    rotated = statics.at(q, state.parameters, state.integrals)
    same = np.abs(rotated.bare - state.bare).max(initial=0.0) <= 1e-9 * state.scale
    return rotated if same else state


def add_new(found, statics, state):
    """Unless a joint is turned over, or it is known: bodies at the same places, or a family with the same stiffness and
    forces."""
    y = np.concatenate([state.q, np.zeros(statics.compiled.n_u)])
    poses = poses_at(statics.compiled, y, statics.t)
    if has_opposite_joint(statics.system, poses):
        return
    place = np.concatenate(
        [np.concatenate([poses.p[b] / statics.size, poses.R[b].ravel()]) for b in statics.system.bodies]
    )
    values = np.linalg.eigvalsh(symmetric(state.stiffness))
    for other, where, firmness in found:
        alike = near(values, firmness, state.scale)
        family = np.abs(values).min(initial=np.inf) < SAME * state.scale and same_forces(state, other)
        if alike and (near(place, where, 1.0) or family):
            return
    found.append((state, place, values))


def has_opposite_joint(system, poses):
    """A joint points the opposite way: its equations hold there, but nobody can put it together so."""
    try:
        refuse_opposite(system, poses)
    except ModelError:
        return True
    return False


def near(a, b, scale):
    return np.abs(a - b).max(initial=0.0) < SAME * max(scale, 1e-300)


def same_forces(state, other):
    """Constraints push as hard, one way or the other."""
    a, b = np.abs(state.multipliers), np.abs(other.multipliers)
    return near(a, b, a.max(initial=0.0)) or not a.size


class Equilibria(Printed):
    """A list of Equilibrium, lowest potential first."""

    def __init__(self, found, system, starts):
        self.system, self.starts = system, starts
        self.found = sorted(found, key=lambda one: (round(one.potential, 9), [round(float(x), 6) for x in one.q]))

    def __len__(self):
        return len(self.found)

    def __iter__(self):
        return iter(self.found)

    def __getitem__(self, number):
        return self.found[number]

    @property
    def stable(self):
        """Those that are stable."""
        return [one for one in self.found if one.stable]

    def plot(self, path=None):
        """All of them in one drawing, those that are not stable dashed."""
        from mekane.analyses.kinematics.skeleton import figure_of

        labels = [f"{k}: {one.potential:.4g} J" for k, one in enumerate(self.found)]
        return figure_of(self.found, self.system.name, path, labels, [not one.stable for one in self.found])

    def shown(self):
        names = joint_coordinates(self.system)[:6] or [f"{body}.position" for body in self.system.bodies][:4]
        verdict = {True: "yes", False: "no", None: "undecided"}
        rows = [
            [str(k), *(one[name] for name in names), one.potential, verdict[one.stable], one.reason]
            for k, one in enumerate(self.found)
        ]
        remark = f"{len(self.found)} distinct equilibria from {self.starts} starts; there may be more."
        return [
            Shown(
                f"Equilibria of {self.system.name!r}", ["", *names, "potential [J]", "stable", "because"], rows, remark
            )
        ]

    def to_dict(self):
        return {"system": self.system.name, "starts": self.starts, "equilibria": [one.to_dict() for one in self.found]}
