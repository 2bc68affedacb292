"""Arguments of a part of a sub-assembly as those of the same part in its host: names, places and expressions."""

from __future__ import annotations

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.graph import substitute, symbol, to_text
from mekane.expressions.node import Expr, add, mul
from mekane.expressions.parse import PARAMETER, parse, symbol_name
from mekane.model.constraint import Arrow, Constraint, End
from mekane.model.force import Force, JointCoordinate
from mekane.model.geometry.contact_side import Side
from mekane.model.hybrid.event import PRESENT, Event
from mekane.model.joint import Joint
from mekane.model.reuse.surfaces import moved
from mekane.model.signals.marker import Marker
from mekane.model.values.values import Value

# kinds whose numbers stand in axes that a reflection, or another place of the ground, would change
KEPT_AXES = ("bushing", "steering_wheel", "path", "point_on_curve")  # not mirrored
WORLD = ("potential", "path", "point_on_curve")  # not placed elsewhere
FRAME_OF = {("contact", "along"): "b"}  # directions that are in the frame of a side
ACROSS_A_MIRROR = ("torque",)  # kinds whose vectors are axial


def arguments_of(addition, record) -> dict:
    """Keywords of the method of System that makes the record again, in the host."""
    refuse(addition, record)
    if isinstance(record, Joint):
        return joint_arguments(addition, record)
    if isinstance(record, Force):
        return force_arguments(addition, record)
    if isinstance(record, Constraint):
        return constraint_arguments(addition, record)
    if isinstance(record, Marker):
        return marker_arguments(addition, record)
    if isinstance(record, Event):
        return event_arguments(addition, record)
    return {
        keyword: expression(addition, given, record.part) if isinstance(given, Value) else given
        for keyword, given in vars(record).items()
        if keyword != "name"
    }


def refuse(addition, record) -> None:
    """Raise for what has no form in the host."""
    place, kind = addition.placement, getattr(record, "kind", "")
    why = ""
    if kind == "controller" or (isinstance(record, Event) and record.impulses):
        why = "it has functions or impulses of its own"
    elif kind == "contacts":
        why = "it searches contacts among many bodies"
    elif place.is_mirrored and (kind in KEPT_AXES or getattr(record, "across", 1.0) != 1.0):
        why = "it has a sense of its own, which a mirror changes"
    elif kind in WORLD and not place.keeps_world:
        why = "it is written in world coordinates"
    if why:
        part = getattr(record, "part", kind)
        raise ModelError(
            f"add {addition.name!r}", f"{part} cannot be added: {why}", remedy="Add it to the host itself."
        )


# ---------------------------------------------------------------- kinds of parts


def joint_arguments(addition, joint: Joint) -> dict:
    place, Q, names = addition.placement, addition.reflections[joint.name], addition.names
    own = {keyword: getattr(joint, keyword) for keyword in joint.own_keywords()}
    if place.is_mirrored and "pitch" in own:
        own["pitch"] = -own["pitch"]  # a right-hand thread becomes a left-hand one
    rates = {c: -rate if f"{joint.name}.{c}" in addition.negated else rate for c, rate in joint.rates.items()}
    return {
        "a": names[joint.a], "b": names[joint.b], **own,
        "on_a": place.point(joint.a, joint.p_AF), "on_b": place.point(joint.b, joint.p_BM),
        "frame_a": place.frame(joint.a, joint.R_AF, Q), "frame_b": place.frame(joint.b, joint.R_BM, Q),
        **({"rate": rates} if rates else {}), **({} if joint.active else {"active": False}),
    }  # fmt: skip


def force_arguments(addition, force: Force) -> dict:
    values = {f.name: getattr(force, f.name) for f in force.value_fields()}
    keywords = {
        keyword: values_in(addition, given, force.part, force.local)
        for keyword, given in values.items()
        if given is not None
    }
    for keyword, given in values.items():
        if isinstance(given, tuple) and len(given) == 3:
            keywords[keyword] = vector_value(addition, keywords[keyword], force)
    return keywords | place_arguments(addition, force.acts)


def place_arguments(addition, acts) -> dict:
    """Where a force acts: the arguments of its place."""
    place, names, has = addition.placement, addition.names, vars(acts)
    if isinstance(acts, JointCoordinate):
        refuse_negated(addition, f"{acts.joint}.{acts.coordinate}")
        return {"joint": names[acts.joint], "coordinate": acts.coordinate}
    if "frame_a" in has:
        frames = {f"frame_{end}": place.frame(has[end], np.array(has[f"frame_{end}"]), np.eye(3)) for end in "ab"}
        points = {f"on_{end}": place.point(has[end], has[f"point_{end}"]) for end in "ab"}
        return {"a": names[acts.a], "b": names[acts.b], **points, **frames}
    if "mass_a" in has:
        return {"a": names[acts.a], "b": names[acts.b]}
    if "point_a" in has:
        return {end: (names[has[end]], place.point(has[end], has[f"point_{end}"])) for end in "ab"}
    if "a" in has:
        return {end: coordinate(addition, has[end]) for end in "ab"}
    options = {"body": names[acts.body]}
    options |= {"at": place.point(acts.body, acts.point)} if "point" in has else {}
    return options | ({"frame": acts.frame} if "frame" in acts.options() else {})


def vector_value(addition, components: list, force: Force):
    """Three components in the axes they are meant in: those of the body, or the world's."""
    place = addition.placement
    if getattr(force.acts, "frame", "world") == "body":
        B = place.S
    elif place.keeps_axes or not any(components):
        B = np.eye(3)
    elif place.host.name == "ground":
        B = place.R_HG @ place.S
    else:
        problem = f"{force.part} has components in world axes, and its ground moves with {place.host.name!r} here"
        raise ModelError(f"add {addition.name!r}", problem, "components in the axes of a body", 'Give it frame="body".')
    sign = place.handedness if force.kind in ACROSS_A_MIRROR else 1.0
    return combined(sign * B, components)


def combined(B: np.ndarray, components: list) -> list:
    """B times a vector of numbers and expression texts."""
    if np.array_equal(B, np.eye(3)):
        return components
    graphs = [symbolic(one) for one in components]
    found = []
    for row in B:
        total = 0.0
        for factor, graph in zip(row.tolist(), graphs, strict=True):
            total = add(total, mul(factor, graph))
        found.append(to_text(total) if isinstance(total, Expr) else float(total))
    return found


def symbolic(given):
    return parse(given) if isinstance(given, str) else given


def constraint_arguments(addition, constraint: Constraint) -> dict:
    found = {}
    for f in constraint.own_fields():
        given = getattr(constraint, f.name)
        frame = f.metadata.get("frame") or FRAME_OF.get((constraint.kind, f.name))
        if given is None:
            continue
        if frame:
            found[f.name] = addition.placement.direction(getattr(constraint, frame).body, given)
        else:
            found[f.name] = constraint_argument(addition, given, constraint.part)
    return found if constraint.active else found | {"active": False}


def constraint_argument(addition, given, part: str):
    place, names = addition.placement, addition.names
    if isinstance(given, End):
        return names[given.body], place.point(given.body, given.point)
    if isinstance(given, Arrow):
        return names[given.body], place.direction(given.body, given.direction)
    if isinstance(given, JointCoordinate):
        return coordinate(addition, given)
    if isinstance(given, Side):
        return names[given.body], moved(given.shape, place, given.body, part)
    if isinstance(given, str) and given in addition.other.bodies | {"ground": None}:
        return names[given]
    return values_in(addition, given, part)


def coordinate(addition, given: JointCoordinate) -> tuple[str, str]:
    refuse_negated(addition, f"{given.joint}.{given.coordinate}")
    return addition.names[given.joint], given.coordinate


def marker_arguments(addition, marker: Marker) -> dict:
    place, Q = addition.placement, addition.placement.S
    orientation = place.frame(marker.body, marker.orientation, Q)
    return {"body": addition.names[marker.body], "at": place.point(marker.body, marker.at), "orientation": orientation}


def event_arguments(addition, event: Event) -> dict:
    found = {"when": expression(addition, event.when, event.part)}
    for what in ("release", "lock"):
        if getattr(event, what):
            found[what] = [addition.names[one] for one in getattr(event, what)]
    if event.set:
        found["set"] = {
            renamed(addition, target): expression(addition, value, event.part) for target, value in event.set.items()
        }
    found |= {"at": PRESENT} if event.at_present else {}
    return found | {"stop": event.stop, "once": event.once, "at_start": event.at_start}


# ---------------------------------------------------------------- values


def values_in(addition, given, part: str, local=()):
    if isinstance(given, Value):
        return expression(addition, given, part, local)
    if isinstance(given, tuple) and not hasattr(given, "_fields"):
        return [values_in(addition, one, part, local) for one in given]
    return given


def expression(addition, value: Value, part: str, local=()):
    """A number, or the text of an expression with the names of the host."""
    if value.callback is not None:
        problem = f"{part} has a Python function that has no expression ({value.reason})"
        raise ModelError(f"add {addition.name!r}", problem, "only expressions can be added", value.remedy)
    if not isinstance(value.graph, Expr):
        return value.graph
    new = {name: renamed(addition, name) for name in value.names() if name not in local}
    graph = substitute(value.graph, {name: symbol(to) for name, to in new.items() if to != name})
    return to_text(graph)


def renamed(addition, name: str) -> str:
    """A symbol of the sub-assembly in the host: "knee.angle", "k", "$arm.mass", "t"."""
    if name == "t":
        return name
    bare = name.removeprefix(PARAMETER)
    if bare in addition.parameters:
        return symbol_name(addition.parameters[bare])
    owner, dot, rest = name.partition(".")
    refuse_negated(addition, name)
    if (
        dot
        and (owner in addition.other.bodies or owner in addition.other.markers)
        and not addition.placement.keeps_world
    ):
        problem = (
            f"an expression reads {name!r}, which is in world axes, and the ground of the sub-assembly is placed anew"
        )
        remedy = "Read joint coordinates instead, or write it in the host."
        raise ModelError(
            f"add {addition.name!r}", problem, "expressions of joint coordinates, parameters and t", remedy
        )
    return f"{addition.names.get(owner, owner)}{dot}{rest}"


def refuse_negated(addition, channel: str) -> None:
    if ".".join(channel.split(".")[:2]) in addition.negated:
        problem = f"a law or an expression uses {channel!r}, whose sign changes in the mirror"
        remedy = "Use pins and sliders for it, or write this law in the host."
        raise ModelError(f"add {addition.name!r}", problem, "coordinates that a mirror keeps", remedy)
