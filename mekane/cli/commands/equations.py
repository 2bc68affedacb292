"""mekane equations: the equations of motion, to be read, or as code."""

from pathlib import Path
from typing import Annotated

import typer

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import put, put_json, say
from mekane.cli.inputs import Model, read_model
from mekane.cli.output import EQUATIONS, READABLE, check_targets
from mekane.cli.progress import watching
from mekane.errors import ModelError

Method = Annotated[str, typer.Option("--method", metavar="NAME", help="kane, lagrange, newton or routh.")]
Form = Annotated[str, typer.Option("--form", metavar="FORM", help="expanded, z (intermediate variables) or auto.")]
WHICH = "What is a symbol: symbolic (everything), named (parameters of the model), numeric, or names by commas. [symbolic; code: named]"
Parameters = Annotated[str | None, typer.Option("--parameters", metavar="WHICH", help=WHICH, show_default=False)]
MODES = "Mode of a contact law or of an element: open, sliding or sticking; repeatable. [as the model begins]"
Modes = Annotated[list[str] | None, typer.Option("--modes", metavar="NAME=MODE", help=MODES, show_default=False)]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it here instead of showing it.")
]
Text = Annotated[bool, typer.Option("--text", help="Plain text (as without).")]
Latex = Annotated[bool, typer.Option("--latex", help="A LaTeX document.")]
Html = Annotated[bool, typer.Option("--html", help="A web page, which any browser draws.")]
C = Annotated[bool, typer.Option("--c", help="Code: C99.")]
Python = Annotated[bool, typer.Option("--python", help="Code: NumPy.")]
Jax = Annotated[bool, typer.Option("--jax", help="Code: JAX.")]
Casadi = Annotated[bool, typer.Option("--casadi", help="Code: CasADi.")]
Matlab = Annotated[bool, typer.Option("--matlab", help="Code: MATLAB or Octave.")]
Sympy = Annotated[bool, typer.Option("--sympy", help="Code: a SymPy script.")]
Language = Annotated[
    str | None,
    typer.Option(
        "--language", metavar="NAME", help="Code: any language, also of an installed package.", show_default=False
    ),
]
LANGUAGES = {
    "c": "c",
    "python": "numpy",
    "jax": "jax",
    "casadi": "casadi",
    "matlab": "matlab",
    "sympy": "sympy",
}  # option → its language


@register("equations", place=100)
def command(
    model: Model, text: Text = False, latex: Latex = False, html: Html = False, c: C = False, python: Python = False,
    jax: Jax = False, casadi: Casadi = False, matlab: Matlab = False, sympy: Sympy = False, language: Language = None,
    method: Method = "kane", form: Form = "auto", modes: Modes = None,
    parameters: Parameters = None, formulation: options.Formulation = None, set: options.Set = None, output: Output = None,
    json: options.Json = False,
):  # fmt: skip
    """The equations of motion as expressions one can read, or as code that stands alone."""
    kinds = {"text": text, "latex": latex, "html": html, "json": json}
    kinds |= {
        "c": c,
        "python": python,
        "jax": jax,
        "casadi": casadi,
        "matlab": matlab,
        "sympy": sympy,
        "language": language,
    }
    kind = options.only_one("equations", kinds, "one kind of output is expected") or by_ending(output)
    if kind == "json" and output is not None:
        raise ModelError(
            "equations", "--json and -o are both given", "JSON is printed", "Write > file.json instead of -o."
        )
    check_targets((EQUATIONS, output))
    system, settings = read_model(model, set, formulation=formulation)
    formulation = settings.get("formulation", "joint")
    with options.about(model), watching(0.0):
        if kind in (*LANGUAGES, "language"):
            language = LANGUAGES.get(kind, language)  # None: by the name of the file
            refuse_options(language or output.suffix, method, form, modes)
            code(system, language, formulation, chosen(parameters, "named"), output)
        else:
            how = dict(method=method, formulation=formulation, parameters=chosen(parameters, "symbolic"), form=form)
            how |= dict(modes=options.pairs(modes, "--modes", "floor=sliding"))
            read(system, kind, how, output)
    if output is not None:
        say(f"written: {output}")


def read(system, kind, how, output):
    from mekane.files import write
    from mekane.symbolic.equations import equations

    found = equations(system, **how)
    if kind == "json":
        put_json(found.to_dict())
        return
    text = found.document if kind == "latex" else found.html if kind == "html" else found.text
    if output is None:
        put(text)
    else:
        write(output, text.rstrip("\n") + "\n")


def code(system, language, formulation, parameters, output):
    from mekane.exporters.equations import export_equations

    text = export_equations(system, output, language, formulation, parameters)
    if output is None:
        put(text)


def by_ending(output):
    return "text" if output is None else READABLE.get(output.suffix, "language")


def chosen(parameters, usual):
    """A keyword, or a list of names."""
    if parameters is None:
        return usual
    return options.listed(parameters) if "," in parameters or "." in parameters else parameters


def refuse_options(language, method, form, modes):
    """Code is made of Kane's equations, with common parts computed once, of the modes in which the model begins."""
    if method != "kane" or form != "auto" or modes:
        option = "--method" if method != "kane" else "--form" if form != "auto" else "--modes"
        raise ModelError(
            "equations",
            f"{option} is given, and code is requested",
            f"code ({language}) has one form",
            f"Leave out {option}.",
        )
