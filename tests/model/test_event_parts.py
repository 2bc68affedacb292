"""Events: what a user may write, and what is refused. Oracles: the arguments themselves, and systems described with
other numbers from the start."""

import copy
import pickle

import pytest

import mekane as mk
from mekane.errors import ExpressionError, ModelError, UnitError
from mekane.model.constraint import constraint_kinds
from mekane.model.interface.kind_help import example_of
from mekane.model.joint import joint_kinds
from mekane.model.traced_functions import functions_of, refuse_changed


def satellite(**parameters):
    s = mk.System("satellite", parameters=parameters or None)
    s.body("shell", mass=2.0, inertia=(0.1, 0.2, 0.3), com=(0, 0, 0.2), position=(0, 0, 1))
    s.body("core", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 1))
    s.pin("hinge", s.ground, "shell", at=(0, 0, 0), axis="y")
    s.slider("rail", s.ground, "core", axis="x", active=False)
    s.distance("hook", "shell", "core")
    s.input("u", 0.0, unit="N m")
    s.variable("gear", 1)
    s.marker("tip", "shell", at=(0, 0, 0.5))
    return s


def given(impulse):
    return [value.graph for value in impulse.components]


def test_releases_and_locks_by_name_record_and_list():
    s = satellite()
    one = s.event("one", when="t >= 2", release="hook")
    two = s.event("two", when="tip.position.z < 0.1", lock=s.joints["rail"], release=[s.constraints["hook"], "hinge"])
    assert (one.release, one.lock, two.release, two.lock) == (("hook",), (), ("hook", "hinge"), ("rail",))
    assert one.once and not one.stop and not one.at_start and not one.at_present and one.impulses == ()
    assert s.event("three", when="t > 3", lock="rail", at="its present position").at_present
    assert list(s.events) == ["one", "two", "three"]


def test_records_stand_for_the_part_after_a_change_of_parameters():
    s = satellite(m=1.0)
    hook = s.constraints["hook"]
    s.set_parameters(m=2.0)
    assert s.event("go", when="t >= 2", release=hook).release == ("hook",)


def test_impulses():
    s = satellite(p=4.0)
    (bang,) = s.event("bang", when="t >= 1", impulse={s.bodies["shell"]: (0, "2*p", "5 N s")}).impulses
    assert (bang.body, bang.point, bang.is_torque, bang.opposite, bang.frame) == (
        "shell",
        (0.0, 0.0, 0.2),
        False,
        None,
        "world",
    )
    assert given(bang)[0] == 0.0 and given(bang)[2] == 5.0 and bang.components[1].names() == ["p"]
    (at,) = s.event("at", when="t >= 1", impulse={"core": (1, 0, 0)}, at=("10 cm", 0, 0), frame="body").impulses
    assert (at.point, at.frame) == ((0.1, 0.0, 0.0), "body")
    both = s.event(
        "both", when="t > 1", impulse={"core": (1, 0, 0), "shell": (2, 0, 0)}, at={"core": (0, 0, 1)}
    ).impulses
    assert [(one.body, one.point) for one in both] == [("core", (0.0, 0.0, 1.0)), ("shell", (0.0, 0.0, 0.2))]
    (spin,) = s.event("spin", when="t > 1", torque_impulse={"core": (0, 0, "3 N m s")}).impulses
    assert spin.is_torque and given(spin) == [0.0, 0.0, 3.0]


def test_impulses_between_two_bodies_act_on_the_second():
    s = satellite()
    one = s.event("one", when="t > 1", impulse=(0, 0, 5), torque_impulse=(1, 0, 0), between=("shell", "core")).impulses
    assert [(i.body, i.opposite, i.is_torque) for i in one] == [("core", "shell", False), ("core", "shell", True)]
    (two,) = s.event("two", when="t > 1", impulse={"shell": (0, 0, 5)}, between=("shell", "core")).impulses
    assert (two.body, two.opposite) == ("shell", "core")


def test_sets_of_variables_inputs_and_rates():
    s = satellite()
    made = s.event(
        "shift",
        when="hinge.angle.rate > 300",
        set={"gear": "gear + 1", "u": "2 N m", "hinge.angle.rate": "60 rpm", "rail.displacement.rate": "3.6 km/h"},
        once=False,
    )
    assert list(made.set) == ["gear", "u", "hinge.angle.rate", "rail.displacement.rate"]
    assert made.set["gear"].names() == ["gear"] and made.set["u"].graph == 2.0
    assert made.set["hinge.angle.rate"].graph == pytest.approx(6.283185307179586, rel=1e-15)
    assert made.set["rail.displacement.rate"].graph == 1.0 and not made.once
    assert s.event("on", when="t > 1", set={s.variables["gear"]: True}).set["gear"].graph == 1.0


@pytest.mark.parametrize(
    "when",
    [
        "t >= 2",
        "tip.position.z < 0.1 and not hook.active",
        "gear == 2 or 0 < hinge.angle < 1",
        "gear",
        "not hook.active",
        lambda t, state: state["hinge.angle"] > 2 * t,
    ],
)
def test_conditions(when):
    assert satellite().event("end", when=when, stop=True).stop


@pytest.mark.parametrize(
    "keywords, words",
    [
        (dict(stop=True), "when is missing"),
        (dict(when="", stop=True), "when is empty.*Write for example"),
        (dict(when=None, stop=True), "when is empty"),
        (dict(when="1 > 0", stop=True), "never changes"),
        (dict(when="k > 3", stop=True), "'k > 3', which never changes"),
        (dict(when=True, stop=True), "when is True"),
        (dict(when=float("nan"), stop=True), "not a finite number"),
        (dict(when="hinge.angle", stop=True), 'compares nothing.*when="hinge.angle > 0"'),
        (dict(when="2*(t > 1)", stop=True), "compares nothing"),
        (dict(when=lambda t, state: 1.0 if float(t) > 1 else 0.0, stop=True), "has no expression"),
        (dict(when="t >= 2"), "nothing happens.*release, lock, impulse"),
        (dict(when="t >= 2", releese="hook"), "'releese' is not one of its keywords.*Did you mean 'release'"),
        (dict(when="t >= 2", release="hok"), "'hok' is not a joint or constraint.*Did you mean 'hook'"),
        (dict(when="t >= 2", release="shell"), "'shell' is not a joint or constraint"),
        (dict(when="t >= 2", release=[]), "each once"),
        (dict(when="t >= 2", release=["hook", "hook"]), "each once"),
        (dict(when="t >= 2", release="hook", lock="hook"), "it locks and releases 'hook'"),
        (dict(when="t >= 2", release="hook", at="its present position"), "locks nothing"),
        (dict(when="t >= 2", lock="rail", at=(0, 0, 1)), "there is no impulse"),
        (dict(when="t >= 2", impulse=(0, 0, 5)), "bodies and components are expected"),
        (dict(when="t >= 2", impulse={}), "at least one body"),
        (dict(when="t >= 2", impulse={"shel": (0, 0, 5)}), "'shel' is not a body.*Did you mean 'shell'"),
        (dict(when="t >= 2", impulse={"ground": (0, 0, 5)}), "it acts on the ground"),
        (dict(when="t >= 2", impulse={"shell": (0, 5)}), "three components are expected"),
        (dict(when="t >= 2", impulse={"shell": (0, 0, "5 N")}), "'N' is not a unit of impulse"),
        (dict(when="t >= 2", torque_impulse={"shell": (0, 0, "5 N s")}), "not a unit of angular impulse"),
        (dict(when="t >= 2", impulse={"shell": (0, 0, float("inf"))}), "not a finite number"),
        (dict(when="t >= 2", impulse={"shell": (0, 0, 1), "core": (0, 0, 1)}, at=(0, 0, 0)), "one for each"),
        (dict(when="t >= 2", impulse={"shell": (0, 0, 1)}, at={"core": (0, 0, 0)}), "impulses act on 'shell'"),
        (dict(when="t >= 2", impulse={"shell": (0, 0, 1)}, frame="shell"), "world or body is expected"),
        (dict(when="t >= 2", impulse=(0, 0, 1), between=("shell",)), "two bodies are expected"),
        (dict(when="t >= 2", impulse=(0, 0, 1), between=("shell", "shell")), "two different bodies"),
        (dict(when="t >= 2", impulse=(0, 0, 1), between=("shell", "ground")), "Leave out between"),
        (dict(when="t >= 2", stop=True, between=("shell", "core")), "between is given without impulse"),
        (dict(when="t >= 2", stop=True, frame="body"), "frame is given without impulse"),
        (dict(when="t >= 2", set={}), "names and new values are expected"),
        (dict(when="t >= 2", set={"gaer": 1}), "no variable, no input and no rate.*Did you mean 'gear'"),
        (dict(when="t >= 2", set={"hinge.angle": 1}), "Did you mean 'hinge.angle.rate'"),
        (dict(when="t >= 2", set={"core.velocity.x": 1}), "Set the rates of a joint of 'core'"),
        (dict(when="t >= 2", set={"hinge.angle.rate": "3 m/s"}), "not a unit of angular velocity"),
        (dict(when="t >= 2", set={"u": "3 mm"}), "a value in N m is expected"),
        (dict(when="t >= 2", set={"gear": float("nan")}), "not a finite number"),
        (dict(when="t >= 2", stop="yes"), "stop is 'yes'; it is True or False"),
        (dict(when="t >= 2", stop=True, once=1), "once is 1"),
        (dict(when="t >= 2", stop=True, at_start=None), "at_start is None"),
    ],
)
def test_errors(keywords, words):
    s = satellite(k=2.0)
    before = s.to_dict()
    with pytest.raises(ModelError, match=words):
        s.event("bad", **keywords)
    assert s.to_dict() == before and not s.events


def test_errors_are_of_their_kind():
    with pytest.raises(ExpressionError, match="event 'bad'"):
        satellite().event("bad", when="t >=", stop=True)
    with pytest.raises(UnitError):
        satellite().event("bad", when="t > 1", impulse={"core": ("1 m", 0, 0)})
    with pytest.raises(ModelError, match=r"'t > 1' is given without a keyword.*when='t > 1'"):
        satellite().event("bad", "t > 1")


def whole(**parameters):
    s = satellite(**{"p": 4.0, "x": 0.3} | parameters)
    s.event("go", when="t >= x", release="hook", lock="rail", at="its present position")
    s.event("bang", when="t > 1", impulse={"core": ("$p", 0, 0)}, at=("$x", 0, 0), frame="body")
    s.event("burst", when="t > 1", impulse=(0, 0, 5), torque_impulse=(0, 1, 0), between=("shell", "core"))
    s.event("shift", when="u > 2", set={"gear": "gear + p", "hinge.angle.rate": 0}, once=False, at_start=True)
    s.event("end", when=lambda t, state: t > 3, stop=True)
    return s


def test_parameters_change_events():
    new = whole().with_parameters(p=7.0, x=0.5)
    assert new.to_dict() == whole(p=7.0, x=0.5).to_dict()
    assert new.events["bang"].impulses[0].point == (0.5, 0.0, 0.0)
    s = whole()
    s.set_parameters(p=7.0, x=0.5)
    assert s.to_dict() == new.to_dict()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_copies_are_equal_and_their_own(duplicate):
    s = whole()
    s.remove("end")  # a lambda cannot be pickled
    new = duplicate(s)
    assert new.to_dict() == s.to_dict() and new.events == s.events
    new.remove("go")
    assert "go" in s.events


@pytest.mark.parametrize(
    "name, words",
    [
        ("hook", "go needs it"),
        ("rail", "go needs it"),
        ("core", "burst need"),
        ("gear", "shift needs it"),
        ("u", "shift needs it"),
        ("hinge", "shift needs it"),
    ],
)
def test_what_an_event_needs_stays(name, words):
    s = whole()
    with pytest.raises(ModelError, match=words):
        s.remove(name)


def test_replacing():
    s = whole()
    assert s.replace("bang", impulse={"shell": (1, 0, 0)}, frame=None).impulses[0].body == "shell"
    assert list(s.events) == ["go", "bang", "burst", "shift", "end"]
    with pytest.raises(ModelError, match="locks and releases 'hook'"):
        s.replace("go", lock="hook")
    assert s.events["go"].lock == ("rail",)


@pytest.mark.parametrize("kind", [*joint_kinds, *constraint_kinds])
def test_every_joint_and_constraint_can_start_inactive(kind):
    """The same part in all else, in a file and in a copy, too."""
    names = {"mk": mk}
    exec(example_of({**joint_kinds, **constraint_kinds}[kind]), names)
    s = names["s"]
    part = next(part for part in (*s.joints.values(), *s.constraints.values()) if part.kind == kind)
    assert part.active
    off = s.replace(part.name, active=False)
    assert not off.active and off.to_dict() == {**part.to_dict(), "active": False}
    assert s.replace(part.name, active=True) == part
    with pytest.raises(ModelError, match="active is 0"):
        s.replace(part.name, active=0)


def test_remarks():
    s = satellite()
    s.weld("spare", "shell", "core", active=False)
    s.event("a", when="t > 1", lock="hinge")
    s.event("b", when="t > 2", release="rail")
    s.event("c", when="gear < 3", set={"gear": "gear + 1"}, once=False)
    s.event("d", when="t > 3", lock="hook")
    s.event("e", when="t > 3", release="hook")
    s.controller("pilot", 0.1, function={"u": "t"})
    s.event("f", when="t > 4", set={"u": 0})
    s.variable("idle", 2)
    found = "\n".join(s.check())
    for words in (
        "event 'a' locks 'hinge', which is active from the start and which no event releases",
        "event 'b' releases 'rail', which is not active at the start",
        "event 'c' sets 'gear', which its own condition reads",
        "event 'd' locks and event 'e' releases 'hook' under the same condition",
        "event 'f' sets input 'u', which controller 'pilot' sets again",
        "joint 'spare' has active=False, and no event locks it",
        "variable 'idle' is set by no event: it stays 2",
    ):
        assert words in found, words


def test_outside_values_of_conditions_are_not_frozen():
    s, limit = satellite(), 3.0
    s.event("end", when=lambda t, state: t > limit, stop=True)
    assert any("event 'end'" in remark and "limit = 3.0" in remark for remark in s.check())
    refuse_changed(functions_of(s))
    limit = 4.0
    with pytest.raises(ModelError, match="event 'end'.*limit means something else now"):
        refuse_changed(functions_of(s))


def test_summaries_are_short():
    s = whole()
    assert s.events["go"].summary == "when t >= x: release hook, lock rail"
    assert s.events["shift"].summary == "when u > 2: set gear = gear + p, set hinge.angle.rate = 0"
    assert s.events["burst"].summary == "when t > 1: impulse on core, torque impulse on core"
    assert s.events["end"].summary.endswith(": stop")
