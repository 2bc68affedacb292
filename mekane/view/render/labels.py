"""What is written over a picture: axes, the direction of gravity, the time. Drawn by Pillow."""

from functools import lru_cache

import numpy as np

from mekane.errors import ModelError

INK, SOFT = "#1c2733", "#57606a"
AXES = (("x", "#d1242f"), ("y", "#1a7f37"), ("z", "#1f6feb"))


def pillow():
    """The modules Image, ImageDraw and ImageFont."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise ModelError(
            "picture", "Pillow is not there", "it draws and writes pictures", "Install it: pip install pillow."
        ) from None
    return Image, ImageDraw, ImageFont


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
    if length < 0.3:
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
