"""mekane live: a page in which the mechanism is simulated, to share."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import say
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import Kind, check_targets
from mekane.cli.progress import watching
from mekane.errors import ModelError

PAGE = Kind("pages", lambda installed: [".html", ".htm"])
WHERE = "Write it here. [default: the name of the model, .live.html]"
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=WHERE, show_default=False)]
WHAT = "A number that can be changed while it runs, with or without its range: m, arm.mass=0.5:4. [default: all parameters]"
Sliders = Annotated[
    list[str] | None, typer.Option("--slider", metavar="NAME[=LOW:HIGH]", help=WHAT, show_default=False)
]


@register("live", place=55)
def command(
    model: Model, output: Output = None, slider: Sliders = None, t_end: options.TEnd = None, set: options.Set = None,
    formulation: options.Formulation = None,
):  # fmt: skip
    """Write a page in which the mechanism is simulated and can be dragged: one file, without a server or a network."""
    output = output or Path(f"{model.stem}.live.html")
    check_targets((PAGE, output))
    system, settings = read_model(model, set, t_end=t_end, formulation=formulation)
    given = {name: settings[name] for name in ("t_end", "formulation", "impacts") if name in settings}
    from mekane.view.web.live_page import save_live

    with options.about(model), watching(0.0):
        save_live(system, output, None if slider is None else dict(map(read_range, slider)), **given)
    say(f"written: {output}")


def read_range(text):
    """ "arm.mass=0.5:4" → ("arm.mass", (0.5, 4.0)); without a range (name, None)."""
    name, given, ends = text.partition("=")
    if not given:
        return name, None
    try:
        low, high = map(float, ends.split(":"))
    except ValueError:
        raise ModelError(
            "--slider",
            f"it is {text!r}",
            "NAME or NAME=LOW:HIGH is expected, in SI units",
            "Write --slider arm.mass=0.5:4.",
        ) from None
    return name, (low, high)
