"""Warnings about a system: nothing here is an error, all of it may be unintended."""

from mekane.model.geometry.mesh_remarks import remarks_on_meshes
from mekane.model.hybrid.remarks import remarks_on_events
from mekane.model.names import quoted
from mekane.model.traced_functions import remarks_on_functions


def remarks(system) -> list[str]:
    """Warnings in plain words, for `mekane check` and the report."""
    if not system.bodies:
        return [f"system {system.name!r} has no bodies: there is nothing to move."]
    own = [constraint.remark(system) for constraint in system.constraints.values()]
    found = [*_floating(system), *_without_inertia(system), *_massless_ends(system), *filter(None, own)]
    found += _joined_contacts(system)
    return [*found, *remarks_on_meshes(system), *remarks_on_events(system), *remarks_on_functions(system)]


def _floating(system) -> list[str]:
    found = []
    for group in _groups(system):
        if "ground" in group:
            continue
        if len(group) == 1:
            found.append(f"body {group[0]!r} is attached to nothing: it moves freely.")
        else:
            found.append(
                f"bodies {quoted(group)} are joined to one another but not to ground: together they move freely."
            )
    return found


def _joined_contacts(system) -> list[str]:
    return [
        f"{law.part}: joint {joint!r} connects {a!r} and {b!r}, so that they may touch all the time: leave this pair out, unless "
        "the contact is a stop of the joint."
        for law in system.contact_laws.values()
        for (a, b), joint in law.joined_pairs(system).items()
    ]


def _groups(system) -> list[list[str]]:
    """Names of bodies that hang together, "ground" among them."""
    neighbours = {name: [] for name in ["ground", *system.bodies]}
    for joint in system.joints.values():
        neighbours[joint.a].append(joint.b)
        neighbours[joint.b].append(joint.a)
    for constraint in system.constraints.values():
        one, *others = constraint.touched(system) or ["ground"]
        for other in others or ["ground"]:  # of one body alone: it is held to the world
            neighbours[one].append(other)
            neighbours[other].append(one)
    groups, seen = [], set()
    for start in neighbours:
        if start not in seen:
            group = _reach(start, neighbours)
            seen |= set(group)
            groups.append(group)
    return groups


def _reach(start: str, neighbours: dict[str, list[str]]) -> list[str]:
    reached, queue = {start: None}, [start]
    while queue:
        for name in neighbours[queue.pop()]:
            if name not in reached:
                reached[name] = None
                queue.append(name)
    return list(reached)


def _without_inertia(system) -> list[str]:
    return [
        f"body {body.name!r} has mass but no inertia: where a joint lets it spin about its mass centre, that spin is undetermined."
        for body in system.bodies.values()
        if body.is_point_mass
    ]


def _massless_ends(system) -> list[str]:
    welded = {name for joint in system.joints.values() if not joint.primitives() for name in (joint.a, joint.b)}
    joints = [name for joint in system.joints.values() for name in (joint.a, joint.b)]
    return [
        f"body {body.name!r} is massless and has fewer than two joints: nothing determines its motion."
        for body in system.bodies.values()
        if body.massless and not body.inertia.any() and joints.count(body.name) < 2 and body.name not in welded
    ]
