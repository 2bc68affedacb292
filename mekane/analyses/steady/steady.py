"""steady: motions in which nothing changes but the place: straight running, circular rolling, a turning governor.

See steady.equations for what a steady motion is and how it is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.quantity_names import known_parameters, named_values
from mekane.analyses.state.snapshot import Snapshot
from mekane.analyses.steady.equations import Task
from mekane.errors import ModelError
from mekane.results.printing import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mekane.model.system import System
    from mekane.model.types import NumberLike


def steady(
    system: System,
    hold: Mapping[str, Any] | None = None,
    speeds: Mapping[str, Any] | None = None,
    solve_for: str | Sequence[str] = (),
    turning: NumberLike | None = None,
    t: NumberLike = 0.0,
    formulation: str = "joint",
) -> Steady:
    """A steady motion near the described state: nothing changes but the place.

    Parameters:
        system: what moves.
        hold: coordinates and other quantities that are given, {"ball.position.z": 0.3} [m, rad].
        speeds: rates that are given, {"bearing.angle.rate": "60 rpm"} [rad/s, m/s].
        solve_for: names of parameters to be found, such as the torque that keeps the speed.
        turning: rate at which the whole motion turns about the vertical [rad/s]; 0 for straight running; left out, it is
            found.
        t: the time at which laws are taken [s]; default 0.
        formulation: "joint", or a name in mekane.formulations.

    Example:
        from mekane import gallery
        print(mk.steady(gallery.find("governor").system(), speeds={"bearing.angle.rate": "60 rpm"}))
    """
    system, unknown = known_parameters(system, solve_for, "steady, solve_for")
    names, targets = named_values(system, {**(hold or {}), **(speeds or {})}, "steady")
    task = Task(system, names, targets, unknown, turning, t, formulation)
    x, found = task.solve()
    answer = Steady(task, x)
    if not found:
        raise unsteady(answer, task)
    return answer


class Steady(Snapshot):
    """A steady motion at one moment: values by name as in results, reactions, what was found, and the system in this
    state.

    turning: Ω [rad/s], with which the whole motion is carried round.
    """

    def __init__(self, task, x):
        parameters = {**task.system.parameters, **dict(zip(task.unknown, x["p"].tolist(), strict=False))}
        task.point(x)  # measures the angles of all joints
        integrals, turns = x["p"][len(task.unknown) :], task.model.turns()
        found = dict(t=task.t, q=x["q"], u=x["u"], parameters=parameters, integrals=integrals, turns=turns)
        super().__init__(task.system, task.formulation, **found)
        self.turning, self.found = task.Omega(x), tuple(task.unknown)

    def shown_names(self):
        """Names of what is shown."""
        rates = [f"{name}{end}" for name in self.coordinates() for end in ("", ".rate")]
        return [
            *rates,
            *(
                f"{body}.{quantity}"
                for body in self.described.bodies
                for quantity in ("position", "velocity", "angular_velocity")
            ),
        ]

    def shown(self):
        rows = [[name, self[name], self.result.units(name)] for name in self.shown_names()]
        rows += [[name, self.parameters[name], "found"] for name in self.found]
        remark = (
            f"Seen from axes that turn with {np.linalg.norm(self.turning):.6g} rad/s, every body keeps its velocities."
        )
        return [Shown(f"Steady motion of {self.described.name!r}", ["quantity", "value", "unit"], rows, remark)]

    def to_dict(self):
        found = {name: self.parameters[name] for name in self.found}
        return dict(
            system=self.described.name,
            t=self.t,
            turning=self.turning.tolist(),
            values=self.plain(self.shown_names()),
            found=found,
        )


def unsteady(run, task):
    """The body that is farthest from moving steadily where the search ended."""
    off = lambda body, of, rate: np.linalg.norm(run[f"{body}.{rate}"] - np.cross(run.turning, run[f"{body}.{of}"]))
    left = {
        b: (off(b, "velocity", "acceleration"), off(b, "angular_velocity", "angular_acceleration"))
        for b in task.system.bodies
    }
    worst = max(left, key=lambda body: left[body][0] + task.size * left[body][1])
    by = f"{left[worst][0]:.3g} m/s^2 and {left[worst][1]:.3g} rad/s^2"
    problem = f"no steady motion was found: where the search ended, body {worst!r} is accelerated by {by}"
    given = ", ".join([*task.names, *(["turning"] if task.turning is not None else [])]) or "nothing"
    remedy = "Start closer to one, hold less, or name parameters in solve_for=."
    return ModelError(f"steady motion of {task.system.name!r}", problem, f"given are {given}", remedy)
