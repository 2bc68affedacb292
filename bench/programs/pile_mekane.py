"""Mekane: a pile of spheres by Moreau's method, and the same number of sweeps on free spheres.   spheres"""

import sys
import time

import numpy as np

import mekane as mk
from bench.pile import STEP, TIME
from bench.programs.free_spheres import time_of_update
from bench.timing import answer
from mekane.analyses.simulate import initial_solver


def pile(n):
    """Places and radii of about n spheres above the floor of a box, and half its width."""
    across = round(n ** (1 / 3))
    rng, layers = np.random.default_rng(0), -(-n // across**2)
    grid = np.array([[i, j, k] for k in range(layers) for i in range(across) for j in range(across)][:n], float)
    radius, half = 0.045 + 0.01 * rng.random(n), 0.06 * across
    x = 0.12 * grid + (0.06 - half, 0.06 - half, 0.1) + 0.004 * (rng.random((n, 3)) - 0.5)
    return x, radius, half


def system(x, radius, half):
    s = mk.System("pile")
    balls = [
        s.body(f"ball {k}", shape=mk.Sphere(r), density=1000, position=p) for k, (p, r) in enumerate(zip(x, radius, strict=True))
    ]  # fmt: skip
    sides = (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)
    walls = [(s.ground, mk.Plane(at=tuple(-half * np.array(n)), normal=n)) for n in sides]
    s.contacts("pile", among=[*balls, (s.ground, mk.Plane()), *walls], friction=0.4)
    return s


def main(n):
    x, radius, half = pile(n)
    solver, _ = initial_solver(system(x, radius, half), method="moreau", step=STEP)
    solver.run(STEP, np.array([]))
    begun = time.process_time()  # a run is long: what others do on the machine must not count
    solver.run(TIME, np.array([]))
    seconds, found = time.process_time() - begun, solver.facts()["moreau"]
    peer = time_of_update(x, radius, half, STEP, TIME)
    answer(
        update=seconds / found["updates"], peer=peer, step=seconds / (TIME / STEP - 1), contacts=found["contacts"],
        sweeps=found["sweeps"], residual=found["residual"],
    )  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
