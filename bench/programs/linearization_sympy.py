"""SymPy: time to derive the equations of a chain by KanesMethod, linearize them and put in numbers, hanging at rest.
n"""

import sys
import time

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from bench.sympy_chain import kane
from bench.timing import answer


def linearized(n):
    q, u, method = kane(n)
    still = dict.fromkeys([*q, *u], 0)
    A, _, _ = method.linearize(A_and_B=True, op_point=[still, {x.diff(me.dynamicsymbols._t): 0 for x in (*q, *u)}])
    return np.array(sm.Matrix(A).evalf(), float)


def main(n):
    begun = time.perf_counter()
    A = linearized(n)
    seconds = time.perf_counter() - begun
    answer(time=seconds, eigenvalues=[[float(x.real), float(x.imag)] for x in np.linalg.eigvals(A)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
