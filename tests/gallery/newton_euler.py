"""An inverse dynamics of a serial arm, written once more and differently: recursive Newton–Euler in world axes on a
table of links.

Used as an oracle; it shares nothing with the engine but the published table.
"""

import numpy as np


def turn(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    R = {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}
    return np.array(R[axis])


def inverse_dynamics(links, q, u, ud, g=9.81):
    """Torques at the joints. links: (d, a, α, principal inertia, mass centre in the link's frame, mass)."""
    R, p = np.eye(3), np.zeros(3)
    w, al, a = np.zeros(3), np.zeros(3), np.array([0.0, 0.0, g])
    axes, joints, forces, moments, centres = [], [], [], [], []
    for (d, length, alpha, inertia, centre, mass), qk, uk, udk in zip(links, q, u, ud, strict=True):
        axis, joint = R[:, 2].copy(), p.copy()
        al = al + axis * udk + np.cross(w, axis * uk)
        w = w + axis * uk
        turned = R @ turn("z", qk)
        step = turned @ np.array([length, 0.0, d])
        a = a + np.cross(al, step) + np.cross(w, np.cross(w, step))
        R, p = turned @ turn("x", alpha), p + step
        arm = R @ np.asarray(centre, float)
        I = R @ np.diag(inertia) @ R.T
        axes.append(axis), joints.append(joint), centres.append(p + arm)
        forces.append(mass * (a + np.cross(al, arm) + np.cross(w, np.cross(w, arm))))
        moments.append(I @ al + np.cross(w, I @ w))
    n = len(axes)
    return np.array(
        [axes[k] @ sum(moments[i] + np.cross(centres[i] - joints[k], forces[i]) for i in range(k, n)) for k in range(n)]
    )


def mass_matrix(links, q):
    n, zero = len(links), np.zeros(len(links))
    return np.array([inverse_dynamics(links, q, zero, e, g=0.0) for e in np.eye(n)]).T


def forward_dynamics(links, q, u, tau):
    bias = inverse_dynamics(links, q, u, np.zeros(len(links)))
    return np.linalg.solve(mass_matrix(links, q), tau - bias)
