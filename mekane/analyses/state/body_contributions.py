"""What Kane's equations are put together from, at one state: partial velocities and loads of every body.  THEORY §3,
§4"""

import numpy as np

from mekane.algebra.vector_arrays import cross
from mekane.analyses.kinematics.topology import numbered
from mekane.analyses.state.dynamics import initial_state, prepared
from mekane.analyses.state.generalized_speeds import change_of_speeds, no_change
from mekane.analyses.state.partial_velocities import lanes_at, rate, value
from mekane.results.labels import XYZ
from mekane.tables import columns as at


class State:
    """A model at one state, with all partial velocities. Arrays over bodies count them as s.topology does, without the
    ground."""

    def __init__(self, system, q, u, t, formulation, own_speeds, analysis):
        self.system, self.model = system, prepared(system, formulation)
        self.compiled, n_q = self.model.compiled, self.model.compiled.n_q
        if q is None or u is None:
            start = initial_state(system, formulation)
            q, u = start[0] if q is None else q, start[1] if u is None else u
        y = self.model.state(analysis, q, u)
        self.q, self.u, self.t = y[:n_q], y[n_q:], self.model.number(analysis, "t", t)
        self.lanes, self.qd = lanes_at(self.compiled, self.q, self.u)
        self.bodies = numbered(system, {link.body: link for link in self.compiled.links})
        self.places = [self.compiled.frames.row[body] for body in self.bodies]  # in the tables
        own = own_speeds and system.own_speeds
        self.change = change_of_speeds(self.compiled, self.q, self.qd, self.t) if own else no_change(self.compiled)

    def at_points(self, which):
        """Partial velocities of mass centres or origins, (bodies, 3, speeds), complex."""
        place = lambda name: self.system.bodies[name].com if which == "centre" else np.zeros(3)
        points = [self.compiled.frames.point(name, place(name)) for name in self.bodies]
        return np.array([self.lanes.at_point(i, r_B) for i, r_B in zip(self.places, points, strict=True)])

    def in_axes(self, i, vectors, axes):
        """Components of vectors (3, …) that belong to body i."""
        if axes == "parent":
            i = self.compiled.tables.body_i[i, at.PARENT]
        return vectors if axes == "world" else (self.lanes.R[i] @ self.compiled.frames.R_BU[i]).T @ vectors

    def array(self, values, *dims):
        """Labelled: dims are of "body", "speed", "axis", "row", "with"."""
        import xarray

        labels = {
            "body": self.bodies,
            "speed": self.change.names,
            "with": self.change.names,
            "axis": list(XYZ),
            "row": self.rows(),
        }
        return xarray.DataArray(values, {dim: np.array(labels[dim], dtype=object) for dim in dims}, dims)

    def rows(self):
        """Names of the constraint rows: joint and number."""
        return [f"{joint}.{k}" for joint, rows in self.compiled.pairs.rows_of.items() for k, _ in enumerate(rows, 1)]


class Loads:
    """Forces, torques and inertia forces of every body at its mass centre, world axes; and the constraint rows."""

    def __init__(self, state):
        model, bodies = state.model, [state.system.bodies[name] for name in state.bodies]
        self.ud = model.forward("kane_equations", state.q, state.u, state.t)
        body, frames, gravity = model.workspace.body, state.compiled.frames, np.array(state.system.gravity)
        get = lambda first: body[state.places, first : first + 3]
        R = state.lanes.R.real[state.places] @ frames.R_BU[state.places]
        arm = np.array(
            [state.lanes.R[i].real @ frames.point(b.name, b.com) for i, b in zip(state.places, bodies, strict=True)]
        )
        self.mass = np.array([b.mass for b in bodies])
        self.I = np.array([R_NU @ b.inertia @ R_NU.T for R_NU, b in zip(R, bodies, strict=True)])
        w, alpha = get(at.B_W), get(at.B_AL)
        a = get(at.B_A) + gravity + cross(alpha, arm) + cross(w, cross(w, arm))
        self.w = w.copy()
        self.rotor = model.workspace.speed[:, at.S_ROTOR].copy()
        of_rotors = drives(state, -self.rotor * self.ud)[state.places]
        self.F_star = -self.mass[:, None] * a + of_rotors[:, 3:]
        self.T_star = -self.moment(alpha) + of_rotors[:, :3] - cross(arm, of_rotors[:, 3:])  # (E.2)
        wrench = (body[:, at.B_TX : at.B_TX + 6] + drives(state, model.workspace.speed[:, at.S_TAU]))[state.places]
        self.F = wrench[:, 3:] + self.mass[:, None] * gravity
        self.T = wrench[:, :3] - cross(arm, wrench[:, 3:])
        self.V, self.W = state.at_points("centre"), state.lanes.w[state.places]
        rows = [row_terms(state.compiled.pairs, model.workspace, y) for y in range(state.compiled.n_rows)]
        self.B = np.array([on_speeds(state, terms) for terms in rows]).reshape(len(rows), state.compiled.n_u)
        self.multipliers = model.workspace.multiplier.copy()

    def moment(self, alpha):
        """I·alpha + w × (I·w)"""
        return np.einsum("bcd,bd->bc", self.I, alpha) + cross(self.w, np.einsum("bcd,bd->bc", self.I, self.w))

    def mass_matrix(self):
        """(E.3), [R 40]"""
        flat = lambda X: X.reshape(3 * len(X), -1) if X.size else np.zeros((0, X.shape[-1]))  # bodies and axes in one
        V, W = value(self.V), value(self.W)
        return flat(V).T @ flat(self.mass[:, None, None] * V) + flat(W).T @ flat(self.I @ W) + np.diag(self.rotor)

    def bias(self, u):
        """Inertia forces and torques with every ud zero: accelerations are rates of partial velocities times speeds.
        [R 41]"""
        return -self.mass[:, None] * (rate(self.V) @ u), -self.moment(rate(self.W) @ u)

    def parts(self, F, T):
        """v_r·F_B + w_r·T_B of every body and speed."""
        return np.einsum("bcr,bc->br", value(self.V), F) + np.einsum("bcr,bc->br", value(self.W), T)


def row_terms(pairs, workspace, y):
    """What a row of a joint does for a unit multiplier: (body, moment about Bo and force) for each body it touches."""
    return [
        (pairs.term_i[k][at.TERM_BODY], workspace.term[k])
        for k in range(*pairs.row_i[y][at.ROW_TERM : at.ROW_TERM_END + 1])
    ]


def on_speeds(state, terms):
    """Generalized force of wrenches about Bo on every speed: a row of B."""
    return sum(wrench[:3] @ state.lanes.w[i].real + wrench[3:] @ state.lanes.v[i].real for i, wrench in terms)


def drives(state, tau):
    """Wrenches of forces tau on the speeds, where they are coordinates of joints in the tree: on b, and the opposite on
    a."""
    total = np.zeros((len(state.bodies) + 1, 6))
    driven = {key: tau[r] for key, (_, r) in state.compiled.tree_coordinate.items() if tau[r]}
    if driven:
        from mekane.results.sampled_kinematics import KinematicsEvaluator, measured_joints

        evaluator = KinematicsEvaluator(state.compiled, pairs=measured_joints(state.compiled, driven))
        W = evaluator.evaluate_kinematics(np.concatenate([state.q, state.u]))
        for key, value in driven.items():
            for i, wrench in row_terms(evaluator.pairs, W, evaluator.pairs.measurement[key]):
                total[i] += value * wrench
    return total
