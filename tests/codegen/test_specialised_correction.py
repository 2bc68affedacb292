"""The correction onto the constraints as code of one model. Oracle: the correction by the loops, and the constraints
themselves.

Tolerance: both go on until residuals are at round-off, so states agree to round-off times how far rows are from
dependent.
"""

import numpy as np
import pytest
from engine import Model

import mekane as mk
from mekane import gallery
from mekane.solvers.entries.calls import evaluate_kinematics, project
from mekane.solvers.specialised.hand_over import ENTRIES, make
from mekane.solvers.specialised.projection import can_project
from mekane.tables.columns import Y_PHI, Y_RATE
from mekane.tables.tables import N_ACTIVE, REGULAR

CONSTRAINED = [
    "squeezer",
    "slider_crank_spatial",
    "cam",
    "rolling_disc_1",
    "bicycle",
    "car_axis",
    "planetary_gear",
    "trailer",
]


class Corrected:
    def __init__(self, system, formulation="joint"):
        self.model = model = Model(system, formulation)
        self.loops = {name: int(model.handle.header[which]) for name, which in ENTRIES.items()}
        self.code = make(model.compiled, model.W, self.loops)
        self.ours = self.code.addresses()

    def project(self, entries, y, t=0.0):
        model = self.model
        for name, address in entries.items():
            model.handle.header[ENTRIES[name]] = address
        model.W.scale[:], y = self.scale, y.copy()
        moved = project(model.handle, t, y, np.zeros(model.n_u))
        return moved, y, model.W.regularization[0], model.W.scale.copy()

    def both(self, far, t=0.0):
        self.scale = self.model.W.scale.copy()
        y = self.model.somewhere(far=far)
        return self.project(self.loops, y, t), self.project(self.ours, y, t)


@pytest.mark.parametrize("name", CONSTRAINED)
def test_states_are_corrected_as_by_the_loops(name):
    found = Corrected(gallery.find(name).system())
    assert set(found.ours) == set(ENTRIES)
    size = max(0.01, np.abs(found.model.y[: found.model.n_q]).max())
    (moved, y, regularization, scale), (moved2, y2, soft2, scale2) = found.both(1e-3 * size)
    assert np.abs(y - y2).max() <= 100 * found.model.reordering() * max(1.0, np.abs(y).max())
    assert moved == pytest.approx(moved2, rel=1e-9, abs=1e-14) and moved > 0.0
    assert regularization == soft2 and np.allclose(scale, scale2, rtol=1e-9)
    evaluate_kinematics(
        found.model.handle, 0.0, y2, np.zeros(len(found.model.T.row_i))
    )  # asks for measurements: the loops answer
    rows = found.model.W.row[: found.model.n_rows]
    assert np.abs(rows[:, Y_PHI]).max() <= 1e-12 * max(1.0, size)
    assert np.abs(rows[:, Y_RATE]).max() <= 1e-11 * max(1.0, np.abs(y2).max())


@pytest.mark.parametrize("angle", [1e-3, 0.5])
def test_near_a_singular_position_rows_become_soft_as_by_the_loops(angle):
    found = Corrected(parallelogram(angle))
    assert set(found.ours) == set(ENTRIES)
    found.model.W.scale[:] = Model(parallelogram(0.5)).W.scale  # as in a run that comes from there
    (_, _, loops, _), (_, _, ours, _) = found.both(1e-12)
    assert loops == ours and (ours > REGULAR[0]) == (angle < 0.1)


def parallelogram(angle):
    """Links of 1 m, 2 m, 1 m in a plane; near angle 0, laid flat, the equations of its loop depend on each other."""
    s, (x, z) = mk.System("parallelogram", planar="xz"), (np.cos(angle), np.sin(angle))
    for name, a, b in (("left", (0, 0), (x, z)), ("top", (x, z), (2 + x, z)), ("right", (2, 0), (2 + x, z))):
        middle = ((a[0] + b[0]) / 2, 0, (a[1] + b[1]) / 2)
        s.body(name, 1.0, (0.1, 0.1, 0.1), position=middle)
    pins = {
        "A": ("ground", "left", 0, 0),
        "B": ("left", "top", x, z),
        "C": ("top", "right", 2 + x, z),
        "D": ("ground", "right", 2, 0),
    }
    for name, (a, b, along, up) in pins.items():
        s.pin(name, a, b, at=(along, 0, up), axis="y")
    return s


def test_repeated_rows_are_corrected_by_the_loops():
    """Bricard's mechanism: one row repeats others, and which ones to hold may change."""
    model = Model(gallery.find("bricard").system())
    assert model.W.state[N_ACTIVE] < model.n_rows and not can_project(model.compiled, model.W)


def test_absolute_angular_velocities_are_corrected_by_the_loops():
    model = Model(gallery.find("squeezer").system(), "mixed")
    assert not can_project(model.compiled, model.W)
