"""Contact laws in live pages: modes, guards and impacts solved in JavaScript.

Oracle: mk.simulate of the same model, whose contact laws are solved by compiled Python, and the balance of energies. The
gallery's mechanisms with contact laws are compared in test_live_agreement.py. Tolerance 1e-9 of the size of what moves: both
run at tolerances of 1e-12 and 1e-13 for each step, and these motions, with up to forty impacts, let errors grow less than a
thousandfold in two seconds.
"""

import json

import numpy as np
import pytest
from javascript import run_javascript
from view.live_pages import ADVANCED, relative_errors, simulated

import mekane as mk
from mekane import gallery
from mekane.symbolic.live import live_functions, refuse
from mekane.view.web.live_code import live_code
from mekane.view.web.saved_page import CONTACTS, part

SECONDS, AGREED = 2.0, 1e-9
ENGINE = "\n".join(part(f"{name}.js") for name in ("live_engine", *CONTACTS))


def run(system, code, **options):
    """What a piece of JavaScript returns; `about` and window.liveModel are those of a system."""
    made = live_code(system, **options)
    text = f"const window = {{}};\n{ENGINE}\n{made.script}\nconst about = window.about = {json.dumps(made.about)};\n"
    return json.loads(run_javascript(text, f"JSON.stringify({code})"))


def hinge(**keywords):
    s = mk.System("arm")
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", **keywords)
    return s


def limits():
    s = hinge(rate=3.0)
    s.limit("stop", "hinge", lower="-30 deg", upper="40 deg", restitution=0.6)
    return s


def cart():
    """Two dry frictions that feel each other, with more friction at rest."""
    s = mk.System("cart")
    s.body("cart", mass=1.0, inertia=(0.1, 0.1, 0.1))
    s.body("bob", mass=0.5, inertia=(0.01, 0.01, 0.01), position=(0, 0, -0.4))
    s.slider("rail", s.ground, "cart", at=(0, 0, 0), axis="x", rate=1.0)
    s.pin("hinge", "cart", "bob", at=(0, 0, 0), axis="y", rate=4.0)
    s.dry_friction("seal", "rail", force=1.5, static=2.0)
    s.dry_friction("pivot", "hinge", torque=0.05)
    return s


def drive():
    """A freewheel, a brake whose torque changes in time, and backlash to a second wheel."""
    s = mk.System("drive")
    for name, x, rate in (("a", 0.0, 2.0), ("b", 0.5, 0.0)):
        s.body(name, mass=1.0, inertia=(0.1, 0.1, 0.1), position=(x, 0, 0))
        s.pin(f"axle_{name}", s.ground, name, at=(x, 0, 0), axis="z", rate=rate)
    s.backlash("gears", "axle_a", to="axle_b.angle", gap=0.1, restitution=0.3)
    s.one_way("freewheel", "axle_b")
    s.brake("brake", "axle_b", torque="0.1 + 0.2*t if t < 1.5 else 0")
    s.torque("motor", "a", (0, 0, "2*cos(6*t)"))
    return s


def rope():
    s = mk.System("rope")
    s.body("bob", mass=1.0, shape=mk.Sphere(0.05), position=(0.6, 0, 0.2))
    s.cable("rope", s.ground, "bob", length=1.0, restitution=0.5)
    return s


def thrown(law="stronge"):
    """Sliding turns during the impacts and after them."""
    s = mk.System("ball", parameters={"mu": 0.2})
    motion = {"velocity": (2, 0.5, 0), "angular_velocity": (20, -10, 30)}
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.5), **motion)
    s.contact("floor", "ball", (s.ground, mk.Plane()), friction=mk.Param("mu", 0.2), restitution=0.6, law=law)
    return s


def brick():
    """Eight corners: forty impacts of one or several at a time."""
    s = mk.System("brick")
    motion = {"velocity": (1, 0.3, 0), "angular_velocity": (1, 2, 0.5)}
    s.body("box", mass=1.0, shape=mk.Box(0.3, 0.2, 0.1), position=(0, 0, 0.4), **motion)
    s.contact("floor", "box", (s.ground, mk.Plane()), friction=0.3, restitution=0.3)
    return s


def four_bar():
    """A limit and dry friction on a loop."""
    s = mk.System("four-bar")
    for name, place in (("crank", (0, 0, 0.5)), ("rod", (1, 0, 1.2)), ("rocker", (2, 0, 0.7))):
        s.body(name, mass=1.0, inertia=(0.1, 0.1, 0.1), position=place)
    s.pin("A", s.ground, "crank", at=(0, 0, 0), axis="y", rate=1.0)
    s.pin("B", "crank", "rod", at=(0, 0, 1), axis="y")
    s.pin("C", "rod", "rocker", at=(2, 0, 1.4), axis="y")
    s.pin("D", s.ground, "rocker", at=(2, 0, 0), axis="y")
    s.limit("stop", "A", upper=0.4, lower=-0.3, restitution=0.5)
    s.dry_friction("pivot", "D", torque=0.4)
    return s


def pushed_ball():
    """An event of the state, which sets an input, between the bounces."""
    s = mk.System("ball")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.5))
    s.variable("n", 0)
    s.input("push", 0.0)
    s.force("wind", "ball", ("push", 0, 0))
    s.contact("floor", "ball", (s.ground, mk.Plane()), friction=0.2, restitution=0.7)
    s.event("low", when="ball.position.z < 0.2", set={"n": "n + 1", "push": "2*(n + 1)"}, once=False)
    return s


def groove():
    """Two contacts that stick share the weight, which friction across the groove could carry, too."""
    s = mk.System("groove")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.3), velocity=(0.3, 0, 0))
    for name, side in (("left", 1.0), ("right", -1.0)):
        s.contact(name, "ball", (s.ground, mk.Plane(normal=(0, side, 1))), friction=0.4, restitution=0.2)
    return s


def rubbing_balls():
    """Two contacts are hit at once beside dry friction, which has no impulse: the page stopped all balls."""
    s = mk.System("balls on rails")
    for k in range(3):
        s.body(f"ball {k}", mass=1.0, inertia=(1, 1, 1), position=(0.2 * k - 0.1 * (k == 0), 0, 0))
        s.slider(f"rail {k}", s.ground, f"ball {k}", axis="x", rate=1.0 if k == 0 else 0.0)
        s.dry_friction(f"rub {k}", f"rail {k}", force=0.3)
    for k in range(2):
        s.contact(f"pair {k}", (f"ball {k}", mk.Sphere(0.1)), (f"ball {k + 1}", mk.Sphere(0.1)), restitution=0.8)
    return s


LIKE_SIMULATE = [limits, cart, drive, rope, thrown, brick, four_bar, pushed_ball, groove, rubbing_balls]


@pytest.mark.parametrize("build", LIKE_SIMULATE)
def test_agrees_with_simulate(build):
    system = build()
    times, expected = simulated(system, SECONDS)
    found = run(system, ADVANCED % ("window.about", json.dumps(list(times)), "[]"))
    places, velocities = relative_errors(np.array(found["poses"]).reshape(len(times), -1, 18), expected)
    assert places < AGREED and velocities < 10 * AGREED and found["drift"] < 1e-10 and found["residual"] < 1e-12


LAID = "const e = engineOf(window.liveModel, about); e.advance(0.2);"


def test_a_hand_pulls_until_it_breaks_away():
    """A box on a floor. Oracle: it stays to round-off while the hand pulls with less than μ m g; the ledger closes when it
    was dragged and let go, and friction has taken what the hand gave."""
    s = mk.System("box")
    s.body("box", mass=1.0, shape=mk.Box(0.3, 0.2, 0.1), position=(0, 0, 0.05))
    s.contact("floor", "box", (s.ground, mk.Plane()), friction=0.3)
    held, dragged, after, forces = run(s, """(() => {
        const e = engineOf(window.liveModel, about), first = e.energy.balance, k = 100, drift = () => e.energy.balance - first;
        e.advance(0.1);
        e.grab(0, [0, 0, -0.05], [0.001, 0, 0]);
        e.hand.stiffness = k;
        const pull = (x) => {
            e.hand.target = [x, 0, 0];
            e.advance(e.t + 0.2);
            return [e.y[0], e.energy.contacts, e.energy.hand, drift()];
        };
        const held = pull(0.02), dragged = pull(0.2), arrows = new Float64Array(6 * about.contacts.points.length);
        e.release();
        e.advance(e.t + 1);
        e.arrowsInto(arrows, 0);
        return [held, dragged, [e.y[0], e.energy.kinetic, drift(), ...e.elements.map((_, i) => e.mode(i))], Array.from(arrows)];
    })()""")  # fmt: skip
    assert abs(held[0]) < 1e-15 and abs(held[1]) < 1e-15
    assert dragged[0] > 0.05 and dragged[2] > 0 > dragged[1] and abs(dragged[3]) < 1e-8
    assert after[1] < 1e-20 and abs(after[2]) < 1e-8 and sorted(after[3:]) == [0] * 4 + [2] * 4  # four corners stick
    assert np.array(forces).reshape(-1, 6)[:, 5].sum() == pytest.approx(9.81, rel=1e-9)  # what is drawn carries the box


def flap(angle):
    """A link that falls onto the stop of its pin and onto a floor, and rubs in the pin: one degree of freedom, four forces."""
    s = mk.System("flap", planar="xz")
    s.body("link", mass=2.0, inertia=0.05, position=(0.15, 0, 0))
    s.pin("hinge", s.ground, "link", at=(0, 0, 0), axis="y", rate=4.0)
    s.dry_friction("rub", "hinge", torque=2.5)
    s.limit("stop", "hinge", upper=0.0)
    s.contact("floor", ("link", (0.25, 0, -0.1)), (s.ground, mk.Plane(at=(0, 0, -0.1))), friction=0.6)
    return mk.assemble(s, {"hinge.angle": angle}).system


@pytest.mark.parametrize("angle", (-0.5, -1.2))
def test_a_load_is_shared_by_the_state_alone(angle):
    """As in contacts/test_shared_loads.py: forces by hand, wherever the motion has begun."""
    laws, forces = run(flap(angle), """(() => {
        const e = engineOf(window.liveModel, about);
        e.advance(2);
        e.rates(e.t, e.y, new Float64Array(e.y.length));
        return [e.elements, Array.from(e.phaseForces())];
    })()""")  # fmt: skip
    on_rows = {one["name"]: [forces[row] for row in (one["normal"], *one["tangents"]) if row >= 0] for one in laws}
    share = 2.0 * 9.81 * 0.15 / (2.0 + 0.4**2 + 0.1**2 / 100.0)
    assert np.abs(on_rows["rub"]) == pytest.approx([share], rel=1e-9)
    assert np.abs(on_rows["stop"]) == pytest.approx([share], rel=1e-9)
    assert np.abs(on_rows["floor"]) == pytest.approx([0.4 * share, 0.001 * share], rel=1e-9)


@pytest.mark.parametrize("mass", (1.0, 1e-7))
def test_what_counts_as_no_force_does_not_hang_on_the_mass(mass):
    """As in contacts/test_changes_of_modes.py: a speck pushed by m g t on a floor with friction ½ goes g (t − ½)³/6 from ½ s on."""
    s = mk.System("speck")
    s.body("speck", mass=mass, inertia=(1e-6 * mass,) * 3)
    s.contact("floor", ("speck", (0, 0, 0)), (s.ground, mk.Plane()), friction=0.5)
    s.force("push", "speck", at=(0, 0, 0), value=(f"{mass}*9.81*t", 0, 0))
    x = run(s, "(() => { const e = engineOf(window.liveModel, about); e.advance(1); return e.y[0]; })()")
    assert x == pytest.approx(9.81 * 0.5**3 / 6.0, rel=1e-7)


def test_sliders_and_rewinding():
    """Oracles: mk.simulate with the other number; the same bits when the motion goes on from a state that was kept."""
    times, expected = simulated(thrown().with_parameters({"mu": 0.05}), 1.0)
    system = thrown()
    made = live_code(system, ["mu"])
    text = f"const window = {{}};\n{ENGINE}\n{made.script}\nconst about = {json.dumps(made.about)};\n"
    poses, same = json.loads(run_javascript(text, f"""JSON.stringify((() => {{
        const e = engineOf(window.liveModel, about, {{ rtol: 1e-13, atol: 1e-15 }});
        e.set(0, 0.05);
        const poses = {json.dumps(list(times))}.map((t) => {{ e.advance(t); return Array.from(e.model.bodies(e.t, e.y, e.p)); }});
        const kept = e.state, events = e.log.length;
        const on = () => {{ e.state = kept; e.advance(1.5); return e.y.join(); }};
        return [poses, on() === on() && events > 1];
    }})())"""))  # fmt: skip
    places, velocities = relative_errors(np.array(poses).reshape(len(times), -1, 18), expected)
    assert places < AGREED and velocities < 10 * AGREED and same


def test_impacts_and_modes_are_logged():
    """Events on the time line. Oracle: the lines of run.events of mk.simulate."""
    system = gallery.find("stick_slip_belt").system()
    lines = mk.simulate(system, 1.0, rtol=1e-10, atol=1e-12).events
    logged = run(system, f"(() => {{ {LAID} e.advance(1); return e.log.map(({{ time, name }}) => [time, name]); }})()")
    assert [name for _, name in logged] == [line.event for line in lines]
    assert np.allclose([time for time, _ in logged], [line.time for line in lines], rtol=0, atol=1e-7)


@pytest.mark.parametrize("impacts, speeds", [("sequential", (0, 0, 1)), ("simultaneous", (-1 / 3, 2 / 3, 2 / 3))])
def test_the_order_of_impacts_at_one_instant(impacts, speeds):
    """Three balls, two of which touch. Oracle: one after the other equal masses exchange their speeds; together, Poisson
    in phases (newtons_cradle.py). Round-off."""
    system = gallery.find("newtons_cradle_touching").system()
    code = "(() => { const e = engineOf(window.liveModel, about); e.advance(0.6); return Array.from(e.model.bodies(e.t, e.y, e.p)); })()"
    found = np.array(run(system, code, impacts=impacts)).reshape(3, 18)[:, 12]
    assert np.allclose(found, speeds, rtol=0, atol=1e-12)


def test_a_brick_whose_corners_are_hit_one_after_the_other():
    """Oracle: mk.simulate. Half a second with five impacts; both orders differ there."""
    times, expected = simulated(brick(), 0.5, impacts="sequential")
    code = ADVANCED % ("window.about", json.dumps(list(times)), "[]")
    found = run(brick(), code, impacts="sequential")
    places, velocities = relative_errors(np.array(found["poses"]).reshape(len(times), -1, 18), expected)
    assert places < AGREED and velocities < 10 * AGREED
    with pytest.raises(mk.ModelError, match="'simultaneous' or 'sequential' is expected"):
        live_code(brick(), impacts="in_turn")


def searched():
    s = mk.System("many")
    bodies = [s.body(f"b{k}", mass=1.0, shape=mk.Sphere(0.1), position=(0.3 * k, 0, 1)) for k in range(21)]
    s.contacts("all", among=bodies)
    return s


def rolls():
    s = mk.System("ball")
    s.body("ball", mass=1.0, shape=mk.Sphere(0.1), position=(0, 0, 0.1))
    s.contact("floor", "ball", (s.ground, mk.Plane()), friction=0.3, rolling=0.001)
    return s


def bearing_and_limit():
    s = hinge(rate=1.0)
    s.bearing_friction("journal", "hinge", friction=0.2, radius=0.02)
    s.limit("stop", "hinge", upper=0.4)
    return s


@pytest.mark.parametrize("build, part_of, problem", [
    (searched, "contacts 'all'", "its contacts are searched"),
    (rolls, "contact 'floor'", "it resists rolling or spinning"),
    (bearing_and_limit, "limit 'stop'", "it may be hit while bearing_friction 'journal' resists"),
])  # fmt: skip
def test_what_a_page_cannot_solve_is_refused_by_name(build, part_of, problem):
    with pytest.raises(mk.ModelError) as error:
        refuse(build())
        live_functions(build())
    assert str(error.value).startswith(f"{part_of}: {problem}") and "save_html" in str(error.value)


def test_another_formulation_is_refused():
    with pytest.raises(mk.ModelError, match="contact 'floor': the formulation is 'mixed'"):
        live_functions(thrown(), formulation="mixed")
