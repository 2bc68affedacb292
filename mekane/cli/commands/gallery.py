"""mekane gallery: mechanisms with known answers."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.commands.run import exit_code
from mekane.cli.console import put, put_json, put_table, say
from mekane.cli.errors import DEFECT
from mekane.cli.gallery_pages import pages, refuse
from mekane.cli.runs import played
from mekane.cli.summary import put_summary, summary

WHERE = "Write pages into this folder: all mechanisms, or the one named, with moving pictures, checks and equations."
Html = Annotated[Path | None, typer.Option("--html", metavar="FOLDER", help=WHERE, show_default=False)]
Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Run this one and compare it with its reference.", show_default=False),
]


@register("gallery", place=170)
def command(
    name: Name = None, html: Html = None, method: options.Method = None, formulation: options.Formulation = None,
    json: options.Json = False,
):  # fmt: skip
    """List the mechanisms of the gallery, run one and compare it with its reference, or write pages of them."""
    from mekane import gallery

    changes = {name: value for name, value in (("method", method), ("formulation", formulation)) if value is not None}
    options.check_names(changes)
    if html is not None:
        refuse(json, name, changes)
        raise typer.Exit(pages([gallery.find(name)] if name else gallery.mechanisms(), html, changes))
    if name is None:
        put_list(gallery.mechanisms(), json)
        return
    mechanism = gallery.find(name)
    result = played(mechanism, changes)
    outcomes = mechanism.outcomes(result)
    show(mechanism, result, outcomes, json)
    code = exit_code(result.info["stopped"])
    raise typer.Exit(code if code or all(outcome.met for outcome in outcomes) else DEFECT)


def put_list(mechanisms, json: bool) -> None:
    if json:
        put_json(
            [
                {"name": m.name, "title": m.title, "source": m.source, "t_end": m.t_end, "checks": len(m.checks)}
                for m in mechanisms
            ]
        )
        return
    put_table(["name", "what it is"], [[m.name, m.title] for m in mechanisms], texts=2)
    put("mekane gallery NAME runs one and compares it with its reference.")


def show(mechanism, result, outcomes, json: bool) -> None:
    if json:
        put_json(
            summary(result)
            | {"name": mechanism.name, "source": mechanism.source, "checks": [as_data(o) for o in outcomes]}
        )
        return
    put(f"{mechanism.title}\n{mechanism.source}")
    put_summary(result)
    put_checks(outcomes)
    if result.info["stopped"]:
        say(f"Not finished: {result.info['stopped']}.")


def put_checks(outcomes) -> None:
    """Errors beside tolerances."""
    from mekane.gallery.entry import HEADINGS

    if not outcomes:
        put("No reference value lies within this run.")
        return
    put_table(HEADINGS, [outcome.row for outcome in outcomes])


def as_data(outcome) -> dict:
    check = outcome.check
    return {
        "what": check.what, "t": check.t, "expected": check.expected, "found": outcome.found, "error": outcome.error,
        "tolerance": check.tolerance, "relative": check.relative, "met": outcome.met, "why": check.why,
    }  # fmt: skip
