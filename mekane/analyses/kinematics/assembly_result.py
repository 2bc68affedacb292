"""What assembly and inverse kinematics answer with: the system where it was put, what moved, what was wished and how
well it is met."""

from dataclasses import dataclass, field

import numpy as np

from mekane.analyses.kinematics.named_positions import Attitude, rotation_vector
from mekane.analyses.kinematics.placement import placed
from mekane.compiler.coordinates import initial_poses
from mekane.model.initial_conditions import starting_names
from mekane.model.values.orientation import quaternion_from_matrix
from mekane.results.printing import Printed, Shown


@dataclass(repr=False, eq=False)
class Assembled(Printed):
    """A configuration that was found.

    .system       the system with its bodies there, equal otherwise
    .coordinates  name → value of the formulation's coordinates; .q the same as an array
    .moved        body → (distance [m], angle [rad]) from where it was drawn
    .pinned       name → (wanted, found)
    .residual     largest residual of any loop or constraint [m or rad]
    .speed_gap    by how much speeds told in the model do not fit joints there; a run starts from the nearest ones that
    do [m/s or rad/s]
    """

    title: str
    system: object
    coordinates: dict
    moved: dict
    pinned: dict
    residual: float
    speed_gap: float = 0.0
    q: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def shown(self):
        rows = [[name, *found] for name, found in self.moved.items()]
        tables = []
        if self.pinned:
            pins = [[name, want, found] for name, (want, found) in self.pinned.items()]
            tables.append(Shown(self.title, ["pinned", "wanted", "found"], pins))
        remark = f"largest residual of joints and constraints: {self.residual:.2g}"
        if self.speed_gap > 1e-9:
            remark += f"; the speeds told miss the joints by {self.speed_gap:.3g} there, and a run starts from the nearest that fit"
        tables.append(Shown("" if tables else self.title, ["body", "moved [m]", "turned [rad]"], rows, remark))
        return tables

    def to_dict(self):
        return {
            "system": self.system.name,
            "coordinates": {name: float(x) for name, x in self.coordinates.items()},
            "bodies": {name: self.placed(body) for name, body in self.system.bodies.items()},
            "pinned": {
                name: {"wanted": plain(want), "found": plain(found)} for name, (want, found) in self.pinned.items()
            },
            "residual": self.residual,
            "speed_gap": self.speed_gap,
        }

    def placed(self, body):
        orientation = quaternion_from_matrix(body.R_NB)
        return {
            "position": body.position.tolist(),
            "orientation": orientation.tolist(),
            "moved": list(self.moved[body.name]),
        }


def plain(x):
    return x.tolist() if hasattr(x, "tolist") else x


def answer(title, positions, q, targets, speed_gap=0.0):
    """The Assembled of a configuration."""
    system, here, poses = positions.told, positions.here(q), positions.poses(q)
    before = initial_poses(system)
    far = {name: (distance(poses, before, name), angle(poses, before, name)) for name in system.bodies}
    pinned = {target.name: (as_given(target), found_value(target, here)) for target in targets}
    residual = float(np.abs(here.phi / positions.row_scale[positions.rows]).max(initial=0.0))
    coordinates = dict(zip(positions.compiled.coordinates, q, strict=True))
    start = {name: found for name, (_, found) in pinned.items() if name in starting_names(system)}
    return Assembled(
        title, placed(system, poses, moving=False, start=start), coordinates, far, pinned, residual, speed_gap, q
    )


def distance(one, other, name):
    return float(np.linalg.norm(one.p[name] - other.p[name]))


def angle(one, other, name):
    return float(np.linalg.norm(rotation_vector(one.R[name] @ other.R[name].T)))


def as_given(target):
    if isinstance(target.position, Attitude):
        return quaternion_from_matrix(target.want)
    return target.want if target.position.labels else float(target.want[0])


def found_value(target, here):
    """Of an angle, the whole turns that were told."""
    if isinstance(target.position, Attitude):
        e, told = target.position.value(here), as_given(target)
        return e if e @ told >= 0 else -e
    if target.position.labels:
        return target.position.value(here)
    return float(target.want[0] + target.position.missing(here, target.want)[0])
