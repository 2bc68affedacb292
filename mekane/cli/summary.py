"""A result in a few lines: what moved between which values, and whether to trust it."""

import numpy as np

from mekane.cli.console import many, put, put_table
from mekane.model.part_count import parts_of
from mekane.results.events import COLUMNS, row_of, shortened

MOST_ROWS = 24


def channels(system) -> list[tuple[str, str]]:
    """Every joint coordinate and its unit; of a model that has none, where the bodies are."""
    units = {"shift": "m", "rotated": "rad"}
    found = [
        (f"{name}.{measure.name}", units[measure.kind])
        for name, joint in system.joints.items()
        for measure in joint.measures()
    ]
    return found or [(f"{name}.position", "m") for name in system.bodies]


def values_of(result) -> dict[str, tuple[str, np.ndarray]]:
    """channel → unit, values at all samples; components of vectors one by one."""
    found = {}
    for channel, unit in channels(result.system):
        values = result.numbers(channel)
        columns = (
            {channel: values}
            if values.ndim == 1
            else {f"{channel}.{axis}": values[:, k] for k, axis in enumerate("xyz")}
        )
        found |= {name: (unit, column) for name, column in columns.items()}
    return found


def summary(result) -> dict:
    """For programs."""
    ends = {
        name: {"unit": unit, "first": v[0], "smallest": v.min(), "largest": v.max(), "last": v[-1]}
        for name, (unit, v) in values_of(result).items()
    }
    return {
        "system": result.system.name,
        "t": float(result.t[-1]),
        "samples": len(result.t),
        "stopped": result.info["stopped"],
        "trusted": result.health.trusted,
        "health": str(result.health),
        "error": error_of(result),
        "run": result.info,
        "channels": ends,
    }


def error_of(result) -> dict | None:
    """The estimated errors and how many digits are right; None if there is no estimate."""
    found = result.health.error
    return {**found.to_dict(), "digits": found.digits} if found is not None and found.known else None


def put_summary(result) -> None:
    """For people."""
    system = result.system
    put(
        f"{system.name}: {parts_of(system)}; {many(len(result.t), 'sample')} from t = {result.t[0]:g} to {result.t[-1]:g} s"
    )
    found = values_of(result)
    rows = [[name, unit, *(f"{x:.6g}" for x in (v[0], v.min(), v.max(), v[-1]))] for name, (unit, v) in found.items()]
    put_table(["", "unit", "first", "smallest", "largest", "last"], rows[:MOST_ROWS], texts=2)
    if len(rows) > MOST_ROWS:
        put(f"… and {len(rows) - MOST_ROWS} more")
    put_events(result)
    put(str(result.health))


def put_events(result) -> None:
    """What has happened, and when. What ended the run is part of its health."""
    if len(result.events):
        lines, more = shortened(result.events, MOST_ROWS)
        put_table(COLUMNS[:4], [row_of(line)[:4] for line in lines], texts=4)
        for line in more:
            put(line)
