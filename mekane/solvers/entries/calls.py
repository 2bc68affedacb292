"""The doors between time loops and physics: what a loop may ask of a model, through the addresses in its handle."""

from mekane.numba_backend.kernel import kernel
from mekane.tables.handle import CORRECT, DERIVE, FOLLOW, INVERSE, LOOK, RHS, SPLIT, WEIGH, call


@kernel(exact=True, outer=True)
def rhs(P, t, y, yd):
    """yd = f(t, y)"""
    call(P.header, RHS, t, y, yd)


@kernel(exact=True, outer=True)
def correct(P, t, y, x):
    """Bring y onto the constraints at time t; the largest move of a coordinate is returned. x: scratch over speeds."""
    return call(P.header, CORRECT, t, y, x)


@kernel(exact=True, outer=True)
def look_at(P, t, y, gauge):
    """Places, motions and rows of a state, without forces; all gauges into `gauge`: angles may have gone on since they
    were last known."""
    call(P.header, LOOK, t, y, gauge)


@kernel(exact=True, outer=True)
def follow(P, t, gauge):
    """After `look_at`: these gauges are known now."""
    call(P.header, FOLLOW, t, gauge, gauge)


@kernel(exact=True, outer=True)
def weigh(P, choose, y):
    """After `look_at`: articulated inertias. choose = 1.0 also chooses the rows to hold."""
    call(P.header, WEIGH, choose, y, y)


@kernel(exact=True, outer=True)
def split(P, keep):
    """After `weigh`: independent speeds; keep = 1.0: those marked. Returns the weakest pivot of the dependent ones."""
    return call(P.header, SPLIT, keep, 0, 0)


@kernel(exact=True, outer=True)
def derive(P, t, y, out):
    """out: yd, then energies and momenta. The workspace behind P then holds all forces and accelerations of this
    state."""
    call(P.header, DERIVE, t, y, out)


@kernel(exact=True, outer=True)
def inverse(P, t, y, ud_tau_power):
    """ud_tau_power: ud; tau and the power of every non-conservative element are put after it."""
    call(P.header, INVERSE, t, y, ud_tau_power)
