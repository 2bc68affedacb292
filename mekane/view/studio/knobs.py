"""Which numbers of a model get a slider: parameters, drives, the start, other forces, masses, the time. Each is a place in the text."""

import math
import re
from dataclasses import asdict, dataclass

from mekane.importers.text_places import Place, places

LITERAL = re.compile(r"(?<![\w.}])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")  # a number inside an expression
DRIVES = ("motor", "pd", "pid", "force", "torque", "prescribed", "path", "coupler", "steering_wheel", "velocity_constraint")
TURN = {"rad": math.pi, "deg": 180.0, "turn": 0.5, "rev": 0.5, "mrad": 3142.0}
MOVED = ("velocity", "angular_velocity")
AXES = "xyz"
MOST = 400  # a slider for each of thousands of numbers helps nobody


@dataclass(frozen=True)
class Knob:
    path: list  # where in the text; an expression's k-th number has "#k" at the end
    name: str
    group: str
    value: float
    unit: str
    low: float
    high: float

    def to_dict(self) -> dict:
        return asdict(self)


def knobs(text: str, system=None, run=None) -> list[Knob]:
    """All of them. With a run, those of the initial positions and rates that the text does not tell, too."""
    known = places(text)
    found = [*parameters(known), *drives(known), *(start(known, system, run) if run is not None else ()), *others(known)]
    return found[:MOST]


def parameters(known):
    for place in of_section(known, "parameters", 2):
        yield from plain(place, place.path[1], "parameters")


def drives(known):
    for place in [*of_section(known, "forces"), *of_section(known, "constraints")]:
        if is_drive(known, place):
            yield from plain(place, called(place), "drives") if place.number else literals(place)


def others(known):
    for place in of_section(known, "forces"):
        if place.number and not is_drive(known, place) and len(place.path) == 3:
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
    """Of every joint where it is and how fast; of bodies the velocities that are told."""
    for name, joint in system.joints.items():
        for measure in joint.measures():
            if measure.name in joint.coordinates:
                yield coordinate(known, run, f"{name}.{measure.name}", measure)
    for joint in system.joints.values():
        for k, measure in enumerate(m for m in joint.measures() if m.name in joint.coordinates):
            yield rate(known, run, joint, measure, k)
    for body in system.bodies:
        for word in MOVED:
            for k in range(3):
                place = known.get(("bodies", body, word, k))
                if place:
                    yield from plain(place, f"{body}.{word}.{AXES[k]}", "initial rates")


def coordinate(known, run, name, measure) -> Knob:
    path = ("assemble", name)
    turning = measure.kind != "shift"
    told = known[path].number if path in known else None
    value, unit = told or (float(run.numbers(name)[0]), "rad" if turning else "m")
    wide = TURN.get(unit, math.pi) if turning else reach(run, value)
    return Knob(list(path), name, "initial positions", value, unit, min(value, -wide), max(value, wide))


def reach(run, value: float) -> float:
    """How far a slide may go: twice as far as anything of the mechanism reaches, or as it slides itself."""
    far = max((abs(float(x)) for body in run.system.bodies for x in run.numbers(f"{body}.position")[0]), default=1.0)
    return 2 * max(far, abs(value), 1e-3)


def rate(known, run, joint, measure, k) -> Knob:
    path = next((p for p in rate_paths(joint, measure, k) if p in known), ("joints", joint.name, "rate", measure.name))
    if path not in known and len(joint.coordinates) == 1:
        path = path[:-1]
    turning = measure.kind != "shift"
    told = known[path].number if path in known else None
    value, unit = told or (float(run.numbers(f"{joint.name}.{measure.name}.rate")[0]), "rad/s" if turning else "m/s")
    wide = max(2 * abs(value), 10.0 if turning else 2.0)
    return Knob(list(path), f"{joint.name}.{measure.name}.rate", "initial rates", value, unit, -wide, wide)


def rate_paths(joint, measure, k):
    base = ("joints", joint.name, "rate")
    return [(*base, measure.name), (*base, k), *([base] if len(joint.coordinates) == 1 else [])]


# ---------------------------------------------------------------- numbers of the text


def of_section(known, section, depth=None) -> list[Place]:
    """Scalars of a section, in the order of the text."""
    found = [place for path, place in known.items() if path[:1] == (section,) and place.text and (depth is None or len(path) == depth)]
    return sorted(found, key=lambda place: place.begin)


def is_drive(known, place) -> bool:
    """A law of a part that drives; not the name of what it drives, nor where."""
    part = place.path[:2]
    drives = len(place.path) == 3 and any((*part, kind) in known for kind in DRIVES)
    return drives and ("joints", place.text) not in known and ("bodies", place.text) not in known


def called(place) -> str:
    return ".".join(str(word) for word in place.path[1:])


def plain(place, name, group):
    if place.number:
        value, unit = place.number
        yield Knob(list(place.path), name, group, value, unit, *span(value, unit))


def literals(place):
    """The numbers inside an expression, each told with what stands around it."""
    for k, found in enumerate(LITERAL.finditer(place.text)):
        value = float(found[0])
        around = f"{place.text[: found.start()]}[{found[0]}]{place.text[found.end() :]}"
        yield Knob([*place.path, f"#{k}"], f"{called(place)}: {around}", "drives", value, "", *span(value, ""))


def span(value: float, unit: str) -> tuple[float, float]:
    if unit in TURN:
        return min(-TURN[unit], value), max(TURN[unit], value)
    if value == 0:
        return -1.0, 1.0
    return (0.0, 2 * value) if value > 0 else (2 * value, 0.0)
