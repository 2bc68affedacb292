"""Pictures of answers. A picture is a matplotlib figure without a window: notebooks show it, a path writes it. Import this late."""

import os
from io import BytesIO
from pathlib import Path

from matplotlib.figure import Figure

from mekane.errors import FileError


class Picture(Figure):
    """A Figure that notebooks show, whatever they have loaded."""

    def _repr_png_(self):
        file = BytesIO()
        self.savefig(file, format="png")
        return file.getvalue()


def panels(title, x, *y, size=None):
    """A picture and its axes one above the other, all over `x`, one for each label of `y`."""
    figure = Picture(figsize=size or (7, 3.2 + 1.4 * len(y)), layout="constrained")
    column = list(figure.subplots(len(y), squeeze=False, sharex=True)[:, 0])
    column[0].set_title(title)
    column[-1].set_xlabel(x)
    for axes, label in zip(column, y, strict=True):
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
    return figure, column


def plain(text):
    """Text as it is: matplotlib would read dollars as formulas, and leave out of a legend what begins with an underscore."""
    text = str(text).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def written(figure, path=None):
    """The figure, in a file if a path is given; the file is written whole or not at all."""
    if path is not None:
        whole = Path(path).expanduser()
        beside = whole.with_name(f".{whole.name}.{os.getpid()}.part")
        try:
            figure.savefig(beside, dpi=150, format=whole.suffix[1:].lower() or "png")
            os.replace(beside, whole)
        except (OSError, ValueError) as error:
            problem = f"the picture cannot be written ({getattr(error, 'strerror', None) or error})"
            raise FileError(str(path), problem, "a path that ends in .png, .svg or .pdf is expected") from None
        finally:
            beside.unlink(missing_ok=True)
    return figure
