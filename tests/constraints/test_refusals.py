"""What makes no sense raises an error with the part, the value and the remedy; what may be unintended gives a warning. Oracle: the
message."""

import math

import numpy as np
import pytest

import mekane as mk


def base():
    s = mk.System("two", parameters={"k": 2.0})
    one, two = (
        s.body("one", mass=1.0, inertia=(1, 1, 1)),
        s.body("two", mass=1.0, inertia=(1, 1, 1), position=(1, 0.5, 0.2)),
    )
    s.pin("turn", s.ground, one, at=(0, 0, 0), axis="z")
    s.pin_slider("both", one, two, at=(1, 0, 0), axis="x")
    s.body("free", mass=1.0, inertia=(1, 1, 1), position=(3, 0, 0))
    return s


O = (0, 0, 0)
AT_ONCE = [
    ("distance", [("one", O), ("two", (-1, -0.5, -0.2))], {}, "at the same place"),
    ("distance", [("one", O), ("two", O)], {"length": -1}, "length is -1"),
    ("distance", [("one", O), ("tow", O)], {}, "'tow' is not a body.*Did you mean 'two'"),
    ("distance", [("one", O)], {}, "b is missing"),
    ("prescribed", ["turn"], {}, "motion"),
    ("prescribed", ["trun", "t"], {}, "Did you mean 'turn'"),
    ("prescribed", ["both", "t"], {}, "coordinate is missing"),
    ("prescribed", [("both", "angel"), "t"], {}, "Did you mean 'angle'"),
    ("prescribed", ["turn", lambda t, state: math.sin(t)], {}, "has no expression"),
    ("prescribed", ["turn", "2*"], {}, "motion"),
    ("knife_edge", [("two", O)], {"along": (0, 0, 0)}, "length zero"),
    ("knife_edge", [("two", O)], {"along": "z"}, "along the normal"),
    ("knife_edge", [("two",)], {}, "a body, or a body and a point"),
    ("steering_wheel", [("two", O), "1 m"], {}, "not a unit of angle"),
    ("steering_wheel", [("two", O)], {"along": "-z"}, "along the normal"),
    ("rolling_disc", [("two", O), 0], {}, "radius is 0"),
    ("rolling_disc", [("two", O), 0.1], {"tube": -0.1}, "tube is -0.1"),
    ("rolling_disc", [("two", O), 0.1], {"axis": "w"}, "a direction is expected"),
    ("rolling_sphere", [("two", O), -0.1], {}, "radius is -0.1"),
    ("rolling_sphere", [("two", O), "1 kg"], {}, "not a unit of length"),
    ("rolling_sphere", [("two", O), 0.1], {"on": ("two", O)}, "same body"),
    ("rolling_ellipsoid", [("two", O), (1, 2)], {}, "3 components"),
    ("rolling_ellipsoid", [("two", O), (1, -2, 3)], {}, r"axes\[1\] is -2"),
    ("rolling_spheres", [("one", O), ("two", O), 1.0, 0.0], {}, "radius_b is 0"),
    ("rolling_spheres", [("one", O), ("two", O), 1.0, 2.0], {"inside": True}, "must be the smaller one"),
    ("rolling_spheres", [("one", O), ("two", O), 1.0, 0.5], {"inside": "yes"}, "it is True or False"),
    ("rolling_spheres", [("one", O), ("two", (-1, -0.5, -0.2)), 1.0, 0.5], {}, "centres are at the same place"),
    ("point_on_line", [("two", O)], {"direction": O}, "length zero"),
    ("point_on_line", [("two", O)], {"on": ("two", O)}, "same body"),
    ("point_on_plane", [("two", O)], {"normal": "up"}, "a direction is expected"),
    ("point_on_curve", [("two", O), []], {}, "curve is empty"),
    ("point_on_curve", [("two", O), ["x", "y", "z"]], {}, "curve has 3 equations"),
    ("point_on_curve", [("two", O), "2*t"], {}, "none of x, y, z"),
    ("point_on_curve", [("two", O), "(x - 1)**2"], {}, "gradient"),
    ("point_on_curve", [("two", O), "sqrt(x - 5)"], {}, "smooth"),
    ("point_on_curve", [("two", O), lambda t, state: math.sin(t)], {}, "has no expression"),
    ("parallel", [("one", "x"), ("two", "-x")], {}, "opposite ways"),
    ("parallel", [("one", "x"), ("one", "y")], {}, "same body"),
    ("parallel", [("one", "x"), "two"], {}, "a body and a direction"),
    ("perpendicular", [("one", "x"), ("two", O)], {}, "length zero"),
    ("gear", ["turn", ("both", "angle"), 0], {}, "ratio is 0"),
    ("gear", ["turn", "turn", 2], {}, "two different coordinates"),
    ("gear", ["turn", ("both", "angle"), "2 m"], {}, "ratio"),
    ("rack_and_pinion", ["turn", "turn", 0.1], {}, "no sliding coordinate"),
    ("rack_and_pinion", ["turn", "both", -0.1], {}, "radius is -0.1"),
    ("path", [("two", O)], {}, "none of x, y and z"),
    ("path", [("two", O)], {"x": "1 s"}, "not a unit of length"),
    ("path", [("ground", O)], {"x": "t"}, "same body"),
    ("position_constraint", [[]], {}, "expressions is empty"),
    ("velocity_constraint", [lambda t, state: math.sin(t)], {}, "has no expression"),
    ("velocity_constraint", ["one.velocity.x +"], {}, "expressions"),
]  # fmt: skip


@pytest.mark.parametrize("kind, arguments, keywords, message", AT_ONCE)
def test_refused_when_it_is_given(kind, arguments, keywords, message):
    s = base()
    with pytest.raises(mk.ModelError, match=message) as caught:
        getattr(s, kind)("it", *arguments, **keywords)
    assert "'it'" in str(caught.value) or "it" in caught.value.part
    assert not s.constraints


WHEN_COMPILED = [
    ("prescribed", ["turn", "turn.angle.rate"], "holds speeds"),
    ("prescribed", ["turn", "sin(w*t)"], "unknown name 'w'"),
    ("prescribed", ["turn", {"table": [[0, 0], [1, 1]]}], "linear table"),
    ("position_constraint", ["one.position.x - table(t, (0, 0), (1, 1))"], "linear table"),
    ("coupler", [("both", "angle"), "2*tunr.angle"], "Did you mean 'turn.angle'"),
    ("coupler", [("both", "angle"), "2*both.angel"], "Did you mean 'both.angle'"),
    ("steering_wheel", [("free", O), "turn.angle.rate"], "accelerations|speeds"),
    ("point_on_curve", [("free", O), "x - rr"], "unknown name 'rr'"),
    ("position_constraint", ["one.velocity.x - 2"], "holds speeds"),
    ("position_constraint", ["sin(t)"], "no body's position"),
    ("position_constraint", ["one.positon.x"], "Did you mean 'one.position.x'"),
    ("velocity_constraint", ["one.position.x - 2"], "no body's velocity"),
    ("velocity_constraint", ["turn.angle.rate.rate"], "holds accelerations"),
    ("velocity_constraint", ["both.length.rate"], "unknown name 'both.length.rate'"),
    ("acceleration_constraint", ["one.velocity.x - 2"], "no body's acceleration"),
    ("acceleration_constraint", ["free.acceleration.x**2 - 2"], "other than linearly"),
    ("acceleration_constraint", ["free.aceleration.x - 2"], "Did you mean 'free.acceleration.x'"),
]


@pytest.mark.parametrize("kind, arguments, message", WHEN_COMPILED)
def test_refused_when_names_are_known(kind, arguments, message):
    s = base()
    getattr(s, kind)("it", *arguments)
    with pytest.raises(mk.ModelError, match=message) as caught:
        mk.simulate(s, 0.1)
    assert "it" in caught.value.part


IMPOSSIBLE = [
    ("point_on_curve", [("one", (0.5, 0, 0)), "r - 0.7"], {}),
    ("point_on_curve", [("free", O), "x**2 + y**2 + 1"], {}),
    ("distance", [("ground", (5, 0, 0)), ("one", (0.5, 0, 0))], {"length": 2.0}),
    ("path", [("one", (0.5, 0, 0))], {"x": "2 + t"}),
    ("point_on_plane", [("one", O)], {"on": ("ground", (0, 0, 1))}),
]


@pytest.mark.parametrize("kind, arguments, keywords", IMPOSSIBLE)
def test_what_cannot_be_met_is_named(kind, arguments, keywords):
    """No position of the bodies meets it: assembly says which constraint."""
    s = base()
    getattr(s, kind)("it", *arguments, **keywords)
    with pytest.raises(mk.ModelError, match="'it'"):
        mk.simulate(s, 0.1)


def test_contradictions_are_named():
    """Two drives that disagree in speed from the start."""
    s = base()
    s.prescribed("fast", "turn", "2*t")
    s.prescribed("slow", "turn", "t")
    with pytest.raises(mk.ModelError, match="fast|slow"):
        mk.simulate(s, 0.1)


HOLONOMIC = [
    ("one.velocity.x - 3*two.velocity.y", True),
    ("turn.angle.rate - k*both.angle.rate + sin(t)", True),
    ("two.velocity.y*two.position.x + two.velocity.x*two.position.y - 2*t", True),  # d(xy − t²)
    # an integrating factor
    ("exp(two.position.x)*(two.velocity.y*two.position.x + two.velocity.x*two.position.y)", True),
    ("two.velocity.x - two.position.y*free.velocity.z", False),  # dx − y dz, the standard contact form
    ("cos(turn.angle)*two.velocity.y - sin(turn.angle)*two.velocity.x", False),  # a knife edge
    ("two.velocity.x - turn.angle*t", False),  # the rate of x depends on an angle that is free
    (["two.velocity.x - two.position.y*free.velocity.z", "free.velocity.z"], True),  # together
    ("two.angular_velocity.z - one.angular_velocity.z", False),  # cannot be decided
    ("two.velocity.x**2 - 1", False),
]


@pytest.mark.parametrize("expressions, holonomic", HOLONOMIC)
def test_a_secretly_holonomic_constraint_is_reported(expressions, holonomic):
    """Frobenius' condition, decided by hand in the list."""
    s = base()
    s.velocity_constraint("it", expressions)
    warnings = [line for line in s.check() if "holonomic" in line]
    assert len(warnings) == holonomic
    if holonomic:
        assert "velocity_constraint 'it'" in warnings[0]


def test_one_holonomic_equation_in_a_list_is_reported():
    s = base()
    s.velocity_constraint("it", ["two.velocity.x - two.position.y*free.velocity.z", "free.velocity.x - 2*t"])
    (warnings,) = (line for line in s.check() if "holonomic" in line)
    assert "'free.velocity.x - 2*t'" in warnings


def test_files_name_the_place_of_a_mistake():
    from mekane.importers.yaml import load

    text = "bodies: {a: {mass: 1}}\nconstraints: {roll: {rolling_sphere: [a, [0, 0, 0]], radius: -1}}\n"
    with pytest.raises(mk.ModelError, match="constraints › roll.*radius is -1"):
        load(text)
    with pytest.raises(mk.ModelError, match="Did you mean 'rolling_sphere'"):
        load(text.replace("rolling_sphere", "roling_sphere"))
    with pytest.raises(mk.ModelError, match="radius"):
        load(text.replace("radius", "radus").replace("-1", "1"))


def test_a_function_that_can_be_traced_is_an_expression():
    """A Python function of numpy becomes an expression, is differentiated and can be saved."""
    s = base()
    s.prescribed("it", "turn", lambda t, state: 0.2 * np.sin(3 * t))
    run = mk.simulate(s, 0.5)
    assert run["turn.angle"].values == pytest.approx(0.2 * np.sin(3 * run.t), abs=1e-12)
    assert s.constraints["it"].to_dict()["motion"] == "0.2*sin(3*t)"
