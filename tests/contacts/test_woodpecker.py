"""The woodpecker toy of Pfeiffer and Glocker: a sleeve on a pole, a bird on a spring on it, three contacts with friction. Data and
linear kinematics as in Glocker and Studer (Multibody System Dynamics 13, 2005).

Coordinates y, φ_M and φ_S are sliders here, whose masses are the inertias; a beak and a ring of 10 mg carry the contact points.
Oracle: Moreau's midpoint rule on the three equations, written out below, with Newton's law of restitution. It is of order one: of the three
instants compared it was off by at most 2.0e-3 rad at steps of 0.1 ms, and 2.8e-4 rad at 0.02 ms;
the sleeve tilts at some 25 rad/s where it is hit,
and impacts are late by up to a step. So 30 rad/s times the step is required.
"""

import numpy as np
import pytest

import mekane as mk

M_SLEEVE, J_SLEEVE, M_BIRD, J_BIRD, EXTRA = 0.0003, 5e-9, 0.0045, 7e-7, 1e-5
R_POLE, R_SLEEVE, H_SLEEVE, L_SLEEVE, H_BIRD, L_BEAK, L_BIRD = 0.0025, 0.0031, 0.0058, 0.010, 0.02, 0.0201, 0.015
STIFFNESS, G, FRICTION = 0.0056, 9.81, 0.3
START, RATES = np.array([0.0, -0.10344, -0.2788]), np.array([-0.3411, 0.0, -7.4583])
# velocities along the pole of sleeve, bird, beak and ring, over the rates
SLEEVE, BIRD = np.array([1.0, 0.0, 0.0]), np.array([1.0, L_SLEEVE, L_BIRD])
BEAK, RING = np.array([1.0, L_SLEEVE, L_BIRD - L_BEAK]), np.array([1.0, R_SLEEVE, 0.0])
PLAY, TO_POLE = R_SLEEVE - R_POLE, L_SLEEVE + L_BIRD - L_BEAK - R_POLE


def woodpecker():
    s = mk.System("woodpecker", gravity=(0, 0, 0), planar="xz")

    def rail(name, parent, mass, axis, x, rate):
        along = np.array((1.0, 0, 0) if axis == "x" else (0, 0, 1.0))
        origin = np.zeros(3) if parent == "ground" else np.array(s.bodies[parent].position)
        s.body(name, mass=mass, inertia=1e-9, position=tuple(origin + x * along))
        s.slider(f"{name}_rail", parent, name, on_a=(0, 0, 0), on_b=(0, 0, 0), axis_a=axis, axis_b=axis, rate=rate)

    rail("tilt", "ground", J_SLEEVE / H_SLEEVE**2, "x", H_SLEEVE * START[1], H_SLEEVE * RATES[1])
    rail("nod", "ground", J_BIRD / H_BIRD**2, "x", -H_BIRD * START[2], -H_BIRD * RATES[2])
    rows = dict(
        sleeve=(SLEEVE, M_SLEEVE, "ground"),
        bird=(BIRD, M_BIRD, "ground"),
        beak=(BEAK, EXTRA, "nod"),
        ring=(RING, EXTRA, "tilt"),
    )
    for name, (row, mass, parent) in rows.items():
        rail(name, parent, mass, "z", float(row @ START), float(row @ RATES))
        if name != "sleeve":
            tilt, nod = float(row[1] / H_SLEEVE), float(row[2] / H_BIRD)
            to = f"sleeve_rail.displacement + {tilt}*tilt_rail.displacement - {nod}*nod_rail.displacement"
            s.coupler(f"{name}_goes_with", f"{name}_rail", to=to)
    twist = f"(tilt_rail.displacement/{H_SLEEVE} + nod_rail.displacement/{H_BIRD})"
    s.force("spring_on_sleeve", "tilt", (f"-{STIFFNESS / H_SLEEVE}*{twist}", 0, 0))
    s.force("spring_on_bird", "nod", (f"-{STIFFNESS / H_BIRD}*{twist}", 0, 0))
    for name, mass in (("sleeve", M_SLEEVE), ("bird", M_BIRD)):
        s.force(f"weight_of_{name}", name, (0, 0, -mass * G))
    wall = lambda x, side: (s.ground, mk.Plane(at=(x, 0, 0), normal=(side, 0, 0)))
    s.contact("peck", ("beak", (0, 0, 0)), wall(-TO_POLE, 1), friction=FRICTION, restitution=0.5, law="newton")
    s.contact("low", ("ring", (0, 0, 0)), wall(-PLAY, 1), friction=FRICTION, law="newton")
    s.contact("high", ("ring", (0, 0, 0)), wall(PLAY, -1), friction=FRICTION, law="newton")
    return s


def stepped(times, h):
    """(y, φ_M, φ_S) at these times."""
    M = sum(
        mass * np.outer(row, row) for row, mass in ((SLEEVE, M_SLEEVE), (BIRD, M_BIRD), (BEAK, EXTRA), (RING, EXTRA))
    )
    M += np.diag([0.0, J_SLEEVE + EXTRA * H_SLEEVE**2, J_BIRD + EXTRA * H_BIRD**2])
    inverse, q, u, e = np.linalg.inv(M), START.copy(), RATES.copy(), (0.5, 0.0, 0.0)
    normals = np.array([[0, 0, -H_BIRD], [0, H_SLEEVE, 0], [0, -H_SLEEVE, 0]])
    tangents, weights = np.array([BEAK, RING, RING]), -G * (M_SLEEVE * SLEEVE + M_BIRD * BIRD)
    found, wanted = [], {round(t / h) for t in times}
    for n in range(1, max(wanted) + 1):
        q, before, P = q + 0.5 * h * u, u, np.zeros((3, 2))
        twist = STIFFNESS * (q[1] - q[2])
        u = u + h * inverse @ (weights + np.array([0, -twist, twist]))
        gaps = np.array([TO_POLE, PLAY, PLAY]) + normals @ q
        for _ in range(400 if gaps.min() <= 0.0 else 0):
            start = P.copy()
            for i in np.flatnonzero(gaps <= 0.0):
                for c, row in enumerate((normals[i], tangents[i])):
                    rate = row @ u + (e[i] * row @ before if c == 0 else 0.0)
                    p, most = P[i, c] - rate / (row @ inverse @ row), FRICTION * P[i, 0]
                    p = max(p, 0.0) if c == 0 else min(max(p, -most), most)
                    u, P[i, c] = u + inverse @ row * (p - P[i, c]), p
            if np.abs(P - start).max() < 1e-11:
                break
        q = q + 0.5 * h * u
        if n in wanted:
            found.append(q)
    return np.array(found)


def test_the_way_to_the_first_peck_and_back(h=1e-4):
    times = (0.05, 0.079, 0.1)
    run = mk.simulate(woodpecker(), 0.1, every=[0.0, *times])
    found = np.array([run[f"{name}_rail.displacement"].values[1:] for name in ("sleeve", "tilt", "nod")]).T
    error = np.abs(found / np.array([1.0, H_SLEEVE, -H_BIRD]) - stepped(times, h))
    assert error[:, 1:].max() < 30 * h and error[:, 0].max() < 0.5 * h and run.health.ok


def test_it_pecks_in_a_limit_cycle():
    """Pecks are 0.1451 to 0.1452 s apart, ever more evenly: every other one from either side."""
    pecks = np.diff([line.time for line in mk.simulate(woodpecker(), 1.0).events if line.event == "peck"])
    assert np.all(np.abs(np.diff(pecks))[1:] < 0.9 * np.abs(np.diff(pecks))[:-1])
    assert pecks[-1] == pytest.approx(0.14515, abs=1e-4)
