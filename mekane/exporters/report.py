"""A run as a text listing, in the spirit of the thesis: what was read, how it was computed, what came out.  [T]
listings 6.1, 6.2"""

import numpy as np

from mekane.exporters.csv import table
from mekane.files import write
from mekane.model.attachments import Axial, BetweenCoordinates, BetweenFrames
from mekane.model.named_part import named_parts_of
from mekane.model.names import joint_coordinates

suffixes = (".txt",)
WIDTH = 100
LINES = 21  # of the results table, unless all are requested
COLUMNS = 8  # side by side


def report(run, path=None, columns=None, lines=LINES):
    """The listing as text; with `path`, also written there.

    columns: quantities of the results table (default: joint coordinates; of a model that has none, positions).
    lines: about so many samples are shown, evenly spread; None shows all.
    """
    parts = [banner(run), control(run), *bodies(run), *joints(run), *constraints(run), *contact_laws(run), *forces(run)]
    parts += [method(run), results(run, columns, lines), energies(run, lines), events(run), reactions(run)]
    parts += [of_contacts(run), verdict(run)]
    text = "\n".join(line.rstrip() for part in parts if part for line in [*part, ""])
    if path is not None:
        write(path, text)
    return text


def save(run, path, quantities=None):
    """Write a run as a listing; quantities: columns of its table."""
    report(run, path, quantities)


# ---------------------------------------------------------------- what was read


def banner(run):
    stars = "*" * WIDTH
    return [stars, "* MEKANE   Multibody dynamics by Kane's equations".ljust(WIDTH - 1) + "*", stars, run.system.name]


def control(run):
    system, found = run.system, run.redundancy
    lines = heading("Control data")
    lines += [f"number of bodies         {len(system.bodies)}", f"number of joints         {len(system.joints)}"]
    lines += [f"number of forces         {len(system.forces)}"]
    lines += [f"number of constraints    {len(system.constraints)}"] if system.constraints else []
    lines += [f"number of contact laws   {len(system.contact_laws)}"] if system.contact_laws else []
    lines += [f"constraint equations     {found.rows}, of which {found.redundant} repeat others"]
    lines += [f"degrees of freedom       {found.freedom}", f"gravity                  {vector(system.gravity)} m/s^2"]
    lines += [f"parameter {name:<14} {value:.9g}" for name, value in system.parameters.items()]
    lines += [f"{f'{part.kind} {part.name}':<24} {part.summary}" for part in named_parts_of(system)]
    return lines + [f"remark: {remark}" for remark in system.check()]


def bodies(run):
    for number, body in enumerate(run.system.bodies.values(), 1):
        lines = heading(f"Body {number}: {body.name}")
        lines += [f"mass                     {body.mass:.9e} kg", f"mass centre              {vector(body.com)} m"]
        lines += [f"inertia xx yy zz         {vector(np.diag(body.inertia))} kg m^2"]
        if np.any(body.inertia - np.diag(np.diag(body.inertia))):
            lines += [f"inertia xy xz yz         {vector(body.inertia[[0, 0, 1], [1, 2, 2]])} kg m^2"]
        yield lines + initial(run, body)


def initial(run, body):
    """Where it starts: after assembly, as far as there is a first sample."""
    if not len(run.t):
        return []
    R, get = run.kinematics.R(body.name)[0], lambda quantity: run.numbers(f"{body.name}.{quantity}")[0]
    lines = [f"at t = {run.t[0]:g} s:", f"  position               {vector(get('position'))} m"]
    lines += [f"  velocity               {vector(get('velocity'))} m/s"]
    lines += [f"  angular velocity       {vector(get('angular_velocity'))} rad/s"]
    return lines + [f"  unit vector n{axis}         {vector(R[:, k])}" for k, axis in enumerate("xyz")]


def joints(run):
    for number, joint in enumerate(run.system.joints.values(), 1):
        lines = heading(f"Joint {number}: {joint.name}")
        lines += [f"{joint.kind:<24} {joint.a} - {joint.b}"]
        lines += [f"point on {joint.a:<15} {vector(joint.p_AF)} m, axis z {vector(joint.R_AF[:, 2])}"]
        lines += [f"point on {joint.b:<15} {vector(joint.p_BM)} m, axis z {vector(joint.R_BM[:, 2])}"]
        yield lines + [f"{keyword:<24} {getattr(joint, keyword):.9g}" for keyword in joint.own_keywords()]


def constraints(run):
    for number, constraint in enumerate(run.system.constraints.values(), 1):
        yield constraint_lines(run, constraint, f"Constraint {number}: {constraint.name}")


def constraint_lines(run, constraint, title):
    lines = [*heading(title), f"{constraint.kind:<24} {', '.join(constraint.touched(run.system))}"]
    given = constraint.to_dict().items()
    return lines + [f"{keyword:<24} {value}" for keyword, value in given if keyword != constraint.kind]


def contact_laws(run):
    for number, law in enumerate(run.system.contact_laws.values(), 1):
        lines, elements = constraint_lines(run, law, f"Contact law {number}: {law.name}"), law.ids(run.system)
        yield lines + ([f"{'elements':<24} {', '.join(elements)}"] if len(elements) > 1 else [])


def forces(run):
    for number, force in enumerate(run.system.forces.values(), 1):
        lines = heading(f"Force {number}: {force.name}")
        lines += [f"{force.kind:<24} {place(force.acts)}"]
        for field in force.value_fields():
            value = getattr(force, field.name)
            if value is not None:
                lines.append(f"{field.name:<24} {text_of(value)}")
        yield lines


def place(acts):
    if isinstance(acts, BetweenCoordinates):
        return " - ".join(f"{end.joint}.{end.coordinate}" for end in (acts.a, acts.b))
    if isinstance(acts, Axial | BetweenFrames):
        return f"{acts.a} at {vector(acts.point_a)} m - {acts.b} at {vector(acts.point_b)} m"
    options = [
        f"{keyword} {vector(value) if isinstance(value, list) else value}" for keyword, value in acts.options().items()
    ]
    return ", ".join([acts.to_dict(), *options])


def text_of(value):
    if isinstance(value, tuple):
        return ", ".join(map(text_of, value))
    return (
        f"{value.given:.9g}"
        if isinstance(value.given, float | int)
        else "a Python function"
        if callable(value.given)
        else str(value.given)
    )


# ---------------------------------------------------------------- how, and what came out


def method(run):
    info, lines = run.info, heading("Method")
    keys = (
        "formulation",
        "method",
        "t_end",
        "rtol",
        "atol",
        "step",
        "correct",
        "steps",
        "rejected",
        "evaluations",
        "switches",
    )
    return lines + [f"{key:<24} {info[key]}" for key in keys if info.get(key) is not None]


def results(run, columns, lines):
    names, values = table(run, columns or default_columns(run))
    return heading("Results") + numbers(names, values[spread(len(values), lines)])


def default_columns(run):
    return joint_coordinates(run.system) or [f"{body}.position" for body in run.system.bodies]


def energies(run, lines):
    e = run.energies
    shown = np.column_stack([run.t, e.kinetic, e.potential, e.work, e.balance])
    names = ["t", "kinetic", "potential", "work", "T + V - W"]
    return heading("Energies [J]") + numbers(names, shown[spread(len(shown), lines)])


def events(run):
    """When, what changed, impulses and energies."""
    return [*heading("Events"), *repr(run.events).splitlines()] if len(run.events) else []


def of_contacts(run):
    """Of each element of a contact law: its largest force, and the energy that its impacts took; heat of each law."""
    lines = heading("Contact laws") + [f"{'element':<24}{'force':>18}{'at t [s]':>14}{'lost in impacts [J]':>22}"]
    for name, law in run.system.contact_laws.items():
        for element in law.ids(run.system):
            force = np.abs(run.numbers(f"{element}.force"))
            lost = sum(line.losses.get(element, 0.0) for line in run.events)
            if len(force):
                lines.append(f"{element:<24}{force.max():>18.6e}{run.t[force.argmax()]:>14.6g}{lost:>22.6e}")
        if len(run.t):
            lines.append(f"{f'heat of {name} [J]':<24}{run.numbers(f'{name}.heat')[-1]:>18.6e}")
    return lines if len(lines) > 2 else []


def reactions(run):
    """Largest force and moment in each joint and of each constraint."""
    lines = heading("Largest reactions") + [f"{'joint':<24}{'force [N]':>18}{'moment [N m]':>18}{'at t [s]':>14}"]
    for name in (*run.system.joints, *run.system.constraints):
        wrench = run.numbers(f"{name}.reaction")
        force, moment = np.linalg.norm(wrench[:, :3], axis=1), np.linalg.norm(wrench[:, 3:6], axis=1)
        if len(force):
            note = "" if run.is_unique(name) else "   not unique"
            lines.append(f"{name:<24}{force.max():>18.6e}{moment.max():>18.6e}{run.t[force.argmax()]:>14.6g}{note}")
    return lines if len(lines) > 2 else []


def verdict(run):
    from textwrap import wrap

    return heading("Health") + wrap(str(run.health), WIDTH)


# ---------------------------------------------------------------- layout


def heading(text):
    return [f"* {text} *"]


def vector(values):
    return " ".join(f"{x:>16.9e}" for x in values)


def spread(n, lines):
    """About so many of n, the first and the last among them."""
    if lines is None or n <= lines:
        return np.arange(n)
    return np.unique(np.linspace(0, n - 1, lines).round().astype(int))


def numbers(names, values):
    """A table; where there are many columns, several one after the other, each with the time."""
    lines = []
    for first in range(1, max(len(names), 2), COLUMNS):
        chosen = [0, *range(first, min(first + COLUMNS, len(names)))]
        widths = [max(16, len(names[k]) + 2) for k in chosen]
        lines.append("".join(names[k].rjust(width) for k, width in zip(chosen, widths, strict=True)))
        lines += ["".join(f"{line[k]:>{width}.8g}" for k, width in zip(chosen, widths, strict=True)) for line in values]
    return lines
