"""Entries: what contact laws do where a step has ended.  a: what `listed` gives of EventArrays."""

from mekane.numba_backend.deferred import Deferred
from mekane.numba_backend.header import Layout
from mekane.numba_backend.kernel import entry, kernel
from mekane.solvers.contacts.events.event_problem import (
    EventArrays,
    choose_rows,
    close_gaps,
    go_on,
    open_lost,
    read_instant,
)
from mekane.solvers.contacts.events.rounds import MOVED, STAYS, rounds
from mekane.tables.handle import SIGNATURE, WORKSPACE, Handle, integers1, unpack
from mekane.tables.tables import N_REPEATED, V_PIVOT

SHARE = 4  # is added where rows of contacts repeat others
HEADER = WORKSPACE.end  # integers of a header
event_arrays_at = Deferred("unpack_layouts", (Layout(EventArrays, 0), "float64"))


@kernel(exact=True)
def handle_at(header, T, W):
    """As tables.handle.handle."""
    return Handle(
        integers1(header, HEADER), T.count, W.state, W.r, W.measurement_rate, W.row, W.modes, W.active, T.primitive_i,
        T.contact_i, W.incipient, W.vectors[V_PIVOT],
    )  # fmt: skip


@entry(SIGNATURE)
def open_lost_entry(header, t, a, b):
    T, W = unpack(header)
    open_lost(handle_at(header, T, W), event_arrays_at(a)[0])
    return 0.0


@entry(SIGNATURE)
def close_gaps_entry(header, t, a, b):
    """Returns as `close_gaps`."""
    T, W = unpack(header)
    return close_gaps(T, W, handle_at(header, T, W), event_arrays_at(a)[0])


@entry(SIGNATURE)
def read_instant_entry(header, t, a, b):
    """Returns as `read_instant`."""
    T, W = unpack(header)
    return read_instant(handle_at(header, T, W), event_arrays_at(a)[0])


@entry(SIGNATURE)
def rounds_entry(header, t, a, b):
    """Returns as `rounds`."""
    T, W = unpack(header)
    return rounds(T, W, handle_at(header, T, W), event_arrays_at(a)[0])


@entry(SIGNATURE)
def go_on_entry(header, t, a, b):
    """b: 1: rows are to be chosen for the modes. STAYS or MOVED, and SHARE added."""
    T, W = unpack(header)
    P, C = handle_at(header, T, W), event_arrays_at(a)[0]
    if b == 1:
        choose_rows(P, C)
    return (SHARE if W.state[N_REPEATED] > 0 else 0) + (MOVED if go_on(T, W, P, C) else STAYS)
