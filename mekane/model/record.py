"""What all records share: they do not change after they are made, and two of them are equal when every number is."""

import math
from dataclasses import fields

import numpy as np

from mekane.expressions.traced_number import has_traced, reals


def frozen_array(values) -> np.ndarray:
    """A float array of its own that nobody can write to; complex only where numbers carry a derivative (complex step),
    of objects only where they carry expressions (TracedNumber)."""
    array = np.array(values)
    if array.dtype != float and not has_traced(array) and not (np.iscomplexobj(array) and array.imag.any()):
        array = np.array(reals(array), float)
    array.setflags(write=False)
    return array


def plain_numbers(array) -> tuple:
    """The numbers of an array: Python's, or NumPy's where they carry a derivative."""
    return tuple(array) if np.iscomplexobj(array) else tuple(array.tolist())


def length_of(v):
    """√(v·v), which also carries a derivative or an expression; np.linalg.norm would drop it. Of plain numbers the
    squares cannot overflow."""
    return math.hypot(*v) if np.asarray(v).dtype == float else np.sqrt(v @ v)


class Record:
    """Base of Body, Joint, Constraint, Event … and shapes, all frozen dataclasses. Equality is exact, bit by bit, and
    knows arrays."""

    def __eq__(self, other) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    def __hash__(self) -> int:
        return hash((type(self).__name__, getattr(self, "name", None)))


def _same(one, other) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return one == other
