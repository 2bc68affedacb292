"""linearize: linearized motion about an equilibrium or a steady motion, as  dx/dt = A x + B u,  y = C x + D u.

x are independent changes of the state (see minimal_states), expressed in axes that take part in a steady motion (see
steady.conditions). Everything is an exact derivative of the equations of motion (see state_matrix).
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.kinematics.placement import with_values
from mekane.analyses.kinematics.speed_scales import size_of
from mekane.analyses.linear.joint_states import JointStates, split_names, watched_outputs
from mekane.analyses.linear.minimal_states import indices_of, shift_names
from mekane.analyses.quantity_names import as_value, names_of, refuse_built_in
from mekane.analyses.state.dynamics import Model, initial_state, prepared
from mekane.analyses.state.local_equations import Local
from mekane.analyses.state.snapshot import Snapshot, is_motion
from mekane.analyses.steady.conditions import TOLERANCE, steady_matrix
from mekane.compiler.compiler import compile_system
from mekane.errors import ModelError
from mekane.model.construction_log import with_names
from mekane.model.hybrid.activity import for_analysis
from mekane.model.interface.lazy import lazy_method
from mekane.model.system import System
from mekane.results.printing import Printed, Shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# radians and sizes of the mechanism: an input that moves a constraint by more, when it changes by its size or by 1,
# drives it
MOVED = 1e-12
OPEN = 1e-8  # metres and radians: how far constraints may be open in a state given by numbers


def linearize(
    system: System,
    at: Any = None,
    inputs: str | Sequence[str] = (),
    outputs: str | Sequence[str] | None = None,
    formulation: str = "joint",
    independent: Sequence[str] | None = None,
    t: float | None = None,
    tolerance: float = TOLERANCE,
) -> Linearization:
    """Linearized motion about a state in which a system rests or moves steadily: dx/dt = A x + B u, y = C x + D u.

    Parameters:
        system: what moves.
        at: an answer of mk.equilibrium or mk.steady, a state of a motion (run.state(3.0), sim.state()), a System placed in
            that state, or (q, u); by default the state as described.
        inputs: names of inputs and parameters, or of numbers such as "motor.torque".
        outputs: names or expressions of the state such as "hinge.angle" or "2*arm.position.x"; by default all states.
        formulation: "joint", or a name in mekane.formulations.
        independent: names of coordinates or speeds that are to be states.
        t: the time at which laws are taken [s]; by default that of `at`, or 0.
        tolerance: how far from steady the state may be, beside the accelerations at work; beyond that it is refused.

    Returns:
        Linearization: .A, .B, .C, .D, .eigenvalues [rad/s] …

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        small = mk.linearize(s, at=mk.equilibrium(s))
        print(small.A, small.eigenvalues)
    """
    t, controller_states = time_of(at) if t is None else t, controller_states_of(at)
    system, state, turns = state_at(system, at, formulation)
    inputs, outputs = names_of(inputs, "inputs"), None if outputs is None else names_of(outputs, "outputs")
    parameters = [name for name in inputs if name not in system.inputs]
    system = with_names(system, parameters)
    refuse_built_in(system, parameters, "inputs")
    own, measured = split_names(prepared(system, formulation).compiled, names_of(independent, "independent"))
    model = model_with_outputs(system, formulation, [*(outputs or ()), *watched_outputs(measured)])
    q, u = initial_state(system, formulation) if state is None else state
    integrals = controller_state_vector(model.compiled, controller_states)
    local = Local(model, q, u, t, integrals=integrals, analysis="linearize", turns=turns)
    if state is at:
        refuse_open(local)
    if local.friction is not None:
        local.friction.refuse_changing_modes()
    steady, matrix = steady_matrix(local, own, "linearize", model.number("linearize", "tolerance", tolerance))
    found = Linearization(steady, matrix, inputs, outputs)
    return found.in_joint_states(measured, own) if measured else found


def state_at(system, at, formulation):
    """The system to use; (q, u), or None for where it is placed; and angles of joints that (q, u) does not know, by
    name."""
    if at is None:
        return system, None, {}
    if isinstance(at, Snapshot) and at.formulation == formulation and not at.discrete:
        return with_values(at.described, at.parameters), (at.q, at.u), at.turns
    at = at if is_motion(at) else getattr(at, "system", at)
    if isinstance(at, System):
        return for_analysis(at, "linearize"), None, {}
    if isinstance(at, (tuple, list)) and len(at) == 2:
        return system, at, {}
    problem = f"at is {at!r}" if isinstance(at, str) else f"at is {type(at).__name__}"
    remedy = "Write at=run.state(3.0) or sim.state()." if is_motion(at) else "Write at=mk.equilibrium(s)."
    expected = "an equilibrium, a state of a motion, a System placed in the state, or (q, u) is expected"
    raise ModelError("linearize", problem, expected, remedy)


def time_of(at):
    """When an answer holds."""
    return getattr(at, "t", 0.0) if hasattr(at, "system") else 0.0


def controller_states_of(at):
    """Controller states of an answer: force → value."""
    result = getattr(at, "result", None) if len(getattr(at, "integrals", ())) else None
    return {} if result is None else dict(zip(result.compiled.integrals, at.integrals, strict=True))


def controller_state_vector(compiled, controller_states):
    """In the order of the model, by default those of its start; work that was done does not matter."""
    states = compiled.start_memory
    for k, name in enumerate(compiled.integrals):
        states[k] = controller_states.get(name, states[k])
    return states


def refuse_open(local):
    """A state given by numbers must meet the constraints."""
    levels = np.array(local.compiled.pairs.levels[: local.compiled.n_rows])
    for level, what, those in (
        ("phi", "positions", levels == "position"),
        ("rate", "speeds", levels != "acceleration"),
    ):
        gap = np.where(those & local.on, np.abs(local.here[getattr(local.z, level)]), 0.0)
        if gap.max(initial=0.0) > OPEN * (1.0 + np.abs(local.u).max(initial=0.0)):
            name = local.compiled.pairs.owner(int(gap.argmax()))
            problem = f"{what} in at=(q, u) leave {name!r} open by {gap.max():.3g} (SI units)"
            raise ModelError(
                "linearize", problem, "a state that meets all constraints", "Put it together with mk.assemble."
            )


def model_with_outputs(system, formulation, outputs):
    if not outputs:
        return prepared(system, formulation)
    return Model(compile_system(system, formulation, [as_value(system, text, "outputs") for text in outputs]))


class Linearization(Printed):
    """A, B, C, D; `states`, `inputs`, `outputs` are their names.

    `full`: (changes of all coordinates, then of all speeds) = full @ x, with the names `coordinates` and `speeds`.
    `uncertain`: by how much entries of A may be wrong, as the state is not quite steady.
    `notes`: laws that are not smooth exactly in this state.
    `carrying`: the angular velocity with which a steady motion goes round; `moves`: False at rest.
    """

    def __init__(self, steady, matrix, inputs, outputs):
        self.local, self._independent = matrix.local, matrix.independent
        compiled, independent = self.local.compiled, matrix.independent
        self.system, self.formulation = compiled.system, compiled.formulation
        self.coordinates, self.speeds = list(compiled.coordinates), list(compiled.speeds)
        self.inputs, self.carrying, self.moves = inputs, steady.carrying, steady.moves
        shifts = shift_names(compiled)
        controller_states = [f"{name}.integral" for name in compiled.integrals]
        self.states = (
            [shifts[r] for r in independent.q] + [compiled.speeds[r] for r in independent.u] + controller_states
        )
        self.n_places = len(independent.q)  # how many of the states, the first ones, are changes of the configuration
        self.outputs = self.states if outputs is None else outputs
        self.notes = self.local.remarks_on_discontinuities()
        self.notes += [] if self.local.friction is None else self.local.friction.remarks()
        self._build(matrix, outputs is None)

    # ------------------------------------------------------------ the matrices

    def _build(self, matrix, all_states):
        local = self.local
        self.A, self.uncertain = matrix.A, matrix.uncertain
        self.shifts, self.changes = matrix.shifts, matrix.changes
        self._watched = matrix.of_states[local.z.outputs]
        of_inputs = self._along_inputs()
        self.B = matrix.of_inputs(of_inputs)
        if all_states:
            self.C, self.D = np.eye(len(self.states)), np.zeros((len(self.states), len(self.inputs)))
        else:
            n = len(self.outputs)
            self.C, self.D = matrix.of_states[local.z.outputs][:n], of_inputs[local.z.outputs][:n]
        self.full = np.vstack([local.N @ self.shifts, self.changes])

    def in_joint_states(self, measured, own):
        """The same with these coordinates of joints, the last outputs of the model, and their rates as states. own:
        states to stay."""
        rows, stay = self._watched[-2 * len(measured) :], indices_of(self.local.compiled, own)
        transformation = JointStates(self.states, self._independent, measured, rows, stay)
        new = copy(self)
        new.A, new.B, new.shifts, new.changes = (
            transformation.matrix(self.A),
            transformation.T @ self.B,
            self.shifts @ transformation.back,
            self.changes @ transformation.back,
        )
        new.uncertain = np.abs(transformation.T) @ self.uncertain @ np.abs(transformation.back)
        new.full, new.states, new._independent = (
            self.full @ transformation.back,
            transformation.states,
            transformation.independent(self._independent),
        )
        new.C, new.outputs = (
            (self.C, transformation.states)
            if self.outputs is self.states
            else (self.C @ transformation.back, self.outputs)
        )
        return new

    def _along_inputs(self):
        local, known = self.local, [*self.system.parameters, *self.local.compiled.discrete]
        units = np.vstack([local.directions_of("parameters"), local.directions_of("discrete")])
        values = np.append(list(self.system.parameters.values()), local.derivatives.discrete)
        directions = units[[known.index(name) for name in self.inputs]]
        derivatives = local.derivatives.along(local.x, directions)[1].T
        size = min(1.0, size_of(self.system))
        for name, column in zip(self.inputs, derivatives.T, strict=True):
            rows = np.abs(np.append(column[local.z.phi][local.on], column[local.z.rate][local.on]))
            if max(1.0, abs(values[known.index(name)])) * rows.max(initial=0.0) > MOVED * size:
                problem = f"{name!r} moves a constraint; its rates would be inputs too"
                raise ModelError(
                    "inputs", problem, "an input changes forces", "Drive the part by a force, such as a pd or a spring."
                )
        return derivatives

    # ------------------------------------------------------------ results

    def second_order(self):
        """M, C, K of  M d(speeds)/dt + C speeds + K coordinates = forces,  for the independent ones; labelled."""
        import xarray

        free_q, free_u = self._independent.q, self._independent.u
        own = np.linalg.solve(self.local.E, self._independent.U)  # in the recursion's speeds
        M = own.T @ self.local.M @ own
        q, u = slice(0, len(free_q)), slice(len(free_q), len(free_q) + len(free_u))
        label = lambda values, of: xarray.DataArray(
            values, {"speed": self.states[u], "of": self.states[of]}, ("speed", "of")
        )
        return label(M, u), label(-M @ self.A[u, u], u), label(-M @ self.A[u, q], q)

    @cached_property
    def eigenvalues(self):
        """Of A, sorted by size; those that are zero by structure (rigid-body motions, wheel angles …) are exactly
        zero."""
        from mekane.analyses.linear.eigensystem import sorted_eigenvalues

        return sorted_eigenvalues(self.A, self.uncertain)

    @property
    def stable(self):
        """No eigenvalue grows. Zero eigenvalues are neutral."""
        return not self._grows().any()

    def _grows(self):
        return ~(self.eigenvalues.real <= 1e-9 * (1.0 + np.abs(self.eigenvalues)))

    def state_space(self):
        """As scipy.signal.StateSpace."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B_or_one(), self.C, self.D if self.inputs else np.zeros((len(self.C), 1)))

    def B_or_one(self):
        return self.B if self.inputs else np.zeros((len(self.A), 1))

    def to_control(self):
        """As a state space of python-control, with all names."""
        try:
            import control
        except ImportError:
            raise ModelError(
                "to_control", "python-control is not installed", "the package `control`", "pip install control"
            ) from None
        D = self.D if self.inputs else np.zeros((len(self.C), 1))
        names = dict(states=self.states, outputs=self.outputs, inputs=self.inputs or ["none"])
        return control.ss(
            self.A, self.B_or_one(), self.C, D, **{k: [n.replace(".", "_") for n in v] for k, v in names.items()}
        )

    frequency_response = lazy_method("mekane.analyses.linear.frequency_response", "frequency_response")

    def to_dict(self):
        """Plain data."""
        lists = {letter: getattr(self, letter).tolist() for letter in "ABCD"}
        values = [[float(x.real), float(x.imag)] for x in self.eigenvalues]
        return dict(
            system=self.system.name, states=self.states, inputs=self.inputs, outputs=list(self.outputs), **lists,
            eigenvalues=values, stable=self.stable, carrying=self.carrying.tolist(), notes=self.notes,
        )  # fmt: skip

    def plot(self, path=None):
        """Eigenvalues in the complex plane, those that grow in red: a figure, written if a path is given."""
        from mekane.analyses.figures import panels, plain, written

        figure, (axes,) = panels(
            plain(f"{self.system.name}: eigenvalues"), "real [1/s]", "imaginary [rad/s]", size=(4.5, 3.5)
        )
        grows = self._grows()
        for those, color in ((~grows, "C0"), (grows, "C3")):
            axes.plot(self.eigenvalues.real[those], self.eigenvalues.imag[those], "x", color=color)
        axes.axvline(0.0, color="0.6", lw=0.8)
        return written(figure, path)

    _repr_html_ = lazy_method("mekane.view.web.notebook", "linearization_html")

    def shown(self):
        kind = (
            f"a steady motion that goes round with {np.linalg.norm(self.carrying):.6g} rad/s"
            if self.moves
            else "an equilibrium"
        )
        title = f"{self.system.name}: linearized motion about {kind}, {len(self.states)} states"
        tables = [
            Shown(
                title, ["d/dt of", *self.states], [[name, *row] for name, row in zip(self.states, self.A, strict=True)]
            )
        ]
        if self.inputs:
            tables.append(
                Shown(
                    "inputs", ["d/dt of", *self.inputs], [[n, *row] for n, row in zip(self.states, self.B, strict=True)]
                )
            )
        values = [[x.real, x.imag] for x in self.eigenvalues]
        remark = "no eigenvalue grows" if self.stable else "unstable: an eigenvalue has a positive real part"
        remark = " ".join([f"{remark}.", *self.notes]) if self.notes else remark
        return [*tables, Shown("eigenvalues", ["real [1/s]", "imaginary [rad/s]"], values, remark)]
