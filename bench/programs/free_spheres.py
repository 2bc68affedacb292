"""Gauss–Seidel on free solid spheres, written for nothing else: the least that a contact and a sweep can cost.

Each contact reads and changes two spheres. (N.17) with the velocities of spheres as unknowns, no Delassus matrix.
"""

import numpy as np
from numba import njit

from bench.timing import fastest


@njit(cache=True)
def find_contacts(x, r, half, near, who, normal):
    """Spheres against the floor and four walls (second index n, n + 1, …) and against each other."""
    n, count = x.shape[0], 0
    for i in range(n):
        for side in range(5):
            axis, sign = (2, 1.0) if side == 0 else ((side - 1) // 2, 1.0 if side % 2 == 1 else -1.0)
            if sign * x[i, axis] + (half if side > 0 else 0.0) - r[i] <= near:
                who[count, 0], who[count, 1] = i, n + side
                normal[count, :] = 0.0
                normal[count, axis] = sign
                count += 1
        for j in range(i):
            d = x[i] - x[j]
            if d @ d <= (r[i] + r[j] + near) ** 2:
                who[count, 0], who[count, 1] = i, j
                normal[count] = d / np.sqrt(d @ d)
                count += 1
    return count


@njit(cache=True)
def velocity(k, who, normal, v, w, r, out):
    """Of sphere i past j at contact k; returns its normal part."""
    i, j = who[k, 0], who[k, 1]
    n0, n1, n2 = normal[k, 0], normal[k, 1], normal[k, 2]
    a0, a1, a2 = r[i] * w[i, 0], r[i] * w[i, 1], r[i] * w[i, 2]
    out[0], out[1], out[2] = v[i, 0], v[i, 1], v[i, 2]
    if j < v.shape[0]:
        a0, a1, a2 = a0 + r[j] * w[j, 0], a1 + r[j] * w[j, 1], a2 + r[j] * w[j, 2]
        out[0], out[1], out[2] = out[0] - v[j, 0], out[1] - v[j, 1], out[2] - v[j, 2]
    out[0], out[1], out[2] = out[0] - (a1 * n2 - a2 * n1), out[1] - (a2 * n0 - a0 * n2), out[2] - (a0 * n1 - a1 * n0)
    return out[0] * n0 + out[1] * n1 + out[2] * n2


@njit(cache=True)
def push(k, who, normal, d, v, w, m, r):
    """Impulse d on i, −d on j."""
    n0, n1, n2 = normal[k, 0], normal[k, 1], normal[k, 2]
    t0, t1, t2 = -(n1 * d[2] - n2 * d[1]), -(n2 * d[0] - n0 * d[2]), -(n0 * d[1] - n1 * d[0])
    for side in range(2):
        i, s = who[k, side], 1.0 - 2.0 * side
        if i < v.shape[0]:
            a, b = s / m[i], 2.5 / (m[i] * r[i])
            v[i, 0], v[i, 1], v[i, 2] = v[i, 0] + a * d[0], v[i, 1] + a * d[1], v[i, 2] + a * d[2]
            w[i, 0], w[i, 1], w[i, 2] = w[i, 0] + b * t0, w[i, 1] + b * t1, w[i, 2] + b * t2


@njit(cache=True)
def sweep(count, who, normal, v, w, m, r, mu, PN, PT):
    s, d, n = np.zeros(3), np.zeros(3), v.shape[0]
    for k in range(count):
        i, j = who[k, 0], who[k, 1]
        G = 1.0 / m[i] + (1.0 / m[j] if j < n else 0.0)
        vn = velocity(k, who, normal, v, w, r, s)
        p, size = max(0.0, PN[k] - vn / G), 0.0
        for c in range(3):
            d[c] = PT[k, c] - (s[c] - vn * normal[k, c]) / (3.5 * G)
            size += d[c] * d[c]
        size = np.sqrt(size)
        cut = mu * p / size if size > mu * p else 1.0
        for c in range(3):
            new = d[c] * cut
            d[c] = new - PT[k, c] + (p - PN[k]) * normal[k, c]
            PT[k, c] = new
        PN[k] = p
        push(k, who, normal, d, v, w, m, r)


@njit(cache=True)
def sweeps_alone(times, count, who, normal, v, w, m, r, mu, PN, PT):
    for _ in range(times):
        sweep(count, who, normal, v, w, m, r, mu, PN, PT)


@njit(cache=True)
def steps(x, v, w, m, r, half, h, mu, count_of_steps, sweeps, PN, PT, who, normal):
    """Returns the number of contacts at the end."""
    count = 0
    for _ in range(count_of_steps):
        x += 0.5 * h * v
        count = find_contacts(x, r, half, 1e-6, who, normal)
        v[:, 2] -= 9.81 * h
        PN[:count] = 0.0
        PT[:count] = 0.0
        sweeps_alone(sweeps, count, who, normal, v, w, m, r, mu, PN, PT)
        x += 0.5 * h * v
    return count


def time_of_update(x, radius, half, h, t_end, sweeps=50):
    """Seconds per contact and sweep, of sweeps alone, on the contacts that there are at that time."""
    n, mu, times = len(x), 0.4, 20
    m, space = 1000 * 4 / 3 * np.pi * radius**3, 12 * n
    PN, PT, who, normal = np.zeros(space), np.zeros((space, 3)), np.zeros((space, 2), np.int64), np.zeros((space, 3))
    x, v, w = x.copy(), np.zeros((n, 3)), np.zeros((n, 3))
    count = steps(x, v, w, m, radius, half, h, mu, round(t_end / h), sweeps, PN, PT, who, normal)
    return fastest(lambda: sweeps_alone(times, count, who, normal, v, w, m, radius, mu, PN, PT)) / (times * count)
