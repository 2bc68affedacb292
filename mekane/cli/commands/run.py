"""mekane run: simulate a model file and keep the result."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put, put_answer, put_json, say
from mekane.cli.errors import INTERRUPTED, STOPPED
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import check_result_target, keep
from mekane.cli.progress import watching
from mekane.cli.runs import simulated
from mekane.cli.summary import put_summary, summary

WHERE = "Write the result here, .nc or .csv. [default: the model's name with .nc]"
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help=WHERE)]
GO_ON = "Go on with a run that was stopped or killed, from its checkpoint."
Resume = Annotated[bool, typer.Option("--resume", help=GO_ON)]
Csv = Annotated[bool, typer.Option("--csv", help="Write a CSV file beside it, too.")]
REPEAT = "Repeat the run more accurately and in another formulation, and print the digits that agree."
Verify = Annotated[bool, typer.Option("--verify", help=REPEAT)]


@register("run", place=30)
def command(
    model: Model,
    output: Output = None,
    t_end: options.TEnd = None,
    every: options.Every = None,
    method: options.Method = None,
    rtol: options.Rtol = None,
    atol: options.Atol = None,
    step: options.Step = None,
    formulation: options.Formulation = None,
    correct: options.Correct = None,
    constraints: options.Constraints = None,
    code: options.Code = None,
    until: options.Until = None,
    set: options.Set = None,
    json: options.Json = False,
    csv: Csv = False,
    verify: Verify = False,
    resume: Resume = False,
):
    """Simulate a model and keep the result."""
    given = dict(
        t_end=t_end,
        every=every,
        method=method,
        rtol=rtol,
        atol=atol,
        step=step,
        formulation=formulation,
        correct=correct,
    )
    given |= dict(constraints=constraints, code=code, until=until)
    system, settings = read_model(model, set, **given)
    target = check_result_target(output or Path(model.stem + ".nc"), model, csv)
    for remark in system.check():
        say(f"Remark: {remark}")
    with options.about(model):
        result = simulated(system, options.take_t_end(settings), settings | checkpointed(target, resume))
    stopped = result.info["stopped"]
    if len(result.t) == 0:
        say(f"Nothing was computed: {stopped}")
        raise typer.Exit(exit_code(stopped))
    judge(result)  # before it is written: the file then knows the error
    written = keep(result, target, csv, partial=bool(stopped))
    if exit_code(stopped) != INTERRUPTED:  # else it can go on
        checkpoint_beside(target).unlink(missing_ok=True)
    show(result, written, json, verified(result) if verify else None)
    raise typer.Exit(exit_code(stopped))


def checkpoint_beside(target: Path) -> Path:
    return target.with_name(f"{target.name}.checkpoint")


def checkpointed(target: Path, resume: bool) -> dict:
    """Keywords for `simulate`: every run is kept while it is under way."""
    path = checkpoint_beside(target)
    if path.exists() and not resume:
        say(
            f"Remark: {path} is the checkpoint of a run that was not finished. This run begins anew; --resume would have gone on with it."
        )
    if resume and not path.exists():
        say(f"There is no checkpoint {path}: the run begins at its start.")
    return dict(checkpoint=path, resume=resume)


def judge(result) -> None:
    """Estimate the error of a small run; Ctrl-C ends that and loses nothing."""
    from mekane.results.global_error import GlobalError

    try:
        result.health  # noqa: B018
    except KeyboardInterrupt:
        result.known_error = GlobalError(reason="stopped by the user")


def verified(result):
    with watching(float(result.t[-1])) as progress:
        return result.verify(progress)


def show(result, written, json: bool, verification=None) -> None:
    if json:
        more = {} if verification is None else {"verification": verification.to_dict()}
        put_json(summary(result) | more | {"files": [str(path) for path in written]})
        return
    put_summary(result)
    if verification is not None:
        put_answer(verification, as_json=False)
    put(f"Written: {', '.join(str(path) for path in written)}")
    if result.info["stopped"]:
        say(f"Not finished: {result.info['stopped']}. What was computed until then is kept.{how_to_go_on(result)}")


def how_to_go_on(result) -> str:
    return " The same command with --resume goes on with it." if "by the user" in result.info["stopped"] else ""


def exit_code(stopped: str) -> int:
    if not stopped:
        return 0
    return INTERRUPTED if "by the user" in stopped else STOPPED
