"""What constraints tell of the appearance of bodies: wheels, balls and ellipsoids that roll, gear wheels, pinions,
cams. What they do not tell is left to appearance.py."""

import numpy as np


def solids_from_constraints(system) -> dict[str, list]:
    """Solids of bodies (or of the ground), by name."""
    found = {}
    for constraint in system.constraints.values():
        for body, solid in constraint.solids(system):
            if not any(same(solid, other) for other in found.setdefault(body, [])):
                found[body].append(solid)
    return found


def same(one, other) -> bool:
    """Two constraints may tell of the same wheel, up to round-off."""
    if one.kind != other.kind or one.outline != other.outline:
        return False
    return np.allclose([*one.size, *one.position], [*other.size, *other.position], rtol=1e-9, atol=1e-12)
