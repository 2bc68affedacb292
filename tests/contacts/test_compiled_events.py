"""Events of contact laws in compiled code, against the same in Python: two ways to the same modes, written independently.

Tolerances are round-off: both solve the same small problems, in which sums may be taken in another order.
"""

import json

import numpy as np
import pytest

import mekane as mk
from mekane.analyses.simulate import initial_solver
from mekane.solvers.contacts.contact_state import ContactState
from mekane.solvers.contacts.events.event_calls import EventCalls
from mekane.solvers.hybrid.event_actions import stored_energy


def thrown_box():
    """It lands on an edge, slides, rocks and comes to rest on four corners."""
    s = mk.System()
    place = dict(position=(0, 0, 0.2), orientation=("y", 0.4), velocity=(1.0, 0.2, 0.0))
    box = s.body("box", mass=2.0, shape=mk.Box(0.3, 0.2, 0.1), **place)
    s.contact("floor", box, (s.ground, mk.Plane()), friction=0.4, restitution=0.2)
    return s


def driven_balls():
    """Two balls on a rough floor, pushed by a force that switches with time: a law of time, whose comparison no guard watches."""
    s = mk.System()
    for k, x in enumerate((0.0, 1.0)):
        ball = s.body(f"ball {k}", mass=1.0, shape=mk.Sphere(0.1), position=(x, 0, 0.1 + 0.05 * k))
        s.contact(f"floor {k}", ball, (s.ground, mk.Plane()), friction=0.3)
        s.force(f"push {k}", ball, ("8*max(0, sin(9*t))", 0, 0))
    return s


def walker():
    """Two legs with driven joints and rotors below a trunk: one foot lands while the other stands, and joints have impulses."""
    s = mk.System()
    trunk = s.body("trunk", mass=4.0, inertia=(0.05, 0.08, 0.06), position=(0, 0, 0.33))
    for k, y in enumerate((-0.1, 0.1)):
        leg = s.body(f"leg {k}", mass=0.8, inertia=(4e-3, 4e-3, 1e-3), com=(0, 0, -0.1), position=(0, y, 0.33))
        s.pin(f"hip {k}", trunk, leg, on_a=(0, y, 0), on_b=(0, 0, 0), axis_a="y", axis_b="y")
        s.pd(f"drive {k}", f"hip {k}", target=f"0.3*sin(9*t + {k})", stiffness=30.0, damping=1.0)
        s.rotor(f"rotor {k}", f"hip {k}", 0.004)
        s.contact(f"foot {k}", (leg, mk.Sphere(0.02, at=(0, 0, -0.3))), (s.ground, mk.Plane()), friction=0.6)
    return s


def bouncing_tray():
    """It bounces on three feet with a law of restitution, until the bounces are closed."""
    s = mk.System()
    tray = s.body("tray", mass=1.0, inertia=(0.01, 0.012, 0.02), position=(0, 0, 0.12), orientation=("x", 0.02))
    for k, at in enumerate(((0.1, 0, 0), (-0.1, 0.1, 0), (-0.1, -0.1, 0))):
        s.contact(f"foot {k}", (tray, at), (s.ground, mk.Plane()), friction=0.2, restitution=0.3 + 0.1 * k)
    return s


def numbers_in(value):
    if isinstance(value, dict):
        return [number for key in sorted(value) for number in numbers_in(value[key])]
    return [number for one in value for number in numbers_in(one)] if isinstance(value, list) else [value]


@pytest.mark.parametrize("model", [thrown_box, driven_balls, walker, bouncing_tray])
def test_compiled_events_are_those_of_python(model, monkeypatch):
    """Every number of an event. Of the box up to where its four corners hit at one instant (0.2426 s): from there
    round-off decides which bounces first, and bounces below 1e-12 m have no instants of their own."""
    options = dict(every=0.05, rtol=1e-8, atol=1e-10)
    found, usual = [], EventCalls.rounds
    monkeypatch.setattr(EventCalls, "rounds", lambda calls: found.append(usual(calls)) or found[-1])
    compiled = mk.simulate(model(), 1.0, **options)
    assert sum(moved is not None for _, moved in found) >= 2  # the compiled way was taken
    assert model is driven_balls or sum(hits for hits, _ in found) >= 1
    monkeypatch.setattr(ContactState, "is_ordinary", False)
    python = mk.simulate(model(), 1.0, **options)
    until = 0.2425 if model is thrown_box else 1.0
    pairs = list(
        zip(*([line for line in run.info["events"] if line["time"] < until] for run in (compiled, python)), strict=True)
    )
    assert len(pairs) >= 2
    for ours, theirs in pairs:
        for what in ("event", "kind", "changes"):
            assert ours[what] == theirs[what]
        for what in ("time", "rest", "kinetic_energy", "energy", "impulses", "contact_impulses", "losses"):
            numbers = numbers_in(ours.get(what, [])), numbers_in(theirs.get(what, []))
            assert numbers[0] == pytest.approx(numbers[1], rel=1e-8, abs=1e-11 if what == "time" else 1e-9)
        assert list(ours["impulses"]) == list(theirs["impulses"])
    apart = np.abs(compiled.record.y - python.record.y).max(axis=1)
    assert apart[compiled.t <= until].max() < 1e-10
    if model is thrown_box:
        assert apart.max() < 1e-6  # of some 1e-4 m/s times the friction of bounces that are made in another order
    else:
        assert compiled.info["contacts"] == python.info["contacts"]


def test_a_solver_that_is_given_another_array_goes_on_from_that():
    """Compiled code knows arrays by their addresses. Oracle: the same numbers written into the array that was there, bit for
    bit."""
    ends = []
    for replaced in (False, True):
        solver, _ = initial_solver(thrown_box(), rtol=1e-8, atol=1e-10)
        solver.run(0.3, np.array([0.3]))
        higher = solver.y + np.where(np.arange(len(solver.y)) == 2, 0.01, 0.0)
        if replaced:
            solver.y = higher
        else:
            solver.y[:] = higher
        record = solver.run(0.9, np.array([0.9]))[0]
        ends.append(record.y[-1])
    np.testing.assert_array_equal(*ends)


def test_modes_that_ended_later_do_not_count_where_a_solver_went_back():
    """They stay out at their own instant alone, neither after it nor before it."""
    contacts = initial_solver(thrown_box())[0].phases.contacts
    for then, kept in ((0.0, True), (1.0, False), (-1.0, False)):  # the solver is at t = 0
        contacts.ended = then, {(0, 2)}
        assert bool(contacts.banned(())) == kept


def test_copies_know_the_modes_that_ended_at_this_instant():
    contacts = initial_solver(thrown_box())[0].phases.contacts
    contacts.ended = 0.5, {(0, 2), (1, 1)}
    text = json.dumps(contacts.kept())  # as a checkpoint has it
    contacts.ended = -np.inf, set()
    contacts.restore(json.loads(text))
    assert contacts.ended == (0.5, {(0, 2), (1, 1)})


def test_loose_tolerances_with_contact_laws_take_fewer_stages():
    """`auto` takes dopri5 there: its run is that of dopri5; with tight tolerances it is that of dop853."""
    for rtol, method in ((1e-4, "dopri5"), (1e-6, "dop853")):
        auto, named = (mk.simulate(driven_balls(), 0.5, every=0.1, rtol=rtol, method=one) for one in ("auto", method))
        assert auto.info["evaluations"] == named.info["evaluations"]
        np.testing.assert_array_equal(auto.record.y, named.record.y)


@pytest.mark.parametrize("formulation", ("joint", "absolute"))
def test_closing_a_gap_is_in_the_ledger(formulation):
    """Two links on a spring whose tip is 1 µm above the floor. Oracle: kinetic and potential energies by Kane's own quantities at both
    states; in joint coordinates the kinetic one depends on positions. 1e-13 of the energies beside 1e-5 J that closing changes."""
    s = mk.System("links")
    for k, (parent, rate) in enumerate(((s.ground, 8.0), ("link 0", -20.0))):
        s.body(f"link {k}", mass=1.0, inertia=(0.01, 0.02, 0.01), position=(0.3 * k + 0.15, 0, 0.5))
        s.pin(f"joint {k}", parent, f"link {k}", at=(0.3 * k, 0, 0.5), axis="y", rate=rate)
    s.spring("spring", (s.ground, (0.3, 0, 2.0)), "link 1", stiffness=1e3, length=0.5)
    s.contact("floor", ("link 1", (0.15, 0, 0)), (s.ground, mk.Plane(at=(0, 0, 0.5))))
    solver, _ = initial_solver(s, formulation=formulation)
    contacts, n_q = solver.phases.contacts, solver.compiled.n_q
    velocities = solver.y[n_q:].copy()
    higher = mk.assemble(s, {"joint 0.angle": -1e-6 / 0.6}).system
    solver.y[:n_q] = initial_solver(higher, formulation=formulation)[0].y[:n_q]
    total = lambda: sum(contacts.state.energies()) + stored_energy(solver)
    before, contacts.lifted = total(), 0.0
    contacts.close_gaps([(0, 0)], [0])
    assert (solver.y[n_q:] == velocities).all()
    assert contacts.state.gap(0) == pytest.approx(0.0, abs=1e-12)
    assert abs(contacts.lifted) > 1e-6
    assert contacts.lifted == pytest.approx(total() - before, abs=1e-12)
