"""Questions are asked of a System: what else is handed in is refused in words, once for all of them."""

from contextlib import contextmanager
from functools import wraps
from inspect import signature

import numpy as np

from mekane.errors import ModelError
from mekane.model.system import System
from mekane.model.values.units import shown


def requires_system(question, name: str):
    """The question as mk.<name>, refused of anything but a System; itself if its first word is not `system`.

    A question whose `accepts_functions` is True may also be asked of a function that makes systems."""
    first = next(iter(signature(question).parameters), None)
    if first != "system":
        return question

    accepts_functions = getattr(question, "accepts_functions", False)

    @wraps(question)
    def asked(*args, **keywords):
        if args or "system" in keywords:
            given = args[0] if args else keywords["system"]
            if not (accepts_functions and callable(given) and given is not System):
                check_is_system(given, f"mk.{name}")
        with finite_numbers(name):
            return question(*args, **keywords)

    asked.__module__, asked.__name__, asked.__qualname__ = "mekane", name, name  # so that it can be pickled
    return asked


@contextmanager
def finite_numbers(name: str):
    """Where the linear algebra of an analysis meets numbers that are not finite, or too large to be squared, it says so
    in words."""
    try:
        with np.errstate(all="ignore"):
            yield
    except (np.linalg.LinAlgError, ValueError) as error:
        if not isinstance(error, np.linalg.LinAlgError) and "infs or NaNs" not in str(error):  # SciPy's words
            raise
        problem = f"some numbers are not finite, or too large, where it was looked for ({error})"
        remedy = (
            "Look for a spring whose ends meet, a root or a quotient in a law, and at the units; or start elsewhere."
        )
        raise ModelError(name, problem, "forces, positions and their slopes must be finite", remedy) from error


def check_is_system(given, keyword: str) -> None:
    if isinstance(given, System):
        return
    remedy = "Make one with mk.System(), or read one with mk.load_model(path)."
    if isinstance(given, str):
        remedy = f"Write mk.load_model({shown(given)}) to read it from that file."
    elif isinstance(getattr(given, "system", None), System):
        remedy = "It has one: give its .system."
    elif given is System:
        remedy = "Write mk.System(), with brackets."
    raise ModelError(keyword, f"it was asked of {shown(given)} ({type(given).__name__})", "it expects a System", remedy)
