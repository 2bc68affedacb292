"""Exact derivatives of the initial state with respect to parameters.

Oracle: central differences of the state that assembly gives, 2 d(h/2) − d(h): this also takes away errors that go with
|h|, which damping of assembly leaves where constraints of speeds hold. What is left is h² times third derivatives.
"""

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.solvers.derivatives.initial_state import initial_state_derivatives

CASES = {
    "pendulum": (), "double_pendulum": (), "heavy_top": (), "squeezer": (), "slider_crank_spatial": (), "governor": (), "bricard": (),
    "eight_bodies": (), "chaplygin_sleigh": (), "robot": (), "rolling_disc_1": ("disc.position.z", "contact.radius"),
}  # fmt: skip
# relative; 1e-4 for the others. The damping of assembly goes with the gap only while that is tiny
STEPS = {"rolling_disc_1": 1e-7}


def differences(s, name, formulation, h):
    """Angles may jump by whole turns between two builds."""
    p = s.parameters[name]
    after, before = (
        np.concatenate(s.with_parameters({name: p + k * h}).initial_state(formulation=formulation)) for k in (1, -1)
    )
    return (np.mod(after - before + np.pi, 2 * np.pi) - np.pi) / (2 * h)


def chosen(system, names, rng):
    """The names given, and some by chance: of all but inertias, which may be at the edge of what is physical."""
    possible = [name for name in system.numbers() if ".inertia" not in name and not name.endswith(".tube")]
    return [*names, *map(str, rng.choice(possible, min(2, len(possible)), replace=False))]


@pytest.mark.parametrize("mechanism", CASES)
def test_derivatives_of_the_assembled_state(mechanism):
    """Tolerance 1e-5 of the largest: h² times third derivatives of geometry, 1e-8 (h relative to numbers of a few
    centimetres: 1e-6)."""
    system = gallery.find(mechanism).system()
    for name in chosen(system, CASES[mechanism], np.random.default_rng(5)):
        s = system.named([name])
        h = STEPS.get(mechanism, 1e-4) * (abs(s.parameters[name]) if abs(s.parameters[name]) > 1e-6 else 0.1)
        for formulation in ("joint", "absolute"):
            wanted = 2 * differences(s, name, formulation, h / 2) - differences(s, name, formulation, h)
            found = np.concatenate(initial_state_derivatives(s, formulation, name))
            assert np.abs(found - wanted).max() <= 1e-5 * max(1.0, np.abs(wanted).max()), (name, formulation)


def test_a_rate_and_a_length():
    """Closed form: with the rate w of its hinge a point at distance l moves at w l; d/dw = l, d/dl = w. Given alone, the
    body is at rest."""
    l = mk.Param("l", 0.7)
    s = mk.System("pendulum", parameters={"w": 2.0})
    s.body("arm", mass=1.5, inertia=(0.1, 0.1, 0.1), position=(0, 0, -l))
    s.pin("hinge", "ground", "arm", at=(0, 0, 0), axis="y", rate="$w")
    assert initial_state_derivatives(s, "joint", "w")[1] == pytest.approx([1.0], abs=1e-14)
    assert initial_state_derivatives(s, "joint", "l")[1] == pytest.approx([0.0], abs=1e-14)
    assert initial_state_derivatives(s, "absolute", "w")[1][0] == pytest.approx(-0.7, abs=1e-14)
    assert initial_state_derivatives(s, "absolute", "l")[1][0] == pytest.approx(-2.0, abs=1e-14)
    assert initial_state_derivatives(s, "absolute", "l")[0][2] == pytest.approx(-1.0, abs=1e-14)
    assert np.all(initial_state_derivatives(s, "joint", "w", assembled=False)[1] == 0.0)


def test_a_body_far_from_where_it_belongs():
    """Closed form: a body at x that a rod of length l shall hold to the origin is put at l x/|x|, whose derivative is
    l (1/|x| − x xᵀ/|x|³); without what assembly moves it by it would be longer by |x|/l."""
    x, l = np.array([0.9, 1.2]), 0.5
    s = mk.System("rod", gravity=(0, 0, 0))
    s.body("end", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(x[0], 0, x[1]))
    s.distance("rod", s.ground, "end", length=l)
    of = ["end.position.x", "end.position.z"]
    by = [*of, "rod.length"]
    sensitivity = mk.sensitivity(s, by, of, t_end=0.1, every=0.1)
    found = np.array([[float(sensitivity.of(quantity, name)[0]) for name in by] for quantity in of])
    r = np.hypot(*x)
    wanted = np.column_stack([l * (np.eye(2) / r - np.outer(x, x) / r**3), x / r])
    assert np.abs(found - wanted).max() < 1e-12


@pytest.mark.parametrize("formulation", ["joint", "absolute", "mixed", "relative"])
def test_a_loop_drawn_roughly(formulation):
    """Three bodies a few tenths from where their joints meet, and two freedoms left. The differences' error goes with h²;
    it is taken away: (4 d(h/2) − d(h))/3, what is left goes with h⁴, 1e-8 (seen: 3e-9)."""
    s = mk.System("rough loop")
    for k, (place, turned) in enumerate([((0.1, 0.1, 0.2), 0.3), ((1.1, -0.2, 0.1), -0.2), ((2.1, 0.3, 0), 0.1)]):
        s.body(f"b{k}", mass=1.0 + k, inertia=(0.05, 0.06, 0.07), com=(0.1, 0.05, 0), position=place,
               orientation=("xyz", [turned, -turned, 0.2]), velocity=(0.3, 0, 0.1), angular_velocity=(0, 1, 0.5))  # fmt: skip
    s.universal("a", "ground", "b0", on_a=(-0.4, 0, 0), on_b=(-0.5, 0.1, 0), axis_a="z", axis2_b="y")
    s.ball("b", "b0", "b1", on_a=(0.5, 0, 0), on_b=(-0.5, 0.1, 0))
    s.pin("c", "b1", "b2", on_a=(0.5, 0, 0), on_b=(-0.5, 0.1, 0), axis_a="z", axis_b="z")
    s.ball("d", "b2", "ground", on_a=(0.5, 0, 0), on_b=(2.2, 0.4, 0.3))
    assert mk.simulate(s, 0.01).health.moved > 0.1
    for name in ("b1.position.z", "b0.orientation.angles.x", "b2.mass", "c.on_a.y", "b1.angular_velocity.x"):
        h = 1e-3
        wanted = (
            4 * differences(s.named([name]), name, formulation, h / 2)
            - differences(s.named([name]), name, formulation, h)
        ) / 3
        found = np.concatenate(initial_state_derivatives(s, formulation, name))
        assert np.abs(found - wanted).max() < 1e-6 * max(1.0, np.abs(wanted).max()), name
