"""`joint`: each body is a child of its neighbour by the joint's own coordinates; joints left over close loops.  [S]
14–17, THEORY §2, §5.

The tree keeps the joints with rotors, with most constraints (so few equations remain), those of massless bodies, and
those whose coordinate a law uses. A joint that events lock or release is never in it.
"""

from mekane.formulations.tree import Tree, free_link, joint_link, joints_with_rotors, particle_link
from mekane.model.hybrid.activity import switched_parts
from mekane.model.values.values import is_of_state


def tree(system):
    kept = spanning_joints(system)
    links = links_outward(system, kept)
    return Tree(links, [name for name in system.joints if name not in kept])


def spanning_joints(system):
    """Names of the joints of a heaviest spanning forest."""
    group = {name: name for name in ("ground", *system.bodies)}

    def root(name):
        while group[name] != name:
            group[name] = name = group[group[name]]
        return name

    used, rotors, switched = used_joints(system), joints_with_rotors(system), switched_parts(system)
    kept, lasting = set(), [joint for joint in system.joints.values() if joint.name not in switched]
    for joint in sorted(lasting, key=lambda j: -weight(system, j, used, rotors)):
        a, b = root(joint.a), root(joint.b)
        if a != b:
            group[a] = b
            kept.add(joint.name)
    return kept


def weight(system, joint, used, rotors):
    massless = any(name in system.bodies and system.bodies[name].massless for name in (joint.a, joint.b))
    return 1000 * (joint.name in rotors) + 100 * massless + 2 * len(joint.rows()) + (joint.name in used)


def used_joints(system):
    """Joints whose coordinate is driven or read by a law."""
    names = set()
    for force in system.forces.values():
        names.update(force.acts.joints)
        for value in force.values():
            names.update(name.split(".")[0] for name in value.names() if is_of_state(name))
    return names


def links_outward(system, kept):
    """Links depth first from the ground; a group that hangs on nothing starts with a free body."""
    neighbours = {name: [] for name in ("ground", *system.bodies)}
    for name in system.joints:
        if name in kept:
            joint = system.joints[name]
            neighbours[joint.a].append((joint, joint.b))
            neighbours[joint.b].append((joint, joint.a))
    links, seen = [], {"ground"}
    grow(["ground"], neighbours, links, seen)
    for body in sorted(system.bodies, key=lambda name: system.bodies[name].massless):
        if body not in seen:
            seen.add(body)
            alone = not neighbours[body] and system.bodies[body].is_point_mass
            links.append(particle_link(system.bodies[body]) if alone else free_link(body))
            grow([body], neighbours, links, seen)
    return links


def grow(stack, neighbours, links, seen):
    """Add what hangs on the bodies of the stack, each branch to its end before the next (so that neighbours have near
    numbers)."""
    while stack:
        parent = stack.pop()
        for joint, child in neighbours[parent]:
            if child not in seen:
                seen.add(child)
                links.append(joint_link(joint, parent))
                stack += [parent, child]
                break
