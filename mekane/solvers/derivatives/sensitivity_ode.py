"""A motion and its derivatives along parameters, advanced together by the time loop of all motions.

Z = (y, s1 dy/dp1, s2 dy/dp2 …),     y = (q, u, integrals),     s: a scale for each parameter, so that errors can be
compared
"""

import numpy as np

from mekane.errors import SimulationError
from mekane.numba_backend.dual import WIDTH, dual_array
from mekane.numba_backend.kernel import plain
from mekane.solvers import integrators
from mekane.solvers import state as at
from mekane.solvers.clocks import Clocks
from mekane.solvers.constraints.sudden_motions import refuse_sudden_motions
from mekane.solvers.derivatives.parameters import dual_model
from mekane.solvers.entries import precompile
from mekane.solvers.entries.calls import rhs
from mekane.solvers.error_control import is_over
from mekane.solvers.hybrid.guards import comparisons_of, conditions_of, keep_decided
from mekane.solvers.solver import MESSAGES, WATCHFUL
from mekane.solvers.state import Record, scratch
from mekane.solvers.step_start import just_after
from mekane.tables.columns import INCIPIENT_W
from mekane.tables.handle import RHS, Handle, handle
from mekane.tables.tables import FROZEN, N_ACTIVE, N_CONTROLLER, N_REPEATED, N_SLIDING, REFINEMENTS

plain_is_over, plain_just_after = plain(is_over), plain(just_after)
MOST_STEPS = 200_000
OF_CONTACTS = [REFINEMENTS, N_SLIDING, N_REPEATED]  # in Workspace.state
# a clock that is not compiled, and always due: at every tick the time loop is left
LEAVE = Clocks(
    np.zeros((1, 3)),
    np.zeros((1, 2), np.int64),
    np.zeros(2, np.int64),
    np.zeros((0, 2), np.int64),
    np.zeros((0, 1)),
    np.zeros(1, np.int64),
)


class SensitivitySolver:
    """For one group of ParameterDerivatives. `Z` is the state now, `record` what was sampled: times, and Z there."""

    def __init__(self, group, scales, times, rtol, atol):
        self.compiled, self.times = group.compiled, times
        self.tables, self.workspace = dual_model(group.members, scales)
        self.n_y = self.compiled.n_q + self.compiled.n_u + len(self.compiled.integrals)
        n, n_Z = self.compiled.n_q + self.compiled.n_u + self.compiled.n_work, (1 + len(scales)) * self.n_y
        self._duals, self._time = dual_array(2 * n), dual_array(1)
        self.handle = self._open(len(scales), n_Z)
        self.tableau = integrators.find("dop853").method
        self.Z = np.zeros(n_Z)
        self.record = Record(np.array(times, float), np.zeros((len(times), n_Z)), np.zeros((len(times), 0)))
        program = self.compiled.program
        self.step_state = np.zeros(at.N_STEP_STATE)
        self.step_state[at.NEXT_TICK] = np.inf
        self.counters = np.zeros(at.N_COUNTERS + WIDTH * len(program.comparisons), np.int64)
        self.step_state[at.END], self.step_state[at.RTOL], self.step_state[at.ATOL], self.step_state[at.STEP_MAX] = (
            times[-1],
            rtol,
            atol,
            np.inf,
        )
        self.scales, n_conditions = scales, len(self.compiled.events)
        self._time_laws = self.compiled.laws_of_time()
        self.in_laws, self.in_conditions, self._what_changes = comparisons_of(self.compiled, self._time_laws)
        self.conditions = conditions_of(self.compiled) * [WIDTH, 1]  # the values of duals
        self.watched = np.zeros(0, np.int64)
        n_events = len(program.comparisons)
        self.scratch = scratch(n_Z, 0, self.compiled.n_u, 0, n_events, self.tableau, False, n_conditions)
        self.look_ahead()
        if len(self.watched):
            self.step_state[at.STEP_MAX] = times[-1] / WATCHFUL

    def _open(self, n_p, n_Z):
        """A handle with more controller states for the time loop than the model has: the derivatives."""
        with precompile.first_use("solvers/entries/sensitivity_ode"):
            precompile.announce("solvers/entries/sensitivity_ode", "motions with derivatives")
            from mekane.solvers.entries.sensitivity_ode import sensitivity_entry

            addresses = {RHS: sensitivity_entry.address}
        usual, none = handle(self.tables, self.workspace, addresses), np.zeros(0)
        count = self.tables.count.copy()
        count[N_CONTROLLER] = n_Z - self.compiled.n_q - self.compiled.n_u
        header = np.append(usual.header, [self._duals.ctypes.data, n_p, self._time.ctypes.data])
        r, modes = self.workspace.r.reshape(-1), self.workspace.modes.reshape(-1)
        none_active = np.zeros(0, np.int64)
        contact_i = self.tables.contact_i[:0]  # modes change between calls of the loop
        return Handle(
            header, count, self.workspace.state, r, none, np.zeros((0, 3)), modes, none_active, self.tables.primitive_i,
            contact_i, np.zeros((0, INCIPIENT_W)), none,
        )  # fmt: skip

    def look_ahead(self):
        """Where steps shall end, and which comparisons are located: those of laws, and of events that may still happen."""
        program, begin, end = self.compiled.program, self.t, self.step_state[at.END]
        self.event_times = np.union1d(program.event_times(), self._stops(begin, end)) if end > begin else np.zeros(0)
        refuse_sudden_motions(self.compiled, self._time_laws, self.workspace.r[:, 0], begin, end)
        self.counters[at.STOP] = 0
        expected = self.in_conditions[self.scratch.condition != at.DONE].any(axis=0)
        self._watch(np.flatnonzero(~program.event_is_time & (self.in_laws | expected)))

    def _watch(self, watched):
        """Locate these comparisons from here on."""
        keep_decided(self.scratch.decided, self.watched, watched)
        program, self.watched = self.compiled.program, watched
        self.columns = np.searchsorted(np.flatnonzero(~program.event_is_time), watched)  # in z.events
        places = [WIDTH * program.event_registers[watched], WIDTH * watched, self._what_changes[watched], 0 * watched]
        self.events = np.stack(places, axis=1).astype(np.int64)

    def _stops(self, begin, t_end):
        """Where steps shall end besides, so that no change of a law of time is stepped over.

        A comparison of time changes within a step, where it is located: its instant may move with a parameter. So steps
        end between two changes."""
        found = self._time_laws.between(self.workspace.r[:, 0], begin, t_end)
        if found.notes:
            raise SimulationError(
                f"sensitivity: {found.notes[0].partition(':')[0]}: write it as a table, or end before"
            )
        between = 0.5 * (found.changes[1:] + found.changes[:-1])
        return np.union1d(np.setdiff1d(found.event_times, found.changes), between)

    def set_end(self, t):
        """Go on to this time."""
        self.step_state[at.END] = t
        self.counters[at.OUTCOME] = at.UNDERWAY
        self.look_ahead()

    def accept_state(self, other):
        """Active rows and measurements, as they are in another workspace of the same model."""
        W = self.workspace
        W.active[:], W.scale[:, 0], W.measurement[:, 0] = other.active, other.scale, other.measurement
        W.state[N_ACTIVE] = other.state[N_ACTIVE]
        if len(W.contact):
            W.contact[:], W.regularization[:, 0] = other.contact, other.regularization
            W.state[OF_CONTACTS] = other.state[OF_CONTACTS]

    @property
    def t(self):
        return float(self.step_state[at.NOW])

    @property
    def sampled(self):
        return int(self.counters[at.SAMPLE])

    def sides(self):
        """Outcomes of all comparisons of the tape: a copy."""
        return self.workspace.modes[: len(self.in_laws), 0].copy()

    def set_sides(self, sides):
        self.workspace.modes[: len(sides), 0] = sides

    def set_discrete(self, values, derivatives):
        """The discrete state from here on. derivatives: (parameter, discrete state)"""
        r, where = self.workspace.r, self.compiled.discrete_registers
        r[where, 0], r[where, 1 : 1 + len(self.scales)] = values, (self.scales[:, None] * derivatives).T

    def decided(self, needed):
        """Which of these comparisons have changed sides where the last step ended, as numbers among those watched."""
        n = len(self.watched)
        return np.flatnonzero((self.scratch.decided[:n] != 0.0) & needed[self.watched])

    def decide(self):
        """Decide all comparisons as the next step will."""
        t, out = self.t, np.zeros(len(self.Z))
        self.workspace.state[FROZEN] = 0
        ahead = next((x for x in self.event_times[self.counters[at.STOP] :] if not plain_is_over(x, t)), np.inf)
        rhs(self.handle, plain_just_after(t, self.step_state[at.END], ahead), self.Z, out)
        for k in self.decided(np.ones(len(self._what_changes), bool)):
            self.workspace.modes[self.watched[k], 0] = 1.0 if self.scratch.decided[k] < 0.0 else 0.0

    def start_anew(self):
        """After an event: a first step is chosen again."""
        self.step_state[at.STEP] = self.step_state[at.LAST] = 0.0
        self.counters[at.OUTCOME] = at.UNDERWAY

    def rates(self, frozen):
        """dy/dt now, with the laws as they were (1), or as comparisons decide now (0)."""
        return self.all_rates(frozen)[: self.n_y]

    def all_rates(self, frozen=1):
        """dZ/dt"""
        out = np.zeros(len(self.Z))
        self.workspace.state[FROZEN] = frozen
        rhs(self.handle, self.t, self.Z, out)
        return out

    def registers_along(self, t, Z, later):
        """(registers, value and derivatives) as the laws are now, at a state and an instant that moves by `later`; derivatives
        are scaled, as those in Z."""
        self.workspace.state[FROZEN] = 1
        self._time[0, 1 : 1 + len(later)] = later
        rhs(self.handle, t, Z, np.zeros(len(Z)))
        self._time[:] = 0.0
        return self.workspace.r.copy()

    def rates_at(self, t, y):
        """dy/dt elsewhere, with the laws as they are now."""
        Z, out = np.zeros(len(self.Z)), np.zeros(len(self.Z))
        Z[: self.n_y] = y
        self.workspace.state[FROZEN] = 1
        rhs(self.handle, t, Z, out)
        return out[: self.n_y]

    def advance(self, most_steps):
        """Some steps; True while the end is not reached."""
        from mekane.solvers.explicit import advance

        arguments = (
            self.handle,
            self.tableau,
            self.scratch,
            self.Z,
            self.step_state,
            self.counters,
            self.record,
            self.event_times,
            self.events,
            self.conditions,
            LEAVE,
        )
        advance(*arguments, most_steps)
        precompile.done("solvers/explicit")
        outcome = self.counters[at.OUTCOME]
        if outcome in MESSAGES:
            raise SimulationError(f"sensitivity: stopped at t = {self.t:.6g} s: {MESSAGES[int(outcome)]}")
        if self.counters[at.STEPS] > MOST_STEPS:
            raise SimulationError(
                f"sensitivity: {MOST_STEPS} steps did not reach beyond t = {self.t:.6g} s: the motion is too stiff"
            )
        return outcome != at.FINISHED
