"""Driven motion: the whole motion of a mechanism from the coordinates that are driven, by its constraint equations
alone. THEORY §6, (C.3)

Every driven coordinate becomes one more equation, φ = q − f(t), or q̇ − f(t) where a speed is prescribed. Positions by
Newton from one instant to the next, in steps small enough to stay on the branch; speeds and accelerations are linear
equations there. Where equations between speeds (rolling) leave positions open, these are integrated.
"""

import numpy as np

from mekane.analyses.inverse_dynamics.actuators import prescribed_coordinates, variant
from mekane.analyses.kinematics.speed_scales import mass_metric, size_of, unit_rows, units_of_speeds
from mekane.analyses.state.dynamics import Model
from mekane.compiler.compiler import compile_system
from mekane.constraints.position_constraint import PositionConstraint
from mekane.constraints.velocity_constraint import VelocityConstraint
from mekane.errors import ModelError, SimulationError
from mekane.expressions.graph import symbol
from mekane.kernels.projection import switch_sequence
from mekane.model.values.values import Value

DEPENDENT = 1e-8  # singular value of unit rows, in the mass metric, below which they leave a motion free
CLOSED = 1e-12  # a Newton step, relative to the size of the mechanism and a radian, after which nothing is left to gain
NEAR = 0.1  # the first Newton step of an instant may be so long: a share of the size of the mechanism, or radians
STALLED = 1e-9  # … and after which it may stop where round-off lets it get no smaller
STEPS, HALVINGS = 30, 24


def driven(system, paths):
    """The system without forces, whose coordinates follow the paths. Names of the drives are those of the paths."""
    other = variant(system)
    other.forces = {}
    places = {f"{one.joint}.{one.coordinate}": name for name, one in prescribed_coordinates(system).items()}
    for path in paths:
        other.constraints.pop(places.get(path.name), None)
        kind = VelocityConstraint if path.is_speed else PositionConstraint
        other.constraints[path.name] = kind(path.name, (Value(path.name, symbol(path.name) - path.graph),))
    return other


class DrivenMotion:
    """A mechanism led along its paths, state by state. After `to(t)`: q, u and ud (of the state) at t."""

    def __init__(self, system, paths, formulation, start, tolerance):
        self.system, self.paths = driven(system, paths), paths
        self.model = Model(compile_system(self.system, formulation))
        self.compiled, self.derivatives, self.tolerance = self.model.compiled, self.model.derivatives, tolerance
        levels = np.array(self.compiled.pairs.levels[: self.compiled.n_rows], dtype=object)
        self.is_position, self.is_speed = levels == "position", levels != "acceleration"
        self.size = size_of(system)
        self.unit = units_of_speeds(self.compiled, self.size)
        self.q, self.u = (part.copy() for part in start)
        self.ud, self.t, self.measurement = np.zeros(self.compiled.n_u), None, np.zeros(len(self.compiled.tables.row_i))
        self.integrated = False

    def to(self, t):
        """The state at time t."""
        if self.t is None:
            self.begin(t)
        elif self.integrated:
            self.integrate(t)
        else:
            self.advance(t)
        self.solve_motion(t)

    # ---------------------------------------------------------------- positions

    def begin(self, t):
        """From the initial configuration to the paths, along a straight way in what they are missed by."""
        still = self.derivatives.point(t, self.q, 0.0 * self.u)
        self.weight = mass_metric(
            self.derivatives.along(still, self.derivatives.unit(self.derivatives.x.ud))[1][:, self.derivatives.z.tau]
        )
        self.watch(t)
        G = self.rows(t, self.is_speed)[1]
        free = self.left_free(G)
        if len(free):
            raise self.not_determined(t, free)
        self.integrated = bool(len(self.left_free(G[self.is_position[self.is_speed]])))
        missed = self.rows(t, self.is_position)[0]
        parts = max(1, int(np.ceil(np.abs(missed).max(initial=0.0) / (0.5 * NEAR * min(1.0, self.size)))))
        for k in range(1, min(parts, 2000) + 1):
            self.q = self.closed(t, self.q, missed * (1.0 - k / min(parts, 2000)))
            self.watch(t)

    def advance(self, t):
        """In steps whose prediction is good, so that the branch is kept."""
        step, smallest = t - self.t, (t - self.t) * 0.5**HALVINGS
        while self.t < t:
            step = min(step, t - self.t)
            now = t if step >= t - self.t else self.t + step
            q = self.closed(now, self.predicted(step), near=NEAR, may_fail=step > smallest)
            if q is None:
                step *= 0.5
                continue
            self.q, step = q, 2.0 * step
            if now < t:
                self.solve_motion(now)
            else:
                self.t = t

    def predicted(self, step):
        x = self.derivatives.point(self.t, self.q, self.u * step + 0.5 * step**2 * self.ud)
        return self.q + self.derivatives.at(x)[self.derivatives.z.qd]

    def closed(self, t, q, target=0.0, near=np.inf, may_fail=False):
        """q that meets the prescribed positions; None where Newton does not begin near, or leads nowhere, and may."""
        self.watch(t)
        q, missed, good = self.newton(t, q, target, near if may_fail else np.inf)
        if may_fail and not (good and missed.max(initial=0.0) <= self.tolerance * self.size):
            return None
        if missed.max(initial=0.0) > self.tolerance * self.size:
            row = np.flatnonzero(self.is_position)[np.argmax(missed)]
            raise broken(self.system, self.compiled, row, missed.max(), t)
        return q

    def newton(self, t, q, target, near):
        """q, by how much each row is missed, and whether the steps became small; not if the first is longer than
        `near`."""
        sizes = []  # of the steps
        while len(sizes) < STEPS:
            phi, G, N = self.rows(t, self.is_position, q)
            step = self.least(G, target - phi)
            sizes.append(np.abs(step / self.unit).max(initial=0.0))
            if sizes[0] > near:
                return q, np.abs(phi - target), False
            q = self.model.state("motion", q + N @ step, self.u)[: self.compiled.n_q]
            if sizes[-1] < CLOSED or (sizes[-1] < STALLED and 0.3 * min(sizes[:-1], default=np.inf) < sizes[-1]):
                break
        return q, np.abs(self.rows(t, self.is_position, q)[0] - target), sizes[-1] < STALLED

    def integrate(self, t):
        """Positions that follow from speeds alone, together with those that equations hold."""
        from scipy.integrate import solve_ivp

        def rate(now, q):
            q = self.model.state("motion", q, self.u)[: self.compiled.n_q]
            self.watch(now)
            return self.derivatives.at(self.derivatives.point(now, q, self.speeds(now, q)))[self.derivatives.z.qd]

        found = solve_ivp(rate, (self.t, t), self.q, "DOP853", rtol=1e-12, atol=1e-13 * self.size)
        if not found.success:
            raise SimulationError(
                f"inverse dynamics: positions could not be integrated beyond t = {found.t[-1]:g} s: {found.message}"
            )
        self.q = self.closed(t, found.y[:, -1])

    # ---------------------------------------------------------------- speeds and accelerations

    def solve_motion(self, t):
        """At time t, with positions known: speeds, accelerations, turns counted, Bryan angles away from where they are
        singular."""
        self.watch(t)
        self.u = self.speeds(t, self.q)
        switch_sequence(self.compiled.tables.primitive_i, self.q, self.u)
        self.measurement = self.model.measurements_near(self.measurement, t, np.concatenate([self.q, self.u]))
        self.ud = self.accelerations(t)
        self.t = t

    def speeds(self, t, q):
        u = self.u
        for _ in range(6):  # once, unless an equation is not linear in speeds
            z, derivatives = self.derivatives.along(
                self.derivatives.point(t, q, u), self.derivatives.unit(self.derivatives.x.u)
            )
            G, rates = derivatives[:, self.derivatives.z.rate].T[self.is_speed], z[self.derivatives.z.rate]
            self.refuse_not_finite(t, rates, self.is_speed, "rate")
            step = self.least(G, -rates[self.is_speed])
            u = u + step
            if np.abs(step).max(initial=0.0) < 1e-13 * max(1.0, np.abs(u).max(initial=0.0)):
                break
        free = self.left_free(G)
        if len(free):
            raise self.not_determined(t, free)
        return u

    def accelerations(self, t):
        x = self.derivatives.point(t, self.q, self.u)
        z, derivatives = self.derivatives.along(x, self.derivatives.unit(self.derivatives.x.ud))
        self.refuse_not_finite(t, z[self.derivatives.z.acceleration], ..., "acceleration")
        ud = self.least(derivatives[:, self.derivatives.z.acceleration].T, -z[self.derivatives.z.acceleration])
        return z[self.derivatives.z.ud] + ud @ derivatives[:, self.derivatives.z.ud]

    # ---------------------------------------------------------------- equations

    def rows(self, t, which, q=None):
        """Residuals of some rows, how speeds change them, and N of qd = N u."""
        q = self.q if q is None else q
        z, derivatives = self.derivatives.along(
            self.derivatives.point(t, q, 0.0 * self.u), self.derivatives.unit(self.derivatives.x.u)
        )
        return (
            z[self.derivatives.z.phi][which],
            derivatives[:, self.derivatives.z.rate].T[which],
            derivatives[:, self.derivatives.z.qd].T,
        )

    def least(self, G, right):
        """The smallest change of speeds (mass metric) with G x = right; rows may repeat one another."""
        rows, length = self.unit_rows(G)
        return self.weight * np.linalg.lstsq(rows, right / length, rcond=DEPENDENT)[0] if len(G) else 0.0 * self.u

    def refuse_not_finite(self, t, values, which, what):
        """Of all rows, those of `which` must have numbers. what: "rate" or "acceleration"."""
        wanted = np.zeros(len(values), bool)
        wanted[which] = True
        bad = np.flatnonzero(wanted & ~np.isfinite(values))
        if len(bad):
            raise not_finite(self.system, self.compiled, bad[0], t, what)

    def unit_rows(self, G):
        return unit_rows(G * self.weight, self.size * self.weight.min())

    def left_free(self, G):
        """Numbers of speeds that the rows leave free, as many as there are freedoms."""
        from scipy.linalg import qr

        n = self.compiled.n_u
        values, vectors = (
            np.linalg.svd(self.unit_rows(G)[0], full_matrices=True)[1:] if len(G) else (np.zeros(0), np.eye(n))
        )
        free = vectors[np.count_nonzero(values > DEPENDENT) :]
        return np.sort(qr(free, pivoting=True)[2][: len(free)]) if len(free) else np.zeros(0, int)

    # ---------------------------------------------------------------- whole turns

    def watch(self, t):
        """Angles are measured near where they were, those that are driven near where they are to be."""
        for path in self.paths:
            key = tuple(path.name.split("."))
            if key in self.compiled.pairs.measurement:
                self.measurement[self.compiled.pairs.measurement[key]] = path.values([t], self.system.parameters)[0]
        self.derivatives.set_measurements(self.measurement)

    # ---------------------------------------------------------------- what can go wrong

    def not_determined(self, t, free):
        names = [self.compiled.speeds[r].removesuffix(".rate") for r in free]
        missing = "1 more coordinate is" if len(free) == 1 else f"{len(free)} more coordinates are"
        given = ", ".join(path.name for path in self.paths)
        problem = f"at t = {t:g} s the motions of {given} leave {len(free)} speed{'s' * (len(free) > 1)} free: {', '.join(names)}"
        remedy = (
            "Give their motions too."
            if self.t is None
            else "A dead point? Drive another coordinate there, or stop short of it."
        )
        return ModelError("motion", problem, f"{missing} needed", remedy)


def owner_of(system, compiled, row):
    """What a row belongs to, in words."""
    name = compiled.pairs.owner(row)
    if name in system.joints:
        return system.joints[name].part
    if "." in name:
        return f"the motion of {name!r}"
    return {**system.constraints, **system.contact_laws}[name].part


def not_finite(system, compiled, row, t, what):
    """The error for a row whose rate or acceleration is infinite, or no number."""
    problem = f"{owner_of(system, compiled, row)} has no finite {what} at t = {t:g} s"
    remedy = "Leave this instant out, or write a motion whose slope and curvature are finite everywhere."
    return ModelError("motion", problem, "forces follow from finite accelerations", remedy)


def broken(system, compiled, row, amount, t, how="open by"):
    """The error for a motion that breaks a row."""
    problem = f"{owner_of(system, compiled, row)} is {how} {amount:.3g} at t = {t:g} s"
    remedy = "Correct it, or drive fewer coordinates: the others follow from the constraints."
    return ModelError("motion", problem, "a motion must meet every joint and constraint", remedy)
