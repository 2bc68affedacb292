"""Mekane: the squeezer's run by the loops and by code made for it, building the model and making the code left out."""

import time

import numpy as np

import mekane as mk
from bench.squeezer import T_END
from bench.timing import answer
from mekane.gallery import squeezer

TRIES = 60


def shortest(code):
    """Of one run from the start, and its last state."""
    found, system = np.inf, squeezer.system()
    if code == "specialised":
        mk.compile(system)
    for _ in range(TRIES):
        solver = mk.stepper(system, code=code)
        begun = time.perf_counter()
        solver.run(T_END, [])
        found = min(found, time.perf_counter() - begun)
    return found, solver


def main():
    (loops, plainly), (ours, solver) = shortest("loops"), shortest("specialised")
    made = solver.code.used
    off = float(np.abs(plainly.y - solver.y).max() / np.abs(plainly.y).max())
    numbers = dict(loops=loops, specialised=ours, off=off, steps=solver.facts()["steps"])
    answer(**numbers, operations=made.operations["rhs"], made=sum(made.seconds))


if __name__ == "__main__":
    main()
