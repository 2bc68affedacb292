"""How a body is drawn: read from files, written, added to other systems; it changes nothing of the motion."""

import numpy as np
import pytest

import mekane as mk
from mekane.model.geometry.colours import NAMES
from mekane.view.scene.scene import scene

LOOK = [{"box": [1, 0.2, 0.1], "at": [0.5, 0, 0]}, {"sphere": "5 cm", "color": "#ABCDEF"}, mk.Cylinder(0.1, 1)]


def arm(look=None, color=None):
    s = mk.System("arm")
    s.body("arm", mass=2, inertia=(1, 1, 0.1), position=(0, 0, -1), look=look, color=color)
    s.pin("hinge", s.ground, "arm", on_a=(0, 0, 0), on_b=(0, 0, 1), axis_a="y", axis_b="y")
    return s


def test_it_is_drawn_where_and_in_the_colours_it_gives():
    """Oracle: the numbers given above; a shape has its own solid elsewhere (test_scene.py)."""
    (body,) = scene(arm(LOOK, "teal")).to_dict()["bodies"]
    assert body["colour"] == NAMES["teal"]
    assert [solid["kind"] for solid in body["solids"]] == ["box", "sphere", "cylinder"]
    assert [solid["colour"] for solid in body["solids"]] == [NAMES["teal"], "#abcdef", NAMES["teal"]]
    assert body["solids"][0]["position"] == [0.5, 0, 0] and body["solids"][1]["size"] == [0.05]


def test_only_a_colour_leaves_the_solids_as_they_are():
    plain, painted = (scene(arm(color=color)).to_dict()["bodies"][0] for color in (None, "red"))
    without = lambda body: [{**solid, "colour": ""} for solid in body["solids"]]
    assert painted["colour"] == NAMES["red"] and without(plain) == without(painted)


def test_it_survives_a_file_and_another_system(tmp_path):
    """Oracle: the record read back equals the one written; added as it is, too."""
    s = arm(LOOK, "teal")
    mk.save_model(s, tmp_path / "arm.yaml")
    assert mk.load_model(tmp_path / "arm.yaml").bodies["arm"].to_dict() == s.bodies["arm"].to_dict()
    host = mk.System("host")
    host.add("left", s)
    added, own = host.bodies["left_arm"].to_dict(), s.bodies["arm"].to_dict()
    assert added["look"] == own["look"] and added["color"] == own["color"] == NAMES["teal"]


def test_it_changes_nothing_of_the_motion():
    """Oracle: the same numbers to the last bit."""
    runs = [mk.simulate(arm(look), 0.5).numbers("hinge.angle") for look in (None, LOOK)]
    assert np.array_equal(*runs)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"color": "reed"}, "Did you mean 'red'"),
        ({"color": "#12345"}, "color is '#12345'"),
        ({"color": [1, 2, 3]}, "numbers from 0 to 1"),
        ({"look": [{"bxo": [1, 1, 1]}]}, "one shape is expected"),
        ({"look": [None]}, "a shape is expected"),
        ({"look": [{"box": [1, 1]}]}, "body 'arm', look"),
        ({"look": [{"box": [1, 1, 1], "color": "<b>"}]}, "color is '<b>'"),
        ({"look": 3}, "shape"),
    ],
)
def test_what_is_wrong_is_named(given, reason):
    with pytest.raises(mk.ModelError) as error:
        arm(**given)
    assert "arm" in str(error.value) and reason in str(error.value)
