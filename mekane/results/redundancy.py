"""Which constraints repeat others, joint by joint, and which reactions are therefore not unique.  THEORY §6

Rows are looked at as pairs of wrenches on bodies (absolute coordinates). A row repeats others if its wrenches are a combination of
theirs; reactions are not unique where a combination of rows pushes on no body.
"""

from typing import NamedTuple

import numpy as np

from mekane.compile import layout as at
from mekane.compile.compiled import compile_system
from mekane.compile.coordinates import coordinates_of, initial_poses
from mekane.compile.flat import rows_in_use
from mekane.formulations.joint import spanning_joints
from mekane.results.observation import Observer

MOST_ROWS = 1500
INDEPENDENT = 1e-5  # a unit row whose part not spanned by others is smaller repeats them, as in the time loop
INVOLVED = 1e-6  # entry of a unit null vector


class Redundancy(NamedTuple):
    rows: int  # constraint rows of all joints
    redundant: int  # of them, those that repeat others
    freedom: int  # degrees of freedom that remain
    repeats: dict  # joint → (rows that repeat others, all its rows)
    not_unique: tuple  # joints whose reactions are not unique
    note: str = ""  # why it was not looked at

    @property
    def rank(self):
        return self.rows - self.redundant

    def __str__(self):
        if self.note:
            return self.note
        remain = f"{self.freedom} degree{'' if self.freedom == 1 else 's'} of freedom remain{'s' if self.freedom == 1 else ''}"
        if not self.redundant:
            return f"No constraint is redundant; {remain}."
        parts = [f"joint {name!r} repeats {n} of the {rows} constraints it adds" for name, (n, rows) in self.repeats.items()]
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
    joints = looped_joints(system)
    tree = spanning_joints(system)
    rows = {name: len(rows_in_use(system, joint)) for name, joint in system.joints.items()}
    names = sorted((name for name in joints if rows[name]), key=lambda name: name not in tree)
    speeds = sum(speeds_of(system.joints[name]) for name in tree) + free_speeds(system, tree)
    freedom = speeds - sum(n for name, n in rows.items() if name not in tree)
    if sum(rows[name] for name in names) > MOST_ROWS:
        note = f"Redundant constraints were not looked for: the loops have more than {MOST_ROWS} rows."
        return Redundancy(sum(rows.values()), 0, freedom, {}, (), note)
    repeats, not_unique = fewest_repeats(compiled, names, rows, states)
    redundant = sum(n for n, _ in repeats.values())
    return Redundancy(sum(rows.values()), redundant, freedom + redundant, repeats, not_unique)


def fewest_repeats(compiled, names, rows, states):
    best = ({}, ())
    if not names or not states:
        return best
    observer, owner, fewest = Observer(compiled), np.repeat(np.arange(len(names)), [rows[name] for name in names]), None
    for y in states:
        B = unit_rows(compiled, observer, names, with_speeds(compiled, y))
        repeated = repeated_rows(B)
        if fewest is None or repeated.sum() < fewest:
            fewest = repeated.sum()
            counts = np.bincount(owner[repeated], minlength=len(names))
            involved = np.bincount(owner[null_rows(B, int(fewest))], minlength=len(names))
            best = (
                {name: (int(n), rows[name]) for name, n in zip(names, counts, strict=True) if n},
                tuple(name for name in compiled.system.joints if name in names and involved[names.index(name)]),
            )
        if fewest == 0:
            break
    return best


def with_speeds(compiled, y):
    return np.concatenate([y, np.zeros(max(0, compiled.n_q + compiled.n_u - len(y)))])


def unit_rows(compiled, observer, names, y):
    """Wrenches of the rows of these joints on all bodies, (rows, 6 × bodies), lengths in sizes of the mechanism, rows of unit length."""
    W, bodies = observer.look(y), len(compiled.tables.body_i)
    size = max(np.ptp(W.pair[:, at.X_PM : at.X_PM + 3], axis=0).max(), np.ptp(W.body[:, at.B_P : at.B_P + 3], axis=0).max()) or 1.0
    scale = np.repeat([1.0 / size, 1.0], 3)
    B, line = np.zeros((sum(len(observer.pairs.rows_of[name]) for name in names), bodies, 6)), 0
    for name in names:
        for row in observer.pairs.rows_of[name]:
            for k in range(*observer.pairs.row_i[row][at.ROW_TERM : at.ROW_TERM_END + 1]):
                B[line, observer.pairs.term_i[k][at.TERM_BODY]] += W.term[k] * scale
            line += 1
    B = B[:, 1:].reshape(len(B), -1)  # the ground does not mind
    return B / np.linalg.norm(B, axis=1, keepdims=True)


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


def looped_joints(system):
    """Joints that are left when everything that hangs by a single joint is taken away, again and again."""
    left = dict(system.joints)
    at_body = {name: [] for name in ("ground", *system.bodies)}
    for name, joint in left.items():
        at_body[joint.a].append(name)
        at_body[joint.b].append(name)
    ends = [body for body, joints in at_body.items() if len(joints) == 1]
    while ends:
        for name in at_body[ends.pop()]:
            if name in left:
                joint = left.pop(name)
                for body in (joint.a, joint.b):
                    at_body[body].remove(name)
                    if len(at_body[body]) == 1:
                        ends.append(body)
                break
    return list(left)


def speeds_of(joint):
    return sum(3 if block.kind == "quaternion" else 1 for block in joint.blocks())


def free_speeds(system, tree):
    """Speeds of the bodies that start a group hanging on nothing: six each, three for a lone point mass."""
    roots = len(system.bodies) - len(tree)
    joined = {name for joint in system.joints.values() for name in (joint.a, joint.b)}
    lone_points = sum(body.is_point_mass and name not in joined for name, body in system.bodies.items())
    return 3 * roots - lone_points if system.planar else 6 * roots - 3 * lone_points
