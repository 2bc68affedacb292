"""steady: motions in which nothing changes but the place: straight running, circular rolling, a turning governor.

A motion is steady if there is a vector Ω along gravity (any vector where there is none) with

    alpha_B = Ω × w_B      a_B = Ω × v_B          for every body B,

and if this goes on: its first derivative by time holds as well, jerk_B = Ω × a_B. So, seen from axes that turn with Ω,
every body keeps its velocities. Unknown are the configuration (expressed in speeds), the speeds, their first and second
rates, the multipliers and their rates, Ω and the parameters to be found; they are solved for together by Gauss' and
Newton's method. Of many solutions the one nearest to the start is taken.
All equations are exact. Their derivatives are exact too, but for those of the equations of the jerk, which are
themselves derivatives: they are linear in the rates of accelerations and multipliers; by all other unknowns differences
of exact derivatives stand in the matrix, which only guides the steps.
"""

import numpy as np

from mekane.algebra.vector_arrays import cross
from mekane.analyses.kinematics.configuration_shift import shift_derivatives, shifted
from mekane.analyses.kinematics.speed_scales import size_of, units_of_speeds
from mekane.analyses.quantity_names import as_value
from mekane.analyses.state.dynamics import Model, initial_state, prepared
from mekane.compiler.compiler import compile_system
from mekane.constraints.acceleration_constraint import AccelerationConstraint
from mekane.errors import ModelError
from mekane.expressions.graph import symbol
from mekane.model.values.units import quantity
from mekane.model.values.values import Value
from mekane.results.labels import XYZ
from mekane.tables import columns as at

WATCH = "steady motion"
STEPS, STEADY, CLOSED = 200, 1e-9, 1e-14
STEP = 1e-5  # of differences, in units of each unknown
WIDEST = 0.3  # of a single step, in units of each unknown


def watched(system):
    """A copy with rows that give the accelerations of all bodies; nothing holds them."""
    values = [
        Value(name, symbol(name))
        for body in system.bodies
        for name in (*of(body, "acceleration"), *of(body, "angular_acceleration"))
    ]
    new = system.copied()
    new.constraints[WATCH] = AccelerationConstraint(WATCH, tuple(values))
    return new


def of(body, vector):
    return [f"{body}.{vector}.{axis}" for axis in XYZ]


class Task:
    """The equations of a steady motion, and where their unknowns stand in one list X = (y, u, ud, λ, p, Ω, rates of ud
    and λ).

    p: the parameters to be found, then controller states, which must be constant."""

    def __init__(self, system, names, targets, unknown, turning, t, formulation):
        self.system, self.formulation, self.unknown = system, formulation, unknown
        moving = [name for body in system.bodies for name in (*of(body, "velocity"), *of(body, "angular_velocity"))]
        outputs = [as_value(system, name, "steady") for name in names] + [Value(name, symbol(name)) for name in moving]
        self.model = Model(compile_system(watched(system), formulation, outputs=outputs))
        self.compiled, self.derivatives = self.model.compiled, self.model.derivatives
        self.t = quantity(t, "time", "steady", "t")
        self.turning = None if turning is None else quantity(turning, "angular_velocity", "steady", "turning")
        self.names, self.targets = names, np.array(targets, float)
        self.levels = np.array(self.compiled.pairs.levels[: self.compiled.n_rows])
        self.watch = list(self.compiled.pairs.rows_of[WATCH])
        self.rows = [k for k in range(self.compiled.n_rows) if k not in self.watch]
        gravity = np.array(system.gravity)
        self.axes = np.eye(3) if not gravity.any() else -gravity[None] / np.linalg.norm(gravity)  # Ω is a sum of these
        self.size = size_of(system)
        self.unit = units_of_speeds(self.compiled, self.size)

    # ---------------------------------------------------------------- the unknowns

    def start(self):
        """The described state, with the rates and multipliers that fit it best."""
        q, u = initial_state(self.system, self.formulation)
        free = prepared(self.system, self.formulation)  # without the rows that watch
        ud = free.forward("steady", q, u, self.t)
        body = free.workspace.body[1:]
        w, v, a = (body[:, first : first + 3].copy() for first in (at.B_W, at.B_V, at.B_A))
        fast = max(np.abs(u / self.unit).max(initial=0.0), np.abs(w).max(), abs(self.turning or 0.0))
        self.time = 1.0 / max(fast, np.sqrt(np.linalg.norm(self.system.gravity) / self.size), 1e-3)
        self.model.measure_from_start(self.t, np.concatenate([q, u]))
        n, m = self.compiled.n_u, len(self.rows)
        x = dict(q=q, u=u, ud=0.0 * ud, lam=np.zeros(m), p=self.first_values())
        x |= dict(turn=self.first_turning(v, a + self.system.gravity), jerk=np.zeros(n), lam_rate=np.zeros(m))
        return self.relaxed(x)

    def first_values(self):
        controller_states = self.compiled.start_memory[: len(self.compiled.integrals)]
        return np.array([*(self.system.parameters[name] for name in self.unknown), *controller_states], float)

    @property
    def n_values(self):
        return len(self.unknown) + len(self.compiled.integrals)

    def first_turning(self, v, a):
        """The rate of turn that explains the accelerations best, or the one that is given."""
        if self.turning is not None:
            return np.full(1, self.turning)
        columns = np.array([np.cross(axis, v).ravel() for axis in self.axes]).T
        return np.linalg.lstsq(columns, a.ravel(), rcond=1e-9)[0]

    def relaxed(self, x):
        """With those rates and multipliers, which all equations are linear in, that leave the least misfit."""
        n, m, k = self.compiled.n_u, len(self.rows), self.n_values
        misfit, A = self.all_equations(x)
        linear = [*range(2 * n, 3 * n + m), *range(3 * n + m + k + self.n_turn, A.shape[1])]
        step = np.zeros(A.shape[1])
        row = np.linalg.norm(A, axis=1)
        row = np.where(row > 1e-9 * row.max(initial=0.0), row, row.max(initial=0.0) or 1.0)
        step[linear] = np.linalg.lstsq(A[:, linear] / row[:, None], -misfit / row, rcond=1e-12)[0]
        return self.displaced(x, step)

    @property
    def n_turn(self):
        return len(self.axes) if self.turning is None else 0

    def point(self, x):
        self.model.follow(self.t, np.concatenate([x["q"], x["u"]]))
        multipliers = np.zeros(self.compiled.n_rows)
        multipliers[self.rows] = x["lam"]
        point = self.derivatives.point(self.t, x["q"], x["u"], x["ud"], multipliers)
        point[self._values()] = x["p"]
        return point

    def _values(self):
        names = list(self.system.parameters)
        parameters = [self.derivatives.x.parameters.start + names.index(name) for name in self.unknown]
        return [*parameters, *(self.derivatives.x.integrals.start + k for k in range(len(self.compiled.integrals)))]

    def directions(self, x):
        """Directions of all unknowns but Ω, scaled: a turn by a radian, speeds and their rates by the time the motion
        takes."""
        n, m, k, X = self.compiled.n_u, len(self.rows), self.n_values, self.derivatives.x
        directions = np.zeros((3 * n + m + k, self.derivatives.n_x))
        directions[:n, X.q] = shift_derivatives(self.compiled.tables.primitive_i, x["q"], n) * self.unit[:, None]
        directions[n : 2 * n, X.u] = np.diag(self.unit / self.time)
        directions[2 * n : 3 * n, X.ud] = np.diag(self.unit / self.time**2)
        directions[range(3 * n, 3 * n + m), [X.multipliers.start + row for row in self.rows]] = 1.0
        directions[range(3 * n + m, 3 * n + m + k), self._values()] = 1.0
        return directions

    # ---------------------------------------------------------------- the equations

    def equations(self, x, derivatives=True):
        """(misfits, their derivatives by all scaled unknowns)"""
        z, d = self.derivatives.along(
            self.point(x), self.directions(x) if derivatives else np.zeros((0, self.derivatives.n_x))
        )
        Z, pick = self.derivatives.z, lambda where, rows: [where.start + row for row in rows]
        of_level = lambda *levels: [row for row in self.rows if self.levels[row] in levels]
        direct = [
            *range(Z.tau.start, Z.tau.stop),
            *pick(Z.phi, of_level("position")),
            *pick(Z.rate, of_level("position", "velocity")),
        ]
        direct += [*pick(Z.acceleration, self.rows), *pick(Z.power, range(len(self.compiled.integrals)))]
        target_rows = pick(Z.outputs, range(len(self.names)))
        moving = pick(Z.outputs, range(len(self.names), Z.outputs.stop - Z.outputs.start))
        Omega, axes = self.Omega(x), self.axes if self.turning is None else self.axes[:0]
        accelerations = pick(Z.acceleration, self.watch)
        turned = lambda z: z[..., accelerations] - crossed(Omega, z[..., moving])
        misfit = np.concatenate([z[direct], z[target_rows] - self.targets, turned(z)])
        derivatives = np.hstack([d[:, direct], d[:, target_rows], turned(d)]).T
        by_turn = np.zeros((len(misfit), len(axes)))
        for k, axis in enumerate(axes):
            by_turn[len(direct) + len(target_rows) :, k] = -crossed(axis, z[moving]) / self.time
        return misfit, np.hstack([derivatives, by_turn])

    def going_on(self, x):
        """Misfits of the rates of all equations along the motion: of forces, of constraints, and of the accelerations
        from Ω × v."""
        point, Z = self.point(x), self.derivatives.z
        z = self.derivatives.at(point)
        direction, X = np.zeros((1, self.derivatives.n_x)), self.derivatives.x
        direction[0, X.t], direction[0, X.q], direction[0, X.u], direction[0, X.ud] = 1.0, z[Z.qd], z[Z.ud], x["jerk"]
        direction[0, [X.multipliers.start + row for row in self.rows]] = x["lam_rate"]
        rate = self.derivatives.along(point, direction)[1][0]
        watched = rate[Z.acceleration][self.watch] - crossed(self.Omega(x), z[Z.acceleration][self.watch])
        return np.concatenate([rate[Z.tau], rate[Z.acceleration][self.rows], watched])

    def by_differences(self, x, n, n_all):
        """Derivatives of `going_on` by the first n of all scaled unknowns."""
        columns = [
            (self.going_on(self.displaced(x, STEP * e)) - self.going_on(self.displaced(x, -STEP * e))) / (2 * STEP)
            for e in np.eye(n, n_all)
        ]
        return np.array(columns).T

    def by_rates(self, x):
        """Derivatives of `going_on` by the scaled rates of ud and λ, in which it is linear."""
        n, m, X, Z = self.compiled.n_u, len(self.rows), self.derivatives.x, self.derivatives.z
        directions = np.zeros((n + m, self.derivatives.n_x))
        directions[:n, X.ud] = np.diag(self.unit / self.time**3)
        directions[range(n, n + m), [X.multipliers.start + row for row in self.rows]] = 1.0 / self.time
        rate = self.derivatives.along(self.point(x), directions)[1]
        accelerations = rate[:, Z.acceleration]
        return np.hstack([rate[:, Z.tau], accelerations[:, self.rows], accelerations[:, self.watch]]).T

    def Omega(self, x):
        return self.axes.T @ x["turn"] if self.turning is None else x["turn"][0] * self.axes[0]

    def all_equations(self, x):
        misfit, A = self.equations(x)
        n, rates = A.shape[1], self.by_rates(x)
        above = np.hstack([A, np.zeros((len(A), rates.shape[1]))])
        below = np.hstack([self.by_differences(x, n, n + rates.shape[1]), rates])
        return np.concatenate([misfit, self.going_on(x)]), np.vstack([above, below])

    def solve(self):
        """The unknowns, and whether they are a solution."""
        x, wrong, since = self.start(), np.inf, 0
        for _ in range(STEPS):
            misfit, A = self.all_equations(x)
            self.refuse_not_finite(misfit, A)
            step, row = scaled_step(misfit, A, self.without_unit())
            before, wrong = wrong, np.abs(misfit / row).max(initial=0.0)
            since = since + 1 if wrong > 0.5 * before else 0
            if wrong < CLOSED or (wrong < STEADY and since > 2) or since > 60:
                break
            x = self.line_search(x, step, misfit, row)
        return x, wrong <= STEADY

    def refuse_not_finite(self, misfit, A):
        """An error where no step can be found: least squares of what is no number may never end."""
        if not (np.isfinite(misfit).all() and np.isfinite(A).all()):
            problem = "forces, or how they change with the state, are not finite where it is looked for"
            remedy = "Look for a spring whose ends meet, a root or a quotient in a law; or start elsewhere."
            raise ModelError(f"steady motion of {self.system.name!r}", problem, "both must be finite", remedy)

    def without_unit(self):
        """Which unknowns have no natural scale: multipliers, parameters and rates of multipliers."""
        n, m, k = self.compiled.n_u, len(self.rows), self.n_values
        n_turn = self.n_turn
        return [*range(3 * n, 3 * n + m + k), *range(4 * n + m + k + n_turn, 4 * n + 2 * m + k + n_turn)]

    def line_search(self, x, step, misfit, row):
        """A step no longer than allowed, halved while it makes things worse."""
        n = self.compiled.n_u
        share = min(1.0, WIDEST / max(np.abs(step[: 2 * n]).max(initial=0.0), 1e-300))
        value = np.linalg.norm(misfit / row)
        for _ in range(8):
            after = self.displaced(x, share * step)
            if np.linalg.norm(self.misfits(after) / row) < value:
                break
            share *= 0.5
        return self.relaxed(after) if share < 1.0 else after

    def misfits(self, x):
        return np.concatenate([self.equations(x, derivatives=False)[0], self.going_on(x)])

    def displaced(self, x, step):
        n, m, k = self.compiled.n_u, len(self.rows), self.n_values
        y, u, ud, lam, p, turn, jerk, lam_rate = np.split(step, np.cumsum([n, n, n, m, k, self.n_turn, n]))
        of_state = x["u"] + u * self.unit / self.time
        q = shifted(self.compiled.tables.primitive_i, x["q"], self.unit * y, of_state)
        new = dict(q=q, u=of_state, ud=x["ud"] + ud * self.unit / self.time**2, lam=x["lam"] + lam, p=x["p"] + p)
        new |= dict(jerk=x["jerk"] + jerk * self.unit / self.time**3, lam_rate=x["lam_rate"] + lam_rate / self.time)
        new["turn"] = x["turn"] + turn / self.time if self.turning is None else x["turn"]
        return new


def crossed(w, numbers):
    """w × each vector of rows of vectors, which stand one after the other."""
    vectors = numbers.reshape(*numbers.shape[:-1], numbers.shape[-1] // 3, 3)
    return cross(w, vectors).reshape(numbers.shape)


def scaled_step(misfit, A, unscaled):
    """The smallest step that removes the misfit, equations scaled to be alike; and their scales. unscaled: unknowns
    without a unit."""
    row = np.linalg.norm(A, axis=1)
    row = np.where(row > 1e-9 * max(row.max(initial=0.0), 1e-300), row, max(row.max(initial=0.0), 1e-300))
    scaled, lengths = A / row[:, None], np.ones(A.shape[1])
    lengths[unscaled] = np.linalg.norm(scaled[:, unscaled], axis=0)
    lengths = np.where(lengths > 0.0, lengths, 1.0)
    return np.linalg.lstsq(scaled / lengths, -misfit / row, rcond=1e-9)[0] / lengths, row
