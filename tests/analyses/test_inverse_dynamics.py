"""mk.inverse_dynamics: forces for a prescribed motion. Oracles: closed forms of the gallery, forward dynamics, known
laws."""

import json

import numpy as np
import pytest
from numpy.polynomial.chebyshev import Chebyshev, chebpts2

import mekane as mk
from mekane import formulations, gallery
from mekane.formulations.joint import tree
from mekane.gallery import driven_four_bar as four_bar
from mekane.gallery import squeezer, trailer

TIMES = np.linspace(0.0, 1.5, 31)
DRIVE = {"main.angle": four_bar.DRIVE}


def four_bar_without_drive():
    s = four_bar.system()
    del s.constraints["drive"]
    return s


# ---------------------------------------------------------------- trees


def is_tree(m):
    s = m.system()
    return not tree(s)[1] and not s.constraints and not s.contact_laws


@pytest.mark.parametrize("name", [m.name for m in gallery.mechanisms() if is_tree(m)])
def test_forward_after_inverse_is_the_identity_on_every_tree(name):
    """Random states and accelerations; the model with the forces found accelerates as given. Round-off times the
    condition of M."""
    s, rng = gallery.find(name).system(), np.random.default_rng(7)
    q, u = s.initial_state()
    q = q + 0.2 * rng.normal(size=(5, len(q)))
    u, ud = 2.0 * rng.normal(size=(2, 5, len(u)))
    everything = [*(name for name, joint in s.joints.items() if joint.kind != "weld"), *(roots(s))]
    need = mk.inverse_dynamics(s, (0.1 * np.arange(5), q, u, ud), actuators=everything)
    assert need.choice == "unique"
    for i in range(5):
        found = need.system.forward_dynamics(q[i], u[i], 0.1 * i)
        np.testing.assert_allclose(found, ud[i], rtol=0, atol=1e-11 * max(1.0, np.abs(ud[i]).max()))
    assert need.misfit < 1e-11


def roots(s):
    return [link.body for link in tree(s)[0] if link.joint is None]


def test_forces_on_joints_are_those_of_one_state():
    """s.required_forces is the same analysis for one state of a tree."""
    s, rng = gallery.find("double_pendulum").system(), np.random.default_rng(1)
    q, u, ud = rng.normal(size=(3, 4, 2))
    need = mk.inverse_dynamics(s, (np.arange(4.0), q, u, ud))
    expected = [s.required_forces(*state, t) for t, state in enumerate(zip(q, u, ud, strict=True))]
    found = np.column_stack([need.numbers(speed.removesuffix(".rate")) for speed in s.speeds])
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def pendulum():
    s = mk.System("pendulum")
    arm = s.body("arm", mass=2.0, inertia=(0.1, 0.3, 0.2), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
    return s


def exact_torque(t, angle, rate2):
    """(I + m l²) θ̈ + m g l sin θ"""
    return (0.3 + 2 * 0.25) * rate2 + 2 * 9.81 * 0.5 * np.sin(angle)


@pytest.mark.parametrize("path", ["0.5*sin(3*t)", lambda t: 0.5 * np.sin(3 * t), lambda t, state: 0.5 * np.sin(3 * t)])
def test_a_path_that_is_an_expression_is_differentiated_exactly(path):
    need = mk.inverse_dynamics(pendulum(), {"hinge": path}, times=TIMES)
    angle = 0.5 * np.sin(3 * TIMES)
    np.testing.assert_allclose(need["hinge"], exact_torque(TIMES, angle, -9 * angle), rtol=0, atol=1e-14 * 20)
    assert "exactly: hinge.angle" in str(need)
    np.testing.assert_allclose(need.power("hinge"), need["hinge"] * 1.5 * np.cos(3 * TIMES), rtol=0, atol=1e-13)


def by_math(t):
    return 0.5 * float(np.sin(3 * float(t)))  # float() of a symbol fails: it has no expression


@pytest.mark.parametrize("given", ["values", "table", "linear table", "mapping", "callback"])
def test_a_path_of_points_is_a_cubic_spline(given):
    """Error of the second derivative of a spline: h² f⁗/12 inside, here 1e-5 · 40 / 12 of it; a few times that at the
    ends."""
    t = np.linspace(0, 1.5, 481)
    values = 0.5 * np.sin(3 * t)
    path = {"values": values, "table": mk.Table(t, values, "cubic"), "linear table": mk.Table(t, values),
            "mapping": {"table": np.column_stack([t, values]).tolist()}, "callback": by_math}[given]  # fmt: skip
    need = mk.inverse_dynamics(pendulum(), {"hinge.angle": path}, times=t)
    exact = exact_torque(t, values, -9 * values)
    assert 1e-7 < np.abs(need["hinge"] - exact).max() < 5e-4
    assert "splines: hinge.angle" in str(need)


def test_times_come_with_a_table():
    t = np.linspace(0, 1, 21)
    assert np.array_equal(mk.inverse_dynamics(pendulum(), {"hinge": mk.Table(t, t**2)}).t, t)


def test_the_tip_of_a_body_can_be_driven():
    """Inverse kinematics on the way: the mass centre of the pendulum along x, angle = asin(x / l)."""
    need = mk.inverse_dynamics(pendulum(), {"arm.position.x": "0.2*sin(t)"}, times=TIMES, actuators="hinge")
    angle = -np.arcsin(0.2 * np.sin(TIMES) / 0.5)
    np.testing.assert_allclose(need.run["hinge.angle"], angle, rtol=0, atol=1e-13)


def test_the_forces_found_move_the_model_so():
    """Simulated from the start of the motion, the model with the forces follows; tables are straight between samples,
    5e-5 of it."""
    t = np.linspace(0, 1, 401)
    need = mk.inverse_dynamics(pendulum(), {"hinge": "0.5*t**2"}, times=t)
    run = mk.simulate(need.system, 1.0, every=0.1)
    np.testing.assert_allclose(run["hinge.angle"], 0.5 * run.t**2, rtol=0, atol=1e-5)


# ---------------------------------------------------------------- loops


@pytest.mark.parametrize("formulation", formulations.NAMES)
def test_driven_four_bar_in_every_formulation(formulation):
    """Closed form of the gallery (virtual power): 7 N m; round-off of five linear solves."""
    need = mk.inverse_dynamics(four_bar_without_drive(), DRIVE, times=TIMES, formulation=formulation)
    np.testing.assert_allclose(need["main"], four_bar.exact(TIMES)["torque"], rtol=0, atol=1e-12)
    assert need.choice == "unique" and need.freedoms == 1


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_the_torque_is_the_force_of_the_drive(formulation):
    """A simulated run with a prescribed crank; the drive gives way to a motor."""
    run = gallery.find("driven_four_bar").run(1.0, formulation=formulation)
    need = mk.inverse_dynamics(run.system, run)
    assert need.actuators == ["drive"]
    np.testing.assert_allclose(need["drive"], run.reaction("drive", on="crank")["moment"][:, 2], rtol=0, atol=1e-10)
    np.testing.assert_allclose(
        need.reaction("foot")["force"][:, :2], run.reaction("foot")["force"][:, :2], rtol=0, atol=1e-9
    )


def test_reactions_are_those_of_newton():
    """Sum of the forces of the ground on the linkage: Σ m (a − g), in the plane."""
    need = mk.inverse_dynamics(four_bar_without_drive(), DRIVE, times=TIMES)
    total = need.reaction("main")["force"].values + need.reaction("foot")["force"].values
    bodies = need.system.bodies.values()
    expected = sum(body.mass * (need.run[f"{body.name}.acceleration"].values + (0, four_bar.G, 0)) for body in bodies)
    np.testing.assert_allclose(total[:, :2], expected[:, :2], rtol=0, atol=1e-11)
    assert not need.is_unique("main") and "not unique in main, knee, tip, foot" in str(need)


@pytest.mark.parametrize("weight", [None, 4.0, 0.1])
def test_two_motors_share_as_the_closed_form_says(weight):
    """f1 + r f2 = Q with r = rocker rate / crank rate; the least f1² + w f2² is f1 = Q / (1 + r²/w), f2 = r f1 / w."""
    weights = None if weight is None else {"foot": weight}
    need = mk.inverse_dynamics(
        four_bar_without_drive(), DRIVE, times=TIMES, actuators=["main", "foot"], weights=weights
    )
    Q, rates, w = four_bar.exact(TIMES)["torque"], four_bar.angles(TIMES)[1], weight or 1.0
    r = rates[2] / rates[0]
    first = Q / (1 + r**2 / w)
    np.testing.assert_allclose(need.forces, np.column_stack([first, r * first / w]), rtol=0, atol=1e-12)
    assert "1 more than the motion determines" in need.choice
    assert ("minimum norm" in need.choice) == (weight is None)
    assert need.misfit < 1e-12


RECOVERED = {  # mechanism: joint that a motor is put on
    "four_bar": "J1", "four_bar_chain": "foot0", "bricard": "P1", "slider_crank_planar": "pivot", "slider_crank_spatial": "A",
    "planetary_gear": "shaft", "chaplygin_sleigh": ("ice", "angle"), "bicycle": "steering",
}  # fmt: skip


@pytest.mark.parametrize("name", RECOVERED)
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_a_known_law_is_recovered_in_loops(name, formulation):
    """A motor with a law is simulated; its torque is computed from the motion, though it alone cannot make any other
    motion."""
    s = gallery.find(name).system()
    s.constraints.pop("output", None)  # which leaves the planetary gear no freedom
    joint, coordinate = RECOVERED[name] if isinstance(RECOVERED[name], tuple) else (RECOVERED[name], None)
    s.motor("known", joint, torque="0.3*cos(7*t)", coordinate=coordinate)
    run = mk.simulate(s, 0.2, every=0.02, rtol=1e-9)
    need = mk.inverse_dynamics(s, run, actuators="known", formulation=formulation)
    np.testing.assert_allclose(need["known"], 0.3 * np.cos(7 * run.t), rtol=0, atol=1e-10)


@pytest.fixture(scope="module")
def squeezed():
    return gallery.find("squeezer").run(0.03, every=1e-5, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("formulation", formulations.NAMES)
def test_squeezer_gives_back_its_torque(formulation):
    """0.033 N m on K1, whatever the formulation."""
    run = gallery.find("squeezer").run(0.03, every=1e-3, rtol=1e-12, atol=1e-14)
    need = mk.inverse_dynamics(run.system, run, actuators="motor", formulation=formulation)
    np.testing.assert_allclose(need["motor"], np.tile([0, 0, 0.033], (len(run.t), 1)), rtol=0, atol=1e-8)


def test_squeezer_from_its_speeds_alone(squeezed):
    """Accelerations from a spline through the speeds, so that no law of the model is used: h⁴ of it at samples
    inside."""
    from scipy.interpolate import CubicSpline

    compiled = squeezed.compiled
    q, u = np.split(squeezed.record.y[:, : compiled.n_q + compiled.n_u], [compiled.n_q], axis=1)
    some = slice(200, -200, 40)
    ud = CubicSpline(squeezed.t, u)(squeezed.t, 1)
    need = mk.inverse_dynamics(squeezer.system(), (squeezed.t[some], q[some], u[some], ud[some]), actuators="motor.z")
    np.testing.assert_allclose(need["motor.z"], 0.033, rtol=0, atol=1e-8)


def test_speeds_that_follow_from_rolling():
    """The trailer swings in: its angle is integrated, closed form (tractrix). Pull of the car in closed form, 230 N."""
    need = mk.inverse_dynamics(trailer.system(), {"road": f"{trailer.SPEED}*t"}, times=TIMES)
    exact = trailer.exact(TIMES)
    np.testing.assert_allclose(need.run["hitch.angle"], exact["angle"], rtol=0, atol=1e-10)
    np.testing.assert_allclose(need["road"], exact["pull"], rtol=0, atol=1e-7)
    assert "integrated" in str(need)


def test_power_is_what_energy_gains_and_dampers_lose():
    """Σ P = d(T + V)/dt + c θ̇². Derivative of the polynomial through 81 Chebyshev points of a smooth motion."""
    s = four_bar_without_drive()
    s.torsional_spring("spring", "foot", stiffness=20.0)
    s.torsional_damper("damper", "foot", damping=0.7)
    t = 0.5 + 0.5 * chebpts2(81)
    need = mk.inverse_dynamics(s, DRIVE, times=t, actuators=["main", "foot"])
    energy = (need.run.energy["kinetic"] + need.run.energy["potential"]).values
    gained = Chebyshev.fit(t, energy, 80).deriv()(t)
    lost = 0.7 * need.run["foot.angle.rate"].values ** 2
    total = need.power("main").values + need.power("foot").values
    inside = slice(5, -5)  # a polynomial's derivative is worst at its ends
    np.testing.assert_allclose(total[inside], (gained + lost)[inside], rtol=0, atol=1e-8 * np.abs(total).max())


def test_work_is_what_energy_gains():
    """Spline through the power at 751 samples: h⁴."""
    t = np.linspace(0, 1.5, 751)
    need = mk.inverse_dynamics(four_bar_without_drive(), DRIVE, times=t)
    energy = (need.run.energy["kinetic"] + need.run.energy["potential"]).values
    np.testing.assert_allclose(need.work("main"), energy - energy[0], rtol=0, atol=1e-8)


def test_whole_turns_and_coarse_times():
    """A crank that turns three times round between ten times, given in coordinates that do not know its angle: the
    branch is kept."""
    t = np.linspace(0.0, 5.0, 11)
    need = mk.inverse_dynamics(four_bar_without_drive(), DRIVE, times=t, formulation="absolute")
    exact = four_bar.exact(t)
    np.testing.assert_allclose(need.run["main.angle"], exact["crank"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(need["main"], exact["torque"], rtol=0, atol=1e-11)


def test_a_motion_that_begins_later_and_elsewhere():
    """At t = 2 s the crank is far from where the model was described."""
    t = np.linspace(2.0, 3.0, 11)
    need = mk.inverse_dynamics(four_bar_without_drive(), DRIVE, times=t)
    np.testing.assert_allclose(need["main"], four_bar.exact(t)["torque"], rtol=0, atol=1e-11)


def test_what_a_law_remembers_counts():
    """A pid on the hinge holds 5∫θ dt beside the motor: torque of the motor is the exact one less that of the pid."""
    s = pendulum()
    s.pid("pid", "hinge", target=0.0, stiffness=0.0, integral=5.0)
    t = np.linspace(0, 1.5, 301)
    need = mk.inverse_dynamics(s, {"hinge": "0.5*sin(3*t)"}, times=t)
    angle, gathered = 0.5 * np.sin(3 * t), 0.5 / 3 * (1 - np.cos(3 * t))
    np.testing.assert_allclose(need["hinge"], exact_torque(t, angle, -9 * angle) + 5 * gathered, rtol=0, atol=1e-8)


def test_a_line_can_be_the_actuator():
    """A cylinder between ground and arm replaces a spring: its tension times its rate is the power of the hinge
    torque."""
    s = pendulum()
    s.spring("cylinder", (s.ground, (1, 0, 0)), ("arm", (0, 0, 0)), stiffness=1.0, length=1.0)
    need = mk.inverse_dynamics(s, {"hinge": "0.5*sin(3*t)"}, times=TIMES, actuators="cylinder")
    angle = 0.5 * np.sin(3 * TIMES)
    lever = need.run["cylinder.length.rate"] / need.run["hinge.angle.rate"]
    np.testing.assert_allclose(-need["cylinder"] * lever, exact_torque(TIMES, angle, -9 * angle), rtol=0, atol=1e-12)


# ---------------------------------------------------------------- the answer


def test_the_answer_shows_and_writes_itself(tmp_path):
    need = mk.inverse_dynamics(four_bar_without_drive(), DRIVE, times=TIMES, actuators=["main", "foot"])
    assert "actuator" in str(need) and "<table>" in need._repr_html_()
    data = json.loads(json.dumps(need.to_dict()))
    assert data["force"]["foot.angle"] == need["foot"].values.tolist()
    assert data["actuators"]["main.angle"]["peak"] == need.peak("main") == np.abs(need.forces[:, 0]).max()
    found = need.to_xarray()
    np.testing.assert_array_equal(found["power"].sel(actuator="main.angle"), need.power("main"))
    need.to_csv(tmp_path / "f.csv")
    np.testing.assert_array_equal(np.loadtxt(tmp_path / "f.csv", delimiter=",", skiprows=1)[:, 1:], need.forces)
    need.plot(tmp_path / "f.png")
    assert (tmp_path / "f.png").read_bytes()[:4] == b"\x89PNG"


def test_rms_of_a_sine():
    """√(1/2) of the amplitude over a whole period, gravity off."""
    s = pendulum()
    s.gravity = (0, 0, 0)
    need = mk.inverse_dynamics(s, {"hinge": "sin(2*pi*t)"}, times=np.linspace(0, 1, 201))
    assert need.rms("hinge") == pytest.approx(need.peak("hinge") / np.sqrt(2), rel=1e-7)


def test_the_model_with_forces_can_be_saved_and_read(tmp_path):
    need = mk.inverse_dynamics(pendulum(), {"hinge": "sin(t)"}, times=TIMES)
    mk.save_model(need.system, tmp_path / "m.yaml")
    assert mk.load_model(tmp_path / "m.yaml").to_dict() == need.system.to_dict()


def test_the_system_given_is_not_changed():
    s = four_bar.system()
    before = s.to_dict()
    mk.inverse_dynamics(s, DRIVE, times=TIMES)
    assert s.to_dict() == before


# ---------------------------------------------------------------- what is refused

ZERO = np.zeros((31, 1))
REFUSED = {
    "unknown coordinate": (dict(motion={"hing": "t"}, times=TIMES), "no coordinate 'hing'.*Did you mean 'hinge'"),
    "unknown actuator": (
        dict(motion={"hinge": "t"}, times=TIMES, actuators="hing"),
        "nothing called 'hing'.*Did you mean 'hinge'",
    ),
    "twice": (dict(motion={"hinge": "t"}, times=TIMES, actuators=["hinge", "hinge.angle"]), "more than once"),
    "no times": (dict(motion={"hinge": "t"}), "times are missing"),
    "times fall": (dict(motion={"hinge": "t"}, times=[0, 2, 1]), "from 2 to 1 s"),
    "times nan": (dict(motion={"hinge": "t"}, times=[0, np.nan, 1]), "not a finite number at 1 of 3"),
    "value nan": (
        dict(motion={"hinge": np.where(TIMES > 1, np.nan, 0)}, times=TIMES),
        "'hinge.angle' is not a finite number at 10 of 31",
    ),
    "lengths": (dict(motion={"hinge": np.zeros(7)}, times=TIMES), "7 values; there are 31 times"),
    "reads the state": (dict(motion={"hinge": "arm.position.x"}, times=TIMES), "reads 'arm.position.x'"),
    "rows": (dict(motion=(TIMES, ZERO[:5], ZERO, ZERO)), "q has 5 rows; there are 31 times"),
    "columns": (dict(motion=(TIMES, ZERO, ZERO, np.zeros((31, 2)))), r"ud has the shape \(31, 2\)"),
    "arrays nan": (dict(motion=(TIMES, ZERO, ZERO, ZERO * np.nan)), "ud is not a finite number"),
    "nothing": (dict(motion={}, times=TIMES), "empty"),
    "something else": (dict(motion=3.0), "is a float"),
    "weights": (dict(motion={"hinge": "t"}, times=TIMES, weights={"hingee": 2}), "not an actuator.*Did you mean"),
    "negative weight": (dict(motion={"hinge": "t"}, times=TIMES, weights={"hinge": -2}), "weights"),
    "choice": (dict(motion={"hinge": "t"}, times=TIMES, choice="minimum"), "'minimum'.*minimum_norm"),
    "few points": (dict(motion={"hinge": [0.0, 1.0]}, times=[0, 1]), "at least four"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_named(case):
    keywords, message = REFUSED[case]
    with pytest.raises(mk.ModelError, match=message):
        mk.inverse_dynamics(pendulum(), **keywords)


def test_a_motion_that_is_not_determined_says_what_is_free():
    s = gallery.find("double_pendulum").system()
    first, second = s.joints
    with pytest.raises(mk.ModelError, match=f"1 speed free: {second}.angle; 1 more coordinate is needed"):
        mk.inverse_dynamics(s, {first: "t"}, times=TIMES)


def test_too_few_actuators_say_what_is_unbalanced():
    """The elbow of a double pendulum needs a torque nobody gives: the one that both joints driven would show."""
    s = gallery.find("double_pendulum").system()
    first, second = s.joints
    motion = {first: "sin(t)", second: "cos(2*t)"}
    both = mk.inverse_dynamics(s, motion, times=TIMES)
    with pytest.raises(mk.ModelError, match=f"on {second}.angle.*1 of 2 freedoms.*31 of 31 times") as error:
        mk.inverse_dynamics(s, motion, times=TIMES, actuators=first)
    assert f"{both.numbers(second)[np.argmax(np.abs(both.numbers(second)))]:.3g} on" in str(error.value)


def test_a_motion_that_breaks_a_joint_names_it():
    s = four_bar_without_drive()
    with pytest.raises(mk.ModelError, match="motion of '.*' is open by .* at t = "):
        mk.inverse_dynamics(s, {**DRIVE, "foot.angle": "1.8 + t"}, times=TIMES)
    q, u = s.initial_state()
    arrays = [np.tile(x, (3, 1)) for x in (q + (0, 0, 0.1), 0 * u, 0 * u)]
    with pytest.raises(mk.ModelError, match="joint 'tip' is open by 0.0"):
        mk.inverse_dynamics(s, ([0, 1, 2], *arrays), actuators="main")
    arrays = [np.tile(x, (3, 1)) for x in (q, (1.0, 0, 0), 0 * u)]
    with pytest.raises(mk.ModelError, match="joint 'tip' is opened at a rate of"):
        mk.inverse_dynamics(s, ([0, 1, 2], *arrays), actuators="main")


def test_a_dead_point_is_named():
    """The foot of the crank-rocker swings; driven beyond its end it cannot go."""
    with pytest.raises(mk.ModelError, match="motion"):
        mk.inverse_dynamics(four_bar_without_drive(), {"foot": "1.8383446 + 3*t"}, times=TIMES)


def test_loops_without_motors_ask_for_actuators():
    run = gallery.find("four_bar").run(0.1)
    with pytest.raises(mk.ModelError, match="none is named, and the model has no motors"):
        mk.inverse_dynamics(run.system, run)


def test_actuators_on_what_cannot_move():
    """A pendulum that swings by itself on a truss of two bars: what acts on a bar does nothing to its motion, and the least
    forces are none. Round-off of loops was taken for what they can do: 1e-17 of a force over 1e-17 of a freedom."""
    s = mk.System("pendulum on a truss")
    foot, top, other = np.array([0.1, 0.0, 0.0]), np.array([0.47, 0.0, 0.83]), np.array([1.3, 0.0, 0.05])
    for name, start in (("left", foot), ("right", other)):
        s.body(
            name, mass=1.3, inertia=(0.1, 0.1, 0.1), position=0.5 * (start + top), orientation=("xyz", [0.3, 0.2, 0.7])
        )
        s.pin(f"{name} foot", s.ground, name, at=start, axis="y")
    s.pin("top", "left", "right", at=top, axis="y")
    s.body("bob", mass=0.7, inertia=(0.01, 0.01, 0.01), position=top + (0.2, 0, -0.3))
    s.pin("hinge", "left", "bob", at=top, axis="y")
    run = mk.simulate(s, 0.5, every=0.025)
    for formulation in ("joint", "absolute", "relative"):
        need = mk.inverse_dynamics(s, run, actuators=["right.force", "right.torque"], formulation=formulation)
        assert np.abs(need.forces).max() < 1e-6 and need.misfit < 1e-9 and "6 more than the motion" in need.choice


@pytest.mark.parametrize("system", ["pendulum", "four_bar"])
def test_an_infinite_acceleration_is_named(system, capfd):
    """|t − 0.5|^1.5 has a slope everywhere, but no finite curvature at 0.5 s. The error names the motion and the
    instant; LAPACK prints nothing."""
    s = mk.System(system)
    s.body("a", mass=1.0, inertia=(1, 1, 1), position=(0, 0, 0.5))
    s.pin("A", s.ground, "a", at=(0, 0, 0), axis="y")
    if system == "four_bar":
        s.body("b", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 1))
        s.body("c", mass=1.0, inertia=(1, 1, 1), position=(2, 0, 0.5))
        s.pin("B", "a", "b", at=(0, 0, 1), axis="y")
        s.pin("C", "b", "c", at=(2, 0, 1), axis="y")
        s.pin("D", "c", s.ground, at=(2, 0, 0), axis="y")
    with pytest.raises(mk.ModelError, match="the motion of 'A.angle' has no finite acceleration at t = 0.5 s"):
        mk.inverse_dynamics(s, {"A.angle": "abs(t - 0.5)**1.5"}, times=np.linspace(0, 1, 21))
    s.prescribed("m", "A", "abs(t - 0.5)**1.5")
    with pytest.raises(mk.ModelError, match="not finite at t = 0.5 s|no finite acceleration at t = 0.5 s"):
        mk.inverse_dynamics(s, mk.simulate(s, 1.0, every=0.1))
    assert "DLASCL" not in "".join(capfd.readouterr())
