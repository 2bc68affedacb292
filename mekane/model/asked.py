"""Questions are asked of a System: what else is handed in is refused in words, once for all of them."""

from functools import wraps
from inspect import signature

from mekane.errors import ModelError
from mekane.model.system import System
from mekane.model.units import shown


def of_a_system(question, name: str):
    """The question as mk.<name>, refused of anything but a System; itself if its first word is not `system`.

    A question whose `of_functions` is True may also be asked of a function that makes systems."""
    first = next(iter(signature(question).parameters), None)
    if first != "system":
        return question

    of_functions = getattr(question, "of_functions", False)

    @wraps(question)
    def asked(*args, **words):
        if args or "system" in words:
            given = args[0] if args else words["system"]
            if not (of_functions and callable(given) and given is not System):
                refuse_others(given, f"mk.{name}")
        return question(*args, **words)

    asked.__module__, asked.__name__, asked.__qualname__ = "mekane", name, name  # so that it can be pickled
    return asked


def refuse_others(given, word: str) -> None:
    if isinstance(given, System):
        return
    remedy = "Make one with mk.System(), or read one with mk.load_model(path)."
    if isinstance(given, str):
        remedy = f"Write mk.load_model({shown(given)}) to read it from that file."
    elif isinstance(getattr(given, "system", None), System):
        remedy = "It has one: give its .system."
    elif given is System:
        remedy = "Write mk.System(), with brackets."
    raise ModelError(word, f"it was asked of {shown(given)} ({type(given).__name__})", "it expects a System", remedy)
