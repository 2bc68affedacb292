"""Pictures of answers with matplotlib, which is loaded when one is wanted. Without a path the picture is shown, or left to the notebook."""

from contextlib import contextmanager
from pathlib import Path

from mekane.errors import FileError


@contextmanager
def picture(path, x, y, title, panels=1):
    """Axes to draw on (a list, if there are several panels); saved to `path` afterwards."""
    import matplotlib

    if path is not None:
        matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(panels, 1, figsize=(7, 3.2 + 1.4 * panels), squeeze=False, sharex=True, layout="constrained")
    column = list(axes[:, 0])
    column[0].set_title(title)
    column[-1].set_xlabel(x)
    for one, label in zip(column, y if isinstance(y, (list, tuple)) else [y] * panels, strict=True):
        one.set_ylabel(label)
        one.grid(alpha=0.3)
    try:
        yield column[0] if panels == 1 else column
        if path is None:
            plt.show()
        else:
            save(figure, path)
    finally:
        plt.close(figure)


def save(figure, path):
    try:
        figure.savefig(Path(path), dpi=150)
    except (OSError, ValueError) as error:
        raise FileError(str(path), f"the picture cannot be written ({error})", "a path that ends in .png, .svg or .pdf") from None
