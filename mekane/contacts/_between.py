"""What is kept between two values, or on one side of one of them: shared by limits."""

from mekane.errors import ModelError
from mekane.model.constraint import position
from mekane.model.set_valued import Element, number_of, refuse_restitution


def refuse_limits(law):
    """`lower`, `upper` or both are given, in order."""
    refuse_restitution(law, law.restitution)
    if law.lower is None and law.upper is None:
        raise ModelError(
            law.part, "neither lower nor upper is given", "a limit is somewhere", "Give lower=, upper= or both."
        )
    limits = number_of(law.lower), number_of(law.upper)
    if None not in limits and not limits[0] < limits[1]:
        problem = f"lower is {law.lower.given} and upper is {law.upper.given}"
        raise ModelError(law.part, problem, "lower must be less than upper")


def limit_labels(law):
    found = [label for label in ("lower", "upper") if getattr(law, label) is not None]
    return found if len(found) == 2 else [""]


def limit_elements(law, q):
    """q − lower ≥ 0, upper − q ≥ 0"""
    gaps = {"lower": lambda: q - law.lower, "upper": lambda: law.upper - q}
    sides = [side for side in gaps if getattr(law, side) is not None]
    return [
        Element(label, position(gaps[side]()), restitution=law.restitution, law=law.law)
        for label, side in zip(limit_labels(law), sides, strict=True)
    ]
