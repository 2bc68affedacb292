"""The topology of a system as a drawing: bodies in rows from the ground down, cut joints dashed, constraints dotted."""

from mekane.analyses.figures import Picture, plain, written
from mekane.model.part_count import parts_of
from mekane.view.topology.freedom import freedom_of, freedom_text
from mekane.view.topology.layout import BOX, FONT, GAP, MARGIN, SMALL, joint_label, layout, width_of

TITLE, LEGEND = 0.5, 0.3  # heights [in]
LARGEST = 120.0  # inches; what is larger is drawn smaller
# of cut joints, of constraints
STYLES = {True: dict(color="C3", linestyle="--"), False: dict(color="C0", linestyle=":")}


def topology_picture(topology, path=None, freedom=None):
    """A figure, written to `path` if given.  freedom: (number, sentence), computed unless given."""
    at = layout(topology)
    number, _ = freedom or freedom_of(topology.system)
    lines = [topology.system.name, f"{parts_of(topology.system)}; {freedom_text(number)}", legend_of(at)]
    width = max(at.right - at.left, *(width_of(line, FONT + 2) for line in lines))  # the title is bold
    left, bottom = (at.left + at.right - width) / 2 - MARGIN, at.bottom - LEGEND - MARGIN
    width, height = width + 2 * MARGIN, BOX / 2 + TITLE + MARGIN - bottom
    scale = min(1.0, LARGEST / max(width, height))
    figure = Picture(figsize=(scale * width, scale * height))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(left, left + width), ylim=(bottom, bottom + height))
    axes.set_axis_off()
    pen = Pen(axes, scale)
    draw_tree(pen, topology, at)
    draw_ties(pen, at)
    middle = left + width / 2
    pen.text(middle, BOX / 2 + TITLE - 0.02, lines[0], FONT + 1, "title", weight="bold")
    pen.text(middle, BOX / 2 + TITLE - 0.22, lines[1], SMALL, "freedom")
    pen.text(middle, bottom + MARGIN + 0.05, lines[2], SMALL, "legend", color="0.4")
    return written(figure, path)


class Pen:
    """Draws in inches."""

    def __init__(self, axes, scale):
        self.axes, self.scale = axes, scale

    def line(self, *points, **style):
        self.axes.plot(*zip(*points, strict=True), **{"color": "0.2", "lw": 1.1 * self.scale, "zorder": 1, **style})

    def text(self, x, y, text, size, name, **style):
        """name: how the artist is found again, and its id in SVG."""
        self.axes.text(x, y, plain(text), size=size * self.scale, ha="center", va="center", gid=name, zorder=3, **style)

    def box(self, x, y, text, width, name, **style):
        from matplotlib.patches import FancyBboxPatch

        style = {"facecolor": "white", "edgecolor": "0.2", "lw": 1.1 * self.scale, "zorder": 2, **style}
        corner = (x - width / 2 + 0.05, y - BOX / 2 + 0.05)
        self.axes.add_patch(FancyBboxPatch(corner, width - 0.1, BOX - 0.1, boxstyle="round,pad=0.05", **style))
        self.text(x, y, text, FONT, name)


def draw_tree(pen, topology, at):
    pen.box(at.x["ground"], at.y["ground"], "ground", at.width["ground"], "body ground", facecolor="0.85")
    for link in topology.links:
        x, y, above = at.x[link.body], at.y[link.body], at.x[link.parent]
        style = {} if link.joint else {"color": "0.6"}
        # down, across, down
        pen.line((above, at.y[link.parent]), (above, at.bus[link.parent]), (x, at.bus[link.parent]), (x, y), **style)
        pen.box(x, y, link.body, at.width[link.body], f"body {link.body}")
        named = f"joint {link.joint}" if link.joint else f"free {link.body}"
        label(pen, x, y + BOX / 2 + GAP / 2 + 0.16, joint_label(topology, link), named)


def label(pen, x, y, text, name, color="black"):
    """A name that stands on a line."""
    pen.text(
        x,
        y,
        text,
        SMALL,
        name,
        color=color,
        bbox=dict(facecolor="white", edgecolor="none", pad=1.0 * pen.scale),
        linespacing=1.0,
    )


def draw_ties(pen, at):
    for tie, lane, y, ways in at.lanes:
        style = STYLES[tie.is_joint]
        for port, body, track in ways:
            pen.line((port, at.y[body] - BOX / 2), (port, track), (lane, track), **style)
        heights = [y, *(track for _, _, track in ways)]
        pen.line((lane, min(heights)), (lane, max(heights)), **style)
        label(
            pen,
            lane,
            y,
            f"{tie.name}\n{tie.kind}",
            f"{'joint' if tie.is_joint else 'constraint'} {tie.name}",
            style["color"],
        )


def legend_of(at):
    kinds = {tie.is_joint for tie, *_ in at.lanes}
    texts = {True: "dashed: joints held by constraint equations", False: "dotted: constraints"}
    return "; ".join(text for kind, text in texts.items() if kind in kinds)
