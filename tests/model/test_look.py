"""How a body is drawn: read from files, written, added to other systems; it changes nothing of the motion."""

import numpy as np
import pytest

import mekane as mk
from mekane.model.geometry.look import NAMED
from mekane.view.scene.scene import scene

LOOK = {
    "colour": "teal",
    "solids": [{"box": [1, 0.2, 0.1], "at": [0.5, 0, 0]}, {"sphere": "5 cm", "colour": "#ABCDEF"}, mk.Cylinder(0.1, 1)],
}


def arm(look=None):
    s = mk.System("arm")
    s.body("arm", mass=2, inertia=(1, 1, 0.1), position=(0, 0, -1), look=look)
    s.pin("hinge", s.ground, "arm", on_a=(0, 0, 0), on_b=(0, 0, 1), axis_a="y", axis_b="y")
    return s


def test_it_is_drawn_where_and_in_the_colours_it_gives():
    """Oracle: the numbers given above; a shape has its own solid elsewhere (test_scene.py)."""
    (body,) = scene(arm(LOOK)).to_dict()["bodies"]
    assert body["colour"] == NAMED["teal"]
    assert [solid["kind"] for solid in body["solids"]] == ["box", "sphere", "cylinder"]
    assert [solid["colour"] for solid in body["solids"]] == [NAMED["teal"], "#abcdef", NAMED["teal"]]
    assert body["solids"][0]["position"] == [0.5, 0, 0] and body["solids"][1]["size"] == [0.05]


def test_only_a_colour_leaves_the_solids_as_they_are():
    plain, painted = (scene(arm(look)).to_dict()["bodies"][0] for look in (None, "red"))
    without = lambda body: [{**solid, "colour": ""} for solid in body["solids"]]
    assert painted["colour"] == NAMED["red"] and without(plain) == without(painted)


def test_it_survives_a_file_and_another_system(tmp_path):
    """Oracle: the record read back equals the one written; added as it is, too."""
    s = arm(LOOK)
    mk.save_model(s, tmp_path / "arm.yaml")
    assert mk.load_model(tmp_path / "arm.yaml").bodies["arm"].look.to_dict() == s.bodies["arm"].look.to_dict()
    host = mk.System("host")
    host.add("left", s)
    (added,) = host.bodies.values()
    assert added.look.to_dict() == s.bodies["arm"].look.to_dict()


def test_it_changes_nothing_of_the_motion():
    """Oracle: the same numbers to the last bit."""
    runs = [mk.simulate(arm(look), 0.5).numbers("hinge.angle") for look in (None, LOOK)]
    assert np.array_equal(*runs)


@pytest.mark.parametrize(
    ("look", "reason"),
    [
        ("reed", "colour is 'reed'; a colour is #rrggbb or one of black"),
        ("#12345", "colour is '#12345'"),
        ({"color": "red"}, "it has colour and solids"),
        ({"solids": {"box": [1, 1, 1]}}, "a list of shapes is expected"),
        ({"solids": [{"bxo": [1, 1, 1]}]}, "one shape is expected"),
        ({"solids": [None]}, "a shape is expected"),
        ({"solids": [{"box": [1, 1]}]}, "body 'arm', look"),
        ({"solids": [{"box": [1, 1, 1], "colour": "<b>"}]}, "colour is '<b>'"),
        (3, "it has colour and solids"),
    ],
)
def test_what_is_wrong_is_named(look, reason):
    with pytest.raises(mk.ModelError) as error:
        arm(look)
    assert "body 'arm'" in str(error.value) and reason in str(error.value)
