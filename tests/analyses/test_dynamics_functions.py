"""mk.dynamics: functions of a state that are quick to call. Oracles: a Newton–Euler recursion in NumPy on the text of random
robots, whose welded links are one body here and are not there; sums over bodies (Kane); that one function undoes the other.

Numbers are of order 1 to 100 and a few thousand operations long: 1e-11."""

import pickle

import numpy as np
import pytest
from robots import newton_euler, random_robot

import mekane as mk
from mekane import gallery
from mekane.errors import ModelError


def state(n, seed=1):
    return np.random.default_rng(seed).uniform(-1, 1, (3, n))


@pytest.fixture(scope="module")
def robot(tmp_path_factory):
    text = random_robot(3, n=12)
    path = tmp_path_factory.mktemp("robot") / "random.urdf"
    path.write_text(text)
    return text, mk.load_model(path)


def by_joint(system, values):
    return {name.partition(".")[0]: x for name, x in zip(system.coordinates, values, strict=True)}


def test_a_random_robot_with_welded_links(robot):
    text, s = robot
    functions, (q, u, ud) = mk.dynamics(s), state(len(s.speeds))
    assert '"fixed"' in text and len(s.contact_laws) == len(functions.left_out) > 0
    named = [by_joint(s, x) for x in (q, u, ud)]
    theirs = newton_euler(text, *named)
    wanted = np.array([theirs[name] for name in named[0]])
    tau = functions.required_forces(q, u, ud)
    assert np.abs(tau - wanted).max() < 1e-11 * np.abs(wanted).max()
    assert np.abs(functions.forward_dynamics(q, u, tau) - ud).max() < 1e-9  # divided by the least inertia
    columns = [functions.required_forces(q, 0 * u, one) - functions.bias_forces(q, 0 * u) for one in np.eye(len(q))]
    assert np.abs(functions.mass_matrix(q) - columns).max() < 1e-11 * np.abs(wanted).max()


def test_rows_of_states_are_as_one_after_the_other(robot):
    _, s = robot
    functions, n = mk.dynamics(s), len(s.speeds)
    q, u, x = np.random.default_rng(2).uniform(-1, 1, (3, 5, n))
    for function in (functions.required_forces, functions.forward_dynamics):
        assert np.array_equal(function(q, u, x), [function(*one) for one in zip(q, u, x, strict=True)])
    assert np.array_equal(functions.bias_forces(q, u), functions.required_forces(q, u, 0 * u))
    assert np.array_equal(functions.mass_matrix(q), [functions.mass_matrix(one) for one in q])


def test_answers_go_where_they_should(robot):
    _, s = robot
    functions, (q, u, x) = mk.dynamics(s), state(len(s.speeds))
    n = len(q)
    out, M = np.full(n, np.nan), np.full((n, n), np.nan)
    assert functions.required_forces(q, u, x, out=out) is out and functions.mass_matrix(q, out=M) is M
    assert np.array_equal(out, functions.required_forces(list(q), tuple(u), x)) and np.array_equal(M, M.T)
    assert np.array_equal(functions.bias_forces(q[::-1][::-1], u), functions.bias_forces(q, u))  # not contiguous
    again = pickle.loads(pickle.dumps(functions))
    assert np.array_equal(again.forward_dynamics(q, u, x), functions.forward_dynamics(q, u, x))


def laws():
    """A ball joint (Euler parameters), a spring between points, a motor that reads time."""
    s = mk.System("laws")
    s.parameter("k", 30.0)
    s.body("a", 1.0, (0.1, 0.2, 0.3), com=(0.1, 0, -0.4))
    s.body("b", 2.0, (0.2, 0.1, 0.2), com=(0, 0.2, -0.3), position=(0, 0, -1))
    s.ball("shoulder", s.ground, "a", at=(0, 0, 0))
    s.pin("elbow", "a", "b", at=(0, 0, -1), axis="y")
    s.spring("spring", (s.ground, (1, 0, 0)), ("b", (0, 0, -1)), stiffness="k", length=0.2)
    s.motor("drive", "elbow", torque="2*cos(3*t) - 0.3*elbow.angle.rate + 0.1*b.angular_velocity.x")
    return s


def test_laws_and_euler_parameters():
    """Kane's sums over bodies are the oracle. Euler parameters of any length count as those of unit length."""
    s = laws()
    functions, (q, u) = mk.dynamics(s), s.initial_state()
    q, u = q + np.linspace(-0.3, 0.3, len(q)), u + np.linspace(-1, 1, len(u))
    kane = s.kane_equations(q, u, t=0.7)
    assert np.abs(functions.mass_matrix(2 * q / np.r_[np.full(4, 1.0), 2.0]) - kane.mass_matrix.values).max() < 1e-12
    assert np.abs(functions.bias_forces(q, u, t=0.7) + kane.forcing.values).max() < 1e-11
    assert np.abs(functions.forward_dynamics(q, u, t=0.7) - s.forward_dynamics(q, u, t=0.7)).max() < 1e-11


def test_loops_stay_closed():
    """forward_dynamics has the constraint rows; the method of the system chooses them anew at every call."""
    s = gallery.find("four_bar").system()
    functions, (q, u) = mk.dynamics(s), s.initial_state()
    assert np.abs(functions.forward_dynamics(q, u) - s.forward_dynamics(q, u)).max() < 1e-9
    assert "constraint rows" in str(functions)


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda f, n: f.mass_matrix(np.zeros(n + 1)), "q has the shape"),
        (lambda f, n: f.bias_forces(np.zeros(n), "x"), "u is 'x'"),
        (lambda f, n: f.required_forces(np.zeros(n), np.zeros(n), np.zeros(n - 1)), "ud has the shape"),
        (lambda f, n: f.forward_dynamics(np.zeros((2, n)), np.zeros((3, n))), "as many rows"),
        (lambda f, n: f.bias_forces(np.zeros(n), np.zeros(n), out=np.zeros(n + 1)), "out does not fit"),
        (lambda f, n: f.mass_matrix(np.zeros(n), out=np.zeros((n, n), np.float32)), "out does not fit"),
        (lambda f, n: f.mass_matrix(np.zeros(n), out=[0.0]), "out does not fit"),
        (lambda f, n: f.forward_dynamics(np.zeros(n), np.zeros(n), t="now"), "t is 'now'"),
    ],
)
def test_what_does_not_fit_is_refused(robot, call, problem):
    functions = mk.dynamics(robot[1])
    with pytest.raises(ModelError, match=problem):
        call(functions, len(robot[1].speeds))


def test_methods_of_a_system_with_limits_keep_their_model(robot):
    """A system with contact laws is not compiled anew at every call, and is when its start has changed."""
    from mekane.model.hybrid.activity import kept_at_start

    s = robot[1].copied()
    first = kept_at_start(s)
    s.mass_matrix(np.zeros(len(s.speeds)))
    assert kept_at_start(s) is first
    s.parameters["new"] = 1.0
    assert kept_at_start(s) is not first
