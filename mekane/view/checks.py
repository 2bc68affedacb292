"""What was checked of a run, as rows for a page: a mark, a name, a value, and why."""

from mekane.results.health import DRIFT, limit
from mekane.results.samples import is_finite


def checks(run) -> list[dict]:
    """Rows of mark ("ok", "warning", "bad", "note"), name, value and why. The verdict of run.health rests on the first four."""
    return [row for row in (ending(run), finite(run), balance(run), closed(run), assembled(run), unique(run), effort(run)) if row]


def row(mark, name, value, why=""):
    return {"mark": mark, "name": name, "value": value, "why": why}


def judged(ok, name, value, why):
    return row("ok" if ok else "bad", name, value, why)


def ending(run):
    return judged(run.health.finished, "reached its end", f"t = {run.t[-1]:g} s", str(run.info.get("stopped") or ""))


def finite(run):
    return judged(is_finite(run.record), "numbers are finite", "", "every number of the state")


def balance(run):
    drift, why = run.health.drift, f"largest drift of T + V − W over the energy in play; {DRIFT:g} is allowed"
    return judged(drift <= DRIFT, "energy balance", f"{drift:.1e}", why)


def closed(run):
    found = run.residuals
    if not found.names:
        return None
    why = f"largest residual [m or rad]; relative to the size of the mechanism {limit(run.info):g} is allowed"
    return judged(found.largest_share <= limit(run.info), "joints closed", f"{run.health.residual:.1e}", why)


def assembled(run):
    moved = run.health.moved
    return row("note", "assembly moved", f"{moved:.2g} m", "a body, to close the joints of the initial state") if moved > 1e-12 else None


def unique(run):
    count = run.health.redundant
    return row("warning", "rows that repeat others", str(count), str(run.redundancy)) if count else None


def effort(run):
    why = f"method {run.info.get('method', 'unknown')}, {run.compiled.formulation} coordinates"
    return row("note", "steps", f"{run.info.get('steps', 0)}", why)
