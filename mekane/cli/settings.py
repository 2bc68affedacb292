"""From the words of the command line and of the model file to the words of `simulate`."""

from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from mekane import formulations
from mekane.errors import ModelError
from mekane.solvers import embedding, integrators

METHODS = ", ".join(["auto", *integrators.NAMES])
FORMULATIONS = " or ".join(formulations.NAMES)
WAYS = " or ".join(embedding.WAYS)


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
Correct = Annotated[bool | None, typer.Option("--correct/--no-correct", help="Bring the state onto the joints, also after each step.")]
SET = "A parameter, or a number by part and word: k=5e3, l=90mm, arm.mass=2. May be repeated."
Set = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help=SET)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def read_model(path, set=None, **said):
    """The System of a file and the options to simulate it; what was `said` on the command line replaces what the file says.

    set: ["k=5e3", …], other values of parameters."""
    from mekane.importers.yaml import load_document, simulate_options

    system, in_file = load_document(str(path))
    if set:
        with about("command line, --set"):
            system = system.with_parameters(dict(map(name_and_value, set)))
    on_line = simulate_options({"simulate": {word: value for word, value in said.items() if value is not None}}, "command line")
    with about(path):
        check_names(in_file)
    with about("command line"):
        check_names(on_line)
    return system, in_file | on_line


def name_and_value(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name.strip() and sign and value.strip()):
        raise ModelError(repr(text), "it is not NAME=VALUE", "a parameter and its value are expected", "Write --set k=5e3.")
    return name.strip(), value.strip()


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
    if options.get("method", "auto") != "auto":
        integrators.find(options["method"])


def take_t_end(options: dict) -> float:
    if "t_end" not in options:
        problem, remedy = "it is missing", "Add  simulate: {t_end: 2}  to the file, or give --t-end 2."
        raise ModelError("t_end", problem, "the model does not say how long to simulate", remedy)
    return options.pop("t_end")
