"""The chain of bench.chain built with sympy.physics.mechanics: the peer of several programs."""

import sympy.physics.mechanics as me

from bench.chain import COM, INERTIA, axis


def kane(n):
    """Coordinates, speeds, and KanesMethod with its equations formed."""
    q, u = list(me.dynamicsymbols(f"q:{n}")), list(me.dynamicsymbols(f"u:{n}"))
    N, O = me.ReferenceFrame("N"), me.Point("O")
    O.set_vel(N, 0)
    frame, point, bodies, loads = N, O, [], []
    for i in range(n):
        axis_vector = frame.y if axis(i)[1] else frame.x
        A = frame.orientnew(f"A{i}", "Axis", [q[i], axis_vector])
        A.set_ang_vel(frame, u[i] * axis_vector)
        centre, end = point.locatenew(f"C{i}", COM[2] * A.z), point.locatenew(f"P{i}", -A.z)
        centre.v2pt_theory(point, N, A)
        end.v2pt_theory(point, N, A)
        bodies.append(me.RigidBody(f"B{i}", centre, A, 1, (me.inertia(A, *INERTIA), centre)))
        loads.append((centre, -9.81 * N.z))
        frame, point = A, end
    method = me.KanesMethod(N, q, u, kd_eqs=[v - x.diff(me.dynamicsymbols._t) for x, v in zip(q, u, strict=True)])
    method.kanes_equations(bodies, loads)
    return q, u, method
