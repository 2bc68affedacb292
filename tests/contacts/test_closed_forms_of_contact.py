"""Closed forms of textbooks that no other test has, in joint and absolute coordinates.

Events are found to round-off, and the steps between them to the tolerance of 1e-12: 1e-10 of the size is a hundred of these.
"""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import mekane as mk

G = 9.81
both = pytest.mark.parametrize("formulation", ["joint", "absolute"])


def motion(s, t_end, formulation, **options):
    return mk.simulate(s, t_end, every=t_end, formulation=formulation, rtol=1e-12, atol=1e-14, **options)


def end(run, name):
    return run[name].values[-1]


@both
def test_a_ladder_leaves_the_wall_at_two_thirds_of_its_height(formulation):
    """Smooth wall and floor, from rest: θ̇² = 3g/l (sin θ₀ − sin θ), and the wall's force is zero where sin θ = ⅔ sin θ₀."""
    length, first = 2.0, 1.1
    s = mk.System("ladder")
    place = (0.5 * length * np.cos(first), 0, 0.5 * length * np.sin(first))
    inertia = 3.0 * length**2 / 12.0
    s.body("ladder", mass=3.0, inertia=(1e-3, inertia, inertia), position=place, orientation=("y", first))
    s.contact("wall", ("ladder", (-0.5 * length, 0, 0)), (s.ground, mk.Plane(normal="x")))
    s.contact("floor", ("ladder", (0.5 * length, 0, 0)), (s.ground, mk.Plane(normal="z")))
    left = np.arcsin(2.0 / 3.0 * np.sin(first))
    # θ = θ₀ − x² takes the root of the rate away
    slowness = lambda x: 2.0 * x / np.sqrt(3.0 * G / length * (np.sin(first) - np.sin(first - x * x))) if x else 0.0
    time = quad(slowness, 0.0, np.sqrt(first - left), epsabs=1e-14, epsrel=1e-13)[0]
    run = motion(s, 1.05 * time, formulation)
    (line,) = [one for one in run.events if one.changes.get("wall.mode", (0, 1))[1] == 0.0]
    assert line.time == pytest.approx(time, rel=1e-10)


@both
def test_a_rope_goes_taut(formulation):
    """A puck passes its anchor at 0.6 of the rope's length: where the rope is taut, 0.6 of its speed is left, across it."""
    s = mk.System("rope")
    s.gravity = (0, 0, 0)
    s.body("puck", mass=2.0, inertia=(1, 1, 1), position=(0, 0.6, 0), velocity=(3.0, 0, 0))
    s.cable("rope", s.ground, "puck", length=1.0)
    run = motion(s, 0.5, formulation)
    (line,) = [one for one in run.events if one.kind == "impact"]
    assert line.time == pytest.approx(0.8 / 3.0, rel=1e-12)
    assert line.contact_impulses["rope"][0] == pytest.approx(2.0 * 3.0 * 0.8, rel=1e-12)
    angle = np.arctan2(0.6, 0.8) - 1.8 * (0.5 - 0.8 / 3.0)  # it goes round at 1.8 m/s
    assert end(run, "puck.position") == pytest.approx([np.cos(angle), np.sin(angle), 0.0], abs=1e-10)


@both
def test_a_disc_drives_another_by_friction(formulation):
    """Momenta balance until the rims have one speed: ω = J₁ω₀/(J₁ + J₂) after J₁J₂ω₀/((J₁ + J₂) μ N r)."""
    first, second, speed, friction, force, radius = 0.3, 0.2, 40.0, 0.25, 12.0, 0.1
    s = mk.System("discs")
    s.gravity = (0, 0, 0)
    s.body("driver", mass=1.0, inertia=(1, 1, first))
    s.pin("shaft", s.ground, "driver", at=(0, 0, 0), axis="z", rate=speed)
    s.body("arm", mass=1.0, inertia=(1, 1, 1), position=(2 * radius, 0, 0))
    s.slider("press", s.ground, "arm", at=(2 * radius, 0, 0), axis="x")
    s.motor("pressure", "press", force=-force)
    s.body("driven", mass=1.0, inertia=(1, 1, second), position=(2 * radius, 0, 0))
    s.pin("axle", "arm", "driven", at=(2 * radius, 0, 0), axis="z")
    rims = ("driver", mk.Sphere(radius)), ("driven", mk.Sphere(radius))
    s.contact("rims", *rims, friction=friction)
    time = first * second * speed / ((first + second) * friction * force * radius)
    run = motion(s, 1.2 * time, formulation)
    (line,) = [one for one in run.events if one.changes.get("rims.mode") == (1.0, 2.0)]
    assert line.time == pytest.approx(time, rel=1e-10)
    common = first * speed / (first + second)
    assert end(run, "shaft.angle.rate") == pytest.approx(common, rel=1e-10)
    assert end(run, "axle.angle.rate") == pytest.approx(-common, rel=1e-10)


@both
@pytest.mark.parametrize("angle", [0.2, 0.3])
def test_a_pendulum_with_friction_rests_anywhere_in_its_region(formulation, angle):
    """It sticks where m g l |sin θ| ≤ T, here up to asin 0.25 = 0.2527: 0.2 stays, 0.3 goes, as if gravity were what is left."""
    s = mk.System("pendulum")
    s.body("bob", mass=1.0, inertia=(0.01, 0.01, 0.01), position=(np.sin(angle), 0, -np.cos(angle)))
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y")
    s.dry_friction("hinge rubs", "hinge", torque=0.25 * G)
    run = motion(s, 0.01, formulation)
    acceleration = 0.0 if angle < 0.25 else (np.sin(angle) - 0.25) * G / 1.01
    moved = np.linalg.norm(end(run, "bob.position") - np.array([np.sin(angle), 0, -np.cos(angle)]))
    assert moved == pytest.approx(0.5 * acceleration * 0.01**2, rel=1e-3, abs=1e-14)


@both
def test_balls_of_unequal_masses_hit_one_after_the_other(formulation):
    """Sequential, e = 1: each pair exchanges as if alone, v₂ = 2m₁/(m₁ + m₂) v, v₃ = 2m₂/(m₂ + m₃) v₂."""
    masses, rails = (1.0, 2.0, 5.0), []
    s = mk.System("balls")
    s.gravity = (0, 0, 0)
    for k, mass in enumerate(masses):
        s.body(f"ball {k}", mass=mass, inertia=(1, 1, 1), position=(0.2 * k - 0.05 * (k == 0), 0, 0))
        rails.append(s.slider(f"rail {k}", s.ground, f"ball {k}", axis="x", rate=3.0 if k == 0 else 0.0))
    for k in range(2):
        sides = (f"ball {k}", mk.Sphere(0.1)), (f"ball {k + 1}", mk.Sphere(0.1))
        s.contact(f"pair {k}", *sides, restitution=1.0)
    run = motion(s, 0.05, formulation, impacts="sequential")
    second = 2.0 * 1.0 / 3.0 * 3.0
    third, left = 2.0 * 2.0 / 7.0 * second, (2.0 - 5.0) / 7.0 * second
    first = (1.0 - 2.0) / 3.0 * 3.0  # −1; the second ball comes back at −6/7: it does not catch up
    rates = [end(run, f"rail {k}.displacement.rate") for k in range(3)]
    assert rates == pytest.approx([first, left, third], rel=1e-12)


@both
def test_a_puck_between_walls_goes_to_and_fro(formulation):
    """A triangular wave whose speed is multiplied by e at each wall: after n impacts a flight takes w/(v eⁿ)."""
    width, speed, e = 0.5, 2.0, 0.8
    s = mk.System("puck")
    s.body("puck", mass=1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "puck", axis="x", rate=speed)
    s.limit("walls", "rail", lower=0.0, upper=width, restitution=e)
    run = motion(s, 2.0, formulation)
    times = np.cumsum([width / (speed * e**n) for n in range(20)])
    impacts = [one.time for one in run.events if one.kind == "impact"]
    assert impacts == pytest.approx(times[times < 2.0], rel=1e-12)


@both
def test_a_brake_holds_up_to_its_torque(formulation):
    """A load of 10 t against 25 N m: it turns from 2.5 s on, with (10 t − 25)/J."""
    s = mk.System("brake")
    s.body("drum", mass=1.0, inertia=(1, 1, 2.0))
    s.pin("hub", s.ground, "drum", at=(0, 0, 0), axis="z")
    s.motor("load", "hub", torque="10*t")
    s.brake("brake", "hub", torque=25.0)
    run = motion(s, 3.0, formulation)
    assert [one.time for one in run.events if one.changes.get("brake.mode") == (2.0, 1.0)] == pytest.approx(
        [2.5], rel=1e-12
    )
    assert end(run, "hub.angle") == pytest.approx(10.0 * 0.5**3 / 6.0 / 2.0, rel=1e-10)


@both
def test_a_rocking_block_loses_what_housner_says(formulation):
    """It falls from one edge onto the other: momentum about that one is kept, so ω becomes 1 − ³⁄₂ sin² α of itself, α the angle
    of its diagonal (Housner, 1963)."""
    width, height = 0.2, 0.8
    slender, radius = np.arctan2(width, height), 0.5 * np.hypot(width, height)
    tilt = 0.5 * slender
    centre = (-radius * np.sin(slender - tilt), 0, radius * np.cos(slender - tilt))
    s = mk.System("block", planar="xz")
    s.body("block", mass=5.0, inertia=5.0 * (2.0 * radius) ** 2 / 12.0, position=centre, orientation=("y", tilt))
    for name, x in (("right", 0.5 * width), ("left", -0.5 * width)):
        s.contact(name, ("block", (x, 0, -0.5 * height)), (s.ground, mk.Plane()), friction=5.0)
    line = next(one for one in motion(s, 0.6, formulation).events if one.kind == "impact")
    assert line.changes == {"right.mode": (2.0, 0.0), "left.mode": (0.0, 2.0)}
    kept = (1.0 - 1.5 * np.sin(slender) ** 2) ** 2
    assert line.kinetic_energy[1] / line.kinetic_energy[0] == pytest.approx(kept, rel=1e-10)


@both
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_a_shoe_brake_helps_itself_one_way(formulation, sense):
    """The shoe stands lower than the pivot of its lever by h: friction pushes it away from the drum, or pulls it in, so that
    N = F L/(l ± μ h), and the drum stops after J ω/(μ N R)."""
    radius, arm, below, hand, force, mu, inertia, rate = 0.3, 0.4, 0.05, 0.8, 50.0, 0.4, 2.0, 20.0
    s = mk.System("brake", planar="xz", gravity=(0, 0, 0))
    s.body("drum", mass=5.0, inertia=inertia)
    s.pin("axle", s.ground, "drum", at=(0, 0, 0), axis="y", rate=sense * rate)
    s.body("lever", mass=1.0, inertia=0.1, position=(0, 0, radius + below))
    s.pin("pivot", s.ground, "lever", at=(-arm, 0, radius + below), axis="y")
    s.force("press", "lever", (0, 0, -force), at=(hand, 0, radius + below))
    s.contact("shoe", ("lever", (0, 0, -below)), ("drum", mk.Sphere(radius)), friction=mu)
    load = (arm + hand) * force / (arm + sense * mu * below)
    stop = rate * inertia / (mu * load * radius)
    (line,) = [one for one in motion(s, 1.2 * stop, formulation).events if one.changes.get("shoe.mode") == (1.0, 2.0)]
    assert line.time == pytest.approx(stop, rel=1e-10)


@both
@pytest.mark.parametrize("friction", [0.02, 0.4])
@pytest.mark.parametrize("degrees", [30.0, 60.0])
def test_a_ball_dropped_into_a_groove_rolls_along_it(formulation, degrees, friction):
    """About the line through both contacts nothing turns it but its weight and what presses, along the groove neither: v falls to
    v/(1 + ⅖/sin² α), whatever the bounces, α being the slope of the normals. Friction across the groove could carry part of the
    weight in the place of the walls, beyond its cone: it does not."""
    alpha = np.radians(degrees)
    s = mk.System("groove")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.3), velocity=(0.3, 0, 0))
    for name, side in (("left", 1.0), ("right", -1.0)):
        wall = mk.Plane(normal=(0, side * np.cos(alpha), np.sin(alpha)))
        s.contact(name, "ball", (s.ground, wall), friction=friction, restitution=0.2)
    run = motion(s, 2.0, formulation)
    rolls = 0.3 / (1.0 + 0.4 / np.sin(alpha) ** 2)
    assert end(run, "ball.velocity") == pytest.approx((rolls, 0.0, 0.0), abs=1e-10)
    across = np.array([0.0, np.sin(alpha), -np.cos(alpha)])
    force = run.reaction("left")["force"].values[-1]
    assert abs(across @ force) < 0.02 * np.linalg.norm(force)


@both
@pytest.mark.parametrize("restitution, after", [(1.0, (-1 / 3, 2 / 3, 2 / 3)), (0.5, (0.0, 0.5, 0.5))])
def test_dry_friction_takes_no_part_in_an_impact(formulation, restitution, after):
    """Three equal balls, two of which touch, on rails that rub: a finite force has no impulse, so that speeds are those of the
    cradle without friction."""
    s = mk.System("cradle that rubs")
    s.gravity = (0, 0, 0)
    for k in range(3):
        s.body(f"ball {k}", mass=1.0, inertia=(1, 1, 1), position=(0.2 * k, 0, 0))
        s.slider(f"rail {k}", s.ground, f"ball {k}", axis="x", rate=1.0 if k == 0 else 0.0)
        s.dry_friction(f"rub {k}", f"rail {k}", force=0.3)
    for k in range(2):
        s.contact(
            f"pair {k}", (f"ball {k}", mk.Sphere(0.1)), (f"ball {k + 1}", mk.Sphere(0.1)), restitution=restitution
        )
    run = motion(s, 1e-9, formulation)
    (line,) = [one for one in run.events if one.kind == "impact"]
    assert set(line.contact_impulses) == {"pair 0", "pair 1"}
    rates = [end(run, f"rail {k}.displacement.rate") for k in range(3)]
    assert rates == pytest.approx(after, abs=1e-9)  # they have rubbed for 1e-9 s: 3e-10 m/s


def swinging(rate, held):
    """A link in a rough bearing, on an arm that is thrown against its stop and sticks there, or on the ground."""
    s = mk.System("rough bearing", planar="xz")
    parent = s.ground
    if held:
        parent = s.body("arm", mass=1.0, inertia=0.01, position=(0.15, 0, 0))
        s.pin("shoulder", s.ground, "arm", at=(0, 0, 0), axis="y", rate=3.0)
        s.limit("stop", "shoulder", upper=0.0)
        s.dry_friction("rub", "shoulder", torque=20.0)
    s.body("link", mass=1.0, inertia=0.01, position=(0.45, 0, 0))
    s.pin("elbow", parent, "link", at=(0.3, 0, 0), axis="y", rate=rate)
    s.bearing_friction("bearing", "elbow", friction=0.2, radius=0.03)
    return s


@both
def test_a_joint_at_its_stop_that_also_sticks_holds_the_next_one(formulation):
    """Stop and dry friction of one joint share its load: the next link goes on as if it hung on the ground, with the rate that it
    has after the impact."""
    held = motion(swinging(2.0, True), 0.3, formulation)
    assert held["stop.mode"].values[-1] == 1 and held["rub.mode"].values[-1] == 2
    alone = motion(swinging(held["elbow.angle.rate"].values[0], False), 0.3, formulation)
    assert end(held, "elbow.angle") == pytest.approx(end(alone, "elbow.angle"), abs=1e-10)
    assert np.ptp(held.energy.balance.values) < 1e-10


@both
@pytest.mark.parametrize(
    "masses, frictions", [((2, 1), (0.3, 0.2)), ((2, 1), (0.2, 0.3)), ((2, 1, 1.5), (0.3, 0.2, 0.25))]
)
def test_blocks_on_ropes_break_away_together(formulation, masses, frictions):
    """Ropes between them are taut, the last is pulled by 5 t: while all stick their shares are not unique, then one has reached its
    limit and yet cannot move, as others hold it; 5 t = Σ μ m g ends that. Two stopped before: no acceleration was found for what is
    at its limit and held; three made a jump of 3 nm."""
    s = mk.System("blocks")
    for k, (mass, friction) in enumerate(zip(masses, frictions, strict=True)):
        s.body(f"block {k}", mass=mass, inertia=(1, 1, 1), position=(k, 0, 0))
        s.contact(f"floor {k}", (f"block {k}", (0, 0, 0)), (s.ground, mk.Plane()), friction=friction)
        if k > 0:
            s.cable(f"rope {k}", f"block {k - 1}", f"block {k}", length=1)
    s.force("pull", f"block {len(masses) - 1}", ("5*t", 0, 0))
    time = float(np.dot(masses, frictions)) * G / 5
    run = motion(s, time + 0.4, formulation)
    assert run.events[-1].time == pytest.approx(time, rel=1e-10)
    assert end(run, "block 0.position.x") == pytest.approx(5 * 0.4**3 / 6 / sum(masses), rel=1e-9)
    assert all(one.kind == "modes" for one in run.events)


@both
def test_a_ball_hits_a_shaken_table_once_in_each_period(formulation):
    """v = g T/2 up and down again; the table has w at the hits, v − w = e (v + w): w = v (1 − e)/(1 + e), for ever if it begins so."""
    period, e, size = 0.2, 0.5, 0.02
    v, rate = 0.5 * G * period, 2 * np.pi / period
    phase = np.arccos(v * (1 - e) / (1 + e) / (size * rate))
    s = mk.System("table")
    s.body("table", mass=1, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "table", at=(0, 0, 0), axis="z")
    s.prescribed("shaker", "rail", motion=f"{size}*sin({rate}*t + {phase})")
    start = (0, 0, size * np.sin(phase) + 1e-15)
    s.body("ball", mass=1, inertia=(1, 1, 1), position=start, velocity=(0, 0, v))
    s.contact("table top", ("ball", (0, 0, 0)), ("table", mk.Plane()), restitution=e)
    run = motion(s, 5.5 * period, formulation)
    hits = [one.time for one in run.events if one.kind == "impact"]
    assert hits == pytest.approx(period * np.arange(1, 6), rel=1e-12)


@both
@pytest.mark.parametrize("planar", [{}, {"planar": "xz"}])
def test_a_ball_that_rolls_off_a_sphere_slips_first(formulation, planar):
    """From rest at θ₀: θ̇² = 10 g (cos θ₀ − cos θ)/(7 (R + r)); it slips where μ (17 cos θ − 10 cos θ₀) = 2 sin θ."""
    radius, small, friction, first = 1.0, 0.1, 0.5, 0.2
    far = radius + small
    s = mk.System("ball", **planar)
    s.body("ball", mass=1, shape=mk.Sphere(small), position=(far * np.sin(first), 0, far * np.cos(first)))
    s.contact("sphere", "ball", (s.ground, mk.Sphere(radius)), friction=friction)
    slips = brentq(lambda x: friction * (17 * np.cos(x) - 10 * np.cos(first)) - 2 * np.sin(x), first, 1.0, xtol=1e-15)
    slowness = lambda x: 2 * x / np.sqrt(10 * G / 7 / far * (np.cos(first) - np.cos(first + x * x))) if x else 0.0
    time = quad(slowness, 0.0, np.sqrt(slips - first), epsabs=1e-14, epsrel=1e-13)[0]
    run = motion(s, 1.05 * time, formulation)
    assert next(one.time for one in run.events if one.time > 0.0) == pytest.approx(time, rel=1e-10)


@both
def test_a_mass_on_a_rope_that_does_not_get_round(formulation):
    """v₀² = 4 g l at the bottom: the rope goes slack at cos θ = −⅔, the mass flies on a parabola until it is taut again."""
    length = 1.0
    s = mk.System("swing")
    s.body("mass", mass=1, inertia=(1, 1, 1), position=(0, 0, -length), velocity=(np.sqrt(4 * G * length), 0, 0))
    s.cable("rope", s.ground, "mass", length=length)
    angle, speed = np.arccos(-2 / 3), np.sqrt(2 * G * length / 3)
    slack = quad(lambda x: length / np.sqrt(2 * G * length * (1 + np.cos(x))), 0, angle, epsabs=1e-14)[0]
    x, z = length * np.sin(angle), -length * np.cos(angle)
    far = lambda t: np.hypot(x + speed * np.cos(angle) * t, z + speed * np.sin(angle) * t - G * t * t / 2) - length
    taut = slack + brentq(far, 0.3, 2.0, xtol=1e-15)
    run = motion(s, taut + 0.01, formulation)
    assert [one.time for one in run.events if one.time > 0.0][:2] == pytest.approx([slack, taut], rel=1e-10)


@both
def test_a_pendulum_is_taken_along_by_its_shaft_and_breaks_away(formulation):
    """Dry friction T at a shaft that turns at W: it slides until J W²/2 = T θ − m g l (1 − cos θ), sticks to sin θ = T/(m g l)."""
    rate, torque, J = 0.5, 4.0, 1.01
    s = mk.System("pendulum")
    s.body("shaft", mass=1, inertia=(1, 1, 1))
    s.pin("drive", s.ground, "shaft", at=(0, 0, 0), axis=(0, -1, 0))
    s.prescribed("motion", "drive", motion=f"{rate}*t")
    s.body("bob", mass=1, inertia=(0.01,) * 3, position=(0, 0, -1))
    s.pin("hinge", "shaft", "bob", at=(0, 0, 0), axis=(0, -1, 0))
    s.dry_friction("rub", "hinge", torque=torque)
    energy = lambda x: torque * x - G * (1 - np.cos(x))
    caught = brentq(lambda x: energy(x) - 0.5 * J * rate**2, 0.0, 0.2, xtol=1e-16)
    slowness = lambda x: 2 * x / np.sqrt(2 / J * energy(x * x)) if x else 0.0
    sticks = quad(slowness, 0.0, np.sqrt(caught), epsabs=1e-14)[0]
    breaks = sticks + (np.arcsin(torque / G) - caught) / rate
    run = motion(s, breaks + 0.05, formulation)
    assert [one.time for one in run.events][-2:] == pytest.approx([sticks, breaks], rel=1e-9)


@both
def test_a_ball_with_e_1_and_great_friction_turns_back_between_two_plates(formulation):
    """What touches stops along the plate: with k = ⅖, an impulse takes 2/7 of the slip from the velocity, 5/7 from the rotation."""
    radius, along, speed = 0.05, 1.0, 3.0
    s = mk.System("plates", gravity=(0, 0, 0))
    s.body("ball", mass=1, shape=mk.Sphere(radius), position=(0, 0, 0.2), velocity=(along, 0, -speed))
    for name, plane in (("lower", mk.Plane()), ("upper", mk.Plane(at=(0, 0, 0.5), normal=(0, 0, -1)))):
        s.contact(name, "ball", (s.ground, plane), friction=2.0, restitution=1.0)
    run = motion(s, (0.15 + 0.4 + 0.2) / speed, formulation)
    rolls = 5 / 7 * along  # it leaves the lower plate rolling; at the upper one it slips by twice that
    assert end(run, "ball.velocity.x") == pytest.approx(rolls - 2 / 7 * 2 * rolls, rel=1e-12)
    assert end(run, "ball.angular_velocity")[1] == pytest.approx((rolls - 5 / 7 * 2 * rolls) / radius, rel=1e-12)
