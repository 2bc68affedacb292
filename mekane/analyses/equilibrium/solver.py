"""From a configuration to an equilibrium: down to where forces balance, then Newton's method with the exact matrix of
[C 70].

trust_region_descent   down the potential, or as a heavily damped motion would go where there is none; ends at stable
equilibria newton_refine          Newton to round-off
find_any_equilibrium   least squares of the forces, from anywhere, to stable and unstable equilibria alike
"""

import numpy as np

STEPS, REFINEMENTS = 300, 40
NEAR, BALANCED = 1e-5, 1e-9  # relative size of what is unbalanced: to end the descent; to be an equilibrium
SOFT = 1e-9  # stiffness below it, relative to the largest, is none
# stiffness beside the energies at work, below which a direction is not compared with what it moves but with this
FLOOR = 1e-4
WIDEST, FAR = 0.7, 1e4  # of one step, radians or sizes; of all of them together
SHORT, LONG = 1e-3, 20.0  # a step after which Newton takes over; a way after which steps grow
PERTURBATION = 0.05


def find_equilibrium(statics, state, guard=None):
    """An equilibrium reached downwards from `state`, or where the way ended.

    guard: (state, step) → the state on the step where the way has to end, or None; a descent that it ended is not
    refined."""
    if state.unbalanced > BALANCED:
        for _ in range(4):
            state, ended = trust_region_descent(statics, state, guard)
            if ended:
                return state
            state = newton_refine(statics, state)
            away = unstable_direction(state)
            if state.unbalanced > BALANCED or away is None:
                break
            pushed = statics.closed(
                statics.at(statics.displaced(state.q, PERTURBATION * away), state.parameters, state.integrals)
            )
            if pushed is None:
                break
            state = pushed
    return newton_refine(statics, state)


def unstable_direction(state):
    """An allowed direction along which a small push grows, or None."""
    if not state.Z.shape[1] or not np.isfinite(state.scale):
        return None
    values, vectors = np.linalg.eigh(symmetric(state.stiffness))
    return state.Z @ vectors[:, 0] if values[0] < -1e-6 * max(np.abs(values).max(), 1e-300) else None


def trust_region_descent(statics, state, guard=None):
    """Newton steps with the stiffness made positive and the length limited; a step must do the work that the stiffness
    predicts. Returns the state, and whether the guard ended the way."""
    radius, gone = WIDEST, 0.0
    for _ in range(STEPS):
        if state.unbalanced < BALANCED or gone > FAR or not state.Z.shape[1] or not np.isfinite(state.scale):
            break
        y = limited_step(state, radius)
        if state.unbalanced < NEAR and np.linalg.norm(y) < SHORT:
            break
        straight = statics.at(statics.displaced(state.q, state.Z @ y), state.parameters, state.integrals)
        after = statics.closed(straight)
        share = -1.0 if after is None else work_done(state, straight, after, y) / predicted_work(state, y)
        radius = radius * 0.3 if share < 0.2 else min(2.0 * radius, WIDEST * growth(gone)) if share > 0.7 else radius
        if share > 1e-3:
            end = guard(state, y) if guard else None
            if end is not None:
                return end, True
            state, gone = after, gone + np.linalg.norm(y)
        if radius < 1e-12:
            break
    return state, False


def growth(gone):
    """Steps may become longer where the way is long: perhaps it has no end."""
    return max(1.0, gone - LONG)


def predicted_work(state, y):
    return state.gradient @ y + 0.5 * y @ state.stiffness @ y


def work_done(state, straight, after, y):
    """Change of the potential by a step ahead (mean of the gradients at its ends) and back onto the constraints (by
    their forces)."""
    back = (0.5 * (state.multipliers + after.multipliers) * state.row_length) @ straight.phi
    return 0.5 * (state.bare + after.bare) @ (state.Z @ y) - back


def limited_step(state, radius):
    """−(K + μ)⁻¹ gradient with the smallest μ that makes K positive and the step no longer than the radius."""
    K, g = state.stiffness, state.gradient
    values = np.linalg.eigvalsh(symmetric(K))
    step = lambda mu: -np.linalg.solve(K + mu * np.eye(len(g)), g)
    low = max(0.0, -values[0]) + 1e-10 * max(np.abs(values).max(), state.scale)
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


def newton_refine(statics, state):
    """Newton on configuration, multipliers and controller states until nothing gets better."""
    best = state
    for _ in range(REFINEMENTS):
        if not np.isfinite(state.scale):
            return best
        y, integrals = newton_step(state)
        far = np.abs(y).max(initial=0.0)
        q = statics.displaced(state.q, y * min(1.0, WIDEST / max(far, 1e-300)))
        state = statics.closed(statics.at(q, state.parameters, integrals))
        if state is None:
            return best
        better = error_of(state) < 0.5 * error_of(best)
        best = state if error_of(state) <= error_of(best) else best
        if (
            far < 1e-15
            or (not better and error_of(best) < 1e-12)
            or (not better and error_of(state) > 10 * error_of(best))
        ):
            break
    return best


def error_of(state):
    return state.unbalanced + np.abs(controller_state_rates(state)).max(initial=0.0)


def controller_state_rates(state):
    return state.z[state.derivatives.z.power][: state.statics.n_controller_states]


def newton_step(state):
    """Scaled change of the configuration, and new controller states; the smallest where stiffness is missing."""
    Z, k = state.Z, state.statics.n_controller_states
    if not k:
        return -(Z @ soft_solve(state.stiffness, state.gradient, state.scale)), state.integrals
    z, by_controller_states = state.derivatives.z, state.by_controller_states
    on_force = Z.T @ (state.statics.unit[:, None] * by_controller_states[:, z.tau].T)
    A = np.block(
        [
            [state.stiffness, on_force],
            [state.by_shifts[:, z.power][:, :k].T @ Z, by_controller_states[:, z.power][:, :k].T],
        ]
    )
    found = np.linalg.lstsq(A, -np.concatenate([state.gradient, controller_state_rates(state)]), rcond=1e-12)[0]
    return Z @ found[:-k], state.integrals + found[-k:]


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


def find_any_equilibrium(statics, state):
    """Levenberg's steps on the forces themselves, which find equilibria that nothing falls into; then Newton."""
    damping, value = 1e-2, np.linalg.norm(state.gradient)
    for _ in range(100):
        if state.unbalanced < NEAR or not len(state.gradient) or not np.isfinite(state.scale):
            break
        K = state.stiffness
        top = np.linalg.norm(K, 2) ** 2 or 1.0
        y = -np.linalg.solve(K.T @ K + damping * top * np.eye(len(K)), K.T @ state.gradient)
        y *= min(1.0, WIDEST / max(np.linalg.norm(y), 1e-300))
        after = statics.closed(statics.at(statics.displaced(state.q, state.Z @ y), state.parameters, state.integrals))
        if after is not None and np.linalg.norm(after.gradient) < value:
            state, value, damping = after, np.linalg.norm(after.gradient), damping / 5
        else:
            damping *= 4
        if damping > 1e8:
            break
    return newton_refine(statics, state)


def symmetric(K):
    return 0.5 * (K + K.T)
