"""mk.equations: the equations of motion of a model as expressions one can read.

eq = mk.equations(s)
eq.mass_matrix, eq.forcing, eq.constraint_matrix      formulas: .text, .latex, .sympy, .simplify(),
.evaluate(q_hinge=0.3, …) print(eq)                                             in the order a textbook has them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mekane.errors import ModelError, did_you_mean
from mekane.model.hybrid.activity import as_at_start
from mekane.model.set_valued import OPEN, SLIDING, STICKING, elements_of
from mekane.symbolic.methods.kane import KaneEquations
from mekane.symbolic.methods.lagrange import LagrangeEquations
from mekane.symbolic.methods.newton import NewtonEquations
from mekane.symbolic.methods.routh import RouthEquations
from mekane.symbolic.methods.sliding import slides, sliding_friction
from mekane.symbolic.traced import moving, traced

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mekane.model.system import System

METHODS = {"kane": KaneEquations, "lagrange": LagrangeEquations, "newton": NewtonEquations, "routh": RouthEquations}
WITH_SPEEDS = ("kane", "newton")  # the others know rates of coordinates alone
FORMS = ("auto", "expanded", "z")
MODES = {"open": OPEN, "sliding": SLIDING, "sticking": STICKING}


def equations(
    system: System,
    method: str = "kane",
    formulation: str = "joint",
    parameters: str | Sequence[str] = "symbolic",
    form: str = "auto",
    own_speeds: bool = True,
    modes: Mapping[str, str | int] | None = None,
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
        modes: of contact laws or their elements, {"floor": "sliding"}: "open", "sliding" or "sticking". By default those in which
            the system begins, all open, or those of run.state(t).system.

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
    system = in_modes(system, modes)
    phase = as_at_start(system, sliding=True)
    model = moving(traced(phase, formulation, parameters, own_speeds and method in WITH_SPEEDS), "equations")
    friction = sliding_friction(system, phase, formulation, parameters)
    if friction is None:
        return METHODS[method](model, form)
    refuse_other_methods(method, system, own_speeds)
    model.values |= friction.values
    model.meanings |= friction.meanings
    return METHODS[method](model, form, friction)


def in_modes(system, modes):
    """The system with these modes of contact laws: of all elements of a law, or of one."""
    if not modes:
        return system
    wanted = {}
    for name, mode in modes.items():
        law = system.contact_laws.get(name)
        elements = law.ids(system) if law is not None else [name]
        known = [*system.contact_laws, *elements_of(system)]
        if name not in known:
            expected = f"there are {', '.join(map(repr, dict.fromkeys(known)))}" if known else "the model has none"
            raise ModelError(
                "equations, modes", f"there is no contact law {name!r}", expected, did_you_mean(name, known).strip()
            )
        if mode not in MODES and mode not in MODES.values():
            hint = did_you_mean(str(mode), MODES).strip()
            raise ModelError(f"mode of {name!r}", f"it is {mode!r}", f"{', '.join(MODES)} are known", hint)
        wanted |= {f"{one}.mode": MODES.get(mode, mode) for one in elements}
    return system.with_discrete_state(wanted)


def refuse_other_methods(method, system, own_speeds):
    """Momenta that friction changes are not conserved; it is known in the speeds of the formulation."""
    problem = f"{', '.join(map(repr, slides(system)))} slides with friction"
    if method == "routh":
        remedy = 'Write method="lagrange".'
        raise ModelError("equations", problem, "Routh's reduction needs momenta that are conserved", remedy)
    if own_speeds and system.own_speeds and method in WITH_SPEEDS:
        expected = "its force is given in the speeds of the formulation"
        raise ModelError("equations", problem, expected, "Write own_speeds=False.")
