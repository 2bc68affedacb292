"""Every kind of constraint against a closed form, or against an equation of motion written by hand.

Runs keep 1e-11 per step; over a few seconds that makes 1e-9 in motion. Forces follow from the state by a
well-conditioned solve.
"""

import numpy as np
import pytest
import systems
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import mekane as mk

g = 9.81
TIGHT = dict(rtol=1e-11, atol=1e-12, method="dop853")


def run_of(s, t_end, **keywords):
    run = mk.simulate(s, t_end, **{"every": t_end / 100, **TIGHT, **keywords})
    assert run.health.ok, run.health
    return run


def incline(angle=0.3):
    """Gravity seen from a plane that falls towards x."""
    return (g * np.sin(angle), 0, -g * np.cos(angle))


def close(a, b, tolerance=1e-9):
    assert np.asarray(a) == pytest.approx(np.asarray(b), abs=tolerance * max(1.0, np.abs(b).max()))


# ---------------------------------------------------------------- knife edges and wheels


def skate(method, *rest, **keywords):
    s = mk.System("skate", gravity=incline())
    sled = s.body("sled", mass=2.0, inertia=(0.1, 0.1, 0.1), angular_velocity=(0, 0, 1.5))
    s.planar("ice", s.ground, sled, normal="z")
    getattr(s, method)("edge", *rest, **keywords)
    return run_of(s, 4.0)


EQUATION = "cos(ice.angle)*sled.velocity.y - sin(ice.angle)*sled.velocity.x"


@pytest.mark.parametrize("method, what", [("knife_edge", ("sled", (0, 0, 0))), ("velocity_constraint", EQUATION)])
def test_a_skate_on_a_slope_does_not_come_down(method, what):
    """v = (a/w) sin wt along the edge, so x = a/(2w²) sin² wt and y drifts on a cycloid; the edge pushes with 2 m a
    sin wt."""
    run, a, w = skate(method, what), g * np.sin(0.3), 1.5
    t = run.t
    close(run["sled.position.x"], a / (2 * w**2) * np.sin(w * t) ** 2)
    close(run["sled.position.y"], a / (2 * w**2) * (w * t - 0.5 * np.sin(2 * w * t)))
    close(run.reaction("edge")["multiplier"].values[:, 0], 2 * 2.0 * a * np.sin(w * t))
    side = np.stack([-np.sin(w * t), np.cos(w * t), 0 * t], axis=1)
    close(run.reaction("edge")["force"], 2 * 2.0 * a * np.sin(w * t)[:, None] * side)


def test_a_bicycle_goes_in_a_circle():
    """Rear wheel fixed, front wheel steered by d: yaw rate v tan(d)/L, the rear wheel on a circle of radius
    L/tan(d)."""
    L, steer, v = 1.2, 0.4, 3.0
    s = mk.System("bicycle")
    frame = s.body(
        "frame", mass=15.0, inertia=(1, 1, 1), velocity=(v, 0, 0), angular_velocity=(0, 0, v * np.tan(steer) / L)
    )
    s.planar("road", s.ground, frame, normal="z")
    s.knife_edge("rear", (frame, (0, 0, 0)))
    s.steering_wheel("front", (frame, (L, 0, 0)), steer)
    run = run_of(s, 3.0)
    close(run["road.angle"], v * np.tan(steer) / L * run.t)
    radius = L / np.tan(steer)
    close(np.hypot(run["frame.position.x"], run["frame.position.y"] - radius), radius * np.ones(len(run.t)))


def test_steering_by_a_joint_is_steering_by_its_angle():
    """The same vehicle with a fork that carries a knife edge, and with the fork's angle as `steer`: one motion. Oracle:
    the other one."""
    ends = []
    for by_joint in (False, True):
        s = mk.System("fork")
        frame = s.body("frame", mass=15.0, inertia=(1, 1, 1), velocity=(2, 0, 0))
        fork = s.body("fork", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(1.2, 0, 0), velocity=(2, 0, 0))
        s.planar("road", s.ground, frame, normal="z")
        s.pin("head", frame, fork, at=(1.2, 0, 0), axis="z")
        s.prescribed("hands", "head", "0.5*sin(2*t)")
        s.knife_edge("rear", (frame, (0, 0, 0)))
        if by_joint:
            s.knife_edge("front", (fork, (0, 0, 0)))
        else:
            s.steering_wheel("front", (frame, (1.2, 0, 0)), "head.angle")
        run = run_of(s, 2.0)
        ends.append(np.concatenate([run["frame.position"].values[-1], run.reaction("rear")["force"].values[-1]]))
    close(ends[0], ends[1], 1e-8)


# ---------------------------------------------------------------- rolling


@pytest.mark.parametrize("kind, size", [("rolling_sphere", 0.1), ("rolling_ellipsoid", (0.1, 0.1, 0.1))])
def test_a_ball_rolls_down_a_slope(kind, size):
    """x = ½ · 5/7 g sin · t²; the plane pushes with m g cos and holds back with 2/7 m g sin, at the point of
    contact."""
    s = mk.System("slope", gravity=incline())
    ball = s.body("ball", mass=2.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1))
    getattr(s, kind)("roll", (ball, (0, 0, 0)), size)
    run = run_of(s, 2.0)
    contact = run.reaction("roll")
    close(run["ball.position.x"], 5 / 14 * g * np.sin(0.3) * run.t**2)
    close(contact["force"], np.tile((-2 / 7 * 2 * g * np.sin(0.3), 0, 2 * g * np.cos(0.3)), (len(run.t), 1)))
    close(contact["moment"], np.zeros((len(run.t), 3)))
    close(contact["point"].values[:, 2], np.zeros(len(run.t)))


def test_a_ball_on_a_turntable_goes_in_circles():
    """Its centre moves on a circle with 2/7 of the turntable's speed, whatever its start."""
    w = 3.0
    s = mk.System("turntable")
    table = s.body("table", mass=1.0, inertia=(1, 1, 1))
    ball = s.body("ball", mass=2.0, shape=mk.Sphere(0.1), position=(0.3, 0, 0.1), velocity=(0.1, 0.5, 0))
    s.pin("axle", s.ground, table, at=(0, 0, 0), axis="z")
    s.prescribed("drive", "axle", f"{w}*t")
    s.rolling_sphere("roll", (ball, (0, 0, 0)), 0.1, on=(table, (0, 0, 0)))
    run = run_of(s, 5.0)
    v = run["ball.velocity"].values
    theta = 2 / 7 * w * run.t
    close(v[:, 0], v[0, 0] * np.cos(theta) - v[0, 1] * np.sin(theta), 1e-8)
    close(v[:, 1], v[0, 0] * np.sin(theta) + v[0, 1] * np.cos(theta), 1e-8)


def test_a_rolling_ellipse_keeps_its_energy():
    """½ (I + m d²) w² + m g h: h the height of the centre and d its distance from the contact, both functions of the
    angle."""
    a, b, c, m = 0.4, 0.5, 0.2, 3.0
    s = mk.System("ellipse")
    egg = s.body("egg", mass=m, inertia=(0.1, 0.12, 0.15), position=(0, 0, c), angular_velocity=(0, 4.0, 0))
    s.rolling_ellipsoid("roll", (egg, (0, 0, 0)), (a, b, c))
    run = run_of(s, 3.0)
    x, z = (run.kinematics.R("egg")[:, 2, k] for k in (0, 2))  # components of the plane's normal in the body
    w = run["egg.angular_velocity"].values
    h2 = (a * x) ** 2 + (c * z) ** 2
    d2 = (a**4 * x**2 + c**4 * z**2) / h2
    close(run["egg.position.z"], np.sqrt(h2))
    E = 0.5 * (0.12 + m * d2) * w[:, 1] ** 2 + m * g * np.sqrt(h2)
    close(E, E[0] * np.ones(len(E)))
    assert np.ptp(x) > 0.3


def test_a_ball_leaves_a_ball_at_ten_seventeenths():
    """Rolling from rest at the top of a fixed sphere: 7/10 v² = g h, and the contact force vanishes at cos = 10/17."""
    R, r, start = 1.0, 0.25, 0.05
    s = mk.System("ball on ball")
    ball = s.body("ball", mass=2.0, shape=mk.Sphere(r), position=((R + r) * np.sin(start), 0, (R + r) * np.cos(start)))
    s.rolling_spheres("roll", (s.ground, (0, 0, 0)), (ball, (0, 0, 0)), R, r)
    run = run_of(s, 2.2, every=0.001)
    p, v, F = run["ball.position"].values, run["ball.velocity"].values, run.reaction("roll")["force"].values
    close(0.7 * (v**2).sum(axis=1), g * (p[0, 2] - p[:, 2]))
    cosine = p[:, 2] / (R + r)
    push = (F * p).sum(axis=1) / (R + r)
    close(push, 2.0 * g * (17 * cosine - 10 * np.cos(start)) / 7)  # m g cos − m v²/(R + r)
    assert push[0] > 0 > push[-1]


def test_a_ball_in_a_bowl_swings_as_a_pendulum():
    """Sphere inside a sphere, in a plane: a pendulum of length 7/5 (R − r), compared over a whole period from a wide
    swing."""
    R, r, start = 1.0, 0.3, 1.2
    period = 4 * np.sqrt(1.4 * (R - r) / g) * ellipk(np.sin(start / 2) ** 2)
    s = mk.System("bowl")
    place = ((R - r) * np.sin(start), 0, -(R - r) * np.cos(start))
    ball = s.body("ball", mass=2.0, shape=mk.Sphere(r), position=place)
    s.rolling_spheres("roll", (s.ground, (0, 0, 0)), (ball, (0, 0, 0)), R, r, inside=True)
    run = run_of(s, period)
    close(run["ball.position"].values[-1], np.array(place))
    close(run["ball.position"].values[len(run.t) // 2], np.array(place) * (-1, 1, 1))


def test_a_ball_loops_the_loop():
    """Through the very top of the bowl, opposite to where its directions start. Oracle: energy and the plane of
    motion."""
    R, r = 1.0, 0.3
    s = mk.System("loop")
    ball = s.body(
        "ball", mass=2.0, shape=mk.Sphere(r), position=(0, 0, r - R), velocity=(8, 0, 0), angular_velocity=(0, 8 / r, 0)
    )
    s.rolling_spheres("roll", (s.ground, (0, 0, 0)), (ball, (0, 0, 0)), R, r, inside=True)
    run = run_of(s, 3.0)
    p, v = run["ball.position"].values, run["ball.velocity"].values
    close(0.7 * (v**2).sum(axis=1) + g * p[:, 2], np.full(len(p), 0.7 * 64 + g * (r - R)))
    close(p[:, 1], np.zeros(len(p)))
    assert p[:, 2].max() > 0.69 * (R - r) / 0.7


# ---------------------------------------------------------------- points


@pytest.mark.parametrize("method", ["distance", "position_constraint"])
def test_a_rod_makes_a_pendulum(method):
    """After the period 4 √(L/g) K(sin² θ0/2) it is back; at the bottom the rod pulls with m g (3 − 2 cos θ0)."""
    L, start, m = 0.8, 1.0, 2.0
    period = 4 * np.sqrt(L / g) * ellipk(np.sin(start / 2) ** 2)
    place = (L * np.sin(start), 0, -L * np.cos(start))
    s = mk.System("rod")
    bob = s.body("bob", mass=m, inertia=(0.1, 0.1, 0.1), position=place)
    if method == "distance":
        s.distance("rod", (s.ground, (0, 0, 0)), (bob, (0, 0, 0)))
    else:
        s.position_constraint("rod", f"sqrt(bob.position.x**2 + bob.position.y**2 + bob.position.z**2) - {L}")
    run = run_of(s, period, every=period / 4)
    close(run["bob.position"].values[-1], np.array(place))
    close(run.reaction("rod")["force"].values[1], np.array((0, 0, m * g * (3 - 2 * np.cos(start)))))


def test_a_bead_on_a_helix():
    """z = −½ g h²/(R² + h²) t² for the pitch 2πh: one equation in x, y and z, one in r."""
    R, h = 0.5, 0.2
    s = mk.System("helix", parameters={"h": h})
    bead = s.body("bead", mass=2.0, position=(R, 0, 0))
    s.point_on_curve("wire", (bead, (0, 0, 0)), [f"r - {R}", "x*sin(z/h) - y*cos(z/h)"])
    run = run_of(s, 2.0)
    z = -0.5 * g * h**2 / (R**2 + h**2) * run.t**2
    close(run["bead.position"], np.stack([R * np.cos(z / h), R * np.sin(z / h), z], axis=1))


def test_a_bead_on_a_parabola():
    """Lagrange's equation of y = c x²:  (1 + 4c²x²) xdd + 4c² x xd² + 2 g c x = 0, by an independent integrator; and
    the wire's force."""
    c, m = 0.7, 2.0
    s = mk.System("parabola")
    bead = s.body("bead", mass=m, position=(1.0, 0, c))
    s.point_on_curve("wire", (bead, (0, 0, 0)), ["z - 0.7*x**2", "y"])
    run = run_of(s, 3.0)
    lagrange = lambda t, y: (y[1], -(4 * c**2 * y[0] * y[1] ** 2 + 2 * g * c * y[0]) / (1 + 4 * c**2 * y[0] ** 2))
    x, xd = solve_ivp(lagrange, (0, 3.0), (1.0, 0.0), t_eval=run.t, rtol=1e-12, atol=1e-13, method="DOP853").y
    close(run["bead.position.x"], x, 1e-8)
    across = m * (g + 2 * c * xd**2) / np.sqrt(1 + 4 * c**2 * x**2)  # along the normal (−2cx, 1)
    close(run.reaction("wire")["multiplier"].values[:, 0], across, 1e-8)


def test_a_cam_lifts_its_follower():
    """The follower's end is on r(θ) of a cam that turns evenly: it is where the cam puts it, and pushed by m (g +
    rdd)."""
    w = 4.0
    s = mk.System("cam")
    cam = s.body("cam", mass=1.0, inertia=(0.1, 0.1, 0.1))
    rod = s.body("rod", mass=0.5, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.12))
    s.pin("shaft", s.ground, cam, at=(0, 0, 0), frame_a=((1, 0, 0), "90 deg"), frame_b=((1, 0, 0), "90 deg"))
    s.slider("guide", s.ground, rod, axis="z")
    s.prescribed("drive", "shaft", f"{w}*t")
    s.position_constraint("start", "guide.displacement - 0.02*(cos(2*shaft.angle) - 1)")
    run = run_of(s, 2.0)
    lift = 0.02 * (np.cos(2 * w * run.t) - 1)
    close(run["guide.displacement"], lift)
    close(run.reaction("start")["multiplier"].values[:, 0], 0.5 * (g - 0.02 * 4 * w**2 * np.cos(2 * w * run.t)))


def test_a_curve_on_a_turning_body():
    """The same lift by a curve carried by the cam: theta is the angle on the cam of the follower, which stands
    still."""
    w = 4.0
    s = mk.System("cam")
    cam = s.body("cam", mass=1.0, inertia=(0.1, 0.1, 0.1))
    rod = s.body("rod", mass=0.5, inertia=(0.1, 0.1, 0.1), position=(0.12, 0, 0))
    s.pin("shaft", s.ground, cam, at=(0, 0, 0), axis="z")
    s.slider("guide", s.ground, rod, axis="x")
    s.prescribed("drive", "shaft", f"{w}*t")
    s.point_on_curve("contact", (rod, (0, 0, 0)), "r - (0.1 + 0.02*cos(2*theta))", on=(cam, (0, 0, 0)))
    run = run_of(s, 2.0)
    angle = w * run.t
    close(run["rod.position.x"], 0.1 + 0.02 * np.cos(2 * angle))
    force = run.reaction("contact")["force"].values
    close(force[:, 0], -0.5 * 0.02 * 4 * w**2 * np.cos(2 * angle))  # the guide takes the rest of the normal force
    # (rd, r) per angle: along the curve
    tangent = np.stack([-0.04 * np.sin(2 * -angle), run["rod.position.x"].values], axis=1)
    close((force[:, :2] * tangent).sum(axis=1), np.zeros(len(force)))  # no friction


def test_a_driven_point_needs_its_force():
    """A mass led along x(t), y(t), z(t): the force is m (a − g)."""
    s = mk.System("led")
    mass = s.body("mass", mass=2.0, inertia=(0.1, 0.1, 0.1))
    s.path("hand", (mass, (0, 0, 0)), x="0.2*sin(3*t)", y="0.1*t**3", z=0.0)
    run = run_of(s, 2.0)
    t = run.t
    close(run["mass.position"], np.stack([0.2 * np.sin(3 * t), 0.1 * t**3, 0 * t], axis=1))
    close(run.reaction("hand")["force"], 2.0 * np.stack([-1.8 * np.sin(3 * t), 0.6 * t, g + 0 * t], axis=1))
    work = run.energy["work"].values
    v2 = (0.6 * np.cos(3 * t)) ** 2 + (0.3 * t**2) ** 2
    close(work, v2 - v2[0], 1e-8)


@pytest.mark.parametrize("kind", ["point_on_line", "point_on_plane"])
def test_a_mass_slides_on_a_slope(kind):
    """a = g sin along the slope, force m g cos across it."""
    angle = 0.4
    down, up = (np.cos(angle), 0, -np.sin(angle)), np.array((np.sin(angle), 0, np.cos(angle)))
    s = mk.System("slope")
    mass = s.body("mass", mass=2.0, inertia=(0.1, 0.1, 0.1))
    keywords = {"direction": down} if kind == "point_on_line" else {"normal": tuple(up)}
    getattr(s, kind)("slope", (mass, (0, 0, 0)), **keywords)
    run = run_of(s, 2.0)
    close(run["mass.position"], 0.5 * g * np.sin(angle) * run.t[:, None] ** 2 * np.array(down))
    close(run.reaction("slope")["force"], np.tile(2 * g * np.cos(angle) * up, (len(run.t), 1)))


# ---------------------------------------------------------------- directions and coordinates


def test_directions_lock_two_bodies_together():
    """z parallel to z and x perpendicular to y: two bodies turn as one. Oracle: one body with the sum of the
    inertias."""
    one, two, start = (0.3, 0.4, 0.5), (0.2, 0.1, 0.25), (0.5, 2.0, -0.3)
    s = mk.System("locked", gravity=(0, 0, 0))
    a = s.body("a", mass=1.0, inertia=one, angular_velocity=start)
    b = s.body("b", mass=3.0, inertia=two, position=(2, 0, 0), angular_velocity=start)
    s.parallel("z", (a, "z"), (b, "z"))
    s.perpendicular("xy", (a, "x"), (b, "y"))
    single = mk.System("single", gravity=(0, 0, 0))
    single.body("a", mass=1.0, inertia=tuple(np.add(one, two)), angular_velocity=start)
    locked, rigid = run_of(s, 3.0), run_of(single, 3.0)
    close(locked["a.angular_velocity"], rigid["a.angular_velocity"].values)
    close(locked["b.angular_velocity"], rigid["a.angular_velocity"].values)


def machine():
    """Two wheels and a slide, and a torque of 1.2 N m on the first wheel."""
    s = mk.System("machine", gravity=(0, 0, 0))
    a = s.body("a", mass=1.0, inertia=(0.3, 0.3, 0.3))
    b = s.body("b", mass=1.0, inertia=(0.5, 0.5, 0.5), position=(1, 0, 0))
    c = s.body("c", mass=3.0, inertia=(0.1, 0.1, 0.1), position=(0, 1, 0))
    s.pin("one", s.ground, a, at=(0, 0, 0), axis="z")
    s.pin("two", s.ground, b, at=(1, 0, 0), axis="z")
    s.slider("slide", s.ground, c, axis="x")
    s.motor("motor", "one", torque=1.2)
    return s


GEARS = {
    "gear": ("one", "two", -2.0),
    "position_constraint": ("one.angle + 2*two.angle",),
    "velocity_constraint": ("one.angle.rate + 2*two.angle.rate",),
}


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("method", GEARS)
def test_gears_add_reflected_inertia(method, formulation):
    """qa = −2 qb: wheel a feels I_a + I_b/4. Over several turns, which are counted. Torque on a: −I_b/4 times its
    acceleration."""
    s = machine()
    getattr(s, method)("it", *GEARS[method])
    run = run_of(s, 6.0, formulation=formulation)
    rate = 1.2 / (0.3 + 0.5 / 4)
    close(run["one.angle"], 0.5 * rate * run.t**2)
    close(run["two.angle"], -0.25 * rate * run.t**2)
    close(run.reaction("it")["multiplier"].values[:, 0], np.full(len(run.t), -0.5 / 4 * rate))


def test_rack_and_pinion():
    """xdd = R τ / (I + m R²); the rack is pushed with m xdd."""
    s = machine()
    s.rack_and_pinion("it", "one", "slide", 0.1, reversed=True)
    run = run_of(s, 4.0)
    a = 0.1 * 1.2 / (0.3 + 3 * 0.01)
    close(run["slide.displacement"], -0.5 * a * run.t**2)
    close(run.reaction("it")["multiplier"].values[:, 0], np.full(len(run.t), -3 * a))


def test_a_coupler_follows_a_function_of_another_coordinate():
    """x = 0.3 sin θ + 0.05 t² at an even speed of θ: the force is m xdd, and the motor of θ supplies the power."""
    s = machine()
    s.prescribed("even", "one", "2*t")
    s.coupler("it", "slide", "0.3*sin(one.angle) + 0.05*t**2")
    run = run_of(s, 3.0)
    xdd = -0.3 * 4 * np.sin(2 * run.t) + 0.1
    close(run["slide.displacement"], 0.3 * np.sin(2 * run.t) + 0.05 * run.t**2)
    close(run.reaction("it")["multiplier"].values[:, 0], 3 * xdd)
    close(run.reaction("even")["multiplier"].values[:, 0], 3 * xdd * 0.3 * np.cos(2 * run.t) - 1.2)


def test_a_scotch_yoke_driven_evenly():
    """The crank's pin slides in a slot of the yoke, x = r cos θ. The drive gives m r² w² sin θ cos θ."""
    r, w, m = 0.2, 5.0, 3.0
    s = mk.System("yoke", gravity=(0, 0, 0))
    crank = s.body("crank", mass=1.0, inertia=(0.1, 0.1, 0.1))
    yoke = s.body("yoke", mass=m, inertia=(0.1, 0.1, 0.1), position=(r, 0, 0))
    s.pin("shaft", s.ground, crank, at=(0, 0, 0), axis="z")
    s.slider("guide", s.ground, yoke, axis="x")
    s.point_on_plane("slot", (crank, (r, 0, 0)), on=(yoke, (0, 0, 0)), normal="x")
    s.prescribed("drive", "shaft", f"{w}*t")
    run = run_of(s, 3.0)
    angle = w * run.t
    close(run["yoke.position.x"], r * np.cos(angle))
    close(run.reaction("drive")["multiplier"].values[:, 0], m * r**2 * w**2 * np.sin(angle) * np.cos(angle))


def test_the_drive_of_a_four_bar_drives_it():
    """Torque of a prescribed crank, given back as the torque of a motor, gives the motion that was prescribed. Oracle:
    that motion.

    Tolerance: a spline through 2001 torques has an error of 1e-9 or so of their size.
    """
    angle = lambda t: 0.4 * np.sin(3 * t)
    given = systems.four_bar(rate=1.2)
    given.prescribed("drive", "pin 0", "0.4*sin(3*t)")
    first = run_of(given, 1.5, every=1.5 / 2000)
    torque = first.reaction("drive")["multiplier"].values[:, 0]
    driven = systems.four_bar(rate=1.2)
    driven.motor("motor", "pin 0", torque=mk.Table(first.t, torque, "cubic"))
    second = run_of(driven, 1.5)
    close(second["pin 0.angle"], angle(second.t), 1e-7)
    assert np.ptp(torque) > 10


# ---------------------------------------------------------------- accelerations and what is not linear


def test_a_constant_acceleration_mimics_a_force():
    """x and z accelerations prescribed, y left to gravity: parabolas, and the force m (a − g)."""
    s = mk.System("pushed", gravity=(0.5, -1.0, -g))
    s.body("mass", mass=2.0, inertia=(0.1, 0.1, 0.1), velocity=(1, 0, 2))
    s.acceleration_constraint("push", ["mass.acceleration.x - 0.7", "mass.acceleration.z"])
    run = run_of(s, 2.0)
    t = run.t
    close(run["mass.position"], np.stack([t + 0.35 * t**2, -0.5 * t**2, 2 * t], axis=1))
    close(run.reaction("push")["force"], np.tile((2 * (0.7 - 0.5), 0, 2 * g), (len(t), 1)))
    work = 2 * 0.2 * (t + 0.35 * t**2) + 2 * g * 2 * t
    close(run.energy["work"], work)


def test_an_acceleration_given_by_a_coordinate():
    """A wheel whose angle obeys the equation of an oscillator, against a torque of 1.2 N m that is there besides."""
    s = machine()
    s.acceleration_constraint("it", "one.angle.rate.rate + 9*one.angle - 1.8")
    run = run_of(s, 3.0)
    close(run["one.angle"], 0.2 * (1 - np.cos(3 * run.t)))
    close(run.reaction("it")["multiplier"].values[:, 0], 0.3 * 1.8 * np.cos(3 * run.t) - 1.2)


def test_a_speed_that_is_kept():
    """|v| = 2 for a mass under gravity: not linear in speeds. The force is along v, so the path turns by −(g/v) cos of
    its slope angle.

    Oracle: d(angle)/dt = −(g/v) cos(angle), by an independent integrator.
    """
    s = mk.System("kept")
    s.body("mass", mass=3.0, inertia=(0.1, 0.1, 0.1), velocity=(2 * np.cos(0.5), 0, 2 * np.sin(0.5)))
    s.velocity_constraint("keep", "sqrt(mass.velocity.x**2 + mass.velocity.y**2 + mass.velocity.z**2) - 2")
    run = run_of(s, 1.0)
    angle = solve_ivp(
        lambda t, a: -(g / 2) * np.cos(a), (0, 1.0), [0.5], t_eval=run.t, rtol=1e-12, atol=1e-13, method="DOP853"
    ).y[0]
    close(run["mass.velocity.x"], 2 * np.cos(angle), 1e-8)
    close(run["mass.velocity.z"], 2 * np.sin(angle), 1e-8)
    close(run.reaction("keep")["multiplier"].values[:, 0], 3 * g * np.sin(angle), 1e-8)
    assert run.energy["work"].values[-1] < -10


def test_constraints_of_all_levels_hold_together_with_a_loop():
    """A four-bar tied by a rod to a sled on a knife edge whose angular acceleration is prescribed. Oracles: the balance of
    energy; that acceleration in closed form; the edge, by the direction of the sled's speed. It is one loop with
    redundant rows besides."""
    s = systems.four_bar(rate=1.0)
    cart = s.body(
        "cart", mass=4.0, inertia=(0.5, 0.5, 0.5), position=(0, 2, 0), velocity=(1, 0, 0), angular_velocity=(0, 0, 0.7)
    )
    s.planar("floor", s.ground, cart, normal="z")
    s.knife_edge("edge", (cart, (0.1, 0, 0)))
    s.distance("rope", ("coupler", (0, 0, 0)), (cart, (0, 0, 0)))
    s.acceleration_constraint("even", "floor.angle.rate.rate + 4*floor.angle")
    run = run_of(s, 1.0)
    angle = 0.35 * np.sin(2 * run.t)
    close(run["floor.angle"], angle)
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    v = run["cart.velocity"].values[:, :2] + 0.1 * (0.7 * np.cos(2 * run.t))[:, None] * across
    close((v * across).sum(axis=1), np.zeros(len(v)))
    assert float(run.residual["position"].max()) < 1e-12
    assert float(run.residual["rate"].max()) < 1e-11


def test_a_prescribed_motion_that_jumps_in_speed_is_followed():
    """Angle t, from t = 1 s on 1 + 3 (t − 1): the impact at the slope discontinuity is not resolved, so energy is not balanced and
    health reports it; the motion is the one prescribed, to round-off."""
    s = mk.System("prescribed", gravity=(0, 0, 0))
    s.body("b", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(1, 0, 0))
    s.pin("hinge", "ground", "b", at=(0, 0, 0), axis="y")
    s.prescribed("drive", "hinge", "t if t < 1 else 1 + 3*(t - 1)")
    run = mk.simulate(s, 2.0, every=0.25)
    assert run["hinge.angle"].values == pytest.approx(np.where(run.t < 1, run.t, 1 + 3 * (run.t - 1)), abs=1e-12)
    assert run["hinge.angle.rate"].values[-1] == pytest.approx(3.0, abs=1e-12)
    assert not run.health.ok and "energy is not balanced" in str(run.health)
