"""How many parts a system has, as text."""

from mekane.errors import many

COUNTED = {
    "body": "bodies", "joint": "joints", "constraint": "constraints", "contact law": "contact_laws", "force": "forces", "input": "inputs",
    "variable": "variables", "marker": "markers", "output": "outputs", "event": "events", "controller": "controllers",
}  # fmt: skip
ALWAYS = ("body", "joint", "force")


def parts_of(system) -> str:
    """How many bodies, joints and forces, and of other parts where there are any."""
    counts = {what: len(getattr(system, collection)) for what, collection in COUNTED.items()}
    return ", ".join(many(count, what) for what, count in counts.items() if count or what in ALWAYS)
