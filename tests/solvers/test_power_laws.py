"""Laws with branches that end where they begin: x**1.5, √x, |v|**1.7 behind a comparison. Evaluated a little beyond the
border, the branch in use has no value. Oracles: energy, quadrature of the equation of motion; loops and specialised
code against each other.

Tolerances: 1e-7 for runs at rtol 1e-9 through a few borders where the law has no second derivative; 1e-6 for the
implicit method.
"""

import numpy as np
import pytest
from scipy.integrate import quad

import mekane as mk

x, v = "rail.displacement", "rail.displacement.rate"
everywhere = pytest.mark.parametrize("formulation", ["joint", "absolute"])
methods = pytest.mark.parametrize("method, near", [("dop853", 1e-7), ("implicit", 1e-6)])
codes = pytest.mark.parametrize("code", ["loops", "specialised"])


def on_a_rail(force, start=0.0, rate=0.0):
    """One kilogram sliding along x from `start`."""
    s = mk.System("rail", gravity=(0, 0, 0))
    body = s.body("b", 1.0, inertia=(1, 1, 1), position=(start, 0, 0))
    s.slider("rail", s.ground, body, on_a=(0, 0, 0), on_b=(0, 0, 0), axis="x", rate=rate)
    s.motor("drive", "rail", force=force)
    return s


CONSERVATIVE = {  # law: its potential energy, where it starts
    "Hertz": (f"1e5*max(0, -{x})**1.5 - 9.81", lambda p: 4e4 * np.maximum(0.0, -p) ** 2.5 + 9.81 * p, 0.1),
    "hardening": (f"-50*sign({x})*abs({x})**1.5", lambda p: 20 * np.abs(p) ** 2.5, 0.1),
    "one-sided": (f"-abs({x})**1.5 - {x}", lambda p: np.sign(p) * np.abs(p) ** 2.5 / 2.5 + p**2 / 2, 0.1),
    "roots": (f"5*sqrt(max(-{x}, 0)) - 5*sqrt(max({x}, 0))", lambda p: np.abs(p) ** 1.5 / 0.3, 0.1),
    "power below one": (f"5*max(-{x}, 0)**0.7 - 5*max({x}, 0)**0.7", lambda p: 5 * np.abs(p) ** 1.7 / 1.7, 0.1),
    "inverse": (f"-{x} - (0.01/sqrt({x} - 0.02) if {x} > 0.05 else 0.2)", None, 0.1),
}


@codes
@everywhere
@methods
@pytest.mark.parametrize("law", [name for name, (_, potential, _) in CONSERVATIVE.items() if potential])
def test_energy_is_kept_through_borders(law, method, near, formulation, code):
    force, potential, start = CONSERVATIVE[law]
    run = mk.simulate(on_a_rail(force, start), 3.0, method=method, formulation=formulation, code=code)
    assert not run.info["stopped"] and run.info["switches"] >= 1
    place, speed = run["rail.displacement"].values, run["rail.displacement.rate"].values
    energy = speed**2 / 2 + potential(place)
    assert energy == pytest.approx(np.full(len(energy), potential(start)), abs=near * np.abs(potential(place)).max())


STEEP = {  # laws that are infinitely steep at a border of the state, beyond which they have no value
    "arc sine": f"-50*(arcsin({x}/0.1) if {x} < 0.1 and {x} > -0.1 else (pi/2 if {x} >= 0.1 else -pi/2))",
    "arc cosine": f"-20*{x} + (2*arccos({x}/0.1) if {x}**2 <= 0.01 else 0)",
    "root": f"-20*{x} + (5*sqrt(1-({x}/0.1)**2) if {x}**2 < 0.01 else 0)",
    "logarithm": f"-20*{x} + (log(1-({x}/0.1)**2) if {x}**2 < 0.01 else 0)",
}


@methods
@pytest.mark.parametrize("name", STEEP)
def test_runs_pass_steep_borders_and_know_their_error(name, method, near):
    """Twenty to sixty borders in 6 s. Oracle: the energy, by quadrature of the law; what it is off by is at most the
    greatest force and speed times the estimated errors."""
    law = STEEP[name]
    run = mk.simulate(on_a_rail(law.replace("arc", "a"), 0.2), 6.0, method=method)
    assert not run.info["stopped"] and run.health.trusted
    place, speed = run["rail.displacement"].values[-1], run["rail.displacement.rate"].values
    at = lambda p: float(eval(law.replace(x, f"({p!r})"), vars(np)))
    work = quad(at, 0.2, place, points=[p for p in (0.1, -0.1) if min(place, 0.2) < p < 0.2], epsabs=1e-12)[0]
    off = abs(speed[-1] ** 2 / 2 - work)
    assert off <= 1000 * near * work
    assert off <= 10 * (80.0 * run.error.position + np.abs(speed).max() * run.error.velocity)


@codes
@methods
@pytest.mark.parametrize("power", [0.5, 1.5, 1.7])
def test_drag_from_rest(power, method, near, code):
    """v' = −2 + 3 |v|**p backwards from rest: the first step begins on the border. Oracle: t = ∫ dv / v'."""
    law = f"-2 - 3*sign({v})*abs({v})**{power}"
    run = mk.simulate(on_a_rail(law), 0.4, method=method, code=code)
    assert not run.info["stopped"]
    speed = -run["rail.displacement.rate"].values[-1]
    assert quad(lambda s: 1 / (2 - 3 * s**power), 0, speed, epsabs=1e-12)[0] == pytest.approx(0.4, abs=10 * near)


@pytest.mark.parametrize("law", CONSERVATIVE)
def test_sensitivities_pass_the_borders_too(law):
    """The same loop carries the slopes along parameters; here it must come to the end."""
    s = on_a_rail(CONSERVATIVE[law][0] + " - 0*c", CONSERVATIVE[law][2])
    s.parameter("c", 1.0)
    run = mk.simulate(s, 0.3)
    assert not run.info["stopped"]


@pytest.mark.parametrize(
    "law",
    [
        f"20*sqrt(max(0, {x})) - 100*{x}",
        f"20*max(0, {x})**0.3 - 100*{x}",
        f"20*(3*max(0, {x}))**0.5 - 100*{x}",
        f"20*sqrt(max(0, {x}) + max(0, {x} + 0.05)) - 100*{x}",
        f"20*sqrt(5*max(0, {x} + 0.05)*{x}) - 100*{x}",
        f"20*asin(1 - max(0, {x})) - 10*pi - 100*{x}",
    ],
)
def test_derivatives_of_branches_that_rest(law):
    """At x = −0.1 the root of max(0, x) rests at zero, where a root is infinitely steep: ∂F/∂x is −100 all the same."""
    A = np.asarray(mk.linearize(on_a_rail(f"{law} - 10", -0.1)).A)
    assert A[1, 0] == pytest.approx(-100.0, rel=1e-12)
