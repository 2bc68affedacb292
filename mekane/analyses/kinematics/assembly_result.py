"""The result of assembly and inverse kinematics: the system placed there, what moved, the targets and how well they are
met."""

from dataclasses import dataclass, field

import numpy as np

from mekane.analyses.kinematics.named_positions import rotation_vector
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
    .speed_gap    by how much speeds given in the model violate the joints there; a run starts from the nearest ones
    that do [m/s or rad/s]
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
            remark += f"; the given speeds miss the joints by {self.speed_gap:.3g} there, and a run starts from the nearest that fit"
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


def assembly_result(title, positions, q, targets, speed_gap=0.0):
    """The Assembled of a configuration."""
    system, here, poses = positions.described, positions.here(q), positions.poses(q)
    before = initial_poses(system)
    far = {name: (distance(poses, before, name), angle(poses, before, name)) for name in system.bodies}
    pinned = {target.name: (target.wanted(), target.found(here)) for target in targets}
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
