"""One plain table of results."""

from typing import NamedTuple


class Row(NamedTuple):
    what: str
    mekane: str  # with its unit
    peer: str = ""
    theirs: str = ""
    ratio: float | None = None
    wanted: str = ""  # ">= 2.5", "<= 1.3", or nothing
    note: str = ""

    def verdict(self):
        """ok or missed; nothing where nothing was wanted or measured."""
        if not self.wanted or self.ratio is None:
            return ""
        relation, bound = self.wanted.split()
        met = self.ratio >= float(bound) if relation == ">=" else self.ratio <= float(bound)
        return "ok" if met else "MISSED"


HEAD = ("what", "Mekane", "peer", "peer's", "ratio", "wanted", "", "note")


def table(rows):
    """Text of aligned columns."""
    lines = [HEAD] + [cells(row) for row in rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(HEAD))]
    text = [aligned(line, widths) for line in lines]
    return "\n".join([text[0], "-" * max(map(len, text)), *text[1:]])


def aligned(line, widths, to_right=(1, 3, 4)):
    columns = [
        cell.rjust(w) if k in to_right else cell.ljust(w) for k, (cell, w) in enumerate(zip(line, widths, strict=True))
    ]
    return "  ".join(columns).rstrip()


def cells(row):
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
    return row.what, row.mekane, row.peer, row.theirs, ratio, row.wanted, row.verdict(), row.note


def duration(seconds):
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= size:
            return f"{seconds / size:#.3g} {unit}"
    return f"{seconds:.3g} s"
