"""Where things are in a drawing of a topology, in inches, y upward.

Bodies stand in rows by their distance from the ground, each under its parent. Ties, which are no part of the
tree, leave a body downward into the channel under its row, run on a track of their own to the right of the tree, and
meet in a lane, where their name stands. Names of lanes are at the height of bodies, tracks are between: neither runs
over the other.
"""

from typing import NamedTuple

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from mekane.analyses.figures import letters_missing
from mekane.view.topology.loop_closures import ties_of

FONT, SMALL = 9, 7.5  # points
BOX, GAP, MARGIN = 0.3, 0.18, 0.25
PORT, TRACK, CLEAR = 0.1, 0.1, 0.14  # between ties at a body; between tracks; from a row to its first track
NAMES = 0.36  # height of the two lines that name a joint


class Layout(NamedTuple):
    x: dict  # body → middle of its box
    y: dict  # body → middle of its box
    width: dict  # body → width of its box
    bus: dict  # body → height at which the lines to its children part
    lanes: list  # (tie, x, height of its name, [(x of the port, body, height of the track), …])
    left: float
    right: float
    bottom: float


def width_of(text, size=FONT):
    """Of the longest line [in]."""
    font = FontProperties(size=size)
    with letters_missing():
        return (
            max(text_to_path.get_text_width_height_descent(line, font, ismath=False)[0] for line in text.split("\n"))
            / 72
        )


def joint_label(topology, link):
    return f"{link.joint}\n{topology.system.joints[link.joint].kind}" if link.joint else "free"


def layout(topology):
    ties, links = ties_of(topology), {link.body: link for link in topology.links}
    bodies = ("ground", *topology.bodies)
    row = {"ground": 0} | {body: below + 1 for body, below in zip(topology.bodies, topology.below, strict=True)}
    ends = {body: [k for k, tie in enumerate(ties) if body in tie.bodies] for body in bodies}
    width = {body: max(width_of(body) + 0.24, 2 * PORT * (len(ends[body]) + 1)) for body in bodies}
    labels = {"ground": 0.0} | {body: width_of(joint_label(topology, link), SMALL) for body, link in links.items()}
    x = across(bodies, links, {body: max(width[body], labels[body]) + GAP for body in bodies})
    # (tie, body) in the order of their tracks: those further left below
    tracks = {r: [] for r in range(max(row.values()) + 1)}
    for body in sorted(bodies, key=lambda name: -x[name]):
        tracks[row[body]] += [(k, body) for k in reversed(ends[body])]
    level = levels(tracks)
    y = {body: level[row[body]] for body in bodies}
    bus = {body: y[body] - BOX / 2 - CLEAR - TRACK * len(tracks[row[body]]) for body in bodies}
    left, edge = (f(x[b] + side * width[b] / 2 for b in bodies) for f, side in ((min, -1), (max, 1)))
    lanes, right = in_lanes(ties, ends, tracks, x, y, row, edge)
    return Layout(
        x, y, width, bus, lanes, left, right, min(level.values()) - BOX / 2 - CLEAR - TRACK * len(tracks[max(tracks)])
    )


def across(bodies, links, needed):
    """Middles of the boxes: each body over the middle of its children."""
    children = {body: [] for body in bodies}
    for body, link in links.items():
        children[link.parent].append(body)
    space = {}
    for body in reversed(bodies):  # the children of a body come after it
        space[body] = max(needed[body], sum(space[child] for child in children[body]))
    x = {"ground": space["ground"] / 2}
    for body in bodies:
        start = x[body] - sum(space[child] for child in children[body]) / 2
        for child in children[body]:
            x[child] = start + space[child] / 2
            start += space[child]
    return x


def levels(tracks):
    """Height of each row: under one come its tracks, the bus, and the names of the joints of the next."""
    found, y = {}, 0.0
    for r, there in tracks.items():
        found[r] = y
        y -= BOX + CLEAR + TRACK * len(there) + GAP / 2 + NAMES + GAP / 2
    return found


def in_lanes(ties, ends, tracks, x, y, row, edge):
    found, right = [], edge
    for k, tie in enumerate(ties):
        half = width_of(f"{tie.name}\n{tie.kind}", SMALL) / 2
        lane = right + GAP + half
        right = lane + half
        ways = []
        for body in tie.bodies:
            port = x[body] + PORT * (1 + ends[body].index(k))
            track = y[body] - BOX / 2 - CLEAR - TRACK * tracks[row[body]].index((k, body))
            ways.append((port, body, track))
        found.append((tie, lane, min((y[body] for body in tie.bodies), default=0.0), ways))
    return found, right
