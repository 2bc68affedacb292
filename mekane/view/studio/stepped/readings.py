"""What a page shows of a stepped motion, at its present state: where the bodies are, energies, coordinates."""

import numpy as np

from mekane.results.energies import kinetic_energy, potential_energies
from mekane.results.present import bound
from mekane.results.quantities import continuous_quaternions
from mekane.results.sampled_kinematics import KinematicsEvaluator
from mekane.solvers.entries.calls import rhs
from mekane.symbolic.live import plotted_coordinates
from mekane.tables.columns import B_P, B_R, B_V, B_W


class Readings:
    """Of a Stepper. hand: of its model (hand.py)."""

    def __init__(self, sim, hand):
        self.sim, self.hand, compiled = sim, hand, sim.solver.compiled
        self.kinematics = KinematicsEvaluator(compiled)
        self.rows = [compiled.frames.row[name] for name in hand.bodies]
        self.body = [self.kinematics.row[row] for row in self.rows]
        self.energies = bound(sim._present.run, energies, None)
        self.coordinates = plotted_coordinates(compiled)
        first, elements = compiled.n_q + compiled.n_u + len(compiled.integrals), list(compiled.elements)
        self.by_hand = [first + k for k, name in enumerate(elements) if name in hand.elements]
        self.by_others = [first + k for k, name in enumerate(elements) if name not in hand.elements]

    def motions(self, y=None):
        """p, R, v, w of the frames that the user has given to the bodies, world axes."""
        found = self.kinematics.evaluate_kinematics(self.sim.y if y is None else y).body[self.body]
        frames, n = self.sim.solver.compiled.frames, len(found)
        R, w = found[:, B_R : B_R + 9].reshape(n, 3, 3), found[:, B_W : B_W + 3]
        arm = np.einsum("bij,bj->bi", R, np.array([frames.p_BU[row] for row in self.rows], float).reshape(n, 3))
        axes = np.array([frames.R_BU[row] for row in self.rows], float).reshape(n, 3, 3)
        return found[:, B_P : B_P + 3] + arm, R @ axes, found[:, B_V : B_V + 3] + np.cross(w, arm), w.copy()

    def row(self, grasp, by_user: float) -> dict:
        """Plain data of the present state. grasp: as in Hand.values; by_user: what sliders and events have put into the
        energies [J]."""
        y, (p, R, v, w) = self.sim.y, self.motions()
        kinetic, potential = self.energies()
        poses = np.hstack([p, continuous_quaternions(R)]) if len(p) else np.zeros((0, 7))
        works = [float(y[self.by_hand].sum()), float(y[self.by_others].sum())]
        return {
            "t": self.sim.t,
            "poses": poses.ravel().tolist(),
            "energies": [float(kinetic), float(potential), *works, by_user],
            "coordinates": [float(y[k]) for _, k, _ in self.coordinates],
            "grasp": None if grasp is None else force_of_hand(grasp, p, R, v, w),
        }

    def point(self, k: int, place, y=None):
        """Position and velocity of a point of the k-th body."""
        p, R, v, w = (x[k] for x in self.motions(y))
        arm = R @ place
        return p + arm, v + np.cross(w, arm)

    def mass_at(self, k: int, place) -> float:
        """The smallest mass that a force at this point feels [kg]: one over the largest acceleration that a unit force
        gives; at most that of all bodies, as what friction holds would be of any mass."""
        sim, y = self.sim, self.sim.y
        n_q, n_u = sim.solver.compiled.n_q, sim.solver.compiled.n_u
        at, still = self.point(k, place)
        free, gained = self.rates(None), np.zeros((3, 3))
        for i, e in enumerate(np.eye(3)):
            faster = y.copy()
            faster[n_q : n_q + n_u] += (self.rates((k, place, at + e, 1.0, 0.0)) - free)[n_q : n_q + n_u]
            gained[:, i] = self.point(k, place, faster)[1] - still  # velocities are linear in speeds
        self.rates(None)
        most = sum(float(body.mass or 0.0) for body in self.hand.system.bodies.values()) or 1.0
        return 1.0 / max(largest(gained), 1.0 / most)

    def rates(self, grasp):
        """Of the state, while the hand pulls like this."""
        sim, rates = self.sim, np.zeros(len(self.sim.y))
        discrete, before = sim.solver.discrete, sim.solver.discrete.copy()
        for name, value in self.hand.values(grasp).items():
            discrete[sim.solver.compiled.discrete.index(name)] = value
        rhs(sim.solver.handle, sim.t, sim.y, rates)
        discrete[:] = before
        return rates


def energies(part):
    """(time, 2): kinetic, and potential of gravity and all that store energy."""
    return np.stack([kinetic_energy(part), potential_energies(part).sum(axis=1)], axis=1)


def force_of_hand(grasp, p, R, v, w) -> dict:
    k, place, target, stiffness, damping = grasp
    arm = R[k] @ place
    force = stiffness * (np.asarray(target) - p[k] - arm) - damping * (v[k] + np.cross(w[k], arm))
    return {"at": (p[k] + arm).tolist(), "force": force.tolist()}


def largest(mobility) -> float:
    """Its largest eigenvalue: of a symmetric matrix that is not negative."""
    return float(np.linalg.eigvalsh(0.5 * (mobility + mobility.T))[-1]) if np.isfinite(mobility).all() else 0.0
