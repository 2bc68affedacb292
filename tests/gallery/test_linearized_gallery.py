"""Linearized motion of every mechanism of the gallery that has an equilibrium.

Oracles: all formulations give the same eigenvalues (they share no coordinates), and the simulated motion itself grows,
decays and swings as the eigenvalues say.
"""

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.analyses.linear.eigensystem import eigensystem
from mekane.errors import ModelError
from mekane.kernels.projection import shift
from mekane.solvers.solver import Solver

# zero eigenvalues of each, by reason; None: it has no equilibrium, or a singular one
ZEROS = {
    "ball_pair": None,  # its forces are constant
    "bicycle": 6,  # place, heading, both wheels and their common speed
    "bicycle_state": 6,
    "bricard": 0,
    "cam": None,  # driven
    "car_axis": None,
    "chaotic_plate": 2,  # angle and speed of its free turn
    "chaplygin_sleigh": 5,  # three places, two speeds
    "double_pendulum": 0,
    "driven_four_bar": None,
    "eight_bodies": 32,  # 19 freedoms, of which three have springs
    "four_bar": 2,  # no gravity, no spring
    "four_bar_chain": 0,
    "free_body": None,  # it falls
    "governor": 2,  # turn of the shaft
    "gyroscope": 4,
    "hanging_chain": 0,
    "heavy_top": 2,  # turn about its own axis
    "pendulum": 0,
    "planetary_gear": None,
    "puma560": 4,  # turns about the vertical and about the hanging flange
    "rattleback": 4,  # place and heading, speed of turning
    "rattleback_other": 4,
    "robot": None,  # nothing carries its lift
    "robot_listing": None,
    "rod_chain_2": 0,
    "rod_chain_3": 0,
    "rolling_disc_1": 6,  # upright: place, heading, angle of rolling, two speeds; flat its edge has no lowest point
    "rolling_disc_2": 6,
    "rolling_disc_circle": 6,
    "slider_crank_planar": None,  # rods of equal length fold onto each other there: the mechanism may go on in two ways
    "slider_crank_spatial": 0,
    "sphere_on_turntable": None,
    "sprung_mechanism": 0,
    "squeezer": 16,  # in its plane, unstable; links between balls turn freely
    "squeezer_thesis": 16,
    "steady_top": 2,
    "steady_top_fast": 2,
    "trailer": None,
    "tumbling_top": 12,
    "two_bar_truss": 0,
}
RESTING = [name for name, zeros in ZEROS.items() if zeros is not None]
AGAIN = ("rolling_disc_circle", "squeezer_thesis")  # another disc upright, and the same mechanism as "squeezer"


def test_every_mechanism_is_in_the_list():
    """All but those with contact laws: what is open there is left out, and they fall or roll away."""
    smooth = {one.name for one in gallery.mechanisms() if not one.system().contact_laws}
    assert smooth <= set(ZEROS) <= set(gallery.names())


@pytest.fixture(scope="module")
def equilibrium():
    kept = {}

    def of(name):
        if name not in kept:
            system = gallery.find(name).system()
            kept[name] = mk.equilibrium(system)
        return kept[name]

    return of


@pytest.mark.parametrize("name", [name for name, zeros in ZEROS.items() if zeros is None])
def test_without_an_equilibrium_it_is_reported(name, equilibrium):
    with pytest.raises(ModelError):
        mk.linearize(gallery.find(name).system(), equilibrium(name))


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("name", [name for name in RESTING if name not in AGAIN])
def test_eigenvalues_are_the_same_in_all_formulations(name, equilibrium):
    """1e-8 of the largest: round-off, and the remaining force of the equilibrium."""
    mechanism, at = gallery.find(name), equilibrium(name)
    found = {f: mk.linearize(at.system, at, formulation=f).eigenvalues for f in mechanism.formulations}
    one = found["joint"]
    assert np.sum(one == 0) == ZEROS[name]
    for formulation, values in found.items():
        assert len(values) == len(one), formulation
        assert np.sum(values == 0) == ZEROS[name], formulation
        assert apart(one, values) < 1e-8 * (1 + np.abs(one).max(initial=0.0)), formulation


def apart(a, b):
    """Largest distance in the best assignment of two sets of numbers."""
    from scipy.optimize import linear_sum_assignment

    distance = np.abs(a[:, None] - b[None, :])
    return distance[linear_sum_assignment(distance)].max(initial=0.0)


def test_a_disc_that_stands_upright_falls(equilibrium):
    """The only equilibrium near the start is one that nothing falls into: a thin disc tips over as e^(s t) with s² = 4 g/5 r
    ; its inertia about a diameter is m r²/4."""
    at = equilibrium("rolling_disc_1")
    radius = at["disc.position"][2]
    assert at.stable is False and "No stable equilibrium" in at.notes[0]
    assert mk.linearize(at.system, at).eigenvalues.real.max() == pytest.approx(np.sqrt(0.8 * 9.81 / radius), rel=1e-9)


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize(
    "name",
    [name for name in RESTING if name not in ("four_bar", "tumbling_top", "chaplygin_sleigh", "squeezer", *AGAIN)],
)
def test_a_small_swing_is_as_the_eigenvalues_say(name, equilibrium):
    """A swing of 1e-6 in one mode, for a quarter period or a growth by e: its share in the state, read with the left
    eigenvector, gives the eigenvalue. 1e-4 of it: what is of second order in the swing is 1e-6 of it, and the
    integrator keeps 1e-8 of it. Not of the squeezer: while one mode grows by e, another does by e^290."""
    linear = mk.linearize(equilibrium(name).system, equilibrium(name))
    values, vectors, zeros = eigensystem(linear.A)
    left = np.linalg.inv(vectors)
    for k in range(zeros, len(values)):
        if values[k].imag >= 0:
            size = abs(values[k])
            exact = read_off(linear, left[k], vectors[:, k], duration=min(1.0, 1.5 / size))
            assert abs(exact - values[k]) < 1e-4 * size, values[k]


def read_off(linear, left, vector, duration, small=1e-6):
    """log(share at the end / share at the start) / duration."""
    local = linear.local
    compiled, n_q, n_u = local.compiled, local.compiled.n_q, local.compiled.n_u
    x = np.real(vector / np.abs(vector).max()) * small
    if np.iscomplexobj(vector) and not np.any(x):
        x = np.imag(vector / np.abs(vector).max()) * small
    q = local.q.copy()
    shift(compiled.tables.primitive_i, q, np.ascontiguousarray(np.real(linear.shifts @ x)))
    y = np.concatenate([q, local.u + np.real(linear.changes @ x), np.zeros(compiled.n_work)])
    solver = Solver(compiled, y, rtol=1e-9, atol=1e-14)
    pick = np.linalg.pinv(local.N)
    free_q, free_u = linear._independent.q, linear._independent.u

    def share(y):
        shifts, changes = pick @ (y[:n_q] - local.q), y[n_q : n_q + n_u] - local.u
        rest = y[n_q + n_u : n_q + n_u + len(compiled.integrals)]
        return left @ np.concatenate([shifts[free_q], changes[free_u], rest])

    start = share(solver.y)
    solver.run(duration, [duration])
    return np.log(share(solver.y) / start) / duration
