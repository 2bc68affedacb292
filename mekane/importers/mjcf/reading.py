"""What the parts of the importer share: the compiled model, the system that is made of it, and the report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mekane.importers.mjcf.names import ModelNames
from mekane.importers.mjcf.start import HINGE, SLIDE
from mekane.importers.urdf.names import named
from mekane.importers.urdf.report import Report
from mekane.model.system import System

CONSTRAINTS = ("EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT")
ROUND_OFF = 1e-9  # rad or m, of a limit that is met at the start


@dataclass
class Reading:
    """mujoco: the module.  model: as MuJoCo compiled it.  qpos, qvel: where it starts."""

    mujoco: object
    model: object
    names: ModelNames
    system: System
    report: Report
    qpos: np.ndarray
    qvel: np.ndarray
    keyframe: int | None
    folder: Path | None = None  # of the file
    meshes_moved: bool = False  # by refpos or refquat, which the compiled model does not have
    data: object = None  # of MuJoCo, at the start; made where it is needed

    def start(self):
        """Data of MuJoCo where it starts: places of geoms, lengths of tendons."""
        if self.data is None:
            self.data = self.mujoco.MjData(self.model)
            self.data.qpos[:] = self.qpos
            for stage in (self.mujoco.mj_kinematics, self.mujoco.mj_comPos, self.mujoco.mj_tendon):
                stage(self.model, self.data)
        return self.data

    def off(self, what: str) -> bool:
        """Whether <flag what="disable"/> stands in the file, for this or for all constraints."""
        flags, bits = self.model.opt.disableflags, self.mujoco.mjtDisableBit
        constraints = what in CONSTRAINTS and flags & bits.mjDSBL_CONSTRAINT
        return bool(constraints or flags & getattr(bits, f"mjDSBL_{what}"))

    def is_scalar(self, j: int) -> bool:
        """Whether a joint has one coordinate."""
        return self.model.jnt_type[j] in (SLIDE, HINGE)

    def channel(self, j: int) -> str:
        """The coordinate of a joint, as results call it."""
        return f"{self.names.joints[j]}.{'angle' if self.model.jnt_type[j] == HINGE else 'displacement'}"

    def coordinate(self, j: int, rate: bool = False) -> str:
        """The coordinate of a joint, or its rate, in expressions."""
        return named(f"{self.channel(j)}{'.rate' if rate else ''}")

    def given(self, kind: str, i: int) -> str:
        """How the file calls something, for the report."""
        return self.names.given(kind, i) or f"{kind.lower()} {i}"

    def fixed(self, i: int) -> bool:
        """Whether a body is welded to the world."""
        while i:
            if self.model.body_jntnum[i]:
                return False
            i = self.model.body_parentid[i]
        return True


def polynomial(coefficients, x: str) -> str:
    """c0 + c1 x + c2 x² …, without what is zero."""
    terms = [f"{c!r}*({x})**{k}" if k > 1 else f"{c!r}*({x})" if k else repr(c) for k, c in _nonzero(coefficients)]
    return " + ".join(terms) or "0"


def _nonzero(coefficients):
    return [(k, float(c)) for k, c in enumerate(coefficients) if c]


def clamped(text: str, limits) -> str:
    return f"min(max({text}, {float(limits[0])!r}), {float(limits[1])!r})"
