"""Event: what changes at the instant at which a condition becomes true."""

from collections.abc import Mapping
from inspect import Parameter

from mekane.errors import ModelError, did_you_mean
from mekane.model.hybrid.condition import read_condition
from mekane.model.hybrid.impulse import Impulse, read_impulses
from mekane.model.interface.kind_help import Argument
from mekane.model.joint import RATE_OF
from mekane.model.named_part import NamedPart
from mekane.model.names import own_measures, quoted
from mekane.model.signals.unit import refuse_other_unit
from mekane.model.signals.variable import plain
from mekane.model.values.expression import read_expression
from mekane.model.values.flag import flag
from mekane.model.values.units import has_unit, is_list, shown
from mekane.model.values.values import Value

PRESENT = "its present position"  # at=: a lock closes a joint or constraint where it is
ACTIONS = "release, lock, impulse, torque_impulse, set or stop"


def _keyword(name: str, type: str, meaning: str, unit: str = "", default=None) -> Argument:
    return Argument(name, type, meaning, unit, default, keyword_only=True)


class Event(NamedPart, collection="events"):
    """What happens at the instant at which a condition becomes true: joints and constraints are released or locked,
    impulses act, discrete variables, inputs and rates are set, or the motion ends.

    A release changes no speed. A lock is an impulsive event: speeds change so that the joint or constraint holds from
    then on, with all others kept. A set rate is an impulse along that coordinate. An impulse acts at the mass centre,
    unless `at` is given. Events at one instant happen in the order in which they were declared. A condition that is
    true from the start has not become true: see at_start.
    """

    when: Value
    release: tuple[str, ...]  # names of joints and constraints
    lock: tuple[str, ...]
    at_present: bool  # what is locked closes where it is
    impulses: tuple[Impulse, ...]
    set: dict[str, Value]  # by the names of variables, inputs and joint rates
    stop: bool
    once: bool
    at_start: bool

    takes = (
        _keyword("when", "ValueLike", 'the condition: "t >= 2", "tip.position.z < 0.1"', default=Parameter.empty),
        _keyword("release", "ConstrainedLike | None", "joints or constraints that are free from then on"),
        _keyword("lock", "ConstrainedLike | None", "joints or constraints that hold from then on"),
        _keyword(
            "at",
            "VectorLike | Mapping[BodyLike, VectorLike] | None",
            f"where an impulse acts, in the body's frame; or {PRESENT!r}, where a lock closes",
            "m",
        ),
        _keyword("impulse", "ImpulseLike | None", "bodies and three components each", "N s"),
        _keyword("torque_impulse", "ImpulseLike | None", "bodies and three components each", "N m s"),
        _keyword(
            "between",
            "tuple[BodyLike, BodyLike] | None",
            "two bodies: the impulse acts on the second, its negative on the first, at the same place",
        ),
        _keyword("frame", "str", 'axes of the components of impulses, "world" or "body"', default="world"),
        _keyword(
            "set",
            "Mapping[str, ValueLike] | None",
            'variables, inputs and joint rates with their new values: {"gear": "gear + 1", "hinge.angle.rate": 0}',
        ),
        _keyword("stop", "bool", "True: the motion ends there", default=False),
        _keyword("once", "bool", "False: it happens each time the condition becomes true again", default=True),
        _keyword(
            "at_start", "bool", "True: it also happens at the start, if the condition is true there", default=False
        ),
    )
    example = 's.event("let go", when="t >= 2", release="hinge")'

    @classmethod
    def read(cls, system, part, name, *, when, release, lock, at, set, stop, once, at_start, **impulses):
        at_present = isinstance(at, str) and at.strip() == PRESENT
        made = cls(
            name,
            when=read_condition(system, when, part),
            release=_constrained(system, part, "release", release),
            lock=_constrained(system, part, "lock", lock),
            at_present=at_present,
            impulses=read_impulses(system, part, at=None if at_present else at, **impulses),
            set=_changes(system, part, set),
            stop=flag(stop, part, "stop"),
            once=flag(once, part, "once"),
            at_start=flag(at_start, part, "at_start"),
        )
        made._check()
        return made

    def _check(self) -> None:
        if not (self.release or self.lock or self.impulses or self.set or self.stop):
            raise ModelError(self.part, "nothing happens", f"it needs {ACTIONS}", "Add for example stop=True.")
        both = [name for name in self.lock if name in self.release]
        if both:
            raise ModelError(self.part, f"it locks and releases {quoted(both)}", "one of them is expected")
        if self.at_present and not self.lock:
            raise ModelError(self.part, f"at is {PRESENT!r}, and it locks nothing", "a lock closes there", "Add lock=.")

    def values(self):
        return [self.when, *(value for one in self.impulses for value in one.components), *self.set.values()]

    def uses(self):
        bodies = [name for one in self.impulses for name in (one.body, one.opposite) if name]
        return [*self.release, *self.lock, *bodies, *(target.partition(".")[0] for target in self.set)]

    @property
    def summary(self):
        return f"when {self.when.text}: {', '.join(self.actions())}"

    def actions(self) -> list[str]:
        """What happens, in a few words each."""
        found = [f"{what} {name}" for what in ("release", "lock") for name in getattr(self, what)]
        found += [f"{'torque impulse' if one.is_torque else 'impulse'} on {one.body}" for one in self.impulses]
        found += [f"set {target} = {value.text}" for target, value in self.set.items()]
        return [*found, "stop"] if self.stop else found

    def to_dict(self):
        written = {"when": self.when.to_dict(self.part, "when")}
        written |= {what: _short(names) for what in ("release", "lock") if (names := getattr(self, what))}
        written |= {"at": PRESENT} if self.at_present else {}
        written |= self._impulse_forms()
        if self.set:
            written["set"] = {target: value.to_dict(self.part, target) for target, value in self.set.items()}
        written |= {"stop": True} if self.stop else {}
        written |= {} if self.once else {"once": False}
        return written | ({"at_start": True} if self.at_start else {})

    def _impulse_forms(self) -> dict:
        written = {}
        for one in self.impulses:
            what = "torque_impulse" if one.is_torque else "impulse"
            components = [value.to_dict(self.part, what) for value in one.components]
            written.setdefault(what, {})[one.body] = components
            if not one.is_torque and not self.at_present:
                written.setdefault("at", {})[one.body] = list(one.point)
            if one.opposite:
                written["between"] = [one.opposite, one.body]
            if one.frame != "world":
                written["frame"] = one.frame
        return written


def _short(names: tuple[str, ...]):
    return names[0] if len(names) == 1 else list(names)


def _constrained(system, part: str, what: str, given) -> tuple[str, ...]:
    """Names of joints and constraints, from a name, a record or a list of them."""
    if given is None:
        return ()
    given = given if is_list(given) else [given]
    found = tuple(system.find_constrained(one, f"{part}, {what}").name for one in given)
    if not found or len({*found}) < len(found):
        problem = f"{what} is {shown(list(found))}"
        raise ModelError(part, problem, "names of joints and constraints are expected, each once")
    return found


def _changes(system, part: str, given) -> dict[str, Value]:
    """The new values by target."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not given:
        remedy = 'Write set={"gear": "gear + 1"}.'
        raise ModelError(part, f"set is {shown(given)}", "names and new values are expected", remedy)
    return {
        getattr(target, "name", target): _change(system, part, getattr(target, "name", target), value)
        for target, value in given.items()
    }


def _change(system, part: str, target, given) -> Value:
    rates = {
        f"{joint.name}.{measure.name}.rate": RATE_OF[measure.dimension]
        for joint in system.joints.values()
        for measure in own_measures(joint)
    }
    if target not in {**system.variables, **system.inputs, **rates}:
        raise _unknown_target(system, part, target, rates)
    made = read_expression(system, plain(given), rates.get(target), part, f"set, {target}", "events set expressions")
    unit = system.inputs[target].unit if target in system.inputs else ""
    if unit and isinstance(given, str) and has_unit(given):
        refuse_other_unit(given, unit, part, f"set, {target}")
    return made


def _unknown_target(system, part: str, target, rates) -> ModelError:
    known = [*system.variables, *system.inputs, *rates]
    owner, _, rest = str(target).partition(".")
    if owner in system.bodies and rest:
        remedy = f"Set the rates of a joint of {owner!r}; a free one has x.rate, y.rate and z.rate."
    else:
        remedy = did_you_mean(str(target), known).strip() or 'Add it first, as s.variable("gear", 1).'
    expected = (
        f"there are {', '.join(known)}" if known else "variables, inputs and joint rates can be set; there are none"
    )
    return ModelError(
        part, f"it sets {target!r}, which is no variable, no input and no rate of a joint", expected, remedy
    )
