"""Three rows of a contact are eliminated side by side, and friction that slides takes what is there.

Oracle: the same kernels row by row (ROW_ALIKE set to zero), and the rows themselves, whose accelerations multipliers make zero.
Tolerances: round-off of accelerations of the size of gravity's over small inertias, some hundreds m/s² or rad/s².
"""

from itertools import product

import numpy as np
import pytest

import mekane as mk
from mekane.analyses.simulate import initial_solver
from mekane.solvers.entries.from_python import rhs
from mekane.solvers.hybrid.event_actions import choose_rows
from mekane.tables.columns import C_NORMAL, OPEN, ROW_ALIKE, SLIDING, STICKING
from mekane.tables.tables import REFINEMENTS

SPIN = (0.5, 0.7, 0.3)  # rad/s


def walker():
    """A trunk with two feet on legs; on one foot a smooth ball before the rough one, so that rows of one body stand together
    that are not of one contact; and a ball between two bodies, whose rows push on both."""
    s = mk.System()
    moves = dict(velocity=(0.3, 0.1, -0.2), angular_velocity=SPIN)
    trunk = s.body("trunk", mass=9.0, inertia=(0.1, 0.2, 0.3), position=(0, 0, 0.4), **moves)
    for name, x in (("front", 0.2), ("rear", -0.2)):
        leg = s.body(name, mass=0.7, inertia=(5e-3, 6e-3, 1e-3), position=(x, 0.05, 0.3))
        s.pin(f"{name} hip", trunk, leg, at=(x, 0.05, 0.4), axis="y", rate=0.8 if x > 0 else -0.5)
        if x > 0:
            s.contact("smooth", (leg, mk.Sphere(0.02, at=(0.01, 0, -0.1))), (s.ground, mk.Plane()))
        s.contact(f"{name} foot", (leg, mk.Sphere(0.02, at=(0, 0, -0.1))), (s.ground, mk.Plane()), friction=0.6)
    ball = s.body("ball", mass=0.4, inertia=(2e-3, 2e-3, 2e-3), position=(0, 0.1, 0.6))
    s.contact("carried", (ball, mk.Sphere(0.1)), (trunk, mk.Plane(at=(0, 0, 0.1))), friction=0.3)
    return s


def solver_of(alike):
    solver, _ = initial_solver(walker())
    if not alike:
        solver.tables.row_i[:, ROW_ALIKE] = 0
    return solver


def accelerations(solver, modes, refinements=None):
    state = solver.phases.contacts.state
    for e, mode in enumerate(modes):
        turn = 0.3 + e
        state.write(e, mode, (np.cos(turn), np.sin(turn)) if mode == SLIDING and state.is_tangent[e, 1] else ())
    choose_rows(solver)
    if refinements is not None:
        solver.workspace.state[REFINEMENTS] = refinements
    yd = np.zeros(len(solver.y))
    rhs(solver.handle, solver.t, solver.y, yd)
    return yd, solver.workspace.multiplier.copy(), solver.workspace.r.copy()


def test_which_rows_stand_side_by_side():
    """Those of both feet; not those of what has no tangents, or pushes on two bodies."""
    solver = solver_of(True)
    alike = [bool(solver.tables.row_i[row, ROW_ALIKE]) for row in solver.tables.contact_i[:, C_NORMAL]]
    names = [fact.name for fact in solver.phases.contacts.state.facts]
    assert dict(zip(names, alike, strict=True)) == {
        "smooth": False,
        "front foot": True,
        "rear foot": True,
        "carried": False,
    }


def test_side_by_side_as_one_by_one():
    """In all modes: multipliers, accelerations, and guards."""
    together, apart = solver_of(True), solver_of(False)
    for modes in product((OPEN, SLIDING), *[(OPEN, SLIDING, STICKING)] * 3):
        for one, other in zip(accelerations(together, modes), accelerations(apart, modes), strict=True):
            assert one == pytest.approx(other, rel=1e-11, abs=1e-11), modes


def test_one_refinement_is_enough_where_rows_are_independent():
    """Against five of them."""
    solver = solver_of(True)
    for modes in product((OPEN,), *[(OPEN, SLIDING, STICKING)] * 3):
        choose_rows(solver)
        found, exact = accelerations(solver, modes, 1), accelerations(solver, modes, 5)
        assert found[0] == pytest.approx(exact[0], rel=1e-11, abs=1e-11), modes
        assert found[1] == pytest.approx(exact[1], rel=1e-11, abs=1e-11), modes
