"""Mekane: time of the exact derivatives of the accelerations at a state, and of mk.linearize from an empty System on.
n"""

import sys
import time

import mekane as mk
from bench.chain import state
from bench.programs.chain_mekane import chain
from bench.timing import answer, fastest


def main(n):
    s = chain(n)
    q, u = state(n)
    found = s.forward_dynamics_derivatives(q, u)
    best = fastest(lambda: s.forward_dynamics_derivatives(q, u, forces=False))
    eigenvalues = mk.linearize(chain(n)).eigenvalues
    begun = time.perf_counter()
    mk.linearize(chain(n))
    scratch = time.perf_counter() - begun
    plain = [[float(x.real), float(x.imag)] for x in eigenvalues]
    answer(
        time=best,
        scratch=scratch,
        by_shifts=found.by_shifts.tolist(),
        by_speeds=found.by_speeds.tolist(),
        eigenvalues=plain,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
