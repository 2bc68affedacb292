"""Patterns of D and of its factor. Oracles: the dense matrices, and elimination done symbolically on a dense
pattern."""

import numpy as np
import pytest
import systems
from engine import Model

from mekane.compiler.compiler import compile_system
from mekane.compiler.sparsity import elimination_order, fill, meetings
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import four_bar_chain
from mekane.tables.columns import ROW_PATH

SYSTEMS = systems.named()
LOOPED = [name for name in SYSTEMS if compile_system(SYSTEMS[name](), "absolute").n_rows]


def some_sets(seed, count=12, speeds=20):
    rng = np.random.default_rng(seed)
    return [sorted(rng.choice(speeds, rng.integers(1, 4), replace=False).tolist()) for _ in range(count)]


@pytest.mark.parametrize("seed", range(5))
def test_sets_meet_where_they_share(seed):
    sets = some_sets(seed)
    for k, others in enumerate(meetings(sets)):
        assert others == {j for j, other in enumerate(sets) if j != k and set(other) & set(sets[k])}


@pytest.mark.parametrize("seed", range(5))
def test_the_order_is_one_of_all(seed):
    sets = some_sets(seed)
    assert sorted(elimination_order(sets)) == list(range(len(sets)))


@pytest.mark.parametrize("seed", range(5))
def test_the_order_is_that_of_minimum_degree(seed):
    """Done by hand: of those left the first with fewest neighbours; its neighbours become neighbours of one another."""
    sets = some_sets(seed, 40, 60)
    left, order = {k: set(others) for k, others in enumerate(meetings(sets))}, []
    while left:
        k = min(left, key=lambda k: (len(left[k]), k))
        others = left.pop(k)
        order.append(k)
        for j in others:
            left[j] = (left[j] | others) - {j, k}
    assert elimination_order(sets) == order


@pytest.mark.parametrize("seed", range(5))
def test_fill_is_that_of_elimination(seed):
    """Dense: eliminating row k joins all rows after it that touch it."""
    near = meetings(some_sets(seed))
    n = len(near)
    full = np.eye(n, dtype=bool)
    for k, others in enumerate(near):
        full[k, list(others)] = True
    before = [[j for j in range(k + 1) if full[k, j]] for k in range(n)]
    for k in range(n):
        after = [j for j in range(k + 1, n) if full[j, k]]
        full[np.ix_(after, after)] = True
    assert fill(before) == [[j for j in range(k) if full[k, j]] for k in range(n)]


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", LOOPED)
def test_nothing_is_left_out(name, formulation):
    """E and D of the kernels hold all of the dense ones: D = E diag(1/D_r) Eᵀ. Round-off, the diagonal of D being about
    one."""
    model = Model(SYSTEMS[name], formulation)
    if not model.n_rows:
        return
    y = model.on_the_way(0.05)
    model.choose(y)
    model.rhs(0.0, y)
    T, W, n = model.T, model.W, model.n_rows
    E, D = np.zeros((n, model.n_u)), np.zeros((n, n))
    for j in model.active:
        path = T.row_i[j, ROW_PATH]
        E[j, T.path_speed[T.speed_start[path] : T.speed_start[path + 1]]] = W.E[T.e_start[j] : T.e_start[j + 1]]
    for j in range(n):
        for p in range(T.d_start[j], T.d_start[j + 1]):
            D[j, T.d_row[p]] = D[T.d_row[p], j] = W.D[p]
    inverse = W.speed[:, 12]
    held = np.ix_(model.active, model.active)
    assert D[held] == pytest.approx(((E * inverse) @ E.T)[held], abs=1e-12)


def test_ladders_cost_the_same_for_every_loop():
    """Elements of E, D and L per loop: equal for 20 and for 200 loops but for the ends."""
    sizes = {}
    for n in (20, 200):
        T = compile_system(four_bar_chain.system(n)).tables
        sizes[n] = np.array([T.e_start[-1], len(T.d_row), len(T.l_row)]) / n
    assert sizes[200] == pytest.approx(sizes[20], rel=0.1)
