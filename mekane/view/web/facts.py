"""What the model says of each part, as text for a page: keywords and their numbers."""

from numbers import Real

from mekane.model.values.units import is_list

LEFT_OUT = (
    "look",
    "shape",
    "orientation",
    "position",
    "velocity",
    "angular_velocity",
    "on_a",
    "on_b",
    "frame_a",
    "frame_b",
)
LEFT_OUT += ("axis_a", "axis_b", "axis2_a", "axis2_b", "normal_a", "normal_b")  # where it is, the picture shows
UNITS = {"mass": "kg", "inertia": "kg m²", "com": "m"}  # of bodies; numbers of other parts are in SI
LONGEST = 80  # letters
MOST_PARTS = 500


def facts(system) -> dict[str, list]:
    """[keyword, text] of every part, by name; of a very large model of its first parts."""
    parts = [*system.bodies.values(), *system.joints.values(), *system.forces.values(), *system.constraints.values()]
    return {part.name: facts_of(part) for part in parts[:MOST_PARTS]}


def facts_of(part) -> list[list[str]]:
    kind = getattr(part, "kind", None)
    return [
        [keyword.replace("_", " "), f"{text} {UNITS.get(keyword, '')}".strip()]
        for keyword, value in part.to_dict().items()
        if keyword not in (*LEFT_OUT, kind) and (text := text_of(value))
    ]


def text_of(value) -> str:
    """Short; "" of what a line does not hold."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, Real):
        return f"{value:.5g}"
    if is_list(value):
        pieces = [text_of(one) for one in value]
        text = ", ".join(pieces) if all(pieces) else ""
        return text if len(text) <= LONGEST else ""
    return value if isinstance(value, str) and len(value) <= LONGEST else ""
