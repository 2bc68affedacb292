"""What stands around a mechanism in a picture: floor, axes, the direction of gravity, the time. Drawn by Pillow."""

from functools import lru_cache

import numpy as np

from mekane.errors import ModelError
from mekane.view.painting import rgb

AIR, LINE, INK, SOFT = "#f7f9fb", "#c3cbd3", "#1c2733", "#57606a"
AXES = (("x", "#d1242f"), ("y", "#1a7f37"), ("z", "#1f6feb"))
LINES = 3  # of the floor, beyond which a cell is drawn in pieces that fade


def pillow():
    """The modules Image, ImageDraw and ImageFont."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise ModelError("picture", "Pillow is not there", "it draws and writes pictures", "Install it: pip install pillow.") from None
    return Image, ImageDraw, ImageFont


def backdrop(camera, floor, middle, line: float) -> np.ndarray:
    """Air and the floor, whose lines fade away from the middle; it goes along with the middle by whole cells."""
    Image, ImageDraw, _ = pillow()
    image = Image.new("RGB", camera.size, AIR)
    draw, (starts, ends, far) = ImageDraw.Draw(image), floor_lines(floor, middle)
    a, b = camera.project(starts), camera.project(ends)
    seen = np.flatnonzero((a[:, 2] > 0) & (b[:, 2] > 0) & (np.maximum(a[:, 2], b[:, 2]) < 1 / camera.near) & (far < 1))
    for k in seen:
        draw.line([*a[k, :2], *b[k, :2]], fill=mixed(AIR, LINE, 1 - far[k] ** 2), width=max(1, round(0.5 * line)))
    return np.asarray(image)


def floor_lines(floor, middle):
    """Starts and ends of the pieces of the grid, and how far out they are, 1 at the border."""
    local = np.round((middle - floor.point) @ floor.axes / floor.cell)
    half, n = floor.cells // 2, floor.cells
    along, across = np.meshgrid(np.arange(n), np.arange(n + 1))
    along, across = along.ravel() - half, across.ravel() - half
    pieces = []
    for swap in (False, True):
        ends = [np.column_stack([across, along + step] if swap else [along + step, across]) for step in (0, 1)]
        pieces.append(ends)
    flat = [np.concatenate([pieces[0][k], pieces[1][k]]) for k in (0, 1)]
    far = np.linalg.norm((flat[0] + flat[1]) / 2, axis=1) / half
    world = [floor.point + floor.cell * (xy + local[:2]) @ floor.axes[:, :2].T for xy in flat]
    return *world, far


def mixed(one: str, other: str, share: float) -> tuple[int, int, int]:
    return tuple(int(x) for x in np.round(rgb(one) + share * (rgb(other) - rgb(one))))


def label(image, scene, camera, text: str) -> None:
    """Axes and gravity in the lower left corner, the time in the upper left: drawn over the picture."""
    _, ImageDraw, _ = pillow()
    draw, unit = ImageDraw.Draw(image), camera.size[1] / 100
    compass(draw, camera.axes, (7.5 * unit, camera.size[1] - 7.5 * unit), unit)
    if np.any(scene.gravity):
        g = np.array(scene.gravity) / np.linalg.norm(scene.gravity)
        arrow(draw, camera.axes @ g, (17 * unit, camera.size[1] - 7.5 * unit), unit)
    draw.text((3 * unit, 2.4 * unit), text, fill=INK, font=font(round(4.2 * unit)))


def compass(draw, axes, at, unit: float) -> None:
    """The axes of the world as the camera sees them, the farthest first."""
    for k in np.argsort(axes[2]):
        (name, colour), (right, up, _) = AXES[k], axes[:, k]
        end = at[0] + 5 * unit * right, at[1] - 5 * unit * up
        draw.line([at, end], fill=colour, width=max(1, round(0.5 * unit)))
        if np.hypot(right, up) > 0.3:
            tip = at[0] + 6.4 * unit * right, at[1] - 6.4 * unit * up
            draw.text(tip, name, fill=colour, font=font(round(2.8 * unit)), anchor="mm")


def arrow(draw, seen, at, unit: float) -> None:
    """Gravity, around its middle `at`."""
    way, length = np.array([seen[0], -seen[1]]), np.hypot(seen[0], seen[1])
    if length < 0.15:
        return  # along the line of sight
    at, way = np.array(at), way / length
    tip, tail, side = at + 4 * length * unit * way, at - 4 * length * unit * way, np.array([-way[1], way[0]])
    neck = tip - 2.2 * unit * way
    draw.line([*tail, *neck], fill=SOFT, width=max(1, round(0.5 * unit)))
    draw.polygon([tuple(tip), tuple(neck + 0.9 * unit * side), tuple(neck - 0.9 * unit * side)], fill=SOFT)
    draw.text(tuple(at + 2.6 * unit * np.abs(side)), "g", fill=SOFT, font=font(round(2.8 * unit)), anchor="mm")


@lru_cache(maxsize=16)
def font(size: int):
    """The sans serif that comes with matplotlib: the same picture on every machine."""
    from pathlib import Path

    from matplotlib import get_data_path

    return pillow()[2].truetype(str(Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"), max(size, 6))
