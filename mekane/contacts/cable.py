"""A rope."""

from mekane.algebra.triples import length as size
from mekane.algebra.triples import sub
from mekane.model.constraint import End, end, number, position
from mekane.model.set_valued import LAWS, Element, SetValued, choice, refuse_restitution


class Cable(SetValued):
    """A rope between two points that does not stretch: it pulls when it is taut, and goes slack."""

    appearance = "rope"
    negative_gap = ("slack", "a rope does not stretch", "Move its ends together, or give a greater length=.")
    example = 's.cable("rope", s.ground, (arm, (0, 0, -0.5)), length=2)'
    a: End = end(meaning="one end: (body, point in its frame), or a body for its origin")
    b: End = end(meaning="the other end")
    length: float = number("length", above_zero=True, meaning="of the rope when it is taut")
    restitution: float = number("number", 0.0, meaning="rebound when it becomes taut, 0 to 1")
    law: str = choice(LAWS, "poisson", meaning="law of restitution: poisson, stronge, newton or phases")

    def check(self):
        refuse_restitution(self, self.restitution)

    def elements(self, k):
        apart = size(sub(k.point(self.b), k.point(self.a)))
        return [
            Element(
                "", position(self.length - apart), restitution=self.restitution, law=self.law, place=k.point(self.a)
            )
        ]
