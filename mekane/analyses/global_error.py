"""The global error of a run, estimated by repeating it from the same initial state.

tighter      tolerances TIGHTER times smaller, and steps shorter than they were on average; fixed-step methods: half
the step.
             The difference is the error of the run, since that of the repetition is far smaller; at tolerances near
             round-off, where it is not, another sequence of steps still shows how round-off has grown. Where a law of
             the state may be narrow (a table, exp(-(1e3*x)**2), a Python function), steps are short enough to meet it.
perturbed    an initial state changed by PERTURBATION of the motion, tolerances as they were: how small errors grow.
Where the
             difference becomes large it is scaled down (Benettin et al. 1980), so that it stays a small one.
rounded      models whose laws compare: the state is changed by ROUND_OFF again and again, once to one side and once to
the
             other. A law that is discontinuous where the motion stands is decided by round-off: then these runs part.
"""

from dataclasses import replace

import numpy as np

from mekane.analyses.feature_detection import FeatureDetection, names_of, narrow_laws
from mekane.analyses.simulate import prepare_controllers
from mekane.errors import MekaneError
from mekane.expressions.narrow_laws import TooMuchWork
from mekane.expressions.opcodes import FLOOR
from mekane.results.global_error import SHORTEST, TRUSTED, GlobalError, differences, shares, sizes
from mekane.results.residuals import mechanism_size
from mekane.results.result import Result
from mekane.results.samples import is_finite
from mekane.solvers.entries.calls import project
from mekane.solvers.solver import MESSAGES, WATCHFUL, Solver
from mekane.solvers.state import IS_NOISY, Record
from mekane.tables.columns import BRYAN, KIND, PRIMITIVE_Q

TIGHTER = 100.0
LESS_TIGHT = 5.0  # where round-off keeps the motion from going on: the difference is still most of the error
SMALLEST_RTOL = 3e-15  # round-off allows no less
SHORTER = 0.7  # of the average step: the largest of the repetition
SAFETY = 2.0  # the estimate is so many times the difference
DISPLACED = 8.0  # spacings of floats; a shortest step has some fifty
LOWER = 0.01  # of the height below which bounces are closed: that of the repetition, by e² or more for e > 0.1
APART = 1e-4  # of a run: samples nearer to an event are not compared
MOST_SAMPLES = 400  # at which runs are compared
# evaluations times (speeds + 3 rows) of a run whose error is estimated without being requested: about half a second
MOST_WORK = 5e6
# steps of the repetition at least, where a law of the state may change within a small part of the motion
LOOKS, LOOKS_AT_FUNCTIONS = 250, 1000
STAGES = 40  # evaluations in such a step at most, about
CALLBACK = 100  # speeds: what a Python function costs, about
EVENT = 1000  # evaluations: what an event costs, about
MOST_EVALUATIONS = 30.0  # of a repetition: so many times those of the run, and what MOST_WORK allows
PERTURBATION, LARGE = 1e-6, 1e-3  # shares of the motion
AT_LEAST = 1e-3  # of the largest change of a coordinate or speed: what the others are changed by
# of the largest coordinate or of the mechanism, and the same for speeds: larger than errors of rounding, far smaller
# than tolerances
ROUND_OFF = 1e-14
# of MOST_EVALUATIONS: repetitions with the tolerances of the run take about as long as it does, tighter ones of a law that
# chatters some times longer
AS_LONG, CHATTERING = 0.1, 0.2
BLOCKS = 40  # pieces of a run after which the size of a perturbation is checked


def global_error(run):
    """The GlobalError of a run, whatever it costs."""
    reason = cannot(run)
    if reason:
        return GlobalError(reason=reason)
    try:
        return compared(from_start(thinned(run)))
    except MekaneError as error:  # such as a Python function that fails when it is called again
        return GlobalError(reason=f"it could not be repeated ({error})")


def compared(run):
    """The GlobalError of a run from its repetitions."""
    record, stopped, passed = repetition(run)
    if MESSAGES[IS_NOISY] in stopped:  # TIGHTER is less than round-off allows here
        record, stopped, passed = longest((record, stopped, passed), repetition(run, LESS_TIGHT))
    if not len(record.t):
        return GlobalError(reason=stopped)
    size = sizes(run)
    found = estimate(run, Result(run.system, run.compiled, record, run.info), size, growth(run, size), stopped)
    found = replace(found, **passed)
    return by_round_off(run, found, size) if found.ok and may_be_discontinuous(run.compiled.program) else found


def longest(*repetitions):
    return max(repetitions, key=lambda one: len(one[0].t))


def repetition(run, times=TIGHTER):
    """Record of the tighter run, why it stopped, and what it found that steps may pass over, as fields of a GlobalError."""
    laws = narrow_laws(run.compiled)
    solver, most = displaced(repeated(run, **tighter(run, looks_at(laws), times)), run.t[-1]), allowed(run)
    if not laws or "moreau" in run.info or not run.t[-1] > solver.t:
        return *advanced(solver, run.t[-1], run.t, most), {}
    laws.allow(run.info["evaluations"])
    detection = FeatureDetection(solver, laws, run.t, lambda t, times, lost: advanced(solver, t, times, most - lost))
    return *detection.run(), passed_over(run.compiled, detection)


def displaced(solver, t_end):
    """The solver, whose laws of time will change a few floats later or earlier than they do: both runs would round these
    instants alike. All are found at once, so that a run in parts moves each to the same side. Bounces are closed at
    another height: what hangs on that is an error."""
    solver.lowest_bounce *= LOWER
    if solver.adaptive and t_end > solver.t:
        solver.displaced = DISPLACED
        solver.time_laws.between(solver.workspace.r, solver.t, t_end)
    return solver


def passed_over(compiled, detection):
    """What was found between steps, in words, and where not all could be looked through."""
    found = {}
    if detection.passed:
        first = detection.passed[0]
        names = " and ".join(map(repr, names_of(compiled, detection.laws, first.register)))
        more = f" and {len(detection.passed) - 1} more times" if len(detection.passed) > 1 else ""
        law = f"the law of {names}" if names else "a law or condition"
        found["narrow"] = f"{law} between t = {first.begin:.9g} and {first.end:.9g} s{more}"
    if np.isfinite(detection.undecided):
        reason = "what laws of the state do between its steps could not all be looked through; give step="
        found |= dict(t=float(detection.undecided), reason=reason)
    return found


def is_small(run):
    """True if the error can be estimated without being requested. Counted, so that every machine decides alike."""
    updates = run.info.get("moreau", {}).get("updates", 0)  # of contacts: each costs about as much as a speed
    return run.info.get("evaluations", np.inf) * work_of_evaluation(run.compiled) + updates <= MOST_WORK


def work_of_evaluation(compiled):
    return max(1, compiled.n_u + 3 * compiled.n_rows + CALLBACK * len(compiled.program.callbacks))


def cannot(run):
    """Why a run cannot be repeated; "" if it can."""
    if "method" not in run.info or "evaluations" not in run.info:
        return "it does not say how it was computed"
    if not len(run.t):
        return "it has no samples"
    if not is_finite(run.record):
        return "the state holds numbers that are not finite"
    if run.info.get("by_hand"):
        return run.info["by_hand"]
    if run.t[0] > 0 and "initial_state" not in run.info:
        return "its first sample is not its start"
    return ""


def thinned(run, most=MOST_SAMPLES):
    """The run at no more than so many of its samples, the first and the last among them, and none at events: an instant
    that is found a little later is a small error, the state before an event instead of that after it is not."""
    record, clear = run.record, away_from_events(run)
    chosen = clear[np.unique(np.linspace(0, len(clear) - 1, most).round().astype(int))] if len(clear) > most else clear
    return Result(run.system, run.compiled, type(record)(*(part[chosen] for part in record)), run.info)


def from_start(run):
    """The run with its initial state as the first sample, if it was not one: the motion is measured from there."""
    if "initial_state" not in run.info:
        return run
    t, y, *others = run.record
    begun = np.zeros(1), initial_state(run)[None], *(part[:1] for part in others)
    record = type(run.record)(*(np.concatenate(pair) for pair in zip(begun, (t, y, *others), strict=True)))
    return Result(run.system, run.compiled, record, run.info)


def away_from_events(run):
    """Numbers of the samples that are not near an event; the first and the last always."""
    t, instants = run.t, np.array([line["time"] for line in run.info.get("events", ())])
    apart = np.abs(t[:, None] - instants).min(axis=1, initial=np.inf) > APART * run.t[-1]
    apart[[0, -1]] = True
    return np.flatnonzero(apart)


def tighter(run, looks=0, times=TIGHTER):
    """Settings of a solver that makes far smaller errors: so many times. looks: so many steps at least, if the model is
    small."""
    info = run.info
    if not info["adaptive"]:
        return dict(step=info["step"] / 2.0)
    step = min(
        largest(info) * run.t[-1],
        info["step"] / 2.0 if info["step"] else np.inf,
        run.t[-1] / least_steps(run.compiled, looks),
    )
    return smaller(info["rtol"], info["atol"], times) | ({"step": step} if step > 0 else {})


def smaller(rtol, atol, times=TIGHTER):
    """Both tolerances so many times smaller, or as small as round-off allows."""
    share = max(1.0 / times, min(SMALLEST_RTOL / rtol, 0.5))
    return dict(rtol=share * rtol, atol=share * atol)


def largest(info):
    """The largest step of a repetition as a share of the run. Where a law chatters, its comparisons are left alone for a share of
    the largest step of the run, which is halved; the average one is far shorter."""
    return 0.5 / WATCHFUL if info.get("chatter") else SHORTER / max(info["steps"], 1)


def looks_at(laws):
    """Steps of a repetition: many where a law of the state may have been passed over by long steps, the more where that is
    a Python function."""
    return 0 if not laws else LOOKS_AT_FUNCTIONS if laws.functions else LOOKS


def least_steps(compiled, looks):
    """So many, but fewer for large models."""
    return max(1.0, min(looks, MOST_WORK / (STAGES * work_of_evaluation(compiled))))


def repeated(run, **changes):
    """A solver where the run began, with its settings but for the changes."""
    info = run.info
    settings = {
        setting: info[setting]
        for setting in ("rtol", "atol", "step", "correct", "impacts", "painleve")
        if setting in info
    }
    settings |= dict(
        method=info.get("given_method", info["method"]), constraints=info.get("constraints", "multipliers")
    )
    prepare_controllers()
    code = "loops" if is_small(run) else "auto"
    solver = Solver(run.compiled, initial_state(run), code=code, copied=True, **settings | changes)
    solver.phases.go_past_stops(passed_events(run))
    solver.phases.warns = False
    return solver


def passed_events(run):
    """Names of all events that have happened, but for the one that ended the run: it went on past the others."""
    names = [entry["event"] for entry in run.info.get("events", ())]
    if run.info.get("ended_by"):
        names.reverse()
        names.remove(run.info["ended_by"])
    return names


def initial_state(run):
    return np.array(run.info.get("initial_state", run.record.y[0] if len(run.t) else ()), float)


def effort(run):
    """Evaluations of a run, and what its events cost in evaluations."""
    return run.info["evaluations"] + EVENT * len(run.info.get("events", ()))


def allowed(run, share=1.0):
    """Evaluations that a repetition may take, its events included. share: of MOST_EVALUATIONS. With smaller tolerances a
    law that chatters may do so the more, without end: its repetition is given up soon."""
    if run.info.get("chatter"):
        return CHATTERING * MOST_EVALUATIONS * effort(run)
    return share * MOST_EVALUATIONS * effort(run) + MOST_WORK / work_of_evaluation(run.compiled)


def advanced(solver, t_end, samples, most):
    """(record, why it ended early). most: evaluations, events included; counted, so that every machine decides alike."""

    def watch(*_):
        if solver.facts()["evaluations"] + EVENT * solver.phases.happened.sum() > most:
            raise TooMuchWork

    try:
        record, stopped = solver.run(t_end, samples, progress=watch)
        watch()
    except TooMuchWork:
        none = np.zeros(0)
        return Record(none, none, none), "its repetition took too many steps"
    return record, stopped or ""


def estimate(run, repetition, size, grown, stopped):
    """The GlobalError from a run and its repetition; grown: of small errors, at every sample."""
    n, different = len(repetition.t), differences(run, repetition)
    least = np.minimum(1.0, np.finfo(float).eps * grown[:n])
    so_far = {
        family: np.maximum.accumulate(SAFETY * values + least * size[family]) for family, values in different.items()
    }
    share = shares(so_far, size)
    trusted = np.flatnonzero(share <= TRUSTED)
    errors = {family: float(values[-1]) for family, values in so_far.items()}
    until = float(run.t[trusted[-1] if len(trusted) else 0])
    reason = stopped if n < len(run.t) else ""
    return GlobalError(
        **errors,
        relative=float(share[-1]),
        growth=float(grown[-1]),
        until=until,
        t=float(run.t[n - 1]),
        reason=reason,
    )


# ---------------------------------------------------------------- comparisons that are decided by round-off


def may_be_discontinuous(program):
    """True if a law may be discontinuous in the state: it compares, rounds down, or is a Python function."""
    return not all(program.event_is_time) or FLOOR in program.code[:, 0] or bool(program.callbacks)


def by_round_off(run, found, size):
    """The estimate, or where changes of ROUND_OFF lead to another motion the difference of these."""
    parted = {family: np.zeros(len(run.t)) for family in size}
    for sign in (1.0, -1.0):
        record = rounded_motion(run, sign)
        for family, values in differences(run, Result(run.system, run.compiled, record, run.info)).items():
            parted[family][: len(values)] = np.maximum(parted[family][: len(values)], values)
    share = np.maximum.accumulate(shares(parted, size))
    if share[-1] <= TRUSTED:
        return found
    errors = {family: max(getattr(found, family), float(values.max())) for family, values in parted.items()}
    until = float(run.t[max(np.argmax(share > TRUSTED) - 1, 0)])
    return replace(found, **errors, relative=float(share[-1]), until=until, round_off=ROUND_OFF)


def rounded_motion(run, sign):
    """The record of a run whose state is changed by ROUND_OFF in the beginning and after every block, as far as it
    gets. sign: of all changes."""
    solver, change, rng = repeated(run), ROUND_OFF * round_off_scale(run), np.random.default_rng(2)
    if solver.adaptive and solver.step_size is None and len(solver.events):
        solver.step_size = run.t[-1] / WATCHFUL
    found, later = [run.record.y[run.t <= solver.t]], np.flatnonzero(run.t > solver.t)
    for block in np.array_split(later, min(BLOCKS, max(len(later), 1))):
        solver.y = moved(solver, sign * change * rng.uniform(0.5, 1.0, len(change)) * rng.choice((-1, 1), len(change)))
        if not len(block):
            break
        record, stopped = advanced(solver, run.t[block[-1]], run.t[block], allowed(run, AS_LONG))
        found.append(record.y)
        if stopped or len(record.t) < len(block):
            break
    y = np.concatenate([part for part in found if len(part)])
    return run.record._replace(
        t=run.t[: len(y)], y=y, measurement=run.record.measurement[: len(y)], discrete=run.record.discrete[: len(y)]
    )


def round_off_scale(run):
    """What errors of rounding are relative to, for each coordinate and speed; 0 for what is no coordinate."""
    y, n_q, n_u = np.abs(run.record.y), run.compiled.n_q, run.compiled.n_u
    counted = state_scale(run) > 0.0
    size = max(y[:, :n_q][:, counted[:n_q]].max(initial=0.0), mechanism_size(run))
    speed = max(y[:, n_q : n_q + n_u].max(initial=0.0), size / max(run.t[-1], SHORTEST))
    return np.where(counted, np.repeat([size, speed], [n_q, n_u]), 0.0)


# ---------------------------------------------------------------- how small errors grow


def growth(run, size):
    """(time,): by how much a small change of the initial state has grown at most, as a share of the motion."""
    solver = repeated(run, method=run.info["method"])  # implicit from the start, if it became so
    if solver.adaptive and solver.step_size is None and len(solver.events):
        solver.step_size = run.t[-1] / WATCHFUL  # as in a run that is not cut into blocks
    start, later = solver.y, np.flatnonzero(run.t > solver.t)
    states, factors = perturbed_motion(run, solver, later)
    reference = np.concatenate([start[None], run.record.y[later]])[: len(states)]
    share = factors * distances(run, size, states, reference)
    grown = np.ones(len(run.t))
    if share[0] > LARGE * PERTURBATION:  # else nothing can move
        grown[later[: len(share) - 1]] = share[1:] / share[0]
    return np.maximum.accumulate(np.maximum(grown, 1.0))


def perturbed_motion(run, solver, later):
    """States from a perturbed start on, at the start and at these samples as far as it gets; and what each difference
    is to be multiplied by, since it was scaled down."""
    scale = state_scale(run)
    solver.y = perturbed(solver, scale)
    states, factors, factor = [solver.y.copy()], [1.0], 1.0
    for block in np.array_split(later, BLOCKS):
        if not len(block):
            break
        record, stopped = advanced(solver, run.t[block[-1]], run.t[block], allowed(run))
        if stopped or len(record.t) < len(block):
            break
        states += list(record.y)
        factors += [factor] * len(block)
        reference = run.record.y[block[-1]]
        far = state_distance(solver.y, reference, scale)
        # then errors of steps would be scaled up
        if LARGE < far < 1.0 and not (solver.adaptive and solver.rtol > PERTURBATION):
            solver.y = reference + PERTURBATION / far * (solver.y - reference)
            factor *= far / PERTURBATION
    return np.array(states), np.array(factors)


def state_scale(run):
    """By how much each coordinate changes in a run, and the largest value of each speed; at least a small part of the
    largest of all.

    Zero for what is no coordinate: the number of the sequence in which Bryan angles stand."""
    y, n_q, n_u = run.record.y, run.compiled.n_q, run.compiled.n_u
    parts = np.ptp(y[:, :n_q], axis=0), np.abs(y[:, n_q : n_q + n_u]).max(axis=0)
    scale = np.concatenate([np.maximum(part, AT_LEAST * max(part.max(initial=0.0), AT_LEAST)) for part in parts])
    joint_primitives = run.compiled.tables.primitive_i
    scale[joint_primitives[joint_primitives[:, KIND] == BRYAN, PRIMITIVE_Q] + 1] = 0.0
    return scale


def state_distance(y, other, scale):
    """The largest change of a coordinate or speed over its scale; inf if Bryan angles stand in different sequences."""
    apart, counted = np.abs(y - other)[: len(scale)], scale > 0.0
    return np.inf if apart[~counted].any() else (apart[counted] / scale[counted]).max(initial=0.0)


def perturbed(solver, scale):
    """The state changed by PERTURBATION of the motion at random, but such that joints stay closed."""
    return moved(solver, PERTURBATION * scale * np.random.default_rng(1).normal(size=len(scale)))


def moved(solver, change):
    """The state with coordinates and speeds changed so, but such that joints stay closed."""
    y = solver.y.copy()
    y[: len(change)] += change
    project(solver.handle, solver.t, y, np.zeros(solver.compiled.n_u))
    return y


def distances(run, size, states, others):
    """(state,): how far states of one model are apart, as a share of the motion."""
    t, measurement = np.arange(len(states), dtype=float), np.zeros((len(states), run.record.measurement.shape[1]))
    one, two = (Result(run.system, run.compiled, Record(t, y, measurement), run.info) for y in (states, others))
    return shares(differences(one, two), size)
