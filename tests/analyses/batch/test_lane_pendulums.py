"""Ten thousand pendulums of amplitudes from 1° to 179°. Oracle: Gauss's arithmetic-geometric mean gives the period of each,
and so the gravity with which it returns after exactly one second."""

import numpy as np

import mekane as mk
from mekane.analyses.batch.lane_runs import run_on_lanes
from mekane.analyses.batch.runs import DONE, Batch

RUNS, RTOL = 10_000, 1e-9


def agm(a, b):
    """The arithmetic-geometric mean."""
    for _ in range(40):
        a, b = (a + b) / 2, np.sqrt(a * b)
    return a


def pendulum():
    """A rod of 1 m with a gyration of its own, from an angle on; that angle and gravity are parameters."""
    s, angle = mk.System("pendulum", gravity=(0, 0, -mk.Param("g", 9.81))), mk.Param("angle", 1.0)
    rod = s.body("rod", 1.0, (0.1, 0.1, 0.01), com=(0, 0, -0.5), orientation=("y", angle))
    s.pin("pin", s.ground, rod, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="y", axis_b="y")
    return s


def test_ten_thousand_pendulums_return_after_their_period():
    """The period is 2π √(I / m g l) / agm(1, cos θ/2); with I = 0.35 kg m², m l = 0.5 kg m and a period of 1 s that gives
    g. Where a pendulum turns back its energy is m g l (1 − cos θ): an error of the energy within the tolerance moves the
    turning point by that over sin θ, 57 times as much at 179°."""
    angle = np.radians(np.linspace(1.0, 179.0, RUNS))
    g = (2 * np.pi / agm(np.ones(RUNS), np.cos(angle / 2))) ** 2 * 0.35 / 0.5
    batch = Batch(
        pendulum(), {"angle": angle, "g": g}, np.array([0.0, 0.5, 1.0]), ("pin.angle", "pin.angle.rate"), {"rtol": RTOL}
    )
    runs = run_on_lanes(batch)
    assert (runs.outcome == DONE).all()
    assert np.abs(runs.values[:, 0, 0] - angle).max() < 4e-16 * np.pi
    for sample, sign in ((1, -1.0), (2, 1.0)):
        error = np.abs(runs.values[:, sample, 0] - sign * angle)
        assert (error * np.maximum(np.sin(angle), 0.017)).max() < 5 * RTOL
        assert error[angle < np.radians(150)].max() < 10 * RTOL
