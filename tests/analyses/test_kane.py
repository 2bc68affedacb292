"""Kane's quantities at one state. Oracles: the thesis' plane mechanism in closed form, reactions, and the order-N
algorithms."""

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane import gallery
from mekane.errors import ModelError
from mekane.formulations import NAMES as FORMULATIONS
from mekane.solvers.constraints.assembly import partial
from mekane.tables import columns as at

SYSTEMS = systems.named()
EVERYWHERE = pytest.mark.parametrize("formulation", FORMULATIONS)
SEVERAL = pytest.mark.parametrize(
    "name",
    [
        "mixed chain",
        "driven",
        "driven swapped",
        "driven ring universal",
        "four-bar",
        "laws",
        "massless link",
        "by chance 3",
    ],
)


def on_the_way(name, formulation):
    """A system, and a state of it in the midst of its motion."""
    model = Model(SYSTEMS[name](), formulation)
    y = model.on_the_way()
    return model, y[: model.n_q], y[model.n_q : model.n_q + model.n_u]


def largest(*arrays):
    return max(float(np.abs(np.asarray(array)).max(initial=0.0)) for array in arrays)


# ---------------------------------------------------------------- all formulations, all sorts of systems


@EVERYWHERE
@SEVERAL
def test_forces_balance(name, formulation):
    """F_r + F_r* + (Bᵀ lam)_r = 0, bodies and constraints summing to it: round-off, 1e-13 of the largest force."""
    model, q, u = on_the_way(name, formulation)
    k = model.system.kane_equations(q, u, 0.2, formulation=formulation)
    size = largest(k.active, k.inertia, k.constraint, 1e-3 * np.ones(1))
    assert largest(k.residual) < 1e-13 * size
    assert largest(k.contributions.sum("body") + k.constraint) < 1e-13 * size
    assert largest(k.applied + k.inertial - k.contributions) < 1e-13 * size
    assert largest(k.multipliers.values @ k.constraint_matrix.values - k.constraint.values) < 1e-13 * size


@EVERYWHERE
@SEVERAL
def test_mass_matrix_and_forcing_are_those_of_the_recursion(name, formulation):
    """Oracle: inverse dynamics by the recursive kernels; here M and f are sums over bodies and pairs of speeds.
    Round-off."""
    model, q, u = on_the_way(name, formulation)
    s = model.system
    k = s.kane_equations(q, u, 0.2, formulation=formulation)
    M, bias = s.mass_matrix(q, formulation=formulation), s.bias_forces(q, u, 0.2, formulation=formulation)
    size = largest(k.active, k.inertia, bias, 1e-3 * np.ones(1))
    assert largest(k.mass_matrix.values - M) < 1e-13 * largest(M)
    assert largest(k.forcing.values + bias) < 1e-12 * size
    ud = s.forward_dynamics(q, u, 0.2, formulation=formulation)
    assert largest(k.mass_matrix.values @ ud - k.forcing.values - k.constraint.values) < 1e-12 * size


@EVERYWHERE
@SEVERAL
def test_partial_velocities_make_up_velocities(name, formulation):
    """(K.6) against the motion of the users' frames as assembly sees them; their rates times u against accelerations
    for ud = 0."""
    model, q, u = on_the_way(name, formulation)
    poses = model.poses(np.concatenate([q, u]))
    p = model.system.partial_velocities(q, u, at="origin", formulation=formulation)
    size = largest(*poses.w.values(), *poses.v.values(), np.ones(1))
    still = model.accelerated(np.concatenate([q, u]), np.zeros(model.n_u))
    for body in model.system.bodies:
        of = {name: getattr(p, name).sel(body=body).values for name in ("angular_velocity", "velocity")}
        assert largest(u @ of["angular_velocity"] - poses.w[body]) < 1e-13 * size
        assert largest(u @ of["velocity"] - poses.v[body]) < 1e-13 * size
        alpha = still.body[model.compiled.frames.row[body], at.B_AL : at.B_AL + 3]
        if formulation == "mixed":  # absolute angular_velocities that do not change in body axes: d(R_NB ω')/dt = w × w
            if model.compiled.links[model.compiled.frames.row[body] - 1].primitives[-1].kind != "mixed":
                continue
            alpha = np.zeros(3)
        assert largest(u @ p.angular_velocity_rate.sel(body=body).values - alpha) < 1e-12 * size**2


@pytest.mark.parametrize("formulation", ["joint", "absolute", "relative"])
@SEVERAL
def test_partial_velocities_are_those_the_kernels_store(name, formulation):
    """Where a speed's partial velocities are carried outward as they stand (K.5): the workspace's, shifted from body to
    body."""
    model, q, u = on_the_way(name, formulation)
    p = model.system.partial_velocities(q, u, at="origin", formulation=formulation)
    W, frames, T = model.evaluate_kinematics(np.concatenate([q, u])), model.compiled.frames, model.T
    origin = lambda j: W.body[j, at.B_P : at.B_P + 3]
    for body in model.system.bodies:
        i = frames.row[body]
        point = origin(i) + W.body[i, at.B_R : at.B_R + 9].reshape(3, 3) @ frames.p_BU[i]
        expected, j = np.zeros((model.n_u, 6)), i
        while j > 0:
            for r in range(T.body_i[j, at.SPEED0], T.body_i[j, at.SPEED1]):
                S = partial(model.compiled, W, r)
                expected[r] = *S[:3], *(S[3:] + np.cross(S[:3], point - origin(j)))
            j = T.body_i[j, at.PARENT]
        found = np.hstack([p.angular_velocity.sel(body=body).values, p.velocity.sel(body=body).values])
        assert largest(found - expected) < 1e-13 * largest(expected, np.ones(1))


@pytest.mark.parametrize("name", ["driven", "driven swapped", "mixed chain", "laws"])
def test_contributions_are_what_joints_have_to_carry(name):
    """Newton and Euler for one body: applied + inertial + reactions of its joints = 0, so C_r^B = −(reactions on
    B)·(partial velocities).

    Reactions come from the backward pass (THEORY §4). Round-off, 1e-10 of the largest term for the softened solve of
    constraints.
    """
    s = SYSTEMS[name]()
    run = mk.simulate(s, 0.2, every=0.1)
    y, n_q, n_u = run.record.y[-1], run.compiled.n_q, run.compiled.n_u
    q, u = y[:n_q], y[n_q : n_q + n_u]
    k, p = s.kane_equations(q, u, run.t[-1]), s.partial_velocities(q, u)
    for body in s.bodies:
        centre = np.asarray(run[f"{body}.centre"])[-1]
        force, moment = np.zeros(3), np.zeros(3)
        for joint in s.joints.values():
            if body in (joint.a, joint.b):
                reaction = run.reaction(joint.name, on=body).isel(time=-1)
                F = reaction["force"].values
                force += F
                moment += reaction["moment"].values + np.cross(reaction["point"].values - centre, F)
        expected = -(p.velocity.sel(body=body).values @ force + p.angular_velocity.sel(body=body).values @ moment)
        size = largest(k.applied, k.inertial, expected)
        np.testing.assert_allclose(k.contributions.sel(body=body), expected, atol=1e-10 * size)


def test_the_answer_is_the_same_in_other_axes_and_at_other_points():
    """Components in body axes are those in world axes turned; v at the origin and at the centre differ by w × com."""
    model, q, u = on_the_way("mixed chain", "joint")
    s, poses = model.system, model.poses(np.concatenate([q, u]))
    world, own, origin = (
        s.partial_velocities(q, u, **keywords) for keywords in ({}, {"axes": "body"}, {"at": "origin"})
    )
    for body, record in s.bodies.items():
        R = poses.R[body]
        np.testing.assert_allclose(own.velocity.sel(body=body), world.velocity.sel(body=body).values @ R, atol=1e-13)
        shift = np.cross(world.angular_velocity.sel(body=body).values, R @ record.com)
        np.testing.assert_allclose(
            world.velocity.sel(body=body), origin.velocity.sel(body=body).values + shift, atol=1e-13
        )


# ---------------------------------------------------------------- the thesis' plane mechanism, [T] chapter III

# plane vectors (a1, a2), (h1, h2), (b1, b2), (c1, c2), each in its body
A, H, B, C = 0.3 + 0.1j, 0.8 + 0.2j, 0.25 - 0.15j, 0.2 + 0.05j
MASS, INERTIA, STIFFNESS, LOAD, FREE = (2.0, 1.5, 0.7), (0.3, 0.2, 0.1), (11.0, 7.0, 40.0), 5.0, 0.4


def plane_mechanism():
    """Body 1 pinned to the ground, body 2 pinned to it at h, body 3 sliding along x of body 2; two torsional springs
    and a straight one."""
    s = mk.System("plane", gravity=(0, 0, 0))
    for name, mass, inertia, com, place in zip(
        ("one", "two", "three"), MASS, INERTIA, (A, B, C), (0, H, H), strict=True
    ):
        s.body(
            name, mass, (inertia, inertia, inertia), com=(com.real, com.imag, 0), position=(place.real, place.imag, 0)
        )
    s.pin("first", s.ground, "one", at=(0, 0, 0), axis="z")
    s.pin("second", "one", "two", at=(H.real, H.imag, 0), axis="z")
    s.slider("guide", "two", "three", at=(H.real, H.imag, 0), axis="x")
    s.torsional_spring("K1", "first", STIFFNESS[0])
    s.torsional_spring("K2", "second", STIFFNESS[1])
    s.sliding_spring("K3", "guide", STIFFNESS[2], FREE)
    s.force("load", "one", (0, -LOAD, 0))
    return s


def contributions_by_hand(q, u, ud):
    """C_r^B of (3.75), (3.80)–(3.82), (3.87)–(3.89), formed as in the thesis; plane vectors as complex numbers in world
    axes."""
    one, two = np.exp(1j * q[0]), np.exp(1j * (q[0] + q[1]))
    w, alpha, a, b, h, c, x = u[0] + u[1], ud[0] + ud[1], A * one, B * two, H * one, (q[2] + C) * two, two
    v = ((1j * a, 0, 0), (1j * h + 1j * b, 1j * b, 0), (1j * h + 1j * c, 1j * c, x))  # (3.73), (3.79), (3.86)
    angular_velocities = ((1, 0, 0), (1, 1, 0), (1, 1, 0))
    at_h = (1j * ud[0] - u[0] ** 2) * h
    accelerations = (
        (1j * ud[0] - u[0] ** 2) * a,
        at_h + (1j * alpha - w**2) * b,
        at_h + (1j * alpha - w**2) * c + (ud[2] + 2j * w * u[2]) * x,
    )
    K1, K2, K3 = STIFFNESS
    pull = K3 * (q[2] - FREE)
    forces = (-1j * LOAD, pull * x, -pull * x)
    torques = (K2 * q[1] - K1 * q[0], pull * B.imag - K2 * q[1], -C.imag * pull)  # (3.70), (3.76), (3.83)
    found = np.zeros((3, 3))
    for i, turn in enumerate((ud[0], alpha, alpha)):
        R, T = forces[i] - MASS[i] * accelerations[i], torques[i] - INERTIA[i] * turn
        found[i] = [(np.conj(v[i][r]) * R).real + angular_velocities[i][r] * T for r in range(3)]
    return found


@pytest.mark.parametrize("seed", range(3))
def test_contributions_of_the_thesis(seed):
    """[T 3.75–3.89] re-derived by hand; numbers of order ten, a few dozen operations: 1e-12."""
    q, u = np.random.default_rng(seed).normal(size=(2, 3))
    s = plane_mechanism()
    assert s.speeds == ["first.angle.rate", "second.angle.rate", "guide.displacement.rate"]
    k = s.kane_equations(q, u)
    np.testing.assert_allclose(k.contributions.values, contributions_by_hand(q, u, k.ud.values), atol=1e-12)
    np.testing.assert_allclose(k.contributions.values.sum(axis=0), 0.0, atol=1e-12)
    assert k.contributions.sel(body="one", speed="guide.displacement.rate") == 0.0  # "does not contribute"


# ---------------------------------------------------------------- arguments and results


def test_the_initial_state_is_taken_unless_another_is_given():
    s = gallery.find("four_bar").system()
    q, u = s.initial_state()
    np.testing.assert_array_equal(s.kane_equations().forcing, s.kane_equations(q, u).forcing)


def test_tables_name_bodies_and_speeds():
    k, p = plane_mechanism().kane_equations(), plane_mechanism().partial_velocities()
    for answer in (k, p):
        for text in (str(answer), answer._repr_html_(), repr(answer)):
            assert all(name in text for name in ("first.angle.rate", "guide.displacement.rate", "three"))
    assert "F_r*" in str(k) and "C_r^B" in str(k) and "mass matrix" in str(k)
    assert "three" in str(p) and "d/dt v_r" in str(p)


@pytest.mark.parametrize(
    "keywords, message",
    [
        ({"at": "centre of mass"}, "at: it is 'centre of mass'; it is one of 'centre', 'origin'"),
        ({"axes": "joint"}, "axes: it is 'joint'"),
        ({"q": [1, 2]}, "partial_velocities: q has 2 numbers; the model has 3 coordinates"),
        ({"formulation": "relativ"}, "Did you mean 'relative'"),
    ],
)
def test_wrong_words_are_named(keywords, message):
    with pytest.raises(ModelError, match=message):
        plane_mechanism().partial_velocities(**keywords)


def test_a_model_without_speeds_has_empty_equations():
    """Welded to the ground: nothing to say in `joint`; in `relative` its weight is held by the constraint, 9.81 N."""
    s = mk.System("welded")
    s.body("block", 1.0, (1, 1, 1))
    s.weld("glue", s.ground, "block")
    k = s.kane_equations()
    assert (
        k.active.shape == (0,)
        and k.contributions.shape == (1, 0)
        and "Kane" in str(k)
        and "zero" in str(s.partial_velocities())
    )
    held = s.kane_equations(formulation="relative").constraint.sel(speed="block.z.rate").item()
    assert held == pytest.approx(9.81, abs=1e-12)
