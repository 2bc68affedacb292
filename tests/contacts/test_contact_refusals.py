"""What contact laws refuse: every message names the part, the value that is wrong, and what to write instead."""

from types import SimpleNamespace

import numpy as np
import pytest
from oracles import kane

import mekane as mk
from mekane.compiler import contacts
from mekane.errors import MekaneError, ModelError, SimulationError
from mekane.solvers.contacts.impact import refuse_gain

CAN = mk.Cylinder(0.1, 0.3)


def model():
    s = mk.System()
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 1))
    s.body("bare", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 1))
    s.body("can", mass=1.0, shape=CAN, position=(2, 0, 1))
    s.body("cart", mass=1.0, inertia=(1, 1, 1), position=(3, 0, 0))
    s.body("wheel", mass=1.0, inertia=(1, 1, 1), position=(4, 0, 0))
    s.slider("rail", s.ground, "cart", at=(3, 0, 0), axis="x")
    s.pin("hinge", s.ground, "wheel", at=(4, 0, 0), axis="z")
    return s


def floor(s, a="ball", **keywords):
    return s.contact("floor", a, (s.ground, mk.Plane()), **keywords)


def plane(s, given):
    """A contact with a plane as files give it."""
    return s.contact("c", "ball", (s.ground, {"plane": given}))


REFUSED = {
    "rebound above one": (lambda s: floor(s, restitution=1.2), ["'floor'", "1.2", "between 0"]),
    "rebound below zero": (lambda s: floor(s, restitution=-0.1), ["'floor'", "-0.1", "between 0"]),
    "negative friction": (lambda s: floor(s, friction=-0.3), ["'floor'", "-0.3", "not negative"]),
    "negative static friction": (lambda s: floor(s, friction=0, static=-0.3), ["'floor'", "static", "-0.3"]),
    "static below kinetic": (lambda s: floor(s, friction=0.5, static=0.4), ["'floor'", "0.4", "0.5", "Leave out static"]),
    "unknown law": (lambda s: floor(s, law="poison"), ["'floor'", "'poison'", "poisson"]),
    "a body with itself": (lambda s: s.contact("self", "ball", ("ball", mk.Plane())), ["'self'", "'ball'", "two different"]),
    "a side twice": (lambda s: s.contacts("all", among=["ball", "can", "ball"]), ["'all'", "'ball' twice", "Name it once"]),
    "no shape": (lambda s: floor(s, "bare"), ["'floor'", "'bare'", "no shape", "mk.Sphere"]),
    "no pair": (lambda s: s.contact("cans", "can", ("cart", CAN)), ["'cans'", "cylinder and cylinder", "sphere and plane"]),
    "a third thing": (lambda s: s.contact("c", "ball", ("ground", mk.Plane(), 1)), ["'c'", "b is", "a body and what"]),
    "unknown body": (lambda s: floor(s, "bal"), ["'floor'", "'bal'", "ball"]),
    "limit without limits": (lambda s: s.limit("stop", "rail"), ["'stop'", "neither lower nor upper", "lower="]),
    "limits crossed": (lambda s: s.limit("stop", "rail", lower=2, upper=1), ["'stop'", "2", "1", "less than"]),
    "limits equal": (lambda s: s.limit("stop", "rail", lower=1, upper=1), ["'stop'", "less than"]),
    "limit that rebounds too much": (lambda s: s.limit("stop", "rail", lower=0, restitution=2), ["'stop'", "2"]),
    "torque on a slider": (lambda s: s.dry_friction("rub", "rail", torque=1), ["'rub'", "torque", "rail", "force="]),
    "force on a pin": (lambda s: s.dry_friction("rub", "hinge", force=1), ["'rub'", "force", "hinge", "torque="]),
    "neither": (lambda s: s.dry_friction("rub", "rail"), ["'rub'", "neither torque nor force", "force="]),
    "both": (lambda s: s.brake("rub", "rail", torque=1, force=1), ["'rub'", "both given", "force="]),
    "brake that pushes": (lambda s: s.brake("rub", "rail", force=-1), ["'rub'", "-1", "not negative"]),
    "weak static": (lambda s: s.dry_friction("rub", "rail", force=2, static=1), ["'rub'", "1", "2", "Leave out"]),
    "clutch on a slider": (lambda s: s.clutch("grip", "hinge", "rail", torque=1), ["'grip'", "rail"]),
    "rope of no length": (lambda s: s.cable("rope", "ball", "cart", length=0), ["'rope'", "length"]),
    "rope of length None": (lambda s: s.cable("rope", "ball", "cart", length=None), ["'rope'", "length is None", "length="]),
    "play of None": (lambda s: s.backlash("teeth", "hinge", gap=None), ["'teeth'", "gap is None", "gap="]),
    "unknown joint": (lambda s: s.one_way("free", "hing"), ["'free'", "'hing'", "hinge"]),
    "word of a plane": (lambda s: plane(s, {"noral": "z"}), ["'c', plane", "'noral'", "takes at, normal", "'normal'?"]),
    "number for a word": (lambda s: plane(s, {3: "z"}), ["'c', plane", "it has no 3", "takes at, normal"]),
    "a law twice": (lambda s: (floor(s), floor(s)), ["'floor'"]),
}  # fmt: skip


@pytest.mark.parametrize("case", list(REFUSED))
def test_a_refusal_says_what_and_what_to_do(case):
    make, words = REFUSED[case]
    with pytest.raises(ModelError) as refused:
        make(model())
    for word in words:
        assert word in str(refused.value), str(refused.value)


@pytest.mark.parametrize("case", list(REFUSED))
def test_a_refused_law_leaves_no_trace(case):
    """The model can be used as if it had not been tried."""
    s = model()
    with pytest.raises(ModelError):
        REFUSED[case][0](s)
    assert list(s.contact_laws) in ([], ["floor"] if case == "a law twice" else [])


@pytest.mark.parametrize("keyword", ["friction", "static", "restitution", "across", "rolling", "spinning"])
def test_none_is_the_default(keyword):
    """As if it had not been given; restitution and across ended in a TypeError of Python."""
    made = [floor(model(), **given) for given in ({}, {keyword: None})]
    assert made[0] == made[1]


@pytest.mark.parametrize("depth", [1e-6, 0.3])
def test_bodies_that_overlap_at_the_start_are_refused(depth):
    s = mk.System()
    b = s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1 - depth))
    floor(s, b)
    with pytest.raises(ModelError, match=rf"'floor'.*gap is -{depth:.6g}.*apart"):
        mk.simulate(s, 0.1)


def test_a_limit_that_is_not_kept_at_the_start_is_refused():
    s = model()
    s.limit("stop", "rail", lower=0.2)
    with pytest.raises(ModelError, match=r"'stop'.*-0\.2.*limit"):
        mk.simulate(s, 0.1)


def test_a_taut_rope_that_is_too_short_is_refused():
    s = model()
    s.cable("rope", s.ground, "ball", length=0.8)
    with pytest.raises(ModelError, match=r"'rope'.*-0\.2"):
        mk.simulate(s, 0.1)


def test_round_off_at_the_start_is_no_overlap():
    s = mk.System()
    b = s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1 - 1e-15))
    floor(s, b)
    run = mk.simulate(s, 0.1)
    np.testing.assert_allclose(run["floor.force"].values, 9.81, rtol=1e-12)


def test_a_law_that_gains_energy_is_refused():
    with pytest.raises(SimulationError, match=r"'floor'.*newton.*1\.587.*law='poisson'"):
        mk.simulate(kane("newton"), 0.1)


def test_a_parameter_that_makes_friction_negative_is_refused():
    s = model()
    s.parameter("mu", 0.3)
    floor(s, friction="$mu")
    with pytest.raises(ModelError, match=r"'floor'.*-0\.1"):
        mk.simulate(s.with_parameters({"mu": -0.1}), 0.1)


def test_friction_by_a_formula_that_slides_is_refused_in_words():
    """A formula is not compared with a number: whether it is zero is not known."""
    s = mk.System()
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1), velocity=(1, 0, 0))
    floor(s, friction="0.2 + 0.1*abs(t)")
    with pytest.raises(ModelError, match=r"'floor' slides.*set its friction to 0"):
        mk.mobility(mk.simulate(s, 0.01).state(0.01).system)


def test_forces_on_what_touches_that_are_not_finite_end_in_words_alone(capfd):
    """Nothing is handed to LAPACK that makes it print lines of its own."""
    s = mk.System()
    s.body("box", mass=1.0, shape=mk.Box(0.2, 0.2, 0.2), position=(0, 0, 0.1))
    floor(s, "box", friction=0.5)
    s.force("push", "box", ("1e308*(9 + t)*exp(t + 9)", 0, 0))
    with pytest.raises(MekaneError, match="must be finite"):
        mk.simulate(s, 0.1)
    assert "On entry to" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("normal", [(0, 1, 0), (0, -1, 1e-12), (0.09, 1e272, 0.99)])
def test_a_plane_parallel_to_that_of_the_model_is_refused(normal):
    """It has no direction in which anything of a planar model meets it."""
    s = mk.System(planar="xz")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 1))
    s.contact("side", "ball", (s.ground, mk.Plane(normal=normal)), friction=0.5)
    with pytest.raises(ModelError, match="normal of its plane is across the xz plane.*leave out planar"):
        mk.simulate(s, 0.1)


@pytest.mark.parametrize("method", ["auto", "implicit"])
def test_friction_that_becomes_negative_on_the_way(method):
    """1 − t, at 1 s; before, it was refused at the start of a run only."""
    s = mk.System("hub", gravity=(0, 0, 0))
    s.body("hub", mass=1, inertia=(2, 2, 2))
    s.pin("pin", s.ground, "hub", at=(0, 0, 0), axis="z", rate=5)
    s.brake("brake", "pin", torque="1 - t")
    with pytest.raises(mk.SimulationError, match=r"brake 'brake': its friction becomes negative at t = 1 s"):
        mk.simulate(s, 2.0, method=method)


def puck(static, push="0", speed=0.0, height=0.0, **keywords):
    s = mk.System("puck", gravity=(0, 0, -10))
    s.body("puck", mass=1, inertia=(1, 1, 1), position=(0, 0, height), velocity=(speed, 0, 0))
    s.force("push", "puck", (push, 0, 0))
    s.parameter("mu", 0.3)
    s.contact("floor", ("puck", (0, 0, 0)), (s.ground, mk.Plane()), friction="$mu", static=static, **keywords)
    return s


WEAK = {
    "while it sticks": (puck("0.5 - t"), 0.2),
    "when its load breaks it away": (puck("0.5 - t", "1"), 0.2),
    "when it stops": (puck("0.5 - t", speed=1.5), 0.5),
    "when it falls on the floor": (puck("0.5 - 2*t", height=0.2), 0.2),
}


@pytest.mark.parametrize("case", list(WEAK))
def test_static_friction_that_falls_below_that_of_sliding(case):
    """It could neither stick nor slide: the second case began to slide and stuck again without end."""
    s, time = WEAK[case]
    with pytest.raises(
        mk.SimulationError,
        match=rf"contact 'floor': static friction of 'floor' is \S+ at t = {time:g}.* s, less than 0\.3.*Change",
    ):
        mk.simulate(s, 1.0)


@pytest.mark.parametrize("height", [0.0, 0.2])
def test_a_parameter_that_makes_static_friction_the_less_is_refused_at_the_start(height):
    """In the air, too."""
    with pytest.raises(ModelError, match=r"'floor': its static friction is 0\.5 at the start, less than 0\.6"):
        mk.simulate(puck(0.5, height=height).with_parameters({"mu": 0.6}), 0.1)


def test_friction_that_grows_with_the_velocity_may_exceed_static_friction():
    """Static friction is compared with what resists sliding at rest: x'' = −g (0.3 + x'/2), until it stops."""
    s = puck("0.35", speed=2.0)
    s.contact_laws.pop("floor")
    s.contact(
        "floor", ("puck", (0, 0, 0)), (s.ground, mk.Plane()), friction="0.3 + 0.5*abs(puck.velocity.x)", static=0.35
    )
    run = mk.simulate(s, 1.0)
    assert run.events[-1].time == pytest.approx(np.log(1.3 / 0.3) / 5.0, rel=1e-9)


def test_the_refusal_of_a_law_that_gains_names_it():
    """It began with: phases's law."""
    local = SimpleNamespace(velocity=np.array([-1.0]), D=np.array([[1.0]]))
    local.elements = [
        SimpleNamespace(index=0, rows=[0], name="floor", law="phases", by_normal=True, closed=True, gap=0.0, normal=0)
    ]
    with pytest.raises(
        SimulationError, match="'floor': restitution by the law 'phases' would multiply .* by 4;.*same restitution"
    ):
        refuse_gain(local, np.array([3.0]), 0.5)


def test_bodies_that_a_joint_connects():
    """They may touch all the time: a remark tells it, and the refusal of an overlap names the joint."""
    s = mk.System()
    s.body("a", mass=1, shape=mk.Sphere(0.1))
    s.body("b", mass=1, shape=mk.Sphere(0.1), position=(0.15, 0, 0))
    s.body("c", mass=1, shape=mk.Sphere(0.1), position=(0.4, 0, 0))
    s.pin("elbow", "a", "b", at=(0.075, 0, 0), axis="y")
    s.contacts("all", among=["a", "b", "c"])
    (remark,) = [one for one in s.check() if "'all'" in one]
    assert "joint 'elbow' connects 'a' and 'b'" in remark and "leave this pair out" in remark
    with pytest.raises(ModelError, match=r"'all\.a b' is -0\.05.*'a' and 'b' \(joint 'elbow'\): leave that pair out"):
        mk.simulate(s, 0.1)


def test_a_bearing_that_locks_itself():
    """To stop a mass at the distance l takes a force on the journal whose torque is μ r/l of that of the stop: 2 here."""
    s = mk.System("lock", gravity=(0, 0, 0))
    s.body("w", mass=1, inertia=(1e-4,) * 3, position=(0.05, 0, 0))
    s.pin("hinge", s.ground, "w", at=(0, 0, 0), axis="y", rate=5)
    s.bearing_friction("bearing", "hinge", friction=0.5, radius=0.2)
    with pytest.raises(
        SimulationError, match=r"bearing_friction 'bearing': it locks itself at t = 0 s.*'hinge'.*less friction"
    ):
        mk.simulate(s, 1.0)


def test_several_motions_are_reported():
    """A rod drawn over a floor beyond Painlevé's friction, lifted by less than jams it: it may leave, or stay and slide."""
    s, slope = mk.System("rod", planar="xz", gravity=(0, 0, 0)), np.radians(55)
    centre = (0.5 * np.cos(slope), 0, 0.5 * np.sin(slope))
    bar = s.body("bar", mass=1, inertia=1 / 12, position=centre, orientation=("y", -slope), velocity=(-1, 0, 0))
    s.force("lift", bar, (0, 0, 3))
    s.contact("tip", (bar, (-0.5, 0, 0)), (s.ground, mk.Plane()), friction=2.0)
    run = mk.simulate(s, 0.01)
    assert "'tip': at t = 0 s 2 motions satisfy contact and friction (Painlevé)" in str(run.health)
    assert run["tip.mode"].values[-1] == 0


def test_a_cable_that_is_too_short():
    s = mk.System("lamp")
    s.body("lamp", mass=1, inertia=(1, 1, 1), position=(0, 0, -3))
    s.cable("rope", s.ground, "lamp", length=2)
    with pytest.raises(
        ModelError, match=r"cable 'rope': its slack is -1 at the start; a rope does not stretch.*length="
    ):
        mk.simulate(s, 0.1)


def test_many_points_of_contact_are_announced(monkeypatch):
    """Before minutes are spent on them. A box has 8 corners."""
    monkeypatch.setattr(contacts, "MANY_POINTS", 7)
    s = mk.System("box")
    box = s.body("box", 1.0, shape=mk.Box(1, 1, 1), position=(0, 0, 1))
    s.contact("floor", box, (s.ground, mk.Plane()))
    with pytest.warns(contacts.ManyContactPointsWarning, match=r"at 8 points .*'floor'.*simpler shapes.*moreau"):
        mk.stepper(s)


def test_modes_that_change_without_end_are_named():
    """The rims of a coin as thin as what counts as touching: both of them touch at one place. No event of the model is named."""
    s, size, tilt = mk.System("coin"), 0.05, 0.5
    start = dict(position=(0, 0, size * np.sin(tilt)), orientation=("y", -tilt), angular_velocity=(-35, 0, -20))
    s.body("coin", mass=0.2, inertia=(1e-4, 1e-4, 2e-4), **start)
    s.contact("rim", ("coin", mk.Cylinder(size, 1e-9)), (s.ground, mk.Plane()), friction=0.9)
    words = "no time passes: .* modes of another, .*give what touches at one place one contact"
    with pytest.raises(SimulationError, match=words):
        mk.simulate(s, 0.1)
