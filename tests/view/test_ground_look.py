"""A look of the ground. Oracles: the same model without it, whose motion has the same bits; files read back; pixels of pictures."""

import copy
import pickle

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.importers.yaml import dumps, load_document
from mekane.model.values.parameter_paths import numbers_of
from mekane.view.scene.scene import scene

SLAB = mk.Box(1.0, 0.6, 0.1, at=(0, 0, -1.2), color="#a97c4f")


def pendulum(look=None):
    s = mk.System("pendulum", parameters={"l": 1.0})
    rod = s.body("rod", mass=1, shape=mk.Rod("$l", radius=0.02), position=(0, 0, "$-l/2"))
    s.pin("hinge", s.ground, rod, at=(0, 0, 0), axis="y", rate=2.0)
    s.ground_look = look
    return s


def test_it_changes_nothing_of_the_motion():
    with_look, without = (mk.simulate(pendulum(look), 0.5) for look in ([SLAB], None))
    assert np.array_equal(with_look["hinge.angle"], without["hinge.angle"])
    assert np.array_equal(with_look.t, without.t)


def test_it_is_drawn():
    """In the scene, which pages read, and in pictures, in its colour; the floor is below it, and no post carries the pin."""
    plain, drawn = scene(pendulum()), scene(pendulum([SLAB]))
    (solid,) = drawn.ground["solids"]
    assert (solid.kind, solid.size, solid.colour) == ("box", (1.0, 0.6, 0.1), "#a97c4f") and plain.ground[
        "solids"
    ] == ()
    assert drawn.ground["floor"]["point"][2] == pytest.approx(-1.25)
    assert plain.joints[0].post is not None and drawn.joints[0].post is None
    brown = lambda look: brown_pixels(mk.simulate(pendulum(look), 0.1).picture(t=0.0, size=(200, 150)).image)
    assert brown([SLAB]) > 300 and brown(None) == 0


def brown_pixels(image):
    r, g, b = np.moveaxis(np.asarray(image.convert("RGB"), int), 2, 0)
    return int(((r - b > 60) & (r > g) & (g > b)).sum())


def test_model_files_have_it():
    s = pendulum([SLAB, mk.Sphere(0.1)])
    text = dumps(s)
    again, _ = load_document(text)
    assert again.ground_look == s.ground_look and "ground:" in text and dumps(again) == text
    assert "ground:" not in dumps(pendulum())
    assert (
        load_document("ground: {look: {box: [1, 2, 3], color: teal}}\nbodies: {a: {mass: 1}}")[0].ground_look[0].x == 1
    )


def test_it_goes_along_with_copies_and_parameters():
    s = pendulum({"sphere": "$l/10"})
    assert s.ground_look == (mk.Sphere(0.1),)
    assert s.with_parameters(l=2.0).ground_look == (mk.Sphere(0.2),)
    assert load_document(dumps(s))[0].with_parameters(l=3.0).ground_look == (mk.Sphere(0.3),)
    for other in (copy.deepcopy(s), pickle.loads(pickle.dumps(s)), mk.assemble(s, {"hinge.angle": 0.3}).system):
        assert other.ground_look == s.ground_look


def test_a_subassembly_says_that_it_is_left_out():
    host = mk.System("host")
    host.body("torso", mass=1, inertia=(1, 1, 1))
    host.add("leg", pendulum([SLAB]), to="torso")
    assert host.ground_look is None and any("the look of its ground is not drawn" in note for note in host.check())


def test_numbers_of_looks_are_no_numbers_of_the_model():
    """Nothing that varies every number, such as derivatives by parameters, has to do with what is drawn."""
    s = pendulum([SLAB])
    s.body("ball", mass=1, inertia=(1, 1, 1), look=[mk.Sphere(0.2)])
    assert not [one for one in numbers_of(s) if "look" in one] and "ball.mass" in numbers_of(s)
    with pytest.raises(mk.ModelError, match="it has no number 'look'"):
        s.with_parameters({"ball.look.1.sphere": 0.3})


@pytest.mark.parametrize(
    "given, message",
    [
        ("{look: {cube: 1}}", "cube"),
        ("{color: red}", "unknown key 'color'"),
        ("{look: {box: [1, 2]}}", "ground"),
        ("5", "a mapping"),
    ],
)
def test_what_is_wrong_is_named(given, message):
    with pytest.raises(mk.ModelError, match=message):
        load_document(f"ground: {given}\nbodies: {{a: {{mass: 1}}}}")


@pytest.mark.parametrize(
    "name", ["stick_slip_belt", "ratchet_hoist", "painleves_chalk", "car_axis", "two_bar_truss", "kanes_puzzle"]
)
def test_mechanisms_of_the_gallery_stand_on_something(name):
    found = scene(gallery.find(name).system())
    assert len(found.ground["solids"]) > 3 and all(solid.colour for solid in found.ground["solids"])
