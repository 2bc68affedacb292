"""Exports of models that are special, and exported equations in use: integrated by somebody else."""

import numpy as np
import pytest
from exported import GALLERY, T, exported
from languages_played import PLAYED, play

import mekane as mk
from mekane.symbolic.functions import functions


def played(system, **options):
    names = {}
    exec(mk.export_equations(system, language="numpy", **options), names)
    return names


@pytest.mark.parametrize("language", PLAYED)
def test_nothing_moves(language, tmp_path):
    """A model without coordinates: functions that give nothing, and no language minds."""
    s = mk.System("stuck")
    s.weld("glue", s.ground, s.body("block", 1.0, inertia=(1, 1, 1)))
    call = play(functions(s), language, tmp_path)
    assert call("rhs", 0.0, [], []).shape == (0,) and call("mass_matrix", 0.0, [], []).shape == (0, 0)


def test_integrals_of_controllers_are_part_of_the_state():
    """Oracle: the compiled right-hand side, with integrals that are not zero. Tolerance: the promise of the docs."""
    found, model, y = exported("mounts")
    n, state = model.n_q + model.n_u, found.sizes["state"]
    assert found.sizes["integrals"] == 2 and [one.name for one in found.state[n:]] == [
        "drive.integral",
        "second.integral",
    ]
    y = y.copy()
    y[n:state] = 0.3, -0.7
    expected = model.rhs(T, y)[:state]
    assert (
        np.abs(play(found, "numpy", None)("rhs", T, y[:state], [25.0]) - expected).max()
        <= 1e-12 * np.abs(expected).max()
    )


def test_rows_for_accelerations():
    """ud follows what the row says. Oracle: the equation itself; and the levels stand in the file."""
    s = mk.System("lift")
    body = s.body("cage", 2.0, inertia=(1, 1, 1))
    s.slider("shaft", s.ground, body, at=(0, 0, 0), axis="z")
    s.acceleration_constraint("law", "cage.acceleration.z - 0.1*t - 0.2*cage.velocity.z")
    names, y = played(s), np.array([0.4, 0.5])
    assert names["rhs"](3.0, y) == pytest.approx([0.5, 0.1 * 3.0 + 0.2 * 0.5], rel=1e-14)
    assert names["constraint_jacobian"](3.0, y) @ names["rhs"](3.0, y)[1:] + names["constraint_bias"](
        3.0, y
    ) == pytest.approx([0.0], abs=1e-15)
    assert not names["constraint"](3.0, y).any() and not names["constraint_rate"](3.0, y).any()
    assert "law row 1  acceleration" in mk.export_equations(s)


@pytest.mark.parametrize(
    "name, t_end", [("double_pendulum", 1.0), ("slider_crank_planar", 0.3), ("two_bar_truss", 0.5)]
)
def test_integrated_by_somebody_else(name, t_end):
    """Oracle: mk.simulate. Both at 1e-11: what two integrators leave, and the drift of constraints, is far below
    1e-7."""
    from scipy.integrate import solve_ivp

    system = GALLERY[name].system()
    names = played(system)
    found = solve_ivp(names["rhs"], (0.0, t_end), names["Y0"], rtol=1e-11, atol=1e-12).y[:, -1]
    run = mk.simulate(system, t_end, every=t_end, rtol=1e-11, atol=1e-12)
    assert found == pytest.approx([float(run[one][-1]) for one in names["STATE"]], rel=1e-7, abs=1e-7)


def test_the_same_in_all_formulations():
    """The kinetic energy at the start, ½ uᵀ M u, of the exported mass matrices. Oracle: each other; 1e-12 of
    round-off."""
    energies = []
    for formulation in GALLERY["heavy_top"].formulations:
        names = played(GALLERY["heavy_top"].system(), formulation=formulation)
        M = names["mass_matrix"](0.0, names["Y0"])
        u = names["Y0"][-len(M) :]
        energies.append(0.5 * u @ M @ u)
    assert len(energies) == 5 and energies == pytest.approx([energies[0]] * 5, rel=1e-12)
