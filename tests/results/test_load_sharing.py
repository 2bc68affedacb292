"""Loads that are not unique: the least share. Oracles: symmetry, and the pseudo-inverse of the equations of balance
written down by hand.

That formulations agree is tested in test_reactions and gallery/test_free_bodies, of every mechanism there.
"""

import numpy as np
import pytest

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS
from mekane.model.values.orientation import matrix_from

TILTED = matrix_from(("xyz", [0.3, 1.0, -0.4]))


def planetary(R):
    """Three planets, each of which meshes with the sun and with the ring: two meshes too many."""
    s = mk.System("planetary gear", gravity=(0, 0, 0))
    s.body("sun", 0.3, (2e-4, 2e-4, 4e-4), orientation=R)
    s.body("carrier", 0.2, (8e-4, 8e-4, 1.2e-3), orientation=R)
    s.pin("arm", s.ground, "carrier", at=(0, 0, 0), axis=R[:, 2])
    s.pin("shaft", "carrier", "sun", at=(0, 0, 0), axis=R[:, 2])
    for k in range(3):
        centre = R @ (0.05 * np.array([np.cos(2 * np.pi * k / 3), np.sin(2 * np.pi * k / 3), 0]))
        s.body(f"planet{k}", 0.1, (3e-5, 3e-5, 5e-5), position=centre, orientation=R)
        s.pin(f"P{k}", "carrier", f"planet{k}", at=centre, axis=R[:, 2])
        s.gear(f"sun mesh{k}", f"P{k}", "shaft", ratio=-1.5)
        s.gear(f"ring mesh{k}", f"P{k}", "arm", ratio=-3.5)
    s.torque("motor", "sun", R @ (0, 0, 0.5))
    return s


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("R", [np.eye(3), TILTED], ids=["straight", "tilted"])
def test_three_planets_carry_a_third_each(R, formulation):
    """By symmetry; together what the sun does not need for itself. 1e-12: round-off of torques below one."""
    run = mk.simulate(planetary(R), 0.1, every=0.05, formulation=formulation)
    on_sun = [run.reaction(f"sun mesh{k}", on="sun")["moment"].values @ R[:, 2] for k in range(3)]
    np.testing.assert_allclose(on_sun, [np.mean(on_sun, axis=0)] * 3, rtol=0, atol=1e-12)
    needed = 4e-4 * (run["sun.angular_acceleration"].values @ R[:, 2])
    np.testing.assert_allclose(np.sum(on_sun, axis=0) + 0.5, needed, rtol=0, atol=1e-12)
    multipliers = [run.reaction(f"ring mesh{k}")["multiplier"].values for k in range(3)]
    np.testing.assert_allclose(multipliers, [multipliers[0]] * 3, rtol=0, atol=1e-12)
    attrs = run.reaction("sun mesh1").attrs
    assert attrs["unique"] == 0 and "least share" in attrs["note"]


HINGES, COM, MASS, PUSH = ((0.0, 0.0, 0.2), (0.0, 0.0, 1.5)), np.array([0.4, 0.1, 1.0]), 20.0, (3.0, -5.0, 2.0)


def door():
    s = mk.System("door", gravity=(0, 0, -9.81))
    s.body("leaf", MASS, (3.0, 4.0, 1.5), position=COM)
    for k, point in enumerate(HINGES):
        s.pin(f"hinge{k}", s.ground, "leaf", at=point, axis="z")
    s.force("wind", "leaf", PUSH, at=(0, 0, 0))
    s.prescribed("shut", "hinge0", "0")
    return s


def least_of_the_door():
    """Forces and moments/L of two hinges and the moment/L that keeps it shut, from the six equations of balance, rows
    in N."""
    points = np.array([COM, *HINGES])
    L = np.linalg.norm(points - points.mean(axis=0), axis=1).max()
    cross = lambda p: np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
    about = [
        np.block([[np.eye(3), np.zeros((3, 2))], [cross(np.array(p) - COM) / L, np.eye(3)[:, :2]]]) for p in HINGES
    ]
    A = np.hstack([*about, np.array([[0, 0, 0, 0, 0, 1.0]]).T])
    load = -np.concatenate([np.array([*PUSH]) + (0, 0, -9.81 * MASS), np.zeros(3)])
    x = np.linalg.pinv(A) @ load
    return L, x[:5], x[5:10]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_two_hinges_of_a_door(formulation):
    """1e-9 of the weight: the door stands still, and the pseudo-inverse is exact to round-off."""
    run = mk.simulate(door(), 0.1, every=0.1, formulation=formulation)
    L, *expected = least_of_the_door()
    for k, one in enumerate(expected):
        r = run.reaction(f"hinge{k}")
        found = np.concatenate([r["force"].values[-1], r["moment"].values[-1] / L])
        np.testing.assert_allclose(found, [*one, 0.0], rtol=0, atol=1e-9 * MASS * 9.81)


def test_the_share_is_reported_in_the_plane_too():
    """A beam pinned at three points of a line, its weight in the middle: a third each is the least, and nothing tilts
    it."""
    s = mk.System("beam", planar="xz", gravity=(0, 0, -10.0))
    s.body("beam", 3.0, (1, 1, 1), position=(0, 0, 0))
    for k, x in enumerate((-1.0, 0.0, 1.0)):
        s.pin(f"post{k}", s.ground, "beam", at=(x, 0, 0), axis="y")
    run = mk.simulate(s, 0.1, every=0.1)
    up = [run.reaction(f"post{k}")["force"].values[-1, 2] for k in range(3)]
    np.testing.assert_allclose(up, [10.0, 10.0, 10.0], atol=1e-9)
