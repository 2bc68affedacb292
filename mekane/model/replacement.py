"""System.replace: a part made anew from its arguments, some of them changed."""

from inspect import signature

from mekane.errors import ModelError
from mekane.model.construction_log import construction_of, rebuilt
from mekane.model.interface.calls import refuse_unfit
from mekane.model.removal import collection_of
from mekane.model.values.parameters import kept


def replace(system, name: str, **changes):
    """Make a body, joint, force, event … anew, with some of its arguments changed: s.replace("arm", mass=2.0).
    Returns the new part, which has the place of the old one.

    name: the part, or its name.  changes: arguments of its kind; None: as if it had not been given. The system is then
    the one that would have been described so from the start; if that is not possible, nothing is changed."""
    name = getattr(name, "name", name)
    collection = collection_of(system, name)
    if collection == "parameters":
        problem, remedy = "it is a parameter", f"Write s.set_parameters({name}=…)."
        raise ModelError(f"replace {name!r}", problem, "a part is expected", remedy)
    made = construction_of(system, name, getattr(system, collection)[name])
    if made is None:
        problem, remedy = "it was not made by a method of System", "Remove it, and describe it again."
        raise ModelError(f"replace {name!r}", problem, "the arguments of a part must be known", remedy)
    refuse_unfit(f"{made.kind} {name!r}", signature(getattr(system, made.kind)), (), changes)
    arguments = made.keywords | {keyword: kept(value) for keyword, value in changes.items()}
    arguments = {keyword: value for keyword, value in arguments.items() if value is not None}
    given = system._construction | {name: made._replace(keywords=arguments)}
    system._adopt(rebuilt(system, system.parameters, given))
    return getattr(system, collection)[name]
