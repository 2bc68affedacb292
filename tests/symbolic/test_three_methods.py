"""Equations by Newton, Lagrange and Kane.

Oracles: the methods are independent ways to the same motion: accelerations from three differently sized sets of linear
equations agree; Newton's reactions are those of the engine's backward pass; and the forces that laws give are those of
their potentials and of the rest. Tolerance 1e-12 of the largest acceleration: sums of some dozen products in different
order, solved with condition numbers below a thousand.
"""

import numpy as np
import pytest
import systems

import mekane as mk
from mekane import gallery
from mekane.expressions.graph import evaluate
from mekane.symbolic.compare import accelerations, random_states
from mekane.symbolic.traced import traced

CLOSE = 1e-12
SYMBOLIC = ("pendulum", "double_pendulum", "four_bar", "slider_crank_planar")


def agreed(s, formulation="joint", **options):
    found = mk.compare(s, formulation, parameters="numeric", points=2, **options)
    assert max(found.difference.values()) < CLOSE, str(found)
    return found


@pytest.mark.divided("kind", 2)
@pytest.mark.thinned("swapped")
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("kind", systems.KINDS)
def test_every_joint_in_a_tree(kind, swapped):
    found = agreed(systems.hanging(kind, swapped))
    n = len(found.kane.speeds)
    assert [size.equations for size in found.sizes][::2] == [18, n]
    assert len(found.newton.unknowns) == 18  # as many unknowns as equations: 6N = n + c


@pytest.mark.parametrize("kind", ["pin", "screw", "universal", "ball"])
def test_joints_that_close_loops(kind):
    agreed(systems.pair(kind))


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize(
    "name",
    [
        "bicycle",
        "bricard",
        "cam",
        "car_axis",
        "chaplygin_sleigh",
        "governor",
        "planetary_gear",
        "rattleback",
        "robot",
        "trailer",
    ],
)
def test_constraints_of_every_sort(name):
    """Rolling, skating, meshing, prescribed motions, loops with more equations than needed."""
    agreed(gallery.find(name).system())


@pytest.mark.parametrize("formulation", ["relative", "absolute", "bryan"])
def test_every_formulation(formulation):
    agreed(gallery.find("slider_crank_planar").system(), formulation)


@pytest.mark.divided("make", 2)
@pytest.mark.parametrize(
    "make", [systems.laws, systems.mounts, systems.driven, systems.free_bodies, systems.massless_link]
)
def test_laws_of_every_sort(make):
    agreed(make())


def test_lagrange_rejects_absolute_angular_velocities():
    with pytest.raises(mk.ModelError, match="mixed formulation has absolute angular velocities.*Use formulation="):
        mk.equations(systems.hanging("ball"), "lagrange", "mixed")


@pytest.mark.parametrize("name", SYMBOLIC)
def test_symbol_for_symbol(name):
    """After Newton's reactions are eliminated, and with u = q', the three are the same polynomials in all symbols."""
    found = mk.compare(gallery.find(name).system(), points=1)
    assert found.identical == {"newton": True, "lagrange": True} and found.agree


def test_a_planar_body_has_three_equations():
    s = mk.System("planar pendulum", gravity=(0, -9.81, 0), planar="xy")
    arm = s.body("arm", 2.0, inertia=0.3, position=(0.5, 0, 0))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="z")
    found = mk.compare(s)
    assert len(found.newton.equation_names) == 3 and found.newton.unknowns == ["u_hinge'", "F_hinge_x", "F_hinge_y"]
    assert found.agree and found.identical["newton"]


@pytest.mark.parametrize("kind", ["pin", "slider", "ball", "universal", "planar", "pin_slider", "weld"])
def test_reactions_are_those_of_the_engine(kind):
    """Newton's unknowns, put together at the joint, against run.reaction at the start; the joint's own axes at the
    joint's point."""
    s = systems.hanging(kind)
    eq = mk.equations(s, "newton", parameters="numeric")
    q, u = s.initial_state()
    state = (
        dict(zip(eq.trace.compiled.coordinates, q, strict=True))
        | dict(zip(eq.trace.compiled.speeds, u, strict=True))
        | {"t": 0.0}
    )
    A, b = eq.matrix.evaluate(**state), eq.right_side.evaluate(**state)
    solved = dict(zip(eq.unknown_names, np.linalg.solve(A, b), strict=True))
    axes = "world" if kind == "ball" else "joint"
    expected = mk.simulate(s, 1e-6).reaction("joint", axes=axes).isel(time=0)
    force = [solved.get(f"joint.F{axis}", 0.0) for axis in "xyz"]
    size = np.abs(expected.force.values).max()
    assert force == pytest.approx(expected.force.values, abs=1e-11 * size)
    moment = [solved.get(f"joint.M{axis}", 0.0) for axis in "xyz"]
    if kind in ("slider", "ball", "weld"):  # elsewhere moments are given along axes of the other body
        assert moment == pytest.approx(expected.moment.values, abs=1e-11 * size)
    else:
        assert np.linalg.norm(moment) == pytest.approx(np.linalg.norm(expected.moment.values), abs=1e-11 * size)


@pytest.mark.parametrize("make", [systems.laws, systems.mounts, systems.driven])
def test_forces_are_derivatives_of_potentials_and_the_rest(make):
    """F = Q − ∂V/∂q: three different runs of the kernels. In q' where there are Euler parameters."""
    eq = mk.equations(make(), "lagrange", parameters="numeric", form="z")
    trace, r = eq.trace, eq.rates
    for _, state in zip(range(2), random_states(traced(make(), "joint", "numeric")), strict=False):
        rates = dict(zip((f"{name}'" for name in trace.compiled.coordinates), evaluate(trace.qd, state), strict=True))
        power = lambda forces: float(np.dot(evaluate(forces, state), [state[name] for name in trace.compiled.speeds]))  # noqa: B023
        loss = evaluate([r.rate_of(eq.potential)], state | rates)[0]
        assert power(trace.active_forces) == pytest.approx(
            power(trace.forces_without_potential) - loss, rel=1e-11, abs=1e-11
        )


def test_newton_by_hand():
    """A pendulum: m a = F + m g, I α = moment of the reaction. Reactions by hand from its acceleration."""
    m, l, inertia, g, angle, rate = 2.0, 0.7, 0.3, 9.81, 0.4, 1.3
    s = mk.System("arm", gravity=(0, -g, 0), planar="xy")
    arm = s.body("arm", m, inertia=inertia, position=(l, 0, 0))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="z")
    eq = mk.equations(s, "newton")
    state = {"hinge.angle": angle, "hinge.angle.rate": rate}
    alpha, Fx, Fy = np.linalg.solve(eq.matrix.evaluate(**state), eq.right_side.evaluate(**state))
    by_hand = -m * g * l * np.cos(angle) / (inertia + m * l**2)
    assert alpha == pytest.approx(by_hand, rel=1e-13)
    e, n = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    expected = m * l * (by_hand * n - rate**2 * e) + [0.0, m * g]
    assert [Fx, Fy] == pytest.approx(expected, rel=1e-13)


def test_accelerations_are_those_of_the_engine():
    s = systems.laws()
    found = mk.compare(s, parameters="numeric", points=1)
    (state,) = [state for _, state in zip(range(1), random_states(found.kane.traced), strict=False)]
    values = lambda names: np.array([state[name] for name in names])
    if not found.kane.trace.integrals:
        ud = s.forward_dynamics(values(s.coordinates), values(s.speeds))
        assert accelerations(found.newton, state) == pytest.approx(ud, rel=1e-11, abs=1e-11)


def test_no_points_is_an_error():
    with pytest.raises(mk.ModelError, match="points is 0"):
        mk.compare(gallery.find("pendulum").system(), points=0)
