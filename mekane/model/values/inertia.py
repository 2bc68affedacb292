"""Inertia tensors: three, six or nine numbers in, a checked symmetric 3x3 matrix out."""

import numpy as np

from mekane.errors import ModelError
from mekane.expressions.traced_number import reals
from mekane.model.record import frozen_array
from mekane.model.values.units import is_list, shown, vector

ROUND_OFF = 1e-9  # relative to the largest principal value: rods and plates meet the inequalities as equalities
ORDER = "Give three principal values, six numbers (xx, yy, zz, xy, xz, yz) or a symmetric 3x3 matrix, about the mass centre."


def inertia_from(value, part: str, unphysical: bool = False, negative: bool = False) -> np.ndarray:
    """The 3x3 inertia about the mass centre in body axes. Off-diagonal elements are those of the matrix (minus the
    products ∫xy dm). unphysical, negative: accept principal values that break the triangle inequality, or are
    negative."""
    tensor = _tensor(value, part)
    _check_principal(tensor, part, unphysical, negative)
    return frozen_array(tensor)


def inertia_to_list(tensor) -> list[float]:
    """The shortest exact form: three values if diagonal, else six."""
    six = [float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return six if any(six[3:]) else six[:3]


def _tensor(value, part: str) -> np.ndarray:
    size = len(value) if is_list(value) else 0
    if size == 3 and any(is_list(row) for row in value):
        return _symmetric(
            np.array([vector(row, "inertia", part, f"inertia[{i}]") for i, row in enumerate(value)]), part
        )
    if size == 6:
        xx, yy, zz, xy, xz, yz = vector(value, "inertia", part, "inertia", size=6)
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if size == 3 or isinstance(value, str):
        return np.diag(vector(value, "inertia", part, "inertia"))
    raise ModelError(part, f"inertia is {shown(value)}", "it has three, six or 3x3 numbers", ORDER)


def _symmetric(tensor: np.ndarray, part: str) -> np.ndarray:
    if np.max(np.abs(tensor - tensor.T)) > 1e-6 * np.max(np.abs(tensor)):
        raise ModelError(
            part, f"inertia is {tensor.tolist()}, which is not symmetric", "Ixy = Iyx, Ixz = Izx, Iyz = Izy", ORDER
        )
    return 0.5 * (tensor + tensor.T)


def _check_principal(tensor: np.ndarray, part: str, unphysical: bool, negative: bool) -> None:
    low, middle, high = np.linalg.eigvalsh(reals(tensor))
    values = f"({low:.6g}, {middle:.6g}, {high:.6g}) kg m^2"
    slack = ROUND_OFF * max(abs(low), abs(high))
    if low < -slack and not negative:
        raise ModelError(
            part,
            f"inertia has the principal values {values}",
            "none may be negative",
            f"Check signs and order. {ORDER} For published data that are so, add unphysical=True.",
        )
    if low + middle < high - slack and not unphysical:
        problem = f"inertia has the principal values {values}, and {low:.6g} + {middle:.6g} is less than {high:.6g}"
        expected = "for a real body no principal value exceeds the sum of the other two"
        remedy = "Check that the values are about the mass centre and in kg m^2; for published data that are so, add unphysical=True."
        raise ModelError(part, problem, expected, remedy)
