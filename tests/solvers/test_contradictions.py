"""Constraints that cannot hold together are named; those that repeat one another are reported; ladders of many loops
run."""

import numpy as np
import pytest

import mekane as mk
from mekane.gallery import four_bar_chain


def pendulum():
    s = mk.System("p")
    s.body("b", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(1, 0, 0))
    return s


def test_two_lengths_of_one_rod():
    s = pendulum()
    s.distance("rod", ("ground", (0, 0, 0)), ("b", (0, 0, 0)), length=1.0)
    s.distance("other", ("ground", (0, 0, 0)), ("b", (0, 0, 0)), length=1.2)
    with pytest.raises(mk.ModelError, match="'rod' and 'other' cannot both hold: the nearest positions miss"):
        mk.simulate(s, 1.0)


def test_two_motions_of_one_joint():
    s = pendulum()
    s.pin("hinge", "ground", "b", at=(0, 0, 0), axis="y")
    s.prescribed("one", "hinge", "2*t")
    s.prescribed("two", "hinge", "3*t")
    with pytest.raises(mk.ModelError, match="'one' and 'two' cannot both hold: their speeds differ by 0.5"):
        mk.simulate(s, 1.0)


def test_a_joint_and_a_constraint():
    s = pendulum()
    s.pin("hinge", "ground", "b", at=(0, 0, 0), axis="y")
    s.distance("rod", ("ground", (0, 0, 0)), ("b", (0, 0, 0)), length=1.5)
    with pytest.raises(mk.ModelError, match="'hinge' and 'rod' cannot both hold"):
        mk.simulate(s, 1.0)


def test_repeated_constraints_are_reported_and_share_the_load():
    """The same motion given twice: one row is held; together the two give the torque of gravity and inertia, m g l cos θ
    (l = 1 m)."""
    s = pendulum()
    s.pin("hinge", "ground", "b", at=(0, 0, 0), axis="y")
    s.prescribed("one", "hinge", "2*t")
    s.prescribed("two", "hinge", "2*t")
    run = mk.simulate(s, 1.0, every=0.25)
    assert run.redundancy.repeats == {"two": (1, 1)} and set(run.redundancy.not_unique) == {"one", "two"}
    assert "Prescribed 'two' repeats 1 of the 1 constraints it adds" in str(run.health)
    total = run["one.multiplier"].values[:, 0] + run["two.multiplier"].values[:, 0]
    np.testing.assert_allclose(total, -9.81 * np.cos(2 * run.t), atol=1e-10)  # round-off: nothing here is integrated


def test_many_loops_run():
    """400 loops in space: 2000 rows, 1200 of which repeat others. Exact on the branch of parallel cranks; tolerances of
    the run, 1e-8 m."""
    run = mk.simulate(four_bar_chain.system(400), 0.2, every=0.1)
    assert run.info["rows"] == 2000 and run.info["rows_held"] == 800
    np.testing.assert_allclose(run["left0.point.x"], four_bar_chain.exact(400)(run.t)["x"], atol=1e-8)
    assert run.residuals.largest < 1e-11 and run.health.ok


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("equation", ["sqrt(b.position.x - 1)", "log(b.position.x)", "b.position.x**-1e248 - 1"])
def test_an_equation_without_a_number_is_named(equation):
    """Least squares of what is not finite ended in LinAlgError, or in warnings."""
    s = mk.System("s")
    s.body("b", mass=1.0, inertia=(1, 1, 1))
    s.position_constraint("keep", equation)
    with pytest.raises(mk.ModelError, match="constraint 'keep': its equations have no finite values at the start"):
        mk.assemble(s)
