"""Which numbers of a model get a slider: parameters, inputs, drives, the start, other forces, masses, the time. Each is
a place in the text."""

import math
import re
from dataclasses import dataclass, fields

from mekane.importers.text_places import Place, places
from mekane.model.constraint import constraint_kinds
from mekane.model.force import force_kinds
from mekane.model.joint import joint_kinds
from mekane.model.names import own_measures
from mekane.model.values.values import read_vector
from mekane.view.studio.literals import literals_in

ROTATION = {"rad": math.pi, "deg": 180.0, "turn": 0.5, "rev": 0.5, "mrad": 3142.0}
LEAST = 0.01  # of a value that must stay greater than zero
POSITIVE = ("mass", "density", "shape", "inertia", "t_end")  # keywords whose numbers must, and those of joints
LARGEST = 1e300
MOVED = ("velocity", "angular_velocity")
AXES = "xyz"
MOST = 400  # a slider for each of thousands of numbers helps nobody


@dataclass(frozen=True)
class Slider:
    path: list  # where in the text; an expression's k-th number has "#k" at the end
    name: str
    group: str
    value: float
    unit: str
    low: float
    high: float

    def to_dict(self) -> dict:
        return dict(vars(self))


def sliders(text: str, system=None, run=None) -> list[Slider]:
    """All of them. With a run, those of the initial positions and rates that the text does not give, too."""
    known = places(text)
    found = [
        *parameters(known),
        *drives(known),
        *(start(known, system, run) if run is not None else ()),
        *others(known),
    ]
    return found[:MOST]


def parameters(known):
    sizes = " ".join(place.text for place in known.values() if is_positive(place))
    for place in of_section(known, "parameters", 2):
        name = place.path[1]
        yield from plain(
            place, name, "parameters", re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", sizes) is not None
        )


def drives(known):
    kinds = drive_kinds()
    for place in of_section(known, "inputs"):
        yield from plain(place, place.path[1], "drives")
    for place in [*of_section(known, "forces"), *of_section(known, "constraints")]:
        if is_drive(known, place, kinds):
            yield from plain(place, called(place), "drives") if place.number else literals(place)


def others(known):
    kinds = drive_kinds()
    for place in of_section(known, "forces"):
        if place.number and not is_drive(known, place, kinds) and len(place.path) == 3:
            yield from plain(place, called(place), "forces")
    for place in of_section(known, "bodies", 3):
        if place.path[2] == "mass":
            yield from plain(place, called(place), "masses")
    if (("gravity", 2)) in known:
        for k in range(3):
            yield from plain(known["gravity", k], f"gravity {AXES[k]}", "run")
    if ("simulate", "t_end") in known:
        yield from plain(known["simulate", "t_end"], "t_end", "run")


def start(known, system, run):
    """Of every joint where it is and how fast, where that can be chosen; of bodies the velocities that are given."""
    if run.redundancy.freedom == 0 and not run.redundancy.note:
        return
    driven = {(c.prescribes.joint, c.prescribes.coordinate) for c in system.constraints.values() if c.prescribes}
    chosen = [
        (joint, k, m)
        for joint in system.joints.values()
        for k, m in enumerate(own_measures(joint))
        if (joint.name, m.name) not in driven
    ]
    angle = angle_unit(known)
    for joint, _, measure in chosen:
        yield coordinate(known, run, f"{joint.name}.{measure.name}", measure, angle)
    for joint, k, measure in chosen:
        yield rate(known, run, joint, measure, k, angle)
    for body in system.bodies:
        for keyword in MOVED:
            for k in range(3):
                place = known.get(("bodies", body, keyword, k))
                if place:
                    yield from plain(place, f"{body}.{keyword}.{AXES[k]}", "initial rates")


def angle_unit(known) -> str:
    """The unit in which the text gives angles at the start, for those that it does not give: the first one."""
    given = [place.number[1] for path, place in known.items() if path[:1] == ("assemble",) and place.number]
    return next((unit for unit in given if unit in ROTATION), "rad")


def coordinate(known, run, name, measure, angle: str) -> Slider:
    path = ("assemble", name)
    rotates = measure.kind != "shift"
    given = known[path].number if path in known else None
    value, unit = given or in_unit(float(run.numbers(name)[0]), angle if rotates else "m")
    unit = unit or ("rad" if rotates else "m")
    wide = ROTATION.get(unit, math.pi) if rotates else largest_translation(run, value)
    return Slider(list(path), name, "initial positions", value, unit, min(value, -wide), max(value, wide))


def largest_translation(run, value: float) -> float:
    """The range of a translation [m]: twice the distance of the farthest body from the origin, or twice its own
    value."""
    far = max((abs(float(x)) for body in run.system.bodies for x in run.numbers(f"{body}.position")[0]), default=1.0)
    return 2 * max(far, abs(value), 1e-3)


def in_unit(value: float, unit: str) -> tuple[float, str]:
    """A number in SI units in this one, of a length, an angle or their rates."""
    angle = unit.removesuffix("/s")
    return (math.degrees(value) if angle == "deg" else value * ROTATION.get(angle, math.pi) / math.pi), unit


def rate(known, run, joint, measure, k, angle: str) -> Slider:
    path = next((p for p in rate_paths(joint, measure, k) if p in known), ("joints", joint.name, "rate", measure.name))
    if path not in known and len(joint.coordinates) == 1:
        path = path[:-1]
    rotates = measure.kind != "shift"
    given = known[path].number if path in known else None
    value, unit = given or in_unit(
        float(run.numbers(f"{joint.name}.{measure.name}.rate")[0]), f"{angle}/s" if rotates else "m/s"
    )
    unit = unit or ("rad/s" if rotates else "m/s")
    wide = max(2 * abs(value), in_unit(10.0, unit)[0] if rotates else 2.0)
    return Slider(list(path), f"{joint.name}.{measure.name}.rate", "initial rates", value, unit, -wide, wide)


def rate_paths(joint, measure, k):
    base = ("joints", joint.name, "rate")
    return [(*base, measure.name), (*base, k), *([base] if len(joint.coordinates) == 1 else [])]


# ---------------------------------------------------------------- numbers of the text


def of_section(known, section, depth=None) -> list[Place]:
    """Scalars of a section, in the order of the text."""
    found = [
        place
        for path, place in known.items()
        if path[:1] == (section,) and place.text and (depth is None or len(path) == depth)
    ]
    return sorted(found, key=lambda place: place.begin)


def drive_kinds() -> dict[str, set[str]]:
    """Kinds of force and constraint that drive, each with its keywords that hold three laws."""
    kinds = [kind for kind in (*force_kinds.values(), *constraint_kinds.values()) if kind.is_drive]
    return {kind.kind: {f.name for f in fields(kind) if f.metadata.get("read") is read_vector} for kind in kinds}


def is_drive(known, place, kinds) -> bool:
    """A law of a part that drives; not the name of what it drives, nor where."""
    part, depth = place.path[:2], len(place.path)
    is_law = any(
        (*part, kind) in known and (depth == 3 or (depth == 4 and place.path[2] in laws))
        for kind, laws in kinds.items()
    )
    return is_law and ("joints", place.text) not in known and ("bodies", place.text) not in known


def called(place) -> str:
    return ".".join(AXES[key] if key in (0, 1, 2) else str(key) for key in place.path[1:])


def is_positive(place) -> bool:
    """Whether it must be greater than zero: a mass, a size, a time."""
    positive = {*POSITIVE, *(keyword for kind in joint_kinds.values() for keyword in kind.own_keywords())}
    return place.path[:1] in (("bodies",), ("joints",), ("simulate",)) and not positive.isdisjoint(place.path[1:])


def plain(place, name, group, positive=None):
    if place.number:
        value, unit = place.number
        yield Slider(
            list(place.path),
            name,
            group,
            value,
            unit,
            *span(value, unit, is_positive(place) if positive is None else positive),
        )


def literals(place):
    """The numbers inside an expression, each named with the text around it."""
    for k, found in enumerate(literals_in(place.text)):
        around = f"{place.text[: found.begin]}[{place.text[found.begin : found.end]}]{place.text[found.end :]}"
        yield Slider(
            [*place.path, f"#{k}"], f"{called(place)}: {around}", "drives", found.value, "", *span(found.value, "")
        )


def span(value: float, unit: str, positive: bool = False) -> tuple[float, float]:
    if unit in ROTATION:
        return min(-ROTATION[unit], value), max(ROTATION[unit], value)
    if value == 0:
        return -1.0, 1.0
    near, far = LEAST * value if positive else 0.0, max(-LARGEST, min(LARGEST, 2 * value))
    return (near, far) if value > 0 else (far, near)
