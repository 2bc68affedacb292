"""What can differ from zero in D and in its factor, and an order of joints and constraints that keeps the factor
sparse.

Two rows meet in D if their paths to the ground share a speed. Eliminating the one with fewest neighbours first (minimum
degree) keeps loops that touch only their neighbours at a fixed cost each.
"""

from heapq import heapify, heappop, heappush

import numpy as np

from mekane.compiler.constraint_rows import listed


def meetings(speed_sets):
    """For each set of speeds the others that share one with it."""
    users = {}
    for k, speeds in enumerate(speed_sets):
        for r in speeds:
            users.setdefault(r, []).append(k)
    neighbours = [set() for _ in speed_sets]
    for members in {tuple(m) for m in users.values()}:
        for k in members:
            neighbours[k].update(members)
    for k, others in enumerate(neighbours):
        others.discard(k)
    return neighbours


def elimination_order(speed_sets):
    """Minimum degree; equals in the order they stand."""
    left = dict(enumerate(meetings(speed_sets)))
    # those whose degree has changed since are in it more than once
    waiting = [(len(others), k) for k, others in left.items()]
    heapify(waiting)
    order = []
    while left:
        degree, k = heappop(waiting)
        if k not in left or len(left[k]) != degree:
            continue
        others = left.pop(k)
        order.append(k)
        for j in others:
            left[j] |= others
            left[j] -= {j, k}
            heappush(waiting, (len(left[j]), j))
    return order


def patterns(tables, n_rows):
    """e_start, d_start, d_row, l_start, l_row for the first n_rows rows."""
    from mekane.tables.columns import ROW_PATH

    path = tables["row_i"][:n_rows, ROW_PATH]
    start, speed = tables["speed_start"], tables["path_speed"]
    used = sorted(set(path.tolist()))
    meets = dict(zip(used, meetings([speed[start[j] : start[j + 1]].tolist() for j in used]), strict=True))
    rows_on = {j: [] for j in used}
    for y, j in enumerate(path.tolist()):
        rows_on[j].append(y)
    before = []
    for y in range(n_rows):
        near = rows_on[path[y]] + [k for j in meets[path[y]] for k in rows_on[used[j]]]
        before.append(sorted(k for k in near if k <= y))
    d_start, d_row = listed(before)
    l_start, l_row = listed(fill(before))
    e_start = np.cumsum([0] + [start[j + 1] - start[j] for j in path]).astype(np.int64)
    return dict(e_start=e_start, d_start=d_start, d_row=d_row, l_start=l_start, l_row=l_row)


def fill(before):
    """Rows of the factor: the elimination tree tells where new elements come up."""
    parent, rows = [-1] * len(before), []
    for j, columns in enumerate(before):
        found = set()
        for k in columns:
            while k != -1 and k < j and k not in found:
                found.add(k)
                if parent[k] == -1:
                    parent[k] = j
                k = parent[k]
        rows.append(sorted(found))
    return rows
