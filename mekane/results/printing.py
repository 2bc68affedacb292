"""Answers that show themselves as tables: as text in a terminal, as HTML in Jupyter."""

from html import escape
from typing import NamedTuple

MOST_ROWS = 400


class Shown(NamedTuple):
    """One table: a title, headings, rows of texts and numbers, and a remark below."""

    title: str
    headings: list
    rows: list
    remark: str = ""


class Printed:
    """Base of answers: a subclass says what to show in `shown()`, a list of tables."""

    def shown(self) -> list[Shown]:
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n\n".join(as_text(table) for table in self.shown())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return "\n".join(as_html(table) for table in self.shown())


def as_text(table: Shown) -> str:
    """Columns as wide as they need to be; numbers to the right, texts to the left."""
    lines = [list(map(str, table.headings)), *([cell(x) for x in row] for row in table.rows[:MOST_ROWS])]
    widths = [max(len(line[k]) for line in lines) for k in range(len(table.headings))]
    numeric = [is_numeric(table.rows, k) for k in range(len(table.headings))]
    put = lambda text, k: text.rjust(widths[k]) if numeric[k] else text.ljust(widths[k])
    written = ["  ".join(put(text, k) for k, text in enumerate(line)).rstrip() for line in lines]
    written.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(filter(None, [table.title, *written, left_out(table), table.remark]))


def as_html(table: Shown) -> str:
    numeric = [is_numeric(table.rows, k) for k in range(len(table.headings))]
    style = lambda k: ' style="text-align:right"' if numeric[k] else ' style="text-align:left"'
    line = lambda tag, texts: "".join(f"<{tag}{style(k)}>{escape(str(text))}</{tag}>" for k, text in enumerate(texts))
    head = f"<thead><tr>{line('th', table.headings)}</tr></thead>"
    body = "".join(f"<tr>{line('td', map(cell, row))}</tr>" for row in table.rows[:MOST_ROWS])
    below = " ".join(filter(None, [left_out(table), table.remark]))
    after = f"<p>{escape(below)}</p>" if below else ""
    return f"<table><caption>{escape(table.title)}</caption>{head}<tbody>{body}</tbody></table>{after}"


def left_out(table: Shown) -> str:
    return f"({len(table.rows) - MOST_ROWS} more rows)" if len(table.rows) > MOST_ROWS else ""


def cell(x) -> str:
    """A number with six digits, a list of them in brackets, anything else as it is."""
    if isinstance(x, bool):
        return "yes" if x else "no"
    if isinstance(x, (list, tuple)) or getattr(x, "ndim", 0) == 1:
        return f"({', '.join(cell(one) for one in x)})"
    if isinstance(x, str) or x is None:
        return x or ""
    return f"{float(x) + 0.0:.6g}"


def is_numeric(rows: list, k: int) -> bool:
    return bool(rows) and not any(
        isinstance(row[k], (str, list, tuple)) or getattr(row[k], "ndim", 0) == 1 for row in rows
    )
