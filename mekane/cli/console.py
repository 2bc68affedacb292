"""Output of commands: results on stdout, remarks on stderr, JSON alone where it is requested."""

import json
import math
import sys

from mekane.errors import many  # noqa: F401


def say(text: str) -> None:
    """A remark, for people."""
    print(text, file=sys.stderr, flush=True)


def put(text: str = "") -> None:
    """A result."""
    print(text, flush=True)


def put_json(data) -> None:
    """A result, for programs."""
    put(json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False))


def put_answer(found, as_json: bool, plot=None) -> None:
    """The result of an analysis, drawn to the file `plot` if one is given, then printed."""
    if plot is not None:
        found.plot(plot)
    put_json(found.to_dict()) if as_json else put(str(found))


def plain(data):
    """Only what JSON knows: arrays become lists, numbers that are not finite become null."""
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if hasattr(data, "tolist"):
        return plain(data.tolist())
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    return data if data is None or isinstance(data, (bool, int, str)) else str(data)


def put_table(headings: list[str], rows: list[list[str]], texts: int = 1) -> None:
    """A table; the first columns (`texts`) are text, the others numbers. Into a pipe it is written as wide as it needs
    to be."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for k, heading in enumerate(headings):
        table.add_column(Text(heading), justify="left" if k < texts else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(width=None if sys.stdout.isatty() else 200, highlight=False).print(table)
    sys.stdout.flush()
