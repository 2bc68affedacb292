"""SymPy: time and operations of mass matrix and forcing of a chain by KanesMethod, and what its cse makes of them.   n"""

import sys
import time

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from bench.chain import axis, state
from bench.equations import COM, INERTIA
from bench.timing import answer


def derived(n):
    """Coordinates, speeds, mass matrix and forcing."""
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
    return q, u, kane.mass_matrix, kane.forcing


def main(n):
    begun = time.perf_counter()
    q, u, M, forcing = derived(n)
    seconds = time.perf_counter() - begun
    begun = time.perf_counter()
    parts, rest = sm.cse([M, forcing])
    cse = time.perf_counter() - begun
    numbers = [np.array(x, float) for x in sm.lambdify([q, u], [M, forcing], cse=True)(*state(n))]
    common = sum(sm.count_ops(x) for _, x in parts) + sum(sm.count_ops(x) for x in rest)
    answer(
        time=seconds, operations=int(sm.count_ops(M) + sm.count_ops(forcing)), common=int(common), cse=cse,
        M=numbers[0].ravel().tolist(), forcing=numbers[1].ravel().tolist(),
    )  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]))
