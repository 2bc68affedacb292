"""Kinds of joint, one file each, named by the kind. A file that is here is found, and imported when it is needed; `kinds`
maps its name to its class. What it must hold is written in mekane.model.joint.Joint."""

from mekane.model.joint import joint_kinds as kinds
from mekane.model.system import add_kinds

add_kinds(kinds, __name__, __path__)

__all__ = ["kinds"]
