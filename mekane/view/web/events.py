"""Events of a run on the time line of a page: marks with what happened there."""

from itertools import groupby

MOST_MARKS = 1000  # events closer than this part of the time have one mark together
MOST_LINES = 6  # of its text


def event_marks(run):
    """[{"time": s, "name": of the first event, "lines": texts of the first few, "count": events}, …]"""
    begin, end = (float(run.t[0]), float(run.t[-1])) if len(run.t) else (0.0, 0.0)
    place = lambda line: int(MOST_MARKS * (line.time - begin) / (end - begin)) if end > begin else 0
    visible = [line for line in run.events if begin <= line.time <= end]
    return [mark_of(list(lines)) for _, lines in groupby(visible, place)]


def mark_of(lines):
    texts = [text_of(line) for line in lines[:MOST_LINES]]
    return {"time": lines[0].time, "name": lines[0].event, "lines": texts, "count": len(lines)}


def text_of(line):
    """bounce at 0.4515 s: count 0 → 1"""
    changes = ", ".join(f"{name} {before:g} → {after:g}" for name, (before, after) in line.changes.items())
    return f"{line.event} at {line.time:.6g} s" + (f": {changes}" if changes else "")
