"""What arguments may be, for editors and type checkers. Nothing of it is loaded while a program runs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

from mekane.expressions.graph import Expr, Table
from mekane.model.body import Body
from mekane.model.constraint import Constraint
from mekane.model.geometry.shapes import Shape
from mekane.model.geometry.surfaces import Plane
from mekane.model.joint import Joint

NumberLike: TypeAlias = float | str | Expr  # a number in SI, text with a unit ("12 mm"), a parameter
VectorLike: TypeAlias = Sequence[NumberLike] | NDArray[Any] | str  # three numbers
AxisLike: TypeAlias = str | Sequence[NumberLike] | NDArray[Any]  # "x", "-z", or three numbers
OrientationLike: TypeAlias = Sequence[Any] | NDArray[Any] | Mapping[str, Any]  # quaternion, matrix, ("z", "30 deg") …
MatrixLike: TypeAlias = NumberLike | Sequence[Any] | NDArray[Any]  # one number, a diagonal or rows
ValueLike: TypeAlias = NumberLike | Table | Mapping[str, Any] | Callable[..., Any]  # may change during a motion
VectorValueLike: TypeAlias = VectorLike | Sequence[ValueLike] | Table | Mapping[str, Any] | Callable[..., Any]
BodyLike: TypeAlias = Body | str  # a body or its name
JointLike: TypeAlias = Joint | str  # a joint or its name
ConstrainedLike: TypeAlias = Joint | Constraint | str | Sequence[Joint | Constraint | str]  # by record or name
ImpulseLike: TypeAlias = Mapping[Any, VectorValueLike] | VectorValueLike  # by body; alone with between=
CoordinateLike: TypeAlias = JointLike | tuple[JointLike, str]  # a joint, or one of its coordinates
PointLike: TypeAlias = BodyLike | tuple[BodyLike, VectorLike]  # a point of a body, in its frame, or its origin
SideLike: TypeAlias = (
    BodyLike | tuple[BodyLike, Shape | Plane | VectorLike | Mapping[str, Any]]
)  # what of a body touches
DirectionLike: TypeAlias = tuple[BodyLike, AxisLike]  # a direction fixed in a body, in its frame
RateLike: TypeAlias = NumberLike | Sequence[NumberLike] | Mapping[str, NumberLike]
