"""Crank and rocker whose crank is driven unevenly all the way round: the torque of the drive is what inverse dynamics
says."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks_of
from mekane.model.system import System

SOURCE = "virtual power on the linkage's kinematics in closed form"
CRANK, COUPLER, ROCKER, BASE = 0.13, 0.34, 0.29, 0.4  # shortest + longest < the other two: the crank turns round [m]
DENSITY, G = 12.0, 9.81  # mass per length of a link [kg/m]; gravity is along −y
SPEED, SWING, PACE = 4.0, 0.3, 5.0  # crank angle: SPEED t + SWING sin(PACE t)
DRIVE = f"{SPEED}*t + {SWING}*sin({PACE}*t)"


def system():
    s = System("driven four-bar", gravity=(0, -G, 0))
    theta, rates, _ = angles(np.zeros(1))
    ends = {
        "crank": (np.zeros(2), CRANK),
        "coupler": (CRANK * unit_vector(theta[0]), COUPLER),
        "rocker": (np.array([[BASE, 0]]), ROCKER),
    }
    for (name, (foot, length)), angle in zip(ends.items(), theta[:, 0], strict=True):
        place = np.append(np.ravel(foot) + length / 2 * unit_vector(angle), 0)
        across = DENSITY * length**3 / 12
        s.body(name, DENSITY * length, (0.1 * across, across, across), position=place, orientation=("z", angle))
    s.pin(
        "main",
        s.ground,
        "crank",
        on_a=(0, 0, 0),
        on_b=(-CRANK / 2, 0, 0),
        axis_a="z",
        axis_b="z",
        rate=float(rates[0, 0]),
    )
    s.pin("knee", "crank", "coupler", on_a=(CRANK / 2, 0, 0), on_b=(-COUPLER / 2, 0, 0), axis_a="z", axis_b="z")
    s.ball("tip", "coupler", "rocker", on_a=(COUPLER / 2, 0, 0), on_b=(ROCKER / 2, 0, 0))
    s.pin("foot", s.ground, "rocker", on_a=(BASE, 0, 0), on_b=(-ROCKER / 2, 0, 0), axis_a="z", axis_b="z")
    s.prescribed("drive", "main", DRIVE)
    return s


def unit_vector(angle):
    """Unit vector at this angle, last axis x and y."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def angles(t):
    """Headings of crank, coupler and rocker, their rates and second derivatives: triangles, then two linear equations
    twice."""
    crank = SPEED * t + SWING * np.sin(PACE * t)
    rate, rate2 = SPEED + SWING * PACE * np.cos(PACE * t), -SWING * PACE**2 * np.sin(PACE * t)
    away = np.array([BASE, 0]) - CRANK * unit_vector(crank)  # from the knee to the foot
    d = np.linalg.norm(away, axis=-1)
    inner = np.arccos((COUPLER**2 + d**2 - ROCKER**2) / (2 * COUPLER * d))
    coupler = np.arctan2(away[..., 1], away[..., 0]) + inner
    tip = COUPLER * unit_vector(coupler) - away
    rocker = np.arctan2(tip[..., 1], tip[..., 0])
    theta = np.stack([crank, coupler, rocker])
    side = (
        CRANK * unit_vector(crank + np.pi / 2),
        COUPLER * unit_vector(coupler + np.pi / 2),
        -ROCKER * unit_vector(rocker + np.pi / 2),
    )
    A = np.stack(side[1:], axis=-1)
    u = np.linalg.solve(A, -(side[0] * rate[:, None])[..., None])[..., 0]
    inward = (
        CRANK * unit_vector(crank) * rate[:, None] ** 2
        + COUPLER * unit_vector(coupler) * u[:, :1] ** 2
        - ROCKER * unit_vector(rocker) * u[:, 1:] ** 2
    )
    ud = np.linalg.solve(A, (inward - side[0] * rate2[:, None])[..., None])[..., 0]
    return theta, np.stack([rate, *u.T]), np.stack([rate2, *ud.T])


def exact(t):
    """Headings and the torque of the drive: power of inertia less power of gravity, for a crank that turns at one
    radian per second."""
    theta, u, ud = angles(t)
    per = u / u[0]  # rates per rate of the crank
    side = lambda length, i: length * unit_vector(theta[i] + np.pi / 2)
    inward = lambda length, i: -length * unit_vector(theta[i]) * u[i][:, None] ** 2
    along = lambda length, i: side(length, i) * ud[i][:, None] + inward(length, i)  # acceleration
    lever = lambda length, i: side(length, i) * per[i][:, None]  # velocity per rate of the crank
    a = along(CRANK / 2, 0), along(CRANK, 0) + along(COUPLER / 2, 1), along(ROCKER / 2, 2)
    v = lever(CRANK / 2, 0), lever(CRANK, 0) + lever(COUPLER / 2, 1), lever(ROCKER / 2, 2)
    torque = 0.0
    for i, length in enumerate((CRANK, COUPLER, ROCKER)):
        m = DENSITY * length
        torque = torque + m * np.sum((a[i] + np.array([0, G])) * v[i], axis=1) + m * length**2 / 12 * ud[i] * per[i]
    return {"crank": theta[0], "foot": theta[2], "torque": torque}


READ = {
    "crank": "main.angle",
    "foot": "foot.angle",
    "torque": lambda run: run.reaction("drive", on="crank")["moment"].values[:, 2],
}

mechanisms = [
    Mechanism(
        name="driven_four_bar",
        title="crank and rocker, the crank driven in a given motion",
        source=SOURCE,
        system=system,
        t_end=5.0,
        every=0.02,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks_of(
            exact, (0.0, 0.5, 1.0, 2.0, 5.0), READ, 1e-9, "closed form; no freedom is left, so that nothing can grow"
        ),
        exact=exact,
    )
]
