"""Contact laws of a run by Moreau's method: what the compiled loop needs, and how it went."""

import numpy as np

from mekane.errors import ModelError
from mekane.kernels.moreau import memory as of
from mekane.kernels.moreau.memory import memory
from mekane.kernels.moreau.pairs import slot_of
from mekane.kernels.moreau.step import LOOK, NO_SPACE
from mekane.numba_backend.header import listed
from mekane.numba_backend.kernel import plain
from mekane.solvers import state as at
from mekane.solvers.contacts.local import TOUCHING
from mekane.solvers.contacts.refusals import law_of, refuse_start
from mekane.solvers.contacts.resolve import Contacts
from mekane.solvers.entries import precompile
from mekane.solvers.entries.calls import evaluate_kinematics, look
from mekane.solvers.moreau.shapes import Shapes
from mekane.tables import columns as column
from mekane.tables.columns import OPEN

MOST_SWEEPS = 10_000  # in one step
YIELDING = 1e-2  # of what a unit impulse does: by so much surfaces yield whose contacts are searched
SPEEDS, NEIGHBOURS = 16, 8  # of a contact, and of a shape, as a first guess
OF_PAIRS = ("key", "known")
KEPT = ("numbers", "counts", "last", "mode", "direction", *OF_PAIRS)  # of a Memory, from step to step


class ImpulsiveContacts(Contacts):
    """The contact laws of one solver, by impulses in steps of one length."""

    def __init__(self, solver, order="simultaneous", painleve="impact"):
        super().__init__(solver, order, painleve)
        self.refuse_loads()
        self.shapes = Shapes(solver.compiled)
        contacts = max(len(self.state) + NEIGHBOURS * len(self.shapes), 1)
        self.make_memory(contacts, SPEEDS * contacts + 64)
        self.memory.numbers[of.TOLERANCE], self.memory.counts[of.MOST_SWEEPS] = solver.rtol, MOST_SWEEPS
        self.memory.numbers[of.GRAVITY] = max(float(np.linalg.norm(solver.compiled.system.gravity)), 1.0)
        self.memory.numbers[of.YIELDING] = YIELDING
        self.buffer = np.zeros(2 * len(solver.y) + 1)

    def refuse_loads(self):
        """Friction of bearings and guides needs reactions, which steps of impulses do not compute."""
        for line, fact in zip(self.state.table, self.state.facts, strict=True):
            if line[column.C_BY] == column.BY_LOAD:
                raise ModelError(
                    law_of(self.solver.compiled.system, fact.name).part,
                    "its friction is by the reaction of a joint",
                    "method 'moreau' does not compute it",
                    'Use method="auto", or dry_friction with a torque or force.',
                )

    def make_memory(self, contacts, space):
        """Space for so many contacts and elements of rows; what is known stays."""
        solver, before = self.solver, self.__dict__.get("memory")
        compiled = solver.compiled
        shapes = self.shapes
        self.memory = memory(compiled, contacts, space, len(shapes), len(shapes.laws), len(shapes.large))
        self.memory.restitution[:] = [float(fact.element.restitution) for fact in self.state.facts]
        self.memory.contact_of[:] = self.state.contact_of
        for name in KEPT if before is not None else ():
            old = getattr(before, name)
            getattr(self.memory, name)[: len(old)] = old
        shapes.write(self.memory)
        self.find_slots()
        self.addresses = np.array(listed(tuple(self.memory)), np.int64)

    def find_slots(self):
        """Where impulses of the last step stand, by the keys of their pairs."""
        C, find = self.memory, plain(slot_of)
        C.slot[:] = -1
        with np.errstate(over="ignore"):
            for m in range(C.counts[of.KNOWN]):
                C.slot[find(C, C.key[m])] = m

    # ---------------------------------------------------------------- the loop

    def advance(self, *arguments):
        """The compiled loop; where it finds more contacts than there is space for, more space is made."""
        precompile.announce("solvers/moreau/loop", "the loop of Moreau's method")
        from mekane.solvers.moreau.loop import FULL, advance

        counters = self.solver.counters
        advance(*arguments, self.addresses, self.buffer)
        while counters[at.OUTCOME] == FULL:
            self.make_memory(2 * len(self.memory.element), 2 * len(self.memory.index))
            advance(*arguments, self.addresses, self.buffer)

    def __bool__(self):
        return len(self.state) > 0 or len(self.shapes) > 0

    def start(self):
        refuse_start(self)
        lines = self.resolve()
        self.refuse_overlap()
        return lines

    def refuse_overlap(self):
        """Shapes that enter each other at the start."""
        solver = self.solver
        evaluate_kinematics(solver.handle, solver.t, solver.y, solver.workspace.measurement.copy())
        self.memory.numbers[of.DEEPEST], self.buffer[-1] = 0.0, LOOK
        while look(solver.handle, self.addresses, self.buffer) == NO_SPACE:
            self.make_memory(2 * len(self.memory.element), 2 * len(self.memory.index))
        if self.memory.numbers[of.DEEPEST] < -TOUCHING:
            law, a, b = self.shapes.names(*self.memory.counts[[of.DEEPEST_FIRST, of.DEEPEST_SECOND]])
            raise ModelError(
                law.part,
                f"the gap of {a!r} and {b!r} is {self.memory.numbers[of.DEEPEST]:.6g} at the start",
                "bodies do not enter each other",
                "Move them apart.",
            )

    def fired(self):
        """Before events of the model happen: all is open, as far as they know."""
        self.open_all()
        return []

    def resolve(self, fired=()):
        """Nothing happens at instants: the next step finds what touches."""
        self.open_all()
        return []

    def open_all(self):
        from mekane.solvers.hybrid.event_actions import choose_rows

        for e in range(len(self.state)):
            self.state.write(e, OPEN)
        choose_rows(self.solver)

    # ---------------------------------------------------------------- book-keeping

    def settings(self):
        numbers, counts, steps = self.memory.numbers, self.memory.counts, max(int(self.solver.counters[at.STEPS]), 1)
        found = dict(
            residual=float(numbers[of.WORST]),
            residual_time=float(numbers[of.WORST_TIME]),
            missed=int(counts[of.MISSED]),
            contacts=int(counts[of.MOST_CONTACTS]),
            mean_contacts=int(counts[of.ALL_CONTACTS]) / steps,
            sweeps=int(counts[of.ALL_SWEEPS]) / steps,
            updates=int(counts[of.UPDATES]),
            gained=float(numbers[of.GAINED]),
            depth=max(0.0, -float(numbers[of.DEEPEST])),
        )
        return super().settings() | dict(moreau=found)

    def kept(self):
        known = self.memory.counts[of.KNOWN]
        arrays = {name: getattr(self.memory, name)[: known if name in OF_PAIRS else None] for name in KEPT}
        return super().kept() | dict(memory={name: array.tolist() for name, array in arrays.items()})

    def restore(self, kept):
        super().restore(kept)
        kept = kept["memory"]
        if len(kept["key"]) > len(self.memory.key):
            self.make_memory(len(kept["key"]), SPEEDS * len(kept["key"]))
        for name in KEPT:
            array = getattr(self.memory, name)
            old = np.array(kept[name], array.dtype).reshape(-1, *array.shape[1:])
            array[: len(old)] = old
        self.find_slots()
