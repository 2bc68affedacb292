"""Arrays of choices of modes and of impacts, made by compiled code of memory that is there: as many rows and elements as touch at an
instant."""

from mekane.numba_backend.kernel import kernel
from mekane.solvers.contacts.cone_modes import ConeSpace
from mekane.solvers.contacts.cone_sweeps import ConeProblem
from mekane.solvers.contacts.impact_path import Path
from mekane.solvers.contacts.mode_exchange import EXCHANGES, FOR_EACH, MOST, Options
from mekane.solvers.contacts.mode_forces import ModeProblem
from mekane.solvers.contacts.turning_path import STAGES
from mekane.tables.handle import floats1, floats2, integers1, integers2


def space_needed(m, k):
    """Floats and integers of ModeProblem and Options, for up to m rows of k elements."""
    floats = 3 * m * m + 8 * m + 4 * k * m + 13 * k + 4 * k * k + (2 * MOST + 2) * k
    return floats, m + 9 * k + (2 * MOST + 4) * k + (EXCHANGES + FOR_EACH * k) * k + 1


@kernel(exact=True)
def problem_at(floats, integers, m, k):
    """A ModeProblem at these addresses, and the addresses after it."""
    f, i = floats, integers
    squares, rows, each = f, f + 24 * m * m, f + 24 * m * m + 56 * m
    pairs = each + 40 * k
    response = pairs + 64 * k
    answer = response + 16 * k * m
    equations = answer + 8 * m * (1 + 2 * k)
    place, kinds = i, i + 24 * k
    problem = ModeProblem(
        floats2(squares, m, m), floats1(rows, m), floats1(rows + 8 * m, m), floats1(rows + 16 * m, m), floats1(rows + 24 * m, m),
        integers2(place, k, 3), floats1(each, k), floats1(each + 8 * k, k), floats1(each + 16 * k, k), integers1(kinds, k),
        floats2(pairs, k, 2), floats2(response, 2 * k, m), floats2(pairs + 16 * k, k, 2), integers1(kinds + 8 * k, k),
        floats2(pairs + 32 * k, k, 2), floats1(rows + 32 * m, m), floats1(rows + 40 * m, m), floats1(each + 24 * k, k),
        floats1(each + 32 * k, k), integers1(kinds + 16 * k, m), floats2(squares + 8 * m * m, m, m), floats2(squares + 16 * m * m, m, m),
        floats1(rows + 48 * m, m), floats2(answer, m, 1 + 2 * k), integers1(kinds + 16 * k + 8 * m, 2 * k),
        floats2(equations, 2 * k, 2 * k), floats1(pairs + 48 * k, 2 * k), integers1(kinds + 32 * k + 8 * m, 2 * k),
    )  # fmt: skip
    return problem, equations + 32 * k * k, kinds + 48 * k + 8 * m


@kernel(exact=True)
def options_at(floats, integers, k):
    """Options of k elements at these addresses."""
    i, lines = integers, EXCHANGES + FOR_EACH * k
    modes = i + 24 * k
    place = modes + 16 * MOST * k
    return Options(
        integers2(i, k, 2), integers1(i + 16 * k, k), integers2(modes, k, MOST), integers2(modes + 8 * MOST * k, k, MOST),
        floats2(floats, MOST * k, 2), integers1(place, k), floats2(floats + 16 * MOST * k, k, 2), integers2(place + 8 * k + 8, lines, k),
        integers1(place + 8 * k, 1),
    )  # fmt: skip


PATH = 60 + 7 * STAGES  # floats of a Path


@kernel(exact=True)
def path_at(floats):
    """A Path at this address."""
    f, K = floats + 8 * 39, floats + 8 * 60
    return Path(
        floats2(floats, 3, 3), floats1(floats + 72, 3), floats1(floats + 96, 3), floats1(floats + 120, 3), floats1(floats + 144, 3),
        floats1(f, 7), floats2(K, STAGES, 7), floats1(f + 56, 7), floats1(f + 112, 7), floats2(floats + 168, 3, 3),
        floats2(floats + 240, 3, 3),
    )  # fmt: skip


def cone_space_needed(m, k):
    """Floats and integers of what `cones_at` gives, for up to m rows of k elements."""
    return 5 * m * m + 5 * m + 5 * k + 13, 2 * m + 5 * k


@kernel(exact=True)
def cones_at(floats, integers, m, k):
    """ConeProblem and ConeSpace at these addresses, the unknowns and their scale."""
    square, i = 8 * m * m, integers
    rows, each = floats + 5 * square, floats + 5 * square + 40 * m
    last = each + 40 * k
    problem = ConeProblem(
        floats2(floats, m, m), floats1(rows, m), integers2(i, k, 3), floats1(each, k), floats1(each + 8 * k, k), integers1(i + 24 * k, k),
        floats2(each + 16 * k, k, 2), integers1(i + 32 * k, k), floats1(each + 32 * k, k), floats2(last, 3, 3), floats1(last + 72, 3),
    )  # fmt: skip
    space = ConeSpace(
        floats2(floats + square, m, m), floats2(floats + 2 * square, m, m), floats2(floats + 3 * square, m, m), integers1(i + 40 * k, m),
        floats1(rows + 8 * m, m), floats2(floats + 4 * square, m, m), floats1(rows + 16 * m, m), integers1(i + 40 * k + 8 * m, m),
        floats1(rows + 24 * m, m),
    )  # fmt: skip
    return problem, space, floats1(rows + 32 * m, m), floats1(last + 96, 1)
