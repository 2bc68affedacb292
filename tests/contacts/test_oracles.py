"""Motions with contact laws that are known in closed form, in two formulations.

Oracles: NONSMOOTH.md section 8, whose digits were computed beside the engine. The prototype reaches them to 1e-12 and better;
1e-11 here is what ten events of a run at rtol 1e-12 can add up to."""

import numpy as np
import pytest
from oracles import (
    TIGHT,
    G,
    ball,
    belt,
    belt_pressed,
    block,
    box_on_slope,
    cradle,
    kane,
    leaning_rod,
    masses_and_wall,
    pendulum_on_a_stop,
    rods,
    rolling,
    shafts,
    sled,
    slider_crank,
)

import mekane as mk
from mekane.errors import SimulationError
from mekane.solvers.contacts.impact import impact
from mekane.solvers.contacts.local import Local, LocalElement

both = pytest.mark.parametrize("formulation", ["joint", "absolute"])
NEAR = 1e-11


def run_of(s, t, **options):
    return mk.simulate(s, t, **(TIGHT | options))


def times(run, kind):
    return [line.time for line in run.events if line.kind == kind]


def end(run, name):
    return run[name].values[-1]


@both
def test_a_ball_bounces_and_rests(formulation):
    run = run_of(ball(), 2.0, formulation=formulation)
    exact = [0.45152364098573090, 1.0836567383657542, 1.5261499065317705, 1.8358951242479819]
    np.testing.assert_allclose(times(run, "impact"), exact, rtol=0, atol=NEAR)
    assert end(run, "ball.position.z") - 0.1 == pytest.approx(0.042433547802627731, abs=NEAR)
    assert end(run, "ball.velocity.z") == pytest.approx(-0.54635862609868613, abs=NEAR)
    run = run_of(ball(), 3.0, formulation=formulation)
    assert [line.rest for line in run.events if line.rest] == [pytest.approx(2.5586339655858085, abs=NEAR)]
    assert end(run, "ball.velocity.z") == pytest.approx(0.0, abs=1e-15) and run.health.ok
    assert end(run, "floor.force") == pytest.approx(G, abs=1e-13)


@both
def test_a_block_thrown_up_a_slope_sticks(formulation):
    run = run_of(block(static=0.5), 1.5, formulation=formulation)
    assert times(run, "modes")[-1] == pytest.approx(0.58710003562118808, abs=NEAR)
    assert end(run, "block.position.x") == pytest.approx(1.1742000712423762, abs=NEAR)
    assert end(run, "block.velocity.x") == pytest.approx(0.0, abs=1e-14)  # round-off of 4 m/s
    assert end(run, "slope.friction") == pytest.approx(G * np.sin(np.radians(25)), abs=NEAR)


@both
def test_a_block_thrown_up_a_slope_comes_back(formulation):
    until = "(block.position.x < 0) and (t > 0.1)"
    run = run_of(block(static=0.3), 9.0, formulation=formulation, until=until)
    assert run.t[-1] == pytest.approx(1.8473525295233966, abs=NEAR)
    assert end(run, "block.velocity.x") == pytest.approx(-1.8634362192081332, abs=NEAR)


@both
@pytest.mark.parametrize("mechanism", [belt, belt_pressed])
def test_stick_slip_on_a_belt(mechanism, formulation):
    """It slips first at 0.3 s, at x = 0.06; then 0.47… s of slip and 0.2 s of stick alternate, from 0.06 to 0.02."""
    slip, stick, heat = 0.47123889803846899, 0.2, 0.53699111843077519
    switches = np.cumsum([0.3] + 2 * [slip, stick])
    run = run_of(mechanism(), 1.7, formulation=formulation, every=[*switches, 1.7])
    found = [line.time for line in run.events if line.kind == "modes" and line.time > 0.0]
    np.testing.assert_allclose(found, switches, rtol=0, atol=NEAR)
    np.testing.assert_allclose(run["sled.position.x"].values[:5], [0.06, 0.02, 0.06, 0.02, 0.06], rtol=0, atol=NEAR)
    lost = run["rub.heat"].values
    np.testing.assert_allclose(lost[:4], [0.0, heat, heat, 2 * heat], rtol=0, atol=NEAR)


@both
def test_the_range_of_stick_slip(formulation):
    """While it slips the sled turns at 0.04 ± 0.0282…: 4/100 and √(.02² + (.2/10)²)."""
    run = run_of(belt(), 1.0, formulation=formulation, every=[0.3 + x for x in (np.pi / 40, 5 * np.pi / 40)])
    exact = [0.068284271247461901, 0.011715728752538099]
    np.testing.assert_allclose(run["sled.position.x"].values, exact, rtol=0, atol=NEAR)


@both
def test_coulomb_decay_of_an_oscillator(formulation):
    """Five half cycles, each shorter by 2 μ m g/k on either side; then it stays off the middle."""
    s, b = sled(position=0.5)
    s.spring("spring", (s.ground, (-10, 0, 0)), b, stiffness=50, length=10)
    s.dry_friction("rub", "rail", force=0.25 * G)
    run = run_of(s, 4.0, formulation=formulation)
    assert times(run, "modes")[-1] == pytest.approx(2.2214414690791831, abs=NEAR)
    assert end(run, "sled.position.x") == pytest.approx(-0.0095, abs=NEAR)
    assert end(run, "rub.heat") == pytest.approx(25 * (0.5**2 - 0.0095**2), abs=NEAR)


@both
def test_a_clutch_locks(formulation):
    run = run_of(shafts((100, -20)), 4.0, formulation=formulation)
    assert run.events[-1].time == pytest.approx(2.88, abs=NEAR)
    rates = [end(run, "p.angle.rate"), end(run, "q.angle.rate")]
    np.testing.assert_allclose(rates, [28, 28], rtol=0, atol=28 * NEAR)
    assert end(run, "clutch.heat") == pytest.approx(8640, rel=NEAR)


@both
def test_a_clutch_slips_under_a_ramp(formulation):
    """The clutch carries what slows a down, 2/5 of the load 10 t on b: 50 at 12.5 s."""
    s = shafts((28, 28))
    s.motor("load", "q", torque="-10*t")
    run = run_of(s, 13.0, formulation=formulation)
    assert run.events[-1].time == pytest.approx(12.5, abs=NEAR)


@both
def test_a_one_way_clutch(formulation):
    """It frees where the load can stop the shaft faster than the driver slows down, and takes it again at once."""
    s = mk.System(gravity=(0, 0, 0))
    a = s.body("a", mass=1, inertia=(2, 2, 2))
    s.pin("p", s.ground, a, at=(0, 0, 0), axis="z", rate=10)
    s.one_way("freewheel", "p", rate="10*cos(5*t)")
    s.dry_friction("load", "p", torque=40)
    frees, rests, takes = 0.082303369213497604, 0.54056093870908160, 0.94247779607693797
    run = run_of(s, 1.0, formulation=formulation, every=[frees, rests, takes, 1.0])
    np.testing.assert_allclose(run.events.times[1:], [frees, rests, takes], rtol=0, atol=NEAR)
    assert run["p.angle.rate"].values[0] == pytest.approx(9.16515138991168, abs=NEAR)
    # J × 50 rad/s² + 40; the instant found may be later than the sample by round-off, then it is that of the other side
    assert run["freewheel.force"].values[2] == pytest.approx(140, abs=NEAR)
    assert np.all(run["p.angle.rate"].values >= 10 * np.cos(5 * run.t) - NEAR)


@both
@pytest.mark.parametrize("ratio, count", [(1, 3), (100, 31)])
def test_impacts_count_the_digits_of_pi(ratio, count, formulation):
    run = mk.simulate(masses_and_wall(ratio), 100, formulation=formulation, rtol=1e-10)
    assert len(times(run, "impact")) == count
    if ratio == 100:
        assert end(run, "heavy.velocity.x") == pytest.approx(0.99885759556311843, abs=NEAR)
        assert end(run, "light.velocity.x") == pytest.approx(0.47786020820588592, abs=NEAR)


@both
@pytest.mark.parametrize("e, exact", [(1, (-1 / 3, 2 / 3, 2 / 3)), (0.5, (0, 0.5, 0.5))])
def test_a_cradle_struck_at_once(e, exact, formulation):
    run = run_of(cradle(e), 0.2, formulation=formulation)
    np.testing.assert_allclose([end(run, f"b{k}.velocity.x") for k in range(3)], exact, rtol=0, atol=1e-13)


@pytest.mark.parametrize("e, exact", [(1, (0, 0, 1)), (0.5, (0.203125, 0.234375, 0.5625))])
def test_a_cradle_struck_one_after_the_other(e, exact):
    """Three equal masses, no run option yet: the impact itself, rows x₂ − x₁ and x₃ − x₂ over the speeds."""
    W = np.array([[-1.0, 1, 0], [0, -1, 1]])
    u, none = np.array([1.0, 0, 0]), np.zeros(0, int)
    near = [LocalElement(k, f"c{k}", k, none, np.zeros((0, 0)), 0, 0, e, "poisson", 0, 0, none) for k in range(2)]
    P = impact(Local(W @ W.T, W @ u, np.zeros(2), near), "sequential").P
    np.testing.assert_allclose(u + W.T @ P, exact, rtol=0, atol=1e-15)


@both
def test_a_pendulum_on_a_stop(formulation):
    run = run_of(pendulum_on_a_stop(), 2.6, formulation=formulation)
    exact = [0.41575008915765916, 1.0894640006191510, 1.5950729558234952, 1.9404169249809575]
    np.testing.assert_allclose(times(run, "impact")[:4], exact, rtol=0, atol=NEAR)
    (rest,) = [line.rest for line in run.events if line.rest]
    assert rest == pytest.approx(2.501155554002422, rel=NEAR)  # as the table counts: relative beyond 1
    assert end(run, "stop.force") == pytest.approx(2.8990532273477412, abs=NEAR)


@both
@pytest.mark.parametrize("law, share", [("poisson", 0.545077986812), ("stronge", 0.553187985164)])
def test_kanes_puzzle(law, share, formulation):
    line = run_of(kane(law), 1e-9, formulation=formulation).events[0]
    assert line.kinetic_energy[1] / line.kinetic_energy[0] == pytest.approx(share, abs=1e-11)
    assert sum(line.losses.values()) == pytest.approx(line.kinetic_energy[0] - line.kinetic_energy[1], abs=1e-15)
    if law == "poisson":
        found = np.sort(np.abs(line.contact_impulses["floor"]))[1:]  # the third is across the plane of motion
        np.testing.assert_allclose(found, [0.0405979600820868, 0.113716732016726], rtol=0, atol=1e-13)


@both
def test_kanes_puzzle_in_rates(formulation):
    run = run_of(kane("poisson"), 1e-9, formulation=formulation, every=[0.0, 1e-9])
    rates = [-end(run, f"{name}.angular_velocity.y") for name in ("upper", "lower")]
    # 1e-9 s of motion after it, at accelerations below 1 rad/s²
    np.testing.assert_allclose(rates, [-0.197179706138185, 0.21960668440433], rtol=0, atol=1e-9)


@both
def test_kanes_puzzle_is_refused_where_energy_would_grow(formulation):
    with pytest.raises(SimulationError, match=r"'floor'.*newton.*1\.58749468693.*poisson"):
        run_of(kane("newton"), 1e-9, formulation=formulation)


@both
@pytest.mark.parametrize("inertia, t, v", [(0.4, 1.8931119848551041, 9 / 7), (1.0, 3.3129459734964322, -1.5)])
def test_backspin(inertia, t, v, formulation):
    """A ball and a hoop, thrown with backspin: where they begin to roll."""
    run = run_of(rolling(inertia), 4.0, formulation=formulation)
    assert times(run, "modes")[-1] == pytest.approx(t, abs=NEAR)
    assert end(run, "ball.velocity.x") == pytest.approx(v, abs=NEAR)
    assert end(run, "ball.angular_velocity.y") == pytest.approx(v / 0.1, abs=10 * NEAR)


@both
def test_a_ball_thrown_across_a_slope(formulation):
    """Its slip turns: ρ(k + a cos θ) falls at the rate k² − a²."""
    slope = np.radians(10)
    run = run_of(
        rolling(0.4, friction=0.3, velocity=(0, 2, 0), spin=(0, 0, 0), slope=slope), 0.5, formulation=formulation
    )
    k, a = 3.5 * 0.3 * G * np.cos(slope), G * np.sin(slope)
    assert times(run, "modes")[-1] == pytest.approx(2 * k / (k * k - a * a), abs=NEAR)


@both
def test_a_box_on_four_corners(formulation):
    a = np.radians(20)
    run = run_of(box_on_slope(0.5), 1.0, formulation=formulation)
    np.testing.assert_allclose(run["box.position"].values, [[0, 0, 0.05]] * len(run.t), rtol=0, atol=1e-15)
    run = run_of(box_on_slope(0.3), 1.0, formulation=formulation)
    exact = 0.5 * G * (np.sin(a) - 0.3 * np.cos(a)) * run.t**2
    np.testing.assert_allclose(run["box.position.x"].values, exact, rtol=0, atol=1e-13)


@both
def test_a_mass_leaves_a_smooth_cylinder(formulation):
    """Two smooth spheres whose centres are 1 m apart; the upper one passes the top at 1 m/s."""
    s = mk.System()
    b = s.body("mass", mass=1.0, position=(0, 0, 1), velocity=(1, 0, 0))
    s.contact("dome", (b, mk.Sphere(0.5)), (s.ground, mk.Sphere(0.5)))
    leaves = 0.52700218563704051
    run = run_of(s, 0.6, formulation=formulation, every=[leaves, 0.6])
    assert times(run, "modes")[-1] == pytest.approx(leaves, abs=NEAR)
    x, _, z = run["mass.position"].values[0]
    assert np.arctan2(x, z) == pytest.approx(0.79449440872977528, abs=NEAR)


@both
def test_the_foot_of_a_double_pendulum_meets_a_stop(formulation):
    """Both rods hang and turn at 2 rad/s; the foot meets a wall, e ½: 7/2 and −11/2, impulse 7/4. Kane and Levinson."""
    s, _, lower, _ = rods((0, 0), (2, 2))
    s.contact("wall", (lower, (0, 0, -0.5)), (s.ground, mk.Plane(normal=(-1, 0, 0))), restitution=0.5)
    run = run_of(s, 1e-12, formulation=formulation)
    rates = [-end(run, f"{name}.angular_velocity.y") for name in ("upper", "lower")]
    np.testing.assert_allclose(rates, [7 / 2, -11 / 2], rtol=0, atol=1e-10)  # 1e-12 s at some 20 rad/s²
    assert run.events[0].contact_impulses["wall"][0] == pytest.approx(7 / 4, abs=1e-13)


@both
def test_the_elbow_of_a_double_pendulum_meets_a_stop(formulation):
    s, upper, _, _ = rods((0, 0), (2, 2))
    s.contact("wall", (upper, (0, 0, -0.5)), (s.ground, mk.Plane(normal=(-1, 0, 0))), restitution=0.5)
    run = run_of(s, 1e-12, formulation=formulation)
    rates = [-end(run, f"{name}.angular_velocity.y") for name in ("upper", "lower")]
    np.testing.assert_allclose(rates, [-1, 13 / 2], rtol=0, atol=1e-10)


@both
@pytest.mark.parametrize("angle", [np.arctan(2.0), 1.0, 0.8])
def test_a_leaning_rod_jams_beyond_the_critical_friction(angle, formulation):
    """Painlevé: no motion where μ > (1 + 3c²)/(3 s c), whose least is 4/3 at tan θ = 2."""
    s, c = np.sin(angle), np.cos(angle)
    critical = (1 + 3 * c * c) / (3 * s * c)
    assert critical >= 4 / 3 - 1e-15
    below = run_of(leaning_rod(angle, critical * (1 - 1e-6)), 1e-9, formulation=formulation)
    assert [line.kind for line in below.events] == ["modes"]
    beyond = run_of(leaning_rod(angle, critical * (1 + 1e-6)), 1e-9, formulation=formulation)
    assert beyond.events[0].kind == "jam" and beyond.events[0].time == 0.0


@both
@pytest.mark.parametrize("constraints", ["multipliers", "embedded"])
def test_a_piston_meets_a_stop(constraints, formulation):
    """One degree of freedom: all speeds × −½, energy × ¼, and the loop stays closed."""
    s = slider_crank(gravity=(0, 0, 0), e=0.5)
    before = run_of(slider_crank(gravity=(0, 0, 0)), 1e-12, formulation=formulation, constraints=constraints)
    run = run_of(s, 1e-12, formulation=formulation, constraints=constraints)
    for body in s.bodies:
        for what in ("velocity", "angular_velocity"):
            name = f"{body}.{what}"
            np.testing.assert_allclose(end(run, name), -0.5 * end(before, name), rtol=0, atol=1e-10)
    line = run.events[0]
    assert line.kind == "impact" and line.kinetic_energy[1] == pytest.approx(line.kinetic_energy[0] / 4, abs=NEAR)
    assert run.health.ok
