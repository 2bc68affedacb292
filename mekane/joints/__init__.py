"""Kinds of joint, one file each. A file that is here is found; `kinds` maps its name to its class. What it must hold is
written in mekane.model.joint.Joint."""

from mekane.model.joint import joint_kinds as kinds
from mekane.plugins import import_files

import_files(__name__, __path__)

__all__ = ["kinds"]
