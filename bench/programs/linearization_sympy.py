"""SymPy: time to derive the equations of a chain by KanesMethod, linearize them and put in numbers, hanging at rest.   n"""

import sys
import time

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from bench.chain import COM, INERTIA, axis
from bench.timing import answer


def linearized(n):
    q, u = list(me.dynamicsymbols(f"q:{n}")), list(me.dynamicsymbols(f"u:{n}"))
    N, O = me.ReferenceFrame("N"), me.Point("O")
    O.set_vel(N, 0)
    frame, point, bodies, loads = N, O, [], []
    for i in range(n):
        turn = frame.y if axis(i)[1] else frame.x
        A = frame.orientnew(f"A{i}", "Axis", [q[i], turn])
        A.set_ang_vel(frame, u[i] * turn)
        centre, end = point.locatenew(f"C{i}", COM[2] * A.z), point.locatenew(f"P{i}", -A.z)
        centre.v2pt_theory(point, N, A)
        end.v2pt_theory(point, N, A)
        bodies.append(me.RigidBody(f"B{i}", centre, A, 1, (me.inertia(A, *INERTIA), centre)))
        loads.append((centre, -9.81 * N.z))
        frame, point = A, end
    kane = me.KanesMethod(N, q, u, kd_eqs=[v - x.diff(me.dynamicsymbols._t) for x, v in zip(q, u, strict=True)])
    kane.kanes_equations(bodies, loads)
    still = dict.fromkeys([*q, *u], 0)
    A, _, _ = kane.linearize(A_and_B=True, op_point=[still, {x.diff(me.dynamicsymbols._t): 0 for x in (*q, *u)}])
    return np.array(sm.Matrix(A).evalf(), float)


def main(n):
    begun = time.perf_counter()
    A = linearized(n)
    seconds = time.perf_counter() - begun
    answer(time=seconds, eigenvalues=[[float(x.real), float(x.imag)] for x in np.linalg.eigvals(A)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
