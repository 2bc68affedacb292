"""Addresses of numbers: "arm.mass", "arm.com.x", "spring1.stiffness", "hinge.rate", "gravity.z". A number so called
becomes a parameter."""

from collections import ChainMap
from inspect import signature
from typing import NamedTuple

from mekane.errors import ModelError, did_you_mean
from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import VALUE, constraint_kinds
from mekane.model.construction_log import PARTS, construction_of, rebuilt
from mekane.model.force import force_kinds
from mekane.model.geometry.shapes import SHAPES, Shape
from mekane.model.joint import RATE_OF, joint_kinds
from mekane.model.named_part import named_parts
from mekane.model.set_valued import contact_kinds
from mekane.model.values.inertia import inertia_to_list
from mekane.model.values.orientation import AXES as DIRECTIONS
from mekane.model.values.orientation import direction
from mekane.model.values.parameters import ConstructionRecord, Param, has_parameters
from mekane.model.values.unit_algebra import si_unit
from mekane.model.values.units import DIMENSIONS, is_list, quantity, shown, vector
from mekane.model.values.values import Value

BODY = {
    "mass": "mass", "inertia": "inertia", "com": "length", "position": "length", "orientation": "angle", "velocity": "velocity",
    "angular_velocity": "angular_velocity", "shape": "length", "density": "density",
}  # fmt: skip
PLACING = {
    "at": "length",
    "on_a": "length",
    "on_b": "length",
    "a": "length",
    "b": "length",
    "frame_a": "angle",
    "frame_b": "angle",
}
NO_NUMBERS = ("frame", "coordinate", "joint", "body")  # keywords of places of forces
LABELS = {3: ("x", "y", "z"), 6: ("x", "y", "z", "rx", "ry", "rz")}
INERTIA = {3: ("xx", "yy", "zz"), 6: ("xx", "yy", "zz", "xy", "xz", "yz")}
ORIENTATIONS = ("orientation", "frame_a", "frame_b")


def named(system, addresses):
    """A new system in which these numbers are parameters, called by their addresses, with the values they have now."""
    if not isinstance(addresses, str | list | tuple):
        problem = f"named got {addresses!r}"
        raise ModelError(
            f"system {system.name!r}", problem, "names of numbers are expected", 'Write s.named(["arm.mass"]).'
        )
    given, parameters, gravity = dict(system._construction), dict(system.parameters), system._gravity_given
    for address in [addresses] if isinstance(addresses, str) else addresses:
        if address in parameters:
            continue
        part, owner, keyword = _owner(system, address)
        made = given.get(owner)
        now = _plain(gravity, "acceleration", part) if made is None else _now(system, made, keyword, part)
        leaf = _leaf(_leaves(now, keyword), address, f"{owner}.{keyword}" if made else keyword, part)
        parameters[address] = _number(leaf, _dimension(system, made, keyword, leaf), part, address)
        new = _replaced(now, leaf.keys, Param(address))
        if made is None:
            gravity = new
        else:
            given[owner] = made._replace(keywords={**made.keywords, keyword: new})
    return rebuilt(system, parameters, given, gravity)


def numbers_of(system) -> list[str]:
    """Addresses of all numbers that stand in the system as plain numbers."""
    found = [f"gravity.{axis}" for axis in "xyz"]
    for collection in PARTS:
        for name, record in getattr(system, collection).items():
            made = construction_of(system, name, record)
            for keyword in keywords_of(system, made) if made else ():
                found += [f"{name}.{keyword}{ending}" for ending in _plain_endings(system, made, keyword)]
    return [address for address in found if address not in system.parameters]


def _plain_endings(system, made: ConstructionRecord, keyword: str) -> list[str]:
    try:
        leaves = _leaves(_now(system, made, keyword, ""), keyword)
    except ModelError:
        return []
    return [ending for ending, leaf in leaves.items() if _is_number(leaf, _dimension(system, made, keyword, leaf))]


def _is_number(leaf, dimension) -> bool:
    try:
        _number(leaf, dimension, "", "")
    except ModelError:
        return False
    return True


# ---------------------------------------------------------------- parts and keywords


def _owner(system, address) -> tuple[str, str, str]:
    """How messages call the part, its name, and the keyword that is meant."""
    if not isinstance(address, str):
        raise ModelError("parameters", f"an address is {shown(address)}", "text is expected", 'Write "arm.mass".')
    owner, *path = address.split(".")
    known = {name: record for collection in PARTS for name, record in getattr(system, collection).items()}
    if owner == "gravity" and path and owner not in known:
        return f"system {system.name!r}", "", owner
    if owner not in known or not path:
        remedy = (
            did_you_mean(address, [*numbers_of(system), *system.parameters]).strip()
            or 'Write for example "arm.mass" or "gravity.z".'
        )
        raise ModelError(
            f"system {system.name!r}", f"{address!r} is no number of this system", "part.keyword is expected", remedy
        )
    part = getattr(known[owner], "part", f"body {owner!r}")
    made = construction_of(system, owner, known[owner])
    if made is None:
        raise ModelError(
            part,
            "it was not made by a method of System",
            "so its arguments are not known",
            "Make it with s.body(…), s.pin(…) …",
        )
    keywords = keywords_of(system, made)
    if path[0] not in keywords:
        raise ModelError(
            part,
            f"it has no number {path[0]!r}",
            f"it has {', '.join(keywords)}",
            did_you_mean(path[0], keywords).strip(),
        )
    return part, owner, path[0]


def constrained_kinds() -> ChainMap:
    """Kinds whose records are made of fields: constraints and contact laws."""
    return ChainMap(constraint_kinds, contact_kinds)


def keywords_of(system, made: ConstructionRecord) -> dict[str, str]:
    """The keywords of a part that may hold numbers, with their dimensions; VALUE where the record knows."""
    if made.kind == "body":
        return BODY
    if made.kind in named_parts:
        return named_parts[made.kind].dimensions
    keywords = [
        keyword for keyword in signature(getattr(type(system), made.kind)).parameters if keyword not in ("self", "name")
    ]
    if made.kind in joint_kinds:
        own = joint_kinds[made.kind].own_keywords() | PLACING | {"rate": "rate"}
        return {keyword: own.get(keyword, "number") for keyword in keywords if keyword not in ("a", "b", "active")}
    if made.kind in constrained_kinds():
        fields = {f.name: f for f in constrained_kinds()[made.kind].own_fields()}
        numeric = [
            keyword
            for keyword in keywords
            if not isinstance(getattr(made.record, keyword), JointCoordinate | bool | str)
            and keyword not in getattr(made.record, "structural", ())
        ]
        return {
            keyword: fields[keyword].metadata["dimension"] or _of_record(made.record, keyword) for keyword in numeric
        }
    values = {f.name for f in force_kinds[made.kind].value_fields()}
    bodies = [keyword for keyword in ("a", "b") if isinstance(made.keywords.get(keyword), str)]
    return {
        keyword: VALUE if keyword in values else PLACING.get(keyword, "number")
        for keyword in keywords
        if keyword not in (*NO_NUMBERS, *bodies)
    }


def _of_record(record, keyword: str) -> str:
    """Points are lengths, directions numbers; a number without a dimension takes any unit."""
    return "length" if hasattr(getattr(record, keyword), "point") else "number"


def _now(system, made: ConstructionRecord, keyword: str, part: str):
    """The argument of a keyword now, as lists and dicts: as given, or the numbers that came of leaving it out."""
    dimension = keywords_of(system, made)[keyword]
    now = getattr(made.record, keyword) if dimension == VALUE else made.keywords.get(keyword)
    now = _default_of(system, made, keyword) if now is None and dimension != VALUE else now
    if now is None:
        raise ModelError(
            part, f"{keyword} was not given", "so there is no number to name", f"Give {keyword}= when the part is made."
        )
    if isinstance(now, str) and now.strip().lower() in DIRECTIONS and dimension == "number":
        return direction(now).tolist()
    now = _plain(now, dimension, part)
    if keyword == "inertia" and is_list(now) and any(map(is_list, now)):
        return [now[i][j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return dict(zip(made.record.coordinates, now, strict=True)) if keyword == "rate" and is_list(now) else now


def _default_of(system, made: ConstructionRecord, keyword: str):
    """What came of leaving a keyword out, or its default."""
    if made.kind == "body" and (keyword == "com" or (keyword == "inertia" and made.keywords.get("density") is None)):
        return inertia_to_list(made.record.inertia) if keyword == "inertia" else made.record.com
    if made.kind in constrained_kinds():
        return getattr(made.record, keyword)
    default = signature(getattr(type(system), made.kind)).parameters[keyword].default
    return default if isinstance(default, tuple | float | int) else None


def _plain(now, dimension, part: str):
    """Lists and dicts all the way down to what is one number, or something else that cannot be opened."""
    if isinstance(now, Shape):
        now = now.to_dict()
    if hasattr(now, "as_matrix"):  # scipy.spatial.transform.Rotation
        now = now.as_matrix()
    if isinstance(now, str) and not has_parameters(now) and now.strip()[:1] in ("(", "["):
        return vector(now, dimension, part).tolist()
    if isinstance(now, dict):
        return {keyword: _plain(one, dimension, part) for keyword, one in now.items()}
    return [_plain(one, dimension, part) for one in now] if is_list(now) else now


# ---------------------------------------------------------------- numbers below a keyword


class Leaf(NamedTuple):
    keys: tuple  # the way to it
    given: object


def _leaves(now, keyword: str) -> dict[str, Leaf]:
    """Ending of an address → what it leads to."""
    if not isinstance(now, dict | list):
        return {"": Leaf((), now)}
    found = {}
    for label, key in _labels(now, keyword):
        for ending, leaf in _leaves(now[key], keyword if label else "").items():
            found[f".{label}{ending}" if label else ending] = Leaf((key, *leaf.keys), leaf.given)
    if keyword == "rate" and len(found) == 1:  # the only coordinate need not be named
        found[""] = next(iter(found.values()))
    return found


def _labels(now, keyword: str) -> list[tuple]:
    """(label, key) of what is inside; no label for sizes of a shape and the point of (body, point)."""
    if isinstance(now, dict):
        return [
            ("" if keyword == "shape" and isinstance(now[key], dict | list) and key in SHAPES else str(key), key)
            for key in now
        ]
    if keyword in ORIENTATIONS and len(now) == 2:
        return [("angles" if is_list(now[1]) else "angle", 1)]
    if len(now) == 2 and isinstance(now[0], str) and is_list(now[1]):
        return [("", 1)]
    labels = (INERTIA if keyword == "inertia" else LABELS).get(len(now), map(str, range(1, len(now) + 1)))
    return [(label, i) for i, label in enumerate(labels)]


def _leaf(leaves: dict, address: str, before: str, part: str) -> Leaf:
    ending = address.removeprefix(before)
    if ending not in leaves:
        options = [before + one for one in leaves]
        shown_options = ", ".join(options[:12]) + (" …" if len(options) > 12 else "")
        raise ModelError(
            part, f"{address!r} is not one number", f"there is {shown_options}", did_you_mean(address, options).strip()
        )
    return leaves[ending]


def _dimension(system, made: ConstructionRecord | None, keyword: str, leaf: Leaf):
    if made is None:
        return "acceleration"
    dimension = keywords_of(system, made)[keyword]
    if dimension == "rate":
        names = [name for name in leaf.keys if isinstance(name, str)] or made.record.coordinates
        return RATE_OF[next(m.dimension for m in made.record.measures() if m.name == names[0])]
    of_matrix = dimension == "angle" and not any(key in ("angle", "angles", 1) for key in leaf.keys)
    return None if dimension in (VALUE, "number") or of_matrix else dimension


def _number(leaf: Leaf, dimension, part: str, address: str) -> float:
    given = leaf.given
    if isinstance(given, Value) and isinstance(given.graph, float):
        return given.graph
    if isinstance(given, Value | dict) or has_parameters(given):
        problem = f"{address} is {shown(getattr(given, 'given', given))}"
        raise ModelError(part, problem, "a plain number is expected", "Name the parameters in it, or give a number.")
    return quantity(given, dimension, part, address)


def _replaced(now, keys: tuple, new):
    """A copy with `new` at the end of the way."""
    if not keys:
        return new
    copy = dict(now) if isinstance(now, dict) else list(now)
    copy[keys[0]] = _replaced(now[keys[0]], keys[1:], new)
    return copy


# ---------------------------------------------------------------- units


def unit_of_number(system, address: str) -> str:
    """The SI unit of a parameter or of a number by address; "" where it has none or it is not known."""
    if address in system.parameters:
        return si_unit(system._measured[address].text) if address in system._measured else ""
    _, owner, keyword = _owner(system, address)
    made = system._construction.get(owner)
    dimension = "acceleration" if made is None else _dimension_of_keyword(system, made, keyword)
    return DIMENSIONS[dimension].units[0] if isinstance(dimension, str) and dimension in DIMENSIONS else ""


def _dimension_of_keyword(system, made: ConstructionRecord, keyword: str):
    dimension = keywords_of(system, made)[keyword]
    if dimension == VALUE:
        field = next(f for f in force_kinds[made.kind].value_fields() if f.name == keyword)
        found = field.metadata["dimension"]
        return found.get(getattr(made.record.acts, "dimension", None)) if isinstance(found, dict) else found
    if dimension == "rate":
        measures = list(made.record.measures())
        return RATE_OF[measures[0].dimension] if len({m.dimension for m in measures}) == 1 else None
    return dimension
