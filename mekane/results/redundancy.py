"""Which constraints repeat others, joint by joint, and which reactions are therefore not unique.  THEORY §6

Rows are taken as pairs of wrenches on bodies (absolute coordinates). A row repeats others if its wrenches are a
combination of theirs; reactions are not unique where a combination of rows pushes on no body.
"""

from typing import NamedTuple

import numpy as np

from mekane.compiler.compiler import compile_system
from mekane.compiler.coordinates import coordinates_of, initial_poses
from mekane.compiler.planar import planar_rows
from mekane.formulations.joint import spanning_joints
from mekane.model.plane import plane_axes
from mekane.results.sampled_kinematics import KinematicsEvaluator
from mekane.tables import columns as at

MOST_ROWS = 1500
INDEPENDENT = 1e-5  # a unit row whose part not spanned by others is smaller repeats them, as in the time loop
INVOLVED = 1e-6  # entry of a unit null vector


class Redundancy(NamedTuple):
    rows: int  # constraint rows of all joints
    redundant: int  # of them, those that repeat others
    freedom: int  # degrees of freedom that remain
    repeats: dict  # joint or constraint → (rows that repeat others, all its rows)
    not_unique: tuple  # joints and constraints whose reactions are not unique
    note: str = ""  # why it was not determined
    labels: dict = {}  # what messages call a constraint

    def label(self, name):
        return self.labels.get(name, f"joint {name!r}")

    @property
    def rank(self):
        return self.rows - self.redundant

    def __str__(self):
        if self.note:
            return self.note
        remain = f"{self.freedom} degree{'' if self.freedom == 1 else 's'} of freedom remain{'s' if self.freedom == 1 else ''}"
        if not self.redundant:
            return f"No constraint is redundant; {remain}."
        parts = [
            f"{self.label(name)} repeats {n} of the {rows} constraints it adds"
            for name, (n, rows) in self.repeats.items()
        ]
        shared = ", ".join(repr(name) for name in self.not_unique)
        text = f"{' and '.join(parts)}; {remain}. How the load is shared between {shared} is not unique."
        return text[0].upper() + text[1:]


def redundancy(system, poses=None):
    """Redundancy of a system where its bodies are at `poses` (default: as described)."""
    compiled = compile_system(system, "joint")
    return redundancy_at(compiled, coordinates_of(compiled, poses or initial_poses(system)))


def redundancy_at(compiled, *states):
    """Redundancy that remains in all of these states: a singular position may show more for a moment."""
    system = compiled.system
    joints = looped_joints(compiled)
    tree = spanning_joints(system)
    rows = {name: len(planar_rows(system, joint)) for name, joint in system.joints.items()}
    rows |= {name: len(compiled.pairs.rows_of[name]) for name in system.constraints}
    names = sorted((name for name in joints if rows[name]), key=lambda name: name not in tree) + list(
        system.constraints
    )
    speeds = sum(speeds_of(system.joints[name]) for name in tree) + free_speeds(system, tree)
    freedom = speeds - sum(n for name, n in rows.items() if name not in tree)
    if sum(rows[name] for name in names) > MOST_ROWS:
        note = f"Redundant constraints were not looked for: the loops have more than {MOST_ROWS} rows."
        return Redundancy(sum(rows.values()), 0, freedom, {}, (), note)
    labels = {name: constraint.part for name, constraint in system.constraints.items()}
    repeats, not_unique = fewest_repeats(compiled, names, rows, states)
    redundant = sum(n for n, _ in repeats.values())
    return Redundancy(sum(rows.values()), redundant, freedom + redundant, repeats, not_unique, labels=labels)


def fewest_repeats(compiled, names, rows, states):
    best, system = ({}, ()), compiled.system
    if not names or not states:
        return best
    evaluator, owner, fewest = (
        KinematicsEvaluator(compiled),
        np.repeat(np.arange(len(names)), [rows[name] for name in names]),
        None,
    )
    for y in states:
        B = unit_rows(compiled, evaluator, names, with_speeds(compiled, y))
        repeated = repeated_rows(B)
        if fewest is None or repeated.sum() < fewest:
            fewest = repeated.sum()
            counts = np.bincount(owner[repeated], minlength=len(names))
            involved = np.bincount(owner[null_rows(B, int(fewest))], minlength=len(names))
            best = (
                {name: (int(n), rows[name]) for name, n in zip(names, counts, strict=True) if n},
                tuple(
                    name
                    for name in (*system.joints, *system.constraints)
                    if name in names and involved[names.index(name)]
                ),
            )
        if fewest == 0:
            break
    return best


def with_speeds(compiled, y):
    return np.concatenate([y, np.zeros(max(0, compiled.n_q + compiled.n_u - len(y)))])


def unit_rows(compiled, evaluator, names, y):
    """Wrenches of the rows of these joints and constraints on all bodies, lengths in sizes of the mechanism, rows of
    unit length."""
    W, bodies = evaluator.evaluate_kinematics(y), len(compiled.tables.body_i)
    points = np.concatenate([W.pair[:, at.X_PM : at.X_PM + 3], W.body[:, at.B_P : at.B_P + 3]])
    size = np.ptp(points, axis=0).max() or 1.0
    scale, lines = np.repeat([1.0 / size, 1.0], 3), []
    of_constraints = evaluated_at(compiled, y) if compiled.system.constraints else None
    for name in names:
        pairs, term = (
            (compiled.pairs, of_constraints.term) if name in compiled.system.constraints else (evaluator.pairs, W.term)
        )
        for row in pairs.rows_of[name]:
            line = np.zeros((bodies, 6))
            for k in range(*pairs.row_i[row][at.ROW_TERM : at.ROW_TERM_END + 1]):
                line[pairs.term_i[k][at.TERM_BODY]] += term[k] * scale
            lines.append(line[1:])  # the ground does not mind
    B = in_use(compiled.system, np.array(lines)).reshape(len(lines), -1)
    for length in (lambda B: np.abs(B).max(axis=1, keepdims=True), lambda B: np.linalg.norm(B, axis=1, keepdims=True)):
        size = length(B)  # the largest element first, since squares of large ones overflow
        B = B / np.where((size > 0) & np.isfinite(size), size, 1.0)
    return B


def in_use(system, wrenches):
    """Of wrenches (moment, force), what can move a body: in a plane, two forces and one moment."""
    if not system.plane:
        return wrenches
    first, second, normal = plane_axes(system.plane).T
    return np.stack([wrenches[..., :3] @ normal, wrenches[..., 3:] @ first, wrenches[..., 3:] @ second], axis=-1)


def evaluated_at(compiled, y):
    """A workspace with the rows of all constraints."""
    return kinematics_of(compiled)(0.0, y, np.zeros(len(compiled.tables.row_i)))


def kinematics_of(compiled):
    """The same, state by state: (t, y, measurement) → workspace."""
    from mekane.solvers.entries.addresses import open_model
    from mekane.solvers.entries.calls import evaluate_kinematics

    W = compiled.workspace()
    model = open_model(compiled.tables, W)

    def at_state(t, y, measurement):
        W.measurement[:] = measurement
        evaluate_kinematics(model, float(t), np.ascontiguousarray(y, float), W.measurement)
        return W

    return at_state


def repeated_rows(B):
    """Which rows are combinations of rows before them: Gram–Schmidt, done twice for round-off."""
    basis, found, repeated = np.zeros_like(B), 0, np.zeros(len(B), bool)
    for i, row in enumerate(B):
        for _ in range(2):
            row = row - (basis[:found] @ row) @ basis[:found]
        length = np.linalg.norm(row)
        if length < INDEPENDENT:
            repeated[i] = True
        else:
            basis[found] = row / length
            found += 1
    return repeated


def null_rows(B, redundant):
    """Which rows take part in combinations that push on no body."""
    vectors = np.linalg.eigh(B @ B.T)[1][:, :redundant]
    return np.abs(vectors).max(axis=1, initial=0.0) > INVOLVED


def looped_joints(compiled):
    """Joints that are left when everything that hangs by a single joint, and by no constraint, is taken away, again and
    again."""
    system = compiled.system
    left, constrained = dict(system.joints), constrained_bodies(compiled)
    at_body = {name: [] for name in ("ground", *system.bodies)}
    for name, joint in left.items():
        at_body[joint.a].append(name)
        at_body[joint.b].append(name)
    ends = [body for body, joints in at_body.items() if len(joints) == 1 and body not in constrained]
    while ends:
        for name in at_body[ends.pop()]:
            if name in left:
                joint = left.pop(name)
                for body in (joint.a, joint.b):
                    at_body[body].remove(name)
                    if len(at_body[body]) == 1 and body not in constrained:
                        ends.append(body)
                break
    return list(left)


def constrained_bodies(compiled):
    """Bodies that constraints push on, and the ground if there are any: it takes up what they push with."""
    constraints = compiled.system.constraints
    return {body for name in constraints for body in compiled.constrained_bodies(name)} | (
        {"ground"} if constraints else set()
    )


def speeds_of(joint):
    return sum(3 if primitive.kind == "quaternion" else 1 for primitive in joint.primitives())


def free_speeds(system, tree):
    """Speeds of the bodies that start a group hanging on nothing: six each, three for a lone point mass."""
    roots = len(system.bodies) - len(tree)
    joined = {name for joint in system.joints.values() for name in (joint.a, joint.b)}
    lone_points = sum(body.is_point_mass and name not in joined for name, body in system.bodies.items())
    return 3 * roots - lone_points if system.plane else 6 * roots - 3 * lone_points
