"""Assembly: from the state a user described to one that meets every joint, before the start.  THEORY (C.3).

It is done in absolute coordinates whatever the formulation of the run, so that all formulations start from the same
state: positions by Newton in the mass metric, damped while the misfit is large; then speeds, which also take on the
initial rates given with joints.
"""

from typing import NamedTuple

import numpy as np

from mekane.algebra.vector_arrays import cross
from mekane.compiler.compiler import compile_system
from mekane.compiler.coordinates import (
    Poses,
    coordinates_of,
    initial_poses,
    joint_frames,
    joint_values,
    placed_by_primitives,
)
from mekane.compiler.planar import planar_rows
from mekane.errors import ModelError
from mekane.kernels.articulated_body import apply_inverse_mass
from mekane.kernels.constraint_rows import write_rows
from mekane.kernels.multipliers import eliminate_row
from mekane.kernels.projection import evaluate_kinematics as kinematics_kernel
from mekane.kernels.projection import shift
from mekane.numba_backend.kernel import plain
from mekane.solvers.constraints import projection
from mekane.solvers.constraints.independent_rows import independent_rows
from mekane.solvers.diagnostics import diagnose_inertia
from mekane.solvers.entries.addresses import open_model
from mekane.solvers.entries.calls import evaluate_inertias, evaluate_kinematics
from mekane.tables import columns as at
from mekane.tables.tables import N_READ

STEPS = 200
MANY = 400  # rows; with more of them the equations are solved as sparse ones
CLOSED = 1e-10  # relative to the size of the mechanism
REPEATED = 1e-8  # the same, of rows that repeat others: by as much a run may leave them open and be trusted
NEARLY = 1e-3  # the same: Newton that ends farther from closed was not kept from it by rows that repeat others
NAMED = 8  # joints in a sentence
# of a single projection: share of the size of the mechanism, or of how far it is from closed if that is more; radians
FARTHEST, WIDEST = 0.3, 0.5


class Assembly(NamedTuple):
    """Consistent poses, and by how much they differ from what was specified."""

    poses: Poses
    gap: float  # largest misfit of a joint before [m or rad]
    speed_gap: float  # largest misfit of speeds before [m/s or rad/s]
    moved: float  # largest displacement of a body [m]
    turned: float  # largest rotation of a body [rad]
    steps: int = 0  # of Newton on the positions


def assemble(system):
    """A state that meets all joints, nearest to the described one in the mass metric."""
    task = _Task(system)
    before = task.poses()
    gap = task.close()
    speed_gap = task.match_rates()
    after = task.poses()
    refuse_opposite(system, after)
    change = lambda one, other: np.array([one[name] - other[name] for name in system.bodies]).reshape(
        len(system.bodies), -1
    )
    moved = np.linalg.norm(change(after.p, before.p), axis=1).max()
    turned = np.linalg.norm(change(after.R, before.R), axis=1).max() / np.sqrt(2)
    return Assembly(after, gap, speed_gap, moved, turned, task.steps)


def refuse_opposite(system, poses):
    """The rows of a joint also hold where its frames point opposite ways, which is not what the joint means."""
    for joint in system.joints.values():
        if any(primitive.kind == "quaternion" for primitive in joint.primitives()):
            continue
        R_F, _, R_M, _ = joint_frames(joint, poses)
        if np.abs(R_F.T @ R_M - placed_by_primitives(joint, joint_values(joint, poses))[0]).max() > 1e-6:
            problem = f"its directions on {joint.a!r} and {joint.b!r} point opposite ways in the initial positions"
            remedy = "Turn one of the bodies over, or change the sign of the axis on one of them."
            raise ModelError(joint.part, problem, "they must agree", remedy)


def poses_of(compiled, W):
    """Users' frames of all bodies, and their motion, as the workspace has them."""
    frames, B = compiled.frames, W.body
    R_NB, w = B[:, at.B_R : at.B_R + 9].reshape(-1, 3, 3), B[:, at.B_W : at.B_W + 3].copy()
    arm = (R_NB @ frames.p_BU[:, :, None])[:, :, 0]
    all_bodies = R_NB @ frames.R_BU, B[:, at.B_P : at.B_P + 3] + arm, w, B[:, at.B_V : at.B_V + 3] + cross(w, arm)
    return Poses(*(dict(zip(frames.row, values, strict=True)) for values in all_bodies))


def state_of(compiled, poses):
    """q and u of these poses and motions; what the tree cannot express is left out."""
    W, dtype = compiled.workspace(), compiled.frames.dtype
    q, u = coordinates_of(compiled, poses), np.zeros(compiled.n_u, dtype)
    evaluate_rows(compiled, W, q, u)
    twist, wanted = np.zeros((len(compiled.links) + 1, 6), dtype), twists(compiled, W, poses)
    for i, k in enumerate(compiled.tables.body_i[1:, at.PARENT], 1):
        if not wanted[i].any() and not twist[k].any():
            continue  # at rest
        carried = np.concatenate([twist[k, :3], twist[k, 3:] + cross(twist[k, :3], W.body[i, at.B_D : at.B_D + 3])])
        first, end = compiled.tables.body_i[i, at.SPEED0], compiled.tables.body_i[i, at.SPEED1]
        S = np.array([partial(compiled, W, r) for r in range(first, end)]).reshape(-1, 6)
        if first < end:
            u[first:end] = least_squares(S.T, wanted[i] - carried)
        twist[i] = carried + u[first:end] @ S
    for kind, _, r, i in compiled.tables.primitive_i:
        if kind == at.MIXED:
            u[r : r + 3] = twist[i, :3] @ W.body[i, at.B_R : at.B_R + 9].reshape(3, 3)  # R_NBᵀ w_NB (F.2)
    return q, u


def twists(compiled, W, poses):
    """(w, v) at Bo of every body with these motions; the ground first."""
    arm = (W.body[:, at.B_R : at.B_R + 9].reshape(-1, 3, 3) @ compiled.frames.p_BU[:, :, None])[:, :, 0]
    w, v = (np.array([of[name] for name in compiled.frames.row]) for of in (poses.w, poses.v))
    return np.hstack([w, v - cross(w, arm)])


def evaluate_rows(compiled, W, q, u):
    """Positions, velocities and rows of a state; uncompiled for numbers with a derivative."""
    T = compiled.tables
    if W.body.dtype == float:
        evaluate_kinematics(open_model(T, W), 0.0, np.concatenate([q, u]), W.measurement)
        return
    plain(kinematics_kernel)(T, W, 0.0, q, u)
    plain(write_rows)(T.pair_i, T.row_i, T.row_f, W.body, W.pair, W.row, W.term, T.count[N_READ], T.row_i.shape[0])


def least_squares(A, b, rcond=None):
    """The smallest x for which A x is nearest to b; where they carry derivatives (complex step), with that of x."""
    x = np.linalg.lstsq(A.real, b.real, rcond=rcond)[0]
    if not np.iscomplexobj(A) and not np.iscomplexobj(b):
        return x
    left = b.imag - A.imag @ x
    squares = A.real.T @ left + A.imag.T @ (b.real - A.real @ x)  # of  Aᵀ A x = Aᵀ b
    slope = np.linalg.lstsq(A.real, left, rcond=rcond)[0]
    rest = squares - A.real.T @ (A.real @ slope)
    return x + 1j * (slope + np.linalg.lstsq(A.real.T @ A.real, rest, rcond=rcond)[0])


def least_change(compiled, q, poses):
    """Speeds with the least kinetic energy in what they leave of the motions given: a massless body has none, and
    follows the others."""
    W = compiled.workspace()
    handle, bodies = open_model(compiled.tables, W), [body for body in compiled.system.bodies.values() if body.mass > 0]

    def motion(u):
        evaluate_kinematics(handle, 0.0, np.concatenate([q, u]), W.measurement)
        now = poses_of(compiled, W)
        return np.concatenate(
            [momentum_like(body, poses.R[body.name], now.w[body.name], now.v[body.name]) for body in bodies]
        )

    wanted = [momentum_like(body, poses.R[body.name], poses.w[body.name], poses.v[body.name]) for body in bodies]
    if not np.any(wanted):
        return np.zeros(compiled.n_u)  # at rest: the least change is none
    J = np.array([motion(u) for u in np.eye(compiled.n_u)]).T
    return np.linalg.lstsq(J, np.concatenate(wanted), rcond=1e-12)[0]


def momentum_like(body, R, w, v):
    """Six numbers, linear in the motion of a body, whose squares sum up to twice its kinetic energy."""
    moments, axes = np.linalg.eigh(body.inertia)
    measurement_stride = np.sqrt(np.maximum(moments, 0.0)) * (axes.T @ R.T @ w)
    return np.concatenate([measurement_stride, np.sqrt(body.mass) * (v + cross(w, R @ body.com))])


def partial(compiled, W, r):
    """(w_r, v_r) of a speed at Bo."""
    S = W.speed[r, at.S_W : at.S_W + 6].copy()
    if compiled.tables.speed_kind[r] == at.PURE_ROTATION:
        S[3:] = 0.0
    return S


def solve_least(D, right):
    """The smallest solution, for rows that may repeat or contradict each other."""
    return np.linalg.lstsq(D, right, rcond=1e-13)[0]


def solve_regularized(D, right, damping):
    """The solution damped; without damping, softened a little and refined."""
    regularization = damping or 1e-11
    if isinstance(D, np.ndarray):
        return np.linalg.solve(D + regularization * np.eye(len(right)), right)
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    factors = splu((D + regularization * eye_array(len(right))).tocsc())
    x = factors.solve(right)
    return x if damping else x + factors.solve(right - D @ x)


def mechanism_size(system):
    """The widest extent of bodies' origins and joints along an axis of the world; complex where it has a derivative."""
    p = np.array([body.position for body in system.bodies.values()] + [joint.p_AF for joint in system.joints.values()])
    if not len(p):
        return 1.0
    axes = range(3)
    return max(*(p[p.real.argmax(0), axes] - p[p.real.argmin(0), axes]), 1e-3, key=np.real)


def damping(gap):
    """Of a Newton step at this misfit, relative to the size of the mechanism: much while it is large."""
    return (gap if np.real(gap) < 1e-3 else 1e-3) if np.real(gap) > 1e-9 else 1e-12


def largest(x):
    """The largest absolute value, with its derivative where x has one (complex step)."""
    if not len(x):
        return 0.0
    k = int(np.abs(np.real(x)).argmax())
    return x[k] if np.real(x[k]) > 0 else -x[k]


def shortened(speed_kind, x, size):
    """Factor that keeps one projection small enough to stay with the branch the user described. size: of the mechanism, or
    its misfit at the start if that is more, as of a single body far from where it belongs."""
    rotational = np.array(speed_kind) == at.PURE_ROTATION
    rotation, translation = largest(x[rotational]), largest(x[~rotational])
    factors = [
        1.0,
        WIDEST / max(rotation, 1e-300, key=np.real),
        FARTHEST * size / max(translation, 1e-300, key=np.real),
    ]
    return min(factors, key=np.real)


def coordinates_along_tree(system, absolute):
    """q, in absolute coordinates, where every body is put in its place at its parent, turned to it as described: the joints of the
    tree are closed."""
    tree = compile_system(system, "joint")
    W, q = tree.workspace(), coordinates_of(tree, initial_poses(system))
    evaluate_rows(tree, W, q, np.zeros(tree.n_u, tree.frames.dtype))
    return coordinates_of(absolute, poses_of(tree, W))


class _Task:
    """One assembly under way, in absolute coordinates."""

    def __init__(self, system):
        self.system = system
        self.compiled = compile_system(system, "absolute")
        self.T, self.W = self.compiled.tables, self.compiled.workspace()
        self.handle = open_model(self.T, self.W)
        self.q, self.u = state_of(self.compiled, initial_poses(system))
        if any(system.bodies[link.parent].mass == 0 for link in self.compiled.links if link.parent != "ground"):
            self.u = least_change(self.compiled, self.q, initial_poses(system))
        self.size = mechanism_size(system)
        self.steps = 0
        parts = (*system.joints.items(), *system.constraints.items())
        off = {*system.contact_laws, *(name for name, part in parts if not part.active)}
        self.active = [k for name, rows in self.compiled.pairs.rows_of.items() if name not in off for k in rows]

    def poses(self):
        self.rows()
        return poses_of(self.compiled, self.W)

    def rows(self):
        """Rows of the present state: residuals, rates, wrenches."""
        evaluate_kinematics(self.handle, 0.0, np.concatenate([self.q, self.u]), self.W.measurement)
        return self.W.row

    def matrix(self, rows):
        """E of these rows, scaled to a unit diagonal of D; D; the scale of each row. Sparse where there are many."""
        weight = self.W.speed[:, at.S_DI]
        E = self.sparse_rows(rows) if len(rows) > MANY else self.dense_rows(rows)
        square = E.multiply(E) @ weight if len(rows) > MANY else (E * E) @ weight
        size = 1.0 / np.sqrt(np.maximum(square, 1e-300))
        if len(rows) > MANY:
            E = E.multiply(size[:, None]).tocsr()
            return E, (E.multiply(weight) @ E.T).tocsc(), size
        E *= size[:, None]
        return E, (E * weight) @ E.T, size

    def row(self, y):
        """Row y of E: its speeds and its elements."""
        T, W, path = self.T, self.W, self.T.row_i[y, at.ROW_PATH]
        speeds = T.path_speed[T.speed_start[path] : T.speed_start[path + 1]]
        E = np.zeros(len(speeds))
        eliminate_row(
            y, T.path_start, T.path, T.body_i, T.row_i, T.term_i, T.speed_kind, W.body, W.speed, W.term, W.wrench, E, 0
        )
        return speeds, E

    def dense_rows(self, rows):
        lines = np.zeros((len(rows), self.compiled.n_u))
        for line, y in zip(lines, rows, strict=True):
            speeds, E = self.row(y)
            line[speeds] = E
        return lines

    def sparse_rows(self, rows):
        from scipy.sparse import csr_array

        lines = [self.row(y) for y in rows]
        start = np.cumsum([0] + [len(speeds) for speeds, _ in lines])
        columns, data = (np.concatenate(parts) for parts in zip(*lines, strict=True))
        return csr_array((data, columns, start), shape=(len(rows), self.compiled.n_u))

    def change(self, rows, wanted, damping):
        """Smallest change of speeds (mass metric) that changes these rows as wanted."""
        with np.errstate(invalid="ignore", over="ignore"):  # what has no inertia, or no number, is reported next
            E, D, size = self.matrix(rows)
        if not np.isfinite(D.data if len(rows) > MANY else D).all() or not np.isfinite(wanted).all():
            diagnose_inertia("initial state", self.compiled, self.W)
            raise self.without_number(rows, wanted)
        lam = (
            solve_regularized(D, size * wanted, damping)
            if len(rows) > MANY or damping > 0.0
            else solve_least(D, size * wanted)
        )
        x = np.zeros(self.compiled.n_u)
        apply_inverse_mass(self.T.body_i, self.T.speed_kind, self.W.wrench, self.W.speed, self.W.body, E.T @ lam, x)
        return x

    def close(self):
        """Newton on the positions. Returns the largest misfit found at the start."""
        first = self.misfit()
        try:
            self.close_from_here()
        except ModelError:
            self.q[:] = coordinates_along_tree(self.system, self.compiled)
            if (
                not self.misfit() <= CLOSED * self.size
            ):  # a loop is open, not a tree whose bodies are far from their places
                raise
        return first

    def misfit(self):
        return np.abs(self.rows()[self.active, at.Y_PHI]).max(initial=0.0)

    def close_from_here(self):
        phi, described = self.rows()[self.active, at.Y_PHI].copy(), self.q.copy()
        first = best = np.abs(phi).max(initial=0.0)
        patience, reach = 0, max(self.size, first)
        for _ in range(STEPS):
            gap = np.abs(phi).max(initial=0.0)
            patience = 0 if gap < 0.9 * best else patience + 1
            best = min(best, gap)
            if gap < 1e-15 * max(1.0, self.size) or (gap < CLOSED * self.size and patience > 1) or patience > 50:
                break
            evaluate_inertias(self.handle, 0.0, self.u)
            x = self.change(self.active, -phi, damping(gap / self.size))
            shift(self.T.primitive_i, self.q, x * shortened(self.T.speed_kind, x, reach))
            phi = self.rows()[self.active, at.Y_PHI].copy()
            self.steps += 1
        left = np.abs(phi).max(initial=0.0)
        if left > CLOSED * self.size:
            if first <= REPEATED * self.size:
                self.q[:] = described
            if left > NEARLY * self.size or not self.close_but_repeated():
                raise self.open_loop(phi)

    def close_but_repeated(self):
        """Newton on an independent set of the rows. True if it closes them and what the others miss is not more than rounding
        of the numbers in a file explains: pins that are parallel but for the last digit repeat each other, as in a run."""
        left = np.inf
        for _ in range(STEPS):
            phi = self.rows()[self.active, at.Y_PHI].copy()
            evaluate_inertias(self.handle, 0.0, self.u)
            independent = self.independent()
            before, left = left, np.abs(phi[independent]).max(initial=0.0)
            if left < 1e-15 * max(1.0, self.size) or left > 0.5 * before:
                break
            x = self.change([self.active[k] for k in independent], -phi[independent], 1e-12)
            shift(self.T.primitive_i, self.q, x * shortened(self.T.speed_kind, x, self.size))
        return left <= CLOSED * self.size and np.abs(phi).max() <= REPEATED * self.size

    def independent(self):
        """Positions in `active` of an independent set of rows: of the joints of the tree first, then those that are closed. So
        what repeats others closes a loop, in all formulations, and what a run or statics have left open stays so."""
        loops = {*self.system.topology.cut, *self.system.constraints}
        in_tree = np.array([self.compiled.pairs.owner(row) not in loops for row in self.active])
        is_open = ~in_tree & (np.abs(self.W.row[self.active, at.Y_PHI]) > projection.CLOSED)
        E = self.matrix(self.active)[0]
        E = (E.toarray() if hasattr(E, "toarray") else E) * np.sqrt(self.W.speed[:, at.S_DI])
        return independent_rows(E, *map(np.flatnonzero, (in_tree, ~in_tree & ~is_open, is_open)))

    def match_rates(self):
        """Speeds that meet all joints and the initial rates given with them. Returns the largest misfit of the joints
        before."""
        measurements = self.compiled.pairs.measurement
        given = {
            measurements[name, coordinate]: value
            for name, joint in self.system.joints.items()
            for coordinate, value in joint.rates.items()
        }
        rows = self.active + list(given)
        if not rows:
            return 0.0
        target = np.array([0.0] * len(self.active) + list(given.values()))
        first = np.abs(self.rows()[self.active, at.Y_RATE]).max(initial=0.0)
        for _ in range(3):
            wanted = target - self.rows()[rows, at.Y_RATE]
            if np.abs(wanted).max() < 1e-15 * max(1.0, np.abs(self.u).max(initial=0.0)):
                break
            evaluate_inertias(self.handle, 0.0, self.u)
            self.u += self.change(rows, wanted, 0.0)
        self.check_rates(rows, target)
        return first

    def check_rates(self, rows, target):
        left = target - self.rows()[rows, at.Y_RATE]
        scale = max(1.0, np.abs(target).max(initial=0.0), np.abs(self.u).max(initial=0.0))
        if np.abs(left).max() > 1e-8 * scale:
            by = f"{np.abs(left).max():.3g}"
            names = [repr(name) for name, joint in self.system.joints.items() if joint.rates]
            if not names:
                raise self.contradiction(rows, left, f"their speeds differ by {by} (m/s or rad/s)")
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            problem = f"the initial rates given with {', '.join(names[:NAMED])}{more} contradict each other or the joints by {by}"
            raise ModelError(
                f"system {self.system.name!r}", problem, "they must be possible together", "Give fewer of them."
            )

    def without_number(self, rows, wanted):
        """The first joint or constraint whose equation, or its slope, is not finite in this state."""
        bad = [
            y
            for y, value in zip(rows, wanted, strict=True)
            if not (np.isfinite(value) and np.isfinite(self.row(y)[1]).all())
        ]
        part = self.part_of(self.compiled.pairs.owner(bad[0])) if bad else f"system {self.system.name!r}"
        expected = "positions and speeds can only be found where equations and their slopes are finite"
        remedy = "Look for a root, a quotient or a power in it; or start elsewhere."
        return ModelError(part, "its equations have no finite values at the start", expected, remedy)

    def open_loop(self, phi):
        worst = int(np.abs(phi).argmax())
        name = self.compiled.pairs.owner(worst)
        if name in self.system.constraints:
            return self.contradiction(
                self.active, phi, f"the nearest positions miss {name!r} by {abs(phi[worst]):.3g} (m or rad)"
            )
        joint = self.system.joints[name]
        kind = planar_rows(self.system, joint)[worst - self.compiled.pairs.rows_of[name][0]].kind
        gap = f"{abs(phi[worst]):.3g} {'rad' if kind == 'perpendicular' else 'm'}"
        if self.system.constraints:
            return self.contradiction(self.active, phi, f"the nearest positions leave joint {name!r} open by {gap}")
        problem = f"it stays open by {gap} between {joint.a!r} and {joint.b!r}"
        remedy = "Check lengths, joint points and the initial positions of the bodies in this loop."
        return ModelError(f"joint {name!r}", problem, "the loop cannot be closed from the given positions", remedy)

    def contradiction(self, rows, left, gap):
        """What cannot hold together: joints and constraints whose rows, in combination, push on nothing but miss their
        values."""
        worst = self.compiled.pairs.owner(rows[int(np.abs(left).argmax())])
        names = self.clashing(rows, left) or [worst]  # none where numbers are too large to be compared
        remedy = "Leave one of them out, or change the initial positions and the numbers in them."
        if len(names) == 1:
            return ModelError(
                self.part_of(names[0]), f"it cannot hold: {gap}", "it must be possible from the given positions", remedy
            )
        both = "both" if len(names) == 2 else "all"
        problem = f"{', '.join(map(repr, names[:-1]))} and {names[-1]!r} cannot {both} hold: {gap}"
        return ModelError(
            f"system {self.system.name!r}", problem, "joints and constraints must be possible together", remedy
        )

    def clashing(self, rows, left):
        E, D, size = self.matrix(rows)
        D = D.toarray() if hasattr(D, "toarray") else D
        values, vectors = np.linalg.eigh(D)
        blocked = vectors[:, values < 1e-5 * values[-1]]
        share = blocked @ (blocked.T @ (size * left)) if blocked.shape[1] else size * left
        rows_found = [rows[j] for j in np.flatnonzero(np.abs(share) > 1e-3 * np.abs(share).max(initial=0.0))]
        return list(dict.fromkeys(self.compiled.pairs.owner(row) for row in rows_found if row < self.compiled.n_rows))

    def part_of(self, name):
        return (self.system.joints.get(name) or self.system.constraints[name]).part
