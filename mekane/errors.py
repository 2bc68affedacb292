"""Everything Mekane raises on purpose, and how it is worded. A message says: which part, what is wrong, what was
expected, what to do."""

from collections.abc import Iterable


class MekaneError(Exception):
    """Base of every error that Mekane raises on purpose."""


class ModelError(MekaneError):
    """The description of a model is wrong: `part: problem; expected. remedy`."""

    def __init__(self, part: str, problem: str, expected: str = "", remedy: str = ""):
        self.part, self.problem, self.expected, self.remedy = part, problem, expected, remedy
        super().__init__(_sentence(part, problem, expected, remedy))

    def __reduce__(self):
        return type(self), (self.part, self.problem, self.expected, self.remedy)


class ExpressionError(ModelError):
    """An expression text cannot be read, or names something that does not exist."""


class FileError(ModelError):
    """A file cannot be read as a model or written as a result."""


class UnitError(ModelError):
    """A quantity has a unit of the wrong kind, or one that Mekane does not know."""


class SimulationError(MekaneError):
    """A computation on a valid model could not be carried out."""


class PluginWarning(UserWarning):
    """Something that an installed package adds to Mekane cannot be used; everything else works."""


def did_you_mean(name: str, options: Iterable[str]) -> str:
    """A helpful tail for "unknown name" messages: " Did you mean 'x'?", or "" when nothing comes close."""
    by_lower_case = {str(option).lower(): str(option) for option in options}
    from difflib import get_close_matches  # when something goes wrong, not at every start

    close = get_close_matches(str(name).lower(), by_lower_case, n=1, cutoff=0.6)
    return f" Did you mean {by_lower_case[close[0]]!r}?" if close else ""


def many(n: int, what: str) -> str:
    """many(1, "body") → "1 body", many(3, "body") → "3 bodies"."""
    if n == 1:
        return f"1 {what}"
    return f"{n} {what[:-1]}ies" if what.endswith("dy") else f"{n} {what}s"


def _sentence(part: str, problem: str, expected: str, remedy: str) -> str:
    text = f"{part}: {problem.rstrip('.')}"
    if expected:
        text += f"; {expected.rstrip('.')}"
    remedy = remedy.strip()
    return f"{text}. {remedy}" if remedy else f"{text}."
