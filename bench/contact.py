"""Contact, friction and impact beside MuJoCo: four motions with known ends.

- a block that must stick on a slope: how fast it creeps;
- a ball that bounces, restitution 0.7: heights of its rebounds;
- a ball thrown across a slope, whose slip turns and ends in rolling: where it is at the end;
- a four-bar with dry friction in a pin, which swings out and sticks: angle of its crank at the end.

Mekane runs with its default tolerances. MuJoCo runs with its default contact and step, and, by both of its explicit
integrators, with contact that is made harder as the step is made smaller: its constraints are soft, and only so does
its limit become that of rigid bodies.
It has no restitution. The bouncing ball gets the nearest it has, contact as a spring and a damper (negative solref),
with the damping that gives 0.7 in closed form; a bounce takes some tens of steps.

Neither is timed while it builds its model.
"""

from math import cos, inf, radians, sin, sqrt

import numpy as np

from bench.table import Row, duration
from bench.timing import run_program

G = 9.81  # m/s²
BLOCK = dict(slope=radians(20), friction=0.5, size=(0.4, 0.3, 0.2), mass=2.0, settled=1.0, time=2.0)
BOUNCE = dict(restitution=0.7, height=1.0, radius=0.1, mass=1.0, rebounds=3, time=2.0)
THROW = dict(slope=radians(10), friction=0.3, speed=2.0, radius=0.1, mass=1.0, time=0.5)
CORNERS = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.4), (0.9, 0.0, 0.7), (1.0, 0.0, 0.0))  # m, pins of the four-bar
LINKS = {"crank": 1.0, "coupler": 1.3, "rocker": 1.6}  # kg
LINK_INERTIA, CRANK_RATE, CRANK_FRICTION, FOUR_BAR_TIME = (0.05, 0.05, 0.05), 2.0, 1.0, 4.5  # kg m², rad/s, N m, s


def rows():
    yield creep()
    yield from compare("bouncing ball", "of the rebounds, relative", lambda ours: rebounds(), relative=True)
    yield from compare("ball across a slope", "of the place, m", lambda ours: rolled())
    yield from compare("four-bar with friction", "of the crank, rad", lambda ours: ours["exact"])


def creep():
    ours, theirs = run_program("contact_mekane", "block"), run_program("contact_mujoco", "block")
    what = "block that sticks on a slope: creep"
    if "missing" in ours:
        return Row(what, "-", note=ours["missing"])
    speed = lambda run: 1e3 * abs(run["value"][0])
    mine = speed(ours["runs"][0])
    if "missing" in theirs:
        return Row(what, f"{mine:.3g} mm/s", "MuJoCo", "-", note=theirs["missing"])
    default, no_slip, *_ = theirs["runs"]
    least = min(theirs["runs"], key=speed)
    note = "MuJoCo otherwise: " + ", ".join(f"{speed(run):.1e} mm/s ({run['how']})" for run in (no_slip, least))
    ratio = speed(default) / mine if mine else inf
    return Row(what, f"{mine:.3g} mm/s", "MuJoCo", f"{speed(default):.3g} mm/s", ratio, "", note)


def compare(case, of_what, exact, relative=False):
    """Errors with the defaults of both; then times to MuJoCo's error with its defaults and to the smallest of its runs:
    Mekane's cost hardly depends on the error, MuJoCo's does."""
    name = case.replace(" ", "-")
    ours, theirs = run_program("contact_mekane", name), run_program("contact_mujoco", name)
    if "missing" in ours:
        yield Row(case, "-", note=ours["missing"])
        return
    true = np.array(exact(ours))
    mine = with_errors(ours["runs"], true, relative)
    if "missing" in theirs:
        yield Row(f"{case}: error", f"{mine[0]['error']:.1e}", "MuJoCo", "-", note=theirs["missing"])
        return
    peers = with_errors(theirs["runs"], true, relative)
    yield compare_errors(f"{case}: error", of_what, mine[0], peers[0])
    for error in (peers[0]["error"], min(run["error"] for run in peers)):
        cheapest = min((run for run in peers if run["error"] <= error), key=lambda run: run["seconds"])
        yield compare_times(case, error, good_enough(mine, error), cheapest)


def with_errors(runs, true, relative):
    scale = true if relative else 1.0
    size = lambda run: float(np.linalg.norm((np.array(run["value"]) - true) / scale, ord=inf if relative else None))
    return [dict(run, error=size(run)) for run in runs]


def good_enough(runs, error):
    """Runs within an error, as all with tighter tolerances are: not by chance. The defaults are the tightest."""
    default, *looser_first = runs
    ordered = [*looser_first, default]
    return [run for k, run in enumerate(ordered) if all(other["error"] <= error for other in ordered[k:])]


def compare_errors(what, of_what, ours, theirs):
    note = f"{of_what}; {duration(ours['seconds'])} ({ours['how']}), {duration(theirs['seconds'])} ({theirs['how']})"
    errors = ours["error"], theirs["error"]
    return Row(what, f"{errors[0]:.1e}", "MuJoCo", f"{errors[1]:.1e}", errors[1] / errors[0], "", note)


def compare_times(case, error, good, best):
    what, theirs = f"{case}: time to {error:.0e}", duration(best["seconds"])
    if not good:
        return Row(what, "-", "MuJoCo", theirs, note=f"Mekane does not reach the error of {best['how']}")
    ours = min(good, key=lambda run: run["seconds"])
    note = f"errors {ours['error']:.1e} ({ours['how']}), {best['error']:.1e} ({best['how']})"
    return Row(what, duration(ours["seconds"]), "MuJoCo", theirs, best["seconds"] / ours["seconds"], "", note)


def inclined(slope):
    """Gravity in axes of a slope that falls towards x."""
    return (G * sin(slope), 0.0, -G * cos(slope))


def rebounds():
    """Heights, each e² of the one before."""
    return [BOUNCE["height"] * BOUNCE["restitution"] ** (2 * k) for k in range(1, 1 + BOUNCE["rebounds"])]


def top_times():
    """When the ball is highest: after its fall, and half of each flight."""
    fall, e = sqrt(2 * BOUNCE["height"] / G), BOUNCE["restitution"]
    flights = [2 * fall * e**k for k in range(1, 1 + BOUNCE["rebounds"])]
    return [fall + sum(flights[:k]) + flights[k] / 2 for k in range(len(flights))]


def slip_and_load():
    """Rates k, at which friction takes slip away, and a, at which the slope adds to it [m/s²]."""
    return 3.5 * THROW["friction"] * G * cos(THROW["slope"]), G * sin(THROW["slope"])


def slip_end():
    """ρ(k + a cos θ) falls at the rate k² − a²; ρ is the speed of slip, θ its angle to the line of fall."""
    k, a = slip_and_load()
    return THROW["speed"] * k / (k * k - a * a)


def rolled():
    """Where the thrown ball is after its time: down the slope, across it.

    dv/dt = (ds/dt + 5/2 a)/3.5 with the slip s, hence v = v₀ + (s − s₀)/3.5 + 5/7 a t, also when it rolls, s = 0. The
    integral of s over time is one over θ, because ρ dθ/dt = −a sin θ and ρ = v₀ tan(θ/2)^(k/a)/sin θ.
    """
    k, a = slip_and_load()
    t, v = THROW["time"], THROW["speed"]
    x, weights = np.polynomial.legendre.leggauss(80)
    theta = np.pi / 4 * (x + 1)
    rho = v * np.tan(theta / 2) ** (k / a) / np.sin(theta)
    slipped = np.pi / 4 * (weights * rho**2 / (a * np.sin(theta))) @ np.stack([np.cos(theta), np.sin(theta)], axis=1)
    return np.array([0, 5 / 7 * v * t]) + slipped / 3.5 + np.array([5 / 14 * a * t * t, 0])
