"""Derivatives of motions with contact laws: closed forms, published digits, and runs that are repeated with other values."""

import numpy as np
import pytest
from oracles import (
    G,
    ball,
    ball_on_cart,
    belt,
    block,
    dropped_rod,
    four_bar,
    leaning_rod,
    masses_and_wall,
    pendulum_on_a_stop,
    rods,
    rolling,
    shafts,
    sled,
    stack,
    thrown_ball,
    tipping_box,
    wedge,
)

import mekane as mk
from mekane import gallery
from mekane.model.construction_log import rebuilt, with_names

WAYS = ("joint", "absolute")
TOLERANCES = dict(rtol=1e-11, atol=1e-13)


def sensitivity(s, to, of, t_end, **options):
    return mk.sensitivity(s, to=to, of=of, t_end=t_end, **TOLERANCES, **options)


def differences(s, name, of, times, formulation, step=2e-4):
    """Fourth-order central differences of runs at 1e-12: they err by the step to the fourth, 1e-14, and by 1e-12 over it."""
    named = with_names(s, [name])
    p = named.parameters[name]
    h = step * max(abs(p), 0.3)

    def run(x):
        other = rebuilt(named, named.parameters | {name: p + x})
        found = mk.simulate(other, times[-1], every=times, rtol=1e-12, atol=1e-14, formulation=formulation)
        return np.array([found[one] for one in of]).T

    return (8 * (run(h) - run(-h)) - (run(2 * h) - run(-2 * h))) / (12 * h)


def compare(s, to, of, times, formulation, tolerance=2e-8, step=2e-4):
    found = sensitivity(s, to, of, times[-1], every=times, formulation=formulation).slopes
    for i, name in enumerate(to):
        expected = differences(s, name, of, times, formulation, step)
        assert np.abs(expected).max() > 1e-3, f"{name} changes nothing"
        assert np.abs(found[:, :, i] - expected).max() <= tolerance * np.abs(expected).max(), name


# ---------------------------------------------------------------- closed forms


@pytest.mark.parametrize("formulation", WAYS)
def test_bouncing_ball(formulation):
    """NONSMOOTH section 5: d(z, v)(2 s)/dh = .588792, 9.536821; and by e, from z = e⁴ v s − g s²/2 after the fourth impact,
    t₄ = t₁ (1 + 2e + 2e² + 2e³)."""
    of = ["ball.position.z", "ball.velocity.z"]
    found = sensitivity(ball(), ["ball.position.z", "floor.restitution"], of, 2.0, formulation=formulation).slopes[-1]
    assert np.allclose(found[:, 0], [0.588792, 9.536821], rtol=0, atol=1e-6)
    e, t1 = 0.7, np.sqrt(2 / G)
    v, since, later = G * t1, 2.0 - t1 * (1 + 2 * e + 2 * e**2 + 2 * e**3), t1 * (2 + 4 * e + 6 * e**2)
    speed = 4 * e**3 * v + G * later
    height = 4 * e**3 * v * since - (e**4 * v - G * since) * later
    assert np.allclose(found[:, 1], [height, speed], rtol=1e-9)


@pytest.mark.parametrize("formulation", WAYS)
def test_block_that_stops_on_a_slope(formulation):
    """x = v²/(2 (g_x + μ g_z)) where it stays."""
    s, mu, v = block(static=0.5), 0.3, 4.0
    gx, gz = -s.gravity[0], -s.gravity[2]
    to = ["slope.friction", "block.velocity.x", "gravity.x", "gravity.z"]
    found = sensitivity(s, to, ["block.position.x", "block.velocity.x"], 1.0, formulation=formulation).slopes[-1]
    a = gx + mu * gz
    expected = np.array([-(v**2) * gz / (2 * a**2), v / a, v**2 / (2 * a**2), mu * v**2 / (2 * a**2)])
    assert np.allclose(found[0], expected, rtol=1e-9)
    assert np.abs(found[1]).max() < 1e-9


@pytest.mark.parametrize("formulation", WAYS)
def test_coulomb_decay(formulation):
    """It stays at −(x₀ − 10 μ m g/k) after five half cycles: sliding in space that reverses four times."""
    s = gallery.find("coulomb_decay").system()
    to = ["floor.friction", "spring.stiffness", "block.position.x"]
    found = sensitivity(s, to, ["block.position.x"], 2.5, formulation=formulation).slopes[-1][0]
    assert np.allclose(found, [10 * G / 50, -10 * 0.25 * G / 50**2, -1.0], rtol=1e-7)


def test_instant_at_which_a_motion_ends():
    """The ball is highest at t₁ (1 + e)."""
    found = sensitivity(
        ball(), ["floor.restitution"], ["ball.position.z"], 2.0, until="ball.velocity.z < 0 and t > 0.6"
    )
    assert abs(found.end_slopes[0] - np.sqrt(2 / G)) < 1e-9


def test_clutch():
    """Shafts J 2 and 3 at 100 and −20 rad/s turn alike after 144/T s, at 28 rad/s whatever T is: the angle at the end is
    36 × 144/T more than that of 28 rad/s."""
    found = sensitivity(shafts((100, -20)), ["clutch.torque"], ["p.angle", "p.angle.rate"], 4.0).slopes[-1][:, 0]
    assert np.isclose(found[0], -36 * 144 / 50.0**2, rtol=1e-9) and abs(found[1]) < 1e-9


# ---------------------------------------------------------------- beside runs with other values


def kane(law):
    s, _, lower, tip = rods(np.radians([20, 30]), (-0.1, -0.2))
    plane = mk.Plane(at=tuple(tip - np.array([0, 0, 0.01])))
    s.contact("floor", (lower, (0, 0, -0.5)), (s.ground, plane), friction=0.5, restitution=0.5, law=law)
    return s


def rough_bearing():
    s = mk.System("bearing")
    bob = s.body("bob", mass=1.0, position=(np.sin(1.0), 0, -np.cos(1.0)))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis=(0, -1, 0))
    s.bearing_friction("bearing", "hinge", friction=0.4, radius=0.05)
    return s


def arm_on_a_stop(friction=0.4):
    """A rod that turns in a rough bearing falls on a floor: its end slides there, rough, too."""
    s = mk.System("arm")
    slope = 0.6
    centre = (0.5 * np.cos(slope), 0, 0.5 * np.sin(slope))
    rod = s.body("rod", mass=2.0, inertia=(0.1, 0.2, 0.2), position=centre, orientation=("y", -slope))
    s.pin("hinge", s.ground, rod, at=(0, 0, 0), axis="y")
    s.bearing_friction("bearing", "hinge", friction=friction, radius=0.05)
    s.contact("floor", (rod, (0.5, 0, 0)), (s.ground, mk.Plane(at=(0, 0, 0.1))), friction=0.3, restitution=0.6)
    return s


def rolling_ball():
    """Thrown on a floor with resistance to rolling."""
    s = mk.System("ball")
    b = s.body(
        "ball", mass=1.0, inertia=(4e-3,) * 3, position=(0, 0, 0.5), velocity=(2, 0, 0), angular_velocity=(0, 30, 0)
    )
    s.contact("floor", (b, mk.Sphere(0.1)), (s.ground, mk.Plane()), friction=0.2, restitution=0.6, rolling=0.01)
    return s


def pushed_sled():
    s, b = sled()
    s.parameters["c"] = 3.0
    s.force("push", b, ("4*sin(c*t)", 0, 0))
    s.dry_friction("rub", "rail", force=2.0, static=3.0)
    return s


def braked_hub():
    s = mk.System("hub", gravity=(0, 0, 0), parameters=dict(T=6.0, begin=0.4))
    b = s.body("hub", mass=1, inertia=(2, 2, 2))
    s.pin("pin", s.ground, b, at=(0, 0, 0), axis="z", rate=5)
    s.brake("brake", "pin", torque="T if t > begin else 0")
    return s


T = (0.0, 0.13, 0.37, 0.71)
TURNING = dict(velocity=(0, 2, 0), spin=(0, 0, 0), slope=0.17, friction=0.3)
JOINTS, ROLL = ["shoulder.angle", "elbow.angle.rate"], ["ball.position.x", "ball.velocity.y"]
RAIL, HINGE = ["rail.displacement", "rail.displacement.rate"], ["hinge.angle", "hinge.angle.rate"]
# mechanism, parameters, outputs, times
CASES = {
    "impact with friction": (
        kane("poisson"),
        ["floor.restitution", "floor.friction", "upper.mass"],
        JOINTS,
        (0.0, 0.3),
    ),
    "Stronge": (kane("stronge"), ["floor.restitution", "shoulder.rate"], JOINTS, (0.0, 0.3)),
    "thrown with spin": (
        thrown_ball(0),
        ["floor.restitution", "ball.velocity.x"],
        ["ball.position.x", "ball.velocity.y", "ball.position.z"],
        T,
    ),
    "rod with two ends": (dropped_rod(1), ["left.restitution", "right.friction"], ["rod.position.x"], (0.0, 0.5, 0.8)),
    "ball on a cart": (ball_on_cart(), ["floor.restitution", "spring.stiffness"], ["ball.position.x", RAIL[0]], T),
    "stick-slip": (belt(), ["rub.force", "rub.static", "spring.stiffness"], RAIL, (*T, 1.43)),
    "limit": (pendulum_on_a_stop(), ["stop.restitution", "stop.lower"], HINGE, (0.0, 0.7, 1.9)),
    "turning slip": (rolling(0.4, **TURNING), ["table.friction", "ball.velocity.y", "gravity.x"], ROLL, T),
    "wedge": (wedge(), ["left.friction", "right.restitution"], ["ball.position.x"], (0.0, 0.3, 0.5)),
    "limit in a loop": (
        four_bar(),
        ["stop.restitution", "rocker.mass"],
        ["pin 0.angle", "pin 3.angle.rate"],
        (0.0, 0.8),
    ),
    "masses and a wall": (masses_and_wall(4), ["heavy.mass", "light.position.x"], ["ra.displacement"], (0.0, 1.1, 2.0)),
    "bearing": (rough_bearing(), ["bearing.friction", "bearing.radius"], HINGE, (0.0, 1.0, 3.0)),
    "impact beside a bearing": (
        arm_on_a_stop(),
        ["bearing.friction", "floor.restitution", "rod.mass", "bearing.radius"],
        HINGE,
        (0.0, 0.55),
    ),
    "impact that resists rolling": (rolling_ball(), ["floor.restitution", "ball.velocity.x"], ROLL, (0.0, 0.4)),
    "force of time": (pushed_sled(), ["c", "rub.force", "rub.static"], RAIL, (0.0, 1.3, 3.0)),
    "brake": (braked_hub(), ["T", "begin"], ["pin.angle", "pin.angle.rate"], (0.0, 1.0, 3.0)),
}


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("formulation", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_beside_differences(name, formulation):
    compare(*CASES[name][:3], list(CASES[name][3]), formulation)


def test_box_that_slides_on_four_corners():
    """½ (g_x − μ g_z) t²: loads that are not unique do not matter."""
    from oracles import box_on_slope

    found = sensitivity(box_on_slope(0.3), ["slope.friction", "gravity.x"], ["box.position.x"], 0.9).slopes[-1][0]
    gz = G * np.cos(np.radians(20.0))
    assert np.allclose(found, [-0.5 * gz * 0.81, 0.5 * 0.81], rtol=1e-6)


def test_optimize_finds_a_restitution():
    """The ball shall be 0.3 m above its floor at t = 0.8: z = e v s − g s²/2, s = 0.8 − t₁."""
    t1 = np.sqrt(2 / G)
    wanted = (0.3 + G * (0.8 - t1) ** 2 / 2) / (G * t1 * (0.8 - t1))
    missed = lambda design: [design.at("ball.position.z", 0.8) - 0.4]
    found = mk.optimize(ball(), {"floor.restitution": (0.5, 0.95)}, missed)
    assert abs(found.parameters["floor.restitution"] - wanted) < 1e-7


# ---------------------------------------------------------------- where there is none


REFUSED = {
    "accumulation": (ball(), "ball.position.z", 3.0, r"bounces of 'floor' accumulate at t = 2\.5"),
    "two at once": (tipping_box(), "floor.friction", 0.5, r"'floor\.6', 'floor\.8' are hit at the same instant, t = 0\.28"),
    "at rest for one value": (ball(height=0.0), "ball.position.z", 0.1, r"'floor' holds at the start for this value of"),
    "friction 0": (block(friction=0.0, static=0.1), "slope.friction", 0.4, r"friction of 'slope' is 0 and cannot be less"),
    "restitution 1": (masses_and_wall(100), "pair.restitution", 1.0, r"restitution of 'pair' is 1 and cannot be more"),
    "jam": (leaning_rod(np.arctan(2.0), 1.5), "tip.friction", 0.4, r"'tip' jams \(Painlevé\) at the start"),
    "two ways to go on": (stack(), "pair.restitution", 0.7, r"'pair', 'floor': the impact at t = 0\.247"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_contact_and_time(name):
    s, to, t_end, text = REFUSED[name]
    with pytest.raises(mk.ModelError, match=text):
        mk.sensitivity(s, to=to, of=[f"{next(iter(s.bodies))}.position.x"], t_end=t_end)


def test_grazing():
    """A throw that reaches the floor at the speed 6e-7 m/s."""
    s = mk.System("graze", gravity=(0, 0, 0))
    b = s.body("p", mass=1, inertia=(1, 1, 1), position=(0, 0, 1 - 1e-13), velocity=(0, 0, -2))
    s.force("f", b, (0, 0, 2))
    s.contact("floor", (b, (0, 0, 0)), (s.ground, mk.Plane()), restitution=0.5)
    with pytest.raises(mk.ModelError, match=r"'floor': only just touched at t = 1 s"):
        mk.sensitivity(s, to="p.velocity.z", of="p.position.z", t_end=2)


def test_event_that_changes_speeds_while_something_touches():
    s = block()
    s.event("kick", when="t > 0.2", impulse={"block": (1, 0, 0)})
    with pytest.raises(mk.ModelError, match=r"event 'kick' changes speeds at t = 0\.2 s while 'slope' touches"):
        mk.sensitivity(s, to="slope.friction", of="block.position.x", t_end=0.4)


def test_equilibria_with_contacts_are_refused():
    s = block(speed=0.0, static=0.9)
    with pytest.raises(mk.ModelError, match=r"sensitivity of an equilibrium: the model has contact laws: 'slope'"):
        mk.sensitivity(s, to="gravity.x", of="block.position.x", at=mk.equilibrium(s))
