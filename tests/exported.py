"""What exported equations are compared with: the engine at a state near the start where nothing is special."""

from functools import cache

import numpy as np
import systems
from engine import Model, derivative

from mekane import gallery
from mekane.solvers.entries.calls import evaluate_kinematics
from mekane.symbolic.functions import functions
from mekane.tables.columns import Y_PHI, Y_RATE

T, ROUND_OFF = 0.7, 1e-14
# besides the gallery: laws of every kind, controller states, tables, choices, parameters
OTHERS = {"laws": systems.laws, "mounts": systems.mounts}
# equations of one phase: contact laws are left out of them, and the engine has them
GALLERY = {m.name: m for m in gallery.mechanisms() if not m.system().contact_laws}


def build(name):
    return GALLERY[name].system() if name in GALLERY else OTHERS[name]()


def formulation_of(name):
    """`joint`, or the first that can run it."""
    return GALLERY[name].formulations[0] if name in GALLERY else "joint"


@cache
def exported(name, formulation=None):
    """(functions, model, state) of a mechanism by name."""
    system, formulation = build(name), formulation or formulation_of(name)
    model = Model(system, formulation)
    found = functions(system, formulation)
    assert [used for _, _, used in found.rows] == [bool(x) for x in model.W.active]
    y = model.somewhere(far=0.05 * max(0.01, np.abs(model.y[: model.n_q]).max()))
    return found, model, y


@cache
def answers(name, formulation=None):
    """{function: (numbers of the engine, what may be lost relative to the largest of them)}.

    Oracles: the compiled right-hand side; mass matrix, forcing and B as sums over bodies (kane_equations, another
    algorithm than the trace); rows as the compiled engine sees them; the bias as the complex-step derivative of their
    rates along the motion without ud.
    Tolerances: 1e-12, the promise of the docs; for accelerations of constrained models what their conditioning makes of
    reordered sums. Residuals near zero are differences of positions, unit vectors and speeds of order one: ROUND_OFF is
    a few units in their last place.
    """
    found, model, y = exported(name, formulation)
    n_q, n_u, n, m = model.n_q, model.n_u, found.sizes["state"], model.n_rows
    kane = model.system.kane_equations(y[:n_q], y[n_q : n_q + n_u], T, model.compiled.formulation, own_speeds=False)
    evaluate_kinematics(model.handle, T, y, np.zeros(len(model.T.row_i)))
    phi, rate = model.W.row[:m, Y_PHI].copy(), model.W.row[:m, Y_RATE].copy()
    levels = np.array([level for _, level, _ in found.rows], str)
    oracle = {
        "rhs": (model.rhs(T, y)[:n], conditioned(model)),
        "mass_matrix": (kane.mass_matrix.values, 1e-12),
        "forcing": (kane.forcing.values, 1e-12),
    }
    if m:
        bias = derivative(model.moved(y, model.qd(y), np.zeros(n_u), T).row[:m, Y_RATE])
        oracle |= {
            "constraint": (np.where(levels == "position", phi, rate), 1e-12),
            "constraint_rate": (rate, 1e-12),
            "constraint_jacobian": (kane.constraint_matrix.values, 1e-12),
            "constraint_bias": (bias, 1e-12),
        }
    return oracle


def conditioned(model):
    """1e-12, or what round-off may change where constraints are nearly dependent: cond(D) (C.1) times a few units in
    the last place."""
    D = np.zeros((model.n_rows, model.n_rows))
    for j in range(model.n_rows):
        for p in range(model.T.d_start[j], model.T.d_start[j + 1]):
            D[j, model.T.d_row[p]] = D[model.T.d_row[p], j] = model.W.D[p]
    active = model.active
    return 1e-12 if not len(active) else max(1e-12, 1e-15 * np.linalg.cond(D[np.ix_(active, active)]))


def compare(name, call, formulation=None):
    """call(function, t, y, p) must give the numbers of the engine."""
    found, _, y = exported(name, formulation)
    y, p = y[: found.sizes["state"]], np.array([one.value for one in found.parameters])
    for function, (expected, allowed) in answers(name, formulation).items():
        got = np.asarray(call(found[function], T, y, p), float).reshape(found[function].shape)
        error, size = np.abs(got - expected).max(initial=0.0), np.abs(expected).max(initial=0.0)
        assert error <= allowed * size + ROUND_OFF, f"{name} {function}: {error:.1e} of {size:.1e}"
