"""Pictures of answers. A picture is a matplotlib figure without a window: notebooks show it, a path writes it. Import
this late."""

from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from warnings import catch_warnings, filterwarnings

import numpy as np
from matplotlib.figure import Figure

from mekane.errors import FileError
from mekane.files import write

MOST = 64  # characters of a line of text in a picture
# of Okabe and Ito, which every eye can distinguish; the page has the same (page/plots.js)
CYCLE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a7a7a")


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
    column[0].set_title(short(title))
    column[-1].set_xlabel(short(x))
    for axes, label in zip(column, y, strict=True):
        axes.set_ylabel(short(label))
        axes.set_prop_cycle(color=CYCLE)
        axes.grid(alpha=0.3)
    return figure, column


def sentence(axes, text):
    """In place of curves, where there are none to draw."""
    axes.text(0.5, 0.5, plain(text), transform=axes.transAxes, ha="center", va="center", wrap=True, color="#55616d")
    axes.set(xticks=[], yticks=[])


def plain(text):
    """Text as it is: matplotlib would read dollars as formulas, and leave out of a legend what begins with an
    underscore."""
    text = str(text).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def short(text, most=MOST):
    """Every line of it, the middle of long ones left out: names may be longer than a picture is wide."""
    tail = most // 3
    return "\n".join(
        line if len(line) <= most else f"{line[: most - tail - 1]}…{line[-tail:]}" for line in text.split("\n")
    )


def with_single_points(figure):
    """Lines of a single point, as of a run with one sample, would not be seen: they get a dot."""
    for line in (line for axes in figure.axes for line in axes.lines):
        if line.get_marker() == "None" and np.isfinite(np.asarray(line.get_ydata(), float)).sum() == 1:
            line.set_marker("o")
    return figure


@contextmanager
def letters_missing():
    """Where text is only measured, or left to whoever shows it, letters that matplotlib's font has not need no
    warning."""
    with catch_warnings():
        filterwarnings("ignore", "Glyph .* missing from")
        yield


def written(figure, path=None):
    """The figure, in a file if a path is given; the file is written whole or not at all."""
    with_single_points(figure)
    if path is not None:
        file = BytesIO()
        try:
            figure.savefig(file, dpi=150, format=Path(path).suffix[1:].lower() or "png")
        except ValueError as error:
            problem = f"it cannot be written ({error})"
            raise FileError(
                f"file {str(path)!r}", problem, "a path that ends in .png, .svg or .pdf is expected"
            ) from None
        write(path, file.getvalue())  # its buffer, kept by an error, ends Python 3.12.1 when garbage is collected
    return figure
