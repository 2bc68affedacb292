"""Calls of compiled code at the events of one solver, by addresses: of its model, and of a list of what they work on."""

import numpy as np

from mekane.numba_backend.header import listed
from mekane.solvers.contacts.events.event_problem import event_arrays
from mekane.solvers.entries.addresses import event_addresses
from mekane.solvers.entries.contact_event import MOVED, NOT_FOUND, SHARE
from mekane.solvers.entries.from_python import function_at


def made_anew(solver):
    """What may be another object than at the last call."""
    return solver.y, solver.step_state, solver.scratch, solver.events


class EventCalls:
    """Of the contact laws of a solver."""

    def __init__(self, solver, contact_of):
        self.solver, self.arrays = solver, event_arrays(solver, contact_of)
        self._functions, self._numbers, self._of = list(map(function_at, event_addresses())), None, None

    def _call(self, which, b=0):
        solver, of = self.solver, self._of
        if of is None or any(one is not now for one, now in zip(of, made_anew(solver), strict=True)):
            self._list()
        self.arrays.settings[1:] = bool(solver.correct), bool(solver.adaptive)
        return int(self._functions[which](solver.handle.header.ctypes.data, 0.0, self._address, b))

    def _list(self):
        """The addresses of all arrays, some of which a solver makes anew, or is given."""
        solver, S = self.solver, self.solver.scratch
        scratch = dict(x=S.x, followed=S.measurement, decided=S.decided, before=S.before, slack=S.slack)
        self.arrays = self.arrays._replace(y=solver.y, step_state=solver.step_state, events=solver.events, **scratch)
        self._numbers, self._of = np.array(listed(tuple(self.arrays)), np.int64), made_anew(solver)
        self._address = self._numbers.ctypes.data

    def read_instant(self, chooses):
        """How many elements touch, and whether one of them approaches. chooses: rows are to be chosen, all elements open; else
        they are, and the arrays know how they were."""
        self.arrays.settings[0] = chooses
        count = self._call(0)
        return (-1 - count, True) if count < 0 else (count, False)

    def choose_ordinary(self, count):
        """Modes of so many elements that touch, and on. None if they are not found this way, or as `go_on`."""
        found = self._call(1, count)
        return None if found == NOT_FOUND else (found % SHARE == MOVED, found >= SHARE)

    def go_on(self, chooses):
        """From the modes in the discrete state. Returns whether that has moved the state, and whether rows repeat others."""
        found = self._call(2, int(chooses))
        return found % SHARE == MOVED, found >= SHARE
