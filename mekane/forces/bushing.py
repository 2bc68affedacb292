"""An elastic mount between two bodies."""

import numpy as np

from mekane.errors import ModelError
from mekane.model.force import BetweenFrames, Force, given6
from mekane.model.values.values import Value, is_zero


class Bushing(Force):
    """Six springs and dampers, or 6×6 of them, between a frame F on a and a frame M on b; at rest where they coincide.
    f = −K z − C ż

    z is the shift of M along the axes of F, and the rotation of M in F as Bryan angles about x, y', z'' (a small one:
    about the axes of F). All of it comes from the energy ½ z·K z, at any size of motion below a quarter turn about y'.
    The force on a acts where that on b does, so that action is reaction. Numbers are in the order x, y, z, about x,
    about y, about z. `at` places F and M at a point of the world, with the axes of b unless frame_a or frame_b is
    given; on_a and on_b are local.
    """

    example = (
        's.bushing("mount", s.ground, arm, stiffness=("200 N/mm",) * 3 + (50,) * 3, damping=(100,) * 3 + (1,) * 3)'
    )
    between = BetweenFrames
    stiffness: tuple = given6(
        ("stiffness", "angular_stiffness"), meaning="along x, y, z and about them: six numbers or 6×6"
    )
    damping: tuple = given6(("damping", "angular_damping"), (0.0,) * 6, dissipative=True, meaning="in the same order")

    def check(self):
        known = self.resolve(Value.expr)
        for keyword in ("stiffness", "damping"):
            _check_symmetric(self.part, keyword, getattr(known, keyword))
        C = matrix(known.damping)
        if all(isinstance(x, float) for row in C for x in row):
            least = np.linalg.eigvalsh(C)[0]
            if least < -1e-12 * np.abs(C).max():
                problem = f"damping has the eigenvalue {least:.4g}"
                raise ModelError(
                    self.part, problem, "it would give energy instead of taking it", "Eigenvalues must be zero or more."
                )

    def law(self, z, zd):
        K, C = matrix(self.stiffness), matrix(self.damping)
        return [-times(K[i], z) - times(C[i], zd) for i in range(6)]

    def energy(self, z):
        K = matrix(self.stiffness)
        return 0.5 * sum(z[i] * times(K[i], z) for i in range(6))


def matrix(six) -> list[list]:
    """6×6 from the six numbers of the diagonal, or from six rows: the upper half counts, to the last digit."""
    if isinstance(six[0], tuple):
        return [[six[min(i, j)][max(i, j)] for j in range(6)] for i in range(6)]
    return [[six[i] if i == j else 0.0 for j in range(6)] for i in range(6)]


def times(row, z):
    return sum(k * x for k, x in zip(row, z, strict=True) if not is_zero(k))


def _check_symmetric(part: str, keyword: str, K) -> None:
    """Rows that mirror one another: numbers to nine digits, as printed or computed, expressions exactly."""
    if not isinstance(K[0], tuple):
        return
    for i in range(6):
        for j in range(i):
            one, other = K[i][j], K[j][i]
            numbers = isinstance(one, float) and isinstance(other, float)
            if not (np.isclose(one, other, rtol=1e-9, atol=0.0) if numbers else one is other):
                problem = f"{keyword}[{i}][{j}] is not the same as {keyword}[{j}][{i}]"
                raise ModelError(
                    part, problem, "the matrix must be symmetric", "Make it so, or give its six diagonal numbers."
                )
