"""`mixed`: every body on its neighbour by position and Euler parameters, with its absolute angular velocity as speeds.  [A], THEORY §5."""

from mekane.formulations.absolute import freed
from mekane.formulations.tree import FREE_BLOCKS
from mekane.model.joint import mixed


def tree(system):
    return freed(system, on_neighbour=True, blocks=(*FREE_BLOCKS[:3], mixed()))
