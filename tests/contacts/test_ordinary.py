"""The compiled choice of modes and of impulses against what they stand for: all combinations of modes tried one by one, and the
conditions that define forces in cones.

Tolerances: 1e-8 is what the laws are met to when modes are chosen (GOOD); forces follow from well-conditioned equations of at most
twelve rows, so that both ways agree to 1e-9; cones are solved to a residual of 1e-13.
"""

import numpy as np
import pytest

from mekane.solvers.contacts import complementarity, modes
from mekane.solvers.contacts.complementarity import Block, Cones, solve_cones
from mekane.solvers.contacts.local import Local, LocalElement
from mekane.tables.columns import OPEN, SLIDING, STICKING

STRENGTH = 0.15  # of the coupling of rows: friction is far from Painlevé's paradox, so that there is one motion


def stiffness(random, m):
    """A positive definite D whose rows do not repeat one another."""
    A = random.normal(size=(m, m))
    return np.eye(m) * random.uniform(0.5, 2.0, m) + STRENGTH * (A @ A.T) / m


def random_local(seed, contacts, tangents):
    """Contacts at rest, sliding or about to leave, pressed or pulled."""
    random = np.random.default_rng(seed)
    rows, elements = 1 + tangents, []
    velocity, acceleration = np.zeros(rows * contacts), random.normal(size=rows * contacts)
    for k in range(contacts):
        along = rows * k + 1 + np.arange(tangents)
        friction = random.uniform(0.1, 0.5)
        acceleration[rows * k], acceleration[along] = random.normal(-1.0, 1.0), 0.3 * acceleration[along]
        if random.random() < 0.3:
            velocity[along] = random.normal(size=tangents)
        if random.random() < 0.1:
            velocity[rows * k] = 0.1
        static = friction * random.choice([1.0, 1.2])
        elements.append(
            LocalElement(
                k, f"c{k}", rows * k, along, np.eye(tangents), friction, static, 0.0, "poisson", 0.0, STICKING, np.zeros(tangents)
            )
        )  # fmt: skip
    return Local(stiffness(random, rows * contacts), velocity, acceleration, elements, np.ones(rows * contacts))


def exchanged(local, banned=()):
    """The motion that exchanging modes leads to; None if it does not."""
    options, _ = modes.options_of(local, banned)
    return modes.taken(local, options) if local.space.exchange() else None


@pytest.mark.parametrize("tangents", [1, 2])
@pytest.mark.parametrize("contacts", [1, 2, 3])
def test_modes_are_those_of_all_combinations(contacts, tangents):
    """Each combination of modes is tried, and of those that satisfy all laws the accelerations are what was chosen."""
    found, kinds = 0, set()
    for seed in range(25):
        local = random_local(seed, contacts, tangents)
        motion = exchanged(local)
        if motion is None:
            continue
        found += 1
        kinds |= {mode for mode, _ in motion.modes}
        one, count = modes.choose_among_all(local, modes.options_of(local)[0])
        assert count >= 1 and np.abs(one.rates - motion.rates).max() < 1e-9
        assert motion.violation < modes.GOOD
        assert np.abs(local.acceleration + local.D @ motion.forces - motion.rates).max() < 1e-12
    assert found > 20  # it is the ordinary case
    assert kinds == {OPEN, SLIDING, STICKING}


def test_what_breaks_away_goes_against_the_force_that_kept_it():
    """A contact that has just reached the edge of its cone must not stick any more. Where all stick is a linear solve here."""
    local = random_local(3, 2, 2)
    local.velocity[:] = 0.0
    local.acceleration[:] = -5.0, 0.0, 0.0, -5.0, 0.4, -0.3
    forces = np.linalg.solve(local.D, -local.acceleration)
    last = local.elements[1]
    last.friction = last.static = np.linalg.norm(forces[4:6]) / forces[3]
    motion = exchanged(local, {(1, STICKING)})
    assert [mode for mode, _ in motion.modes] == [STICKING, SLIDING]
    assert motion.modes[1][1] == pytest.approx(-forces[4:6] / np.linalg.norm(forces[4:6]), abs=1e-12)
    assert motion.forces == pytest.approx(forces, abs=1e-12)


def test_contacts_that_repeat_one_another_share_friction_by_their_loads():
    """Two at one place, one of which is pressed by a weight of its own: scales of friction follow, and stay what they are."""
    local = random_local(1, 2, 2)
    local.velocity[:], local.acceleration[:] = 0.0, np.tile((-2.0, 0.1, 0.0), 2)
    local.D[:] = np.tile(local.D[:3, :3], (2, 2))
    motion = exchanged(local)
    assert [mode for mode, _ in motion.modes] == [STICKING] * 2
    normal, friction = motion.forces[[0, 3]], np.linalg.norm(motion.forces.reshape(2, 3)[:, 1:], axis=1)
    assert friction / normal == pytest.approx([friction.sum() / normal.sum()] * 2, rel=1e-9)


def test_strong_friction_is_looked_through():
    """It couples as strongly as Painlevé's paradox needs: all combinations are to be tried."""
    local = random_local(1, 1, 1)
    assert not modes.options_of(local)[1]
    local.D[:] = [[1.0, 0.95], [0.95, 1.0]]
    local = Local(local.D, local.velocity, local.acceleration, local.elements, local.scale)
    local.elements[0].friction = local.elements[0].static = 1.2
    assert modes.options_of(local)[1]


@pytest.mark.parametrize("floor", [0.0, 0.3])
@pytest.mark.parametrize("tangents", [0, 1, 2])
def test_impulses_are_in_their_cones(tangents, floor, monkeypatch):
    """v = D x + g: every x is the nearest point of its set to x − v, which defines it; the general way gives the same."""
    found = 0
    for seed in range(25):
        random, rows = np.random.default_rng(seed), 1 + tangents
        D, g = stiffness(random, 4 * rows), random.normal(size=4 * rows)
        blocks = [Block(rows * k + np.arange(rows), True, random.uniform(0.1, 0.6), floor) for k in range(4)]
        answer = Cones(D, g, blocks).ordinary()
        if answer is None:
            continue
        found += 1
        x, left = answer
        v = D @ x + g
        for block in blocks:
            target = x[block.rows].copy()
            target[0] = max(floor, target[0] - v[block.rows[0]])
            friction = x[block.rows][1:] - v[block.rows][1:]
            most = block.friction * max(x[block.rows[0]], 0.0)
            size = np.linalg.norm(friction)
            target[1:] = friction * min(1.0, most / size) if size > 0.0 else 0.0
            assert target == pytest.approx(x[block.rows], abs=1e-11)
        with monkeypatch.context() as without:
            without.setattr(complementarity.Cones, "ordinary", lambda self: None)
            general, _ = solve_cones(D, g, blocks)
        assert x == pytest.approx(general, abs=1e-10)
        assert left < 1e-13
    assert found > 20


def test_forces_that_are_not_unique_are_left_to_the_general_way():
    D = np.tile(stiffness(np.random.default_rng(0), 3), (2, 2))
    blocks = [Block(3 * k + np.arange(3), True, 0.3) for k in range(2)]
    assert Cones(D, -np.ones(6), blocks).ordinary() is None
