"""Words that analyses cannot use are refused, in the name of the analysis; pictures are written whole or not at all.

Oracle: the message names part and value; files that were there are as they were."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ExpressionError, FileError, ModelError


@pytest.fixture
def arm():
    s = mk.System("arm", parameters={"k": 1.0})
    s.body("arm", mass=2, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    s.motor("m", "hinge", torque=0.0)
    s.torsional_spring("s", "hinge", stiffness="k")
    return s


@pytest.mark.parametrize("starts", [0, -3, 2.5, "x", True])
def test_number_of_starts(arm, starts):
    with pytest.raises(ModelError, match="starts is"):
        mk.equilibrium(arm, all=True, starts=starts)


def test_words_that_would_do_nothing(arm):
    with pytest.raises(ModelError, match="all is not given"):
        mk.equilibrium(arm, starts=5)
    with pytest.raises(ModelError, match="all=True and solve_for"):
        mk.equilibrium(arm, all=True, solve_for="m.torque")


def test_lists_that_are_none(arm):
    for ask in (
        lambda: mk.equilibrium(arm, solve_for=3),
        lambda: mk.steady(arm, solve_for=3),
        lambda: mk.sensitivity(arm, to=3, t_end=1),
    ):
        with pytest.raises(ModelError, match="it is 3; a list of names"):
            ask()


def test_unknown_names_are_reported_with_the_analysis(arm):
    with pytest.raises(
        ExpressionError, match=r"^equilibrium: unknown name 'hinge\.angel'.*Did you mean 'hinge\.angle'"
    ):
        mk.equilibrium(arm, at={"hinge.angel": 1})
    with pytest.raises(ExpressionError, match=r"^sensitivity, of: unknown name"):
        mk.sensitivity(arm, to="k", of="hinge.angel", t_end=1)


@pytest.mark.parametrize("word", ["rtol", "atol"])
def test_tolerances_of_sensitivities(arm, word):
    """A negative one used to give numbers that were off in the second digit."""
    with pytest.raises(ModelError, match=f"{word}: it is -1"):
        mk.sensitivity(arm, to="k", t_end=1, **{word: -1})


DRAWN = {
    "equilibrium": lambda s: mk.equilibrium(s),
    "continuation": lambda s: mk.continuation(s, "k", (1, 2)),
    "modes": lambda s: mk.modes(s),
    "kinematics": lambda s: mk.kinematics(s, "hinge", (0, 1, 5)),
    "inverse": lambda s: mk.inverse_dynamics(s, {"hinge": "sin(t)"}, times=np.linspace(0, 1, 5)),
}


@pytest.mark.parametrize("analysis", DRAWN)
def test_pictures(arm, analysis, tmp_path):
    import matplotlib

    before, found = matplotlib.get_backend(), DRAWN[analysis](arm)
    found.plot(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG" and matplotlib.get_backend() == before
    (tmp_path / "a.foo").write_text("kept")
    for path in (tmp_path / "a.foo", tmp_path / "none" / "a.png"):
        with pytest.raises(FileError, match="cannot be written"):
            found.plot(path)
    assert (tmp_path / "a.foo").read_text() == "kept" and len(list(tmp_path.iterdir())) == 2
