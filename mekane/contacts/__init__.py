"""Laws that are sets: contact, limits, friction that sticks, clutches; one file each. A file that is here is found;
`kinds` maps its name to its class. What it must hold is written in mekane.model.set_valued.SetValued."""

from mekane.model.set_valued import contact_kinds as kinds
from mekane.plugins import import_files

import_files(__name__, __path__)

__all__ = ["kinds"]
