"""The tree of a robot: links in an order in which parents come first, or an error that tells why it is none."""

from mekane.errors import FileError, did_you_mean
from mekane.importers.urdf.robot import Robot, RobotJoint

LOOPS = "Loops are given beside the file, under `loops:` in a file that ends in .loops.yaml."


def root_and_joints(robot: Robot) -> tuple[str, list[RobotJoint]]:
    """The link that no joint moves, and the joints from there outwards."""
    above = _joints_above(robot)
    roots = [name for name in robot.links if name not in above]
    if not roots:
        cycle = _cycle(next(iter(robot.links)), above)
        raise FileError(above[cycle[0]].element.place, _closed(cycle), "a robot is a tree", LOOPS)
    if len(roots) > 1:
        problem = f"{len(roots)} links have no parent: {', '.join(map(repr, roots))}"
        raise FileError(robot.links[roots[1]].element.place, problem, "one link is the base of all others")
    order = _outwards(roots[0], robot)
    if len(order) + 1 < len(robot.links):
        reached = {roots[0], *(joint.child for joint in order)}
        cycle = _cycle(next(name for name in robot.links if name not in reached), above)
        raise FileError(above[cycle[0]].element.place, _closed(cycle), "a robot is a tree", LOOPS)
    return roots[0], order


def _joints_above(robot: Robot) -> dict[str, RobotJoint]:
    """The joint that carries each link."""
    above = {}
    for joint in robot.joints.values():
        for end in (joint.parent, joint.child):
            if end not in robot.links:
                remedy = did_you_mean(end, robot.links).strip()
                raise FileError(
                    joint.element.place, f"there is no link {end!r}", "its parent and child are links", remedy
                )
        if joint.child in above:
            problem = f"link {joint.child!r} has another parent by joint {above[joint.child].name!r}"
            raise FileError(joint.element.place, problem, "a link has one parent", LOOPS)
        above[joint.child] = joint
    return above


def _outwards(root: str, robot: Robot) -> list[RobotJoint]:
    below = {}
    for joint in robot.joints.values():
        below.setdefault(joint.parent, []).append(joint)
    order, queue = [], [root]
    while queue:
        carried = below.get(queue.pop(), [])
        order += carried
        queue += [joint.child for joint in reversed(carried)]
    return order


def _cycle(link: str, above: dict[str, RobotJoint]) -> list[str]:
    """Links around the cycle that is met on the way inwards."""
    way = [link]
    while above[way[-1]].parent not in way:
        way.append(above[way[-1]].parent)
    return way[way.index(above[way[-1]].parent) :]


def _closed(cycle: list[str]) -> str:
    return f"links {' – '.join(map(repr, [*cycle, cycle[0]]))} carry one another in a circle"
