"""Orientations: every way a user may specify one becomes a rotation matrix whose columns are the rotated axes.

Forms:
    (0, 0, 0.5, 0.8660254)                               quaternion, scalar LAST
    [[…], […], […]]                                      matrix R, components in the rotated frame → components outside
    ("z", "30 deg")   {"axis": …, "angle": …}            rotation about an axis
    ("xyz", [a, b, c])   {"sequence": …, "angles": …}    successive rotations: "xyz" about the rotated axes, "XYZ"
                                                         about the fixed ones
    {"x": (…), "y": (…)}                                 two or three of the rotated axes, in outside components
"""

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.expressions.node import Expr, select
from mekane.expressions.traced_number import TracedNumber, has_traced, reals
from mekane.model.record import frozen_array, length_of
from mekane.model.values.units import is_list, quantity, shown, vector

ROUNDED = 1e-3  # numbers copied from print may miss orthonormality by this much; the nearest rotation is taken
EXACT = 4e-15  # closer than this a matrix is taken as it is, so that reading back what was written changes no bit
IDENTITY = frozen_array(np.eye(3))
NEXT = frozen_array(np.roll(np.eye(3), 1, axis=1))  # y for x, z for y, x for z
AXES = dict(zip("xyz", np.eye(3), strict=True))
AXES |= {f"+{name}": axis for name, axis in AXES.items()} | {f"-{name}": 0.0 - axis for name, axis in AXES.items()}
FORMS = 'Write a quaternion (scalar last), a 3x3 matrix, ("z", "30 deg"), ("xyz", [a, b, c]) or {"x": …, "y": …}.'


@np.errstate(over="ignore", invalid="ignore")  # of huge numbers, which are refused
def matrix_from(value, part: str = "orientation", what: str = "orientation") -> np.ndarray:
    """The rotation matrix of any of the forms above; None is no rotation."""
    if value is None:
        return IDENTITY
    if hasattr(value, "as_matrix"):  # scipy.spatial.transform.Rotation
        value = value.as_matrix()
    R = _from_dict(value, part, what) if isinstance(value, dict) else _from_sequence(value, part, what)
    return frozen_array(nearest_rotation(R))


def nearest_rotation(R) -> np.ndarray:
    """The nearest rotation; R itself if it is one to round-off."""
    if np.iscomplexobj(R):
        return nearest_rotation(R.real) + 1j * _nearest_with_derivative(R).imag
    if np.max(np.abs(reals(R.T @ R - IDENTITY))) < EXACT:
        return R
    if has_traced(R):
        return _nearest_with_expressions(R)
    U, _, Vt = np.linalg.svd(R)
    return U @ Vt


def _nearest_with_derivative(R) -> np.ndarray:
    """The nearest rotation of a matrix that carries a derivative (complex step), by Newton's iteration: analytic,
    unlike the one above."""
    for _ in range(6):
        R = 0.5 * (R + np.linalg.inv(R).T)
    return R


def _nearest_with_expressions(R) -> np.ndarray:
    """The same for a matrix that carries expressions: Newton's iteration without an inverse, from near by."""
    for _ in range(4):
        R = R @ (1.5 * np.eye(3) - 0.5 * (R.T @ R))
    return R


def matrix_from_quaternion(e) -> np.ndarray:
    """R of Euler parameters (e1, e2, e3, e4), scalar last, of unit length.  (K.7)"""
    e1, e2, e3, e4 = e
    # fmt: off
    return np.array([
        [e1*e1 - e2*e2 - e3*e3 + e4*e4, 2*(e1*e2 - e3*e4),             2*(e1*e3 + e2*e4)],
        [2*(e1*e2 + e3*e4),             -e1*e1 + e2*e2 - e3*e3 + e4*e4, 2*(e2*e3 - e1*e4)],
        [2*(e1*e3 - e2*e4),             2*(e2*e3 + e1*e4),             -e1*e1 - e2*e2 + e3*e3 + e4*e4],
    ])
    # fmt: on


def quaternion_from_matrix(R) -> np.ndarray:
    """Euler parameters (scalar last, scalar ≥ 0) of a rotation matrix; accurate for every angle (Shepperd's choice of
    pivot)."""
    R = np.asarray(R)
    # fmt: off
    K = np.array([  # 4 e eᵀ
        [1 + R[0,0] - R[1,1] - R[2,2], R[0,1] + R[1,0],               R[0,2] + R[2,0],               R[2,1] - R[1,2]],
        [R[0,1] + R[1,0],              1 - R[0,0] + R[1,1] - R[2,2],  R[1,2] + R[2,1],               R[0,2] - R[2,0]],
        [R[0,2] + R[2,0],              R[1,2] + R[2,1],               1 - R[0,0] - R[1,1] + R[2,2],  R[1,0] - R[0,1]],
        [R[2,1] - R[1,2],              R[0,2] - R[2,0],               R[1,0] - R[0,1],               1 + R[0,0] + R[1,1] + R[2,2]],
    ])
    # fmt: on
    if any(isinstance(x, Expr) for x in K.flat):
        return quaternion_of_expressions(K)
    e = K[np.argmax(reals(np.diag(K)))]
    return np.copysign(1.0, e[3].real) * e / length_of(e)


def quaternion_of_expressions(K):
    """The same where nothing can be decided yet."""
    e, largest = K[0], K[0, 0]
    for i in range(1, 4):
        larger = largest < K[i, i]
        e = np.array([select(larger, yes, no) for yes, no in zip(K[i], e, strict=True)])
        largest = select(larger, K[i, i], largest)
    return e * select(e[3] < 0.0, -1.0, 1.0) / np.sqrt(sum(x * x for x in e))


def quaternions_from_matrices(R) -> np.ndarray:
    """quaternion_from_matrix of many at once, (n, 3, 3) of plain numbers → (n, 4)."""
    R = np.moveaxis(np.asarray(R, float).reshape(-1, 3, 3), 0, 2)
    trace, K = R[0, 0] + R[1, 1] + R[2, 2], np.empty((4, 4, R.shape[2]))  # K = 4 e eᵀ
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        K[i, i] = 1 + 2 * R[i, i] - trace
        K[i, j] = K[j, i] = R[i, j] + R[j, i]
        K[i, 3] = K[3, i] = R[k, j] - R[j, k]
    K[3, 3] = 1 + trace
    e = K[np.argmax([K[i, i] for i in range(4)], axis=0), :, np.arange(R.shape[2])]
    return np.copysign(1.0, e[:, 3:]) * e / np.linalg.norm(e, axis=1, keepdims=True)


def rotation(axis, angle: float) -> np.ndarray:
    """R of a rotation by `angle` about the unit vector `axis`."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    if isinstance(angle, TracedNumber):  # the same, written so that nothing is left to simplify about x, y or z
        along = np.outer(axis, axis)
        return along + np.cos(angle) * (np.eye(3) - along) + np.sin(angle) * cross
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def direction(value, part: str = "axis", what: str = "axis") -> np.ndarray:
    """A unit vector from "x", "-y", (1, 2, 0), …"""
    if isinstance(value, str) and value.strip().lower() in AXES:
        return frozen_array(AXES[value.strip().lower()])
    if isinstance(value, str) and not value.strip().startswith(("(", "[")):
        raise ModelError(
            part,
            f"{what} is {shown(value)}",
            "a direction is expected",
            'Write "x", "-y", "z" or numbers such as (1, 2, 0).',
        )
    components = vector(value, "number", part, what)
    largest = np.max(np.abs(components))
    if largest == 0:
        raise ModelError(
            part,
            f"{what} is {shown(value)}",
            "a direction cannot have length zero",
            'Write for example "z" or (0, 0, 1).',
        )
    if has_traced(components):
        return frozen_array(components / length_of(components))
    scaled = components / largest
    unit = scaled / length_of(scaled)
    if largest <= 1 and abs(np.linalg.norm(components) - 1) < EXACT:
        return frozen_array(components.real + 1j * unit.imag) if np.iscomplexobj(unit) else components
    return frozen_array(unit)


def canonical_perpendicular(axis) -> np.ndarray:
    """The agreed unit vector across a unit vector: y for x, z for y, x for z, and by projection for all others."""
    return perpendicular_part(NEXT[np.argmax(np.abs(reals(axis)))], axis)


def perpendicular_part(reference, axis) -> np.ndarray:
    """Unit vector across `axis`, as near to `reference` as possible."""
    across = reference - np.dot(reference, axis) * axis
    return across / length_of(across)


def frame_with_z(axis, x=None) -> np.ndarray:
    """Rotation whose third column is `axis`; the first is `x`, or the canonical perpendicular."""
    x = canonical_perpendicular(axis) if x is None else x
    return np.array([x, across(axis, x), axis]).T


def across(a, b) -> np.ndarray:
    """a × b; np.cross takes ten times as long for two vectors."""
    (a1, a2, a3), (b1, b2, b3) = a, b
    return np.array([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1])


def frame_with_x(axis) -> np.ndarray:
    """Rotation whose first column is `axis` and whose second is its canonical perpendicular."""
    y = canonical_perpendicular(axis)
    return np.column_stack([axis, y, np.cross(axis, y)])


def _from_dict(value: dict, part: str, what: str) -> np.ndarray:
    keys = set(value)
    if keys == {"axis", "angle"}:
        return _axis_angle(value["axis"], value["angle"], part, what)
    if keys == {"sequence", "angles"}:
        return _euler_angles(value["sequence"], value["angles"], part, what)
    if keys == {"quaternion"}:
        return _from_quaternion(value["quaternion"], part, what)
    if keys == {"matrix"}:
        return _from_matrix(value["matrix"], part, what)
    if keys <= set("xyz") and len(keys) >= 2:
        return _from_axes(value, part, what)
    known = ("axis", "angle", "sequence", "angles", "quaternion", "matrix", "x", "y", "z")
    hints = "".join(did_you_mean(key, known) for key in value if key not in known)
    raise ModelError(
        part, f"{what} has the keys {sorted(map(str, keys))}", "no form of orientation has just these", FORMS + hints
    )


def _from_sequence(value, part: str, what: str) -> np.ndarray:
    if not is_list(value) or len(value) not in (2, 3, 4):
        raise ModelError(part, f"{what} is {shown(value)}", "it is no form of orientation", FORMS)
    if len(value) == 4:
        return _from_quaternion(value, part, what)
    if len(value) == 2:
        return _euler_angles(*value, part, what) if is_list(value[1]) else _axis_angle(*value, part, what)
    if any(is_list(row) for row in value):
        return _from_matrix(value, part, what)
    remedy = f'For three angles name the axes: ("xyz", {shown([*value])}).'
    raise ModelError(part, f"{what} is {shown(value)}", "three numbers alone do not define an orientation", remedy)


def _axis_angle(axis, angle, part: str, what: str) -> np.ndarray:
    return rotation(direction(axis, part, f"axis of {what}"), quantity(angle, "angle", part, f"angle of {what}"))


def _euler_angles(sequence, angles, part: str, what: str) -> np.ndarray:
    about_rotated = isinstance(sequence, str) and sequence and set(sequence) <= set("xyz")
    about_fixed = isinstance(sequence, str) and sequence and set(sequence) <= set("XYZ")
    if not about_rotated and not about_fixed:
        remedy = 'Write "xyz" for rotations about the rotated axes, "XYZ" for rotations about the fixed ones.'
        raise ModelError(part, f"sequence of {what} is {shown(sequence)}", "it is made of the letters x, y, z", remedy)
    R = np.eye(3)
    for letter, angle in zip(
        sequence, vector(angles, "angle", part, f"angles of {what}", size=len(sequence)), strict=True
    ):
        step = rotation(AXES[letter.lower()], angle)
        R = R @ step if about_rotated else step @ R
    return R


def _from_quaternion(value, part: str, what: str) -> np.ndarray:
    e = vector(value, "number", part, what, size=4)
    length = length_of(e)
    if not abs(length - 1) <= ROUNDED:
        remedy = "Give (e1, e2, e3, e4) with the scalar e4 last; (0, 0, 0, 1) is no rotation."
        raise ModelError(
            part, f"{what} is the quaternion {tuple(e.tolist())} of length {length:.6g}", "its length must be 1", remedy
        )
    return matrix_from_quaternion(e / length)


def _from_axes(value: dict, part: str, what: str) -> np.ndarray:
    columns = {name: vector(value[name], "number", part, f"{what}.{name}") for name in value}
    for name, following, last in ("xyz", "yzx", "zxy"):
        if name not in columns:
            columns[name] = np.cross(columns[following], columns[last])
    return _checked(np.column_stack([columns["x"], columns["y"], columns["z"]]), part, what)


def _from_matrix(value, part: str, what: str) -> np.ndarray:
    if not is_list(value) or len(value) != 3:
        raise ModelError(part, f"{what} is {shown(value)}", "a rotation matrix has three rows of three numbers", FORMS)
    return _checked(np.array([vector(row, "number", part, f"{what}[{i}]") for i, row in enumerate(value)]), part, what)


def _checked(R: np.ndarray, part: str, what: str) -> np.ndarray:
    error = np.max(np.abs(R.T @ R - np.eye(3)))
    if not error <= ROUNDED:
        problem = f"{what} is the matrix {R.tolist()}, whose columns are not orthonormal (error {error:.2g})"
        raise ModelError(
            part, problem, "its columns are three perpendicular unit vectors", "Check the signs and the digits."
        )
    if np.linalg.det(reals(R)) < 0:
        problem = f"{what} is the matrix {R.tolist()}, which is left-handed (a mirror image)"
        raise ModelError(part, problem, "z must be x × y", "Change the sign of one axis.")
    return R
