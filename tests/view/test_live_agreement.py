"""A mechanism that integrates itself in a browser agrees with mk.simulate, for all of the gallery that a live page can
have. Oracle: mk.simulate, another program for everything but the coefficients of the method.

Tolerance 1e-9 of the size of what moves, over the first two seconds: both run at tolerances of 1e-12 and 1e-13 for each step, and
errors of these motions grow less than a thousandfold in that time. Loops: what one Newton step still sees is round-off.
"""

import pytest
import systems
from browser import CHROMIUM, Browser
from live_pages import TIGHT, disagreement, played, simulated

import mekane as mk
from mekane import gallery
from mekane.symbolic.live import fixed_parameters, refuse

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
SECONDS, AGREED = 2.0, 1e-9
SYSTEMS = {m.name: m.system() for m in gallery.mechanisms()}
LIVE = list(SYSTEMS)  # none has a controller, or an event that does more than set numbers
# trees, loops that hold to round-off, singular positions, rolling, measured joints in loops, tables and comparisons; bounces,
# stick and slip, a limit in a loop
CHOSEN = ["double_pendulum", "four_bar", "slider_crank_planar", "rolling_disc_1", "hanging_chain", "robot", "heavy_top"]
CHOSEN += ["bouncing_ball", "stick_slip_belt", "slider_crank_with_stop"]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    path = tmp_path_factory.mktemp("live") / "first.html"
    mk.save_live(gallery.find("pendulum").system(), path, t_end=0.1)
    with Browser() as browser:
        browser.open(path.as_uri())
        yield browser


def agree(browser, name):
    m = gallery.find(name)
    places, velocities, found = disagreement(browser, SYSTEMS[name], min(m.t_end, SECONDS))
    assert places < AGREED and velocities < 10 * AGREED, f"{name}: {places:.1e}, {velocities:.1e}"
    assert found["residual"] < 1e-12, f"{name}: {found['residual']:.1e}"


@pytest.mark.parametrize("name", CHOSEN)
def test_agrees_with_simulate(browser, name):
    agree(browser, name)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in LIVE if name not in CHOSEN])
def test_all_others_agree_with_simulate(browser, name):
    agree(browser, name)


@pytest.mark.parametrize("build", [systems.laws, systems.mounts])
def test_laws_of_all_kinds(browser, build):
    """Comparisons are located: their sides do not change within a step. Controllers of a law have integrals."""
    places, velocities, _ = disagreement(browser, build(), 1.0)
    assert places < AGREED and velocities < 10 * AGREED


def bouncing(stiffness=2000.0):
    """A ball on a spring that only pushes: a comparison of the state, whose side changes at every bounce."""
    s = mk.System("ball", parameters={"k": stiffness, "m": 1.0})
    s.body("ball", mass=mk.Param("m", 1.0), inertia=(1, 1, 1), position=(0, 0, 0.3))
    s.slider("way", s.ground, "ball", at=(0, 0, 0), axis="z")
    s.force("floor", "ball", (0, 0, "k*max(0, 0.1 - (ball.position.z))"))
    return s


def test_a_comparison_of_the_state_is_located(browser):
    places, velocities, found = disagreement(browser, bouncing(), 2.0)
    assert places < AGREED and velocities < 10 * AGREED and found["drift"] < 1e-9


def pushed_to_and_fro(**more):
    """A cart that is pushed one way until it is far, then the other way, and counted; from 1.2 s on with more force."""
    s = mk.System("cart", gravity=(0, 0, -9.81))
    s.body("cart", mass=2.0, inertia=(1, 1, 1))
    s.body("bob", mass=0.5, inertia=(0.01, 0.01, 0.01), position=(0, 0, -0.4))
    s.slider("rail", s.ground, "cart", at=(0, 0, 0), axis="x")
    s.pin("hinge", "cart", "bob", at=(0, 0, 0), axis="y")
    s.variable("way", 1)
    s.variable("turns", 0)
    s.input("push", 40.0)
    s.force("motor", "cart", ("push*way*(1 if abs(turns) < 3 else 0.5)", 0, 0))
    set_way = lambda way: {"way": way, "turns": "turns + 1"}
    s.event("right", when="rail.displacement > 0.2", set=set_way(-1), once=False)
    s.event("left", when="rail.displacement < -0.2", set=set_way(1), once=False)
    s.event("stronger", when="t >= 1.2", set={"push": "push + 4"})
    for name, event in more.items():
        s.event(name, **event)
    return s


def test_events_that_set_variables_and_inputs(browser):
    """Oracle: mk.simulate, which locates them by its own loop; the energy that they let in is counted."""
    system = pushed_to_and_fro()
    run = mk.simulate(system, 2.0, **TIGHT)
    assert len(run.events) > 3 and {line.event for line in run.events} == {"right", "left", "stronger"}
    places, velocities, found = disagreement(browser, system, 2.0)
    assert places < AGREED and velocities < 10 * AGREED and found["drift"] < 1e-9


@pytest.mark.parametrize("event", [
    dict(when="hinge.angle > 0.3", stop=True),
    dict(when="turns > 2", stop=True),  # which another event brings about
    dict(when="t < 5", set={"way": -1}, at_start=True),
])  # fmt: skip
def test_events_that_stop_or_happen_at_the_start(browser, event):
    """Oracle: the time at which mk.simulate ends, and where all is by then."""
    system = pushed_to_and_fro(last=event)
    run = mk.simulate(system, 1.5, **TIGHT)
    there, found = played(browser, system, [1.5])
    expected = [run.numbers(f"{body}.position")[-1] for body in system.bodies]
    assert found["t"] == pytest.approx(run.t[-1], abs=1e-10) and (run.t[-1] < 1.5) == event.get("stop", False)
    assert found["endedBy"] == ("last" if event.get("stop") else "")
    assert abs(there[0, :, :3] - expected).max() < AGREED


@pytest.mark.parametrize("event, problem", [
    (dict(impulse={"cart": (1, 0, 0)}), "it has an impulse"),
    (dict(set={"rail.displacement.rate": 0}), "it sets 'rail.displacement.rate'"),
])  # fmt: skip
def test_other_events_are_refused_by_name(event, problem):
    with pytest.raises(mk.ModelError) as error:
        refuse(pushed_to_and_fro(odd=dict(when="t > 1", **event)))  # release and lock: by the name of the joint
    assert str(error.value).startswith(f"event 'odd': {problem}; an event of a live page sets variables and inputs")


def test_what_an_event_sets_is_no_slider(browser):
    system = pushed_to_and_fro()
    assert fixed_parameters(system, ["push"]) == {"push": "event 'stronger' sets it"}
    with pytest.raises(mk.ModelError, match="'push' cannot vary: event 'stronger' sets it"):
        played(browser, system, [0.1], ["push"], [2.0])


def test_sliders_give_the_motion_of_the_changed_model(browser):
    """Oracle: mk.simulate of the system with these numbers. The start is given by coordinates, which stay."""
    system = gallery.find("double_pendulum").system()
    names, numbers = ["upper.mass", "lower.mass"], [2.5, 0.4]
    times, expected = simulated(system.with_parameters(dict(zip(names, numbers, strict=True))), 1.0)
    there, found = played(browser, system, times, names, numbers)
    assert abs(there - expected).max() < AGREED and found["drift"] < 1e-9


def test_a_length_that_varies_closes_the_loop_anew(browser):
    """Oracle: the loop itself, and the energy balance, which counts what the slider has put in."""
    four = mk.System("four-bar", parameters={"l": 0.2})
    crank = four.body("crank", 1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.5))
    rod = four.body("rod", 1.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 1.2))
    rocker = four.body("rocker", 1.0, inertia=(0.1, 0.1, 0.1), position=(2, 0, 0.7))
    four.pin("A", four.ground, crank, at=(0, 0, 0), axis="y", rate=1.0)
    four.pin("B", crank, rod, at=(0, 0, 1), axis="y")
    four.pin("C", rod, rocker, at=(2, 0, 1.4), axis="y")
    four.pin("D", four.ground, rocker, on_a=(mk.Param("x", 2.0), 0, 0), on_b=(0, 0, -0.7), axis_a="y", axis_b="y")
    there, found = played(browser, four, [0.2, 0.4], ["x"], [2.2])
    pivot = there[:, 2, :3] + there[:, 2, 3:12].reshape(-1, 3, 3) @ [0, 0, -0.7]
    assert abs(pivot - [2.2, 0, 0]).max() < 1e-12 and found["residual"] < 1e-12 and found["drift"] < 1e-9
