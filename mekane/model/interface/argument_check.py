"""Analyses take a System: any other argument raises an error with an explanation, in one place for all of them."""

from contextlib import contextmanager
from functools import wraps
from inspect import signature

import numpy as np

from mekane.errors import ModelError
from mekane.model.hybrid.activity import for_analysis
from mekane.model.interface.calls import refuse_unfit
from mekane.model.system import System
from mekane.model.values.units import shown


def requires_system(analysis, name: str):
    """The analysis as mk.<name>, which raises an error for anything but a System; the analysis itself if its first
    parameter is not `system`.

    An analysis whose `accepts_functions` is True also takes a function that makes systems."""
    call = signature(analysis)
    if next(iter(call.parameters), None) != "system":
        return analysis

    accepts_functions = getattr(analysis, "accepts_functions", False)

    @wraps(analysis)
    def requested(*args, **keywords):
        if args or "system" in keywords:
            given = args[0] if args else keywords["system"]
            if not (accepts_functions and callable(given) and given is not System):
                check_is_system(given, f"mk.{name}")
                given = for_analysis(given, name)
                args, keywords = ((given, *args[1:]), keywords) if args else (args, keywords | {"system": given})
        refuse_unfit(f"mk.{name}", call, args, keywords)
        with finite_numbers(name):
            return analysis(*args, **keywords)

    requested.__module__, requested.__name__, requested.__qualname__ = "mekane", name, name  # so that it can be pickled
    return requested


@contextmanager
def finite_numbers(name: str):
    """Raises a ModelError with an explanation where the linear algebra of an analysis meets numbers that are not
    finite, or too large to be squared."""
    try:
        with np.errstate(all="ignore"):
            yield
    except (np.linalg.LinAlgError, ValueError) as error:
        if not isinstance(error, np.linalg.LinAlgError) and "infs or NaNs" not in str(error):  # SciPy's message
            raise
        problem = f"some numbers are not finite, or too large, where it was looked for ({error})"
        remedy = (
            "Look for a spring whose ends meet, a root or a quotient in a law, and at the units; or start elsewhere."
        )
        raise ModelError(name, problem, "forces, positions and their derivatives must be finite", remedy) from error


def check_is_system(given, name: str) -> None:
    if isinstance(given, System):
        return
    remedy = "Make one with mk.System(), or read one with mk.load_model(path)."
    if isinstance(given, str):
        remedy = f"Write mk.load_model({shown(given)}) to read it from that file."
    elif isinstance(getattr(given, "system", None), System):
        remedy = "It has one: give its .system."
    elif given is System:
        remedy = "Write mk.System(), with brackets."
    raise ModelError(name, f"its argument is {shown(given)} ({type(given).__name__})", "it expects a System", remedy)
