"""mk.equations: the equations of motion of a model as expressions one can read.

eq = mk.equations(s)
eq.mass_matrix, eq.forcing, eq.constraint_matrix      formulas: .text, .latex, .sympy, .simplify(),
.evaluate(q_hinge=0.3, …) print(eq)                                             in the order a textbook has them
"""

from mekane.errors import ModelError, did_you_mean
from mekane.symbolic.methods.kane import KaneEquations
from mekane.symbolic.methods.lagrange import LagrangeEquations
from mekane.symbolic.methods.newton import NewtonEquations
from mekane.symbolic.methods.routh import RouthEquations
from mekane.symbolic.traced import moving, traced

METHODS = {"kane": KaneEquations, "lagrange": LagrangeEquations, "newton": NewtonEquations, "routh": RouthEquations}
WITH_SPEEDS = ("kane", "newton")  # the others know rates of coordinates alone
FORMS = ("auto", "expanded", "z")


def equations(system, method="kane", formulation="joint", parameters="symbolic", form="auto", own_speeds=True):
    """The equations of motion by a method.

    parameters: "symbolic" (masses, lengths, stiffnesses … as symbols), "named" (only those the model names), "numeric",
        or a list of names.
    own_speeds: in the speeds of s.generalized_speeds, where there are any (Lagrange has none but rates of coordinates).
    form: "expanded" (multiplied out and collected), "z" (intermediate variables, for large systems), or "auto".
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
