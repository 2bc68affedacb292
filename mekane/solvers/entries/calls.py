"""The entry points between time loops and physics: what a loop may ask of a model, through the addresses in its
handle."""

from mekane.numba_backend.kernel import kernel
from mekane.tables.handle import (
    ANSWER,
    CONTACT_PROBLEM,
    DERIVE,
    FOLLOW,
    INERTIAS,
    INVERSE,
    KINEMATICS,
    MOREAU,
    PARTITION,
    PROJECT,
    RHS,
    call,
)


@kernel(exact=True, outer=True)
def rhs(P, t, y, yd):
    """yd = f(t, y)"""
    call(P.header, RHS, t, y, yd)


@kernel(exact=True, outer=True)
def project(P, t, y, x):
    """Bring y onto the constraints at time t; the largest move of a coordinate is returned. x: scratch over speeds."""
    return call(P.header, PROJECT, t, y, x)


@kernel(exact=True, outer=True)
def evaluate_kinematics(P, t, y, measurement):
    """Places, motions and rows of a state, without forces; all measurements into `measurement`: angles may have gone on
    since they were last known."""
    call(P.header, KINEMATICS, t, y, measurement)


@kernel(exact=True, outer=True)
def follow(P, t, measurement):
    """After `evaluate_kinematics`: these measurements are known now."""
    call(P.header, FOLLOW, t, measurement, measurement)


@kernel(exact=True, outer=True)
def evaluate_inertias(P, choose, y):
    """After `evaluate_kinematics`: articulated inertias. choose = 1.0 also chooses the rows to activate."""
    call(P.header, INERTIAS, choose, y, y)


@kernel(exact=True, outer=True)
def partition(P, keep):
    """After `evaluate_inertias`: independent speeds; keep = 1.0: those marked. Returns the weakest pivot of the
    dependent ones."""
    return call(P.header, PARTITION, keep, 0, 0)


@kernel(exact=True, outer=True)
def look(P, memory, buffer):
    """After `evaluate_inertias`: contacts that are searched. memory, buffer: see solvers.moreau.loop."""
    return call(P.header, MOREAU, 0.0, buffer, memory)


@kernel(exact=True, outer=True)
def derive(P, t, y, out):
    """out: yd, then energies and momenta. The workspace behind P then holds all forces and accelerations of this
    state."""
    call(P.header, DERIVE, t, y, out)


@kernel(exact=True, outer=True)
def inverse(P, t, y, ud_tau_power):
    """ud_tau_power: ud; tau and the power of every non-conservative element are put after it."""
    call(P.header, INVERSE, t, y, ud_tau_power)


@kernel(exact=True, outer=True)
def contact_problem(P, t, y, out):
    """out: yd, then D, rates and accelerations of all constraint rows, then energies and momenta."""
    call(P.header, CONTACT_PROBLEM, t, y, out)


@kernel(exact=True, outer=True)
def answer_to_impulses(P, impulses, x):
    """After `contact_problem`: x, the change of the speeds by impulses on rows, which become scaled ones."""
    call(P.header, ANSWER, 0.0, impulses, x)
