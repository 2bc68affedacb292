"""Impulses of contacts at one instant.  (N.8)–(N.12)"""

import numpy as np

from mekane.errors import SimulationError
from mekane.solvers.contacts.complementarity import Block, solve_cones
from mekane.solvers.contacts.impact_path import impact_of_one
from mekane.solvers.contacts.impact_with_bearings import impact_with_bearings
from mekane.solvers.contacts.local import STILL

ROUNDS = 1000  # of impacts one after the other
ACCURATE = 1e-9  # relative residual beyond which a warning is due
APART = 1e-12  # of D, relative: two contacts do not feel each other
SLIDES_ON = 10.0  # times the velocities with which gaps close: such sliding outlasts the impact
GAIN = 1e-10  # relative: energy beyond round-off
REMEDIES = (
    "give what is hit together the same restitution, or say impacts='sequential'",
    "use law='poisson' or law='stronge'",
)


class Impulses:
    """What an impact found: impulses over the rows of `local`, the losses of each element [J], notes about it."""

    def __init__(self, P, notes=()):
        self.P, self.notes = P, list(notes)


def touching(local):
    """Elements that can take an impulse: those with a normal."""
    return [e for e in local.elements if e.by_normal]


def coupled(local, near, bound):
    """Of these elements those that an impulse of what approaches, or is to stay closed, can reach, through others or not."""
    reached = [e for e in near if local.velocity[e.normal] < -STILL or e.index in bound] or near[:1]
    size = np.sqrt(np.maximum(np.diag(local.D), 1e-300))
    share = np.abs(local.D) / np.outer(size, size)
    while True:
        rows = np.concatenate([e.rows for e in reached])
        more = [e for e in near if e not in reached and share[np.ix_(e.rows, rows)].max() > APART]
        if not more:
            return [e for e in near if e in reached]
        reached += more


def approaching(local):
    return [e for e in touching(local) if local.velocity[e.normal] < -STILL]


def impact(local, order="simultaneous", plastic=False, bound=()):
    """Impulses of all contacts that touch. plastic: without a rebound; bound: indices of elements that may also pull in it."""
    near = coupled(local, touching(local), bound)
    e_of = lambda e: 0.0 if plastic else e.restitution
    laws = {e.law for e in approaching(local)}
    if order == "sequential" and not bound:
        return one_after_the_other(local, near, e_of)
    if len(near) == 1 and laws <= {"poisson", "stronge"} and not bound:
        (e,) = near
        notes = []
        if any(one.load is not None for one in local.elements):
            P = impact_with_bearings(local, e, e_of(e), e.law)
            if P is not None:
                return Impulses(P)
            notes = ["friction of bearings, guides and rolling was left out of an impact whose sliding turns in space"]
        P = np.zeros(len(local.velocity))
        P[e.rows] = impact_of_one(local.D[np.ix_(e.rows, e.rows)], local.velocity[e.rows], rough(e), e_of(e), e.law)
        return Impulses(P, notes)
    if "newton" in laws:
        return newton(local, near, e_of)
    return in_phases(local, near, e_of, bound)


def rough(e):
    return e.friction if len(e.tangents) else 0.0


def one_after_the_other(local, near, e_of):
    """The fastest approaching contact alone, by its path, until nothing approaches."""
    v, P = local.velocity.copy(), np.zeros(len(local.velocity))
    for _ in range(ROUNDS):
        e = min(near, key=lambda e: v[e.normal])
        if v[e.normal] >= -STILL:
            return Impulses(P)
        law = e.law if e.law in ("poisson", "stronge") else "poisson"
        one = impact_of_one(local.D[np.ix_(e.rows, e.rows)], v[e.rows], rough(e), e_of(e), law)
        P[e.rows] += one
        v = v + local.D[:, e.rows] @ one
    names = ", ".join(repr(e.name) for e in near)
    raise SimulationError(f"impacts one after the other do not come to an end: {names}. Say impacts='simultaneous'.")


def newton(local, near, e_of):
    """γ_N⁺ ≥ −e γ_N⁻"""
    g = local.velocity.copy()
    for e in near:
        g[e.normal] *= 1.0 + e_of(e)
    P, left = solve_cones(local.D, g, blocks(near), local.spaces)
    return Impulses(P, residual_notes(left))


def in_phases(local, near, e_of, bound):
    """Poisson's law in two phases: compression, then expansion with at least e times its impulses.  (N.11)"""
    notes = []
    if any(e.load is not None for e in local.elements):
        notes.append("friction of bearings, guides and rolling was left out of an impact of several contacts")
    if any(e.law == "stronge" for e in approaching(local)) and len(near) > 1:
        notes.append("Stronge's law is defined for one contact at a time; several met: Poisson's in phases")
    floors = [-np.inf if e.index in bound else 0.0 for e in near]
    P, left = solve_cones(local.D, local.velocity, blocks(near, floors), local.spaces)
    directions = [kept_sliding(local, e) if e.index in bound else None for e in near]
    if any(direction is not None for direction in directions):
        sliding, left = solve_cones(local.D, local.velocity, blocks(near, floors, directions), local.spaces)
        P = without_gain(local, P, sliding)
    if any(e_of(e) > 0.0 for e in near):
        floors = [e_of(e) * max(P[e.normal], 0.0) for e in near]
        more, again = solve_cones(local.D, local.velocity + local.D @ P, blocks(near, floors), local.spaces)
        P, left = P + more, max(left, again)
    return Impulses(P, notes + residual_notes(left))


def blocks(near, floors=None, directions=None):
    floors = [0.0] * len(near) if floors is None else floors
    directions = [None] * len(near) if directions is None else directions
    return [
        Block(e.rows, True, rough(e), floor, direction)
        for e, floor, direction in zip(near, floors, directions, strict=True)
    ]


def kept_sliding(local, e):
    """Direction in which an element that is to stay closed slides all the time; None: it may stop. Its friction is μ times its
    impulse even where that pulls: pressing that takes the place of bounces rubs too much by as much."""
    speed = float(np.linalg.norm(local.velocity[e.tangents]))
    approach = max(abs(float(local.velocity[one.normal])) for one in touching(local))
    return local.velocity[e.tangents] / speed if len(e.tangents) and speed > SLIDES_ON * approach else None


def without_gain(local, P, sliding):
    """The impulses on the way from P to `sliding`, as far as they do not create energy: its change is a square of the share."""
    way = sliding - P
    a, b = -0.5 * float(way @ local.D @ way), -float((local.velocity + local.D @ P) @ way)
    c = max(sum(losses(local, P).values()), 0.0)
    if a + b + c >= 0.0:
        return sliding
    return P + 2.0 * c / (-b + np.sqrt(b * b - 4.0 * a * c)) * way


def residual_notes(left):
    return [f"the impulses of an impact are known to {left:.1e} of the velocities only"] if left > ACCURATE else []


def losses(local, P):
    """Energy that each element takes out: −½ (γ⁻ + γ⁺)·P.  (N.16)"""
    after = local.velocity + local.D @ P
    return {e.index: -0.5 * float((local.velocity + after)[e.rows] @ P[e.rows]) for e in local.elements}


def refuse_gain(local, P, kinetic):
    """A law of restitution must not create energy.  (N.12)"""
    lost = sum(losses(local, P).values())
    if lost < -GAIN * kinetic - 1e-300:
        hit = [e for e in touching(local) if np.abs(P[e.rows]).max() > 0.0]
        names, law = ", ".join(repr(e.name) for e in hit), hit[0].law
        raise SimulationError(
            f"{names}: restitution by the law {law!r} would multiply the kinetic energy by {1.0 - lost / kinetic:.12g}; "
            + REMEDIES[law == "newton"]
        )
