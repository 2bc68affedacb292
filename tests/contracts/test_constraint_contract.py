"""The same checks of every registered kind of constraint: are rates, biases and wrenches those of its equations,
does it hold?

Oracles: complex step (exact derivatives), plain Python, the other formulations, mechanics. Tolerances are round-off of
numbers of order one to a hundred, where nothing else is stated.
"""

import re

import numpy as np
import pytest
import systems
from engine import Model, derivative

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS
from mekane.importers.yaml import dumps, load
from mekane.model.constraint import constraint_kinds
from mekane.tables import columns as at

ROUND_OFF = 1e-11
P, Q = (0.3, 0.1, -0.2), (-0.1, 0.2, 0.15)
E, M, N = (0.3, -0.5, 0.8), (1.0, 0.4, -0.2), (0.2, 0.1, 1.0)
TABLE = {"table": [[0, 0.2], [1, 0.4], [2, 0]], "kind": "cubic"}
X, V, A = "position", "velocity", "acceleration"
NOT_RELATIVE = (
    "gear",
    "coupler",
    "rack_and_pinion",
    "position_constraint",
    "velocity_constraint",
    "acceleration_constraint",
)

# kind → (arguments after the name, keywords, levels of its equations). Bodies `one` and `two`, joints `turn` and (if requested
# for) `both`.
SAMPLES = {
    "distance": ([("one", P), ("two", Q)], {}, [X]),
    "prescribed": ([("both", "angle"), "0.3*sin(2*t) + 0.2*t"], {}, [X]),
    "knife_edge": ([("two", Q)], {"along": M, "on": ("one", P), "normal": N}, [V]),
    "steering_wheel": ([("two", Q), "0.4*sin(3*t) + 0.5*turn.angle"], {"along": M, "on": ("one", P), "normal": N}, [V]),
    "rolling_disc": ([("two", Q), 0.5], {"axis": E, "tube": 0.1, "on": ("one", P), "normal": N}, [X, V, V]),
    "rolling_sphere": ([("two", Q), 0.5], {"on": ("one", P), "normal": N}, [X, V, V]),
    "rolling_ellipsoid": ([("two", Q), (0.5, 0.3, 0.7)], {"on": ("one", P), "normal": N}, [X, V, V]),
    "rolling_spheres": ([("one", P), ("two", Q), 0.4, 0.2], {}, [X, V, V]),
    "point_on_line": ([("two", Q)], {"on": ("one", P), "direction": E}, [X, X]),
    "point_on_plane": ([("two", Q)], {"on": ("one", P), "normal": N}, [X]),
    "point_on_curve": ([("two", Q), ["r - (0.6 + 0.1*cos(2*theta) + 0.1*sin(t))", "z - 0.3*x*y"]], {"on": ("one", P)}, [X, X]),
    "parallel": ([("one", E), ("two", (-1.0, -0.4, 0.2))], {}, [X, X]),
    "perpendicular": ([("one", E), ("two", M)], {}, [X]),
    "gear": ([("both", "angle"), "turn", -1.5], {"phase": "20 deg"}, [X]),
    "rack_and_pinion": (["turn", "both", "20 cm"], {"reversed": True, "offset": 0.1}, [X]),
    "coupler": ([("both", "displacement"), "0.3*sin(turn.angle) + 0.1*t*both.angle"], {}, [X]),
    "path": ([("two", Q)], {"x": "0.5 + 0.1*sin(3*t)", "z": TABLE, "on": ("one", P)}, [X, X]),
    "position_constraint": (["rope.length - 0.9 - 0.1*sin(t)*turn.angle"], {}, [X]),
    "velocity_constraint": (
        [["two.velocity.x - two.position.y*turn.angle.rate - t", "two.angular_velocity.z + 0.2*t*one.velocity.x"]], {}, [V, V],
    ),
    "acceleration_constraint": (
        [["two.acceleration.x - t*turn.angle.rate.rate", "two.angular_acceleration.y + two.velocity.x*rope.length"]], {}, [A, A],
    ),
}  # fmt: skip
ON_BOTH = ("prescribed", "gear", "rack_and_pinion", "coupler")

every_kind = pytest.mark.parametrize("kind", sorted(constraint_kinds))
every_formulation = pytest.mark.parametrize("formulation", FORMULATIONS)


def sample(kind):
    """Two bodies with nothing special about them; `one` on a pin, `two` free or on a pin_slider; and the constraint
    `it`."""
    rng = np.random.default_rng(21)
    s = mk.System("two", gravity=systems.G)
    one, two = systems.some_body(s, "one", rng, (0.3, 0.1, 0.2)), systems.some_body(s, "two", rng, (0.9, -0.2, 0.6))
    systems.join(s, "pin", "turn", s.ground, one, (0, 0, 0), systems.unit((0.2, 1, 0.1)))
    s.spring("rope", (one, P), (two, Q), 3.0, 0.4)
    if kind in ON_BOTH:
        systems.join(s, "pin_slider", "both", one, two, (0.6, 0, 0.3), systems.unit((1, 0.2, 0.4)))
    arguments, keywords, _ = SAMPLES[kind]
    getattr(s, kind)("it", *arguments, **keywords)
    return s


def on_the_way(kind, formulation, t=0.15):
    """Model, and a state at t that meets all constraints."""
    model = Model(sample(kind), formulation)
    y = model.on_the_way(t)
    model.choose(y, t)
    return model, y


def rows(model, kind, *levels):
    """Rows of the constraint of these levels."""
    own = model.compiled.pairs.rows_of["it"]
    assert len(own) == len(SAMPLES[kind][2])
    return [row for row, level in zip(own, SAMPLES[kind][2], strict=True) if level in levels]


def terms(model, W, row):
    """(row of a body, moment about its Bo and force) for every body that a row pushes on."""
    first, end = model.T.row_i[row, at.ROW_TERM : at.ROW_TERM_END + 1]
    return [(model.T.term_i[k, at.TERM_BODY], W.term[k]) for k in range(first, end)]


def along(model, W, row, keywords):
    """Σ wrench · (angular, linear) of these columns."""
    return sum(wrench @ np.concatenate([W.body[i, c : c + 3] for c in keywords]) for i, wrench in terms(model, W, row))


def test_every_kind_has_a_sample():
    assert set(SAMPLES) == set(constraint_kinds)


@every_kind
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_rates_and_biases_are_derivatives(kind, formulation):
    """rate = d phi/dt;  d(rate)/dt = bias + wrenches · accelerations, along any motion that meets the joints."""
    t = 0.15
    model, y = on_the_way(kind, formulation, t)
    ud = model.rhs(t, y)[model.n_q : model.n_q + model.n_u]
    W, B = model.moved(y, model.qd(y), ud, t), model.accelerated(y, ud, t=t)
    for row in rows(model, kind, X):
        assert derivative(W.row[row, at.Y_PHI]) == pytest.approx(W.row[row, at.Y_RATE].real, abs=ROUND_OFF)
    for row in rows(model, kind, X, V):
        second = B.row[row, at.Y_BIAS] + along(model, B, row, (at.B_AL, at.B_A))
        assert derivative(W.row[row, at.Y_RATE]) == pytest.approx(
            second, abs=ROUND_OFF * max(1.0, abs(B.row[row, at.Y_BIAS]))
        )


@every_kind
def test_rates_and_biases_are_derivatives_off_the_constraint(kind):
    """The same in the tree where the constraint is not met, for any accelerations: rows are derivatives as written."""
    t, model = 0.15, Model(sample(kind), "joint")
    y, ud = model.somewhere(far=0.2), np.random.default_rng(4).normal(size=model.n_u)
    W, B = model.moved(y, model.qd(y), ud, t), model.accelerated(y, ud, t=t)
    for row in rows(model, kind, X):
        assert derivative(W.row[row, at.Y_PHI]) == pytest.approx(W.row[row, at.Y_RATE].real, abs=ROUND_OFF)
    for row in rows(model, kind, X, V):
        second = B.row[row, at.Y_BIAS] + along(model, B, row, (at.B_AL, at.B_A))
        assert derivative(W.row[row, at.Y_RATE]) == pytest.approx(
            second, abs=ROUND_OFF * max(1.0, abs(B.row[row, at.Y_BIAS]))
        )


@every_kind
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_rate_is_wrenches_times_twists_and_the_part_of_time(kind, formulation):
    """The part of time is what is left of the rate when nothing moves."""
    model = Model(sample(kind), formulation)
    y = model.somewhere(far=0.2)
    still = y.copy()
    still[model.n_q : model.n_q + model.n_u] = 0.0
    zero = np.zeros(model.n_u)
    W, S = model.accelerated(y, zero, t=0.3), model.accelerated(still, zero, t=0.3)
    for row in rows(model, kind, X, V):
        of_time = S.row[row, at.Y_RATE]
        assert W.row[row, at.Y_RATE] == pytest.approx(along(model, W, row, (at.B_W, at.B_V)) + of_time, abs=ROUND_OFF)


@every_kind
@every_formulation
def test_accelerations_meet_every_row(kind, formulation):
    """bias + wrenches · accelerations = 0 with the accelerations of the solve (C.1)."""
    t = 0.15
    model, y = on_the_way(kind, formulation, t)
    model.rhs(t, y)
    model.derive(t, y)
    W = model.W
    W.body[:, at.B_A : at.B_A + 3] -= W.body[0, at.B_A : at.B_A + 3].copy()
    for row in rows(model, kind, X, V, A):
        scale = max(1.0, abs(W.row[row, at.Y_BIAS]), np.abs(W.body[:, at.B_A : at.B_A + 3]).max())
        assert W.row[row, at.Y_BIAS] + along(model, W, row, (at.B_AL, at.B_A)) == pytest.approx(
            0.0, abs=ROUND_OFF * scale
        )


@every_kind
@every_formulation
def test_plain_python_gives_the_compiled_numbers(kind, formulation):
    """Tolerance: the compiler may reorder sums."""
    t = 0.15
    model, y = on_the_way(kind, formulation, t)
    compiled, plain = model.rhs(t, y), model.plain_rhs(t, y, float)
    assert compiled == pytest.approx(plain, abs=ROUND_OFF * np.abs(plain).max())


@every_kind
@every_formulation
def test_energy_and_work_balance(kind, formulation):
    """d(T + V − W)/dt = 0: a constraint does work only if it is counted."""
    t = 0.15
    model = Model(sample(kind), formulation)
    rate, size = model.energy_balance(t, model.on_the_way(t))
    assert abs(rate) <= ROUND_OFF * max(1.0, size)
    rheonomic = kind in ("prescribed", "path", "coupler", "point_on_curve", "position_constraint")
    assert (model.compiled.elements == ["it"]) == (
        rheonomic or kind in ("velocity_constraint", "acceleration_constraint")
    )


@pytest.mark.parametrize("kind", [kind for kind in sorted(constraint_kinds) if kind not in NOT_RELATIVE])
def test_action_is_reaction(kind):
    """Between two bodies that both move: the wrenches of every row cancel, taken about one point. Off the constraint,
    too."""
    model = Model(sample(kind), "joint")
    W = model.accelerated(model.somewhere(far=0.2), np.zeros(model.n_u), t=0.3)
    for row in rows(model, kind, X, V):
        F = sum(wrench[3:] for _, wrench in terms(model, W, row))
        T = sum(wrench[:3] + np.cross(W.body[i, at.B_P : at.B_P + 3], wrench[3:]) for i, wrench in terms(model, W, row))
        assert len(terms(model, W, row)) == 2
        assert np.concatenate([F, T]) == pytest.approx(np.zeros(6), abs=ROUND_OFF)


@pytest.mark.divided("kind", 2)
@every_kind
def test_it_holds_and_formulations_agree(kind):
    """Held to round-off all the time; the same motion in every formulation (both keep 1e-11 per step; half a second
    makes 1e-8)."""
    runs = [
        mk.simulate(sample(kind), 0.5, every=0.25, formulation=name, rtol=1e-11, atol=1e-12, method="dop853")
        for name in FORMULATIONS
    ]
    for run in runs:
        assert not run.info["stopped"]
        assert float(run.residual["position"].max()) < 1e-12
        assert float(run.residual["rate"].max()) < 1e-11
        assert run.health.ok
        for body in ("one", "two"):
            for quantity in ("position", "velocity", "angular_velocity"):
                a, b = runs[0][f"{body}.{quantity}"].values, run[f"{body}.{quantity}"].values
                assert a == pytest.approx(b, abs=1e-8 * max(1.0, np.abs(a).max())), (
                    f"{run.compiled.formulation}: {body}.{quantity}"
                )
        a, b = (
            np.concatenate([r.reaction("it")[w].values.ravel() for w in ("force", "moment", "multiplier")])
            for r in (runs[0], run)
        )
        assert a == pytest.approx(b, abs=1e-7 * max(1.0, np.abs(a).max())), run.compiled.formulation


@every_kind
def test_embedded_it_moves_alike(kind):
    """Without multipliers in the equations (C.2): the same motion. Tolerance: steps are the same, so only round-off
    differs."""
    multipliers, embedded = (
        mk.simulate(sample(kind), 0.5, every=0.25, rtol=1e-11, atol=1e-12, method="dop853", constraints=how)
        for how in ("multipliers", "embedded")
    )
    for body in ("one", "two"):
        for quantity in ("position", "velocity", "angular_velocity"):
            assert multipliers[f"{body}.{quantity}"].values == pytest.approx(
                embedded[f"{body}.{quantity}"].values, abs=1e-11
            ), f"{body}.{quantity}"


@every_kind
def test_files_say_the_same(kind):
    """Written to YAML and read back: an equal record."""
    s = sample(kind)
    again = load(dumps(s))
    assert again.constraints == s.constraints
    assert again.to_dict() == s.to_dict()


@every_kind
def test_it_explains_itself(kind):
    """The docstring is the help of the method; a sentence at least."""
    text = getattr(mk.System, kind).__doc__
    assert text and re.match(r"[A-Z]", text) and len(text) > 30
