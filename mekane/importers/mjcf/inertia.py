"""Inertias in a file that no body has: MuJoCo refuses them, here they are named, and accepted if requested."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mekane.errors import FileError
from mekane.importers.urdf.inertia import ACCEPT, why_unphysical


@dataclass
class WrongInertia:
    """An <inertial> of a body of a spec: its tensor, in the axes of the body if it is full, else in its own; and why no body
    has it."""

    body: object
    name: str
    tensor: np.ndarray
    is_full: bool
    why: str

    def take_out(self) -> None:
        """Any inertia that MuJoCo compiles."""
        self.body.fullinertia, self.body.inertia = np.full(6, np.nan), np.ones(3)

    def put_back(self, mujoco, model) -> None:
        i = self.body.id
        model.body_inertia[i] = np.diag(self.tensor)  # about the axes that MuJoCo has for it
        if self.is_full:
            model.body_inertia[i], axes = np.linalg.eigh(self.tensor)
            axes[:, 0] *= np.sign(np.linalg.det(axes))
            mujoco.mju_mat2Quat(model.body_iquat[i], axes.ravel())
            model.body_sameframe[i] = 0


def wrong_inertias(spec) -> list[WrongInertia]:
    found = []
    for k, body in enumerate(spec.bodies):
        xx, yy, zz, xy, xz, yz = body.fullinertia
        is_full = bool(np.isfinite(xx))
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) if is_full else np.diag(body.inertia)
        why = why_unphysical(tensor) if body.explicitinertial and np.isfinite(tensor).all() else ""
        if why:
            found.append(WrongInertia(body, body.name or f"body {k}", tensor, is_full, why))
    return found


def inertia_refusal(source: str, wrong: list[WrongInertia]) -> FileError:
    all_of_them = "; ".join(f"body {one.name!r}: {one.why}" for one in wrong)
    expected = "principal values are not negative, and none exceeds the sum of the other two"
    remedy = ACCEPT
    return FileError(source, f"inertias that no body has: {all_of_them}", expected, remedy)
