"""Options that commands share, and how they are read: those of the command line and those of the model file."""

from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from mekane import formulations
from mekane.errors import ModelError
from mekane.solvers import integrators
from mekane.solvers.constraints import embedding
from mekane.solvers.specialised.choice import CODES, find_code

METHODS = ", ".join(["auto", *integrators.NAMES])
FORMULATIONS = " or ".join(formulations.NAMES)
WAYS = " or ".join(embedding.WAYS)
CODE_NAMES = " or ".join(CODES)


def text_option(name: str, kind: str, help: str):
    """The type of an option that takes text; None if it is not given."""
    return Annotated[str | None, typer.Option(f"--{name}", metavar=kind, help=help)]


TEnd = text_option("t-end", "TIME", "Simulate until then, such as 2 or '20 ms'.")
Every = text_option("every", "TIME", "Time between samples.")
Method = text_option("method", "NAME", f"{METHODS}.")
Rtol = text_option("rtol", "NUMBER", "Relative tolerance of adaptive methods.")
Atol = text_option("atol", "NUMBER", "Absolute tolerance of adaptive methods.")
Step = text_option("step", "TIME", "The step of fixed-step methods, the largest step of adaptive ones.")
Formulation = text_option("formulation", "NAME", f"{FORMULATIONS}; the motion is the same.")
Constraints = text_option("constraints", "NAME", f"{WAYS}; the motion is the same.")
Until = text_option("until", "CONDITION", 'End the motion where this becomes true, such as "ball.position.z < 0".')
Code = text_option("code", "NAME", f"{CODE_NAMES}; the motion is the same.")
Correct = Annotated[
    bool | None, typer.Option("--correct/--no-correct", help="Bring the state onto the joints, also after each step.")
]
SET = "A parameter, or a number by part and keyword: k=5e3, l=90mm, arm.mass=2. May be repeated."
Set = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help=SET)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw it (.png, .svg, .pdf).")]


def changing(set: list[str]):
    """Gives a System other values of its parameters."""
    values = pairs(set, "--set", "k=5e3")

    def change(system):
        with about("command line, --set"):
            return system.with_parameters(values)

    return change


def pairs(texts: list[str] | None, option: str, example: str) -> dict[str, str]:
    """{"arm": "30deg"} from ["arm=30deg"]."""
    found = {}
    for text in texts or ():
        name, _, value = (piece.strip() for piece in text.partition("="))
        if not (name and value):
            part, problem = f"command line, {option}", f"{text!r} is not NAME=VALUE"
            raise ModelError(part, problem, "a name and a value are expected", f"Write {option} {example}.")
        found[name] = value
    return found


def only_one(command: str, values: dict, expected: str) -> str:
    """The option of `values` (name without dashes → value) that is given, "" if none is; several are an error."""
    given = [name for name, value in values.items() if value not in (None, False)]
    if len(given) > 1:
        names = " and ".join(f"--{name}" for name in given)
        raise ModelError(command, f"{names} are given", expected, "Leave out all but one.")
    return given[0] if given else ""


def listed(text: str | None) -> list[str] | None:
    """["a", "b"] from "a, b"."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def span(text: str, option: str) -> tuple[str, list[str]]:
    """("k", ["1", "9"]) from "k=1:9" or "k=1..9"."""
    name, _, values = text.partition("=")
    ends = [end.strip() for end in values.replace("..", ":").split(":")]
    if not (name.strip() and len(ends) == 2 and all(ends)):
        raise ModelError(
            f"command line, {option}",
            f"it is {text!r}",
            "a parameter and two values are expected",
            f"Write {option} load=0:20.",
        )
    return name.strip(), ends


@contextmanager
def about(path):
    """Errors that arise after reading name the file, too."""
    try:
        yield
    except ModelError as error:
        raise type(error)(f"{path}, {error.part}", error.problem, error.expected, error.remedy) from error


def check_names(options: dict) -> None:
    """Raise for unknown methods and formulations before anything is compiled."""
    formulations.find(options.get("formulation", "joint"))
    embedding.find_way(options.get("constraints", "multipliers"))
    find_code(options.get("code", "auto"))
    if options.get("method", "auto") != "auto":
        integrators.find(options["method"])


def take_t_end(options: dict) -> float:
    if "t_end" not in options:
        problem, remedy = "it is missing", "Give --t-end 2, or add  simulate: {t_end: 2}  to a YAML file."
        raise ModelError("t_end", problem, "the model does not say how long to simulate", remedy)
    return options.pop("t_end")
