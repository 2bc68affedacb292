"""Variables of the result of a study, and which unit and labels they have."""

from typing import NamedTuple


class Variable(NamedTuple):
    """A variable of the result: its dimensions besides those of what varies."""

    dims: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    unit: str = ""
    long_name: str = ""
    labels: dict = {}  # dimension → labels
