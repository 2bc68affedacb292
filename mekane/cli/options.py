"""Options that commands share, and how they are read: the words of the command line and of the model file."""

from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from mekane import formulations
from mekane.errors import ModelError
from mekane.solvers import integrators
from mekane.solvers.constraints import embedding
from mekane.solvers.specialised import hand_over

METHODS = ", ".join(["auto", *integrators.NAMES])
FORMULATIONS = " or ".join(formulations.NAMES)
WAYS = " or ".join(embedding.WAYS)
CODES = " or ".join(hand_over.CODES)


def said(name: str, kind: str, help: str):
    return Annotated[str | None, typer.Option(f"--{name}", metavar=kind, help=help)]


Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file (YAML).", show_default=False)]
TEnd = said("t-end", "TIME", "Simulate until then, such as 2 or '20 ms'.")
Every = said("every", "TIME", "Time between samples.")
Method = said("method", "NAME", f"{METHODS}.")
Rtol = said("rtol", "NUMBER", "Relative tolerance of adaptive methods.")
Atol = said("atol", "NUMBER", "Absolute tolerance of adaptive methods.")
Step = said("step", "TIME", "The step of fixed-step methods, the largest step of adaptive ones.")
Formulation = said("formulation", "NAME", f"{FORMULATIONS}; the motion is the same.")
Constraints = said("constraints", "NAME", f"{WAYS}; the motion is the same.")
Code = said("code", "NAME", f"{CODES}; the motion is the same.")
Correct = Annotated[
    bool | None, typer.Option("--correct/--no-correct", help="Bring the state onto the joints, also after each step.")
]
SET = "A parameter, or a number by part and word: k=5e3, l=90mm, arm.mass=2. May be repeated."
Set = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help=SET)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw it (.png, .svg, .pdf).")]


def read_model(path, set=None, **said):
    """The System of a file and the options to simulate it; what was `said` on the command line replaces what the file
    says.

    set: ["k=5e3", …], other values of parameters."""
    from mekane.importers.yaml import load_document, simulate_options

    system, in_file = load_document(str(path), change=changing(set) if set else None)
    on_line = simulate_options(
        {"simulate": {word: value for word, value in said.items() if value is not None}}, "command line"
    )
    with about(path):
        check_names(in_file)
    with about("command line"):
        check_names(on_line)
    return system, in_file | on_line


def changing(set: list[str]):
    """Gives a System other values of its parameters."""
    values = pairs(set, "--set", "k=5e3")

    def change(system):
        with about("command line, --set"):
            return system.with_parameters(values)

    return change


def pairs(said: list[str] | None, word: str, example: str) -> dict[str, str]:
    """{"arm": "30deg"} from ["arm=30deg"]."""
    found = {}
    for text in said or ():
        name, _, value = (piece.strip() for piece in text.partition("="))
        if not (name and value):
            part, problem = f"command line, {word}", f"{text!r} is not NAME=VALUE"
            raise ModelError(part, problem, "a name and a value are expected", f"Write {word} {example}.")
        found[name] = value
    return found


def listed(text: str | None) -> list[str] | None:
    """["a", "b"] from "a, b"."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def span(text: str, word: str) -> tuple[str, list[str]]:
    """("k", ["1", "9"]) from "k=1:9" or "k=1..9"."""
    name, _, values = text.partition("=")
    ends = [end.strip() for end in values.replace("..", ":").split(":")]
    if not (name.strip() and len(ends) == 2 and all(ends)):
        raise ModelError(
            f"command line, {word}",
            f"it is {text!r}",
            "a parameter and two values are expected",
            f"Write {word} load=0:20.",
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
    """Refuse unknown methods and formulations before anything is compiled."""
    formulations.find(options.get("formulation", "joint"))
    embedding.find_way(options.get("constraints", "multipliers"))
    hand_over.find_code(options.get("code", "auto"))
    if options.get("method", "auto") != "auto":
        integrators.find(options["method"])


def take_t_end(options: dict) -> float:
    if "t_end" not in options:
        problem, remedy = "it is missing", "Add  simulate: {t_end: 2}  to the file, or give --t-end 2."
        raise ModelError("t_end", problem, "the model does not say how long to simulate", remedy)
    return options.pop("t_end")
