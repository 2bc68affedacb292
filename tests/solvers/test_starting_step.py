"""The first step of a run, from states that are zero, nearly zero, or anything else. Oracles: closed forms, other
formulations."""

import numpy as np
import pytest

import mekane as mk

methods = pytest.mark.parametrize("method, near", [("dop853", 1e-9), ("implicit", 1e-7)])


def wheel(angle):
    s = mk.System("wheel", gravity=(0, 0, 0))
    body = s.body("b", 1.0, inertia=(0.01, 0.01, 0.01), orientation=("z", angle))
    s.pin("axle", s.ground, body, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a="z", axis_b="z")
    s.motor("motor", "axle", torque="100*cos(t)")
    return s


@methods
@pytest.mark.parametrize("angle", [0.0, 5e-324, 1e-300, 1e-30, 2e-17, -2e-17, 1e-15, 1e-12, 1e-9, 1e-5, 1.0])
def test_no_size_of_a_start_coordinate_stops_a_run(angle, method, near):
    """Oracle: 1e4 (1 − cos t). About as many steps whatever the angle: it says nothing about how fast the motion
    changes."""
    run = mk.simulate(wheel(angle), 2.0, method=method)
    assert not run.info["stopped"]
    assert run["axle.angle"].values == pytest.approx(angle + 1e4 * (1 - np.cos(run.t)), rel=near, abs=near)
    assert run.info["steps"] < (15 if method == "dop853" else 250)


@pytest.mark.parametrize("t_end", [1e-12, 1e-6, 1.0, 1e6])
def test_runs_of_any_length(t_end):
    """A quarter of an oscillation of that period: v = cos, from a coordinate of round-off size."""
    s = mk.System("oscillator", gravity=(0, 0, 0))
    s.slider(
        "rail",
        s.ground,
        s.body("b", 1.0, position=(1e-17 * t_end, 0, 0)),
        on_a=(0, 0, 0),
        on_b=(0, 0, 0),
        axis="x",
        rate=1.0,
    )
    s.sliding_spring("spring", "rail", (np.pi / 2 / t_end) ** 2)
    run = mk.simulate(s, t_end)
    assert not run.info["stopped"]
    assert run["rail.displacement"].values[-1] == pytest.approx(2 / np.pi * t_end, rel=1e-6)


def slanted_arm(rng):
    """Two links about parallel pins whose axis and links point anywhere: coordinates of the start are zero but for
    round-off."""
    axis, along = rng.normal(size=(2, 3))
    along -= axis * (along @ axis) / (axis @ axis)
    along /= np.linalg.norm(along)
    s = mk.System("arm", gravity=(0, 0, -9.81))
    before = s.ground
    for k in range(2):
        link = s.body(f"link{k}", 1.0 + k, inertia=(0.02, 0.02, 0.02), position=(k + 0.5) * along)
        s.pin(f"pin{k}", before, link, at=k * along, axis=axis)
        s.pd(f"drive{k}", f"pin{k}", target=f"{0.3 + k}*sin(2*t)", stiffness=200, damping=20)
        before = link
    return s


@pytest.mark.divided("seed", 4)
@pytest.mark.parametrize("seed", range(60))
def test_slanted_arms_start(seed):
    """Oracle: the same in absolute coordinates. Tolerance: that of the runs, 1e-9, over 0.5 s of a damped motion."""
    one, other = (
        mk.simulate(slanted_arm(np.random.default_rng(seed)), 0.5, formulation=way) for way in ("joint", "absolute")
    )
    assert not one.info["stopped"] and not other.info["stopped"]
    for name in ("pin0.angle", "pin1.angle"):
        assert np.abs(one[name].values - other[name].values).max() < 1e-7


@pytest.mark.parametrize("t_end", [5e-324, 1e-300, 1e-101])
def test_a_run_too_short_for_numbers_is_refused(t_end):
    with pytest.raises(mk.ModelError, match="t_end is .* at least 1e-100 s"):
        mk.simulate(mk.System("nothing"), t_end)
