"""Kane's impulse–momentum equations at one instant: how speeds change, and which impulses go through every joint.  (N.8)

    M (u⁺ − u⁻) = I + BᵀΛ + CᵀΓ,    B u⁺ + w = 0,    C u⁺ = given

I: generalized impulses; B: the active constraint rows; C: rates that are set. Velocities are linear in the speeds, so
that partial velocities, M, B and C come from one evaluation for each speed. Dense: an event is no step.
"""

from functools import cached_property

import numpy as np

from mekane.algebra.vector_arrays import cross, skew
from mekane.errors import SimulationError
from mekane.solvers.entries.from_python import evaluate_kinematics
from mekane.tables import columns as at
from mekane.tables.tables import N_ROWS

CONTRADICTION = 1e-8  # of the largest rate: rows that cannot all be met


class Momentum:
    """Of a solver at its state. Body arrays begin with the ground; motions are (w, v at Bo), wrenches (moment about Bo,
    force)."""

    def __init__(self, solver):
        self.solver, self.compiled = solver, solver.compiled
        self.q, self.u = np.split(solver.y[: self.compiled.n_q + self.compiled.n_u].copy(), [self.compiled.n_q])
        self.evaluate(self.u)
        self.inertia = self.spatial_inertias()
        self.rotor = solver.workspace.speed[:, at.S_ROTOR].copy()

    @cached_property
    def still(self):
        """Motions of all bodies and rates of all rows at zero speeds."""
        found = self.evaluate(np.zeros(len(self.u)))
        self.evaluate(self.u)
        return found

    @cached_property
    def by_speeds(self):
        """Partial velocities, and rates of all rows by speeds."""
        (motion, bias), n_u = self.still, len(self.u)
        found = [self.evaluate(e) for e in np.eye(n_u)]
        self.evaluate(self.u)
        partial = np.array([one for one, _ in found]).reshape(n_u, *motion.shape) - motion
        return partial, (np.array([rates for _, rates in found]).reshape(n_u, len(bias)) - bias).T

    @property
    def bias(self):
        return self.still[1]

    @property
    def partial(self):
        return self.by_speeds[0]

    @property
    def rates(self):
        return self.by_speeds[1]

    @cached_property
    def M(self):
        of_bodies = np.einsum("rba,bac,sbc->rs", self.partial, self.inertia, self.partial, optimize=True)
        return of_bodies + np.diag(self.rotor)

    def evaluate(self, u):
        """Motions of all bodies and rates of all rows with these speeds; the workspace is left there."""
        W = self.solver.workspace
        y, measurement = np.concatenate([self.q, u]), np.zeros(len(W.measurement))
        evaluate_kinematics(self.solver.handle, self.solver.t, y, measurement)
        return W.body[:, at.B_W : at.B_W + 6].copy(), W.row[:, at.Y_RATE].copy()

    def spatial_inertias(self):
        """(bodies, 6, 6), about Bo in N axes."""
        f, R = self.compiled.tables.body_f, self.solver.workspace.body[:, at.B_R : at.B_R + 9].reshape(-1, 3, 3)
        found = np.zeros((len(f), 6, 6))
        tensor = f[:, at.T_I : at.T_I + 6][:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
        found[:, :3, :3] = R @ tensor @ R.transpose(0, 2, 1)
        c = skew(np.einsum("bij,bj->bi", R, f[:, at.T_MC : at.T_MC + 3]))
        found[:, :3, 3:], found[:, 3:, :3] = c, c.transpose(0, 2, 1)
        found[:, [3, 4, 5], [3, 4, 5]] = f[:, at.T_MASS, None]
        found[0] = 0.0
        return found

    def kinetic_energy(self, u):
        return 0.5 * float(u @ self.M @ u)

    def generalized(self, wrenches):
        """Generalized impulses of wrenches on bodies."""
        return np.einsum("rba,ba->r", self.partial, wrenches)

    def after_impulses(self, wrenches, given):
        """Speeds after these impulses on bodies. given: {measurement row: its rate after it}. Returns u⁺, Λ of all
        constraint rows, Γ."""
        active, set_ = np.flatnonzero(self.solver.workspace.active), list(given)
        A = np.vstack([self.rates[active], self.rates[set_]])
        wanted = np.concatenate([-self.bias[active], np.array(list(given.values())) - self.bias[set_]])
        factor = np.linalg.cholesky(self.M)
        solve = lambda x: np.linalg.solve(factor.T, np.linalg.solve(factor, x))
        free = self.u + solve(self.generalized(wrenches))
        half = np.linalg.solve(factor, A.T)  # D = half ᵀ half
        multipliers = np.linalg.lstsq(half.T @ half, wanted - A @ free, rcond=1e-13)[0]
        u = free + solve(A.T @ multipliers)
        self.refuse_contradiction(A @ u - wanted, np.abs(A) @ np.abs(free) + np.abs(wanted))
        rows = np.zeros(self.compiled.tables.count[N_ROWS])
        rows[active] = multipliers[: len(active)]
        return u, rows, multipliers[len(active) :]

    def refuse_contradiction(self, left, size):
        worst = np.abs(left).max(initial=0.0)
        if worst > CONTRADICTION * max(size.max(initial=0.0), 1e-12):
            raise SimulationError(
                f"at t = {self.solver.t:.6g} s rates are set that the constraints do not allow: {worst:.3g} are left. "
                "Set fewer rates, or rates that the mechanism can have."
            )

    # ---------------------------------------------------------------- impulses in joints

    def row_wrenches(self, rows, multipliers):
        """What these constraint rows exert on every body."""
        W, T, found = self.solver.workspace, self.compiled.tables, np.zeros((len(self.solver.workspace.body), 6))
        for j in rows:
            if multipliers[j] != 0.0:
                for k in range(T.row_i[j, at.ROW_TERM], T.row_i[j, at.ROW_TERM_END]):
                    found[T.term_i[k, at.TERM_BODY]] += multipliers[j] * W.term[k, at.Z_T : at.Z_T + 6]
        return found

    def through_tree(self, du, wrenches):
        """The wrench that every body receives through its tree joint: the change of momentum of all that hangs on it, less
        the impulses that act there."""
        W, T = self.solver.workspace, self.compiled.tables
        change = self.evaluate(self.u + du)[0] - self.evaluate(self.u)[0]
        received = np.einsum("bac,bc->ba", self.inertia, change) - wrenches
        parents, found = T.body_i[:, at.PARENT].tolist(), received.tolist()  # plain numbers: bodies follow one another
        arms = (W.body[:, at.B_P : at.B_P + 3] - W.body[parents, at.B_P : at.B_P + 3]).tolist()
        for i in range(len(found) - 1, 0, -1):
            (x, y, z), (a, b, c, f, g, h), parent = arms[i], found[i], found[parents[i]]
            parent[0] += a + y * h - z * g
            parent[1] += b + z * f - x * h
            parent[2] += c + x * g - y * f
            parent[3] += f
            parent[4] += g
            parent[5] += h
        return np.array(found) + self.of_rotors(du)

    def of_rotors(self, du):
        """Impulses with which rotors stop or are set going, in directions that their joints leave free: no reactions."""
        W, found = self.solver.workspace, np.zeros((len(self.solver.workspace.body), 6))
        turning = self.rotor * du
        for kind, _, speed, i in self.compiled.tables.primitive_i.tolist() if turning.any() else ():
            first, place = (at.S_V, slice(3, 6)) if kind == at.TRANSLATION else (at.S_W, slice(0, 3))
            for r in range(speed, speed + (3 if kind >= at.QUATERNION else 1)):
                if turning[r] != 0.0:
                    found[i, place] += turning[r] * W.speed[r, first : first + 3]
        return found

    def joint_impulses(self, u, multipliers, wrenches):
        """{joint or constraint: (impulse, angular impulse about its point on b)} on its body b, world axes."""
        places, body = self.solver.joint_places, self.solver.workspace.body
        by_terms = multipliers[places.term_row, None] * self.solver.workspace.term[places.term, at.Z_T : at.Z_T + 6]
        total, by_rows = wrenches.copy(), np.zeros((len(places.rows.names), 6))
        np.add.at(total, places.term_body, by_terms)
        np.add.at(by_rows, places.reported_by, by_terms[places.reported])
        received, swapped = self.through_tree(u - self.u, total)[places.child], places.swapped
        if len(swapped):  # what b receives is the opposite
            p = body[:, at.B_P : at.B_P + 3]
            arm = p[places.child[swapped]] - p[places.tree.body[swapped]]
            received[swapped, :3] += cross(arm, received[swapped, 3:])
            received[swapped] *= -1.0
        return dict(self.at_points(places.tree, received)) | dict(self.at_points(places.rows, by_rows))

    def at_points(self, places, wrenches):
        """Name, impulse and angular impulse about its point."""
        R = self.solver.workspace.body[places.body, at.B_R : at.B_R + 9].reshape(-1, 3, 3)
        arm, impulse = np.einsum("bij,bj->bi", R, places.point), wrenches[:, 3:]
        return zip(places.names, zip(impulse, wrenches[:, :3] - cross(arm, impulse), strict=True), strict=True)
