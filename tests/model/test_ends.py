"""A body alone as an end is the origin of its frame, for every kind with ends. Oracle: the same part with the point
(0, 0, 0) written out, which must be the equal record, and the equal file."""

import pytest

import mekane as mk
from mekane.importers.yaml import dumps
from mekane.model.constraint import End, constraint_kinds
from mekane.model.force import Axial, force_kinds
from mekane.model.set_valued import contact_kinds

O = (0, 0, 0)
AXIAL = [kind for kind, force in force_kinds.items() if force.between is Axial]
VALUES = {"spring": {"stiffness": 1, "length": 1}, "damper": {"damping": 1}, "inverse_square": {"strength": 1}}
ENDS = {  # every constraint and contact law whose fields are ends, with what else it needs
    "distance": (2, {}), "point_on_line": (1, {}), "point_on_plane": (1, {}), "path": (1, {"x": "0"}), "knife_edge": (1, {}),
    "steering_wheel": (1, {"steer": 0}), "rolling_disc": (1, {"radius": 1}), "rolling_sphere": (1, {"radius": 1}),
    "rolling_ellipsoid": (1, {"axes": (1, 1, 1)}), "rolling_spheres": (2, {"radius_a": 1, "radius_b": 1}),
    "point_on_curve": (1, {"curve": "x + y - 0.1"}), "cable": (2, {"length": 5}),
}  # fmt: skip


def system(where=(0.3, 0, 1)):
    """Two bodies that are turned and lie apart; the mass centres are not the origins."""
    s = mk.System("ends")
    s.body("one", 1, (1, 1, 1), com=(0.1, 0.2, 0.3), position=where, orientation=("z", "30 deg"))
    s.body("two", 1, (1, 1, 1), com=(0.1, 0.2, 0.3), position=(0, 2, 1))
    return s


@pytest.mark.parametrize("kind", AXIAL)
def test_a_force_between_two_bodies(kind):
    alone, in_full = (
        getattr(system(), kind)("f", a, b, **VALUES.get(kind, {"tension": "L"}))
        for a, b in [("one", "ground"), (("one", O), ("ground", O))]
    )
    assert alone == in_full


def test_no_kind_is_left_out():
    kinds = {**constraint_kinds, **contact_kinds}
    assert set(ENDS) == {kind for kind, made in kinds.items() if made.own_fields()[0].type is End}


@pytest.mark.parametrize("kind", ENDS)
def test_a_constraint_on_bodies_alone(kind):
    ends, keywords = ENDS[kind]
    made = []
    for full in (False, True):
        given = [(body, O) if full else body for body in ("one", "two")[:ends]]
        made.append(getattr(system(), kind)("c", *given, **keywords))
    assert made[0] == made[1]


def test_bodies_may_be_records_and_files_keep_them():
    s = system()
    s.spring("k", s.ground, s.bodies["one"], stiffness=mk.Param("k0", 5.0), length=1)
    s.distance("rod", s.bodies["one"], "two")
    again = mk.load_model(dumps(s))
    assert again.to_dict() == s.to_dict()
    assert again.with_parameters(k0=6.0).forces["k"].acts == s.forces["k"].acts


def test_a_file_with_bodies_alone():
    text = dumps(system()) + "forces:\n  k: {spring: [ground, one], stiffness: 2, length: 10 mm}\n"
    s = system()
    s.spring("k", ("ground", O), ("one", O), stiffness=2, length="10 mm")
    assert mk.load_model(text).forces["k"].acts == s.forces["k"].acts


def test_the_tension_is_that_of_the_origins():
    """Origins 1 m apart at the start, natural length 0.4 m: tension k (1 − 0.4), exact but for the square root."""
    s = mk.System("hung", gravity=(0, 0, 0))
    s.body("ball", 1, com=(0, 0, 0.25), position=(0, 0, -1))
    s.spring("k", s.ground, "ball", stiffness=100, length=0.4)
    run = mk.simulate(s, 1e-3)
    assert float(run["k.tension"][0]) == pytest.approx(60.0, rel=1e-14)
