"""Health: one short paragraph on whether to trust a run, and why."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from mekane.errors import many
from mekane.results.global_error import TRUSTED, GlobalError, digits
from mekane.results.samples import is_finite
from mekane.tables.columns import T_MASS

DRIFT = 1e-3  # largest drift of T + V − W, relative to the energy in play
CLOSED = 1e-8  # largest residual of a corrected run; lengths relative to the size of the mechanism
OPEN = 1e-3  # the same where correction was switched off
FEW = 5  # digits; where fewer are right, the verdict says how many
MOST_EVENTS = 6  # whose names are given
UNSOLVED = 1e-6  # residual of impulses that is warned of
STILL = 1e-10  # m/s: a speed that is round-off
# of the energy in play, and times the error of the motion: work that is off by more is reported as less accurate
INACCURATE, BESIDE = 1e-6, 10.0
LOOKED_AT = 1e-4  # of a run: Python functions are called more often than that while its error is estimated
ROUND_OFF = 1e-9  # of the potential energy: less energy in play than this is no measure for a drift


@dataclass(frozen=True)
class Health:
    """The verdict `ok`, the paragraph (str(health)) and the numbers it rests on.

    A run is trusted if it reached its end, if T + V − W drifts by no more than DRIFT of the energy in play, if no joint
    opens by more than CLOSED (OPEN without correction), if every number in it is finite, if its laws of time could be
    resolved, and if its error is at most global_error.TRUSTED of the motion. Where the error was not estimated, or could not be,
    the run is `ok`, but not `trusted`; where a law chatters, it is not ok either.
    """

    ok: bool
    verdict: str  # the first sentence of the text
    text: str
    finished: bool
    drift: float  # of T + V − W, relative to the energy in play
    residual: float  # largest residual of a joint [m or rad]
    rate: float  # largest rate of a residual [m/s or rad/s]
    moved: float  # by how much assembly moved a body [m]
    redundant: int  # rows that repeat others
    error: GlobalError | None  # as far as it was estimated
    confirmed: bool  # its error is known to the end, or it has none that accumulates

    @property
    def trusted(self):
        """Nothing speaks against the run, and its error is known to be small."""
        return self.ok and self.confirmed

    def __str__(self):
        return self.text

    __repr__ = __str__


def health(run):
    info, drift, error = run.info, relative_drift(run), run.known_error
    r, finished = run.residuals, not info.get("stopped")
    messages = [
        message
        for bad, message in (
            (not finished, "it did not reach its end"),
            (not is_finite(run.record), "the state holds numbers that are not finite"),
            (not drift <= DRIFT, f"energy is not balanced to {DRIFT:g}"),
            (not r.largest_share <= limit(info), f"joints open by more than {limit(info):g}"),
            (info.get("unresolved"), "a law of time changes too fast to be followed"),
            (error is not None and not error.ok, error_message(error)),
            (
                info.get("chatter") and (error is None or not error.known),
                f"{chattering(run)}, and its error is not known",
            ),
        )
        if bad
    ]
    judgement = verdict(run, messages)
    sentences = [judgement, course(run), error_sentence(run)]
    sentences += [energy_sentence(run, drift), joints_sentence(run), assembly_sentence(info)]
    sentences += [
        redundancy_sentence(run),
        events_sentence(run),
        contacts_sentence(run),
        chatter_sentence(run),
        *notes(run),
    ]
    text = " ".join(sentence for sentence in sentences if sentence)
    moved = float(info.get("moved", 0.0))
    return Health(
        not messages,
        judgement,
        text,
        finished,
        drift,
        r.largest,
        r.largest_rate,
        moved,
        run.redundancy.redundant,
        error,
        is_confirmed(run),
    )


def is_confirmed(run):
    """True if the error is known to the end; of states that were not computed step by step there is none."""
    return not is_integrated(run) or (run.known_error is not None and not run.known_error.reason)


def verdict(run, messages):
    """A run whose error nobody has estimated is not called trusted."""
    if messages:
        return f"Do not trust this run: {' and '.join(messages)}."
    error = run.known_error
    if not is_confirmed(run):
        return f"Nothing speaks against this run, but {'its error is not known' if error is None else error.unknown()}."
    return (
        f"This run can be trusted to about {error.digits} digits."
        if error and error.digits < FEW
        else "This run can be trusted."
    )


def error_message(error):
    if error is not None and np.isfinite(error.round_off):
        why = "a law is discontinuous where the motion stands"
        return f"round-off decides it ({why}: changes by {error.round_off:g} lead to another motion)"
    return f"its error is more than {TRUSTED:g} of the motion"


def chattering(run):
    """The law of 'a' chatters; events 'a' and 'b' chatter; the law of 'a' and event 'b' chatter"""
    events = run.system.events
    parts = [
        (f"{one} ", f"{several} ", [repr(name) for name in run.info.get("chatter", {}) if name and name in group])
        for one, several, group in (("the law of", "the laws of", run.system.forces), ("event", "events", events))
    ]
    named = [(several if len(names) > 1 else one) + " and ".join(names) for one, several, names in parts if names]
    single = sum(len(names) for *_, names in parts) <= 1
    return f"{' and '.join(named) or 'a law'} {'chatters' if single else 'chatter'}"


def contacts_sentence(run):
    """How contact laws were kept, and what was decided on the way."""
    info = run.info.get("contacts")
    if not info:
        return ""
    depth = deepest(run)
    if "moreau" in run.info:
        depth = max(depth or 0.0, run.info["moreau"]["depth"])
    found = [] if depth is None else [f"Contacts and limits are entered by at most {depth:.1e} (m or rad)."]
    if info["impacts"]:
        closed = f", {many(info['closed'], 'time')} bounces lower than 1e-9 were closed" if info["closed"] else ""
        found.append(f"{many(info['impacts'], 'impact')}{closed}.")
    if info["shared"]:
        names = ", ".join(map(repr, info["shared"][:6])) + (" …" if len(info["shared"]) > 6 else "")
        found.append(f"Forces of {names} are not unique: contacts share a load, and the smallest forces are given.")
    return " ".join([*found, *impulses_sentences(run.info.get("moreau")), *gain_sentence(run)])


def gain_sentence(run):
    """Energy that rebounds of Moreau's method have created.  (N.12)"""
    gained = run.info.get("moreau", {}).get("gained", 0.0)
    if gained > DRIFT * run.energies.in_play:
        yield (
            f"Newton's restitution has created {gained:.3g} J: with friction it can. Take restitution 0, or a run with events, "
            "whose laws of restitution do not."
        )


def impulses_sentences(info):
    """How well the impulses of Moreau's method were solved for."""
    if not info or not info["contacts"]:
        return
    yield (
        f"Up to {many(info['contacts'], 'contact')} in a step, solved in {info['sweeps']:.3g} sweeps on average to a relative "
        f"residual of at most {info['residual']:.1e}. Moreau's method is of order one: half the step, half the error."
    )
    if not info["residual"] <= UNSOLVED:
        yield (
            f"That is more than {UNSOLVED:g}, in {many(info['missed'], 'step')} the tolerance was missed, worst at "
            f"t = {info['residual_time']:.4g} s: take a shorter step."
        )


def deepest(run):
    """How far bodies enter each other at any sample; None where no gap is measured."""
    names = [f"{name}.{quantity}" for name in run.system.contact_laws for quantity in gaps_of(run, name)]
    return max(0.0, *(-float(run.numbers(name).min(initial=0.0)) for name in names)) if names and len(run.t) else None


def gaps_of(run, name):
    from mekane.results.contact_quantities import contact_quantities_of

    return [quantity for quantity, *_ in contact_quantities_of(run, name) if quantity.split(".")[-1] == "gap"]


def chatter_sentence(run):
    """What chatters, how often, and what to do."""
    chatter = run.info.get("chatter")
    if not chatter:
        return ""
    often, remedies = max(chatter.values()), []
    if any(name not in run.system.events for name in chatter):
        remedies.append(
            "Use dry_friction, which sticks, for friction; "
            "or replace the discontinuity by a steep slope, such as tanh(x/0.001) for sign(x)."
        )
    if any(name in run.system.events for name in chatter):
        remedies.append(
            "Let an event happen some way beyond where another undoes it, or let it lock what comes to rest."
        )
    average = run.info.get("t_end", 0.0) / often
    found = f"a comparison changed sides {often} times, every {average:.1g} s on average"
    return f"{sentence(chattering(run))}: {found}. {' '.join(remedies)}"


def events_sentence(run):
    """How many events happened, of which name."""
    names = [entry["event"] for entry in run.info.get("events", ())]
    counts = Counter(names).most_common()
    if not counts:
        return ""
    shown = ", ".join(f"{name!r} {often}" for name, often in counts[:MOST_EVENTS])
    rest = f", and {len(counts) - MOST_EVENTS} others" if len(counts) > MOST_EVENTS else ""
    return f"{many(len(names), 'event')} happened: {shown}{rest}."


def is_integrated(run):
    """False for states that were not computed step by step: nothing accumulates there."""
    return "evaluations" in run.info


def error_sentence(run):
    error = run.known_error
    if error is None:
        return (
            "Its global error was not estimated: run.error does that, run.verify() more." if is_integrated(run) else ""
        )
    more = error.reason and is_repeatable(run)
    return f"{error} run.verify() shows how many digits another formulation confirms." if more else str(error)


def is_repeatable(run):
    """False for a run that another one cannot be compared with."""
    return len(run.t) > 0 and not run.info.get("by_hand") and (run.t[0] <= 0 or "initial_state" in run.info)


def limit(info):
    return CLOSED if info.get("correct", True) else OPEN


def relative_drift(run):
    """Where nothing moves there is no energy in play but round-off: then work counts beside the tolerance it is computed to."""
    energies = run.energies
    scale = max(energies.in_play, ROUND_OFF * energies.extremes.potential)
    if energies.extremes.kinetic <= 0.5 * run.compiled.tables.body_f[:, T_MASS].sum() * STILL**2:
        scale = max(scale, run.info.get("atol", 0.0))
    return energies.drift / scale if scale > 0 else 0.0


def course(run):
    """How it went: end, method, steps."""
    info = run.info
    last = info.get("t_end", run.t[-1] if len(run.t) else 0)
    end = f"{sentence(info['stopped'])}. This was" if info.get("stopped") else f"It reached t = {last:g} s"
    if info.get("ended_by"):
        end = f"Event {info['ended_by']!r} ended it at t = {last:g} s"
    method = "the automatic method" if info.get("method") == "auto" else info.get("method", "an unknown method")
    steps = f"{many(info.get('steps', 0), 'step')} of {method} in {run.compiled.formulation} coordinates"
    if info.get("adaptive"):
        tolerances = f"rtol {info['rtol']:g}, atol {info['atol']:g}"
        return f"{end} after {steps} ({tolerances}; {info.get('rejected', 0)} rejected)."
    return f"{end} after {steps} (step {info['step']:g} s)." if info.get("step") else f"{end} after {steps}."


def energy_sentence(run, drift):
    found = f"T + V − W drifts by at most {drift:.1e} of the energy in play ({run.energies.in_play:.3g} J)."
    error = run.known_error
    if error is not None and error.known and error.ok and DRIFT >= drift > max(INACCURATE, BESIDE * error.relative):
        found += (
            f" Work and losses are right to about {many(digits(drift), 'digit')} only: steps follow the motion more "
            "closely than its work. Give step=, the largest step, if you need them better."
        )
    return found


def joints_sentence(run):
    r = run.residuals
    if not r.names or not len(run.t):
        return ""
    worst = r.names[int(np.argmax(r.worst.position))]
    kept = "" if run.info.get("correct", True) else "Joints were not corrected. "
    what, who = ("Joints", "joint") if not run.system.constraints else ("Joints and constraints", "worst")
    return f"{kept}{what} are open by at most {r.largest:.1e} (m or rad, {who} {worst!r}) and open at {r.largest_rate:.1e} per second."


def assembly_sentence(info):
    moved, turned, speed = info.get("moved", 0.0), info.get("turned", 0.0), info.get("speed_gap", 0.0)
    sentences = []
    if moved > 1e-12 or turned > 1e-12:
        sentences.append(f"The initial state was moved by {moved:.2g} m and {turned:.2g} rad to close the joints.")
    if speed > 1e-9:
        sentences.append(
            f"Initial speeds that missed the joints by {speed:.2g} (m/s or rad/s) were changed to meet them."
        )
    return " ".join(sentences)


def redundancy_sentence(run):
    found = run.redundancy
    return str(found) if found.redundant or found.note else ""


def notes(run):
    found = [sentence(note) + "." for note in run.info.get("notes", ())]
    called = {
        force.name: value.reason for force in run.system.forces.values() for value in force.values() if value.callback
    }
    if called:
        why = ", ".join(f"{name!r} ({reason})" for name, reason in called.items())
        found.append(
            f"Python functions were called in every step for {why}: slower, they cannot be saved, and what they do within "
            f"{LOOKED_AT:g} of the run may be passed over."
        )
    return found


def sentence(text):
    text = str(text).strip().rstrip(".")
    return text[:1].upper() + text[1:]
