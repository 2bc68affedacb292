"""steady: motions in which nothing changes but the place: straight running, circular rolling, a turning governor.

A motion is steady if there is a vector Ω along gravity (any vector where there is none) with

    alpha_B = Ω × w_B      a_B = Ω × v_B          for every body B,

and if this goes on: its first derivative by time holds as well, jerk_B = Ω × a_B. So, seen from axes that turn with Ω, every body keeps its
velocities. Unknown are the configuration (told in speeds), the speeds, their first and second rates, the multipliers and their rates, Ω and the
parameters to be found; they are solved for together by Gauss' and Newton's method. Of many solutions the one nearest to the start is taken.
All equations are exact. Their derivatives are exact too, but for those of the equations of the jerk, which are themselves derivatives:
there differences of exact derivatives stand in the matrix, which only guides the steps.
"""

from copy import copy
from functools import cached_property

import numpy as np

from mekane.analyses.dynamics import Model, initial_state
from mekane.analyses.placed import placed, poses_at, with_values
from mekane.analyses.statics import size_of, slopes_of_shift, units_of
from mekane.analyses.targets import as_value, known_parameters, read_targets
from mekane.compile.compiled import compile_system
from mekane.constraints.acceleration_constraint import AccelerationConstraint
from mekane.errors import ModelError
from mekane.expressions.graph import symbol
from mekane.kernels.projection import resequence, shift
from mekane.model.units import quantity
from mekane.model.values import Value
from mekane.results.printing import Printed, Shown
from mekane.results.result import Result
from mekane.solvers.state import Record

WATCH = "steady motion"
XYZ = "xyz"
STEPS, STEADY, CLOSED = 200, 1e-9, 1e-14
STEP = 1e-5  # of differences, in units of each unknown
WIDEST = 0.3  # of a single step, in units of each unknown


def steady(system, hold=None, speeds=None, solve_for=(), turning=None, t=0.0, formulation="joint"):
    """A steady motion near the described state, as Steady.

    hold: coordinates and other quantities that are given, {"ball.position.z": 0.3}; speeds: given rates, {"bearing.angle.rate": "60 rpm"}.
    turning: rate at which the whole motion turns about the vertical [rad/s]; 0 for straight running; left out, it is found.
    solve_for: parameters to be found, such as the torque that keeps the speed.
    """
    system, unknown = known_parameters(system, solve_for, "steady, solve_for")
    names, targets = read_targets(system, {**(hold or {}), **(speeds or {})}, "steady")
    task = Task(system, names, targets, unknown, turning, t, formulation)
    return Steady(task, task.solve())


def watched(system):
    """A copy with rows that give the accelerations of all bodies; nothing holds them."""
    values = [Value(name, symbol(name)) for body in system.bodies for name in (*of(body, "acceleration"), *of(body, "angular_acceleration"))]
    new = copy(system)
    new.constraints = {**system.constraints, WATCH: AccelerationConstraint(WATCH, tuple(values))}
    return new


def of(body, word):
    return [f"{body}.{word}.{axis}" for axis in XYZ]


class Task:
    """The equations of a steady motion, and where their unknowns stand in one list X = (y, u, ud, λ, p, Ω, rates of ud and λ)."""

    def __init__(self, system, names, targets, unknown, turning, t, formulation):
        self.system, self.formulation, self.unknown = system, formulation, unknown
        moving = [name for body in system.bodies for name in (*of(body, "velocity"), *of(body, "angular_velocity"))]
        outputs = [as_value(system, name, "steady") for name in names] + [Value(name, symbol(name)) for name in moving]
        self.model = Model(compile_system(watched(system), formulation, outputs=outputs))
        self.compiled, self.slopes = self.model.compiled, self.model.slopes
        self.t = quantity(t, "time", "steady", "t")
        self.turning = None if turning is None else quantity(turning, "angular_velocity", "steady", "turning")
        self.names, self.targets = names, np.array(targets, float)
        self.levels = np.array(self.compiled.pairs.levels[: self.compiled.n_rows])
        self.watch = list(self.compiled.pairs.rows_of[WATCH])
        self.rows = [k for k in range(self.compiled.n_rows) if k not in self.watch]
        gravity = np.array(system.gravity)
        self.axes = np.eye(3) if not gravity.any() else -gravity[None] / np.linalg.norm(gravity)  # Ω is a sum of these
        self.size = size_of(system)
        self.unit = units_of(self.compiled.tables.block_i, self.compiled.n_u, self.size)

    # ---------------------------------------------------------------- the unknowns

    def start(self):
        q, u = initial_state(self.system, self.formulation)
        spin = max([np.linalg.norm(b.angular_velocity) for b in self.system.bodies.values()], default=0.0)
        fast = max(np.abs(u / self.unit).max(initial=0.0), spin, np.abs(self.turning or 0.0), np.sqrt(np.linalg.norm(self.system.gravity) / self.size), 1e-3)
        self.time = 1.0 / fast
        self.model.settle(self.t, np.concatenate([q, u]))
        n, m = self.compiled.n_u, len(self.rows)
        x = dict(q=q, u=u, ud=np.zeros(n), lam=np.zeros(m), p=np.array([self.system.parameters[name] for name in self.unknown]))
        w = np.mean([b.angular_velocity for b in self.system.bodies.values()], axis=0) if self.turning is None else np.zeros(3)
        x["turn"] = self.axes @ w if self.turning is None else np.full(1, self.turning)
        x |= dict(jerk=np.zeros(n), lam_rate=np.zeros(m))
        return x

    def point(self, x):
        y = np.concatenate([x["q"], x["u"]])
        self.model._look(self.model._motion, self.t, y, self.model.workspace.gauge)
        self.slopes.know_gauges(self.model.workspace.gauge)
        multipliers = np.zeros(self.compiled.n_rows)
        multipliers[self.rows] = x["lam"]
        point = self.slopes.point(self.t, x["q"], x["u"], x["ud"], multipliers)
        point[self._parameters()] = x["p"]
        return point

    def _parameters(self):
        names = list(self.system.parameters)
        return [self.slopes.x.parameters.start + names.index(name) for name in self.unknown]

    def seeds(self, x):
        """Directions of all unknowns but Ω, scaled: a turn by a radian, speeds and their rates by the time the motion takes."""
        n, m, k, X = self.compiled.n_u, len(self.rows), len(self.unknown), self.slopes.x
        seeds = np.zeros((3 * n + m + k, self.slopes.n_x))
        seeds[:n, X.q] = slopes_of_shift(self.compiled.tables.block_i, x["q"], n) * self.unit[:, None]
        seeds[n : 2 * n, X.u] = np.diag(self.unit / self.time)
        seeds[2 * n : 3 * n, X.ud] = np.diag(self.unit / self.time**2)
        seeds[range(3 * n, 3 * n + m), [X.multipliers.start + row for row in self.rows]] = 1.0
        seeds[range(3 * n + m, 3 * n + m + k), self._parameters()] = 1.0
        return seeds

    # ---------------------------------------------------------------- the equations

    def equations(self, x, slopes=True):
        """(misfits, their derivatives by all scaled unknowns)"""
        z, d = self.slopes.along(self.point(x), self.seeds(x) if slopes else np.zeros((0, self.slopes.n_x)))
        Z, pick = self.slopes.z, lambda where, rows: [where.start + row for row in rows]
        of_level = lambda *levels: [row for row in self.rows if self.levels[row] in levels]
        direct = [*range(Z.tau.start, Z.tau.stop), *pick(Z.phi, of_level("position")), *pick(Z.rate, of_level("position", "velocity"))]
        direct += pick(Z.acceleration, self.rows)
        told = pick(Z.outputs, range(len(self.names)))
        moving = pick(Z.outputs, range(len(self.names), Z.outputs.stop - Z.outputs.start))
        C, axes = cross_matrix(self.Omega(x), len(moving) // 3), self.axes if self.turning is None else self.axes[:0]
        accelerations = pick(Z.acceleration, self.watch)
        misfit = np.concatenate([z[direct], z[told] - self.targets, z[accelerations] - C @ z[moving]])
        slopes = np.hstack([d[:, direct], d[:, told], d[:, accelerations] - d[:, moving] @ C.T]).T
        by_turn = np.zeros((len(misfit), len(axes)))
        for k, axis in enumerate(axes):
            by_turn[len(direct) + len(told) :, k] = -(cross_matrix(axis, len(moving) // 3) @ z[moving]) / self.time
        return misfit, np.hstack([slopes, by_turn])

    def going_on(self, x):
        """Misfits of the rates of all equations along the motion: of forces, of constraints, and of the accelerations from Ω × v."""
        point, Z = self.point(x), self.slopes.z
        z = self.slopes.at(point)
        seed, X = np.zeros((1, self.slopes.n_x)), self.slopes.x
        seed[0, X.t], seed[0, X.q], seed[0, X.u], seed[0, X.ud] = 1.0, z[Z.qd], z[Z.ud], x["jerk"]
        seed[0, [X.multipliers.start + row for row in self.rows]] = x["lam_rate"]
        rate = self.slopes.along(point, seed)[1][0]
        C = cross_matrix(self.Omega(x), 2 * len(self.system.bodies))
        watched = rate[Z.acceleration][self.watch] - C @ z[Z.acceleration][self.watch]
        return np.concatenate([rate[Z.tau], rate[Z.acceleration][self.rows], watched])

    def by_differences(self, x, n):
        """Derivatives of `going_on` by all n scaled unknowns."""
        columns = [(self.going_on(self.moved(x, STEP * e)) - self.going_on(self.moved(x, -STEP * e))) / (2 * STEP) for e in np.eye(n)]
        return np.array(columns).T

    def Omega(self, x):
        return self.axes.T @ x["turn"] if self.turning is None else x["turn"][0] * self.axes[0]

    def all_equations(self, x):
        misfit, A = self.equations(x)
        n = A.shape[1] + self.compiled.n_u + len(self.rows)
        above = np.hstack([A, np.zeros((len(A), n - A.shape[1]))])
        return np.concatenate([misfit, self.going_on(x)]), np.vstack([above, self.by_differences(x, n)])

    def solve(self):
        x, wrong, since = self.start(), np.inf, 0
        for _ in range(STEPS):
            misfit, A = self.all_equations(x)
            step, row = scaled_step(misfit, A, self.without_unit())
            before, wrong = wrong, np.abs(misfit / row).max(initial=0.0)
            since = since + 1 if wrong > 0.5 * before else 0
            if wrong < CLOSED or (wrong < STEADY and since > 2) or since > 60:
                break
            x = self.downhill(x, step, misfit, row)
        if wrong > STEADY:
            raise self.unsteady(x)
        return x

    def without_unit(self):
        """Which unknowns have no natural scale: multipliers, parameters and rates of multipliers."""
        n, m, k = self.compiled.n_u, len(self.rows), len(self.unknown)
        n_turn = len(self.axes) if self.turning is None else 0
        return [*range(3 * n, 3 * n + m + k), *range(4 * n + m + k + n_turn, 4 * n + 2 * m + k + n_turn)]

    def downhill(self, x, step, misfit, row):
        """A step no longer than allowed, halved while it makes things worse."""
        n = self.compiled.n_u
        share = min(1.0, WIDEST / max(np.abs(step[: 2 * n]).max(initial=0.0), 1e-300))
        value = np.linalg.norm(misfit / row)
        for _ in range(8):
            after = self.moved(x, share * step)
            if np.linalg.norm(self.misfits(after) / row) < value:
                break
            share *= 0.5
        return after

    def misfits(self, x):
        return np.concatenate([self.equations(x, slopes=False)[0], self.going_on(x)])

    def moved(self, x, step):
        n, m, k = self.compiled.n_u, len(self.rows), len(self.unknown)
        n_turn = len(self.axes) if self.turning is None else 0
        y, u, ud, lam, p, turn, jerk, lam_rate = np.split(step, np.cumsum([n, n, n, m, k, n_turn, n]))
        q, of_state = x["q"].copy(), x["u"] + u * self.unit / self.time
        shift(self.compiled.tables.block_i, q, np.ascontiguousarray(self.unit * y))
        resequence(self.compiled.tables.block_i, q, of_state)
        new = dict(q=q, u=of_state, ud=x["ud"] + ud * self.unit / self.time**2, lam=x["lam"] + lam, p=x["p"] + p)
        new |= dict(jerk=x["jerk"] + jerk * self.unit / self.time**3, lam_rate=x["lam_rate"] + lam_rate / self.time)
        new["turn"] = x["turn"] + turn / self.time if self.turning is None else x["turn"]
        return new

    def unsteady(self, x):
        misfit, _ = self.equations(x)
        left = misfit[-6 * len(self.system.bodies) :].reshape(-1, 2, 3)
        bodies = list(self.system.bodies)
        moved, turned = np.linalg.norm(left[:, 0], axis=1), np.linalg.norm(left[:, 1], axis=1)
        worst = int((moved + self.size * turned).argmax())
        problem = f"no steady motion was found: body {bodies[worst]!r} is accelerated by {moved[worst]:.3g} m/s^2 and {turned[worst]:.3g} rad/s^2"
        given = ", ".join([*self.names, *(["turning"] if self.turning is not None else [])]) or "nothing"
        remedy = "Start closer to one, hold less, or name parameters in solve_for=."
        return ModelError(f"steady motion of {self.system.name!r}", problem, f"given are {given}", remedy)


def cross_matrix(w, times):
    """[w ×] of many vectors, one after the other."""
    one = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]], float)
    return np.kron(np.eye(times), one)


def scaled_step(misfit, A, unscaled):
    """The smallest step that removes the misfit, equations scaled to be alike; and the equations' scales. unscaled: unknowns without a unit."""
    row = np.linalg.norm(A, axis=1)
    row = np.where(row > 1e-9 * max(row.max(initial=0.0), 1e-300), row, max(row.max(initial=0.0), 1e-300))
    scaled, lengths = A / row[:, None], np.ones(A.shape[1])
    lengths[unscaled] = np.linalg.norm(scaled[:, unscaled], axis=0)
    lengths = np.where(lengths > 0.0, lengths, 1.0)
    return np.linalg.lstsq(scaled / lengths, -misfit / row, rcond=1e-9)[0] / lengths, row


class Steady(Printed):
    """A steady motion at one moment: values by name as in results, reactions, what was found, and the system in this state."""

    def __init__(self, task, x):
        self.task, self.t, self.formulation, self.found = task, task.t, task.formulation, tuple(task.unknown)
        self.q, self.u = x["q"], x["u"]
        self.turning = task.Omega(x)  # Ω [rad/s]
        self.parameters = {**task.system.parameters, **dict(zip(task.unknown, x["p"].tolist(), strict=True))}

    @cached_property
    def system(self):
        """The system in this state."""
        return placed(self.task.system, poses_at(self.task.compiled, np.concatenate([self.q, self.u]), self.t), self.parameters)

    @cached_property
    def result(self):
        """A Result with this one sample."""
        system = with_values(self.task.system, self.parameters)
        compiled = compile_system(system, self.formulation)
        y = np.concatenate([self.q, self.u, np.zeros(compiled.n_work)])
        model = Model(compiled)
        model.settle(self.t, y)
        return Result(system, compiled, Record(np.array([self.t]), y[None], model.workspace.gauge.copy()[None]), {})

    def __getitem__(self, name):
        values = self.result.numbers(name)[0]
        return float(values) if np.ndim(values) == 0 else values.copy()

    def reaction(self, joint, on=None, axes="world", at="b"):
        """Force and moment that a joint exerts, as a Dataset; words as in Result.reaction."""
        return self.result.reaction(joint, on, axes, at).isel(time=0, drop=True)

    def values(self):
        joints = [f"{name}.{m.name}{end}" for name, joint in self.task.system.joints.items() for m in joint.measures() for end in ("", ".rate")]
        bodies = [f"{body}.{word}" for body in self.task.system.bodies for word in ("position", "velocity", "angular_velocity")]
        return {name: self[name] for name in (*joints, *bodies)}

    def shown(self):
        rows = [[name, value, self.result.units(name)] for name, value in self.values().items()]
        rows += [[name, self.parameters[name], "found"] for name in self.found]
        remark = f"Seen from axes that turn with {np.linalg.norm(self.turning):.6g} rad/s, every body keeps its velocities."
        return [Shown(f"Steady motion of {self.task.system.name!r}", ["quantity", "value", "unit"], rows, remark)]

    def to_dict(self):
        plain = lambda x: x if isinstance(x, float) else x.tolist()
        return {
            "system": self.task.system.name,
            "t": self.t,
            "turning": self.turning.tolist(),
            "values": {name: plain(value) for name, value in self.values().items()},
            "found": {name: self.parameters[name] for name in self.found},
        }
