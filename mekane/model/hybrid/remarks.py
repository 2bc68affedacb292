"""Warnings about events, and about what they switch and set."""


def remarks_on_events(system) -> list[str]:
    """In plain words; nothing of it is an error."""
    locked, released = _named_by(system, "lock"), _named_by(system, "release")
    return [
        *_without_effect(system, locked, released),
        *_never_active(system, locked),
        *_own_condition(system),
        *_contradicting(system),
        *_set_twice(system),
        *_never_set(system),
        *_never_read(system),
        *_hidden(system),
    ]


def _named_by(system, what: str) -> set[str]:
    return {name for event in system.events.values() for name in getattr(event, what)}


def _constrained(system) -> dict:
    return {**system.joints, **system.constraints}


def _without_effect(system, locked: set, released: set) -> list[str]:
    parts = _constrained(system)
    return [
        f"{event.part} locks {name!r}, which is active from the start and which no event releases: it changes nothing. "
        "Declare it with active=False."
        for event in system.events.values()
        for name in event.lock
        if parts[name].active and name not in released
    ] + [
        f"{event.part} releases {name!r}, which is not active at the start and which no event locks: it changes nothing."
        for event in system.events.values()
        for name in event.release
        if not parts[name].active and name not in locked
    ]


def _never_active(system, locked: set) -> list[str]:
    return [
        f"{part.part} has active=False, and no event locks it: it never holds."
        for name, part in _constrained(system).items()
        if not part.active and name not in locked
    ]


def _own_condition(system) -> list[str]:
    return [
        f"{event.part} sets {target!r}, which its own condition reads: while the condition stays true, it does not happen "
        "again."
        for event in system.events.values()
        for target in event.set
        if not event.once and "." not in target and target in event.when.names()
    ]


def _contradicting(system) -> list[str]:
    events = list(system.events.values())
    return [
        f"{one.part} locks and {other.part} releases {name!r} under the same condition: the later of them counts."
        for one in events
        for other in events
        for name in one.lock
        if name in other.release and one.when == other.when
    ]


def _set_twice(system) -> list[str]:
    writers = {name: controller for controller in system.controllers.values() for name in controller.writes}
    return [
        f"{event.part} sets input {target!r}, which {writers[target].part} sets again at its next tick."
        for event in system.events.values()
        for target in event.set
        if target in writers
    ]


def _never_set(system) -> list[str]:
    targets = {target for event in system.events.values() for target in event.set}
    return [
        f"{variable.part} is set by no event: it stays {variable.value:g}."
        for name, variable in system.variables.items()
        if name not in targets
    ]


def _never_read(system) -> list[str]:
    readers = [
        *system.forces.values(),
        *system.constraints.values(),
        *system.contact_laws.values(),
        *system.outputs.values(),
    ]
    values = [
        value for part in (*readers, *system.events.values(), *system.controllers.values()) for value in part.values()
    ]
    if any(value.callback is not None for value in values):  # what it reads is not known
        return []
    read = {name for value in values for name in value.names()}
    return [
        f"{one.part} is read by no expression: it changes nothing."
        for one in system.inputs.values()
        if one.name not in read
    ]


def _hidden(system) -> list[str]:
    """Inputs and variables whose names mean something else in a law: u is the rate in a torsional_law."""
    return [
        f"{force.part} reads {name!r} of its own, not the {parts[name].part}. Choose another name for that."
        for force in system.forces.values()
        for parts in (system.inputs, system.variables)
        for name in force.local
        if name in parts and any(name in value.names() for value in force.values())
    ]
