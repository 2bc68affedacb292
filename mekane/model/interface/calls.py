"""Calls that do not fit a signature: the error names the argument and what to write instead of it."""

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature

from mekane.errors import ModelError, did_you_mean
from mekane.model.values.units import shown


def refuse_unfit(part: str, call: Signature, args: tuple, keywords: dict) -> None:
    """Raise a ModelError for a keyword that `call` does not have, and for a value without the keyword it needs."""
    parameters = call.parameters.values()
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        refuse_unknown(part, keywords, named)
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    if len(args) > len(positional) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        refuse_without_keyword(part, args[len(positional)], positional, named[len(positional) :])


def refuse_unknown(part: str, keywords, known: list[str]) -> None:
    offered = [keyword for keyword in known if keyword not in ("self", "system", "name")]
    for keyword in keywords:
        if keyword not in known:
            problem, expected = f"{keyword!r} is not one of its keywords", f"it takes {', '.join(offered)}"
            raise ModelError(part, problem, expected, did_you_mean(keyword, offered))


def refuse_without_keyword(part: str, value, positional: list[str], keyword_only: list[str]) -> None:
    problem = f"{shown(value)} is given without a keyword"
    expected = f"after {positional[-1]}, everything is given by keyword"
    if not keyword_only:
        raise ModelError(part, problem, f"nothing stands after {positional[-1]}", "Leave it out.")
    raise ModelError(part, problem, expected, f"Write for example {keyword_only[0]}={shown(value)}.")


def checked(what: str, make: Callable) -> Callable:
    """A method make(self, name, …) whose arguments are checked; `what` names the part in errors."""
    call = signature(make)

    @wraps(make)
    def method(self, name, *args, **keywords):
        refuse_unfit(f"{what} {name!r}", call, (self, name, *args), keywords)
        return make(self, name, *args, **keywords)

    return method
