"""Laws that have no finite value somewhere: springs of length zero, roots, quotients. Analyses stop there with an
explanation."""

import numpy as np

from mekane.errors import ModelError

EXPECTED = "forces and their derivatives must be finite"
REMEDY = "Look for a spring whose ends meet, a root or a quotient in a law; or start elsewhere."


def refuse_infinite(part, values, names):
    """values: one row for each of the names."""
    bad = ~np.array([np.isfinite(row).all() for row in np.asarray(values)], dtype=bool)
    if bad.any():
        raise ModelError(
            part,
            f"what acts along {names[int(np.argmax(bad))]!r}, or its derivative, is not finite here",
            EXPECTED,
            REMEDY,
        )
