"""The force of one contact, and of several that friction couples strongly. Oracle: the laws themselves (N.2), checked of what is found;
for two contacts also the one solution that a search from many starts finds.

Tolerance: round-off of sums of a few terms, 1e-12 of the velocities, where friction and normal compliance differ by up to 36.
"""

import numpy as np
import pytest
from scipy.optimize import root

from mekane.numba_backend.kernel import plain
from mekane.solvers.contacts.complementarity import Block, solve_cones
from mekane.solvers.contacts.impact_path import impact_of_one
from mekane.solvers.contacts.one_contact import force_of_one

one = plain(force_of_one)


def compliance(rng, n, tangents=6.0):
    """Random, positive definite; tangential rows up to so much larger: on light legs they are."""
    A, size = rng.normal(size=(n, n)), np.tile([1.0, tangents, tangents], n // 3)
    return (A @ A.T + 0.05 * np.eye(n)) * np.sqrt(np.outer(size, size))


def broken(force, velocity, friction, floor):
    """By how much the laws of one contact are broken: normal force at its least or no velocity along it; friction within its disc,
    at its edge against sliding."""
    size = np.abs(velocity).max() + np.abs(force).max()
    normal = max(0.0, -velocity[0]) if force[0] <= floor + 1e-13 * size else abs(velocity[0])
    carried, most, sliding = np.linalg.norm(force[1:]), friction * max(force[0], 0.0), np.linalg.norm(velocity[1:])
    if carried < most * (1.0 - 1e-9):
        return max(normal, sliding), size
    against = (
        np.linalg.norm(velocity[1:] * carried + force[1:] * sliding) / max(carried, 1e-300) if carried > 0.0 else 0.0
    )
    return max(normal, carried - most, against), size


@pytest.mark.parametrize("seed", range(40))
def test_one_contact_obeys_its_laws(seed):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        W, q = compliance(rng, 3, rng.uniform(0.5, 36.0)), rng.normal(size=3)
        friction, floor = rng.uniform(0.0, 1.5), rng.choice([0.0, rng.uniform(0.0, 1.0)])
        force = np.array(one(W, q, friction, floor))
        off, size = broken(force, W @ force + q, friction, floor)
        assert force[0] >= floor and off <= 1e-11 * size


def test_what_may_pull():
    """Without a least force: the normal velocity vanishes, and what pulls does not rub."""
    W = np.diag([2.0, 1.0, 1.0])
    assert one(W, np.array([3.0, 1.0, 0.0]), 0.5, -np.inf) == (-1.5, 0.0, 0.0)
    assert np.allclose(one(W, np.array([-3.0, 0.1, 0.0]), 0.5, -np.inf), (1.5, -0.1, 0.0), atol=1e-14)


def test_no_compliance():
    """What nothing can move has no force of its own to find."""
    assert one(np.zeros((3, 3)), np.array([-1.0, 0.0, 0.0]), 0.5, 0.0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", range(60))
def test_contacts_that_friction_couples_strongly(seed):
    """Two contacts where forces found in turns, normal and tangential, do not settle."""
    rng = np.random.default_rng(1000 + seed)
    D, g, friction = compliance(rng, 6), rng.normal(size=6), rng.uniform(0.3, 1.2)
    x, left = solve_cones(D, g, [Block(np.arange(3 * k, 3 * k + 3), True, friction) for k in range(2)])
    assert left <= 1e-11
    for k in range(2):
        rows = slice(3 * k, 3 * k + 3)
        off, size = broken(x[rows], (D @ x + g)[rows], friction, 0.0)
        assert off <= 1e-9 * size


def test_the_feet_of_a_walker():
    """An impact that one foot of a walker met, in which friction lifts more than the normal force: alternating between both, forces
    went to and fro. Oracle: the only solution that Newton's method finds from 200 random starts."""
    D = np.array([[0.7051, -0.0203, 1.3761], [-0.0203, 5.4555, 0.0033], [1.3761, 0.0033, 5.0431]])
    g, friction = np.array([-0.1207, 0.0117, -0.8645]), 1.0370173295803735
    block, step = Block(np.arange(3), True, friction), 1.0 / np.linalg.eigvalsh(D)[-1]
    x, left = solve_cones(D, g, [block])
    assert left <= 1e-13
    rng, found = np.random.default_rng(0), []
    for _ in range(200):
        start = 0.4 * rng.normal(size=3)
        start[0] = abs(start[0])
        one = root(lambda z: z - block.nearest(z - step * (D @ z + g)), start, tol=1e-13)
        found += [one.x] if one.success and np.abs(one.fun).max() < 1e-12 else []
    assert found and np.abs(np.array(found) - x).max() < 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_force_of_an_arm_is_that_of_sliding(seed):
    """An arm on a pin stops along normal and tangent at once, and many forces do that. In closed form the one that sliding comes to,
    which is the smallest: n (1 + μ |w|) = u for the way (1, w) of the contact. Once, round-off chose among them: formulations
    rebounded with e = 0.84 and 0.66."""
    rng = np.random.default_rng(seed)
    way, stiffness, u, friction = np.array([1.0, rng.normal(), 0.0]), rng.uniform(0.1, 3.0), rng.uniform(0.1, 2.0), 0.4
    n, x, y = one(stiffness * np.outer(way, way), -u * stiffness * way, friction, 0.0)
    assert n == pytest.approx(u / (1.0 + friction * abs(way[1])), rel=1e-12)
    assert np.allclose([x, y], [friction * n * np.sign(way[1]), 0.0], rtol=0.0, atol=1e-12 * n)


@pytest.mark.parametrize("law", ["poisson", "stronge"])
@pytest.mark.parametrize("seed", range(20))
def test_arm_that_jams_does_not_rebound(seed, law):
    """An arm on a pin has one way to move. Where friction can take the line from contact to pin, an impact stops it there for good:
    in closed form, no velocity is left. With less friction it leaves with e, by Poisson's law, because friction is as the normal
    impulse. Once, round-off decided whether such impacts ended."""
    rng = np.random.default_rng(seed)
    way = np.array([1.0, rng.normal()])  # along the rows, for one radian
    D, v, e, locks = np.outer(way, way) * rng.uniform(0.1, 3.0), -way * rng.uniform(0.1, 2.0), 0.6, 1.0 / abs(way[1])
    P = impact_of_one(D, v, 1.1 * locks, e, law)
    assert np.abs(v + D @ P).max() < 1e-12 * np.abs(v).max()
    assert P[0] > 0.0 and abs(P[1]) <= 1.1 * locks * P[0] * (1.0 + 1e-12)
    if law == "poisson":
        after = v + D @ impact_of_one(D, v, 0.5 * locks, e, law)
        less, more = 1.0 - 0.5, 1.0 + 0.5  # friction against sliding beside normal impulses: going in, and coming out
        assert np.abs(after + e * v * (less / more)).max() < 1e-12 * np.abs(v).max()


@pytest.mark.parametrize("law", ["poisson", "stronge"])
@pytest.mark.parametrize("seed", range(20))
def test_arm_on_a_universal_joint_comes_to_an_end(seed, law):
    """Two ways to move, and friction beyond where both can jam. The laws: no approach is left, no energy is gained, friction stays
    within its cone."""
    rng = np.random.default_rng(seed)
    ways = np.array([[*rng.normal(size=2)], [rng.uniform(1.0, 2.0), 0.3], [0.3, rng.uniform(1.0, 2.0)]])
    D, v = ways @ ways.T, ways @ rng.normal(size=2)
    v *= -np.sign(v[0])
    friction = 1.5 * np.linalg.norm(np.linalg.solve(D[1:, 1:], D[1:, 0]))
    P = impact_of_one(D, v, friction, 0.5, law)
    after, size = v + D @ P, np.abs(v).max()
    assert after[0] > -1e-9 * size
    assert (v + after) @ P < 1e-9 * size * np.abs(P).max()
    assert np.linalg.norm(P[1:]) <= friction * P[0] * (1.0 + 1e-9)
