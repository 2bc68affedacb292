"""What pictures add to a scene. Oracles: the displacements of the run, and the places the model names."""

import numpy as np
import pytest

import mekane as mk
from mekane.model.values.orientation import matrix_from_quaternion
from mekane.view.motion.frames import frames
from mekane.view.render.posts import post_tops
from mekane.view.render.scene_details import with_details
from mekane.view.scene.joint_glyphs import RAIL
from mekane.view.scene.scene import PIN, scene


@pytest.fixture(scope="module")
def run():
    """A cart on a rail with a spring, a motor and a damper about a pin on it, and a bushing."""
    s = mk.System("cart")
    s.body("cart", mass=1.0, shape=mk.Box(0.2, 0.1, 0.1))
    s.body("arm", mass=0.5, inertia=(0.01, 0.01, 0.01), position=(0, 0, -0.3))
    s.slider("way", s.ground, "cart", at=(0, 0, 0), axis="x", rate=3.0)
    s.pin("hinge", "cart", "arm", at=(0, 0, 0), axis="y")
    s.sliding_spring("back", "way", stiffness=20.0)
    s.motor("drive", "hinge", torque=0.1)
    s.torsional_damper("drag", "hinge", damping=0.01)
    s.spring("tie", (s.ground, (0, 0, 1)), ("cart", (0, 0, 0.05)), stiffness=5.0, length=0.5)
    s.bushing("soft", s.ground, "arm", at=(0, 0, -0.3), stiffness=(1, 1, 1, 0, 0, 0))
    return mk.simulate(s, 2.0, every=0.01)


@pytest.fixture(scope="module")
def drawn(run):
    return with_details(scene(run.system), frames(run).travel)


def test_a_rail_reaches_as_far_as_the_cart_goes(run, drawn):
    """Ends of the rail in the world lie beyond every place of the cart, by as much on both sides; the place where it is
    held included."""
    (rail,) = (part["solid"] for part in drawn.joints[0].glyph if part["solid"].colour == RAIL)
    axis = matrix_from_quaternion(rail.rotation)[:, 2]
    ends = [np.array(rail.position) + side * rail.size[-1] / 2 * axis for side in (-1, 1)]
    x, (low, high) = run.numbers("cart.position")[:, 0], sorted(end[0] for end in ends)
    assert np.ptp(x) > 0.5 and low < min(x.min(), 0) and max(x.max(), 0) < high
    assert (min(x.min(), 0) - low) == pytest.approx(high - max(x.max(), 0), abs=1e-9)
    spring = next(force for force in drawn.forces if force.name == "back")
    assert min(np.linalg.norm(np.array(spring.ends[0].point) - end) for end in ends) < 1e-12


def test_a_level_rail_stands_on_two_posts_that_the_cart_never_meets(run, drawn):
    """Oracle: the way of the cart. A rail that hangs down has none."""
    way, up = drawn.joints[0], np.array([0.0, 0.0, 1.0])
    tops = np.array(post_tops(way, True, up))
    x = run.numbers("cart.position")[:, 0]
    assert tops.shape == (2, 3) and np.abs(tops[:, 1:]).max() < 1e-12
    assert min(tops[:, 0]) < x.min() and max(tops[:, 0]) > x.max()
    assert post_tops(way, True, np.array([1.0, 0.0, 0.0])) == []


def test_what_is_about_an_axis_is_on_it(drawn):
    """The motor and the damper are discs about the pin's axis, on opposite sides of its point; no line is drawn for
    them."""
    discs = [part for part in drawn.joints[1].glyph if part["solid"].kind == "disc"]
    assert [part["solid"].colour for part in discs] == ["#d97706", "#5b6875"]
    places = np.array([part["solid"].position for part in discs])
    assert np.abs(places[:, [0, 2]]).max() < 1e-12 and places[0, 1] * places[1, 1] < 0
    assert all(np.abs(matrix_from_quaternion(part["solid"].rotation)[:, 2]) @ (0, 1, 0) > 1 - 1e-12 for part in discs)
    assert [force.name for force in drawn.forces] == ["back", "tie"]


def test_anchors_and_bushings(drawn):
    """A grey ball where the ground holds the spring; a dark one around the bushing, on the body of its first end."""
    ground = [solid for solid in drawn.ground["solids"] if solid.kind == "sphere"]
    unit = PIN * drawn.scale
    assert [0, 0, 1] in [list(solid.position) for solid in ground if solid.size == (0.8 * unit,)]
    assert [solid.position for solid in ground if solid.colour == "#3b3f46"] == [(0.0, 0.0, -0.3)]


def test_it_is_drawn(run):
    """The colours of the motor and of the spring are seen."""
    pixels = run.picture(size=(320, 240)).array.reshape(-1, 3).astype(int)
    red, green, blue = pixels.T
    assert np.sum((red > 1.4 * green) & (green > 2 * blue)) > 20
