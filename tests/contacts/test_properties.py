"""What holds for every motion with contact laws, on seeded random throws and on odd mechanisms."""

import numpy as np
import pytest
from oracles import (
    TIGHT,
    G,
    ball,
    ball_on_cart,
    belt,
    belt_pressed,
    box_on_slope,
    dropped_rod,
    four_bar,
    kane,
    rolling,
    stack,
    thrown_ball,
    tipping_box,
    two_ropes,
    wedge,
)
from scipy.integrate import solve_ivp

import mekane as mk
from mekane.solvers.contacts.complementarity import Block

SEEDS = range(4)
seeds = pytest.mark.parametrize("seed", SEEDS)
throws = pytest.mark.parametrize("throw", [dropped_rod, thrown_ball])


def run_of(s, t, **options):
    return mk.simulate(s, t, **(TIGHT | options))


def balance(run):
    """How far the ledger is from closed [J]."""
    found = run.energy.balance.values
    return np.abs(found - found[0]).max()


def channels(run, ending):
    return [name for name in run.names() if name.endswith(ending)]


def bodies_agree(run, other, tolerance):
    for body in run.system.bodies:
        for what in ("position", "velocity", "angular_velocity"):
            name = f"{body}.{what}"
            np.testing.assert_allclose(run[name].values, other[name].values, rtol=0, atol=tolerance, err_msg=name)


# ---------------------------------------------------------------- energy


@seeds
@throws
@pytest.mark.parametrize("law", ["poisson", "stronge", "phases"])
def test_impacts_and_friction_only_take_energy(throw, seed, law):
    """Every impact loses or keeps, and so does friction between samples; the losses are those of the kinetic energy."""
    run = run_of(throw(seed, e=0.7, law=law), 1.0)
    impacts = [line for line in run.events if line.kind == "impact"]
    assert impacts
    for line in impacts:
        before, after = line.kinetic_energy
        assert after <= before * (1 + 1e-12)
        assert sum(line.losses.values()) == pytest.approx(before - after, abs=1e-12 * before)
    for name in channels(run, ".heat"):
        assert np.diff(run[name].values).min() >= -1e-12


@seeds
@throws
def test_without_loss_nothing_is_lost(throw, seed):
    """e = 1 without friction conserves T + V. Round-off of some ten impacts."""
    run = run_of(throw(seed, e=1.0, friction=0.0), 1.5)
    assert len(run.events) > 1
    total = (run.energy.kinetic + run.energy.potential).values
    assert np.abs(total - total[0]).max() < 1e-12 * total.max()


LEDGERS = {
    "ball": (ball, 3.0), "ball on a cart": (ball_on_cart, 3.0), "belt": (belt, 2.0), "belt, pressed": (belt_pressed, 2.0),
    "box on a slope": (lambda: box_on_slope(0.3), 1.0), "four-bar": (lambda: four_bar(0.5, 1.5), 2.0),
    "tipping box": (lambda: tipping_box(3.0), 1.0), "two ropes": (two_ropes, 2.0), "stack": (stack, 2.0), "wedge": (wedge, 2.0),
    "spinning ball": (lambda: thrown_ball(1), 4.0), "backspin": (lambda: rolling(0.4), 3.0), "rod": (lambda: dropped_rod(1), 1.0),
}  # fmt: skip
each = pytest.mark.parametrize("name", list(LEDGERS))


@each
def test_the_ledger_closes(name):
    """Heat, losses of impacts and work of what is driven, to 1e-10 of energies of some 10 J."""
    make, t = LEDGERS[name]
    run = run_of(make(), t)
    assert balance(run) < 1e-10
    assert run.health.ok, run.health


def test_a_stack_at_rest_is_trusted():
    """A ball that rests on a ball is unstable, but 1e-11 m is not 0.001 of a fall of 0.3 m."""
    assert run_of(stack(), 2.0).health.ok


def test_the_ledger_closes_where_gaps_are_closed():
    """A rod that comes to lie on both ends: m g × 1e-9 m is 1e-8 J."""
    s = mk.System(planar="xz")
    rod = s.body(
        "rod", mass=1.0, inertia=1 / 12, position=(0, 0, 0.8), orientation=("y", 0.4), angular_velocity=(0, 1, 0)
    )
    for name, end in (("left", -0.5), ("right", 0.5)):
        s.contact(name, (rod, (end, 0, 0)), (s.ground, mk.Plane()), friction=0.4, restitution=0.5)
    assert balance(run_of(s, 2.5)) < 1e-10


# ---------------------------------------------------------------- gaps, forces


@each
def test_nothing_enters_anything(name):
    """Gaps are round-off at worst, forces push, and friction stays in its cone."""
    make, t = LEDGERS[name]
    run = run_of(make(), t)
    for gap in channels(run, ".gap"):
        assert run[gap].values.min() > -1e-12, gap
        force = run[gap.removesuffix("gap") + "force"].values
        assert force.min() > -1e-9 and np.all(force[run[gap].values > 1e-9] == 0.0), gap


@pytest.mark.parametrize("friction", [0.2, 0.5])
@seeds
def test_friction_stays_in_its_cone_and_against_slip(seed, friction):
    run = run_of(thrown_ball(seed, friction=friction), 5.0)
    normal, tangential, slip = (run[f"floor.{name}"].values for name in ("force", "friction", "slip"))
    assert np.all(tangential <= friction * normal + 1e-9)
    sliding = (slip > 1e-6) & (normal > 0)
    np.testing.assert_allclose(tangential[sliding], friction * normal[sliding], rtol=0, atol=1e-9)
    force, velocity = run.reaction("floor").force.values, run["ball.velocity"].values
    arm = np.array([0, 0, -0.1])
    at_point = velocity + np.cross(run["ball.angular_velocity"].values, arm)
    assert np.all(np.sum(force[:, :2] * at_point[:, :2], axis=1) <= 1e-9)


@each
def test_motion_follows_from_the_forces(name):
    """A free body: mass × acceleration = weight + forces of all contacts on it, and no other."""
    make, t = LEDGERS[name]
    run = run_of(make(), t)
    s = run.system
    held = {end for joint in s.joints.values() for end in (joint.a, joint.b)}
    for body in [one for one in s.bodies if one not in held and not s.forces]:
        total = s.bodies[body].mass * np.array([s.gravity] * len(run.t))
        for law in s.contact_laws:
            if body in run.compiled.constrained_bodies(law):
                total = total + run.reaction(law, on=body).force.values
        acceleration = run[f"{body}.acceleration"].values
        np.testing.assert_allclose(s.bodies[body].mass * acceleration, total, rtol=0, atol=1e-9, err_msg=body)


def test_action_is_reaction():
    """Force and moment of a contact on its two bodies, about the same point, are opposite."""
    run = run_of(ball_on_cart(), 3.0)
    on_ball, on_cart = (run.reaction("floor", on=body) for body in ("ball", "cart"))
    assert np.abs(on_ball.force.values).max() > 9.0
    np.testing.assert_allclose(on_ball.force.values, -on_cart.force.values, rtol=0, atol=1e-12)


def test_momentum_is_kept_in_impacts_of_free_bodies():
    """Two spinning balls in space: momentum, and angular momentum about the origin."""
    s = mk.System(gravity=(0, 0, 0))
    a = s.body("a", mass=1.0, shape=mk.Sphere(0.1), velocity=(2, 0.1, 0), angular_velocity=(3, 2, 10))
    b = s.body("b", mass=2.0, shape=mk.Sphere(0.15), position=(0.5, 0.1, 0.05), angular_velocity=(0, -4, 1))
    s.contact("pair", a, b, friction=0.3, restitution=0.7)
    run = run_of(s, 0.5)
    assert len(run.events) == 1 and run.events[0].kind == "impact"
    for name in [one for one in run.momentum if run.momentum[one].dims == ("time", "axis")]:
        found = run.momentum[name].values
        np.testing.assert_allclose(found, found[:1] * np.ones_like(found), rtol=0, atol=1e-13, err_msg=name)


# ---------------------------------------------------------------- ways to compute


OTHERS = [
    dict(formulation="absolute"),
    dict(constraints="embedded"),
    dict(formulation="absolute", constraints="embedded"),
]


@pytest.mark.thinned("options")
@each
@pytest.mark.parametrize("options", OTHERS)
def test_formulations_agree(name, options):
    """1e-10: the ledger of errors at rtol 1e-12, grown by impacts, of velocities up to 10 m/s and rates up to 100 rad/s."""
    make, t = LEDGERS[name]
    bodies_agree(run_of(make(), t), run_of(make(), t, **options), 1e-10)


@pytest.mark.parametrize("name", ["ball", "ball on a cart", "belt", "backspin", "spinning ball", "two ropes"])
def test_the_implicit_method_agrees(name):
    """At rtol 1e-10, errors of the order of 1e-8 m/s after some ten impacts."""
    make, t = LEDGERS[name]
    bodies_agree(run_of(make(), t), mk.simulate(make(), t, method="implicit", rtol=1e-10, atol=1e-12), 1e-7)


@pytest.mark.parametrize("name", ["ball", "belt", "backspin", "ball on a cart"])
def test_fixed_steps_agree(name):
    """RK4, 1 ms: h⁴ times fifth derivatives of smooth phases; events are located within steps."""
    make, t = LEDGERS[name]
    bodies_agree(run_of(make(), t), mk.simulate(make(), t, method="rk4", step=0.001), 1e-7)


@pytest.mark.parametrize("code", ["loops", "specialised"])
def test_made_code_agrees(code):
    bodies_agree(run_of(thrown_ball(2), 2.0), run_of(thrown_ball(2), 2.0, code=code), 1e-11)


def test_a_planar_model_moves_as_in_space():
    """Kane's puzzle has no motion across the plane: the impulse there is zero, and motion stays in it."""
    run = run_of(kane("poisson"), 0.3)
    for body in run.system.bodies:
        assert np.abs(run[f"{body}.velocity.y"].values).max() < 1e-12


def spinning_box(side):
    """A box that slides and spins on its face; `side` −1 is its mirror image in the plane xz."""
    s = mk.System()
    start = dict(velocity=(1.5, 0.3 * side, 0), angular_velocity=(0, 0, 6 * side))
    b = s.body("box", mass=1.0, shape=mk.Box(0.3, 0.2, 0.1), position=(0, 0, 0.05), **start)
    s.contact("floor", b, (s.ground, mk.Plane()), friction=0.3)
    return s


def test_a_mirror_image_moves_as_one():
    """Four corners share the load in a way that is not unique; what is chosen must not depend on their order."""
    run, image = (run_of(spinning_box(side), 0.5) for side in (1, -1))
    np.testing.assert_allclose(run["box.position"], image["box.position"] * [1, -1, 1], rtol=0, atol=1e-10)


def shaft(torque, push="0", rate=0.0):
    """A shaft of unit inertia with a brake, and a motor."""
    s = mk.System(gravity=(0, 0, 0))
    s.pin("hub", s.ground, s.body("shaft", mass=1, inertia=(1, 1, 1)), at=(0, 0, 0), axis="z", rate=rate)
    s.brake("brake", "hub", torque=torque)
    s.motor("motor", "hub", torque=push)
    return mk.simulate(s, 1.0)["hub.angle.rate"].values[-1]


@pytest.mark.parametrize(
    "torque, push, rate, exact",
    [
        ("3 if t > 0.4 else 0", "0", 5.0, 3.2),
        ("3 if t > 0.4 else 0", "2 if t > 0.6 else 0", 0.0, 0.0),
        ("3 if t > 0.4 else 0", "4 if t > 0.6 else 0", 0.0, 0.4),
        ("3 if t > 0.4 else 0", "1", 0.0, 0.0),
        ("3*t", "1", 0.0, 0.0),
        ("3 if t < 0.4 else 0", "0", 5.0, 3.8),
    ],
)
def test_friction_that_begins_within_a_run(torque, push, rate, exact):
    """A brake of capacity zero has no direction; it acts from where its capacity begins. By hand, at rtol 1e-9."""
    assert shaft(torque, push, rate) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("friction, rubs", [("0.1 if t > 0.2 else 0", 0.3), ("0.1 if t < 0.2 else 0", 0.2)])
def test_a_floor_that_becomes_rough_or_smooth(friction, rubs):
    s = mk.System()
    b = s.body("b", mass=1, velocity=(1, 1, 0))
    s.contact("floor", (b, (0, 0, 0)), (s.ground, mk.Plane()), friction=friction)
    run = mk.simulate(s, 0.5)
    assert np.linalg.norm(run["b.velocity"].values[-1]) == pytest.approx(np.sqrt(2) - 0.1 * G * rubs, abs=1e-9)


def pushed():
    """A particle on a rough floor that is pushed harder and harder."""
    s = mk.System()
    b = s.body("b", mass=1.0)
    s.contact("floor", (b, (0, 0, 0)), (s.ground, mk.Plane()), friction=0.3)
    s.force("push", b, ("t", "0.3*t", 0))
    return mk.simulate(s, 4.0)


def test_sliding_begins_slowly():
    """It slides off at μ m g, along the push, which grows by k = √1.09 N/s: k (t − t₀)³/6 from there on. At rtol 1e-9."""
    run, k = pushed(), np.hypot(1, 0.3)
    begins = 0.3 * G / k
    assert run.events[-1].time == pytest.approx(begins, abs=1e-9)
    assert np.hypot(*run["b.position"].values[-1][:2]) == pytest.approx(k * (4 - begins) ** 3 / 6, abs=1e-8)


def test_sliding_begins_in_few_steps():
    """Explicit steps that follow the direction of slow sliding would be 36 000."""
    assert pushed().info["steps"] < 2000


def test_sliding_begins_in_a_direction_that_turns():
    """A push that turns while it grows. Oracle: the same equation by Radau's method of SciPy, begun 1e-4 s after the
    particle has left, where its direction is that of the push within 1e-8; the run is at rtol 1e-11."""
    s = mk.System()
    b = s.body("b", mass=1.0)
    s.contact("floor", (b, (0, 0, 0)), (s.ground, mk.Plane()), friction=0.3)
    s.force("push", b, ("t", "0.3*t + 0.1*t*t", 0))
    run = mk.simulate(s, 4.0, rtol=1e-11, atol=1e-13)
    push, begins = lambda t: np.array([t, 0.3 * t + 0.1 * t * t]), run.events[-1].time
    later = begins + 1e-4
    d = push(later) / np.linalg.norm(push(later))
    speed = 0.5e-4 * (np.linalg.norm(push(later)) - 0.3 * G)
    rate = lambda t, y: np.concatenate([y[2:], push(t) - 0.3 * G * y[2:] / np.linalg.norm(y[2:])])
    start = np.concatenate([d * speed * 1e-4 / 3, d * speed])
    exact = solve_ivp(rate, (later, 4.0), start, "Radau", rtol=1e-12, atol=1e-15).y[:, -1]
    np.testing.assert_allclose(run["b.position"].values[-1][:2], exact[:2], rtol=0, atol=1e-9)
    np.testing.assert_allclose(run["b.velocity"].values[-1][:2], exact[2:], rtol=0, atol=1e-9)
    assert run.info["steps"] < 4000 and run.health.ok


def test_sliding_passes_by_zero_within_a_step():
    """A particle slides against a push, stops and slides back, along one line but in space. The step that ends at the stop has
    a stage there, where directions are round-off. By hand: v = v₀ − (f + μ g) t, then (f − μ g)(t − t₀) the other way."""
    s = mk.System()
    b = s.body("b", mass=1.0, velocity=(2.0, 1.0, 0))
    s.contact("floor", (b, (0, 0, 0)), (s.ground, mk.Plane()), friction=0.2)
    s.force("push", b, (-6.0, -3.0, 0))
    run = mk.simulate(s, 1.0, rtol=1e-11, atol=1e-13)
    stops = np.sqrt(5) / (np.sqrt(45) + 0.2 * G)
    back = (np.sqrt(45) - 0.2 * G) * (1 - stops)
    exact = -back * np.array([2, 1, 0]) / np.sqrt(5)
    np.testing.assert_allclose(run["b.velocity"].values[-1], exact, rtol=0, atol=1e-10)
    assert run.health.ok


def grain(across, along=(1, 1, 0), velocity=(1, 0.5, 0), push=None):
    """A particle on a floor with a grain."""
    s = mk.System()
    b = s.body("b", mass=2.0, velocity=velocity)
    s.contact("floor", (b, (0, 0, 0)), (s.ground, mk.Plane()), friction=0.2, across=across, along=along)
    if push:
        s.force("push", b, push)
    return mk.simulate(s, 1.0, rtol=1e-11, atol=1e-13)


def test_friction_that_is_another_across_the_grain():
    """It dissipates the most that its ellipse allows: F = −μ N (v_u u + 4 v_w w)/√(v_u² + 4 v_w²) where friction across is twice
    that along u. Oracle: DOP853 of SciPy, up to a millionth before it stops."""
    run = grain(2.0)
    u, w = np.array([1, 1]) / np.sqrt(2), np.array([-1, 1]) / np.sqrt(2)

    def rate(t, y):
        a, b = y[2:] @ u, 2 * (y[2:] @ w)
        return np.concatenate([y[2:], -0.2 * G * (a * u + 2 * b * w) / np.hypot(a, b)])

    stops = run.events[-1].time
    exact = solve_ivp(rate, (0, stops * (1 - 1e-6)), [0, 0, 1, 0.5], "DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
    np.testing.assert_allclose(run["b.position"].values[-1][:2], exact[:2], rtol=0, atol=1e-11)
    assert np.linalg.norm(exact[2:]) < 1e-5
    assert run["floor.slip"].values[0] == pytest.approx(np.hypot(1, 0.5), abs=1e-15)
    assert run["floor.friction"].values[0] == pytest.approx(2 * np.linalg.norm(rate(0, [0, 0, 1, 0.5])[2:]), abs=1e-12)
    assert abs(run.energy.balance - run.energy.balance[0]).max() < 1e-11


@pytest.mark.parametrize("push, sticks", [((5.5, 0, 0), False), ((0, 5.5, 0), True), ((0, 7.9, 0), False)])
def test_what_holds_across_the_grain(push, sticks):
    """2 kg on a floor with μ = 0.2 along x and 0.4 across: 3.92 N hold along, 7.85 N across."""
    run = grain(2.0, along="x", velocity=(0, 0, 0), push=push)
    assert (np.linalg.norm(run["b.position"].values[-1]) == 0.0) == sticks


def test_a_grain_in_a_planar_model_is_refused():
    s = mk.System(planar="xz")
    with pytest.raises(mk.ModelError, match="across is 2 in a planar model"):
        s.contact("floor", (s.body("b", mass=1), (0, 0, 0)), (s.ground, mk.Plane()), friction=0.2, across=2)


def test_sliding_that_turns_by_more_than_a_right_angle():
    """A particle slides against a push that turns it back: its direction of sliding turns by half a turn and more without
    an event. Oracle: SciPy's DOP853 on m v' = F − μ m g v/|v|."""
    s = mk.System()
    b = s.body("b", mass=1.0, velocity=(1.0, 0.2, 0))
    s.contact("floor", (b, (0, 0, 0)), (s.ground, mk.Plane()), friction=0.1)
    s.force("push", b, (-3.0, 0, 0))
    run = mk.simulate(s, 2.0, rtol=1e-11, atol=1e-13)
    rate = lambda t, y: np.concatenate([y[2:], np.array([-3.0, 0]) - 0.1 * G * y[2:] / np.linalg.norm(y[2:])])
    exact = solve_ivp(rate, (0, 2.0), [0, 0, 1.0, 0.2], "DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
    np.testing.assert_allclose(run["b.position"].values[-1][:2], exact[:2], rtol=0, atol=1e-9)
    assert [line.kind for line in run.events] == ["modes"] and run.health.ok
    np.testing.assert_array_less(run["floor.friction"].values[1:], 0.1 * G + 1e-9)
    np.testing.assert_allclose(np.einsum("ti,ti->t", run["b.velocity"].values, run["b.acceleration"].values),
        -3.0 * run["b.velocity.x"].values - 0.1 * G * np.linalg.norm(run["b.velocity"].values, axis=1), rtol=0, atol=1e-9)  # fmt: skip


# ---------------------------------------------------------------- sets


SETS = {
    "interval": Block(np.arange(1), False, 0.7),
    "disc": Block(np.arange(2), False, 0.7),
    "half-line": Block(np.arange(1), True, 0.0),
    "half-line with a floor": Block(np.arange(1), True, 0.0, floor=0.3),
    "open": Block(np.arange(3), True, 0.5, closed=False),
}


@pytest.mark.parametrize("name", list(SETS))
def test_projections_are_idempotent_and_do_not_expand(name):
    block, rng = SETS[name], np.random.default_rng(5)
    for _ in range(200):
        x, y = rng.normal(size=(2, len(block.rows)))
        px, py = block.nearest(x), block.nearest(y)
        np.testing.assert_allclose(block.nearest(px), px, rtol=0, atol=1e-15)
        assert np.linalg.norm(px - py) <= np.linalg.norm(x - y) + 1e-15


def test_the_normal_and_then_the_disc_is_idempotent():
    """Coulomb's law is not a projection onto the cone: the normal force comes first, then the disc that it gives. For the
    same normal force it does not expand."""
    block, rng = Block(np.arange(3), True, 0.5), np.random.default_rng(6)
    for _ in range(200):
        x, y = rng.normal(size=(2, 3))
        y[0] = x[0]
        px, py = block.nearest(x), block.nearest(y)
        np.testing.assert_allclose(block.nearest(px), px, rtol=0, atol=1e-15)
        assert np.linalg.norm(px[1:]) <= 0.5 * px[0] + 1e-15
        assert np.linalg.norm(px - py) <= np.linalg.norm(x - y) + 1e-15


@pytest.mark.parametrize("height", [1e-3, 1e-6])
def test_low_falls_end_at_rest(height):
    """The time of rest of a ball is (1 + e)/(1 − e) falls of √(2h/g), however low; the closing errs by its own height."""
    run = run_of(ball(0.5, height=height), 0.2)
    (rest,) = [line.rest for line in run.events if line.rest]
    assert rest == pytest.approx(3 * np.sqrt(2 * height / G), abs=1e-11)
    assert abs(run["floor.gap"].values[-1]) < 1e-15
