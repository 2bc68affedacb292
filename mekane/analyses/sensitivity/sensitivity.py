"""sensitivity: how a motion, an equilibrium or eigenvalues change with any number of a model. All derivatives are
exact.

mk.sensitivity(s, to=["l", "arm.mass"], of=["hinge.angle"], t_end=2)       of the motion from its start, over time
mk.sensitivity(s, to=["k"], of=["slider.displacement"], at=equilibrium)    of an equilibrium, which moves
mk.sensitivity(s, to=["k"], of="eigenvalues", at=equilibrium)              of linearized motion about it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.kinematics.placement import with_values
from mekane.analyses.sensitivity.eigenvalues import EigenvalueDerivatives
from mekane.analyses.sensitivity.equilibrium import EquilibriumDerivatives
from mekane.analyses.sensitivity.motion import Flow
from mekane.analyses.sensitivity.parametrized_system import ParametrizedSystem, channels
from mekane.analyses.sensitivity.result import EigenvalueSensitivity, EquilibriumSensitivity, MotionSensitivity
from mekane.analyses.simulate import ending, positive_time, sample_times
from mekane.errors import ModelError
from mekane.model.hybrid.activity import as_at_start, refuse_contact_laws
from mekane.progress import reporting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.analyses.sensitivity.result import Sensitivity
    from mekane.model.system import System
    from mekane.model.types import NumberLike, ValueLike

EIGENVALUES = "eigenvalues"
ROUND_OFF = 1e-12  # of a speed that is zero (SI units)


def sensitivity(
    system: System,
    to: str | Sequence[str],
    of: str | Sequence[str] | None = None,
    *,
    t_end: NumberLike | None = None,
    every: NumberLike | Sequence[float] | ArrayLike | None = None,
    until: ValueLike | None = None,
    at: Any = None,
    formulation: str = "joint",
    rtol: float = 1e-9,
    atol: float = 1e-12,
    progress: Callable[[float, float], Any] | bool | None = None,
) -> Sensitivity:
    """Exact derivatives of a motion, an equilibrium or eigenvalues with respect to numbers of the model.

    Parameters:
        system: the model.
        to: names of parameters, or of numbers such as "arm.mass", "hinge.rate", "gravity.z".
        of: names as in results, or expressions of them, such as "hinge.angle"; by default the coordinates of all joints.
            "eigenvalues": those of linearized motion about the equilibrium.
        t_end: end of the motion [s]; left out, the equilibrium `at` is requested.
        every: time between samples [s], or a list of times.
        until: of a motion, a condition such as "ball.position.z < 0": it ends where this becomes true.
        at: an answer of mk.equilibrium; by default, for eigenvalues, the state as described.
        formulation: "joint", or a name in mekane.formulations.
        rtol: relative tolerance, of the derivatives too; default 1e-9.
        atol: absolute tolerance; default 1e-12.
        progress: of a motion, as in mk.simulate.

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        print(mk.sensitivity(s, to="gravity.y", of="hinge.angle", t_end=1.0))
    """
    if t_end is not None:
        refuse_both(at, of)
        return of_motion(
            system if until is None else ending(system, until),
            to,
            of,
            t_end,
            every=every,
            formulation=formulation,
            rtol=rtol,
            atol=atol,
            progress=progress,
        )
    if until is not None:
        raise ModelError("sensitivity", "until is given, and t_end is not", "it ends a motion", "Give t_end=, too.")
    if at is None and of != EIGENVALUES:
        problem = "neither t_end nor at is given"
        raise ModelError(
            "sensitivity", problem, "of a motion, or of an equilibrium", "Give t_end=2, or at=mk.equilibrium(s)."
        )
    return of_equilibrium(system, to, of, at, formulation)


def of_motion(system, to, of, t_end, *, every=None, formulation="joint", rtol=1e-9, atol=1e-12, progress=None):
    times = sample_times(positive_time(t_end, "t_end"), every)
    parametrized = ParametrizedSystem(system, to, channels(system, of, "sensitivity"), formulation)
    with reporting(progress, times[-1]) as report:
        return MotionSensitivity(parametrized, Flow(parametrized, rtol, atol).run(times, report))


def of_equilibrium(system, to, of, at=None, formulation="joint"):
    """Of the equilibrium `at`, or of the state as described, with what is active at the start."""
    refuse_contact_laws(system, "sensitivity of an equilibrium")
    system = as_at_start(system)
    state = getattr(at, "state", None)
    if at is not None and (state is None or not hasattr(at, "statics")):
        raise ModelError("sensitivity", f"at is {type(at).__name__}", "an answer of mk.equilibrium is expected")
    if at is not None:
        system, formulation = with_values(at.statics.system, at.parameters), at.formulation
    outputs = () if of == EIGENVALUES else channels(system, of, "sensitivity")
    parametrized = ParametrizedSystem(system, to, outputs, formulation)
    q, integrals, t = (described_equilibrium(parametrized), None, 0.0) if at is None else (at.q, state.integrals, at.t)
    derivatives = EquilibriumDerivatives(parametrized, q, integrals, t, getattr(at, "turns", None))
    return (
        EigenvalueSensitivity(EigenvalueDerivatives(derivatives))
        if of == EIGENVALUES
        else EquilibriumSensitivity(derivatives)
    )


def described_equilibrium(parametrized):
    """q of the state as described, which must be one of rest."""
    q, u = parametrized.initial
    if np.abs(u).max(initial=0.0) > ROUND_OFF:
        name = parametrized.compiled.speeds[int(np.argmax(np.abs(u)))]
        problem = f"it moves: {name!r} is {u[np.argmax(np.abs(u))]:.6g}"
        raise ModelError(
            "sensitivity", problem, "derivatives of eigenvalues are found at rest only", "Give at=mk.equilibrium(s)."
        )
    return q


def refuse_both(at, of):
    if at is not None or of == EIGENVALUES:
        what = "at" if at is not None else f"of={EIGENVALUES!r}"
        raise ModelError(
            "sensitivity", f"t_end and {what} are both given", "one analysis at a time", "Leave one of them out."
        )
