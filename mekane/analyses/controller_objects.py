"""Controllers that are objects with a state of their own, in saved states and copies of a stepper."""

from copy import deepcopy
from types import BuiltinFunctionType, FunctionType, MethodType

from mekane.errors import ModelError


def objects_of(solver):
    """{controller: the object behind its function}, of those that have a state."""
    controllers = solver.phases.controllers
    behind = {
        one.name: function.__self__ if isinstance(function, MethodType) else function
        for one, function in zip(controllers.given, controllers.functions, strict=True)
    }
    plain = FunctionType | BuiltinFunctionType | None
    return {name: one for name, one in behind.items() if not isinstance(one, plain) and hasattr(one, "__dict__")}


def states_of(solver):
    return {name: deepcopy(vars(one)) for name, one in objects_of(solver).items()}


def restore_objects(solver, states):
    for name, one in objects_of(solver).items():
        vars(one).clear()
        vars(one).update(deepcopy(states[name]))


def own_objects(solver):
    """Let a copied solver have objects of its own."""
    controllers = solver.phases.controllers
    controllers.functions = deepcopy(controllers.functions)


def refuse_objects(solver):
    """Their state is no plain data."""
    for name in objects_of(solver):
        problem = "its function is an object with a state of its own, which a file of plain data cannot hold"
        raise ModelError(
            f"controller {name!r}", problem, "expressions or functions without state are expected", "Pickle sim.save()."
        )
