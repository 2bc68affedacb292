"""A contact law as analyses see it that take one phase of a motion: what is closed holds like a constraint."""

from typing import NamedTuple

from mekane.errors import ModelError
from mekane.expressions.traced_number import reals
from mekane.model.constraint import Constraint, _field
from mekane.model.set_valued import OPEN, SLIDING, STICKING, element_id
from mekane.model.values.values import Value, is_zero


class ElementSet(NamedTuple):
    """What an element of a contact law can exert where it is closed."""

    name: str
    normal: bool  # it has one
    tangents: int
    limit: float | None  # coefficient of friction; without a normal the largest force; None: by the reaction of a joint
    pressed_by: str | None = None  # the element whose normal force limits it, where that is another one


class ClosedContact(Constraint, base=True):
    """The rows of a contact law that hold: normals of all elements that are closed, tangents of those that stick."""

    law: object = _field(lambda *_: None, lambda *_: None)
    modes: tuple = _field(lambda *_: None, lambda *_: None)  # of each of its elements
    sets: tuple = _field(lambda *_: None, lambda *_: None, ())  # ElementSet of each, where forces are judged

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
        return type(self)(self.name, self.law.resolve(lookup), self.modes, self.sets)

    def touched(self, system):
        return self.law.touched(system)

    def place(self, k):
        elements = self.law.elements(k)
        return elements[0].place if len(elements) == 1 else None

    def element_rows(self):
        """(ElementSet, row of the normal that presses it or -1, rows of its tangents) for each element that is closed; rows as
        `equations` gives them. Nothing if `sets` is not known."""
        found, first, normal_of = [], 0, {}
        for one, mode in zip(self.sets, self.modes[: len(self.sets)], strict=True):
            normals, tangents = int(one.normal and mode != OPEN), one.tangents if mode == STICKING else 0
            if normals or tangents:
                end = first + normals + tangents
                normal_of[one.name] = first if normals else normal_of.get(one.pressed_by, -1)
                found.append((one, normal_of[one.name], tuple(range(first + normals, end))))
                first = end
        return found

    def equations(self, k):
        found = []
        for element, mode in zip(self.law.elements(k), self.modes, strict=True):
            found += [element.normal] if mode != OPEN and element.normal is not None else []
            found += element.tangents if mode == STICKING else []
        return found


def closed_contacts(system, modes=None, sets=None, sliding=False) -> dict[str, ClosedContact]:
    """Contact laws of which something is closed: where the system begins, or in these modes of its elements. sliding: friction
    of what slides is seen to elsewhere."""
    found = {}
    for name, law in system.contact_laws.items():
        ids = law.ids(system)
        own = tuple((system._contact_modes if modes is None else modes).get(one, OPEN) for one in ids)
        if modes is None and not sliding:
            refuse_sliding(system, law, own)
        if any(own):
            found[name] = ClosedContact(name, law, own, tuple(sets[one] for one in ids) if sets else ())
    return found


def resists_rolling(law):
    return reals(getattr(law, "rolling", 0.0)) > 0.0 or reals(getattr(law, "spinning", 0.0)) > 0.0


def sliding_elements(system, law, modes=None):
    """Labels of the elements of a law that slide with friction: where the system begins, or in these modes."""
    friction = getattr(law, "friction", None)
    smooth = isinstance(friction, Value) and is_zero(friction) and getattr(law, "static", None) is None
    has_friction = friction is not None and not smooth or hasattr(law, "torque") or resists_rolling(law)
    if modes is None:
        modes = [system._contact_modes.get(one, OPEN) for one in law.ids(system)]
    return [label for label, mode in zip(law.labels(system), modes, strict=True) if mode == SLIDING and has_friction]


def refuse_sliding(system, law, modes):
    """Friction of what slides is no constraint."""
    for label in sliding_elements(system, law, modes)[:1]:
        raise ModelError(
            law.part,
            f"{element_id(law.name, label)!r} slides",
            "other analyses than runs know contacts that are open, that stick or that have no friction",
            "Take a state where it sticks, or set its friction to 0 for this analysis.",
        )
