"""Calls of compiled code at the events of one solver, by addresses: of its model, and of a list of what they work on."""

import numpy as np

from mekane.model.set_valued import LAWS
from mekane.numba_backend.header import listed
from mekane.solvers.contacts.events.event_problem import N_ENERGIES, event_arrays
from mekane.solvers.contacts.events.rounds import KINDS, MOVED, NOT_FOUND
from mekane.solvers.entries.addresses import event_addresses
from mekane.solvers.entries.contact_event import SHARE
from mekane.solvers.entries.from_python import function_at


def made_anew(solver):
    """What may be another object than at the last call."""
    return solver.y, solver.step_state, solver.scratch, solver.events


class EventCalls:
    """Of the contact laws of a solver."""

    def __init__(self, solver, contact_of):
        laws = [LAWS.index(fact.element.law) for fact in solver.compiled.elements_of_contact]
        self.solver, self.arrays = solver, event_arrays(solver, contact_of, laws)
        self._functions, self._numbers, self._of = list(map(function_at, event_addresses())), None, None

    def _call(self, which, b=0):
        solver, of = self.solver, self._of
        if of is None or any(one is not now for one, now in zip(of, made_anew(solver), strict=True)):
            self._list()
        self.arrays.settings[1:] = bool(solver.correct), bool(solver.adaptive)
        self.arrays.lowest[0] = solver.lowest_bounce
        return self._functions[which](solver.handle.header.ctypes.data, 0.0, self._address, b)

    def _list(self):
        """The addresses of all arrays, some of which a solver makes anew, or is given."""
        solver, S = self.solver, self.solver.scratch
        scratch = dict(x=S.x, followed=S.measurement, decided=S.decided, before=S.before, slack=S.slack)
        self.arrays = self.arrays._replace(y=solver.y, step_state=solver.step_state, events=solver.events, **scratch)
        self._numbers, self._of = np.array(listed(tuple(self.arrays)), np.int64), made_anew(solver)
        self._address = self._numbers.ctypes.data

    def open_lost(self):
        """Open what has nothing left to touch."""
        self._call(0)

    def close_gaps(self, elements):
        """Positions on the gaps of these elements. Returns by how much that has changed the kinetic energy, and the potential
        one of gravity."""
        self.arrays.closing[:] = 0
        self.arrays.closing[elements] = 1
        return self._call(1)

    def read_instant(self, chooses):
        """How many elements touch, and whether one of them approaches. chooses: rows are to be chosen, all elements open; else
        they are, and the arrays know how they were."""
        self.arrays.settings[0] = chooses
        count = int(self._call(2))
        return (-1 - count, True) if count < 0 else (count, False)

    def rounds(self):
        """Impacts and modes from here on, as far as they are ordinary. Returns how many impacts, whose lines are in the arrays; and
        whether going on in the modes has moved the state, None where they are not found this way."""
        hits, found = divmod(int(self._call(3)), KINDS)
        return hits, None if found == NOT_FOUND else found == MOVED

    def go_on(self, chooses):
        """From the modes in the discrete state. Returns whether that has moved the state, and whether rows repeat others."""
        found = int(self._call(4, int(chooses)))
        return found % SHARE == MOVED, found >= SHARE

    def split(self, line):
        """A line of `hits`: kinetic energies; losses, falls and rates of elements; impulses on rows, and in joints."""
        n, m, places = len(self.solver.tables.contact_i), self.solver.compiled.n_rows, self.solver.joint_places
        first = N_ENERGIES + 3 * n
        of_elements = [line[N_ENERGIES + k * n : N_ENERGIES + (k + 1) * n] for k in range(3)]
        names = enumerate([*places.tree.names, *places.rows.names])
        at = {name: first + m + 6 * k for k, name in names}
        in_joints = {name: dict(impulse=line[k : k + 3], angular=line[k + 3 : k + 6]) for name, k in at.items()}
        return line[:N_ENERGIES], of_elements, line[first : first + m], in_joints
