"""How a motion changes with parameters: the state and its derivatives integrated together.

    y = (q, u, controller states),     dy/dt = f(t, y, p),     S = dy/dp,     dS/dt = f_y S + f_p

The right side is the compiled one of all motions, run on dual numbers. On loops every step is brought back onto the
constraints, and S onto their derivatives:

    φ_q S_q + φ_p = 0,     (rate)_y S_y + (rate)_p = 0

Where a law changes sides as the state says (a contact, a stop), g(t, y, p) = 0, the instant moves with the parameters
and S is discontinuous:

    S⁺ = S⁻ + (f⁻ − f⁺) dt*/dp,     dt*/dp = −(g_y S + g_p) / (g_t + g_y f⁻)

Events and ticks of controllers also change state, discrete state and active rows: see saltation.
"""

import numpy as np

from mekane.analyses.equilibrium.static_equations import least
from mekane.analyses.kinematics.speed_scales import size_of, unit_rows
from mekane.analyses.sensitivity.contact_events import RecordedMotion
from mekane.analyses.sensitivity.contact_refusals import refuse_formulation
from mekane.analyses.sensitivity.contact_saltation import ContactResets, restitutions_of
from mekane.analyses.sensitivity.saltation import SAME, Resets, refuse_unknown_resets
from mekane.compiler.discrete_state import initial_discrete_state
from mekane.errors import ModelError
from mekane.solvers.derivatives.sensitivity_ode import SensitivitySolver
from mekane.solvers.solver import ATOL, RTOL, positive
from mekane.solvers.state import EVENT, OUTCOME, TICK
from mekane.tables.columns import KIND, PRIMITIVE_Q, QUATERNION

STEPS_AT_ONCE = 500
CONTINUOUS = 1e-9  # of the rates, beside them
APART = 1e-6  # instants of several comparisons
OPENED, NOISE = (
    1e-4,
    1e-8,
)  # of changes of the state; of the size of the mechanism for a change of a parameter by its own size


class Flow:
    """The motion of a ParametrizedSystem and its derivatives, from its initial state on."""

    def __init__(self, parametrized, rtol=1e-9, atol=1e-12):
        self.parametrized, self.rtol, self.atol = (
            parametrized,
            positive("rtol", rtol, RTOL),
            positive("atol", atol, ATOL),
        )
        self.compiled, self.derivatives = parametrized.compiled, parametrized.derivatives
        self.n_q, self.n_u, self.n_i = self.compiled.n_q, self.compiled.n_u, len(self.compiled.integrals)
        self.n_y, self.n_p = self.n_q + self.n_u + self.n_i, len(parametrized.names)
        x = self.derivatives.x
        self._y = np.r_[x.q, x.u, x.integrals.start : x.integrals.start + self.n_i]  # where y stands in x
        levels = np.array(self.compiled.pairs.levels[: self.compiled.n_rows])
        self.position, self.velocity_level = levels == "position", levels != "acceleration"
        refuse_unknown_resets(parametrized)
        self._unit = [
            primitive[PRIMITIVE_Q] for primitive in self.compiled.tables.primitive_i if primitive[KIND] >= QUATERNION
        ]
        self.size = size_of(self.compiled.system)
        self.scales = np.maximum(np.abs(parametrized.parameters), 1e-3)

    def run(self, times, progress=None):
        """States, outputs and their derivatives at rising times from 0 on, as SampledSensitivity."""
        kept, self.duration = SampledSensitivity(self, times), float(times[-1])
        self.motion = None
        if self.parametrized.system.contact_laws:
            refuse_formulation(self.parametrized)
            self.motion = RecordedMotion(self.parametrized, self.duration, self.rtol, self.atol)
        for group in self.parametrized.by_parameters.groups:
            GroupFlow(self, group).run(np.asarray(times, float), kept, progress)
        return kept

    def point(self, t, y):
        x = self.derivatives.point(t, y[: self.n_q], y[self.n_q : self.n_q + self.n_u])
        x[self._y[self.n_q + self.n_u :]] = y[self.n_q + self.n_u :]
        return x

    def set_discrete(self, values):
        """The discrete state from here on."""
        compiled, model = self.compiled, self.parametrized.model
        self.derivatives.discrete = np.array(values, float)
        model.workspace.r[compiled.discrete_registers] = values
        on = compiled.rows_on(model.workspace.r)
        self._position, self._velocity_level = self.position & on, self.velocity_level & on

    def update_active_rows(self, t, y):
        """Measured angles and active rows, from here on."""
        q, u = y[: self.n_q], y[self.n_q : self.n_q + self.n_u]
        self.parametrized.follow(t, q, u)
        self.parametrized.model.evaluate_inertias(np.concatenate([q, u]))


class GroupFlow:
    """Derivatives along some of the parameters, rows of S."""

    def __init__(self, flow, group):
        self.flow, self.group, self.scales = flow, group, flow.scales[group.which]
        self.restitutions = restitutions_of(group)

    def start(self, solver):
        flow, parametrized = self.flow, self.flow.parametrized
        initial = np.real(list(initial_discrete_state(parametrized.system).values()))
        self.set_discrete(solver, initial, self.group.initial_discrete_derivatives)
        (q, u), (dq, du) = parametrized.initial, parametrized.initial_state_derivatives
        parametrized.model.workspace.measurement[:] = flow.compiled.initial_measurements
        y = np.concatenate([q, u, flow.compiled.start_memory[: flow.n_i]])
        S = np.hstack([dq, du, np.zeros((flow.n_p, flow.n_i))])[self.group.which]
        flow.update_active_rows(0.0, y)
        return y, S

    def run(self, times, kept, progress):
        flow = self.flow
        solver = SensitivitySolver(self.group, self.scales, times, flow.rtol, flow.atol)
        solver.Z[:] = self.whole(*self.start(solver))
        solver.accept_state(flow.parametrized.model.workspace)
        # constraints, angles to count, unit lengths to keep, laws that change sides, events
        resets = Resets(self, solver)
        contacts = resets.contacts = ContactResets(self, solver, resets) if flow.motion is not None else None
        watched = bool(len(flow.compiled.tables.row_i) or flow._unit or len(solver.watched) or resets)
        underway, done = True, 0
        if contacts:
            contacts.start(*self.parts(solver.Z))
        solver.decide()
        sides = solver.sides()
        while underway:
            underway = solver.advance(1 if watched else STEPS_AT_ONCE)
            for k in range(done, solver.sampled):
                self.put(kept, k, times[k], solver.record.y[k])
            done = solver.sampled
            if solver.counters[OUTCOME] in (EVENT, TICK):
                ended, later = resets.happen()
                if done and times[done - 1] >= solver.t * (1.0 - SAME):  # a sample shows what holds from its instant on
                    self.put(kept, done - 1, times[done - 1], solver.Z)
                if ended:
                    self.end(solver, kept, done, later)
                    break
                sides = solver.sides()
                continue
            if len(solver.watched):
                sides = self.saltation(solver, sides)
            if watched:
                y, S = self.projected(solver.t, *self.parts(solver.Z))
                flow.update_active_rows(solver.t, y)
                solver.accept_state(flow.parametrized.model.workspace)
                solver.Z[:] = self.whole(y, S)
            if contacts:
                underway |= contacts.after_step()
                solver.decide()
                sides = solver.sides()
                if done and times[done - 1] >= solver.t * (1.0 - SAME):
                    self.put(kept, done - 1, times[done - 1], solver.Z)
            if progress is not None:
                progress(solver.t, solver.t / times[-1])

    def end(self, solver, kept, done, later):
        """An event ends the motion: the last sample is at its instant, which moves with the parameters."""
        at_end = done - 1 if done and kept.t[done - 1] >= solver.t * (1.0 - SAME) else done
        kept.end_at(at_end, solver.t, self.group.which, later)
        self.put(kept, at_end, solver.t, solver.Z, later, solver.rates(1))

    # ---------------------------------------------------------------- the discrete state

    def discrete(self):
        """Values, and derivatives along these parameters: copies."""
        return self.flow.derivatives.discrete.copy(), self.group.units[:, self.group.x.discrete].copy()

    def set_discrete(self, solver, values, derivatives):
        self.flow.set_discrete(values)
        self.group.units[:, self.group.x.discrete] = derivatives
        solver.set_discrete(values, derivatives)

    def put_state(self, solver, t, y, S):
        """Go on from here, with the rows that are active now."""
        self.flow.update_active_rows(t, y)
        solver.accept_state(self.flow.parametrized.model.workspace)
        solver.Z[:] = self.whole(y, S)

    # ---------------------------------------------------------------- comparisons

    def saltation(self, solver, were):
        """S just after comparisons have changed sides. were: their sides in the last step. Returns those of the next."""
        solver.decide()
        now = solver.sides()
        changed = np.flatnonzero((now != were) & solver.in_laws)
        if len(changed):
            after, before = solver.rates(1), self.rates_with(solver, were)
            if not is_same(before, after, before):
                y, S = self.parts(solver.Z)
                solver.Z[:] = self.whole(y, S - self.change_of_all(solver, y, S, were, changed, before, after))
            solver.set_sides(now)
        return now

    def rates_with(self, solver, sides):
        solver.set_sides(sides)
        return solver.rates(1)

    def change_of_all(self, solver, y, S, were, changed, before, after):
        """Σ dt*/dp (f⁺ − f⁻) of the comparisons that have changed sides, at instants that may move apart: then each must
        change f by as much whether others have changed before it or not."""
        flow, of_state = self.flow, np.flatnonzero(~self.flow.compiled.program.event_is_time)
        moving = changed[np.isin(changed, of_state)]  # others are at fixed times
        later = np.zeros((len(S), len(changed)))
        later[:, np.isin(changed, of_state)] = self.each_instant(
            solver.t, y, S, before, np.searchsorted(of_state, moving)
        )
        if np.isfinite(later).all() and not are_apart(later).any():
            return np.outer(later[:, 0], after - before)
        total, sum_of_all = 0.0, np.zeros(len(before))
        for k, instant in zip(changed, later.T, strict=True):
            sides = were.copy()
            sides[k] = 1.0 - sides[k]
            by_itself = self.rates_with(solver, sides) - before
            if is_same(by_itself, 0.0, before):
                continue
            if not np.isfinite(instant).all():
                raise without_derivative(flow, "a law is only just touched", solver.t)
            total, sum_of_all = total + np.outer(instant, by_itself), sum_of_all + by_itself
        if not is_same(sum_of_all, after - before, before):
            raise without_derivative(flow, "several laws change sides at the same instant", solver.t)
        return total

    def instants(self, t, y, S, before, changed):
        """dt*/dp of the one instant at which these comparisons (places in z.events) change sides."""
        found = self.each_instant(t, y, S, before, changed)
        if not np.isfinite(found).all():
            raise without_derivative(self.flow, "a law is only just touched", t)
        if are_apart(found).any():
            raise without_derivative(self.flow, "several laws change sides at the same instant", t)
        return found[:, 0]

    def each_instant(self, t, y, S, before, changed):
        """(parameter, comparison) of the instants at which comparisons (places in z.events) change sides."""
        rate = self.guard_rates(t, y, before)[changed]
        by_p = self.along(t, y, S)[1][:, self.flow.derivatives.z.events][:, changed]
        with np.errstate(all="ignore"):
            return -by_p / rate

    def guard_rates(self, t, y, rates):
        """How fast left − right of every comparison changes along the motion."""
        return self.along_motion(t, y, rates)[self.flow.derivatives.z.events]

    def along_motion(self, t, y, rates):
        """dz/dt along the motion."""
        flow, x = self.flow, self.flow.derivatives.x
        direction = np.zeros((1, flow.derivatives.n_x))
        direction[0, x.t], direction[0, flow._y] = 1.0, rates
        return flow.derivatives.along(flow.point(t, y), direction)[1][0]

    def whole(self, y, S):
        return np.concatenate([y, (self.scales[:, None] * S).ravel()])

    def parts(self, Z):
        n = self.flow.n_y
        return Z[:n].copy(), Z[n:].reshape(len(self.scales), n) / self.scales[:, None]

    def put(self, kept, k, t, Z, later=0.0, rates=0.0):
        """Sample k. later: by how much its time moves with the parameters."""
        flow, m = self.flow, len(self.flow.parametrized.outputs)
        y, S = self.projected(t, *self.parts(Z))
        S = S + np.outer(later, rates)
        flow.parametrized.follow(t, y[: flow.n_q], y[flow.n_q : flow.n_q + flow.n_u])
        here, changes = self.group.along(*self.point_and_directions(t, y, S, later))
        if flow.compiled.n_rows and not np.any(later):
            refuse_opened(self, t, y, S, changes)
        outputs = slice(flow.derivatives.z.outputs.start, flow.derivatives.z.outputs.start + m)
        kept.y[k], kept.values[k] = y, here[outputs]
        kept.S[k, self.group.which], kept.derivatives[k][:, self.group.which] = S, changes[:, outputs].T

    def along(self, t, y, S):
        """z, and its derivatives along these parameters."""
        return self.group.along(*self.point_and_directions(t, y, S))

    def point_and_directions(self, t, y, S, later=0.0):
        """x, and how it changes with these parameters; time by `later`."""
        directions = self.group.units.copy()
        directions[:, self.flow._y] += S
        directions[:, 0] = later
        return self.flow.point(t, y), directions

    def projected(self, t, y, S):
        """The state on all constraints, S on their derivatives, by the smallest changes."""
        flow = self.flow
        if flow.compiled.n_rows:
            z, u, n_q = flow.derivatives.z, slice(flow.n_q, flow.n_q + flow.n_u), flow.n_q
            position, velocity_level = flow._position, flow._velocity_level
            by_u = self.close(t, y)
            G = by_u[:, z.rate].T
            y[u] -= least_of(
                G[velocity_level], flow.derivatives.at(flow.point(t, y))[z.rate][velocity_level], flow.size
            )
            S[:, :n_q] -= (
                least_of(G[position], self.along(t, y, S)[1][:, z.phi][:, position].T, flow.size).T @ by_u[:, z.qd]
            )
            S[:, u] -= least_of(G[velocity_level], self.along(t, y, S)[1][:, z.rate][:, velocity_level].T, flow.size).T
        for first in flow._unit:
            e = slice(first, first + 4)
            y[e] /= np.linalg.norm(y[e])
            S[:, e] -= np.outer(S[:, e] @ y[e], y[e])
        return y, S

    def close(self, t, y):
        """q moved onto the constraints; derivatives of z along all speeds there."""
        flow, z = self.flow, self.flow.derivatives.z
        speeds = flow.derivatives.unit(flow.derivatives.x.u)
        for _ in range(2):
            here, by_u = flow.derivatives.along(flow.point(t, y), speeds)
            y[: flow.n_q] -= by_u[:, z.qd].T @ least_of(
                by_u[:, z.rate][:, flow._position].T, here[z.phi][flow._position], flow.size
            )
        return flow.derivatives.along(flow.point(t, y), speeds)[1]


def refuse_opened(group_flow, t, y, S, changes):
    """An error for a parameter that would open joints, whatever the motion: an axis of a loop whose rows repeat one another, which is
    closed only while its axes are parallel.  changes: of z along the parameters, the state changing by S."""
    flow, z = group_flow.flow, group_flow.flow.derivatives.z
    G = flow.derivatives.along(flow.point(t, y), flow.derivatives.unit(flow.derivatives.x.u))[1][:, z.rate].T
    still = flow.size / flow.scales[group_flow.group.which]
    for which, left in ((flow._position, changes[:, z.phi]), (flow._velocity_level, changes[:, z.rate])):
        rows = np.flatnonzero(which)
        if not len(rows):
            continue
        left = np.abs(left[:, rows] / unit_rows(G[rows], flow.size)[1])
        worst = left.max(axis=1)
        opened = np.flatnonzero(worst > OPENED * np.abs(S).max(axis=1) + NOISE * still)
        if len(opened):
            k = opened[0]
            name = flow.parametrized.names[group_flow.group.which[k]]
            raise opens(flow, name, flow.compiled.pairs.owner(rows[left[k].argmax()]), t)


def opens(flow, name, part, t):
    problem = f"where {name!r} changes, {part!r} does not stay closed (seen at t = {t:.6g} s)"
    expected = "a parameter whose changes the mechanism can follow is expected"
    remedy = "In a loop whose joints repeat each other, as one of parallel pins, write a ball or universal joint for two of them."
    return ModelError(f"sensitivity of {flow.parametrized.system.name!r}", problem, expected, remedy)


def is_same(one, other, rates):
    """Whether a law is continuous, or a change of rates the other, beside the rates."""
    return np.abs(one - other).max(initial=0.0) <= CONTINUOUS * (1.0 + np.abs(rates).max(initial=0.0))


def are_apart(instants):
    """For each parameter: whether these instants (parameter, comparison) move by different amounts."""
    return np.ptp(instants, axis=1) > APART * (np.abs(instants).max(initial=0.0) + 1e-300)


def without_derivative(flow, kind, t):
    problem = f"{kind} at t = {t:.6g} s, so the motion has no derivative there"
    remedy = "Change the initial state a little, or end before."
    expected = "laws that change sides one after the other"
    return ModelError(f"sensitivity of {flow.parametrized.system.name!r}", problem, expected, remedy)


class SampledSensitivity:
    """What a run leaves, arrays over time: y, S (parameter, state), values of the outputs, derivatives (output,
    parameter)."""

    def __init__(self, flow, times):
        self.t, n, self.end_derivatives = np.array(times, float), len(times), np.zeros(flow.n_p)
        m = len(flow.parametrized.outputs)
        self.y, self.S = np.zeros((n, flow.n_y)), np.zeros((n, flow.n_p, flow.n_y))
        self.values, self.derivatives = np.zeros((n, m)), np.zeros((n, m, flow.n_p))

    def end_at(self, k, t, which, later):
        """Sample k is the last one, at a time that moves with the parameters."""
        self.end_derivatives[which] = later
        for name in ("t", "y", "S", "values", "derivatives"):
            setattr(self, name, getattr(self, name)[: k + 1])
        self.t[k] = t


def least_of(rows, right, size):
    """The smallest x with rows x = right, as near as can be; rows that repeat others do no harm."""
    rows, length = unit_rows(rows, size)
    return least(rows, (right.T / length).T)
