"""Motions that jump are refused, and those whose speeds jump are not trusted, with the instant: a body that was somewhere else
in no time, and one that turned round in no time, were trusted, as neither opens a joint or needs energy."""

import numpy as np
import pytest

import mekane as mk

SUDDEN = {  # motion → where, what of it jumps, by how much
    "0.3 if t > 0.5037 else 0": ("0.5037", "position", "0.3"),
    "0.3*floor(t + 0.4963)": ("0.5037", "position", "0.3"),
    "t % 0.75": ("0.75", "position", "0.75"),
    "0.5 - abs(t - 0.5037)": ("0.5037", "speed", "2"),
    "min(2*t, 0.25)": ("0.125", "speed", "2"),
}
CONTINUOUS = [
    "max(0, t - 0.3)**2", "max(0, t - 0.3)**1.5", "0.5*t if t < 2 else 0",
    "sin(t) if t < 0.5 else sin(0.5) + cos(0.5)*(t - 0.5)", "t*abs(t)",
]  # fmt: skip


def cart():
    s = mk.System("cart", gravity=(0, 0, 0))
    s.body("cart", mass=2.0)
    s.slider("rail", s.ground, "cart", axis="x")
    return s


def message(motion):
    at, what, by = SUDDEN[motion]
    return f"at t = {at} s the {what} it gives jumps by {by} "


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("motion", SUDDEN)
def test_positions_that_jump_are_refused_and_speeds_not_trusted(motion, formulation):
    s = cart()
    s.prescribed("drive", "rail", motion)
    if SUDDEN[motion][1] == "position":
        with pytest.raises(mk.ModelError, match=message(motion)):
            mk.simulate(s, 1.0, formulation=formulation)
    else:
        run = mk.simulate(s, 1.0, formulation=formulation)
        assert not run.health.ok and message(motion) in str(run.health)


@pytest.mark.parametrize("motion", SUDDEN)
def test_no_analysis_takes_them(motion):
    times = np.linspace(0, 1, 11)
    with pytest.raises(mk.ModelError, match="motion of 'rail.displacement': " + message(motion)):
        mk.inverse_dynamics(cart(), {"rail": motion}, times=times)
    s = cart()
    s.path("drive", ("cart", (0, 0, 0)), x=motion)
    with pytest.raises(mk.ModelError, match=message(motion)):
        mk.sensitivity(s, "cart.mass", "rail.displacement", t_end=1.0)
    if SUDDEN[motion][1] == "speed":
        return
    sim = mk.stepper(s)
    with pytest.raises(mk.ModelError, match=message(motion)):
        for _ in range(10):
            sim.step(0.1)
    assert sim.t < float(SUDDEN[motion][0])


@pytest.mark.parametrize("motion", CONTINUOUS)
def test_continuous_motions_run(motion):
    s = cart()
    s.prescribed("drive", "rail", motion)
    assert mk.simulate(s, 1.0).health.ok


def test_speeds_may_not_jump_in_inverse_dynamics():
    drive = {"rail.displacement.rate": "1 if t < 0.5 else 2"}
    with pytest.raises(mk.ModelError, match="at t = 0.5 s the speed it gives jumps by 1 "):
        mk.inverse_dynamics(cart(), drive, times=np.linspace(0, 1, 11), actuators="rail")


def test_what_was_released_or_ended_before_does_not_matter():
    s = cart()
    s.prescribed("drive", "rail", "t**2 if t < 0.5 else 3")
    s.event("let go", when="t >= 0.4", release="drive")
    run = mk.simulate(s, 1.0)
    assert run.health.ok and abs(float(run["rail.displacement"][-1]) - (0.16 + 0.8 * 0.6)) < 1e-9
    s = cart()
    s.prescribed("drive", "rail", "t**2 if t < 0.5 else 3")
    assert mk.simulate(s, 1.0, until="rail.displacement > 0.16").health.ok
