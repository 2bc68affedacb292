"""What contact laws do where a step has ended: impacts until nothing approaches, then modes.  (N.7)–(N.14)"""

import numpy as np

from mekane.errors import SimulationError
from mekane.numba_backend.kernel import plain
from mekane.solvers import state as at
from mekane.solvers.contacts.contact_state import ContactState, Instant
from mekane.solvers.contacts.events.event_problem import UNARMED, counts_as_rest
from mekane.solvers.contacts.impact import approaching, impact, losses, refuse_gain
from mekane.solvers.contacts.impact_path import impact_of_one
from mekane.solvers.contacts.local import STILL, TOUCHING
from mekane.solvers.contacts.modes import all_sticking, choose_modes, shared_forces
from mekane.solvers.contacts.refusals import (
    ORDERS,
    PAINLEVE,
    find_option,
    no_motion,
    refuse_on_the_way,
    refuse_start,
    refuse_weak_sticking,
)
from mekane.solvers.entries.from_python import rhs
from mekane.solvers.hybrid.event_actions import choose_rows, stored_energy
from mekane.solvers.hybrid.momentum import Momentum
from mekane.tables import columns as column
from mekane.tables.columns import INCIPIENT, OPEN, OUT, SLIDING, STICKING
from mekane.tables.tables import n_guards

N = column.N_ELEMENT_GUARDS
ROUNDS = 100  # of impacts at one instant
ROUND_OFF = 1e-13  # of the largest impulse
TOGETHER = 1e-9  # share of their limits within which contacts that share a load reach them together
SAME = 16.0  # spacings of floats: no time passes between two instants
JAMS = 1e-6  # of a normal force: where sliding jams friction lifts it at least so much more than it presses
NEARLY = 0.25  # of a normal force: where forces grow beyond bounds directions turn fast, and what presses is not known better
SLOW = 1e-8  # m/s or rad/s: so much impulses leave of velocities that they are to stop, where light parts stand between heavy ones
RETURNED = -1  # in place of a mode that is banned: sliding has come to rest at this instant, which bans nothing yet
rest = plain(counts_as_rest)


def rubbing(local):
    """Elements that slide with friction, however slowly: where forces grow beyond bounds they turn directions so fast that much
    counts as rest."""
    return [e for e in local.elements if e.by_normal and e.rough and np.linalg.norm(local.slip(e)) > STILL]


def pressed_by_normal(local, e):
    """How much of its normal force presses an element that slides, beside what the friction that goes with it lifts; where that is
    negative sliding jams."""
    D, d = local.D[e.normal], local.slip(e) / np.linalg.norm(local.slip(e))
    return 1.0 - e.friction * float(D[e.tangents] @ d) / D[e.normal]


def jammed(local):
    """The element whose sliding jams, or nearly does; None if none does."""
    worst = min(rubbing(local), key=lambda e: pressed_by_normal(local, e), default=None)
    return None if worst is None or pressed_by_normal(local, worst) > NEARLY else worst


def stop_slow(local):
    """Sliding so slow that it may be what an impact has left counts as rest. Returns whether there is any."""
    slow = [k for k, e in enumerate(local.elements) if e.rough and STILL < local.speed(e) <= SLOW]
    for k in slow:
        local.elements[k].stopped, local.problem.speed[k] = True, 0.0
    return bool(slow)


class Contacts:
    """The contact laws of one solver."""

    def __init__(self, solver, order="simultaneous", painleve="impact"):
        self.solver, self.state = solver, ContactState(solver)
        self.order, self.painleve = find_option("impacts", order, ORDERS), find_option("painleve", painleve, PAINLEVE)
        self.impacts = {}  # element → instants of its last impacts
        self.table = []  # what has happened at this instant, plain data
        self.counts = dict(impacts=0, closed=0, jams=0, ambiguous=0)
        self.names_of_elements = [fact.name for fact in self.state.facts]
        self.lifted = 0.0  # energy by which closing the last gaps has changed it [J]
        self.shared = set()  # names of elements whose forces were not unique
        self.last = -np.inf, []  # the last instant, and what had fired
        self.ended = -np.inf, set()  # the last instant, and the modes whose guards have ended them at it

    def __bool__(self):
        return len(self.state) > 0

    def settings(self):
        """For the book-keeping of a run."""
        return dict(impacts=self.order, painleve=self.painleve, contacts=self.counts | dict(shared=sorted(self.shared)))

    def kept(self):
        """For copies and checkpoints: what is not in the discrete state."""
        impacts = {str(e): list(times) for e, times in self.impacts.items()}
        return dict(
            order=self.order,
            painleve=self.painleve,
            impacts=impacts,
            counts=dict(self.counts),
            shared=sorted(self.shared),
            ended=[[self.ended[0], int(e), int(mode)] for e, mode in sorted(self.ended[1])],
        )

    def restore(self, kept):
        self.order, self.painleve, self.counts = kept["order"], kept["painleve"], dict(kept["counts"])
        self.impacts = {int(e): list(times) for e, times in kept["impacts"].items()}
        self.shared, ended = set(kept["shared"]), kept.get("ended", [])
        self.ended = ended[0][0] if ended else -np.inf, {(e, mode) for _, e, mode in ended}
        self.last = -np.inf, []

    # ---------------------------------------------------------------- start

    def start(self):
        """Modes at the start of a run."""
        refuse_start(self)
        return self.resolve()

    # ---------------------------------------------------------------- events

    def fired(self):
        """(element, which of its guards: 0 normal, 1 friction, 2 and 3 sides of a load) of those that ended the step; -1:
        sliding that may jam."""
        decided = np.flatnonzero(self.solver.scratch.decided[self.guards()])
        return [divmod(k, N) if k < N * len(self.state) else (-1, 0) for k in decided.tolist()]

    def guards(self):
        """Where those of contact laws stand among what is watched: last."""
        n = len(self.solver.events)
        return slice(n - n_guards(self.solver.tables), n)

    def resolve(self, fired=()):
        """Speeds and modes from this instant on. Returns lines for the table of events."""
        jams = self.may_jam(fired)
        self.table, self.lifted = [], 0.0
        refuse_on_the_way(self, fired)
        self.state.stop_incipient()
        before, known = self.state.modes(), self.state.directions()
        banned = self.banned(fired)
        self.state.turn_sides(fired)
        self.close_gaps(fired, before)
        for _ in range(ROUNDS):
            kinetic = None if jams else self.ordinary_rounds(fired, banned)
            if kinetic is None:
                instant = Instant(self.state)
                slow = self.leave_too_slowly(instant) if jams and not instant.approaches else {}
                if instant.approaches or slow:
                    self.hit(instant, slow)
                    banned.clear()
                    continue
                motion = self.choose(instant, fired, banned, jams)
                kinetic = None if motion is None else self.adopt(instant, motion)
            if kinetic is not None:
                self.record_changes(before, known, kinetic)
                refuse_weak_sticking(self)
                return self.table
        raise SimulationError(
            f"contacts: impacts without end at t = {self.solver.t:.9g} s: {self.names(instant.local)}"
        )

    def ordinary_rounds(self, fired, banned):
        """Impacts and modes from here on, compiled, as far as they are ordinary. Returns the kinetic energy from which the motion goes
        on; None where it does not yet."""
        if self.shared or not self.state.is_ordinary or self.order != "simultaneous":
            return None
        self.state.forbid(fired, banned)
        calls = self.state.calls
        hits, moved = calls.rounds()
        for numbers in calls.arrays.hits[:hits].tolist():
            self.counts["impacts"] += 1
            kinetic, of_elements, on_rows, in_joints = calls.split(numbers)
            line = self.add_impact(kinetic, self.struck(of_elements[0], on_rows), in_joints, "impact")
            self.close(line, of_elements[1], of_elements[2])
        if hits:
            banned.clear()
        return None if moved is None else self.gone_on(moved, calls.arrays.out[-OUT:])

    def gone_on(self, moved, energy):
        """Kinetic energy from which the motion goes on. energy: at the instant, before states were brought onto the rows of modes."""
        if not moved:
            return float(energy[0])
        energies = self.state.calls.arrays.after[:2].tolist()
        self.lifted += sum(energies) - float(energy[0] + energy[1]) + self.stored_by_projection()
        return energies[0]

    def stored_by_projection(self):
        """Energy that springs and the like have taken up where the state was brought onto the rows of modes."""
        if not self.solver.compiled.energy_registers:
            return 0.0
        y, projected = self.solver.y, self.solver.y.copy()
        y[:] = self.state.calls.arrays.unprojected
        before = stored_energy(self.solver)
        y[:] = projected
        return stored_energy(self.solver) - before

    def may_jam(self, fired):
        """Whether sliding may jam: a guard says so, or forces grow beyond bounds before any could: the same guards end the motion
        again at the same instant, though they had changed nothing."""
        last, self.last = self.last, (self.solver.t, list(fired))
        return any(e < 0 for e, _ in fired) or (bool(fired) and last == self.last and not self.table)

    def choose(self, instant, fired, banned, jams):
        """The motion from here on; None after an impact without collision, because there is none. jams: sliding may jam."""
        self.mark_stopped(instant.local, fired)
        worst = jammed(instant.local) if jams and not any(line["kind"] == "jam" for line in self.table) else None
        if worst:
            banned.add((worst.index, SLIDING))
        motion, count = self.share_again(instant.local, fired, banned) or choose_modes(instant.local, banned)
        if count == 0 and any(mode == STICKING for _, mode in banned):  # what cannot stick may break away another way
            banned |= {(e, INCIPIENT) for e, mode in banned if mode == STICKING}
            motion, count = choose_modes(instant.local, banned)
        if count == 0 and banned and not worst:
            banned.clear()
            motion, count = choose_modes(instant.local)
        if count == 0 and self.forget_sides(instant.local):
            motion, count = choose_modes(instant.local)
        if count == 0 and stop_slow(instant.local):
            motion, count = choose_modes(instant.local, banned)
        if count == 0:
            self.jam(instant)
            return None
        if count > 1:
            self.ambiguous(instant, count)
        return motion

    def forget_sides(self, local):
        """Load components whose magnitudes are summed: after an impact, or where others change modes, they may be on the other side
        at once. Returns whether any side was known."""
        known = [k for k, e in enumerate(local.elements) if e.load is not None and e.load.sums and e.load.sides.any()]
        for k in known:
            local.elements[k].load.sides[:] = local.problem.sides[k] = 0.0
            self.state.sides(local.elements[k].index)[:] = 0.0
        return bool(known)

    def banned(self, fired):
        """Modes whose guards have ended them at this instant: at a tie they would be as good as the next.  (pitfall of ties)

        Those of before count, too, while no time passes: friction at its limit and a stop that carries nothing would take turns.
        What breaks away and comes back at once, as friction presses more than it gives way, or jams, does not break away so
        (INCIPIENT)."""
        now, (then, found) = self.solver.t, self.ended
        found = set(found) if abs(now - then) <= SAME * np.spacing(abs(now)) else set()
        self.ended = now, found
        for e, which in fired:
            if e < 0:
                found |= {(e, INCIPIENT) for e, mode in found if mode == STICKING}
            elif which == 0 and self.state.mode(e) != OPEN:
                found |= {(e, SLIDING), (e, STICKING)}
            elif which == 1 and self.state.mode(e) == STICKING:
                found.add((e, STICKING))
            elif (
                which == 1 and self.state.lines[e][column.C_TANGENTS] == 2
            ):  # sliding that began, or has ended, at this instant ends
                found.add((e, INCIPIENT if found & {(e, STICKING), (e, RETURNED)} else RETURNED))
        return found

    def share_again(self, local, fired, banned):
        """Contacts that stick and share a load: one that has reached its limit alone hands on what is too much for it; only
        where all of them have, they break away, together."""
        sharing = [e for e in local.elements if e.name in self.shared and e.by_normal and e.mode == STICKING]
        reached = {e for e, which in fired if which == 1}
        if len(sharing) < 2 or not reached or not reached <= {e.index for e in sharing}:
            return None
        motion = all_sticking(local)
        if motion is None:
            banned |= {(e.index, STICKING) for e in sharing}
            return None
        pressed = [e for e in sharing if motion.forces[e.normal] > 0.0]
        left = [1.0 - np.linalg.norm(motion.forces[e.tangents]) / (e.static * motion.forces[e.normal]) for e in pressed]
        if min(left, default=0.0) > TOGETHER:
            return motion, 1
        banned |= {(e.index, STICKING) for e, part in zip(pressed, left, strict=True) if part <= 10.0 * TOGETHER}
        return None

    def mark_stopped(self, local, fired):
        """Elements whose sliding has ended: the speed that is left is within the tolerances."""
        ended = self.state.stopped(fired)
        for e in local.elements:
            line = self.solver.workspace.incipient[e.index]
            e.stopped = e.index in ended and STILL < local.speed(e) <= rest(line, self.solver.t)

    def names(self, local):
        return ", ".join(repr(e.name) for e in local.elements)

    def close_gaps(self, fired, before):
        """Positions on the gaps that have just closed, to round-off; speeds stay."""
        elements = [e for e, which in fired if e >= 0 and which == 0 and before[e] == OPEN]
        if elements:
            stored = stored_energy(self.solver)
            self.lifted += self.state.calls.close_gaps(elements)
            self.lifted += stored_energy(self.solver) - stored

    # ---------------------------------------------------------------- impacts

    def hit(self, instant, closing):
        """An impact of all that touches. closing: as `bounces_to_close` has it, if that is known."""
        local = instant.local
        instant.answers  # noqa: B018  (needs the workspace as it is now)
        try:
            if not closing:
                found = impact(local, self.order)
                closing = self.bounces_to_close(instant, found.P)
            if closing:
                hit = {e.index for e in approaching(local)}
                found = impact(local, self.order, plastic=True, bound=set(closing) - hit)
            refuse_gain(local, found.P, instant.kinetic_energy)
        except SimulationError as error:
            raise SimulationError(f"impact at t = {self.solver.t:.9g} s: {error}") from None
        self.note(found.notes)
        self.counts["impacts"] += 1
        line = self.take(instant, found.P, "impact")
        falls, rates = [0.0] * len(self.state), [0.0] * len(self.state)
        for e in local.elements:
            if e.index in closing:
                falls[e.index], rates[e.index] = closing[e.index], float(local.velocity[e.normal])
        self.close(line, falls, rates)

    def bounces_to_close(self, instant, P):
        """Elements that leave, with the accelerations that bring them back, if none would fly as high as the lowest bounce, or leaves for
        good faster than that; else none."""
        rates = instant.local.velocity + instant.local.D @ P
        if not any(self.leaves(e, rates) for e in instant.local.elements):
            return {}
        solver, n_q = self.solver, self.solver.compiled.n_q
        y, saved = solver.y.copy(), self.state.saved()
        solver.y[n_q : n_q + len(instant.u)] = instant.speeds_after(P)
        after = Instant(self.state)
        local = None if after.approaches else after.local
        solver.y[:] = y
        self.state.restore(saved)
        motion, count = choose_modes(local) if local is not None else (None, 0)
        if not count:
            return {}
        leaving = [e for e in local.elements if self.leaves(e, local.velocity)]
        if not all(self.is_low(e, local, motion, self.solver.lowest_bounce) for e in leaving):
            return {}
        return {e.index: -float(motion.rates[e.normal]) for e in leaving if motion.rates[e.normal] < 0.0}

    def leave_too_slowly(self, instant):
        """Elements that leave, with the accelerations that bring them back before floats can show that they were away."""
        local = instant.local
        leaving = [e for e in local.elements if self.leaves(e, local.velocity)]
        motion, count = choose_modes(local) if leaving else (None, 0)
        if not count:
            return {}
        low = [e for e in leaving if motion.rates[e.normal] < 0.0 and self.is_low(e, local, motion, TOUCHING)]
        return {e.index: -float(motion.rates[e.normal]) for e in low}

    @staticmethod
    def is_low(e, local, motion, height):
        """Whether what leaves does so more slowly than it would to come up to this height and back."""
        return local.velocity[e.normal] ** 2 <= 2.0 * abs(float(motion.rates[e.normal])) * height

    def leaves(self, e, rates):
        """Whether a gap opens at these rates of the rows."""
        return e.by_normal and not self.state.table[e.index, column.C_RATE] and rates[e.normal] > STILL

    def close(self, line, falls, rates):
        """Bounces that are left out. falls: accelerations of the elements that close, 0 for the others; rates: of gaps before."""
        closing = [e for e, fall in enumerate(falls) if fall > 0.0]
        if closing:
            self.counts["closed"] += len(closing)
            line["rest"] = self.time_of_rest(closing[0], len(closing) == 1, falls[closing[0]], abs(rates[closing[0]]))

    def time_of_rest(self, e, alone, fall, v):
        """Where the bounces of an element that were left out would have ended: a geometric series.  (N.13)"""
        times, now = self.impacts.get(e, [])[-3:], self.solver.t
        line, r, restitution = (
            self.state.lines[e],
            self.solver.workspace.r,
            float(self.state.facts[e].element.restitution),
        )
        rough = line[column.C_TANGENTS] > 0 and max(r[line[column.C_FRICTION]], r[line[column.C_STATIC]]) > 0.0
        smooth = alone and not rough and restitution < 1.0  # each flight is e times the last
        if not smooth and len(times) == 3 and times[2] - times[1] < times[1] - times[0]:
            last, ratio = times[2] - times[1], (times[2] - times[1]) / (times[1] - times[0])
            return now + last * ratio / (1.0 - ratio)
        return now + 2.0 * restitution * v / (fall * (1.0 - restitution)) if restitution < 1.0 else now

    def jam(self, instant):
        """No acceleration satisfies contact and friction: an impact without collision.  (N.14)"""
        local = instant.local
        e = jammed(local)
        if e is None or self.painleve == "stop":
            raise no_motion(self, local)
        P, v = np.zeros(len(local.velocity)), local.velocity[e.rows].copy()
        v[0], friction = 0.0, e.friction
        presses = pressed_by_normal(local, e)
        if presses > -JAMS:  # the instant is known up to round-off; forces have grown beyond bounds
            friction *= (1.0 + JAMS) / (1.0 - presses)
        P[e.rows] = impact_of_one(local.D[np.ix_(e.rows, e.rows)], v, friction, 0.0)
        self.counts["jams"] += 1
        lost = sum(losses(local, P).values())
        self.note(
            [f"{e.name!r} jams at t = {self.solver.t:.6g} s (Painlevé): an impact without collision takes {lost:.6g} J"]
        )
        self.take(instant, P, "jam")

    def ambiguous(self, instant, count):
        self.counts["ambiguous"] += 1
        if self.counts["ambiguous"] == 1:
            self.note(
                [
                    f"{self.names(instant.local)}: at t = {self.solver.t:.6g} s {count} motions satisfy contact and friction "
                    "(Painlevé); the one that continues what was before is taken"
                ]
            )

    def note(self, notes):
        self.solver.notes += [one for one in notes if one not in self.solver.notes]

    def take(self, instant, P, kind):
        """Speeds after impulses, and a line of the table."""
        solver, local = self.solver, instant.local
        u, n_q = instant.speeds_after(P), solver.compiled.n_q
        impulses = self.impulses(instant, u, P)
        solver.y[n_q : n_q + len(u)] = u
        lost = losses(local, P)
        struck = [(e.index, e.by_normal, self.of_element(P, e).tolist(), lost[e.index]) for e in local.elements]
        return self.add_impact([instant.kinetic_energy, self.state.energies()[0]], struck, impulses, kind)

    def struck(self, lost, on_rows):
        """Of each element its number, whether it has a normal, impulses and loss."""
        found = []
        for e, line in enumerate(self.state.lines):
            normal, first = line[column.C_NORMAL], line[column.C_TANGENT]
            tangents = on_rows[first : first + line[column.C_TANGENTS]] if first >= 0 else []
            found.append((e, normal >= 0, ([on_rows[normal]] if normal >= 0 else []) + tangents, lost[e]))
        return found

    def add_impact(self, kinetic, struck, impulses, kind):
        """A line of the table."""
        least = ROUND_OFF * max((abs(x) for _, _, P, _ in struck for x in P), default=0.0)
        names = self.names_of_elements
        hit = [one for one in struck if max(map(abs, one[2]), default=0.0) > least]
        line = dict(
            time=self.solver.t, event=", ".join(names[e] for e, by_normal, _, _ in hit if by_normal), kind=kind, changes={},
            kinetic_energy=kinetic, energy=list(kinetic), impulses=impulses,
            contact_impulses={names[e]: P for e, _, P, _ in hit}, losses={names[e]: lost for e, _, _, lost in hit},
        )  # fmt: skip
        self.table.append(line)
        if kind == "impact":
            for e, by_normal, P, _ in struck:
                if by_normal and P[0] > 0.0:
                    self.impacts[e] = [*self.impacts.get(e, []), self.solver.t][-3:]
        return line

    def of_element(self, P, e):
        """Normal impulse, if it has one, then along the tangential rows."""
        normal = [P[e.normal]] if e.by_normal else []
        return np.concatenate([normal, e.axes.T @ P[e.tangents] if len(e.tangents) else []])

    def impulses(self, instant, u, P):
        """Impulses in joints and constraints, on their bodies b."""
        bodies = len(self.solver.workspace.body)
        joints = Momentum(self.solver).joint_impulses(u, instant.rows_of(P), np.zeros((bodies, 6)))
        return {name: dict(impulse=F.tolist(), angular=L.tolist()) for name, (F, L) in joints.items()}

    # ---------------------------------------------------------------- modes

    def adopt(self, instant, motion):
        """Modes from here on: rows chosen anew, the state brought onto them. Returns its kinetic energy."""
        self.write_modes(instant, motion)
        embedded = self.solver.constraints == "embedded"
        if embedded:
            choose_rows(self.solver)
        moved, shares = self.state.calls.go_on(not embedded)
        if shares:
            modes = self.state.modes()
            self.shared |= shared_forces(instant.local, [modes[e.index] for e in instant.local.elements])
        return self.gone_on(moved, instant.energy)

    def write_modes(self, instant, motion):
        """Modes of a motion into the discrete state; what does not touch is open."""
        state = self.state
        known = {e.index: (e, one) for e, one in zip(instant.local.elements, motion.modes, strict=True)}
        for k in range(len(state)):
            if k not in known:
                state.write(k, OPEN)
                continue
            e, (mode, d) = known[k]
            contact = state.contact_of[k]
            if contact >= 0 and known[contact][1][0] == OPEN:
                mode = OPEN
            state.write(k, mode, e.axes.T @ d if mode == SLIDING and len(e.tangents) else ())
            if e.load is not None and e.load.sums:
                state.write_sides(k, e.load, motion.forces)

    def modes_hold(self):
        """Whether no guard is on the wrong side at the present state."""
        solver, guards = self.solver, self.guards()
        rhs(solver.handle, solver.t, solver.y, np.zeros(len(solver.y)))
        beyond = solver.workspace.r[solver.events[guards, at.GUARD]] + np.maximum(solver.scratch.slack[guards], UNARMED)
        return bool((beyond >= 0.0).all())

    def record_changes(self, before, known, kinetic):
        """before, known: modes, and directions of sliding, as they were."""
        modes, names = self.state.modes(), self.names_of_elements
        pairs = enumerate(zip(before, modes, strict=True))
        changes = {f"{names[e]}.mode": [float(a), float(b)] for e, (a, b) in pairs if a != b}
        if not self.table and SLIDING in before:
            changes |= {f"{names[e]}.direction": pair for e, pair in self.reversals(before, modes, known)}
        if self.table and self.table[-1]["kind"] != "modes":
            self.table[-1]["changes"] = changes
        elif changes:
            energy = [kinetic] * 2
            self.table.append(
                dict(
                    time=self.solver.t, event=", ".join(name.rsplit(".", 1)[0] for name in changes), kind="modes", changes=changes,
                    kinetic_energy=energy, energy=energy, impulses={}, contact_impulses={}, losses={},
                )
            )  # fmt: skip

    def reversals(self, before, modes, known):
        """(element, direction before and after) of those that slid, and slide on the other way: along its one tangent; in
        space 1, and the cosine of the angle between both."""
        after = self.state.directions()
        turned = (known * after).sum(axis=1)
        for e in np.flatnonzero(turned < 0.0).tolist():
            if before[e] == modes[e] == SLIDING:
                one = self.state.lines[e][column.C_TANGENTS] == 1
                yield e, [float(known[e, 0]), float(after[e, 0])] if one else [1.0, float(turned[e])]
