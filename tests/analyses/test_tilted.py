"""A mechanism turned and moved as a whole is the same mechanism, though rows that were exactly zero are then round-off.

Oracle: the mechanism that stands straight, whose redundant rows vanish to the last bit. 1e-9: positions of order one,
given to 1e-16, and tolerances of 1e-12 of the analyses.
"""

import numpy as np
import pytest

import mekane as mk
from mekane.model.values.orientation import matrix_from

CORNERS = np.array([(0.0, 0.0, 0.0), (0.3, 0.0, 0.9), (1.8, 0.0, 1.4), (2.2, 0.0, 0.0)])
WAYS = {"straight": (np.eye(3), np.zeros(3))}
WAYS |= {
    f"tilted{k}": (matrix_from(("xyz", np.random.default_rng(k).uniform(-3, 3, 3))), np.array([0.3, -1.1, 0.7]) * k)
    for k in (1, 2)
}


def four_bar(R, offset):
    """In space, of four pins about one direction: three rows of the pin that is cut vanish."""
    s = mk.System("four-bar", gravity=R @ (0, 0, -9.81))
    world, axis, last = (lambda p: offset + R @ p), R @ (0, 1, 0), s.ground
    for k in range(3):
        link = s.body(f"b{k}", 1.0 + k, (0.1, 0.1, 0.1), position=world((CORNERS[k] + CORNERS[k + 1]) / 2))
        s.pin(f"j{k}", last, link, at=world(CORNERS[k]), axis=axis)
        last = link
    s.pin("j3", last, s.ground, at=world(CORNERS[3]), axis=axis)
    s.torsional_spring("spring", "j0", stiffness=30.0)
    return s


def door(R, offset):
    """On two hinges in line: all rows of the second vanish."""
    s = mk.System("door", gravity=R @ (0, -3.0, -9.0))
    leaf = s.body("leaf", 20.0, (3.0, 4.0, 1.5), position=offset + R @ (0.4, 0, 1.0), orientation=R)
    for name, z in (("j0", 0.2), ("j3", 1.8)):
        s.pin(name, s.ground, leaf, at=offset + R @ (0, 0, z), axis=R @ (0, 0, 1))
    s.torsional_spring("spring", "j0", stiffness=2.0)
    return s


@pytest.fixture(scope="module", params=[four_bar, door], ids=lambda made: made.__name__)
def both(request):
    return request.param


@pytest.fixture(scope="module")
def straight(both):
    return answers(both(*WAYS["straight"]))


def answers(s):
    at = mk.equilibrium(s)
    found = {f"eigenvalues, {f}": np.abs(mk.linearize(s, at, formulation=f).eigenvalues) for f in ("joint", "absolute")}
    found["slopes"] = np.abs(mk.sensitivity(s, ["spring.stiffness"], of="eigenvalues", at=at).slopes)
    found["mobility"] = [mk.mobility(s).freedom, mk.mobility(s).rank]
    found["rest"] = at["j0.angle"]
    found["driven"] = mk.kinematics(s, {"j0.angle": np.linspace(0, 0.2, 3)})["j3.angle"].values
    found["by multipliers"] = mk.simulate(s, 0.5)["j3.angle"].values[-1]
    found["embedded"] = mk.simulate(s, 0.5, constraints="embedded")["j3.angle"].values[-1]
    return found


@pytest.mark.parametrize("way", ["tilted1", "tilted2"])
def test_round_off_forbids_nothing(way, both, straight):
    for name, value in answers(both(*WAYS[way])).items():
        assert np.shape(value) == np.shape(straight[name]), name
        assert np.allclose(value, straight[name], rtol=0, atol=1e-9 * (1 + np.abs(straight[name]).max())), (
            name,
            value,
            straight[name],
        )
