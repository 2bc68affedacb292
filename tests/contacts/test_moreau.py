"""Moreau's time stepping.

Oracles: runs that find every event, towards which errors fall with the step; closed forms; balances of momentum and energy;
laws found one by one against the same laws found by the search.
"""

import copy

import numpy as np
import oracles
import pytest

import mekane as mk
from mekane.analyses.simulate import initial_solver, present
from mekane.importers.yaml import dumps, load

G = 9.81


def moreau(system, t_end, step=1e-3, **options):
    return mk.simulate(system, t_end, method="moreau", step=step, **options)


def four_bar(restitution=0.5):
    """A four-bar linkage that falls onto a limit of its crank."""
    s = mk.System("four-bar")
    crank = s.body("crank", mass=1, inertia=(0.01, 0.01, 0.01), position=(0.1, 0, 0))
    coupler = s.body("coupler", mass=1, inertia=(0.05, 0.05, 0.05), position=(0.5, 0, 0.15))
    rocker = s.body("rocker", mass=1, inertia=(0.03, 0.03, 0.03), position=(0.8, 0, 0.15))
    s.pin("A", s.ground, crank, at=(0, 0, 0), axis="y")
    s.pin("B", crank, coupler, at=(0.2, 0, 0), axis="y")
    s.pin("C", coupler, rocker, at=(0.8, 0, 0.3), axis="y")
    s.pin("D", rocker, s.ground, at=(0.8, 0, 0), axis="y")
    s.limit("stop", "A", lower=-0.5, upper=0.5, restitution=restitution)
    return s


def folding():
    """A double pendulum whose tip meets a plane of its upper rod: both bodies are on one path to the ground. With friction,
    laws of restitution differ: both runs have Newton's."""
    s, upper, lower, _ = oracles.rods(np.radians([10, 80]), (0.0, -1.0), gravity=(0, 0, -G))
    plane = mk.Plane(at=(0.3, 0, 0), normal=(1, 0, 0))
    s.contact("fold", (lower, (0, 0, -0.5)), (upper, plane), friction=0.2, restitution=0.3, law="newton")
    return s


def rope():
    """A mass that swings round on a rope that stays taut: its gap is concave."""
    s = mk.System("rope")
    s.cable("rope", s.ground, s.body("bob", mass=1, position=(0, 0, -1), velocity=(7, 0, 0)), length=1)
    return s


def box(friction, slope=20.0):
    """A box on four corners, on a slope: gravity is inclined."""
    a = np.radians(slope)
    s = mk.System("box", gravity=(-G * np.sin(a), 0, -G * np.cos(a)))
    s.body("box", mass=2, shape=mk.Box(0.4, 0.3, 0.2), position=(0, 0, 0.1))
    s.contact("slope", "box", (s.ground, mk.Plane()), friction=friction)
    return s


def spheres(n=3, friction=0.4, restitution=0.0, apart=1.0, seed=1):
    """n × n × n spheres above a floor between four walls."""
    rng, s = np.random.default_rng(seed), mk.System("spheres")
    half, names = 0.06 * n, []
    for k in range(n**3):
        place = np.array([k % n, k // n % n, k // n**2]) + 0.5
        place = 0.12 * place - (half, half, 0.0) + 0.004 * apart * (rng.random(3) - 0.5)
        names.append(
            s.body(f"ball {k}", shape=mk.Sphere(0.045 + 0.01 * rng.random()), density=1000, position=place).name
        )
    walls = [
        ((0, 0, 0), "z"),
        ((-half, 0, 0), (1, 0, 0)),
        ((half, 0, 0), (-1, 0, 0)),
        ((0, -half, 0), (0, 1, 0)),
        ((0, half, 0), (0, -1, 0)),
    ]
    sides = [(s.ground, mk.Plane(at=at, normal=normal)) for at, normal in walls]
    s.contacts("pile", among=[*names, *sides], friction=friction, restitution=restitution)
    return s


# ---------------------------------------------------------------- order


CASES = {
    "ball": (lambda: oracles.ball(), 2.0, "ball.position.z"),
    "block": (lambda: oracles.block(), 1.5, "block.position.x"),
    "pendulum": (lambda: oracles.pendulum_on_a_stop(), 1.5, "hinge.angle"),
    "cradle": (lambda: oracles.cradle(0.5), 0.5, "b2.position.x"),
    "stick-slip": (lambda: oracles.belt(), 2.0, "sled.position.x"),
    "stick-slip on a moving plane": (lambda: oracles.belt_pressed(), 2.0, "sled.position.x"),
    "four-bar": (four_bar, 0.5, "A.angle"),
    "folding": (folding, 0.6, "elbow.angle"),
    "rope": (rope, 3.0, "bob.position.z"),
}


@pytest.mark.divided("case", 3)
@pytest.mark.parametrize("case", CASES)
def test_it_approaches_the_run_with_events_with_slope_one(case):
    """Errors of single steps scatter, as an impact is early by any part of a step; over two decades of steps their
    largest values fall with it: a slope of at least 0.8 is fitted. Smooth motion is of order two."""
    make, t_end, channel = CASES[case]
    exact, lengths = mk.simulate(make(), t_end)[channel], np.geomspace(8e-3, 8e-5, 24)
    errors = [float(abs(moreau(make(), t_end, h)[channel] - exact).max()) for h in lengths]
    assert errors[-1] < 5e-3 * float(abs(exact).max())
    assert np.polyfit(np.log(lengths), np.log(np.maximum(errors, 1e-12)), 1)[0] > 0.8


@pytest.mark.parametrize("formulation", ["joint", "absolute", "mixed", "bryan"])
def test_all_formulations_take_the_same_steps(formulation):
    """Of a mechanism with a loop; what differs is how Euler parameters and angles are stepped, of second order."""
    run = moreau(four_bar(), 0.3, 2e-4, formulation=formulation)
    other = moreau(four_bar(), 0.3, 2e-4)
    assert float(abs(run["C.angle"] - other["C.angle"]).max()) < 2e-3
    assert run.health.residual < 1e-12  # the loop is closed


def test_a_clutch_locks_where_it_does():
    """J 2 and 3, at 100 and −20 rad/s: 28 rad/s after 2.88 s. The torque is constant, so that steps are exact."""
    run = moreau(oracles.shafts((100, -20)), 4.0, 1e-2)
    assert np.allclose(run["p.angle.rate"][-1], 28, atol=1e-10) and np.allclose(run["q.angle.rate"][-1], 28, atol=1e-10)


def test_a_freewheel_and_backlash_and_brake():
    """Against the run with events: each of three impacts is early by less than a step, at which rates change by less than
    7.5 rad/s."""
    s = mk.System("shafts", gravity=(0, 0, 0))
    for name, rate in (("a", 5.0), ("b", 0.0)):
        s.pin(f"{name}_shaft", s.ground, s.body(name, mass=1, inertia=(1, 1, 1)), at=(0, 0, 0), axis="z", rate=rate)
    s.one_way("ratchet", "b_shaft")
    s.backlash("teeth", "b_shaft", gap=0.5, to="a_shaft.angle", restitution=0.5)
    s.brake("brake", "a_shaft", torque="3*t")
    events, steps = mk.simulate(s, 1.0), moreau(s, 1.0, 2e-4)
    assert sum(line.kind == "impact" for line in events.events) == 3
    for shaft in ("a_shaft.angle", "b_shaft.angle"):
        assert float(abs(events[shaft] - steps[shaft]).max()) < 3 * 7.5 * 2e-4


# ---------------------------------------------------------------- rest


def test_a_box_that_sticks_does_not_move_at_all():
    """12 rows on 6 speeds: impulses are not unique, the motion is. Round-off alone is left of it."""
    run = moreau(box(0.5), 1.0)
    assert float(abs(run["box.velocity"]).max()) < 1e-15 and float(abs(run["box.position.x"]).max()) < 1e-16
    assert run.info["moreau"]["residual"] < 1e-12


def test_a_box_that_slides_has_its_acceleration():
    """½ g (sin − μ cos) t², which steps of constant forces reach to round-off."""
    run = moreau(box(0.3), 1.0)
    fall = 0.5 * G * (np.sin(np.radians(20)) - 0.3 * np.cos(np.radians(20)))
    assert np.isclose(run["box.position.x"][-1], -fall, rtol=1e-12)
    assert np.allclose(run["slope.1.mode"][1:], 1)


def test_static_friction_holds_what_has_stopped():
    """Thrown up a slope of 25°, static 0.5: it stays where it stops, 1.1742000712423762 m up. At the order of the method,
    which is two where forces are constant."""
    run = moreau(oracles.block(static=0.5), 1.5)
    assert np.isclose(run["block.position.x"][-1], 1.1742000712423762, atol=1e-5)
    assert float(run["block.velocity.x"][-1]) == 0.0


def test_forces_at_rest_are_weights():
    """Of a stack of three spheres, from the multipliers of the modes that samples have: exact."""
    s = mk.System("stack")
    for k in range(3):
        s.body(f"b{k}", mass=1 + k, shape=mk.Sphere(0.1), position=(0, 0, 0.1 + 0.2 * k))
        s.slider(f"r{k}", s.ground, f"b{k}", at=(0, 0, 0), axis="z")
    s.contacts("stack", among=["b0", "b1", "b2", (s.ground, mk.Plane())])
    run = moreau(s, 0.2)
    for name, weight in (("b0 ground", 6), ("b0 b1", 5), ("b1 b2", 3)):
        assert np.allclose(run[f"stack.{name}.force"][1:], weight * G, rtol=1e-9)


# ---------------------------------------------------------------- many contacts


@pytest.fixture(scope="module")
def pile():
    return moreau(spheres(), 1.0, every=0.01)


def test_impulses_are_solved_to_the_tolerance(pile):
    """The residual of (N.2), relative to the velocities that impulses change: 1e-8 in every step."""
    assert pile.info["moreau"]["residual"] <= 1e-8 and pile.info["moreau"]["missed"] == 0
    assert "residual of at most" in str(pile.health) and pile.info["moreau"]["contacts"] > 50


def test_a_pile_comes_to_rest(pile):
    """Spheres may keep rolling; what they have left is a hundredth of what they had, and contacts carry all of them."""
    kinetic = pile.energy["kinetic"].values
    assert kinetic[-1] < 1e-2 * kinetic.max()
    assert pile["pile.contacts"].values[-1] >= 27


def test_energy_never_rises_without_restitution(pile):
    """Moreau's theorem, for (N.17) with constant forces. What yields (1e-2 of an impulse) stores and gives back less than
    1e-6 of the energy."""
    total = (pile.energy["kinetic"] + pile.energy["potential"]).values
    assert np.diff(total).max() < 1e-6 * (total.max() - total.min())


def test_energy_is_accounted_for(pile):
    """T + V − W, W the work of impulses ½(γ⁻ + γ⁺)·P: exact for constant forces, but for spheres of which each turns with
    a constant inertia."""
    assert pile.health.drift < 1e-9


def test_bodies_hardly_enter_each_other(pile):
    """By what yields: 0.01 h v where a sphere is stopped from v; several may fall on one."""
    fall = np.sqrt(2 * G * 0.36)
    assert pile.info["moreau"]["depth"] < 3 * 0.01 * 1e-3 * fall


def test_momentum_balances():
    """What the ground gives in all steps is the change of momentum of the pile and its weight × time, to round-off: between
    bodies action is reaction."""
    solver, _ = initial_solver(spheres(), method="moreau", step=1e-3)
    bodies, given = solver.compiled.system.bodies, np.zeros(3)
    mass = np.array([body.mass for body in bodies.values()])
    for _ in range(300):
        solver.step(1e-3)
        C = solver.phases.contacts.memory
        n, shapes = C.counts[0], len(C.shape_i)
        with_ground = (-1 - C.element[:n]) // 8 % shapes >= len(bodies)
        given += np.einsum("kc,kcx->x", C.P[:n][with_ground], C.frame[:n].reshape(n, 3, 3)[with_ground])
    assert np.allclose(mass @ present_velocities(solver), given - mass.sum() * np.array([0, 0, G]) * 0.3, atol=1e-12)


def present_velocities(solver):
    run = present(solver)
    return np.array([run[f"{name}.velocity"].values[0] for name in solver.compiled.system.bodies])


@pytest.mark.parametrize("shape", ["sphere", "capsule", "box", "sphere beside box"])
def test_the_search_finds_what_laws_one_by_one_have(shape, monkeypatch):
    """The same mechanism with rows of expressions and with the search. Surfaces yield in the search, of second order in
    the step."""

    def make():
        s = mk.System("few")
        a = dict(sphere=mk.Sphere(0.1), capsule=mk.Capsule(0.1, 0.3, axis="x"), box=mk.Box(0.3, 0.2, 0.1))
        first = s.body(
            "a", mass=1, shape=a.get(shape, mk.Box(0.3, 0.2, 0.1)), position=(0, 0, 0.2), velocity=(0.3, 0, 0)
        )
        sides = [first, (s.ground, mk.Plane())]
        if shape in ("sphere", "capsule", "sphere beside box"):
            small = mk.Capsule(0.1, 0.3, axis="y") if shape == "capsule" else a["sphere"]
            sides.append(s.body("b", mass=1, shape=small, position=(0.05, 0.02, 0.6)))
        s.contacts("all", among=sides, friction=0.3)
        return s

    few = moreau(make(), 0.4, 2e-4)
    monkeypatch.setattr("mekane.contacts.contacts.MOST_PAIRS", 0)
    searched = moreau(make(), 0.4, 2e-4)
    assert "all.contacts" in searched.compiled.discrete and "all.contacts" not in few.compiled.discrete
    for body in few.system.bodies:
        assert float(abs(few[f"{body}.position"] - searched[f"{body}.position"]).max()) < 1e-3


def test_contacts_of_all_pairs_are_contacts_one_by_one():
    """s.contacts with events, and the same three contacts written out: the same events, to the tolerance of the run."""

    def make(together):
        s = mk.System("two balls")
        for name, z in (("low", 0.5), ("high", 1.0)):
            s.slider(
                f"{name}_rail",
                s.ground,
                s.body(name, mass=1, shape=mk.Sphere(0.1), position=(0, 0, z)),
                at=(0, 0, 0),
                axis="z",
            )
        floor = (s.ground, mk.Plane())
        if together:
            s.contacts("all", among=["low", "high", floor], restitution=0.5)
        else:
            s.contact("one", "low", "high", restitution=0.5)
            s.contact("two", "low", floor, restitution=0.5)
            s.contact("three", "high", floor, restitution=0.5)
        return s

    one, other = (mk.simulate(make(together), 0.6) for together in (True, False))
    assert [line.time for line in one.events] == pytest.approx([line.time for line in other.events], abs=1e-9)
    assert "all.low high" in one.events[1].event


# ---------------------------------------------------------------- going on, samples, events


def test_a_copy_goes_on_bit_by_bit():
    """Impulses of the last step are part of the state."""
    solver, _ = initial_solver(spheres(), method="moreau", step=1e-3)
    solver.run(0.2, np.array([]))
    other = copy.copy(solver)
    for one in (solver, other):
        one.run(0.25, np.array([]))
    assert np.array_equal(solver.y, other.y)


def test_samples_within_steps_keep_the_energy():
    """Impulses act in the middle of a step. Forces are constant: what is left is ½ (a h/2)² of a half step."""
    run = moreau(oracles.ball(), 2.0, 1e-3, every=7.7e-4)
    assert run.health.drift < 1e-4


@pytest.mark.parametrize("make", [oracles.belt, oracles.belt_pressed])
def test_what_drives_a_belt_does_work_against_friction(make):
    """T + V − W with the work of the prescribed motion: the spring's ½ k (v h)² of a step, v 0.2 m/s, is 2e-6 J, as is
    what half a step leaves of the 0.2 J in play. Heat and work are those of the run with events, at the order of the method."""
    run, exact = moreau(make(), 2.0, every=0.01), mk.simulate(make(), 2.0, every=0.01)
    assert run.health.drift < 1e-5
    for channel in ("rub.heat", "motion.work"):
        assert np.isclose(run[channel][-1], exact[channel][-1], rtol=1e-3)


def test_events_of_the_model_happen_at_the_ends_of_steps():
    s = oracles.ball()
    s.event("low", when="ball.position.z < 0.5", stop=True)
    run = moreau(s, 2.0)
    assert np.isclose(run.t[-1], np.sqrt(2 * 0.6 / G), atol=1.1e-3)


def test_runs_with_events_propose_it_for_many_contacts():
    """32 spheres at rest on a floor, each on its own: more than 30 contacts are closed."""
    s = mk.System("many")
    for k in range(32):
        s.body(f"b{k}", mass=1, shape=mk.Sphere(0.1), position=(0.3 * k, 0, 0.1))
        s.contact(f"c{k}", f"b{k}", (s.ground, mk.Plane()))
    assert "method='moreau' is made for many" in str(mk.simulate(s, 0.01).health)


def test_health_names_energy_that_newtons_restitution_creates():
    """Kane's puzzle, whose kinetic energy it multiplies by 1.587494686930. There is no gravity, so that only the position at
    the impact, early by less than a step, makes a difference."""
    run = moreau(oracles.kane("poisson"), 0.5, 1e-4)
    kinetic = run.energy["kinetic"].values
    assert np.isclose(kinetic.max() / kinetic[0], 1.587494686930, atol=1e-3)
    assert np.isclose(run.info["moreau"]["gained"], 0.587494686930 * kinetic[0], rtol=5e-3)
    assert "Newton's restitution has created" in str(run.health)


# ---------------------------------------------------------------- refusals


def test_friction_by_loads_of_joints_is_refused():
    s = mk.System("bearing")
    s.pin("hinge", s.ground, s.body("bob", mass=1, position=(0, 0, -1)), at=(0, 0, 0), axis="y")
    s.bearing_friction("rub", "hinge", friction=0.1, radius=0.01)
    with pytest.raises(mk.ModelError, match="bearing_friction 'rub'.*by the reaction of a joint"):
        moreau(s, 1.0)


def test_the_step_is_needed():
    with pytest.raises(mk.ModelError, match="method 'moreau' has a fixed step"):
        mk.simulate(oracles.ball(), 1.0, method="moreau")


def test_embedded_constraints_are_refused():
    with pytest.raises(mk.ModelError, match="method 'moreau' has multipliers"):
        moreau(four_bar(), 1.0, constraints="embedded")


def test_a_run_does_not_change_to_it():
    solver, _ = initial_solver(oracles.ball())
    with pytest.raises(mk.ModelError, match="from its start to its end"):
        solver.method = "moreau"


def test_many_pairs_need_it():
    with pytest.raises(mk.ModelError, match="contacts 'pile': it has 486 pairs.*method=\"moreau\""):
        mk.simulate(spheres(), 1.0)


def test_bodies_that_enter_each_other_are_refused():
    with pytest.raises(mk.ModelError, match="contacts 'pile': the gap of 'ball .*' is -0.0.* at the start"):
        moreau(spheres(apart=20.0), 1.0)
    with pytest.raises(mk.ModelError, match="contact 'floor': its gap is -0.05 at the start"):
        moreau(oracles.ball(height=-0.05), 1.0)


def test_shapes_without_a_contact_are_refused():
    s = mk.System("boxes")
    for name in "ab":
        s.body(name, mass=1, shape=mk.Ellipsoid(1, 1, 1))
    with pytest.raises(mk.ModelError, match="contacts 'all': 'a' and 'b': ellipsoid and ellipsoid have no contact"):
        s.contacts("all", among=["a", "b"])
    with pytest.raises(mk.ModelError, match="a list of at least two bodies"):
        s.contacts("all", among=["a"])


def test_contacts_are_written_to_files():
    """As all laws are: the section contacts, bodies and planes in a list behind the kind."""
    text = dumps(spheres())
    law = load(text).contact_laws["pile"]
    assert law.friction == 0.4 and len(law.among) == 32 and dumps(load(text)) == text
