"""SetValued: the base class of every law that is a set: contact, friction that sticks, limits, clutches.  (N.2)

−γ ∈ N_C(λ): γ is the velocity that a law measures, λ its force, C the set of forces it can exert: λ ≥ 0 (contact, limit,
one-way clutch), |λ| ≤ T (dry friction, brake), |λ_T| ≤ μ λ_N (Coulomb).
"""

from typing import ClassVar, NamedTuple, dataclass_transform

from mekane.errors import ModelError, did_you_mean
from mekane.model.constraint import Constraint, Equation, _field
from mekane.model.interface.kind_help import ACTIVE
from mekane.model.values.units import shown
from mekane.model.values.values import Value, read_value
from mekane.plugins import Kinds

contact_kinds = Kinds()  # {kind: subclass of SetValued}
# of an element in the discrete state: 0 open, 1 closed and sliding, 2 closed and sticking; 1: it sticks; where it slides to
MODE, STICKS, DIRECTION = ".mode", ".sticks", ".direction."
CONTACTS = ".contacts"  # of a law whose contacts are searched: how many there are
OPEN, SLIDING, STICKING = range(3)
LAWS = ("poisson", "stronge", "newton", "phases")  # of restitution


class Element(NamedTuple):
    """One set of a law: a contact has one for each of its points."""

    label: str = ""  # of a law with several
    normal: Equation | None = None  # its left side stays ≥ 0: a gap (position) or a rate (velocity)
    tangents: tuple[Equation, ...] = ()  # velocities along which friction acts
    friction: object = 0.0  # coefficient; without a normal the largest force or torque
    static: object = None  # the same while it sticks; None: as friction
    restitution: float = 0.0
    law: str = "poisson"
    place: tuple | None = None  # point of contact, world axes
    reaction: "JointLoad | None" = None  # friction is proportional to this load of a joint
    pressed_by: str | None = None  # label of the element whose normal force friction is proportional to; None: its own
    across: float = 1.0  # the second tangent is stretched by this: friction there is so many times that along the first


class JointLoad(NamedTuple):
    """What presses the surfaces of a joint together: components of its reaction force. Friction is at most Element.friction,
    a length or a number, times its size."""

    joint: str
    axes: tuple[int, ...]  # unit vectors of its frame F along which it is taken: FX, FY, FZ; one or two
    sums: bool = False  # sum of magnitudes; else the length of the vector


@dataclass_transform(frozen_default=True)
class SetValued(Constraint, base=True):
    """A law that is a set, written with the functions of `k` (compiler/constraint_language.py).

    To add a kind, write one file in mekane/contacts with one subclass. Fields, `check`, `place` and `example` are those of
    a Constraint; instead of equations:

    1. `labels(system)` names its sets: [""] for a law that has one, else a label for each.
    2. `elements(k)` gives an Element for each label: what it measures (normal, tangents), the set (friction, static) and
       what happens when it is hit (restitution, law).
    """

    collection: ClassVar[str] = "contact_laws"
    kinds: ClassVar[Kinds] = contact_kinds
    at_points: ClassVar[bool] = False  # each element acts at a point of contact, its Element.place
    structural: ClassVar[tuple[str, ...]] = ()  # fields whose numbers decide which rows there are
    # of a negative gap at the start: what is negative, why it cannot be, what to do
    negative_gap: ClassVar[tuple[str, str, str]] = (
        "gap",
        "bodies do not enter each other, and limits are kept",
        "Move the bodies apart, or change the limit.",
    )

    def __init_subclass__(cls, base=False):
        super().__init_subclass__(base)

    @property
    def searched(self) -> bool:
        """Whether its contacts are found by a search in every step of Moreau's method; then it has no elements."""
        return False

    def body_pairs(self) -> list[tuple[str, str]]:
        """Names of bodies whose surfaces may touch."""
        return []

    def joined_pairs(self, system) -> dict[tuple[str, str], str]:
        """Those of them that a joint connects, with its name. The ground has many surfaces."""
        pairs = {frozenset(pair): pair for pair in self.body_pairs() if "ground" not in pair}
        joints = {pairs.get(frozenset((joint.a, joint.b))): name for name, joint in system.joints.items()}
        return {pair: joint for pair, joint in joints.items() if pair is not None}

    def labels(self, system) -> list[str]:
        return [""]

    def elements(self, k) -> list[Element]:
        raise NotImplementedError

    @classmethod
    def arguments(cls):
        return [argument for argument in super().arguments() if argument is not ACTIVE]

    def ids(self, system) -> list[str]:
        """Names of its elements in results."""
        return [element_id(self.name, label) for label in self.labels(system)]


def element_id(name: str, label: str) -> str:
    return f"{name}.{label}" if label else name


def searched_laws(system) -> list[str]:
    """Names of the contact laws of a system whose contacts are searched."""
    return [name for name, law in system.contact_laws.items() if law.searched]


def elements_of(system) -> list[str]:
    """Names of all elements of a system."""
    return [one for law in system.contact_laws.values() for one in law.ids(system)]


# ---------------------------------------------------------------- fields and checks that kinds share


def choice(options, default, meaning=""):
    """One of some keywords."""

    def read(system, part, what, given):
        if given not in options:
            remedy = did_you_mean(str(given), options).strip()
            raise ModelError(part, f"{what} is {shown(given)}", f"one of {', '.join(options)} is expected", remedy)
        return given

    return _field(read, lambda given, part, what: given, default, type="str", meaning=meaning)


def refuse_restitution(law, e):
    """A coefficient of restitution is between 0 and 1."""
    e = complex(e).real  # exact derivatives take a complex step
    if not 0.0 <= e <= 1.0:
        raise ModelError(
            law.part,
            f"restitution is {e:g}",
            "it is between 0 (no rebound) and 1 (no loss)",
            "Give a number between 0 and 1.",
        )


def refuse_friction(law, kinetic, static, keywords=("friction", "static")):
    """Friction that pushes, or that holds less than it resists sliding."""
    numbers = [number_of(value) for value in (kinetic, static)]
    for keyword, number in zip(keywords, numbers, strict=True):
        if number is not None and not number >= 0.0:
            raise ModelError(law.part, f"{keyword} is {number:g}", "friction resists motion: it is not negative")
    if None not in numbers and numbers[1] < numbers[0]:
        problem = f"{keywords[1]} is {numbers[1]:g}, less than {keywords[0]}, which is {numbers[0]:g}"
        raise ModelError(
            law.part, problem, "what sticks holds at least as much as what slides", f"Leave out {keywords[1]}=."
        )


def refuse_unit(law, keyword, of_angle, of_length):
    """A unit that does not fit the coordinate; dimensions of a turning and of a sliding one."""
    value = getattr(law, keyword)
    if value is not None and isinstance(value.given, str):
        read_value(value.given, of_angle if law.joint.dimension == "angle" else of_length, law.part, keyword)


def number_of(value):
    """The number that a Value is; None for an expression, or where nothing is given."""
    graph = value.graph if isinstance(value, Value) else value
    return float(graph) if isinstance(graph, int | float) else None
