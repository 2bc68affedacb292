"""mk.equations: the equations of motion of a model as expressions one can read.

eq = mk.equations(s)
eq.mass_matrix, eq.forcing, eq.constraint_matrix      formulas: .text, .latex, .sympy, .simplify(),
.evaluate(q_hinge=0.3, …) print(eq)                                             in the order a textbook has them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mekane.errors import ModelError, did_you_mean
from mekane.symbolic.methods.kane import KaneEquations
from mekane.symbolic.methods.lagrange import LagrangeEquations
from mekane.symbolic.methods.newton import NewtonEquations
from mekane.symbolic.methods.routh import RouthEquations
from mekane.symbolic.traced import moving, traced

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mekane.model.system import System

METHODS = {"kane": KaneEquations, "lagrange": LagrangeEquations, "newton": NewtonEquations, "routh": RouthEquations}
WITH_SPEEDS = ("kane", "newton")  # the others know rates of coordinates alone
FORMS = ("auto", "expanded", "z")


def equations(
    system: System,
    method: str = "kane",
    formulation: str = "joint",
    parameters: str | Sequence[str] = "symbolic",
    form: str = "auto",
    own_speeds: bool = True,
) -> Any:
    """The equations of motion of a system as expressions one can read.

    Parameters:
        system: the model.
        method: "kane", "lagrange", "newton" or "routh".
        formulation: "joint", or a name in mekane.formulations.
        parameters: "symbolic" (masses, lengths, stiffnesses … as symbols), "named" (only those the model names),
            "numeric", or a list of names.
        form: "expanded" (multiplied out and collected), "z" (intermediate variables, for large systems), or "auto".
        own_speeds: in the speeds of s.generalized_speeds, where there are any (Lagrange has none but rates of
            coordinates).

    Returns:
        .mass_matrix, .forcing … : formulas with .text, .latex, .sympy, .evaluate(…); print shows them all.

    Example:
        from mekane import gallery
        print(mk.equations(gallery.find("pendulum").system()))
    """
    if method not in METHODS:
        raise ModelError(
            "equations",
            f"method is {method!r}",
            f"{', '.join(METHODS)} are known",
            did_you_mean(str(method), METHODS).strip(),
        )
    if form not in FORMS:
        raise ModelError(
            "equations", f"form is {form!r}", f"{', '.join(FORMS)} are known", did_you_mean(str(form), FORMS).strip()
        )
    model = moving(traced(system, formulation, parameters, own_speeds and method in WITH_SPEEDS), "equations")
    return METHODS[method](model, form)
