"""Controllers that are objects with a state of their own, in saved states and copies."""

from copy import deepcopy
from types import BuiltinFunctionType, FunctionType

from mekane.errors import ModelError

PLAIN = FunctionType | BuiltinFunctionType | None  # what has no state, or none that can be known


def own_objects(controllers, functions):
    """Copies of functions that are objects. What two of them share, their copies share; plain functions are themselves."""
    try:
        return deepcopy(functions)
    except Exception as error:  # whatever an object may raise that cannot be copied
        raise not_copied(controllers, functions, error) from error


def not_copied(controllers, functions, error):
    """Which of the objects it is."""
    names = ", ".join(
        repr(one.name) for one, function in zip(controllers, functions, strict=True) if not isinstance(function, PLAIN)
    )
    problem = f"its object cannot be copied ({type(error).__name__}: {error})"
    expected = "steppers, saved states and runs that go on have copies of their own"
    remedy = "Give it __deepcopy__; one that returns self is shared."
    return ModelError(f"controller {names}", problem, expected, remedy)


def objects_of(solver):
    """For each controller a copy of its object as it is now; None for plain functions."""
    controllers = solver.phases.controllers
    objects = [None if isinstance(function, PLAIN) else function for function in controllers.functions]
    return own_objects(controllers.given, objects)


def restore_objects(solver, objects):
    """Go on with copies of these."""
    controllers = solver.phases.controllers
    for k, one in enumerate(own_objects(controllers.given, objects)):
        if one is not None:
            controllers.functions[k] = one


def refuse_objects(solver):
    """Their state is no plain data."""
    controllers = solver.phases.controllers
    for one, function in zip(controllers.given, controllers.functions, strict=True):
        if not isinstance(function, PLAIN):
            problem = "its function is an object with a state of its own, which a file of plain data cannot hold"
            expected = "expressions or functions without state are expected"
            raise ModelError(f"controller {one.name!r}", problem, expected, "Pickle sim.save().")
