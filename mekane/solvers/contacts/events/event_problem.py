"""What contact laws see where a step has ended, and how a motion goes on from there, compiled: the ordinary case of an event,
without friction by loads of joints and without joints or constraints that hold besides.  (N.3), (N.7), (N.8)

open_lost, close_gaps   before: what has nothing left to touch; positions on the gaps that have just closed
read_instant            D, rates and accelerations of all rows without any contact force; which elements touch
find_modes              modes of what touches, where exchanging leads to some; else `modes` chooses
go_on                   rows of the modes, the state brought onto them, guards armed, the next step
"""

from typing import NamedTuple

import numpy as np

from mekane.kernels.rhs import energies
from mekane.numba_backend.kernel import kernel
from mekane.solvers.constraints.projection import CHOOSE
from mekane.solvers.contacts.events.mode_arrays import PATH, cone_space_needed, options_at, problem_at, space_needed
from mekane.solvers.contacts.local import FLAT, STILL, TOUCHING
from mekane.solvers.contacts.mode_exchange import exchange, find_options
from mekane.solvers.contacts.mode_forces import NO_LOAD
from mekane.solvers.entries.calls import contact_problem, evaluate_inertias, evaluate_kinematics, follow, project, rhs
from mekane.solvers.events import ARMED
from mekane.solvers.hybrid.guard_rates import time_back_from
from mekane.solvers.state import GUARD, LAST, NOW, STEP
from mekane.tables.columns import (
    C_DIRECTION,
    C_FRICTION,
    C_MODE,
    C_NORMAL,
    C_RATE,
    C_STATIC,
    C_STICKS,
    C_SUMS,
    C_TANGENT,
    C_TANGENTS,
    I_STILL,
    I_TURNS,
    N_ELEMENT_GUARDS,
    OPEN,
    OUT,
    SLIDING,
    STICKING,
    Y_PHI,
)
from mekane.tables.tables import N_Q, N_ROWS, N_U, Floats, Floats2, Integers, Integers2, field_kinds

LOST = 1e-4  # m or rad: a gap of a closed contact beyond it has jumped; others drift by less
N_ENERGIES = 2  # with which a line of hits begins
UNARMED = 1e-9  # a guard that began at zero counts below minus this, of its scale
AGAIN = 0.25  # of the step that was planned: the first one after modes have changed
PART = 0.25  # of the time after which a guard is back: the next step
ROUNDED = 1.0 + 1e-6  # of a speed that counts as zero: where it was found
INSTANT = 64.0  # spacings of floats: an event is located so well
N = N_ELEMENT_GUARDS


class EventArrays(NamedTuple):
    """n elements of a model with m rows and ny states."""

    y: "Floats"  # (ny,)  the state
    step_state: "Floats"
    settings: "Integers"  # (N_SETTINGS,)
    registers: "Floats2"  # (n, 4)  mode, whether it sticks, direction: as they were
    out: "Floats"  # (ny + m m + 2 m + OUT,)  see entries.contact_problem
    after: "Floats"  # (OUT,)  energies and momenta where the state has been projected
    measurement: "Floats"  # (rows and measurements,)  scratch
    unprojected: "Floats"  # (ny,)  scratch
    gap: "Floats"  # (n,)
    friction: "Floats"  # (n,)
    static: "Floats"  # (n,)
    contact_of: "Integers"  # (n,)  the contact that presses what resists rolling; -1: its own
    touching: "Integers"  # (n,)  those that touch stand first
    ended: "Integers"  # (n,)  1: its sliding has ended
    banned: "Integers2"  # (n, 2)  as Options.banned
    floats: "Floats"  # memory for choices of modes
    integers: "Integers"
    vectors: "Floats2"  # (4, ny)  scratch
    guards: "Floats2"  # (3, guards)  scratch
    x: "Floats"  # from here on of Scratch
    followed: "Floats"
    decided: "Floats"
    before: "Floats"
    slack: "Floats"
    events: "Integers2"  # of the solver
    closing: "Integers"  # (n,)  1: its gap has just closed
    kept: "Floats2"  # (n, 4)  as registers
    restitution: "Floats"  # (n,)
    law: "Integers"  # (n,)  of restitution
    near: "Integers"  # (n,)  scratch from here on: what an impact reaches
    cones: "Floats"
    cone_places: "Integers"
    path: "Floats"
    impulses: "Floats"  # (m,)
    change: "Floats"  # (speeds,)
    before_hit: "Floats"  # (ny,)
    falls: "Floats"  # (n,)  acceleration towards one another of what an impact is to leave closed; 0: all others
    motion: "Floats2"  # (bodies + 1, 6)
    child: "Integers"  # (tree joints,)  places of joints, from here on: the body whose tree joint it is
    swapped: "Integers"  # (tree joints,)  1: that is body a
    place_body: "Integers"  # (tree joints and what has rows,)  body b
    place_point: "Floats2"  # likewise
    terms: "Integers2"  # (terms, 4)  number, row, body, place that reports it or -1
    hits: "Floats2"  # (MOST_HITS, …)  see impacts
    lowest: "Floats"  # (1,)  m or rad: bounces lower than this are closed

    @classmethod
    def kinds(cls):
        return field_kinds(cls)


# settings: 1: rows are chosen when an instant is read, all elements are to be opened; 1: states are projected; 1: steps are adaptive
N_SETTINGS = 3
MOST_HITS = 4  # impacts in one call
CHOOSES, PROJECTS, ADAPTS = range(N_SETTINGS)


def event_arrays(solver, contact_of, laws):
    """For the contact laws of a solver. laws: of restitution, by their numbers."""
    n, m, ny, W, S = (
        len(solver.tables.contact_i),
        solver.compiled.n_rows,
        len(solver.y),
        solver.workspace,
        solver.scratch,
    )
    zeros, integers, out = np.zeros, lambda *shape: np.zeros(shape, np.int64), ny + m * m + 2 * m + OUT
    memory, of_cones, places = space_needed(m, n), cone_space_needed(m, n), place_arrays(solver.joint_places)
    restitution = [float(fact.element.restitution) for fact in solver.compiled.elements_of_contact]
    hits = zeros((MOST_HITS, N_ENERGIES + 3 * n + m + 6 * len(places[2])))
    return EventArrays(
        solver.y, solver.step_state, integers(N_SETTINGS), zeros((n, 4)), zeros(out), zeros(OUT), zeros(len(W.measurement)), zeros(ny),
        zeros(n), zeros(n), zeros(n), np.array(contact_of, np.int64), integers(n), integers(n), integers(n, 2), zeros(memory[0]),
        integers(memory[1]), zeros((4, ny)), zeros((3, len(W.modes))), S.x, S.measurement, S.decided, S.before, S.slack, solver.events,
        integers(n), zeros((n, 4)), np.array(restitution), np.array(laws, np.int64), integers(n), zeros(of_cones[0]),
        integers(of_cones[1]), zeros(PATH), zeros(m), zeros(solver.compiled.n_u), zeros(ny), zeros(n), zeros((len(W.body), 6)),
        *places, hits, zeros(1),
    )  # fmt: skip


def place_arrays(places):
    """Of JointPlaces, as EventArrays has them."""
    joints, integers = len(places.child), lambda values: np.array(values, np.int64)
    reported = np.full(len(places.term), -1)
    reported[places.reported] = joints + places.reported_by
    swapped = np.isin(np.arange(joints), places.swapped)
    return (
        integers(places.child),
        integers(swapped),
        integers(np.concatenate([places.tree.body, places.rows.body])),
        np.concatenate([places.tree.point, places.rows.point]),
        integers(np.stack([places.term, places.term_row, places.term_body, reported], axis=1)),
    )


# ---------------------------------------------------------------- before


@kernel(exact=True)
def open_lost(P, C):
    """Open elements that have nothing left to touch: a corner that has passed the edge of a face. Their gaps jump."""
    known = False
    for e in range(P.contact_i.shape[0]):
        line = P.contact_i[e]
        if line[C_NORMAL] < 0 or line[C_RATE] == 1 or P.r[line[C_MODE]] < 0.5:
            continue
        if not known:
            evaluate_kinematics(P, C.step_state[NOW], C.y, C.measurement)
            known = True
        if P.row[line[C_NORMAL], Y_PHI] > LOST:
            put_mode(P, e, OPEN, 0.0, 0.0)


@kernel(exact=True)
def close_gaps(T, W, P, C):
    """Positions on the gaps that have just closed, C.closing, to round-off; speeds stay. Returns by how much that has changed the
    energy."""
    t, y, n_q, any_closes = C.step_state[NOW], C.y, P.count[N_Q], False
    for e in range(P.contact_i.shape[0]):
        any_closes = any_closes or (C.closing[e] == 1 and P.contact_i[e, C_RATE] == 0)
    if not any_closes or C.settings[PROJECTS] == 0:
        return 0.0
    keep(P, C.kept)
    for e in range(P.contact_i.shape[0]):
        if C.closing[e] == 1 and P.contact_i[e, C_RATE] == 0:
            put_mode(P, e, SLIDING, 0.0, 0.0)
    choose_rows(P, C)
    before = energy_at(T, W, C)
    for i in range(y.shape[0]):
        C.unprojected[i] = y[i]
    project(P, t, y, C.x)
    for i in range(n_q, n_q + P.count[N_U]):
        y[i] = C.unprojected[i]
    change = energy_at(T, W, C) - before
    put_back(P, C.kept)
    return change


@kernel(exact=True)
def energy_at(T, W, C):
    """Kinetic energy, which may depend on positions, and potential energy of gravity; both, and more, in C.after."""
    first = T.count[N_Q] + T.count[N_U]
    energies(T, W, C.step_state[NOW], C.y, C.vectors[1, first:], C.after)
    return C.after[0] + C.after[1]


# ---------------------------------------------------------------- an instant


@kernel(exact=True)
def read_instant(P, C):
    """The problem of contact laws at an instant, in C. Returns how many elements touch; less one, negative, if one of
    them approaches. Unless it chooses rows, all elements are open already, and C.registers is as before."""
    n = P.contact_i.shape[0]
    if C.settings[CHOOSES] == 1:
        open_all(P, C)
        choose_rows(P, C)
    contact_problem(P, C.step_state[NOW], C.y, C.out)
    for e in range(n):
        line = P.contact_i[e]
        C.gap[e] = P.row[line[C_NORMAL], Y_PHI] if line[C_NORMAL] >= 0 and line[C_RATE] == 0 else 0.0
        C.friction[e] = P.r[line[C_FRICTION]]
        C.static[e] = max(P.r[line[C_STATIC]], C.friction[e])
    put_back(P, C.registers)
    return find_touching(P, C)


@kernel(exact=True)
def open_all(P, C):
    keep(P, C.registers)
    for e in range(P.contact_i.shape[0]):
        put_mode(P, e, OPEN, 0.0, 0.0)


@kernel(exact=True)
def keep(P, registers):
    """Modes, and directions of sliding."""
    for e in range(P.contact_i.shape[0]):
        line = P.contact_i[e]
        registers[e, 0], registers[e, 1] = P.r[line[C_MODE]], P.r[line[C_STICKS]]
        for i in range(2):
            registers[e, 2 + i] = P.r[line[C_DIRECTION] + i]


@kernel(exact=True)
def put_back(P, registers):
    for e in range(P.contact_i.shape[0]):
        line = P.contact_i[e]
        P.r[line[C_MODE]], P.r[line[C_STICKS]] = registers[e, 0], registers[e, 1]
        for i in range(2):
            P.r[line[C_DIRECTION] + i] = registers[e, 2 + i]


@kernel(exact=True)
def choose_rows(P, C):
    """As hybrid.event_actions does, of constraints by multipliers."""
    evaluate_kinematics(P, C.step_state[NOW], C.y, C.measurement)
    evaluate_inertias(P, CHOOSE, C.y)
    C.step_state[LAST] = 0.0  # derivatives of the last step are those of other equations


@kernel(exact=True)
def find_touching(P, C):
    """C.touching. Returns as `read_instant`."""
    count, approaches, m = 0, False, P.count[N_ROWS]
    rate = C.y.shape[0] + m * m
    for e in range(P.contact_i.shape[0]):
        if touches(P, C, e):
            C.touching[count] = e
            count += 1
            row = P.contact_i[e, C_NORMAL]
            approaches = approaches or (row >= 0 and C.out[rate + row] < -STILL)
    return -1 - count if approaches else count


@kernel(exact=True)
def touches(P, C, e):
    own = C.contact_of[e] if C.contact_of[e] >= 0 else e
    line = P.contact_i[own]
    return line[C_NORMAL] < 0 or line[C_RATE] == 1 or C.registers[own, 0] > 0.5 or C.gap[own] <= TOUCHING


# ---------------------------------------------------------------- its modes


@kernel(exact=True)
def problem_of(P, C, count):
    """ModeProblem and Options of the elements that touch, so many, in the memory of C."""
    m = 0
    for k in range(count):
        line = P.contact_i[C.touching[k]]
        m += line[C_TANGENTS] + (1 if line[C_NORMAL] >= 0 else 0)
    L, floats, integers = problem_at(C.floats.ctypes.data, C.integers.ctypes.data, m, count)
    return L, options_at(floats, integers, count)


@kernel(exact=True)
def find_modes(P, C, scale, L, options):
    """Modes of the elements that touch. False where they are not found this way. scale: Workspace.scale."""
    if not write_problem(P, C, scale, L):
        return False
    options.regular[0] = -1
    for k in range(L.mode.shape[0]):
        for i in range(2):
            options.banned[k, i] = C.banned[C.touching[k], i]
    return not find_options(L, options) and exchange(L, options)


@kernel(exact=True)
def write_problem(P, C, scale, L):
    """L of the elements that touch, which have rows one after the other: normal, tangents. False if one of them cannot move
    along both tangents, or accelerations are not finite."""
    row = 0
    for k in range(L.mode.shape[0]):
        e = C.touching[k]
        line = P.contact_i[e]
        n, first = line[C_TANGENTS], line[C_TANGENT]
        L.load_kind[k], L.friction[k], L.static[k] = NO_LOAD, C.friction[e], C.static[e]
        L.place[k, 0], L.place[k, 2] = -1, n
        if line[C_NORMAL] >= 0:
            L.place[k, 0], L.rows[row] = row, line[C_NORMAL]
            row += 1
        L.place[k, 1] = row if n > 0 else -1
        for i in range(n):
            L.rows[row] = first + i
            row += 1
    return copy_rows(P, C, scale, L) and can_move(L) and measure_speeds(P, C, L)


@kernel(exact=True)
def copy_rows(P, C, scale, L):
    """D, velocity, free acceleration and scale of L.rows, of those of all rows."""
    m = P.count[N_ROWS]
    D = C.y.shape[0]
    rate = D + m * m
    for i in range(L.rows.shape[0]):
        a = L.rows[i]
        L.velocity[i], L.acceleration[i] = C.out[rate + a], C.out[rate + m + a]
        L.scale[i] = L.usual_scale[i] = scale[a]
        if not np.isfinite(L.acceleration[i]):
            return False
        for j in range(L.rows.shape[0]):
            b = L.rows[j]
            L.D[i, j] = 0.5 * (C.out[D + m * a + b] + C.out[D + m * b + a])
    return True


@kernel(exact=True)
def can_move(L):
    """Whether the mechanism can move in all directions along the tangents, far from singular."""
    for k in range(L.mode.shape[0]):
        if L.place[k, 2] == 2:
            i = L.place[k, 1]
            a, b, c = L.D[i, i], L.D[i, i + 1], L.D[i + 1, i + 1]
            if not a * c - b * b > 1e3 * FLAT * (a + c) ** 2:
                return False
    return True


@kernel(exact=True)
def measure_speeds(P, C, L):
    """L.speed of sliding; 0 where it has ended: what is left of it is error of the integration."""
    for k in range(L.mode.shape[0]):
        e, i, n = C.touching[k], L.place[k, 1], L.place[k, 2]
        x = L.velocity[i] if n > 0 else 0.0
        y = L.velocity[i + 1] if n > 1 else 0.0
        speed = np.hypot(x, y)
        stopped = C.ended[e] == 1 and STILL < speed <= counts_as_rest(P.incipient[e], C.step_state[NOW])
        L.speed[k] = 0.0 if stopped else speed
    return True


@kernel(exact=True)
def counts_as_rest(line, t):
    """Up to which speed sliding that has ended counts as rest, by its line of what is known of incipient sliding: friction may turn it
    so fast that it goes on being sliding for less than floats can tell."""
    return ROUNDED * line[I_STILL] + INSTANT * np.spacing(abs(t)) * line[I_TURNS]


@kernel(exact=True)
def write_modes(P, C, L, options):
    """The modes that were found, and directions of sliding, into the discrete state; what does not touch is open."""
    for e in range(P.contact_i.shape[0]):
        put_mode(P, e, OPEN, 0.0, 0.0)
    for k in range(L.mode.shape[0]):
        mode = options.mode[k, options.place[k]]
        along = mode == SLIDING and L.place[k, 2] > 0
        x = L.direction[k, 0] if along else 0.0
        y = L.direction[k, 1] if along and L.place[k, 2] > 1 else 0.0
        put_mode(P, C.touching[k], mode, x, y)


@kernel(exact=True)
def put_mode(P, e, mode, x, y):
    line = P.contact_i[e]
    P.r[line[C_MODE]], P.r[line[C_STICKS]] = mode, 1.0 if mode == STICKING else 0.0
    P.r[line[C_DIRECTION]], P.r[line[C_DIRECTION] + 1] = x, y


# ---------------------------------------------------------------- and on


@kernel(exact=True)
def go_on(T, W, P, C):
    """From the modes in the discrete state, whose rows are chosen: the state onto these, measurements followed, guards armed,
    the next step. Returns whether the state has moved; then C.after has its energies."""
    t, y, moved = C.step_state[NOW], C.y, False
    for i in range(y.shape[0]):
        C.unprojected[i] = y[i]
    if C.settings[PROJECTS] == 1:
        project(P, t, y, C.x)
    for i in range(y.shape[0]):
        moved = moved or y[i] != C.unprojected[i]
    if moved:
        energy_at(T, W, C)
    evaluate_kinematics(P, t, y, C.followed)
    follow(P, t, C.followed)
    arm(P, C)
    if C.settings[ADAPTS] == 1:
        soon = time_back_from(P, C.events, t, y, C.vectors, C.guards)
        C.step_state[STEP] = min(PART * soon, AGAIN * C.step_state[STEP])
    return moved


@kernel(exact=True)
def arm(P, C):
    """Guards that begin at zero count only when they have left it. The slope of the state into C.vectors[0]."""
    n = P.contact_i.shape[0]
    first = C.events.shape[0] - N * n - 1
    rhs(P, C.step_state[NOW], C.y, C.vectors[0])
    for i in range(N * n + 1):
        k = first + i
        slides = i < N * n and i % N == 2 and P.contact_i[i // N, C_SUMS] == 0  # see kernels.contact_guards
        C.decided[k], C.before[k] = 0.0, 1.0
        C.slack[k] = np.inf if slides else UNARMED
        if P.r[C.events[k, GUARD]] > ARMED:
            C.slack[k] = 0.0
