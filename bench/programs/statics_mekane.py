"""Mekane: equilibrium of a hanging chain.   links"""

import sys

import numpy as np

from bench.timing import answer, fastest
from mekane.analyses.equilibrium.equilibrium import Equilibrium, start_at
from mekane.analyses.equilibrium.solver import find_equilibrium
from mekane.gallery import hanging_chain


def main(n):
    statics, start = start_at(hanging_chain.system(n), None, 0.0, "joint")
    found = Equilibrium(statics, find_equilibrium(statics, start))
    hinges = np.array([found[f"pin{k}.point"] for k in range(n + 1)])
    error = float(np.abs(hinges - hanging_chain.hanging(n)).max())
    seconds = fastest(lambda: find_equilibrium(statics, statics.at(start.q)))
    answer(seconds=seconds, error=error, how="ideal pins, Newton to round-off")


if __name__ == "__main__":
    main(int(sys.argv[1]))
