"""How many parts a system has, as text."""

from mekane.errors import many


def parts_of(system) -> str:
    """How many bodies, joints, constraints (if any) and forces."""
    constraints = [many(len(system.constraints), "constraint")] if system.constraints else []
    return ", ".join(
        [
            many(len(system.bodies), "body"),
            many(len(system.joints), "joint"),
            *constraints,
            many(len(system.forces), "force"),
        ]
    )
