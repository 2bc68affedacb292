"""Compiled: the flat tables of a system, and the names that belong to their rows."""

from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mekane.compiler.constraint_rows import Pairs
from mekane.compiler.discrete_state import initial_discrete_state
from mekane.compiler.frames import Frames
from mekane.expressions.time_laws import TimeLaws
from mekane.model.traced_functions import functions_of
from mekane.tables.columns import ROW_FLAG, ROW_TERM, ROW_TERM_END, TERM_BODY
from mekane.tables.tables import N_ROWS, Tables, Workspace, n_guards, workspace


@dataclass(kw_only=True)
class Compiled:
    """Everything numbers are computed from. Names end here; kernels see only `tables` and a workspace."""

    system: object
    formulation: str
    links: list  # of the tree, parents first
    cut: list  # names of joints constrained by rows
    frames: Frames
    pairs: Pairs
    tables: Tables
    program: object  # the tape of all laws
    elements: list  # names of the non-conservative elements, in the order of the work integrals
    energy_registers: dict  # force name → register of its potential energy
    tree_coordinate: dict  # (joint, coordinate) → (index in q, index in u)
    coordinates: list  # name of every q
    speeds: list  # name of every u
    link_of: dict  # joint name → its link in the tree
    places: dict  # constraint, or element of a contact law → registers of the point its force is reported at
    integrals: list  # names of the forces that have a controller state, in the order of the state
    first_action: dict  # force name → its first row in action_i
    outputs: list  # registers of the Values requested besides
    discrete: list  # names of the discrete state, whose registers follow those of the parameters
    events: list  # EventRegisters
    controllers: list  # ControllerRegisters
    elements_of_contact: list  # ElementRows, in the order of contact_i

    @cached_property
    def traced_functions(self):
        """What Python functions of the system read when they were traced."""
        return functions_of(self.system)

    @cached_property
    def _laws_of_time(self):
        return TimeLaws(self.program, self.n_fixed)

    def laws_of_time(self):
        """Of one run, which looks through them for itself; what they are is found once."""
        return copy(self._laws_of_time)

    @property
    def n_q(self):
        return len(self.coordinates)

    @property
    def n_u(self):
        return len(self.speeds)

    @property
    def n_work(self):
        """How much of the state comes after the speeds: controller states, then work."""
        return len(self.integrals) + len(self.elements)

    @property
    def discrete_registers(self):
        """Where the discrete state stands."""
        first = 1 + len(self.system.parameters)
        return slice(first, first + len(self.discrete))

    @property
    def hybrid_registers(self):
        """What events and controllers read, and energies that may jump with the discrete state."""
        events = [x for one in self.events for x in (one.condition, *one.set.values(), *np.ravel(one.impulses))]
        controllers = [x for one in self.controllers for x in (*one.reads, *one.expressions) if not isinstance(x, str)]
        energies = self.energy_registers.values() if self.discrete else ()
        return [int(x) for x in (*events, *controllers, *energies)]

    @property
    def reset_registers(self):
        """New values and impulses of each event, then what each controller computes by expressions."""
        events = [x for one in self.events for x in (*one.set.values(), *np.ravel(one.impulses))]
        return [int(x) for x in (*events, *(x for one in self.controllers for x in one.expressions))]

    @property
    def n_fixed(self):
        """Registers behind t that are constant in a smooth phase: parameters and the discrete state."""
        return len(self.system.parameters) + len(self.discrete)

    @property
    def n_rows(self):
        return int(self.tables.count[N_ROWS])

    def rows_on(self, r):
        """(rows,) Whether each constraint row may be active, by the flags in these registers."""
        flag = self.tables.row_i[: self.n_rows, ROW_FLAG]
        return (flag == 0) | (r[flag] != 0.0)

    def constrained_bodies(self, name):
        """Bodies that the rows of a cut joint or constraint push on, ground left out."""
        rows, terms = self.pairs.rows_of[name], self.tables.term_i
        pushed = {
            int(terms[k, TERM_BODY])
            for row in rows
            for k in range(*self.tables.row_i[row, ROW_TERM : ROW_TERM_END + 1])
        }
        return [self.links[i - 1].body for i in sorted(pushed) if i > 0]

    @property
    def initial_measurements(self):
        """Where counting of angles that are not part of q begins, a number for each row."""
        measurements = np.zeros(len(self.tables.row_i))
        for (joint, coordinate), row in self.pairs.measurement.items():
            measurements[row] = self.system._initial_conditions.get(f"{joint}.{coordinate}", 0.0)
        return measurements

    @property
    def start_memory(self):
        """What comes after the speeds in the initial state: controller states, and no work."""
        return np.array(
            [
                *(self.system._initial_conditions.get(f"{name}.integral", 0.0) for name in self.integrals),
                *([0.0] * len(self.elements)),
            ]
        )

    def workspace(self, dtype=None, embedded=False) -> Workspace:
        registers = self.program.registers(self.frames.dtype)
        if len(self.tables.contact_i):  # guards of contact laws
            registers = np.append(registers, np.zeros(n_guards(self.tables), registers.dtype))
        registers[1 : 1 + len(self.system.parameters)] = list(self.system.parameters.values())
        registers[self.discrete_registers] = list(initial_discrete_state(self.system).values())
        made = workspace(self.tables, registers, self.system.gravity, dtype or self.frames.dtype, embedded)
        made.measurement[:] = self.initial_measurements
        return made
