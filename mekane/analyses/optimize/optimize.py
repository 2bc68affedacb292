"""optimize: the best values of parameters, for a purpose or to fit what was measured; SciPy with exact gradients.

mk.optimize(s, {"l": (0.1, 2.0), "c": (0, 1)}, fit={"times": t, "hinge.angle": measured})          least squares
mk.optimize(s, {"l": (0.1, 2.0)}, objective=lambda d: (d.frequency(1) - 2.0) ** 2)                 any purpose; d is a
Design
mk.optimize(s, {"c": (0, 9)}, objective=…, over={"load": [1, 2, 3]}, robust="worst")               in several scenarios
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mekane.analyses.optimize.design_space import Box, DesignHistory
from mekane.analyses.optimize.identification import identified
from mekane.analyses.optimize.measurements import Measured
from mekane.analyses.optimize.programs import minimized
from mekane.analyses.optimize.scenarios import check_robust
from mekane.errors import ModelError
from mekane.progress import reporting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.analyses.optimize.result import Optimum
    from mekane.model.system import System


def optimize(
    system: System,
    parameters: Mapping[str, Any] | Sequence[str],
    objective: Callable[[Any], Any] | None = None,
    *,
    constraints: Any = (),
    fit: Mapping[str, ArrayLike] | None = None,
    sigma: float | Mapping[str, float] | None = None,
    over: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    robust: str = "mean",
    formulation: str = "joint",
    rtol: float = 1e-10,
    most: int = 200,
    progress: Callable[[int, float], Any] | bool | None = None,
) -> Optimum:
    """The best values of some parameters, for a purpose or to fit what was measured.

    Parameters:
        system: the model; the search starts from its present values.
        parameters: {name: (lowest, highest)}, or names alone for values without bounds. Numbers are named by parameter
            or by part and keyword, such as "arm.mass".
        objective: a function of a Design to be made small; if it gives a list of numbers, the sum of their squares.
        constraints: functions of a Design that must not be negative, or (function, lowest, highest).
        fit: {"times": t, "hinge.angle": values, …}, measured; the motion is fitted to it, and standard errors are found.
        sigma: standard deviations of the measurements, {name: number} or one number; without them all count alike and
            their scatter is estimated.
        over: scenarios in which the design must do well: {"load": [1, 2, 3], "k": mk.normal(…)} for all combinations
            (a distribution stands for its 10, 30, 50, 70 and 90 % values), or a list such as [{"load": 1, "k": 3e3}].
            The objective is computed in each of them, and constraints hold in all.
        robust: "mean" of the scenarios, or the "worst" of them, is made small; default "mean".
        formulation: "joint", or a name in mekane.formulations.
        rtol: relative tolerance of the motions; default 1e-10.
        most: iterations; default 200.
        progress: True shows the evaluations, False does not; by default they appear at a terminal or in a notebook
            after a second. A function is called with the number of the evaluation and the objective.

    Returns:
        Optimum: .parameters, .objective, .system with the best values.

    Example:
        s = mk.System(parameters={"l": 0.8})
        bob = s.body("bob", mass=1.0, position=(0, 0, "$-l"))
        s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis="y")
        best = mk.optimize(s, {"l": (0.1, 2.0)}, objective=lambda design: (design.frequency(1) - 0.5) ** 2)
        print(best)
    """
    if (objective is None) == (fit is None):
        raise ModelError(
            "optimize", "neither or both of objective and fit are given", "one of them", "Give objective= or fit=."
        )
    if fit is not None and constraints:
        raise ModelError(
            "optimize", "constraints are given with fit", "fits have bounds only", "Leave the constraints out."
        )
    if fit is not None and over is not None:
        problem = "scenarios are given with fit"
        raise ModelError("optimize, over", problem, "a fit has one scenario, the measured one", "Leave over out.")
    check_robust(robust)
    with reporting(progress, None, lambda n, value: f"evaluation {n}, objective {value:.6g}") as report:
        designs = DesignHistory(Box(system, parameters, over), formulation, rtol, report)
        if fit is not None:
            return identified(designs, Measured(fit, sigma), most)
        return minimized(designs, objective, constraints, most, robust)
