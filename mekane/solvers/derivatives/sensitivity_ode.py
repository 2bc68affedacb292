"""A motion and its derivatives along parameters, advanced together by the time loop of all motions.

Z = (y, s1 dy/dp1, s2 dy/dp2 …),     y = (q, u, integrals),     s: a scale for each parameter, so that errors can be
compared
"""

import numpy as np

from mekane.errors import SimulationError
from mekane.expressions.time_laws import TimeLaws
from mekane.numba_backend.dual import WIDTH, dual_array
from mekane.solvers import integrators
from mekane.solvers import state as at
from mekane.solvers.clocks import no_clocks
from mekane.solvers.derivatives.parameters import dual_model
from mekane.solvers.entries import precompile
from mekane.solvers.entries.calls import rhs
from mekane.solvers.solver import MESSAGES, WATCHFUL
from mekane.solvers.state import Record, scratch
from mekane.tables.handle import RHS, Handle, handle
from mekane.tables.tables import FROZEN, N_ACTIVE, N_CONTROLLER

MOST_STEPS = 200_000


class SensitivitySolver:
    """For one group of ParameterDerivatives. `Z` is the state now, `record` what was sampled: times, and Z there."""

    def __init__(self, group, scales, times, rtol, atol):
        self.compiled, self.times = group.compiled, times
        self.tables, self.workspace = dual_model(group.members, scales)
        self.n_y = self.compiled.n_q + self.compiled.n_u + len(self.compiled.integrals)
        n, n_Z = self.compiled.n_q + self.compiled.n_u + self.compiled.n_work, (1 + len(scales)) * self.n_y
        self._duals = dual_array(2 * n)
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
        self.watched = np.flatnonzero(~program.event_is_time)
        self.event_times = np.union1d(program.event_times(), self._stops(times[-1]))
        # the values of duals
        places = [program.event_registers[self.watched], self.watched, 0 * self.watched]
        self.events = WIDTH * np.stack(places, axis=1).astype(np.int64)
        self._scratch = scratch(n_Z, 0, self.compiled.n_u, 0, len(self.watched), len(self.tableau.A), False)
        if len(self.watched):
            self.step_state[at.STEP_MAX] = times[-1] / WATCHFUL

    def _open(self, n_p, n_Z):
        """A handle with more controller states for the time loop than the model has: the derivatives."""
        with precompile.first_use("solvers/entries/sensitivity_ode"):
            precompile.announce("solvers/entries/sensitivity_ode", "motions with derivatives")
            from mekane.solvers.entries.sensitivity_ode import sensitivity_entry

        usual, none = handle(self.tables, self.workspace, {RHS: sensitivity_entry.address}), np.zeros(0)
        count = self.tables.count.copy()
        count[N_CONTROLLER] = n_Z - self.compiled.n_q - self.compiled.n_u
        header = np.append(usual.header, [self._duals.ctypes.data, n_p])
        r, modes = self.workspace.r.reshape(-1), self.workspace.modes.reshape(-1)
        return Handle(header, count, self.workspace.state, r, none, np.zeros((0, 3)), modes, self.tables.primitive_i)

    def _stops(self, t_end):
        """Where steps shall end besides, so that no change of a law of time is stepped over.

        A comparison of time changes within a step, where it is located: its instant may move with a parameter. So steps
        end between two changes."""
        found = TimeLaws(self.compiled.program, self.compiled.n_fixed).between(self.workspace.r[:, 0], 0.0, t_end)
        if found.notes:
            raise SimulationError(
                f"sensitivity: {found.notes[0].partition(':')[0]}: write it as a table, or end before"
            )
        between = 0.5 * (found.changes[1:] + found.changes[:-1])
        return np.union1d(np.setdiff1d(found.event_times, found.changes), between)

    def accept_state(self, other):
        """Active rows and measurements, as they are in another workspace of the same model."""
        W = self.workspace
        W.active[:], W.scale[:, 0], W.measurement[:, 0] = other.active, other.scale, other.measurement
        W.state[N_ACTIVE] = other.state[N_ACTIVE]

    @property
    def t(self):
        return float(self.step_state[at.NOW])

    @property
    def sampled(self):
        return int(self.counters[at.SAMPLE])

    @property
    def n_events(self):
        """How often a comparison of the state has changed sides so far."""
        return int(self.counters[at.EVENTS])

    def sides(self):
        """Outcomes of all comparisons of the state that are active now."""
        return self.workspace.modes[self.watched, 0].copy()

    def rates(self, frozen):
        """dy/dt now, with the laws as they were (1), or as comparisons decide now (0)."""
        out = np.zeros(len(self.Z))
        self.workspace.state[FROZEN] = frozen
        rhs(self.handle, self.t, self.Z, out)
        return out[: self.n_y]

    def advance(self, most_steps):
        """Some steps; True while the end is not reached."""
        from mekane.solvers.explicit import advance

        arguments = (
            self.handle,
            self.tableau,
            self._scratch,
            self.Z,
            self.step_state,
            self.counters,
            self.record,
            self.event_times,
            self.events,
            np.zeros((0, 2), np.int64),
            no_clocks(),
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
        return outcome == at.UNDERWAY
