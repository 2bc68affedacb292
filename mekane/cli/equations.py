"""mekane equations: the equations of motion, to be read."""

from typing import Annotated

import typer

from mekane.cli import settings as words
from mekane.cli.watching import watching
from mekane.cli.words import put, put_json
from mekane.errors import ModelError

Method = Annotated[str, typer.Option("--method", metavar="NAME", help="kane, lagrange or newton.")]
Form = Annotated[str, typer.Option("--form", metavar="FORM", help="expanded, z (intermediate variables) or auto.")]
Parameters = Annotated[str, typer.Option("--parameters", metavar="WHICH", help="symbolic, named, numeric, or names by commas.")]
Latex = Annotated[bool, typer.Option("--latex", help="A LaTeX document.")]
Text = Annotated[bool, typer.Option("--text", help="Plain text (as without).")]


def command(
    model: words.Model, latex: Latex = False, text: Text = False, method: Method = "kane", form: Form = "auto",
    parameters: Parameters = "symbolic", formulation: words.Formulation = None, set: words.Set = None, json: words.Json = False,
):  # fmt: skip
    """The equations of motion as expressions one can read."""
    from mekane.symbolic.equations import equations

    refuse_two(latex=latex, text=text, json=json)
    system, options = words.read_model(model, set, formulation=formulation)
    chosen = words.listed(parameters) if "," in parameters or "." in parameters else parameters
    with words.about(model), watching(0.0):
        found = equations(system, method, options.get("formulation", "joint"), chosen, form)
        told = found.to_dict() if json else found.document if latex else found.text
    put_json(told) if json else put(told)


def refuse_two(**wanted):
    """One kind of output."""
    said = [f"--{word}" for word, is_wanted in wanted.items() if is_wanted]
    if len(said) > 1:
        raise ModelError("equations", f"{' and '.join(said)} are both said", "one kind of output is expected", f"Leave out {said[1]}.")
