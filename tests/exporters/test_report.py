"""The report of a run with contact laws. Oracles: the run's own table of events and channels."""

import numpy as np
import pytest

import mekane as mk


@pytest.fixture(scope="module")
def run():
    s = mk.System("thrown box")
    box = s.body("box", mass=1, shape=mk.Box(0.2, 0.2, 0.1), position=(0, 0, 0.3), velocity=(1, 0, 0))
    s.contact("floor", box, (s.ground, mk.Plane()), friction=0.3, restitution=0.5)
    return mk.simulate(s, 1.0)


def section(run, title):
    """Lines below a heading."""
    text = run.report().split(f"* {title} *\n")
    assert len(text) == 2, title
    return text[1].split("\n\n")[0].splitlines()


def test_it_lists_contact_laws(run):
    assert "number of contact laws   1" in run.report()
    lines = section(run, "Contact law 1: floor")
    assert lines[0].split() == ["contact", "box,", "ground"]
    assert ["friction", "0.3"] in [line.split() for line in lines] and lines[-1].endswith("floor.8")


def test_it_lists_events(run):
    assert section(run, "Events") == repr(run.events).splitlines()


def test_it_lists_forces_losses_and_heat(run):
    """Printed to seven digits."""
    lines = [line.split() for line in section(run, "Contact laws")]
    found = {line[0]: list(map(float, line[1:])) for line in lines[1:-1]}
    assert list(found) == run.system.contact_laws["floor"].ids(run.system)
    for element, (force, t, lost) in found.items():
        values = np.abs(run[f"{element}.force"].values)
        assert force == pytest.approx(values.max(), rel=1e-6) and values[run.t.searchsorted(t - 1e-6)] == values.max()
        assert lost == pytest.approx(sum(line.losses.get(element, 0.0) for line in run.events), rel=1e-6)
    assert float(lines[-1][-1]) == pytest.approx(float(run["floor.heat"][-1]), rel=1e-6)
    assert sum(lost for _, _, lost in found.values()) > 0.1


def test_without_contacts_and_events_nothing_is_listed():
    s = mk.System("pendulum")
    arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=2.0)
    text = mk.simulate(s, 0.1).report()
    assert "Events" not in text and "ontact law" not in text and "\n\n\n" not in text
