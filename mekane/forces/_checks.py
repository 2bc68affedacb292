"""Checks of arguments that several kinds of force share."""

from mekane.errors import ModelError
from mekane.expressions.graph import inputs
from mekane.model.values.values import is_zero


def refuse_negative(force, *keywords, why: str) -> None:
    """Numbers below zero. What is an expression is not known yet."""
    for keyword in keywords:
        value = getattr(force, keyword)
        if value is not None and isinstance(value.graph, float) and value.graph < 0:
            raise ModelError(force.part, f"{keyword} is {value.given}", why)


def refuse_nothing(force, *keywords, remedy: str) -> None:
    """All of these keywords left out or zero."""
    if all(value is None or is_zero(value) for value in (getattr(force, keyword) for keyword in keywords)):
        raise ModelError(force.part, f"{' and '.join(keywords)} are zero", "it does nothing", remedy)


def needs_expression(force, keyword: str) -> None:
    """Something to differentiate: not a Python function that has no expression."""
    value = getattr(force, keyword)
    if value.callback is not None:
        problem = f"{keyword} is a Python function that has no expression ({value.reason})"
        raise ModelError(force.part, problem, "it has to be differentiated", value.remedy)


def refuse_names(force, keyword: str, names, why: str) -> None:
    for name in inputs([getattr(force, keyword).graph]):
        if name in names:
            raise ModelError(force.part, f"{keyword} reads {name!r}", why)
