"""System.remove: a part or a parameter that nothing needs is taken out of a system."""

from mekane.errors import ModelError, did_you_mean
from mekane.expressions.parse import symbol_name
from mekane.model.construction_log import PARTS, rebuilt
from mekane.model.named_part import named_parts_of


def remove(system, name: str) -> None:
    """Take a body, joint, force, event … or parameter out of the system. Its name is free again afterwards.

    name: the part, or its name. It is refused while another part is attached to it or names it in an expression."""
    name = getattr(name, "name", name)
    collection = collection_of(system, name)
    users = users_of_parameter(system, name) if collection == "parameters" else users_of_part(system, name)
    if users:
        problem, names = f"{', '.join(users)} {'needs' if len(users) == 1 else 'need'} it", ", ".join(map(repr, users))
        raise ModelError(f"remove {name!r}", problem, "nothing may need what is removed", f"Remove {names} first.")
    del getattr(system, collection)[name]
    for record in (system._construction, system._came_with, system._measured, system._placed_by):
        record.pop(name, None)
    system._initial_conditions = {
        key: value for key, value in system._initial_conditions.items() if key.partition(".")[0] != name
    }
    system.notes = [note for note in system.notes if not note.startswith(f"body {name!r}:")]


def collection_of(system, name):
    """The collection with the part or parameter of this name."""
    for collection in (*PARTS, "parameters"):
        if name in getattr(system, collection):
            return collection
    known = [part for one in (*PARTS, "parameters") for part in getattr(system, one)]
    problem, remedy = f"there is no {name!r}", did_you_mean(str(name), known).strip()
    raise ModelError(f"system {system.name!r}", problem, f"it has {', '.join(known) or 'no parts'}", remedy)


def users_of_part(system, name):
    """Parts that are attached to this one, or that name it in an expression."""
    found = [joint.name for joint in system.joints.values() if name in (joint.a, joint.b)]
    found += [
        c.name
        for c in (*system.constraints.values(), *system.contact_laws.values())
        if name in {*attached(c), *owners(c)}
    ]
    found += [f.name for f in system.forces.values() if name in {*attached(f.acts), *owners(f)}]
    found += [own for own, speed in system.own_speeds.items() if name in owners_in(speed.value)]
    found += [one.name for one in named_parts_of(system) if name in {*one.uses(), *owners(one)}]
    return [one for one in found if one != name]


def attached(record):
    """Names of bodies and joints in the fields of a constraint or of a place."""
    for field, given in vars(record).items():
        if field in ("a", "b", "body", "joint", "on", "of") and isinstance(given, str):
            yield given
        elif field != "name":
            yield from (
                x for x in (getattr(given, "body", None), getattr(given, "joint", None), given) if isinstance(x, str)
            )


def owners(record):
    local = getattr(record, "local", ())
    return {owner for value in record.values() for owner in owners_in(value) if owner not in local}


def owners_in(value):
    return {name.partition(".")[0] for name in value.names() if not name.startswith("$")}


def users_of_parameter(system, name):
    """Parts with this parameter in an expression or in a number."""
    symbol = symbol_name(name)
    parts = [
        *system.constraints.values(),
        *system.contact_laws.values(),
        *system.forces.values(),
        *named_parts_of(system),
    ]
    found = [part.name for part in parts if any(symbol in value.names() for value in part.values())]
    found += [own for own, speed in system.own_speeds.items() if symbol in speed.value.names()]
    if found:
        return found
    others = {one: value for one, value in system.parameters.items() if one != name}
    try:
        return ["a part that brings it as mk.Param"] if name in rebuilt(system, others).parameters else []
    except ModelError as error:
        return [error.part]
