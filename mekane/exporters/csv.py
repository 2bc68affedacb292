"""Results as CSV: a line for each sample, a column for each number."""

import csv
from io import StringIO

import numpy as np

from mekane.files import write

suffixes = (".csv",)


def save(run, path, quantities=None):
    """Write a run as a table of these quantities."""
    to_csv(run, path, quantities)


def to_csv(run, path, columns=None):
    """Write time and these quantities; a vector takes a column for each component.

    columns: names such as "arm.angle", "ball.position" or "ball.position.z"; default: all that follows from the state
        without forces. Numbers are written so that reading them back gives the same ones.
    """
    names, values = table(run, columns)
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(names)
    writer.writerows([repr(x) for x in line] for line in values.tolist())
    write(path, text.getvalue())


def table(run, columns=None):
    """Names and numbers, time first."""
    names, parts = ["t"], [run.t]
    columns = default_columns(run) if columns is None else list(columns)
    run.prepare(columns)
    for name in columns:
        values, labels = run.numbers(name), run.labels(name)
        names += [f"{name}.{label}" for label in labels] if labels else [name]
        parts.append(values)
    return names, np.column_stack(parts)


def default_columns(run):
    """Joint coordinates and their rates, positions, orientations and velocities of bodies, work."""
    return [name for name in run.names() if run.follows_from_state(name) and not name.endswith((".centre", ".point"))]
