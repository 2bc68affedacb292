"""A slider-crank that coasts: friction in its three pins and at its piston, each as large as what the joint carries.

A journal of radius r with the coefficient μ takes up to μ r ‖R‖, a guide μ |N|, where R and N are reactions of the very
motion that friction slows down. With one degree of freedom they follow from the balance of three bodies, linear but for
the sizes ‖R‖ and |N|: a few repetitions find them. The sliding of the piston turns round at θ = 0, π, …, that of the small
end, where the rod swings, at π/2, 3π/2, …; the other two never do. Between these angles all senses are known, and ω²/2 as a function of
the crank's angle grows by the angular acceleration.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.model.geometry.shapes import Box, Cylinder, Rod
from mekane.model.system import System

SOURCE = "balance of the three bodies by hand, reactions found with their friction; over each quarter turn by DOP853 to 1e-13"
CRANK, ROD = 0.05, 0.15  # [m]
WHEEL, BAR, PISTON = 2.0, 0.5, 0.4  # [kg]
SPIN = 2e-3  # inertia of crank and flywheel about the shaft [kg m²]
JOURNALS, MU = (0.015, 0.012, 0.008), 0.1  # radii of main bearing, big end and small end [m]
WALL = 0.15  # coefficient of friction of the piston
RATE, G = 40.0, 9.81  # at the start [rad/s], dead centre ahead
QUARTERS = (  # instant [s] and rate [rad/s] at the end of each quarter turn, as `quarters` finds them
    (0.050519756302050696, 27.639642784899806),
    (0.09929858325065974, 36.357613403003924),
    (0.14843817350520877, 26.859750961019593),
    (0.20467438622444664, 31.158514447454476),
    (0.2709334328725734, 20.67538167646559),
    (0.33614031992762344, 27.555307837076327),
    (0.40032515725263534, 20.526872792769172),
    (0.47597498467560506, 22.253347681652883),
)


def system():
    s = System("slider-crank with friction", gravity=(0, 0, -G))
    pin, wrist = np.array([CRANK, 0, 0]), np.array([CRANK + ROD, 0, 0])
    crank = s.body("crank", WHEEL, (SPIN / 2, SPIN, SPIN / 2), shape=Cylinder(0.08, 0.01, axis="y"))
    rod = s.body("rod", BAR, shape=Rod(ROD, axis="x"), position=(pin + wrist) / 2)
    piston = s.body("piston", PISTON, shape=Box(0.05, 0.04, 0.04), position=wrist)
    s.pin("main", s.ground, crank, at=(0, 0, 0), axis="-y", rate=RATE)
    s.pin("big end", crank, rod, at=pin, axis="-y")
    s.pin("small end", rod, piston, at=wrist, axis="-y")
    s.slider("bore", s.ground, piston, at=wrist, axis="x")
    for joint, radius in zip(("main", "big end", "small end"), JOURNALS, strict=True):
        s.bearing_friction(f"{joint} journal", joint, friction=MU, radius=radius)
    s.guide_friction("wall", "bore", friction=WALL)
    return s


# ---------------------------------------------------------------- by hand


def kinematics(angle, rate):
    """Velocities per rate of the crank of rod angle, rod middle (x, z) and piston, and accelerations without θ̈."""
    s, c = np.sin(angle), np.cos(angle)
    sb = -CRANK / ROD * s  # sine of the rod's angle
    cb = np.sqrt(1 - sb * sb)
    turn = -CRANK * c / (ROD * cb)
    bend = (CRANK * s / ROD + sb * turn**2) / cb
    per_rate = np.array(
        [turn, -CRANK * s - ROD / 2 * sb * turn, CRANK * c + ROD / 2 * cb * turn, -CRANK * s - ROD * sb * turn]
    )
    rest = np.array([
        bend,
        -CRANK * c - ROD / 2 * (cb * turn**2 + sb * bend),
        -CRANK * s + ROD / 2 * (cb * bend - sb * turn**2),
        -CRANK * c - ROD * (cb * turn**2 + sb * bend),
    ])  # fmt: skip
    return (s, c, sb, cb), per_rate, rest * rate**2


def balance(angle, rate, rubs):
    """θ̈ and the forces (big end on the rod, small end on the piston, wall), with given friction: torques against the crank's
    rate, on the rod at its ends, force on the piston."""
    (s, c, sb, cb), v, a0 = kinematics(angle, rate)
    main, big, small, wall = rubs
    gyration, h = BAR * ROD**2 / 12, ROD / 2
    # unknowns: θ̈, Bx, Bz, Sx, Sz, N
    A = np.array([
        [SPIN, -CRANK * s, CRANK * c, 0, 0, 0],
        [BAR * v[1], -1, 0, 1, 0, 0],
        [BAR * v[2], 0, -1, 0, 1, 0],
        [gyration * v[0], -h * sb, h * cb, -h * sb, h * cb, 0],
        [PISTON * v[3], 0, 0, -1, 0, 0],
        [0, 0, 0, 0, -1, -1],
    ])  # fmt: skip
    b = np.array([
        main - big,
        -BAR * a0[1],
        -BAR * (a0[2] + G),
        big + small - gyration * a0[0],
        wall - PISTON * a0[3],
        -PISTON * G,
    ])  # fmt: skip
    return np.linalg.solve(A, b)


def sizes(forces):
    """What the friction of main bearing, big end, small end and wall may reach."""
    _, Bx, Bz, Sx, Sz, N = forces
    main = np.hypot(Bx, Bz + WHEEL * G)
    loads = np.array([main, np.hypot(Bx, Bz), np.hypot(Sx, Sz)])
    return np.array([*(MU * np.array(JOURNALS) * loads), WALL * abs(N)])


def acceleration(angle, rate, senses):
    """θ̈ of a crank that turns on, with the senses of the four slidings; friction changes what it depends on by a
    hundredth, so thirty repetitions leave nothing."""
    rubs = np.zeros(4)
    for _ in range(30):
        rubs = -senses * sizes(balance(angle, rate, rubs))
    return balance(angle, rate, rubs)


def senses_in(quarter):
    """Signs of the rates of main bearing, big end (of the rod against the crank), small end (of the rod) and piston, in a
    quarter turn."""
    middle = (quarter + 0.5) * np.pi / 2
    _, v, _ = kinematics(middle, 1.0)
    return np.array([1.0, -1.0, np.sign(v[0]), np.sign(v[3])])


def quarters(n):
    """Instants and rates at the ends of the first n quarter turns."""
    from scipy.integrate import solve_ivp

    t, rate, found = 0.0, RATE, []
    for quarter in range(n):
        senses = senses_in(quarter)

        def equations(angle, y, senses=senses):
            rate = np.sqrt(2 * y[0])
            return [acceleration(angle, rate, senses)[0], 1 / rate]

        span = (quarter * np.pi / 2, (quarter + 1) * np.pi / 2)
        y = solve_ivp(equations, span, [rate**2 / 2, t], "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
        rate, t = float(np.sqrt(2 * y[0])), float(y[1])
        found.append((t, rate))
    return np.array(found)


WHY = "the balance by hand, to 1e-13; a tolerance of 1e-12 and rates up to 40 rad/s"
mechanisms = [
    Mechanism(
        name="slider_crank_with_friction",
        title="slider-crank that coasts, with friction in its three pins and at its piston",
        source=SOURCE,
        system=system,
        t_end=QUARTERS[-1][0],
        every=0.01,
        options={"rtol": 1e-12, "atol": 1e-14},
        checks=(
            *(
                Check(f"angle after {n} quarter turns", t, "main.angle", n * np.pi / 2, 1e-10, why=WHY)
                for n, (t, _) in enumerate(QUARTERS, 1)
            ),
            *(
                Check(f"rate after {n} quarter turns", t, "main.angle.rate", rate, 1e-9, why=WHY)
                for n, (t, rate) in enumerate(QUARTERS, 1)
            ),
        ),
    )
]
