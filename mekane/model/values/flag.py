"""True or false."""

import numpy as np

from mekane.errors import ModelError
from mekane.model.values.units import shown


def flag(value, part: str, what: str) -> bool:
    """The value, if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ModelError(
            part, f"{what} is {shown(value)}", "it is True or False", f"Write {what}=True or leave it out."
        )
    return bool(value)
