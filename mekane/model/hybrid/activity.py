"""Which joints and constraints may be active at one time and not at another."""


def switched_parts(system) -> list[str]:
    """Names of the joints and constraints that events lock or release, or that do not hold at the start."""
    named = {name for event in system.events.values() for name in (*event.release, *event.lock)}
    parts = {**system.joints, **system.constraints}
    return [name for name, part in parts.items() if name in named or not part.active]


def is_active(system, name: str) -> bool:
    """Whether a joint or constraint holds at the start."""
    return {**system.joints, **system.constraints}[name].active
