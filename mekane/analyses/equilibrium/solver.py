"""From a configuration to an equilibrium: down to where forces balance, then Newton's method with the exact matrix of
[C 70].

settle    down the potential, or as a heavily damped motion would go where there is none; ends at stable equilibria
polish    Newton to round-off
any_zero  least squares of the forces, from anywhere, to stable and unstable equilibria alike
"""

import numpy as np

STEPS, POLISHING = 300, 40
NEAR, BALANCED = 1e-5, 1e-9  # relative size of what is unbalanced: to stop settling; to be an equilibrium
SOFT = 1e-9  # stiffness below it, relative to the largest, is none
# stiffness beside the energies at work, below which a direction is not compared with what it moves but with this
FLOOR = 1e-4
WIDEST, FAR = 0.7, 1e4  # of one step, radians or sizes; of all of them together
SHORT, LONG = 1e-3, 20.0  # a step after which Newton takes over; a way after which steps grow
KICK = 0.05


def settled(statics, rest):
    """An equilibrium reached downwards from `rest`, or where the way ended."""
    if rest.unbalanced > BALANCED:
        for _ in range(4):
            rest = polished(statics, descended(statics, rest))
            away = falling_direction(rest)
            if rest.unbalanced > BALANCED or away is None:
                break
            pushed = statics.closed(statics.at(statics.moved(rest.q, KICK * away), rest.parameters, rest.integrals))
            if pushed is None:
                break
            rest = pushed
    return polished(statics, rest)


def falling_direction(rest):
    """An allowed direction along which a small push grows, or None."""
    if not rest.Z.shape[1] or not np.isfinite(rest.scale):
        return None
    values, vectors = np.linalg.eigh(symmetric(rest.stiffness))
    return rest.Z @ vectors[:, 0] if values[0] < -1e-6 * max(np.abs(values).max(), 1e-300) else None


def descended(statics, rest):
    """Newton steps with the stiffness made positive and the length limited; a step must do the work that the stiffness
    foretells."""
    radius, gone = WIDEST, 0.0
    for _ in range(STEPS):
        if rest.unbalanced < BALANCED or gone > FAR or not rest.Z.shape[1] or not np.isfinite(rest.scale):
            break
        y = limited_step(rest, radius)
        if rest.unbalanced < NEAR and np.linalg.norm(y) < SHORT:
            break
        straight = statics.at(statics.moved(rest.q, rest.Z @ y), rest.parameters, rest.integrals)
        after = statics.closed(straight)
        share = -1.0 if after is None else work_done(rest, straight, after, y) / foretold(rest, y)
        radius = radius * 0.3 if share < 0.2 else min(2.0 * radius, WIDEST * growth(gone)) if share > 0.7 else radius
        if share > 1e-3:
            rest, gone = after, gone + np.linalg.norm(y)
        if radius < 1e-12:
            break
    return rest


def growth(gone):
    """Steps may become longer where the way is long: perhaps it has no end."""
    return max(1.0, gone - LONG)


def foretold(rest, y):
    return rest.slope @ y + 0.5 * y @ rest.stiffness @ y


def work_done(rest, straight, after, y):
    """Change of the potential by a step ahead (mean of the slopes at its ends) and back onto the constraints (by their
    forces)."""
    back = (0.5 * (rest.multipliers + after.multipliers) * rest.row_length) @ straight.phi
    return 0.5 * (rest.bare + after.bare) @ (rest.Z @ y) - back


def limited_step(rest, radius):
    """−(K + μ)⁻¹ slope with the smallest μ that makes K positive and the step no longer than the radius."""
    K, g = rest.stiffness, rest.slope
    values = np.linalg.eigvalsh(symmetric(K))
    step = lambda mu: -np.linalg.solve(K + mu * np.eye(len(g)), g)
    low = max(0.0, -values[0]) + 1e-10 * max(np.abs(values).max(), rest.scale)
    y = step(low)
    if np.linalg.norm(y) <= radius:
        return y
    high = low + np.linalg.norm(g) / radius + np.abs(K - K.T).max()
    for _ in range(60):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if np.linalg.norm(step(middle)) > radius else (low, middle)
        if high < 1.1 * low:
            break
    return step(high)


def polished(statics, rest):
    """Newton on configuration, multipliers and integrals until nothing gets better."""
    best = rest
    for _ in range(POLISHING):
        if not np.isfinite(rest.scale):
            return best
        y, integrals = newton_step(rest)
        far = np.abs(y).max(initial=0.0)
        q = statics.moved(rest.q, y * min(1.0, WIDEST / max(far, 1e-300)))
        rest = statics.closed(statics.at(q, rest.parameters, integrals))
        if rest is None:
            return best
        better = error_of(rest) < 0.5 * error_of(best)
        best = rest if error_of(rest) <= error_of(best) else best
        if (
            far < 1e-15
            or (not better and error_of(best) < 1e-12)
            or (not better and error_of(rest) > 10 * error_of(best))
        ):
            break
    return best


def error_of(rest):
    return rest.unbalanced + np.abs(growing_integrals(rest)).max(initial=0.0)


def growing_integrals(rest):
    return rest.z[rest.slopes.z.power][: rest.statics.n_integrals]


def newton_step(rest):
    """Scaled change of the configuration, and new integrals; the smallest where stiffness is missing."""
    Z, k = rest.Z, rest.statics.n_integrals
    if not k:
        return -(Z @ soft_solve(rest.stiffness, rest.slope, rest.scale)), rest.integrals
    z, by_integrals = rest.slopes.z, rest.by_integrals
    on_force = Z.T @ (rest.statics.unit[:, None] * by_integrals[:, z.tau].T)
    A = np.block(
        [[rest.stiffness, on_force], [rest.by_shifts[:, z.power][:, :k].T @ Z, by_integrals[:, z.power][:, :k].T]]
    )
    found = np.linalg.lstsq(A, -np.concatenate([rest.slope, growing_integrals(rest)]), rcond=1e-12)[0]
    return Z @ found[:-k], rest.integrals + found[-k:]


def soft_solve(K, g, scale):
    """K⁻¹ g; nothing along directions without stiffness, each compared with the stiffness of what it moves."""
    if not len(g):
        return g
    unit = np.sqrt(np.maximum(np.abs(K).max(axis=1), max(FLOOR * scale, 1e-300)))
    K, g = K / np.outer(unit, unit), g / unit
    if np.array_equal(K, K.T) or np.abs(K - K.T).max() <= 1e-12 * np.abs(K).max():
        values, vectors = np.linalg.eigh(symmetric(K))
        firm = np.abs(values) > SOFT * max(np.abs(values).max(), 1.0)
        return vectors[:, firm] @ ((vectors[:, firm].T @ g) / values[firm]) / unit
    U, size, Vt = np.linalg.svd(K)
    firm = size > SOFT * max(size[0], 1.0)
    return Vt[firm].T @ ((U[:, firm].T @ g) / size[firm]) / unit


def any_zero(statics, rest):
    """Levenberg's steps on the forces themselves, which find equilibria that nothing falls into; then Newton."""
    damping, value = 1e-2, np.linalg.norm(rest.slope)
    for _ in range(100):
        if rest.unbalanced < NEAR or not len(rest.slope) or not np.isfinite(rest.scale):
            break
        K = rest.stiffness
        top = np.linalg.norm(K, 2) ** 2 or 1.0
        y = -np.linalg.solve(K.T @ K + damping * top * np.eye(len(K)), K.T @ rest.slope)
        y *= min(1.0, WIDEST / max(np.linalg.norm(y), 1e-300))
        after = statics.closed(statics.at(statics.moved(rest.q, rest.Z @ y), rest.parameters, rest.integrals))
        if after is not None and np.linalg.norm(after.slope) < value:
            rest, value, damping = after, np.linalg.norm(after.slope), damping / 5
        else:
            damping *= 4
        if damping > 1e8:
            break
    return polished(statics, rest)


def symmetric(K):
    return 0.5 * (K + K.T)
