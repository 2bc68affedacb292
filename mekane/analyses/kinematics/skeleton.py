"""A drawing of where bodies are: each a star from its mass centre to its joints and to the ends of springs on it."""

import numpy as np

from mekane.model.attachments import Axial
from mekane.model.plane import plane_axes


def draw(axes, snapshot, label=None, color="C0", dashed=False):
    """Bodies as lines, springs and other straight forces dotted, into the plane that shows most."""
    run, system = snapshot.result, snapshot.described
    ends, springs = points_of(run, system)
    first, second = shown_plane(
        system, np.concatenate([np.array(points) for points in [*ends.values(), *springs] if len(points)])
    )
    flat = lambda points: (np.array(points) @ first, np.array(points) @ second)
    style = "--" if dashed else "-"
    for name, points in ends.items():
        centre = run.numbers(f"{name}.centre")[0]
        for point in points:
            axes.plot(*flat([centre, point]), style, color=color, lw=1.5, label=label)
            label = None
        axes.plot(*flat([centre]), "o", color=color, ms=3)
    for line in springs:
        axes.plot(*flat(line), ":", color="grey", lw=1)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(f"{axis_name(first)} [m]")
    axes.set_ylabel(f"{axis_name(second)} [m]")


def points_of(run, system):
    """Body → its points of interest; and the straight forces as pairs of points."""
    at = lambda body, point: run.kinematics.position(body, point)[0] if body != "ground" else np.array(point, float)
    ends = {name: [run.numbers(f"{name}.centre")[0]] for name in system.bodies}
    for joint in system.joints.values():
        for body, point in ((joint.a, joint.p_AF), (joint.b, joint.p_BM)):
            if body in ends:
                ends[body].append(at(body, point))
    lines = [force.acts for force in system.forces.values() if isinstance(force.acts, Axial)]
    springs = [[at(line.a, line.point_a), at(line.b, line.point_b)] for line in lines]
    for line, (a, b) in zip(lines, springs, strict=True):
        for body, point in ((line.a, a), (line.b, b)):
            if body in ends:
                ends[body].append(point)
    return ends, springs


def shown_plane(system, points):
    """Two axes of the world: those of a planar model, else the vertical and the wider of the horizontal ones, or the
    two widest."""
    if system.plane:
        axes = plane_axes(system.plane).T[:2]
        return sorted(axes, key=lambda e: abs(e @ np.array(system.gravity)))
    width = np.ptp(points, axis=0)
    up = int(np.argmax(np.abs(system.gravity))) if np.any(system.gravity) else int(np.argmax(width))
    across = max((k for k in range(3) if k != up), key=lambda k: width[k])
    return np.eye(3)[across], np.eye(3)[up]


def axis_name(e):
    k = int(np.abs(e).argmax())
    return ("−" if e[k] < 0 else "") + "xyz"[k]


def figure_of(snapshots, title, path=None, labels=None, dashed=None):
    """A figure with one drawing for each, written if a path is given."""
    from mekane.analyses.figures import panels, written

    figure, (axes,) = panels(title, "", "", size=(6, 5))
    for k, one in enumerate(snapshots):
        draw(axes, one, labels[k] if labels else None, f"C{k % 10}", bool(dashed and dashed[k]))
    if labels:
        axes.legend(fontsize=8)
    return written(figure, path)
