"""Events and controllers in the tape: conditions, new values, impulses, and what controllers read and compute."""

from typing import NamedTuple

from mekane.errors import ExpressionError


class EventRegisters(NamedTuple):
    """Of one event: where its condition stands, and the values of what happens then."""

    name: str
    condition: int
    set: dict  # target → register
    impulses: list  # three registers each


class ControllerRegisters(NamedTuple):
    """Of one controller: what it reads (register, or name of a quantity that only results have), what it computes."""

    name: str
    reads: list
    expressions: list


class HybridLaws:
    """Collects the expressions of events and controllers, and gives each its register when the tape is written."""

    def __init__(self, system, laws):
        self.system, self.laws, self.expressions = system, laws, []
        self.conditions = [self.place(f"event {name!r}", event.when) for name, event in system.events.items()]
        self.events = [self.event_places(event) for event in system.events.values()]
        self.controllers = [self.controller_places(one) for one in system.controllers.values()]

    def place(self, part, value):
        """The number of an expression."""
        self.laws.part, self.laws.local = part, ()
        self.expressions.append(self.laws.expression(value))
        return len(self.expressions) - 1

    def event_places(self, event):
        part = f"event {event.name!r}"
        changes = {target: self.place(part, value) for target, value in event.set.items()}
        return changes, [[self.place(part, value) for value in one.components] for one in event.impulses]

    def controller_places(self, controller):
        part = f"controller {controller.name!r}"
        if controller.expressions:
            try:
                return [], [self.place(part, value) for value in controller.expressions]
            except ExpressionError:  # it may read what only results have
                if controller.function is None:
                    raise
        return [self.read_place(part, value) for value in controller.reads], []

    def read_place(self, part, value):
        """The number of what a controller reads, or its name, if only results have it."""
        try:
            return self.place(part, value)
        except ExpressionError:
            if isinstance(value.given, str):
                return value.given
            raise

    def registers(self, found):
        """([EventRegisters], [ControllerRegisters]); found: the register of each expression."""
        events = [
            EventRegisters(
                name, found[k], {t: found[p] for t, p in changes.items()}, [[found[p] for p in c] for c in impulses]
            )
            for (name, k), (changes, impulses) in zip(
                zip(self.system.events, self.conditions, strict=True), self.events, strict=True
            )
        ]
        at = lambda place: place if isinstance(place, str) else found[place]
        controllers = [
            ControllerRegisters(name, [at(p) for p in reads], [found[p] for p in expressions])
            for name, (reads, expressions) in zip(self.system.controllers, self.controllers, strict=True)
        ]
        return events, controllers
