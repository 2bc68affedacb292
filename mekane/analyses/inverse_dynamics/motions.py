"""Motions: states and accelerations at given times, however a motion was given.

    a Result                                        its states, and the accelerations the engine finds there
    {"shoulder.angle": "sin(t)", …}, times=…        driven coordinates; all others follow
    (analyses/kinematics/driven_motion.py) (t, q, u, ud)                                   arrays over time, ordered as
    the coordinates and speeds of the formulation

What comes out is the same for all of them, with notes on how accelerations were found.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from mekane.analyses.inverse_dynamics.contact_phases import contact_state_of
from mekane.analyses.kinematics.driven_motion import DrivenMotion
from mekane.analyses.kinematics.paths import read_paths, read_times, refuse_not_finite
from mekane.analyses.state.dynamics import initial_state, prepared
from mekane.compiler.compiler import compile_system
from mekane.compiler.coordinates import Poses
from mekane.compiler.discrete_state import initial_discrete_state
from mekane.errors import ModelError
from mekane.model.names import joint_coordinates
from mekane.results.quantities import Formula
from mekane.results.result import Result
from mekane.results.samples import over_samples
from mekane.solvers.constraints.sudden_motions import refuse_sudden_motions
from mekane.solvers.state import Record


@dataclass
class Motion:
    """First axis: time. ud are those of the speeds in the state."""

    t: np.ndarray
    q: np.ndarray
    u: np.ndarray
    ud: np.ndarray
    driven: tuple = ()  # names of the driven coordinates
    known: dict = field(default_factory=dict)  # "joint.angle" → values, whole turns counted
    integrals: dict = field(default_factory=dict)  # force → its controller state
    discrete: dict = field(default_factory=dict)  # of contacts, where a run has recorded it: name → values
    notes: list = field(default_factory=list)


def read_motion(system, motion, times, formulation, tolerance):
    """The motion, and the formulation it is expressed in."""
    if isinstance(motion, Result):
        refuse_times(times)
        formulation = formulation or motion.compiled.formulation
        return of_result(system, motion, formulation), formulation
    formulation = formulation or "joint"
    if isinstance(motion, Mapping):
        return of_paths(system, *read_paths(system, motion, times), formulation, tolerance), formulation
    if isinstance(motion, tuple | list) and len(motion) == 4:
        refuse_times(times)
        return of_arrays(system, motion, formulation), formulation
    expected = "a Result, driven coordinates {name: path} or arrays (t, q, u, ud) are expected"
    raise ModelError(
        "motion", f"it is a {type(motion).__name__}", expected, 'Write {"shoulder.angle": "sin(t)"}, times=….'
    )


def refuse_times(times):
    if times is not None:
        raise ModelError("motion", "times= is given", "this motion has times of its own", "Leave it out.")


# ---------------------------------------------------------------- a result


def of_result(system, run, formulation):
    if not len(run.t):
        raise ModelError("motion", "the result has no samples", "states over time are expected")
    converted = run if run.compiled.formulation == formulation else in_formulation(run, formulation)
    compiled = compile_system(system, formulation)
    for kind in ("coordinates", "speeds"):
        if getattr(compiled, kind) != getattr(converted.compiled, kind):
            problem = f"the result is of {run.system.name!r}, whose {kind} are others"
            raise ModelError(
                "motion", problem, "the same bodies and joints are expected", "Give a result of this system."
            )
    inputs = refuse_other_phases(system, run)
    n_q, n_u = compiled.n_q, compiled.n_u
    first = n_q + n_u
    integrals = {name: converted.record.y[:, first + k] for k, name in enumerate(converted.compiled.integrals)}
    known = {name: run.numbers(name) for name in joint_coordinates(system)}
    q, u = converted.record.y[:, :n_q], converted.record.y[:, n_q:first]
    return Motion(
        run.t,
        q,
        u,
        converted.loads.ud(),
        known=known,
        integrals=integrals,
        discrete=contact_state_of(run),
        notes=["Accelerations are those of the run's own model.", *inputs],
    )


def refuse_other_phases(system, run):
    """A motion through events has other equations on the way than those at the start. Returns a note on inputs, whose
    forces usually are those that are requested."""
    start, record = initial_discrete_state(system), run.record.discrete
    of_contacts = contact_state_of(run)
    numbers = zip(run.compiled.discrete, record.T, strict=False) if record.size else ()
    numbers = [(name, values) for name, values in numbers if name not in of_contacts]
    changed = [name for name, values in numbers if (values != start.get(name)).any()]
    inputs = [name for name in changed if name in system.inputs]
    changed = [name for name in changed if name not in inputs]
    if changed:
        names, first = ", ".join(map(repr, changed)), changed[0]
        problem = f"on its way {names} {'is not as' if len(changed) == 1 else 'are not as'} at the start"
        remedy = f"Give a result without events, of s.with_discrete_state({{{first!r}: …}}) if need be."
        raise ModelError("motion", problem, "variables and what is active must stay as the system has them", remedy)
    return [f"Laws that are not requested read inputs as they are at the start: {', '.join(inputs)}."] if inputs else []


def in_formulation(run, formulation):
    """The same run in another formulation."""
    from mekane.solvers.constraints.assembly import state_of

    compiled = compile_system(run.system, formulation)
    here = run.compiled
    y = np.zeros((len(run.t), compiled.n_q + compiled.n_u + compiled.n_work))
    y[:, compiled.n_q + compiled.n_u :] = run.record.y[:, here.n_q + here.n_u :]
    of = dict(
        zip(
            run.system.bodies,
            over_samples(run, *(Formula(pose_and_twist, name) for name in run.system.bodies)),
            strict=True,
        )
    )
    still = {"ground": (np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))}
    for i in range(len(run.t)):
        now = still | {name: (x[i, :9].reshape(3, 3), x[i, 9:12], x[i, 12:15], x[i, 15:]) for name, x in of.items()}
        poses = Poses(*({name: parts[k] for name, parts in now.items()} for k in range(4)))
        y[i, : compiled.n_q + compiled.n_u] = np.concatenate(state_of(compiled, poses))
    known = {name: run.numbers(name) for name in joint_coordinates(run.system)}
    record = Record(run.t, y, measurements(compiled, run.t, y, known), run.record.discrete)
    return Result(run.system, compiled, record, run.info)


def pose_and_twist(run, name):
    """R, p, w and v of a body's frame, (time, 18)."""
    body = run.kinematics
    return np.hstack(
        [body.R(name).reshape(-1, 9), body.position(name), body.angular_velocity(name), body.velocity(name)]
    )


def measurements(compiled, t, y, known):
    """Joint coordinates that are not part of the state, as a Record keeps them: whole turns as known, else as they go
    on."""
    found = np.zeros((len(t), len(compiled.tables.row_i)))
    rest = []
    for (joint, coordinate), row in compiled.pairs.measurement.items():
        if f"{joint}.{coordinate}" in known:
            found[:, row] = known[f"{joint}.{coordinate}"]
        else:
            rest.append((joint, coordinate, row))
    formulas = [Formula(joint_coordinate, joint, coordinate) for joint, coordinate, _ in rest]
    measured = over_samples(Result(compiled.system, compiled, Record(t, y, found), {}), *formulas) if rest else []
    for (joint, coordinate, row), values in zip(rest, measured, strict=True):
        measure = next(m for m in compiled.system.joints[joint].measures() if m.name == coordinate)
        found[:, row] = np.unwrap(values) if measure.kind == "rotated" else values
    return found


def joint_coordinate(run, joint, coordinate):
    return run.kinematics.coordinate(joint, coordinate)


# ---------------------------------------------------------------- driven coordinates


def of_paths(system, paths, times, formulation, tolerance):
    driven = DrivenMotion(system, paths, formulation, initial_state(system, formulation), tolerance)
    n, compiled = len(times), driven.compiled
    laws = compiled.laws_of_time()
    r, levels = driven.model.workspace.r, ("position", "velocity")
    refuse_sudden_motions(compiled, laws, r, times[0], times[-1], levels, lambda name: f"motion of {name!r}")
    q, u, ud = np.zeros((n, compiled.n_q)), np.zeros((n, compiled.n_u)), np.zeros((n, compiled.n_u))
    measurement = np.zeros((n, len(driven.measurement)))
    for i, t in enumerate(times):
        driven.to(t)
        q[i], u[i], ud[i], measurement[i] = driven.q, driven.u, driven.ud, driven.measurement
    known = {
        f"{joint}.{coordinate}": measurement[:, row] for (joint, coordinate), row in compiled.pairs.measurement.items()
    }
    return Motion(times, q, u, ud, tuple(path.name for path in paths), known, notes=notes_on(paths, driven))


def notes_on(paths, driven):
    exact, splines = ([path.name for path in paths if path.exact is which] for which in (True, False))
    notes = [f"Differentiated exactly: {', '.join(exact)}."] if exact else []
    notes += [f"Differentiated as cubic splines: {', '.join(splines)}."] if splines else []
    return notes + ["Positions that follow from speeds alone were integrated."] * driven.integrated


# ---------------------------------------------------------------- arrays


def of_arrays(system, arrays, formulation):
    model = prepared(system, formulation)
    compiled, t = model.compiled, read_times(arrays[0])
    names = {"q": compiled.coordinates, "u": compiled.speeds, "ud": compiled.speeds}
    q, u, ud = (checked_array(what, given, t, names[what]) for what, given in zip(names, arrays[1:], strict=True))
    y = np.array([model.state("motion", *state) for state in zip(q, u, strict=True)])  # Euler parameters of unit length
    return Motion(t, y[:, : compiled.n_q], u, ud)


def checked_array(what, given, t, names):
    try:
        values = np.array(given, float)
    except (TypeError, ValueError):
        raise ModelError(
            "motion", f"{what} holds something that is not a number", f"{len(t)} rows of {len(names)} are expected"
        ) from None
    if values.ndim == 1 and values.size == len(t) * len(names):
        values = values.reshape(len(t), len(names))
    if values.ndim == 2 and len(values) != len(t):
        problem = f"{what} has {len(values)} rows"
        raise ModelError("motion", problem, f"there are {len(t)} times", "Give arrays of the same length.")
    if values.shape != (len(t), len(names)):
        shown = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
        raise ModelError(
            "motion", f"{what} has the shape {values.shape}", f"{(len(t), len(names))} is expected, with {shown}"
        )
    refuse_not_finite(values, t, what)
    return values
