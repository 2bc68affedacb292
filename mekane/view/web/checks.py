"""What was checked of a run, as rows for a page: a mark, a name, a value, and why."""

from mekane.results.global_error import TRUSTED
from mekane.results.health import DRIFT, limit
from mekane.results.samples import is_finite


def checks(run, health) -> list[dict]:
    """Rows of mark ("ok", "warning", "bad", "note"), name, value and why. The verdict of health rests on the first
    five."""
    judgements = ending(run, health), finite(run), balance(health), closed(run, health), accurate(health)
    return [row for row in (*judgements, assembled(health), unique(run, health), effort(run)) if row]


def row(mark, name, value, why=""):
    return {"mark": mark, "name": name, "value": value, "why": why}


def judged(ok, name, value, why):
    return row("ok" if ok else "bad", name, value, why)


def ending(run, health):
    return judged(health.finished, "reached its end", f"t = {run.t[-1]:g} s", str(run.info.get("stopped") or ""))


def finite(run):
    return judged(is_finite(run.record), "numbers are finite", "", "every number of the state")


def balance(health):
    drift, why = health.drift, f"largest drift of T + V − W over the energy in play; {DRIFT:g} is allowed"
    return judged(drift <= DRIFT, "energy balance", f"{drift:.1e}", why)


def closed(run, health):
    found = run.residuals
    if not found.names:
        return None
    why = f"largest residual [m or rad]; relative to the size of the mechanism {limit(run.info):g} is allowed"
    return judged(found.largest_share <= limit(run.info), "joints closed", f"{health.residual:.1e}", why)


def accurate(health):
    """Digits, where the error was estimated; why it could not be."""
    if health.error is None:
        return None
    if not health.error.known:
        return row("warning", "digits that are right", "not known", health.error.reason)
    why = f"estimated global error over the motion: {health.error.relative:.1e}; {TRUSTED:g} is allowed"
    return judged(health.error.ok, "digits that are right", f"about {health.error.digits}", why)


def assembled(health):
    moved = health.moved
    return (
        row("note", "assembly moved", f"{moved:.2g} m", "a body, to close the joints of the initial state")
        if moved > 1e-12
        else None
    )


def unique(run, health):
    count = health.redundant
    return row("warning", "rows that repeat others", str(count), str(run.redundancy)) if count else None


def effort(run):
    why = f"method {run.info.get('method', 'unknown')}, {run.compiled.formulation} coordinates"
    return row("note", "steps", f"{run.info.get('steps', 0)}", why)
