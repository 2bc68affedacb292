"""Numbers of any size: computed with or refused with an explanation, never a warning of NumPy or of Python's parser.

Every warning is an error here, and every exception other than Mekane's own fails the test.
"""

import warnings

import numpy as np
import pytest

import mekane as mk
from mekane.errors import ModelError, SimulationError

CORNERS = np.array([(0, 0, 0), (0.3, 0, 0.9), (1.8, 0, 1.4), (2.2, 0, 0)])


def four_bar(size):
    s, last = mk.System("four-bar"), "ground"
    for k in range(3):
        s.body(f"link{k}", 1.0, (0.1, 0.1, 0.1), position=size * (CORNERS[k] + CORNERS[k + 1]) / 2)
        s.pin(f"pin{k}", last, f"link{k}", at=size * CORNERS[k], axis="y")
        last = f"link{k}"
    s.pin("pin3", last, "ground", at=size * CORNERS[3], axis="y")
    return s


@pytest.mark.parametrize("size", [1e51, 1e100, 1e154, 1e200, 1e307])
def test_sizes_beyond_computing_are_refused(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ModelError, match="of at most"):
            four_bar(size)


@pytest.mark.parametrize("keyword", ["mass", "rate", "stiffness"])
def test_so_are_other_quantities(keyword):
    numbers = dict(mass=1.0, rate=0.0, stiffness=1.0) | {keyword: 1e60}
    with pytest.raises(ModelError, match="1e.60.*of at most"):
        s = mk.System("pendulum")
        s.body("arm", numbers["mass"], (1, 1, 1), position=(1, 0, 0))
        s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=numbers["rate"])
        s.torsional_spring("spring", "hinge", stiffness=numbers["stiffness"])


@pytest.mark.parametrize(
    "analysis", [mk.mobility, mk.assemble, mk.equilibrium, mk.linearize, lambda s: mk.simulate(s, 0.1).health]
)
@pytest.mark.parametrize("size", [1e-30, 1e20, 1e40])
def test_analyses_answer_or_refuse(analysis, size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            analysis(four_bar(size))
        except (ModelError, SimulationError) as error:
            assert str(error)


@pytest.mark.parametrize("text", ["1if t<1else 2", "0x1for", "t is 1", "1 in t", "'\\d'", "1_000or t", "1.e"])
def test_the_parser_of_python_does_not_warn(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s = mk.System("block")
        s.body("block", 1.0, (1, 1, 1))
        try:
            s.force("push", "block", (text, 0, 0))
        except ModelError as error:
            assert str(error)
