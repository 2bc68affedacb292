"""Exact derivatives of a compiled system with respect to a parameter, by the complex step.

The system is built again with the parameter p + i h. Whatever depends on it is then value + i h derivative, to the last
digit, since h is so small that its square is nothing beside one. Decisions look at real parts; nothing on the way takes
absolute values, norms or conjugates. A number that would lose its derivative by a conversion raises an error here.
"""

import warnings
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from mekane.compiler.compiled import Compiled
from mekane.compiler.compiler import compile_system
from mekane.model.construction_log import rebuilt, unknown
from mekane.tables import columns as at
from mekane.tables.tables import Tables

STEP = 1e-30


class TableDerivatives(NamedTuple):
    """The tables of a system and how they change with a parameter.

    A number that happens to be zero, or one, may have left no trace in a model compiled as usual. It has one here: so
    these tables belong together, and their integers need not be those of compile_system. The order of coordinates,
    speeds and rows is the same.
    """

    tables: Tables
    derivatives: Tables  # derivatives of the float tables; integers as in `tables`
    registers: np.ndarray  # of the tape, constants in place
    register_derivatives: np.ndarray  # 1 for the parameter itself
    base: np.ndarray  # acceleration of the ground, a_N − gravity: workspace.body[0, B_A : B_A + 3]
    base_derivatives: np.ndarray
    compiled: Compiled  # what all this was taken from; its numbers are complex


def stepped(system, name: str):
    """The system with the parameter p + i h. The name may also be the address of a number, such as "arm.mass"."""
    if name not in system.parameters:
        if "." not in name:
            raise unknown(system, name)
        system = system.named([name])
    with exact():
        return rebuilt(system, system.parameters | {name: np.complex128(complex(system.parameters[name], STEP))})


@contextmanager
def exact():
    """Dropping an imaginary part is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        yield


def table_derivatives(system, formulation: str, name: str, outputs=()) -> TableDerivatives:
    """Derivatives of all tables, constants and of gravity with respect to the parameter (or the number at the address)
    `name`.

    outputs: as for compile_system.
    """
    system = stepped(system, name)
    with exact():
        compiled = compile_system(system, formulation, outputs)
        W = compiled.workspace()
    base = W.body[0, at.B_A : at.B_A + 3]
    fields = compiled.tables._asdict()
    real = Tables(**{field: np.ascontiguousarray(array.real) for field, array in fields.items()})
    derivatives = Tables(**{field: derivative(array) if is_float(array) else array for field, array in fields.items()})
    return TableDerivatives(
        real, derivatives, W.r.real.copy(), derivative(W.r), base.real.copy(), derivative(base), compiled
    )


def is_float(array) -> bool:
    return array.dtype.kind in "fc"


def derivative(array) -> np.ndarray:
    return np.ascontiguousarray(np.imag(array)) / STEP
