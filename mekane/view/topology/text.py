"""The topology of a system as text: the tree of bodies with their joints, and what ties bodies beside it."""

from mekane.model.part_count import parts_of
from mekane.view.topology.freedom import freedom_of
from mekane.view.topology.loop_closures import freedoms, ties_of


def topology_text(topology, freedom=None):
    """All of it.  freedom: (number, sentence), computed unless given."""
    system = topology.system
    _, sentence = freedom or freedom_of(system)
    tree = f"Tree of the {topology.formulation} formulation:"
    return "\n".join([f"{system.name}: {parts_of(system)}", sentence, "", tree, *branches(topology), *beside(topology)])


def branches(topology):
    """Lines of the tree, each body under its parent; their joints in a column."""
    children = {name: [] for name in ("ground", *topology.bodies)}
    for link in topology.links:
        children[link.parent].append(link)
    rows, stack = (
        [("ground", "")],
        [(link, "", link is children["ground"][-1]) for link in reversed(children["ground"])],
    )
    while stack:
        link, before, last = stack.pop()
        rows.append((f"{before}{'└─' if last else '├─'} {link.body}", joint_text(topology, link)))
        below, inner = children[link.body], before + ("   " if last else "│  ")
        stack += [(child, inner, child is below[-1]) for child in reversed(below)]
    width = max(len(left) for left, _ in rows) + 3
    return [f"{left.ljust(width)}{right}".rstrip() for left, right in rows]


def joint_text(topology, link):
    n = freedoms(link)
    many = f"{n} freedom{'' if n == 1 else 's'}"
    return f"{link.joint} ({topology.system.joints[link.joint].kind}, {many})" if link.joint else f"by nothing ({many})"


def beside(topology):
    ties = ties_of(topology)
    groups = {"Cut joints, held by constraint equations:": True, "Constraints:": False}
    for title, is_joint in groups.items():
        lines = [f"  {tie.name} ({tie.kind}): {' – '.join(tie.bodies)}" for tie in ties if tie.is_joint is is_joint]
        yield from ["", title, *lines] if lines else []
