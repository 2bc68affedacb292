"""A contact law as analyses see it that take one phase of a motion: what is closed holds like a constraint."""

from mekane.errors import ModelError
from mekane.model.constraint import Constraint, _field
from mekane.model.set_valued import OPEN, SLIDING, STICKING, element_id
from mekane.model.values.values import Value


class ClosedContact(Constraint, base=True):
    """The rows of a contact law that hold: normals of all elements that are closed, tangents of those that stick."""

    law: object = _field(lambda *_: None, lambda *_: None)
    modes: tuple = _field(lambda *_: None, lambda *_: None)  # of each of its elements

    kind = "closed contact"

    @property
    def part(self):
        return self.law.part

    @property
    def acts_on(self):
        return self.law.acts_on

    def values(self) -> list[Value]:
        return self.law.values()

    def resolve(self, lookup):
        return type(self)(self.name, self.law.resolve(lookup), self.modes)

    def touched(self, system):
        return self.law.touched(system)

    def place(self, k):
        elements = self.law.elements(k)
        return elements[0].place if len(elements) == 1 else None

    def equations(self, k):
        found = []
        for element, mode in zip(self.law.elements(k), self.modes, strict=True):
            found += [element.normal] if mode != OPEN and element.normal is not None else []
            found += element.tangents if mode == STICKING else []
        return found


def closed_contacts(system) -> dict[str, ClosedContact]:
    """Contact laws of which something is closed where the system begins."""
    found = {}
    for name, law in system.contact_laws.items():
        modes = tuple(system._contact_modes.get(one, OPEN) for one in law.ids(system))
        refuse_sliding(system, law, modes)
        if any(modes):
            found[name] = ClosedContact(name, law, modes)
    return found


def refuse_sliding(system, law, modes):
    """Friction of what slides is no constraint."""
    friction = getattr(law, "friction", None)
    smooth = isinstance(friction, Value) and friction.graph == 0.0 and getattr(law, "static", None) is None
    has_friction = friction is not None and not smooth or hasattr(law, "torque")
    for label, mode in zip(law.labels(system), modes, strict=True):
        if mode == SLIDING and has_friction:
            raise ModelError(
                law.part,
                f"{element_id(law.name, label)!r} slides",
                "other analyses than runs know contacts that are open, that stick or that have no friction",
                "Take a state where it sticks, or set its friction to 0 for this analysis.",
            )
