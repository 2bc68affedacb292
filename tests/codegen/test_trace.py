"""What the kernels leave behind when they are run on symbols, against numbers.

Oracles: mk.kane_equations, which sums over bodies from partial velocities, where the trace comes from recursions; the
complex step for velocity terms of constraints; the compiled right-hand side and energies.
Tolerances: relative to the largest element of what is compared. The same formulas in another order of sums: 1e-12.
"""

import numpy as np
import pytest
from engine import Model, derivative

from mekane import gallery
from mekane.analyses.state.kane import kane_equations
from mekane.codegen.trace import Trace
from mekane.expressions.graph import evaluate
from mekane.tables.columns import BRYAN, KIND, PRIMITIVE_Q, Y_PHI, Y_RATE

T = 0.7
CASES = [
    pytest.param(m, formulation, id=f"{m.name}-{formulation}")
    for m in gallery.mechanisms()
    for formulation in m.formulations
]


class Point:
    """A model of the gallery at a state where nothing is special, and its trace."""

    def __init__(self, mechanism, formulation):
        self.model = model = Model(mechanism.system, formulation)
        c, self.formulation = model.compiled, formulation
        self.y = model.somewhere(far=0.05 * max(0.01, np.abs(model.y[: model.n_q]).max()))
        self.q, self.u = np.split(self.y[: c.n_q + c.n_u], [c.n_q])
        model.W.regularization[0] = 0.0  # active rows are independent; the trace takes no other view
        turns = c.tables.primitive_i[c.tables.primitive_i[:, KIND] == BRYAN, PRIMITIVE_Q]
        self.trace = Trace(c, active=model.W.active, scale=model.W.scale, sequences=self.q[turns + 1])
        self.values = (
            {"t": T} | dict(zip(c.coordinates, self.q, strict=True)) | dict(zip(c.speeds, self.u, strict=True))
        )
        self.values |= {f"{name}.integral": 0.0 for name in c.integrals}

    def numbers(self, *arrays, ud=()):
        """The values of arrays of expressions, all in one go."""
        arrays = [np.array(x, object) for x in arrays]
        known = self.values | {x.name: value for x, value in zip(self.trace.ud, ud, strict=False)}
        found = np.array(evaluate([x for array in arrays for x in array.ravel()], known), float)
        parts = np.split(found, np.cumsum([x.size for x in arrays])[:-1])
        return [part.reshape(x.shape) for part, x in zip(parts, arrays, strict=True)]


def agree(found, expected, tolerance, what, least=1e-9):
    """least: size of what the numbers are differences of, where that is known."""
    expected = np.asarray(expected)
    assert found.shape == expected.shape, what
    if expected.size:
        assert np.abs(found - expected).max() <= tolerance * max(np.abs(expected).max(), least), what


@pytest.mark.divided("mechanism", 4)
@pytest.mark.parametrize("mechanism, formulation", CASES)
def test_against_numbers(mechanism, formulation):
    point = Point(mechanism, formulation)
    kanes_quantities(point)
    rows(point)
    motion_and_energies(point)


def kanes_quantities(point):
    trace = point.trace
    kane = kane_equations(point.model.system, point.q, point.u, T, point.formulation, own_speeds=False)
    M, f, F = point.numbers(trace.mass_matrix, trace.forcing, trace.active_forces)
    (F_star,) = point.numbers(trace.inertia_forces, ud=kane.ud.values)
    agree(M, kane.mass_matrix.values, 1e-12, "mass matrix")
    # what they are differences of
    forces = max(np.abs(x.values).max(initial=0.0) for x in (kane.forcing, kane.active, kane.inertia))
    for what, found, expected in (
        ("forcing", f, kane.forcing),
        ("F_r", F, kane.active),
        ("F_r*", F_star, kane.inertia),
    ):
        assert np.abs(found - expected.values).max(initial=0.0) <= 1e-12 * forces, what
    (B,) = point.numbers(trace.rows.B)
    agree(B, kane.constraint_matrix.values, 1e-12, "constraint matrix")


def rows(point):
    """Residuals and rates of the rows; with every ud zero, their accelerations are how the rates change along the
    motion."""
    trace, model = point.trace, point.model
    if not model.n_rows:
        return
    W = model.moved(point.y, model.qd(point.y), np.zeros(model.n_u), T)
    phi, rate, bias = point.numbers(trace.rows.phi, trace.rows.rate, trace.rows.bias)
    agree(phi, W.row[: model.n_rows, Y_PHI].real, 1e-12, "residuals")
    agree(rate, W.row[: model.n_rows, Y_RATE].real, 1e-12, "rates")
    (B,) = point.numbers(trace.rows.B)
    # velocity terms are sums of products of speeds: sin q u² here and there
    squares = np.abs(B).max() * np.abs(point.u).max() ** 2
    agree(bias, derivative(W.row[: model.n_rows, Y_RATE]), 1e-12, "velocity terms of the accelerations", least=squares)


def motion_and_energies(point):
    trace, model = point.trace, point.model
    kinetic, gravity, stored = trace.energies
    yd, energies = point.numbers(trace.right_hand_side(), [kinetic, gravity, *stored.values()])
    out = model.derive(T, point.y)  # yd first, then energies
    expected = [
        *out[len(point.y) : len(point.y) + 2],
        *(model.W.r[r] for r in model.compiled.energy_registers.values()),
    ]
    agree(energies, expected, 1e-12, "energies")
    agree(yd, out[: len(point.y)], 10 * model.reordering(), "right-hand side")
