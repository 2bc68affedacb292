"""What unit impulses on contacts do to the speeds, all in one compiled call."""

from mekane.numba_backend.kernel import kernel
from mekane.solvers.entries.calls import answer_to_impulses


@kernel(exact=True, outer=True)
def answer_to_all(P, impulses, found):
    """After `contact_problem`: found[k], the change of the speeds by the impulses[k] on rows, which become scaled ones."""
    for k in range(impulses.shape[0]):
        answer_to_impulses(P, impulses[k], found[k])
