"""What varies in a study, and over which values: the dimensions of its result."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mekane.analyses.batch.varied_system import check_names, unit_of
from mekane.errors import ModelError
from mekane.model.values.units import quantity, shown

WITHOUT = "without"
SETTINGS = ("formulation", "method", "constraints", "impacts", "painleve", "code")  # of mk.simulate, chosen by text
ENDING = "Write for example np.linspace(1e3, 5e3, 40)."


class Axis(NamedTuple):
    """A dimension: its name, and one or more things that vary along it together."""

    name: str
    columns: dict  # what varies → its values, an array of numbers in SI or of text

    def __len__(self):
        return len(next(iter(self.columns.values())))


class Axes(NamedTuple):
    """The dimensions of a study. A run is a point of the grid; runs are numbered with the last dimension fastest."""

    axes: tuple[Axis, ...]

    @property
    def names(self):
        return [axis.name for axis in self.axes]

    @property
    def shape(self):
        return tuple(len(axis) for axis in self.axes)

    @property
    def count(self):
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def columns(self):
        """What varies → (number of its dimension, values)."""
        return {name: (d, values) for d, axis in enumerate(self.axes) for name, values in axis.columns.items()}

    def values(self, runs):
        """What varies → its values in these runs."""
        places = np.unravel_index(np.asarray(runs, np.int64), self.shape)
        return {name: values[places[d]] for name, (d, values) in self.columns.items()}


def read_axes(system, vary, part="sweep"):
    """The Axes of {name: values, (name, name): rows, …}."""
    if not isinstance(vary, Mapping) or not vary:
        problem = "nothing varies" if not vary else f"it got {shown(vary)}"
        raise ModelError(part, problem, "names and values are expected", 'Write {"k": np.linspace(1e3, 5e3, 40)}.')
    axes = Axes(tuple(read_axis(system, name, given, part) for name, given in vary.items()))
    names = [name for axis in axes.axes for name in axis.columns]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(part, f"{name!r} varies twice", "every name once", "Leave one out.")
    return axes


def read_axis(system, name, given, part):
    if not isinstance(name, tuple):
        return Axis(str(name), {name: read_values(system, name, given, part)})
    rows = [list(row) if np.ndim(row) or isinstance(row, tuple) else [row] for row in listed(given, name, part)]
    if any(len(row) != len(name) for row in rows):
        wrong = next(row for row in rows if len(row) != len(name))
        problem, expected = f"a row of {', '.join(name)} is {shown(wrong)}", f"{len(name)} values in each row"
        raise ModelError(part, problem, expected, f"Write {{{name!r}: zip(…, …)}}.")
    columns = zip(name, zip(*rows, strict=True), strict=True)
    return Axis("_".join(name), {one: read_values(system, one, list(values), part) for one, values in columns})


def listed(given, name, part):
    """Values as a list or an array; a single one, or none at all, raises."""
    if isinstance(given, str) or not hasattr(given, "__iter__") or isinstance(given, Mapping):
        raise ModelError(part, f"{name!r} is {shown(given)}", "a list of values is expected", ENDING)
    values = given if isinstance(given, np.ndarray) else list(getattr(given, "values", given))
    if len(values) == 0:
        raise ModelError(part, f"{name!r} has no values", "at least one is expected", ENDING)
    return values


def read_values(system, name, given, part):
    values = listed(given, name, part)
    if is_choice(system, name):
        return read_choices(system, name, values, part)
    check_names(system, [name], part)
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiu" and values.ndim == 1:
        found = values.astype(float)
    else:
        unit = unit_of(system, name)
        found = np.array([read_number(value, unit, name, part) for value in values], float)
    if not np.isfinite(found).all():
        problem = f"{name!r} has the value {found[~np.isfinite(found)][0]}"
        raise ModelError(part, problem, "finite numbers are expected", "Leave it out.")
    return found


def read_number(value, unit, name, part):
    """A number in SI; text with a unit that does not fit what varies raises."""
    from mekane.model.values.unit_algebra import si_unit
    from mekane.model.values.units import has_unit, read_unit

    if isinstance(value, float) and not np.isfinite(value):
        return value
    number = quantity(value, None, part, repr(name))
    if isinstance(value, str) and unit and has_unit(value):
        there = read_unit(si_unit(value))[1] if si_unit(value) not in ("", "1") else (0, 0, 0, 0)
        if there[:3] != read_unit(unit)[1][:3]:  # radians count as a number
            raise ModelError(part, f"{name!r} is {value!r}", f"a value in {unit} is expected", "Check the unit.")
    return number


# ---------------------------------------------------------------- choices


def is_choice(system, name):
    """True for what is chosen by text: a setting of simulate, or a part that is left out. Parameters come first."""
    return (name == WITHOUT or name in SETTINGS) and name not in system.parameters


def read_choices(system, name, values, part):
    texts = ["" if value is None else value for value in values]
    for text in texts:
        if not isinstance(text, str):
            raise ModelError(part, f"{name!r} has the value {shown(text)}", "text is expected", "Write a name.")
    if name == WITHOUT:
        for text in texts:
            leave_out(system, text, part)
    return np.array(texts, object)


def leave_out(system, text, part="sweep"):
    """The system without these parts, "damper" or "damper, spring"; itself for ""."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        return system
    new = system.copied()
    for name in names:
        try:
            new.remove(name)
        except ModelError as error:
            raise ModelError(f"{part}, {WITHOUT}", error.problem, error.expected, error.remedy) from None
    return new
