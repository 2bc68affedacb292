"""Entries: what contact laws do where a step has ended.  a: what `listed` gives of EventArrays."""

from mekane.numba_backend.deferred import Deferred
from mekane.numba_backend.header import Layout
from mekane.numba_backend.kernel import entry, kernel
from mekane.solvers.contacts.events.event_problem import EventArrays, choose_ordinary, choose_rows, go_on, read_instant
from mekane.tables.handle import SIGNATURE, WORKSPACE, Handle, integers1, unpack
from mekane.tables.tables import N_REPEATED, V_PIVOT

NOT_FOUND, STAYS, MOVED = range(3)  # no modes yet; the state stays where it is; it was brought onto their rows
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
def read_instant_entry(header, t, a, b):
    """Returns as `read_instant`."""
    T, W = unpack(header)
    return read_instant(handle_at(header, T, W), event_arrays_at(a)[0])


@entry(SIGNATURE)
def choose_ordinary_entry(header, t, a, b):
    """b: how many elements touch. NOT_FOUND, or as `go_on_entry`."""
    T, W = unpack(header)
    P, C = handle_at(header, T, W), event_arrays_at(a)[0]
    if not choose_ordinary(P, C, W.scale, b):
        return NOT_FOUND
    choose_rows(P, C)
    return (SHARE if W.state[N_REPEATED] > 0 else 0) + (MOVED if go_on(P, C) else STAYS)


@entry(SIGNATURE)
def go_on_entry(header, t, a, b):
    """b: 1: rows are to be chosen for the modes. STAYS or MOVED, and SHARE added."""
    T, W = unpack(header)
    P, C = handle_at(header, T, W), event_arrays_at(a)[0]
    if b == 1:
        choose_rows(P, C)
    return (SHARE if W.state[N_REPEATED] > 0 else 0) + (MOVED if go_on(P, C) else STAYS)
