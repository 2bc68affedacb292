"""mekane demo: the seven-body mechanism, from nothing to files."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.commands.gallery import as_data, put_checks
from mekane.cli.commands.run import exit_code
from mekane.cli.console import put, put_json
from mekane.cli.output import check_folder, keep
from mekane.cli.runs import played
from mekane.cli.summary import put_summary, summary
from mekane.errors import FileError

NAME = "squeezer"
PLOTTED = ["K1.angular_velocity", "spring.tension"]
Folder = Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="Write the files here.")]


@register("demo", place=180)
def command(folder: Folder = Path("out"), json: options.Json = False):
    """Run the seven-body mechanism (the thesis' squeezer), show what came out and where it was written."""
    from mekane import gallery

    make(folder)
    mechanism = gallery.find(NAME)
    result = played(mechanism, {})
    written = write(result, folder)
    outcomes = mechanism.outcomes(result)
    if json:
        put_json(
            summary(result)
            | {"checks": [as_data(outcome) for outcome in outcomes], "files": [str(path) for path in written]}
        )
    else:
        put(f"{mechanism.title}\n{mechanism.source}")
        put_summary(result)
        put("Against the reference, at the end:")
        put_checks([outcome for outcome in outcomes if outcome.check.t == mechanism.t_end])
        put(f"Written: {', '.join(str(path) for path in written)}")
        put(f"To see it move, open {written[-1]} in a browser, or write: mekane view {written[0]}")
    raise typer.Exit(exit_code(result.info["stopped"]))


def make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            str(folder), f"it cannot be made ({error.strerror or error})", remedy="Choose another --folder."
        ) from None
    check_folder(folder)


def write(result, folder: Path) -> list[Path]:
    """Result, table, report, a picture, and a page that plays."""
    written = keep(result, folder / f"{NAME}.nc", csv=True, partial=bool(result.info["stopped"]))
    listing, picture, page = (folder / f"{NAME}{ending}" for ending in (".txt", ".png", ".html"))
    result.report(listing)
    result.plot(*PLOTTED, path=picture)
    result.save_html(page, plots=PLOTTED)
    return [*written, listing, picture, page]
