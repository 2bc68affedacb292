"""Arrays in which modes are chosen, and the calls of compiled code on them. A motion has many events with as many elements: what
is made for the first of them serves all."""

from functools import cached_property

from mekane.numba_backend.bound import bound
from mekane.solvers.contacts.mode_exchange import exchange, find_options, options_for
from mekane.solvers.contacts.mode_forces import empty_problem, solve_modes, write_problem


class ModeSpace:
    """For m rows of k elements. owner: the Local whose numbers stand in it."""

    def __init__(self, m, k):
        self.problem, self.options, self.owner = empty_problem(m, k), options_for(k), None

    def take(self, local):
        write_problem(self.problem, local)
        self.owner = local

    @cached_property
    def solve_modes(self):
        return bound(solve_modes, self.problem)

    @cached_property
    def find_options(self):
        return bound(find_options, self.problem, self.options)

    @cached_property
    def exchange(self):
        return bound(exchange, self.problem, self.options)


def space_for(local):
    """The space of a Local, with its numbers."""
    size = len(local.velocity), len(local.elements)
    if size not in local.spaces:
        local.spaces[size] = ModeSpace(*size)
    space = local.spaces[size]
    if space.owner is not local:
        space.take(local)
    return space
