"""Inverse dynamics of motions with contacts. Oracles: Newton's law and Coulomb's in closed form; runs, whose actuators and
contact forces are found again; the balance of energy."""

import numpy as np
import pytest

import mekane as mk

G = 9.81
T = np.linspace(0.0, 1.0, 11)
ROUND_OFF = 1e-11  # relative: linear algebra of a few unknowns, at each instant by itself


def block(friction=0.3):
    """A point that slides along x on a floor, pushed by a force."""
    s = mk.System("block", planar="xz")
    body = s.body("block", mass=2, inertia=0.1)
    s.force("push", body, at=(0, 0, 0), value=(0, 0, 0))
    s.contact("floor", (body, (0, 0, 0)), (s.ground, mk.Plane()), friction=friction)
    return s


def along_x(x, v, a):
    """(t, q, u, ud) of a body in the plane that moves along x."""
    q, u, ud = np.zeros((3, len(T), 3))
    q[:, 0], u[:, 0], ud[:, 0] = x, v, a
    return T, q, u, ud


@pytest.mark.parametrize("sign", [1, -1])
def test_a_block_that_slides_is_pushed_against_its_friction(sign):
    """F = m a + μ m g sign(v); the heat is μ m g times the way, the balance of energy closes."""
    x, v = sign * (T + 0.5 * T**2), sign * (1 + T)
    need = mk.inverse_dynamics(block(), along_x(x, v, sign), actuators=["push.x"])
    np.testing.assert_allclose(need["push.x"], sign * (2 + 0.3 * 2 * G), rtol=ROUND_OFF)
    np.testing.assert_allclose(need.run["floor.force"], 2 * G, rtol=ROUND_OFF)
    np.testing.assert_allclose(need.run["floor.heat"], 0.3 * 2 * G * abs(x), rtol=ROUND_OFF, atol=1e-14)
    np.testing.assert_allclose(need.run.energy["balance"], need.run.energy["balance"][0], rtol=ROUND_OFF)
    assert (need.run["floor.mode"] == 1).all() and need.misfit < ROUND_OFF
    assert "Forces of contacts: they push, and stay within friction." in need.notes


@pytest.mark.parametrize("sign", [1, -1])
def test_a_roller_is_pushed_against_its_resistance(sign):
    """About where it touches: F r = (m r² + J) a/r + ρ m g, ρ the resistance to rolling."""
    s = mk.System("roller", planar="xz")
    body = s.body("roller", mass=2, inertia=0.01, position=(0, 0, 0.1))
    s.force("push", body, at=(0, 0, 0), value=(0, 0, 0))
    s.contact("floor", (body, mk.Sphere(0.1)), (s.ground, mk.Plane()), friction=0.5, rolling=0.004)
    t, q, u, ud = along_x(sign * (T + 0.5 * T**2), sign * (1 + T), sign)
    q[:, 1] = 0.1
    for values in (q, u, ud):
        values[:, 2] = -values[:, 0] / 0.1  # about the normal of the plane, x × z
    need = mk.inverse_dynamics(s, (t, q, u, ud), actuators=["push.x"])
    np.testing.assert_allclose(need["push.x"], sign * (2 + 0.01 / 0.1**2 + 0.004 * 2 * G / 0.1), rtol=ROUND_OFF)
    np.testing.assert_allclose(np.abs(need.run["floor.rolling.force"]), 0.004 * 2 * G, rtol=ROUND_OFF)
    assert (need.run["floor.mode"] == 2).all() and need.misfit < ROUND_OFF


def test_the_least_push_is_at_the_angle_of_friction():
    """Pushed along x and z, the least force is at atan μ above the floor: (m a + μ m g) / √(1 + μ²)."""
    need = mk.inverse_dynamics(block(), along_x(T + 0.5 * T**2, 1 + T, 1.0), actuators=["push"])
    size = (2 + 0.3 * 2 * G) / np.hypot(1, 0.3)
    np.testing.assert_allclose(need["push"][:, 0], size * np.cos(np.arctan(0.3)), rtol=ROUND_OFF)
    np.testing.assert_allclose(need["push"][:, 2], size * np.sin(np.arctan(0.3)), rtol=ROUND_OFF)


def test_a_block_at_rest_sticks_and_needs_nothing():
    need = mk.inverse_dynamics(block(), along_x(0, 0, 0), actuators=["push.x"])
    np.testing.assert_allclose(need["push.x"], 0.0, atol=1e-14)
    assert (need.run["floor.mode"] == 2).all()


def test_a_block_in_the_air_needs_its_weight():
    _, q, u, ud = along_x(0, 0, 0)
    need = mk.inverse_dynamics(block(), (T, q + (0, 0.2, 0), u, ud), actuators=["push.z"])
    np.testing.assert_allclose(need["push.z"], 2 * G, rtol=ROUND_OFF)
    assert (need.run["floor.mode"] == 0).all() and not any("contacts" in note for note in need.notes)


def on_cart(friction):
    """A crate of 1 kg on a cart of 2 kg, driven along x; what holds the crate is friction alone."""
    s = mk.System("cart", planar="xz")
    cart = s.body("cart", mass=2, inertia=0.1)
    crate = s.body("crate", mass=1, inertia=0.1, position=(0, 0, 0.1))
    s.slider("rail", s.ground, cart, at=(0, 0, 0), axis="x")
    for name, x in (("left", -0.1), ("right", 0.1)):
        s.contact(name, (crate, (x, 0, -0.1)), (cart, mk.Plane()), friction=friction)
    return s


def carried(s, acceleration):
    """(t, q, u, ud) of cart and crate moving as one."""
    names, n = s.coordinates, len(T)
    q, u, ud = np.tile(s.initial_state()[0], (n, 1)), np.zeros((n, len(s.speeds))), np.zeros((n, len(s.speeds)))
    for name in ("rail.displacement", "crate.x"):
        k, r = names.index(name), s.speeds.index(name + ".rate")
        q[:, k] += 0.5 * acceleration * T**2
        u[:, r], ud[:, r] = acceleration * T, acceleration
    return T, q, u, ud


@pytest.mark.parametrize("acceleration, words", [(2.0, "they push, and stay within friction"),
                                                 (4.0, "needs 0.4077 at 'left', 0.3 given"),
                                                 (8.0, "needs 0.8155 at 'left', 0.3 given")])  # fmt: skip
def test_a_crate_that_is_carried_needs_friction(acceleration, words):
    """a ≤ μ g; beyond it the forces are found and the note tells the friction they need, a/g."""
    s = on_cart(0.3)
    need = mk.inverse_dynamics(s, carried(s, acceleration), actuators=["rail"])
    np.testing.assert_allclose(need["rail"], 3 * acceleration, rtol=1e-9)
    assert any(words in note for note in need.notes), need.notes


def test_a_crate_that_would_tip_is_noted():
    """Its mass centre is 0.1 above and 0.1 beside the contacts: beyond a = g one of them would have to pull."""
    s = on_cart(5.0)
    need = mk.inverse_dynamics(s, carried(s, 1.1 * G), actuators=["rail"])
    assert any("contacts that only push" in note for note in need.notes), need.notes
    need = mk.inverse_dynamics(s, carried(s, 0.9 * G), actuators=["rail"])
    assert any("they push" in note for note in need.notes)


@pytest.mark.parametrize("formulation, other", [("joint", None), ("absolute", None), ("joint", "absolute")])
def test_the_motion_of_a_run_gives_its_forces_again(formulation, other):
    """A box that slides and stops on a slope under a force: what acts in the run is found from its motion alone, through
    sliding and sticking."""
    s, a = mk.System("box on a slope", planar="xz"), np.radians(15)
    n, up = np.array((-np.sin(a), 0, np.cos(a))), np.array((np.cos(a), 0, np.sin(a)))
    s.body(
        "box",
        mass=2,
        inertia=0.02,
        shape=mk.Box(0.4, 0.3, 0.2),
        position=0.1 * n,
        orientation=("y", -a),
        velocity=2 * up,
    )
    s.force("push", "box", at=(0, 0, 0), value=tuple(1.5 * up))
    s.contact("slope", "box", (s.ground, mk.Plane(normal=n)), friction=0.4)
    run = mk.simulate(s, 1.0, every=0.05, formulation=formulation)
    assert set(np.unique(run["slope.1.mode"])) == {1.0, 2.0}
    need = mk.inverse_dynamics(s, run, actuators=["push"], formulation=other)
    slides = run["slope.1.mode"].values == 1
    # of the three numbers of a force in the plane only that along the slope matters to the motion, the rest is least
    push = need["push"].values
    along, across = push @ up, push @ n
    np.testing.assert_allclose((along + 0.4 * across)[slides], 1.5, rtol=1e-6)
    np.testing.assert_allclose(push[~slides], 0.0, atol=1e-9)  # what sticks needs nothing
    assert need.misfit < 1e-6


def test_friction_of_a_bearing_is_found_with_its_reaction():
    """An arm that turns at a constant rate: T = m g l cos φ + μ r |R|, R = m (g + centripetal acceleration)."""
    s = mk.System("arm")
    s.body("mass", mass=1, position=(1, 0, 0))
    s.pin("hinge", s.ground, "mass", at=(0, 0, 0), axis=(0, -1, 0))
    s.bearing_friction("bearing", "hinge", friction=0.3, radius=0.05)
    need = mk.inverse_dynamics(s, {"hinge": "2*t"}, times=T)
    phi = 2 * T
    R = np.stack([-4 * np.cos(phi), G - 4 * np.sin(phi)])  # m a + m g upwards
    np.testing.assert_allclose(need["hinge"], G * np.cos(phi) + 0.3 * 0.05 * np.linalg.norm(R, axis=0), rtol=1e-10)
    assert need.misfit < 1e-10


def test_a_foot_that_sticks_drives_the_rest():
    """A leg whose foot is closed at the start is a constraint of the driven motion: hip and knee follow one angle."""
    s = mk.System("leg", planar="xz")
    thigh = s.body("thigh", mass=1, inertia=0.02, position=(0, 0, 0.75))
    shin = s.body("shin", mass=1, inertia=0.02, position=(0, 0, 0.25))
    s.slider("post", s.ground, s.body("hip", mass=5, inertia=0.1, position=(0, 0, 1)), at=(0, 0, 1), axis="z")
    s.pin("hip_pin", "hip", thigh, at=(0, 0, 1), axis="y")
    s.pin("knee", thigh, shin, at=(0, 0, 0.5), axis="y")
    s.contact("foot", (shin, (0, 0, -0.25)), (s.ground, mk.Plane()), friction=0.9)
    closed = s.with_discrete_state({"foot.mode": 2})
    need = mk.inverse_dynamics(closed, {"hip_pin": "0.4 + 0.1*sin(2*t)"}, times=T[1:], actuators=["hip_pin", "knee"])
    assert need.misfit < 1e-8 and (need.run["foot.mode"] == 2).all()
    total = need.run["foot.force"] - 7 * G  # the momentum of all bodies changes by what the floor gives
    a = 5 * need.run["hip.acceleration.z"] + need.run["thigh.acceleration.z"] + need.run["shin.acceleration.z"]
    np.testing.assert_allclose(total, a, atol=1e-8)


@pytest.mark.parametrize("motion, words", [
    (lambda: (T, *(x + y for x, y in zip(along_x(0, 0, 0)[1:], ((0, -0.1, 0), 0, 0), strict=True))), "its gap is -0.1"),
    (lambda: (T, *(x + y for x, y in zip(along_x(0, 0, 0)[1:], (0, (0, -1, 0), 0), strict=True))), "approaches with 1 per second"),
])  # fmt: skip
def test_motions_that_contacts_forbid_are_refused(motion, words):
    with pytest.raises(mk.ModelError, match=words):
        mk.inverse_dynamics(block(), motion(), actuators=["push"])


def test_the_direction_of_sliding_is_that_of_each_instant():
    """A particle thrown across a slope turns downhill: its own run needs no force. The direction had been that in which the step
    began that a sample lies in: 1e-3 of the friction was missing."""
    s = mk.System("thrown across", gravity=(2.0, 0, -9.81))
    s.body("particle", mass=2, velocity=(0, 3, 0))
    s.contact("slope", ("particle", (0, 0, 0)), (s.ground, mk.Plane()), friction=0.3)
    run = mk.simulate(s, 1.0, every=0.05)
    need = mk.inverse_dynamics(s, run)
    assert run["slope.mode"].values.max() == 1
    for axis in "xyz":
        assert np.abs(np.asarray(need[f"particle.force.{axis}"])).max() < 1e-12
