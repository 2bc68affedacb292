"""Contact among many bodies."""

from functools import cached_property
from itertools import combinations

from mekane.contacts.contact import Contact
from mekane.contacts.pairs import labels_of, pair_of
from mekane.errors import ModelError
from mekane.model.constraint import _field, number
from mekane.model.geometry.contact_side import Side, read_side, with_curves, write_side
from mekane.model.geometry.shapes import Box
from mekane.model.geometry.surfaces import Plane
from mekane.model.set_valued import LAWS, SetValued, choice, refuse_friction, refuse_restitution
from mekane.model.values.units import is_list, shown

MOST_PAIRS = 200  # whose gaps are written as expressions; of more, those that may touch are searched in every step


def sides(meaning=""):
    """A list of sides of contacts."""

    def read(system, part, what, given):
        if not is_list(given) or len(given) < 2:
            problem, remedy = f"{what} is {shown(given)}", "Write among=[ball, box, (s.ground, mk.Plane())]."
            raise ModelError(part, problem, "a list of at least two bodies is expected", remedy)
        return tuple(read_side(system, part, f"{what}[{k}]", with_curves(one)) for k, one in enumerate(given))

    write = lambda all, part, what: [write_side(one, part, what) for one in all]
    return _field(read, write, type="Sequence[SideLike]", meaning=meaning, unit="m")


class Contacts(SetValued):
    """Contact of each of these bodies with each other, as `contact` of all pairs.

    Of more than 200 pairs, those that may touch are searched in every step: spheres, capsules, boxes on planes and beside
    spheres, and planes. Such a motion is computed with method="moreau".
    """

    example = (
        's.contacts("all", among=[wheel, (arm, mk.Sphere(0.1)), (s.ground, mk.Plane(at=(0, 0, -2)))], friction=0.3)'
    )
    among: tuple[Side, ...] = sides(meaning="bodies with shapes, (body, shape) or (body, mk.Plane(…))")
    friction: float = number("number", 0.0, meaning="coefficient of friction")
    restitution: float = number("number", 0.0, meaning="0: no rebound, 1: no loss")
    law: str = choice(LAWS, "poisson", meaning="law of restitution: poisson, stronge, newton or phases")

    def check(self):
        refuse_restitution(self, self.restitution)
        refuse_friction(self, self.friction, None)
        self.refuse_repeated()
        for a, b in self.kinds_of_pairs():
            if pair_of(a, b) is None or (self.searched and both_boxes(a, b)):
                kinds = " and ".join(type(one.shape).__name__.lower() for one in (a, b))
                problem = f"{a.body!r} and {b.body!r}: {kinds} have no contact" + " that is searched" * self.searched
                raise ModelError(
                    self.part, problem, "a pair of shapes that can touch is expected", "Leave one of them out."
                )

    def refuse_repeated(self):
        """A side that is named twice: a body does not touch itself, and others would touch it twice."""
        seen = set()
        for one in self.among:
            side = one.body, repr(one.shape)
            if side in seen:
                raise ModelError(
                    self.part, f"among has {one.body!r} twice, with one shape", "sides that differ", "Name it once."
                )
            seen.add(side)

    @property
    def pairs(self):
        """All pairs of sides on different bodies; planes do not meet planes."""
        return [(a, b) for a, b in combinations(self.among, 2) if a.body != b.body and not both_planes(a, b)]

    def kinds_of_pairs(self):
        """A pair of sides for each pair of classes of shapes that there is."""
        by_kind = {}
        for one in self.among:
            by_kind.setdefault(type(one.shape), {}).setdefault(one.body, one)
        several = [list(sides.values())[:2] for sides in by_kind.values()]
        found = [pair for sides in several for pair in combinations(sides, 2)]
        found += [(a, b) for some, others in combinations(several, 2) for a in some for b in others if a.body != b.body]
        return [(a, b) for a, b in found if not both_planes(a, b)]

    @cached_property
    def searched(self):
        return len(self.among) * (len(self.among) - 1) // 2 > MOST_PAIRS and len(self.pairs) > MOST_PAIRS

    def labels(self, system):
        return [] if self.searched else [label for a, b in self.pairs for label in labelled(a, b, system)]

    @property
    def acts_on(self):
        return None

    def touched(self, system):
        return list(dict.fromkeys(one.body for one in self.among))

    def body_pairs(self):
        return [(a.body, b.body) for a, b in self.pairs]

    def elements(self, k):
        found = []
        for a, b in () if self.searched else self.pairs:
            contact = Contact(self.name, a=a, b=b, friction=self.friction, restitution=self.restitution, law=self.law)
            elements = zip(contact.elements(k), labelled(a, b, k.system), strict=True)
            found += [one._replace(label=label) for one, label in elements]
        return found


def both_planes(a, b):
    return isinstance(a.shape, Plane) and isinstance(b.shape, Plane)


def both_boxes(a, b):
    return isinstance(a.shape, Box) and isinstance(b.shape, Box)


def labelled(a, b, system):
    """Names of the points of a pair."""
    return [f"{a.body} {b.body}" + (f" {label}" if label else "") for label in labels_of(a, b, system)]
