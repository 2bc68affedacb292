"""The eight-body system of the notes in `relative` coordinates: numbering, and every partial velocity and its time
derivative.

Two oracles. (1) What the notes [R] print for this system: which of the 3×3 partitions are not zero, for w_K, v_OK, v_GK
and their time derivatives, K = 1 … 8, each in the axes used there (body K for w_K and G_K, body L(K) for O_K). The
stored text came through OCR; where a partition is printed in a slot that contradicts the formula on the line above it,
the formula counts:
 - v_O7: the factor of (q7 + s7) is printed as zero in slot 1; by (26) and by the line of v_G7 it is the unit matrix;
 - rows with seven, nine or ten partitions where there are eight (v_G5, v_O7, v_G7, v_O8, v_G8 …), so that some stand a
 slot or two away;
 - dots over s, v and w in (31), (32) and their applications are lost, or printed where there are none.
(2) The recursion (14), (18), (26), (30)–(32) of the notes, written here in NumPy, partition by partition.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mekane import gallery
from mekane.compiler.compiler import compile_system
from mekane.gallery import eight_bodies

BODIES = range(1, 9)
SPIN, TRANSLATION = ("wx", "wy", "wz"), ("x.rate", "y.rate", "z.rate")

# K: (partitions of the relative angular_velocities y1, partitions of the displacements y2) that are not zero, as printed
W = {1: "1", 2: "12", 3: "123", 4: "14", 5: "125", 6: "16", 7: "17", 8: "178"}
W_RATE = {1: "", 2: "1", 3: "12", 4: "1", 5: "12", 6: "1", 7: "1", 8: "17"}
V_ORIGIN = {
    1: ("", "1"),
    2: ("1", "12"),
    3: ("12", "123"),
    4: ("1", "14"),
    5: ("12", "125"),
    6: ("1", "16"),
    7: ("1", "17"),
    8: ("17", "178"),
}
V_ORIGIN_RATE = {
    1: ("", ""),
    2: ("1", "1"),
    3: ("12", "12"),
    4: ("1", "1"),
    5: ("12", "12"),
    6: ("1", "1"),
    7: ("1", "1"),
    8: ("17", "17"),
}
V_CENTRE = {K: (path, path) for K, path in W.items()}
V_CENTRE_RATE = {
    1: ("", "1"),
    2: ("1", "12"),
    3: ("12", "123"),
    4: ("1", "14"),
    5: ("12", "125"),
    6: ("1", "16"),
    7: ("1", "17"),
    8: ("17", "178"),
}


@pytest.fixture(scope="module")
def system():
    return gallery.find("eight_bodies").system()


@pytest.fixture(scope="module")
def state(system):
    """Nothing special: every displacement open, every body turned, all speeds of order one. No constraint is met, and
    none is needed."""
    rng = np.random.default_rng(8)
    q, u = system.initial_state("relative")
    return q + rng.uniform(-0.3, 0.3, len(q)), rng.normal(size=len(u))


def partitions(array, K):
    """{(kind, J): 3×3} of the row of body K, from a labelled array (body, speed, axis)."""
    of = array.sel(body=f"body {K}")
    words = {"spin": SPIN, "slide": TRANSLATION}
    return {
        (kind, J): of.sel(speed=[f"body {J}.{word}" for word in words[kind]]).values.T for kind in words for J in BODIES
    }


def pattern(array, K):
    """Partitions that are not zero; round-off of numbers of order one is below 1e-13."""
    found = {key for key, block in partitions(array, K).items() if np.abs(block).max() > 1e-13}
    return tuple("".join(str(J) for kind, J in sorted(found) if kind == word) for word in ("spin", "slide"))


def test_numbering_is_that_of_the_notes(system):
    for formulation in ("joint", "relative"):
        tree = system.topology(formulation)
        assert tree.bodies == tuple(f"body {K}" for K in BODIES)
        assert tree.L == eight_bodies.L == (0, 1, 2, 1, 2, 1, 1, 7)
        assert tree.below == eight_bodies.BELOW == (0, 1, 2, 1, 2, 1, 1, 2)
    assert system.topology.cut == () and len(system.topology("relative").cut) == 7


@pytest.mark.parametrize("K", BODIES)
def test_partitions_that_are_printed_as_zero_are_zero_and_no_others(system, state, K):
    own = system.partial_velocities(*state, axes="body", formulation="relative")
    below = system.partial_velocities(*state, at="origin", axes="parent", formulation="relative")
    assert pattern(own.angular_velocity, K) == (W[K], "")
    assert pattern(own.angular_velocity_rate, K) == (W_RATE[K], "")
    assert pattern(own.velocity, K) == V_CENTRE[K]
    assert pattern(own.velocity_rate, K) == V_CENTRE_RATE[K]
    assert pattern(below.velocity, K) == V_ORIGIN[K]
    assert pattern(below.velocity_rate, K) == V_ORIGIN_RATE[K]


def tilde(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


class Notes:
    """The recursion of [R], all matrices 3 × 48 with y = (angular_velocities of bodies 1 … 8, displacement rates of bodies 1 …
    8)."""

    def __init__(self, system, q, u):
        model = compile_system(system, "relative")
        coordinates, speeds = dict(zip(model.coordinates, q, strict=True)), dict(zip(model.speeds, u, strict=True))
        pick = lambda values, K, words: np.array([values[f"body {K}.{word}"] for word in words])
        self.w, self.w_rate, self.o, self.o_rate, self.g, self.g_rate = (
            {0: np.zeros((3, 48))},
            {0: np.zeros((3, 48))},
            {},
            {},
            {},
            {},
        )
        self.o[0], self.o_rate[0], R_of, spin_of = (
            np.zeros((3, 48)),
            np.zeros((3, 48)),
            {0: np.eye(3)},
            {0: np.zeros(3)},
        )
        for K, J in zip(BODIES, eight_bodies.L, strict=True):
            e, s = pick(coordinates, K, ("e1", "e2", "e3", "e4")), pick(coordinates, K, "xyz")
            spin, s_dot = pick(speeds, K, SPIN), pick(speeds, K, TRANSLATION)
            # (2), (4): components in J → components in K; e of unit length or not
            R = Rotation.from_quat(e).as_matrix().T
            at = np.zeros(3) if J == 0 else system.joints[f"joint {K}"].p_AF  # q_K
            turn = tilde(spin).T @ R  # (7)
            R_of[K], spin_of[K], arm = R, spin, tilde(at + s)
            turn_J = tilde(spin_of[J]).T @ R_of[J]
            self.w[K] = R @ self.w[J] + unit(K, 0)  # (14)
            self.w_rate[K] = R @ self.w_rate[J] + turn @ self.w[J]  # (18)
            self.o[K] = R_of[J] @ self.o[J] - arm @ self.w[J] + unit(K, 24)  # (26)
            self.o_rate[K] = (
                R_of[J] @ self.o_rate[J] + turn_J @ self.o[J] - tilde(s_dot) @ self.w[J] - arm @ self.w_rate[J]
            )  # (32)
            r = tilde(system.bodies[f"body {K}"].com)
            self.g[K] = R @ self.o[K] - r @ self.w[K]  # (30)
            self.g_rate[K] = R @ self.o_rate[K] + turn @ self.o[K] - r @ self.w_rate[K]  # (31)


def unit(K, first):
    matrix = np.zeros((3, 48))
    matrix[:, first + 3 * (K - 1) : first + 3 * K] = np.eye(3)
    return matrix


def test_values_are_those_of_the_recursion_in_the_notes(system, state):
    """Numbers of order one to ten, at most three bodies deep: 1e-12."""
    notes = Notes(system, *state)
    own = system.partial_velocities(*state, axes="body", formulation="relative")
    below = system.partial_velocities(*state, at="origin", axes="parent", formulation="relative")
    compared = {
        "w": own.angular_velocity, "w_rate": own.angular_velocity_rate, "g": own.velocity, "g_rate": own.velocity_rate,
        "o": below.velocity, "o_rate": below.velocity_rate,
    }  # fmt: skip
    for word, array in compared.items():
        for K in BODIES:
            blocks = partitions(array, K)
            row = np.hstack([blocks[kind, J] for kind in ("spin", "slide") for J in BODIES])
            np.testing.assert_allclose(row, getattr(notes, word)[K], atol=1e-12, err_msg=f"{word} of body {K}")


def test_the_motion_meets_kanes_equations_all_the_way(system):
    """F_r + F_r* + (Bᵀ lam)_r = 0 at every sample: round-off of sums of order ten."""
    for formulation in ("joint", "relative", "absolute"):
        run = gallery.find("eight_bodies").run(formulation=formulation)
        n_q, n_u = run.compiled.n_q, run.compiled.n_u
        for i in range(0, len(run.t), 40):
            q, u = run.record.y[i, :n_q], run.record.y[i, n_q : n_q + n_u]
            equations = system.kane_equations(q, u, run.t[i], formulation=formulation)
            assert np.abs(equations.residual).max() < 1e-13
            assert np.abs(equations.inertia).max() > 0.1
