"""inverse_dynamics: what actuators must give so that a mechanism makes a given motion.

    A f + Bᵀ λ = tau,     tau = M ud + bias − laws                                                           (C.1)

tau is what `s.required_forces(q, u, ud)` gives for one state: all that the motion needs beside the laws of the model.
Here it is shared between actuators f and constraints λ, instant by instant. On the motions Z that the rows leave free
(B Z = 0) λ has no power, so that

    Zᵀ A f = Zᵀ tau

are as many equations as there are freedoms. With as many actuators f is unique. With more, the least of Σ w f² is
chosen; with fewer, the motion must happen to need no more, or it is refused. Then the forces are put into the model as
tables of time, and the model evaluated as any run is: reactions, energies, and the accelerations, which must be those
of the motion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mekane.analyses.inverse_dynamics.actuators import default_actuators, find_actuators, with_laws, with_parameters
from mekane.analyses.inverse_dynamics.motions import measurements, read_motion
from mekane.analyses.inverse_dynamics.required_forces import InverseDynamics, time_integral
from mekane.analyses.kinematics.driven_motion import broken
from mekane.analyses.kinematics.speed_scales import mass_metric, size_of
from mekane.analyses.state.dynamics import Model
from mekane.compiler.compiler import compile_system
from mekane.errors import ModelError, did_you_mean
from mekane.expressions.graph import Table
from mekane.model.values.units import positive
from mekane.results.result import Result
from mekane.solvers.state import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.model.system import System

DEPENDENT = 1e-9  # singular value, beside the largest, below which actuators push on nothing that is free
CHOICES = ("minimum_norm", "weights")


def inverse_dynamics(
    system: System,
    motion: Any,
    actuators: str | Sequence[str] | None = None,
    times: ArrayLike | None = None,
    weights: Mapping[str, float] | None = None,
    choice: str | None = None,
    formulation: str | None = None,
    tolerance: float = 1e-6,
) -> InverseDynamics:
    """The forces and torques that actuators must give for a prescribed motion, over time, with the reactions of joints.

    Parameters:
        system: what moves. Of one state alone, s.required_forces(q, u, ud) answers.
        motion: a Result; driven coordinates {"shoulder.angle": "sin(t)", …} as expressions, functions, tables or values
            at `times` [rad, m], from which all others follow; or arrays (t, q, u, ud) of the formulation.
        actuators: names of joint coordinates or of forces of the model whose laws give way. By default the coordinates
            that are driven, or the model's motors, or everything that can move in a tree.
        times: when [s], for a motion that does not tell it.
        weights: with more actuators than freedoms, {"elbow": 2.0} for the least Σ w f².
        choice: "minimum_norm" for the least Σ f².
        formulation: that of the arrays; "joint" by default.
        tolerance: how much of the forces at play may be left over, and of the size of the mechanism joints may be open,
            before it is refused; default 1e-6.

    Example:
        import numpy as np
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        need = mk.inverse_dynamics(s, {"shoulder": "sin(t)", "elbow": "0.5*sin(t)"}, times=np.linspace(0, 2, 21))
        print(need)
    """
    tolerance = positive(tolerance, None, "inverse_dynamics", "tolerance")
    motion, formulation = read_motion(system, motion, times, formulation, tolerance)
    chosen = chosen_actuators(system, motion, actuators)
    weight = read_weights(chosen, weights, choice)
    opened = Opened(system, chosen, formulation, motion)
    instants = [opened.at(i, weight) for i in range(len(motion.t))]
    opened.refuse_broken(instants, tolerance)
    opened.refuse_unbalanced(instants, tolerance)
    forces = np.array([instant.forces for instant in instants])
    run = with_forces(system, chosen, formulation, motion, opened, instants, forces)
    return InverseDynamics(motion, chosen, forces, instants, run, stated_choice(chosen, instants, weights))


def chosen_actuators(system, motion, actuators):
    if actuators is not None:
        return find_actuators(system, actuators)
    if not motion.driven:
        return default_actuators(system, compile_system(system, "joint").cut)
    for name in motion.driven:
        if name.split(".")[0] not in system.joints or name.endswith(".rate"):
            problem, remedy = f"{name!r} is driven, which no single force does", 'Write actuators=["shoulder", …].'
            raise ModelError("actuators", problem, "then the actuators must be named", remedy)
    return find_actuators(system, motion.driven)


def read_weights(chosen, weights, choice):
    """One number for each actuator."""
    if choice is not None and choice not in CHOICES:
        expected, remedy = f"one of {', '.join(CHOICES)} is expected", did_you_mean(str(choice), CHOICES).strip()
        raise ModelError("choice", f"it is {choice!r}", expected, remedy)
    if choice is not None and (choice == "weights") != (weights is not None):
        problem = "they are missing" if weights is None else "they are given with choice='minimum_norm'"
        raise ModelError(
            "weights", problem, "choice='weights' goes with weights", 'Write weights={"elbow": 2.0} alone.'
        )
    weights = dict(weights or {})
    names = list(dict.fromkeys(name for actuator in chosen for name in actuator.answers_to))
    for name in weights:
        if name not in names:
            raise ModelError(
                "weights", f"{name!r} is not an actuator", f"they are {names}", did_you_mean(str(name), names).strip()
            )
    given = [next((weights[name] for name in actuator.answers_to if name in weights), 1.0) for actuator in chosen]
    return np.array([positive(w, None, "weights", actuator.name) for w, actuator in zip(given, chosen, strict=True)])


def stated_choice(chosen, instants, weights):
    """What was chosen, as text."""
    spare = len(chosen) - min(instant.rank for instant in instants)
    if spare == 0:
        return "unique"
    rest = "the least Σ w f² with the weights given" if weights else "the least Σ f² (minimum norm)"
    always = spare == len(chosen) - max(instant.rank for instant in instants)
    return (
        f"{rest}: {len(chosen)} actuators, {spare} more than the motion determines{'' if always else ' at some times'}"
    )


# ---------------------------------------------------------------- one instant


class Instant(NamedTuple):
    forces: np.ndarray  # of the actuators
    rates: np.ndarray  # what each moves at: power per force
    power: np.ndarray  # of controller states and of all elements that do work
    rank: int  # of the actuators on the free motions
    freedoms: int
    left: np.ndarray  # force on each speed that nothing balances
    left_size: float  # the same in the mass metric …
    size: float  # … and the forces at play
    phi: np.ndarray  # residuals of all rows …
    rate: np.ndarray
    acceleration: np.ndarray
    speeds: np.ndarray  # … and what moves there: sizes of the terms of rate …
    accelerations: np.ndarray  # … and of acceleration


class Opened:
    """The model with its actuators left open, evaluated along a motion."""

    def __init__(self, system, actuators, formulation, motion):
        self.system, self.motion = with_parameters(system, actuators), motion
        self.model = Model(compile_system(self.system, formulation))
        self.compiled, self.derivatives, self.n = self.model.compiled, self.model.derivatives, len(actuators)
        self.measurement = measurements(self.compiled, motion.t, np.hstack([motion.q, motion.u]), motion.known)
        self.integrals = np.zeros((len(motion.t), self.compiled.n_work))
        self.integrate_controller_states()

    def integrate_controller_states(self):
        """Controller states: as recorded in the run, else from the start of the motion on."""
        rates = None
        for k, name in enumerate(self.compiled.integrals):
            if name in self.motion.integrals:
                self.integrals[:, k] = self.motion.integrals[name]
                continue
            if rates is None:
                rates = np.array(
                    [self.derivatives.at(self.point(i))[self.derivatives.z.power] for i in range(len(self.motion.t))]
                )
            self.integrals[:, k] = time_integral(self.motion.t, rates[:, k])

    def point(self, i):
        self.derivatives.set_measurements(self.measurement[i])
        return self.derivatives.point(self.motion.t[i], self.motion.q[i], self.motion.u[i], integrals=self.integrals[i])

    def at(self, i, weight):
        """The forces at one instant, and what belongs to them."""
        x, z, motion = self.point(i), self.derivatives.z, self.motion
        still, derivatives = self.derivatives.along(x, self.directions())
        n_u, n_rows = self.compiled.n_u, self.compiled.n_rows
        by_ud, by_rows, by_forces = derivatives[:n_u], derivatives[n_u : n_u + n_rows], derivatives[n_u + n_rows :]
        ud = (
            np.linalg.solve(by_ud[:, z.ud].T, motion.ud[i] - still[z.ud])
            if self.model.angular_velocities_are_absolute
            else motion.ud[i]
        )
        x[self.derivatives.x.ud] = ud
        here = self.derivatives.at(x)
        active = self.model.active_rows(motion.t[i], np.concatenate([motion.q[i], motion.u[i]]))
        scale = mass_metric(by_ud[:, z.tau])
        A, B = -by_forces[:, z.tau].T * scale[:, None], -by_rows[:, z.tau].T[:, active] * scale[:, None]
        tau = here[z.tau] * scale
        Z = free_motions(B)
        forces, rank = least_forces(Z.T @ A, Z.T @ tau, weight)
        left = Z @ (Z.T @ (tau - A @ forces))
        size = np.linalg.norm(tau) + np.linalg.norm(still[z.tau] * scale)
        J = np.abs(by_ud[:, z.acceleration].T)
        power = here[z.power] + forces @ by_forces[:, z.power]
        rates = by_forces[:, z.power][:, len(self.compiled.integrals) :].sum(axis=1)
        return Instant(
            forces, rates, power, rank, Z.shape[1], left / scale, np.linalg.norm(left), size, here[z.phi], here[z.rate],
            here[z.acceleration], J @ np.abs(motion.u[i]), J @ np.abs(ud) + np.abs(still[z.acceleration]),
        )  # fmt: skip

    def directions(self):
        """Along accelerations, multipliers and actuators, the last parameters."""
        unit, x = self.derivatives.unit, self.derivatives.x
        return np.vstack([unit(x.ud), unit(x.multipliers), unit(slice(x.parameters.stop - self.n, x.parameters.stop))])

    # ------------------------------------------------------------ what is refused

    def refuse_broken(self, instants, tolerance):
        """A motion that opens a joint, or moves or accelerates it open."""
        if not self.compiled.n_rows:
            return
        levels = np.array(self.compiled.pairs.levels[: self.compiled.n_rows], dtype=object)
        stack = lambda field: np.array([getattr(instant, field) for instant in instants])
        size = size_of(self.system)
        checks = [
            ("phi", "open by", levels == "position", np.full(len(levels), size)),
            ("rate", "opened at a rate of", levels != "acceleration", stack("speeds").max(axis=0)),
            ("acceleration", "opened with an acceleration of", levels != "", stack("accelerations").max(axis=0)),
        ]
        for field, how, rows, scale in checks:
            missed = np.where(rows, np.abs(stack(field)), 0.0)
            share = missed / np.maximum(scale, 1e-3 * scale.max(initial=1e-300))
            i, row = np.unravel_index(np.argmax(share), share.shape)
            if share[i, row] > tolerance and missed[i, row] > 1e-12:
                raise broken(self.system, self.compiled, row, missed[i, row], self.motion.t[i], how)

    def refuse_unbalanced(self, instants, tolerance):
        """A motion that needs forces nobody gives."""
        left, size = (np.array([getattr(instant, field) for instant in instants]) for field in ("left_size", "size"))
        over, t = np.flatnonzero(left > tolerance * max(size.max(), 1e-300)), self.motion.t
        if not len(over):
            return
        i = int(np.argmax(left))
        problem = f"they cannot make this motion: at t = {t[i]:g} s it also needs {self.shown_forces(instants[i].left)} (N or N m)"
        act = f"{self.n} actuator{'s' * (self.n > 1)} on {instants[i].rank} of {instants[i].freedoms} freedoms"
        when = f"at {len(over)} of {len(t)} times, from {t[over[0]]:g} to {t[over[-1]]:g} s"
        expected = f"{act} leave that unbalanced {when}"
        raise ModelError(
            "actuators", problem, expected, "Name more actuators, or give a motion that the laws of the model allow."
        )

    def shown_forces(self, left):
        """The largest of these forces on speeds, with the names of what they act on."""
        most = sorted(range(len(left)), key=lambda r: -abs(left[r]))[:3]
        names = [name.removesuffix(".rate") for name in self.compiled.speeds]
        return ", ".join(f"{left[r]:.3g} on {names[r]}" for r in most if abs(left[r]) > 1e-3 * abs(left[most[0]]))


def free_motions(B):
    """Z: an orthonormal basis of the motions that the active rows (columns of B) leave free."""
    if not B.shape[1]:
        return np.eye(len(B))
    return np.linalg.qr(B, mode="complete")[0][:, B.shape[1] :]


def least_forces(C, right, weight):
    """f with C f = right and the least Σ w f²; the rank of C."""
    if not len(C):
        return np.zeros(C.shape[1]), 0
    root = 1.0 / np.sqrt(weight)
    found, _, rank, _ = np.linalg.lstsq(C * root, right, rcond=DEPENDENT)
    return root * found, int(rank)


# ---------------------------------------------------------------- back into the model


def with_forces(system, actuators, formulation, motion, opened, instants, forces):
    """A Result of the model with the forces in it: tables through the samples, which it meets exactly."""
    t = motion.t
    laws = [float(column[0]) if len(t) == 1 else Table(tuple(t), tuple(column)) for column in forces.T]
    driven = with_laws(system, actuators, laws)
    compiled = compile_system(driven, formulation)
    power = np.array([instant.power for instant in instants])
    works = np.array([time_integral(t, column) for column in power.T]).T if power.size else power
    works[:, : len(compiled.integrals)] = opened.integrals[:, : len(compiled.integrals)]
    y = np.hstack([motion.q, motion.u, works.reshape(len(t), compiled.n_work)])
    record = Record(t, y, measurements(compiled, t, y[:, : compiled.n_q + compiled.n_u], motion.known))
    return Result(
        driven,
        compiled,
        record,
        dict(t_end=float(t[-1]), formulation=formulation, stopped="", notes=list(motion.notes)),
    )
