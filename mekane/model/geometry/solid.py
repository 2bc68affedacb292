"""Solid: one simple thing to draw, placed in the frame of a body."""

from dataclasses import dataclass

import numpy as np

from mekane.model.values.orientation import frame_with_z, matrix_from_quaternion, quaternion_from_matrix

# what `size` holds [m]; everything round is round about z of the solid's own axes, and lies symmetric about its centre
KINDS = {
    "box": "edges x, y, z",
    "cylinder": "radius, length",
    "capsule": "radius, length between the centres of its round ends",
    "sphere": "radius",
    "ellipsoid": "semi-axes x, y, z",
    "disc": "radius, thickness: a wheel",
    "ring": "inner radius, outer radius, thickness",
    "prism": "thickness along z; `outline` is its polygon in x and y",
    "mesh": "edges x, y, z of the box around it; `triangles` are its surface",
}


@dataclass(frozen=True, eq=False)
class Triangles:
    """A surface in a box of edges 1 about the origin; the solid that has it gives the edges. Shared, and never changed."""

    vertices: np.ndarray  # (vertex, 3), −1/2 … 1/2
    faces: np.ndarray  # (face, 3) of vertices, counter-clockwise seen from outside


@dataclass(frozen=True)
class Solid:
    """A kind, its size, and where it is in the frame of its body (the ground's is the world's)."""

    kind: str
    size: tuple[float, ...]
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)  # x, y, z, w
    colour: str = ""
    outline: tuple[tuple[float, float], ...] = ()
    marked: bool = False  # every other quarter about z is darker, so that one sees it turn
    triangles: Triangles | None = None  # of a mesh
    teeth: int = 0  # of a disc around it, of a ring inside; one of a disc points along x

    @property
    def half(self) -> np.ndarray:
        """Half the edges of the box around it, in its own axes."""
        s = self.size
        if self.kind == "prism":
            return np.array([*np.abs(self.outline).max(axis=0), s[0] / 2])
        return np.array({
            "box": lambda: np.array(s) / 2, "mesh": lambda: np.array(s) / 2, "ellipsoid": lambda: s,
            "sphere": lambda: (s[0],) * 3, "ring": lambda: (s[1], s[1], s[2] / 2),
            "capsule": lambda: (s[0], s[0], s[1] / 2 + s[0]),
        }.get(self.kind, lambda: (s[0], s[0], s[1] / 2))())  # fmt: skip

    def corners(self) -> np.ndarray:
        """Of the box around it, in the frame of the body."""
        signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), axis=-1).reshape(-1, 3)
        return np.array(self.position) + (signs * self.half) @ matrix_from_quaternion(self.rotation).T


def placed(kind: str, size, centre=(0.0, 0.0, 0.0), R=None, colour: str = "", outline=(), triangles=None) -> Solid:
    """A solid from arrays: R holds its own axes as columns, in the frame of the body."""
    rotation = (0.0, 0.0, 0.0, 1.0) if R is None else plain(quaternion_from_matrix(np.asarray(R, float)))
    return Solid(kind, plain(size), plain(centre), rotation, colour, tuple(map(plain, outline)), triangles=triangles)


def rod(p, q, radius: float, kind: str = "capsule") -> Solid:
    """From p to q; p and q are the centres of its round ends."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    length = np.linalg.norm(q - p)
    return placed(kind, (radius, length), (p + q) / 2, frame_with_z((q - p) / length))


def wheel(radius: float, thickness: float, centre, axis) -> Solid:
    """A disc about an axis."""
    return placed("disc", (radius, thickness), centre, about(axis))


def about(axis) -> np.ndarray:
    """Axes whose z is along this one."""
    return frame_with_z(np.asarray(axis, float))


def plain(numbers) -> tuple[float, ...]:
    return tuple(float(np.real(x)) for x in numbers)
