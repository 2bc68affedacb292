"""inverse_dynamics: what actuators must give so that a mechanism makes a given motion.

    A f + Bᵀ λ = tau,     tau = M ud + bias − laws                                                           (C.1)

tau is what `s.required_forces(q, u, ud)` gives for one state: all that the motion needs beside the laws of the model.
Here it is shared between actuators f and constraints λ, instant by instant. On the motions Z that the rows leave free
(B Z = 0) λ has no power, so that

    Zᵀ A f = Zᵀ tau

are as many equations as there are freedoms. With as many actuators f is unique. With more, the least of Σ w f² is
chosen; with fewer, the motion must happen to need no more, or it is refused. Then the forces are put into the model as
tables of time, and the model evaluated as any run is: reactions, energies, and the accelerations, which must be those
of the motion. Contacts that are closed in the motion add columns to Bᵀ, which differ from rows where they slide
(contact_phases).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mekane.analyses.equilibrium.static_equations import range_and_null
from mekane.analyses.inverse_dynamics.actuators import default_actuators, find_actuators, with_laws, with_parameters
from mekane.analyses.inverse_dynamics.contact_phases import ContactPhases, judged
from mekane.analyses.inverse_dynamics.motions import measurements, read_motion
from mekane.analyses.inverse_dynamics.required_forces import InverseDynamics, time_integral
from mekane.analyses.kinematics.driven_motion import broken
from mekane.analyses.kinematics.speed_scales import mass_metric, size_of
from mekane.analyses.state.dynamics import Model
from mekane.compiler.compiler import compile_system
from mekane.compiler.discrete_state import initial_discrete_state
from mekane.errors import ModelError, did_you_mean
from mekane.expressions.graph import Table
from mekane.model.hybrid.activity import as_at_start, for_analysis
from mekane.model.values.units import positive
from mekane.results.result import Result
from mekane.solvers.state import Record
from mekane.tables.columns import ROW_WORK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import ArrayLike

    from mekane.model.system import System

DEPENDENT = (
    1e-9  # singular value, beside the largest of what they push on, below which actuators push on nothing that is free
)
ROUNDS, UNCHANGED = 200, 1e-13  # of friction by reactions: rounds, change at which it is found
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
    motion, formulation = read_motion(as_at_start(system), motion, times, formulation, tolerance)
    system = with_contacts_open(for_analysis(system, "inverse_dynamics"))
    chosen = chosen_actuators(system, motion, actuators)
    weight = read_weights(chosen, weights, choice)
    opened = Opened(system, chosen, formulation, motion, tolerance)
    for _ in range(ROUNDS):
        instants = [opened.at(i, weight) for i in range(len(motion.t))]
        opened.refuse_broken(instants, tolerance)
        opened.refuse_unbalanced(instants, tolerance)
        forces = np.array([instant.forces for instant in instants])
        refuse_infinite(chosen, motion.t, forces)
        run = with_forces(system, chosen, formulation, motion, opened, instants, forces)
        if not opened.contacts.depends_on_reactions():
            break
        if opened.contacts.read_reactions(run, [instant.phases for instant in instants]) < UNCHANGED:
            break
    else:
        raise no_friction_found(system)
    motion.notes += judged(motion.t, [instant.contacts for instant in instants])
    return InverseDynamics(motion, chosen, forces, instants, run, stated_choice(chosen, instants, weights))


def no_friction_found(system):
    names = ", ".join(repr(law.name) for law in system.contact_laws.values())
    return ModelError(
        f"inverse_dynamics of {system.name!r}",
        f"friction and the reactions that it depends on do not settle: {names}",
        "friction of bearings and guides that does not lock itself",
        "Give less friction.",
    )


def with_contacts_open(system):
    """The system, contacts open in its discrete state: the motion tells which of them are closed."""
    if not system._contact_modes:
        return system
    new = system.copied()
    new._contact_modes = {}
    return new


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
    row_speeds: np.ndarray  # B u of all rows
    phases: list  # of the elements of contact laws
    contacts: tuple | None  # what Forces takes, where contacts are closed


class Opened:
    """The model with its actuators left open, evaluated along a motion."""

    def __init__(self, system, actuators, formulation, motion, tolerance=1e-6):
        self.system, self.motion = with_parameters(system, actuators), motion
        self.model = Model(compile_system(self.system, formulation))
        self.compiled, self.derivatives, self.n = self.model.compiled, self.model.derivatives, len(actuators)
        self.measurement = measurements(self.compiled, motion.t, np.hstack([motion.q, motion.u]), motion.known)
        self.contacts, self.size = ContactPhases(self.compiled, motion, tolerance), size_of(self.system)
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
        A, B = -by_forces[:, z.tau].T * scale[:, None], -by_rows[:, z.tau].T * scale[:, None]
        J = by_ud[:, z.acceleration].T
        phases = self.contacts.at(i, here[z.phi], here[z.rate], here[z.acceleration], J, self.size)
        columns = self.contacts.columns(i, phases, B, self.model.workspace.r)
        tau, bound = here[z.tau] * scale - columns.load, np.hstack([B[:, active], columns.C])
        Z = free_motions(bound)
        forces, rank = least_forces(Z, A, tau, weight)
        left = Z @ (Z.T @ (tau - A @ forces))
        size = np.linalg.norm(tau) + np.linalg.norm(still[z.tau] * scale)
        power = here[z.power] + forces @ by_forces[:, z.power]
        rates = by_forces[:, z.power][:, len(self.compiled.integrals) :].sum(axis=1)
        return Instant(
            forces, rates, power, rank, Z.shape[1], left / scale, np.linalg.norm(left), size, here[z.phi], here[z.rate],
            here[z.acceleration], np.abs(J) @ np.abs(motion.u[i]), np.abs(J) @ np.abs(ud) + np.abs(still[z.acceleration]),
            J @ motion.u[i], phases, contact_balance(columns, bound, tau - A @ forces),
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
            missed = np.where(rows & ~self.contacts.rows, np.abs(stack(field)), 0.0)
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
    """Z: an orthonormal basis of the motions on which forces along the columns of B have no power."""
    if not B.shape[1]:
        return np.eye(len(B))
    return range_and_null((B / lengths(B)).T)[1]


def lengths(B):
    size = np.linalg.norm(B, axis=0)
    return np.where(size > 0.0, size, 1.0)


def contact_balance(columns, bound, load):
    """What Forces takes: the least forces of contacts, and of constraints beside them, that balance a load, and the changes
    that do not change it."""
    if not columns.sets:
        return None
    size = lengths(bound)
    U, strength, Vt = np.linalg.svd(bound / size)
    rank = int(np.sum(strength > DEPENDENT * strength.max(initial=0.0)))
    found = (Vt[:rank].T @ ((U[:, :rank].T @ load) / strength[:rank])) / size
    first = bound.shape[1] - columns.C.shape[1]
    return columns.sets, found[first:], (Vt[rank:].T / size[:, None])[first:], np.abs(found).max(initial=0.0)


def least_forces(Z, A, tau, weight):
    """f with Zᵀ A f = Zᵀ tau and the least Σ w f²; the rank of Zᵀ A, judged beside A: actuators on what cannot move, as at a
    dead centre, have nothing but round-off on what is free."""
    if not Z.shape[1]:
        return np.zeros(A.shape[1]), 0
    root = 1.0 / np.sqrt(weight)
    U, strength, Vt = np.linalg.svd(Z.T @ (A * root), full_matrices=False)
    rank = int(np.sum(strength > DEPENDENT * np.linalg.norm(A * root, axis=0).max(initial=0.0)))
    return root * (Vt[:rank].T @ (U[:, :rank].T @ (Z.T @ tau) / strength[:rank])), rank


def refuse_infinite(actuators, t, forces):
    """An error for forces that are infinite, or no numbers: no run of the model has them."""
    bad = np.argwhere(~np.isfinite(forces.reshape(len(t), -1)))
    if len(bad):
        instant, k = bad[0]
        problem = f"the force of {actuators[k].name!r} is not finite at t = {t[instant]:g} s"
        remedy = "Leave this instant out; a prescribed motion may have an infinite acceleration there, or a law may."
        raise ModelError("inverse_dynamics", problem, "forces are finite numbers", remedy)


# ---------------------------------------------------------------- back into the model


def with_forces(system, actuators, formulation, motion, opened, instants, forces):
    """A Result of the model with the forces in it: tables through the samples, which it meets exactly."""
    t = motion.t
    laws = [float(column[0]) if len(t) == 1 else Table(tuple(t), tuple(column)) for column in forces.T]
    driven = with_laws(system, actuators, laws)
    compiled = compile_system(driven, formulation)
    start, phases = initial_discrete_state(driven), [instant.phases for instant in instants]
    discrete = opened.contacts.discrete_state(compiled.discrete, start, phases) if len(opened.contacts) else None
    measured = measurements(compiled, t, np.hstack([motion.q, motion.u]), motion.known)
    info = dict(t_end=float(t[-1]), formulation=formulation, stopped="", notes=motion.notes)

    def made(power):
        works = np.array([time_integral(t, column) for column in power.T]).T if power.size else power
        works[:, : len(compiled.integrals)] = opened.integrals[:, : len(compiled.integrals)]
        y = np.hstack([motion.q, motion.u, works.reshape(len(t), compiled.n_work)])
        return Result(driven, compiled, Record(t, y, measured, *([] if discrete is None else [discrete])), info)

    power = np.array([instant.power for instant in instants])
    run = made(power)
    return run if discrete is None else made(power + contact_power(run, instants, opened.contacts.rows))


def contact_power(run, instants, rows):
    """(time, work): power of the forces of contacts; heat of friction is what it takes."""
    place, found = run.compiled.tables.row_i[:, ROW_WORK], np.zeros((len(instants), run.compiled.n_work))
    multiplier = run.loads.multipliers(range(run.compiled.n_rows))
    for i, instant in enumerate(instants):
        for row in np.flatnonzero(rows):
            if place[row] >= 0:
                found[i, place[row]] += multiplier[i, row] * instant.row_speeds[row]
    return found
