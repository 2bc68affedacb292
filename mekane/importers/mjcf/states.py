"""States of MuJoCo in Mekane's coordinates and back. Both have the same coordinates and speeds, joint by joint; MuJoCo's
quaternions have their scalar first, Mekane's last."""

from __future__ import annotations

import numpy as np

from mekane.importers.mjcf.compile import mujoco_module
from mekane.importers.mjcf.names import ModelNames
from mekane.importers.mjcf.start import BALL, FREE, HINGE
from mekane.model.system import System

TURNING = ["e4", "e1", "e2", "e3"], ["wx", "wy", "wz"]


class Matching:
    """Which coordinate of a system is which of the MjModel that it was read from.

    .q, .u: for each entry of qpos and qvel its place in the coordinates and speeds here
    """

    def __init__(self, system: System, model):
        names = ModelNames(mujoco_module(), model)
        q, u = ({name: i for i, name in enumerate(all)} for all in (system.coordinates, system.speeds))
        labelled = [(name, *labels(kind)) for name, kind in zip(names.joints, model.jnt_type, strict=True)]
        self.q = [q[f"{name}.{label}"] for name, coordinates, _ in labelled for label in coordinates]
        self.u = [u[f"{name}.{label}"] for name, _, speeds in labelled for label in speeds]

    def here(self, qpos, qvel) -> tuple[np.ndarray, np.ndarray]:
        """q and u of a state of MuJoCo."""
        q, u = np.zeros(len(self.q)), np.zeros(len(self.u))
        q[self.q], u[self.u] = qpos, qvel
        return q, u

    def there(self, q, u) -> tuple[np.ndarray, np.ndarray]:
        """qpos and qvel of a state."""
        return np.asarray(q)[self.q], np.asarray(u)[self.u]


def labels(kind: int) -> tuple[list[str], list[str]]:
    """Names of the coordinates and speeds of a joint of this type, in MuJoCo's order."""
    if kind == FREE:
        return ["x", "y", "z", *TURNING[0]], ["x.rate", "y.rate", "z.rate", *TURNING[1]]
    if kind == BALL:
        return TURNING
    label = "angle" if kind == HINGE else "displacement"
    return [label], [f"{label}.rate"]
