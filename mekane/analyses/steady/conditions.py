"""Steady motions: everything is carried round by one constant angular velocity Ω, while wheels and tops spin about axes
of their own.

    w_B = Ω + spin of B,     alpha_B = Ω × w_B,     a_B = Ω × v_B          for every body B

Ω is along gravity; where there is none it may have any direction. Rest is a steady motion, and so are straight rolling,
circles, spinning tops. Seen from axes that turn with −(w_B − Ω) relative to B, the spin taken out, the motion rests:
speeds obey du/dt = K u, with

    K_ij = e_i · (γ × e_j),     γ = −(w − Ω)

for the three angular velocities of Euler parameters (e: axes of B; w: its angular velocity) and for the translations of
a joint (e: their axes; w: angular velocity of the parent); K is zero for all other speeds. Linear equations about the
motion have constant coefficients in such axes.
"""

from functools import cached_property

import numpy as np

from mekane.analyses.finite_values import refuse_infinite
from mekane.analyses.kinematics.speed_scales import size_of, units_of_speeds
from mekane.analyses.linear.minimal_states import independent_states
from mekane.analyses.linear.state_matrix import StateMatrix, imbalance
from mekane.analyses.state.local_equations import Local
from mekane.errors import ModelError
from mekane.solvers.solver import Solver
from mekane.solvers.state import REJECTED, STEPS
from mekane.tables import columns as at

AT_REST = 1e-12  # speeds: radians and sizes of the mechanism, per second
TOLERANCE = 1e-7  # of what is not steady, beside the accelerations that occur
SAME = 1e-6  # state matrices, beside their size
MOST_STEPS = 100_000  # until the state matrices are compared, rejected steps included


class Steadiness:
    """How a state (a Local) moves on, if it is carried round by Ω."""

    def __init__(self, local, carrying):
        self.local, self.compiled, self.carrying = local, local.compiled, carrying
        unit = units_of_speeds(local.compiled, size_of(local.compiled.system))
        self.moves = bool(np.any(np.abs(local.u) > AT_REST * unit))

    @cached_property
    def K(self):
        """The matrix above."""
        K = np.zeros((self.compiled.n_u,) * 2)
        for group, e, w in groups(self.compiled.tables, self.local.derivatives.partials(), self.local.bodies):
            K[np.ix_(group, group)] = [[a @ np.cross(self.carrying - w, b) for b in e] for a in e]
        return K

    def imbalance(self):
        """du/dt less that of a steady motion, for every speed."""
        return imbalance(self.local, self.K)

    def change(self):
        """The same one derivative on: what would make the motion leave its steady course later."""
        local, x = self.local, self.local.derivatives.x
        direction = np.zeros((1, local.derivatives.n_x))
        direction[0, x.t], direction[0, x.q], direction[0, x.u] = 1.0, local.here[local.z.qd], local.here[local.z.ud]
        direction[0, x.integrals] = local.here[local.z.power]
        (rate,) = local.derivatives.along(local.x, direction)[1]
        return local.apply_inverse_mass(rate)[0] - self.K @ (self.K @ local.u)

    def refuse_unsteady(self, analysis, tolerance):
        """An error that says how far from steady the state is, and where."""
        g = np.linalg.norm(self.compiled.system.gravity)
        scale = 1.0 + g + np.abs(self.local.u).max(initial=0.0) ** 2  # accelerations that are at work
        self._refuse(analysis, self.imbalance(), tolerance * scale, "changes by {:.3g} per second")
        self._refuse_growing(analysis, tolerance)
        if self.moves:
            self._refuse(
                analysis,
                self.change(),
                tolerance * scale**1.5,
                "keeps its value now but not later (second derivative {:.3g})",
            )

    def _refuse_growing(self, analysis, tolerance):
        """Controller states must be constant."""
        rates = self.local.here[self.local.z.power][: len(self.compiled.integrals)]
        if np.abs(rates).max(initial=0.0) > tolerance * (1.0 + np.abs(self.local.u).max(initial=0.0)):
            r = int(np.argmax(np.abs(rates)))
            problem = f"speeds are steady, but the integral of {self.compiled.integrals[r]!r} grows by {rates[r]:.3g} per second (SI units)"
            raise ModelError(analysis, problem, "in a steady state it stands still", REMEDY)

    def _refuse(self, analysis, values, allowed, how):
        if not np.isfinite(values).all():
            self._refuse_massless(analysis)
            raise ModelError(analysis, "accelerations are not finite here", "a state in which all forces are finite")
        if np.abs(values).max(initial=0.0) > allowed:
            r = int(np.argmax(np.abs(values)))
            problem = f"neither an equilibrium nor a steady motion: {self.compiled.speeds[r]!r} {how.format(values[r])} (SI units)"
            remedy = ANGLES if self.moves and self.compiled.formulation == "bryan" else REMEDY
            raise ModelError(analysis, problem, "accelerations that vanish, or only turn with the motion", remedy)

    def _refuse_massless(self, analysis):
        """Directions that no inertia resists have no equation of motion."""
        local = self.local
        _, size, vectors = np.linalg.svd(local.blocks)
        if np.isfinite(local.blocks).all() and size[-1] <= 1e-14 * size[0]:
            name = self.compiled.speeds[int(np.argmax(np.abs(vectors[-1][: len(local.M)])))]
            remedy = "Give the body a small mass or inertia, or join it to its neighbour."
            raise ModelError(
                analysis, f"no inertia resists the speed {name!r}", "accelerations that follow from forces", remedy
            )

    def matrix(self, independent):
        return StateMatrix(self.local, self.K, independent)

    def later(self, analysis):
        """The state a while later, less than half a turn of any joint, in axes that have turned meanwhile."""
        from scipy.linalg import expm

        local = self.local
        duration = 0.3 / (np.abs(local.bodies[:, at.B_W : at.B_W + 3]).max() or 3.0)
        integrals = local.x[local.derivatives.x.integrals]
        y = np.concatenate([local.q, local.u, integrals])
        solver = Solver(self.compiled, y, t=local.t, rtol=1e-12, atol=1e-14)
        local.model.measure_near(local.turns, local.t, y)
        solver.workspace.measurement[:] = local.model.workspace.measurement
        follow(analysis, solver, local.t + duration)
        q, u = np.split(solver.y[: self.compiled.n_q + self.compiled.n_u], [self.compiled.n_q])
        axes = expm(self.K * duration)
        return Local(local.model, q, u, local.t + duration, integrals=integrals, axes=axes, turns=local.turns)

    def lasts(self, matrix, analysis):
        """Whether the state matrix will be the same later."""
        later = self.later(analysis)
        again = StateMatrix(later, self.K, independent_states(later, kept=matrix.independent))
        if again.A.shape != matrix.A.shape:  # more states are independent there, or fewer
            return False
        return bool(np.abs(again.A - matrix.A).max(initial=0.0) < SAME * (1.0 + np.abs(matrix.A).max(initial=0.0)))


def follow(analysis, solver, end):
    """Run to the end; an error if that takes more than MOST_STEPS or is not reached."""
    duration = end - solver.t

    def refuse(why):
        problem = f"this motion could not be followed for {duration:.3g} s: {why}"
        raise ModelError(analysis, problem, "a motion that can be computed, to see whether it stays steady", SPEEDS)

    def refuse_long(*_):
        if solver.counters[STEPS] + solver.counters[REJECTED] > MOST_STEPS:
            refuse(f"{MOST_STEPS} steps led to t = {solver.t:.6g} s only")

    _, stopped = solver.run(end, [end], progress=refuse_long)
    if stopped:
        refuse(stopped)


REMEDY = "Find one with mk.equilibrium(s) or mk.steady(s) and give it as at=."

SPEEDS = "Look for speeds that are far too large, or that are tiny and should be zero."

ANGLES = 'Angles of the formulation "bryan" are not steady in most motions that turn; leave formulation= out.'


def steady_matrix(local, wanted, analysis, tolerance):
    """Steadiness and StateMatrix of a state; an error if it is not steady.

    wanted: names of the independent states, or None."""
    independent = independent_states(local, wanted)
    unsteady = None  # what is wrong with the first candidate
    for k, carrying in enumerate(candidates(local)):
        steady = Steadiness(local, carrying)
        try:
            steady.refuse_unsteady(analysis, tolerance)
        except ModelError as error:
            unsteady = error if k == 0 else unsteady
            continue
        matrix = steady.matrix(independent)
        refuse_infinite(analysis, matrix.of_states[local.z.tau], local.compiled.speeds)
        if not steady.moves or steady.lasts(matrix, analysis):
            return steady, matrix
    if unsteady is not None:
        raise unsteady
    problem = "this motion is steady, but its linearized equations change with time"
    remedy = "Choose joints in which the spinning parts turn about axes of their own."
    raise ModelError(analysis, problem, "coefficients that are constant", remedy)


def candidates(local):
    """What Ω may be: the one with alpha = Ω × w and a = Ω × v for all bodies, by least squares. Where all turn about
    the vertical in their places, that does not say it: then the angular velocity of any of them, or none."""
    body, gravity = local.bodies, np.array(local.compiled.system.gravity)
    get = lambda first: body[1:, first : first + 3]
    w, v, alpha, a = get(at.B_W), get(at.B_V), get(at.B_AL), get(at.B_A) + gravity
    g = np.linalg.norm(gravity)
    directions = np.eye(3) if g == 0 else (gravity / g)[None]
    columns = np.array([np.concatenate([np.cross(d, w).ravel(), np.cross(d, v).ravel()]) for d in directions]).T
    found = np.linalg.lstsq(columns, np.concatenate([alpha.ravel(), a.ravel()]), rcond=1e-9)[0] @ directions
    if np.linalg.norm(columns) > 1e-9 * (1.0 + np.linalg.norm(w) + np.linalg.norm(v)) and g > 0:
        return [found]
    turning = [tuple(np.round(one, 12)) for one in w if np.any(np.abs(one) > AT_REST)]
    return [found, *(np.array(one) for one in dict.fromkeys(turning))]


def groups(T, axes, body):
    """Speeds that turn into each other: numbers, axes (world), and the angular velocity of the frame their axes are
    fixed in."""
    R, w = body[:, at.B_R : at.B_R + 9].reshape(-1, 3, 3), body[:, at.B_W : at.B_W + 3]
    for i in range(1, len(T.body_i)):
        primitives = T.primitive_i[T.body_i[i, at.PRIMITIVE0] : T.body_i[i, at.PRIMITIVE1]]
        slides = [primitive[at.PRIMITIVE_U] for primitive in primitives if primitive[at.KIND] == at.TRANSLATION]
        if len(slides) > 1:
            yield slides, axes[slides, at.S_V : at.S_V + 3], w[T.body_i[i, at.PARENT]]
        for primitive in primitives:
            if primitive[at.KIND] >= at.QUATERNION:
                first = primitive[at.PRIMITIVE_U]
                yield [first, first + 1, first + 2], R[i].T, w[i]
