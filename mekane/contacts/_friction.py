"""What friction on joint coordinates has in common: a largest force or torque, and checks."""

from mekane.errors import ModelError
from mekane.model.constraint import value, velocity
from mekane.model.set_valued import Element, refuse_friction


def capacity(dimension, meaning):
    return value(dimension, None, meaning=meaning)


def check_capacity(law, static=None):
    """One of torque and force is given, for a coordinate of its kind."""
    if (law.torque is None) == (law.force is None):
        problem = "neither torque nor force is given" if law.torque is None else "torque and force are both given"
        remedy = "Write torque= for a turning and force= for a sliding coordinate."
        raise ModelError(law.part, problem, "it has one of them", remedy)
    keyword = "torque" if law.force is None else "force"
    if (law.joint.dimension == "angle") != (keyword == "torque"):
        right = "torque" if law.joint.dimension == "angle" else "force"
        problem = f"{keyword} is given for {law.joint.joint}.{law.joint.coordinate}"
        raise ModelError(law.part, problem, f"a {right} acts on this coordinate", f"Write {right}=.")
    refuse_friction(law, getattr(law, keyword), static, (keyword, "static"))


def capacity_of(law):
    return law.torque if law.force is None else law.force


def sliding_element(rate, largest, static=None):
    """|λ| ≤ largest against a rate."""
    return Element(tangents=(velocity(rate),), friction=largest, static=static)
