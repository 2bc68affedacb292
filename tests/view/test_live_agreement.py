"""A mechanism that integrates itself in a browser agrees with mk.simulate, for all of the gallery that a live page can
have. Oracle: mk.simulate, another program for everything but the coefficients of the method.

Tolerance 1e-9 of the size of what moves, over the first two seconds: both run at a tolerance of 1e-12 for each step, and
errors of these motions grow less than a thousandfold in that time. Loops: what one Newton step still sees is round-off.
"""

import pytest
import systems
from browser import CHROMIUM, Browser
from live_pages import disagreement, played, simulated

import mekane as mk
from mekane import gallery
from mekane.symbolic.live import refuse

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
SECONDS, AGREED = 2.0, 1e-9
SYSTEMS = {m.name: m.system() for m in gallery.mechanisms()}
# of a live page: mechanisms without contact laws, events and controllers
LIVE = [name for name, s in SYSTEMS.items() if not (s.contact_laws or s.events or s.controllers)]
# trees, loops that hold to round-off, singular positions, rolling, measured joints in loops, tables and comparisons
CHOSEN = ["double_pendulum", "four_bar", "slider_crank_planar", "rolling_disc_1", "hanging_chain", "robot", "heavy_top"]


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


@pytest.mark.parametrize("name", [name for name in gallery.names() if name not in LIVE])
def test_what_cannot_be_live_is_refused_by_name(name):
    system = SYSTEMS[name]
    part = next(iter([*system.contact_laws.values(), *system.events.values(), *system.controllers.values()])).part
    with pytest.raises(mk.ModelError) as error:
        refuse(system)
    assert str(error.value).startswith(part)


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
