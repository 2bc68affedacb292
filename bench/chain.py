"""Forward dynamics inside the time loop, on a chain: Mekane, Pinocchio, MuJoCo.

n pins, axes alternating y and x, links 1 m long along −z, each of 1 kg with its mass centre in the middle and inertia
(0.1, 0.1, 0.01) kg m² about it. Accelerations, and the angles after the timed Runge–Kutta steps, are compared before
anything else.
"""

import numpy as np

from bench.table import Row, duration
from bench.timing import run_program

SIZES = (7, 30, 100, 1000)
STEP = 1e-4  # s
STEPS = {7: 4000, 30: 1000, 100: 300, 1000: 5}  # Runge–Kutta steps in one measurement
COM, INERTIA = (0.0, 0.0, -0.5), (0.1, 0.1, 0.01)
# relative to the largest; factors of the mass matrix of 1000 links lose digits
AGREE = {"Pinocchio aba": 1e-8, "MuJoCo mj_step": 1e-6}


def axis(i):
    return (0.0, 1.0, 0.0) if i % 2 == 0 else (1.0, 0.0, 0.0)


def place(i):
    """From joint i − 1 to joint i, in the axes of link i − 1."""
    return (0.0, 0.0, -1.0 if i else 0.0)


def state(n):
    """Angles and their rates."""
    random = np.random.default_rng(n)
    return 0.5 * random.normal(size=n), 0.1 * random.normal(size=n)


def rows(sizes=SIZES):
    ours = {n: run_program("chain_mekane", n, STEPS[n]) for n in sizes}
    pinocchio = {n: run_program("chain_pinocchio", n) for n in sizes}
    mujoco = {n: run_program("chain_mujoco", n, STEPS[n]) for n in sizes}
    yield from (
        compare(f"chain of {n}: one evaluation", "evaluation", ours[n], "Pinocchio aba", pinocchio[n], ">= 2.5")
        for n in sizes
    )
    yield from (
        compare(f"chain of {n}: one RK4 step", "step", ours[n], "MuJoCo mj_step", mujoco[n], ">= 2.0") for n in sizes
    )
    yield from cost_per_body({n: ours[n]["evaluation"] / n for n in sizes if n >= 30 and "missing" not in ours[n]})


def compare(what, key, ours, peer, theirs, wanted):
    if "missing" in ours:
        return Row(what, "-", note=ours["missing"])
    if "missing" in theirs:
        return Row(what, duration(ours[key]), peer, "-", None, wanted, theirs["missing"])
    off = max(difference(ours[k], theirs[k]) for k in ("acceleration", "angles") if k in theirs)
    note = f"agree to {off:.0e}" if off < AGREE[peer] else f"DIFFER by {off:.1e}: not comparable"
    note += f"; {theirs['note']}" if theirs.get("note") else ""
    return Row(what, duration(ours[key]), peer, duration(theirs[key]), theirs[key] / ours[key], wanted, note)


def difference(a, b):
    """Largest difference, relative to the largest element."""
    a, b = np.array(a), np.array(b)
    return float(np.abs(a - b).max() / np.abs(b).max())


def cost_per_body(cost):
    """How much the time per body varies over the sizes."""
    if len(cost) > 1:
        least, most = min(cost, key=cost.get), max(cost, key=cost.get)
        names = f"time per body, worst ({most} bodies)", f"best ({least} bodies)"
        yield Row(names[0], duration(cost[most]), names[1], duration(cost[least]), cost[most] / cost[least], "<= 1.3")
