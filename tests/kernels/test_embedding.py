"""Embedded constraints (C.2): p = n − m equations, the same accelerations, multipliers and motion as with multipliers
(C.1).

Oracles: the right-hand side with multipliers, which shares with this one neither M⁻¹ nor a factorisation; rank and
condition of B by NumPy, B from rates at unit speeds; exact reductions of the gallery where constraints are singular.
"""

import numpy as np
import pytest
import systems
from engine import STEP, Model

import mekane as mk
from mekane import gallery
from mekane.errors import ModelError
from mekane.expressions.graph import evaluate, symbol
from mekane.formulations import NAMES as FORMULATIONS
from mekane.gallery import four_bar_chain
from mekane.gallery.reading import rotations
from mekane.tables import columns as at
from mekane.tables.tables import LEFT, N_ACTIVE, ORDER


def wheel():
    """A tilted disc that rolls on the plane: one position row, two nonholonomic ones."""
    s = mk.System("wheel", gravity=systems.G)
    disc = s.body(
        "disc", 1.3, inertia=(0.1, 0.18, 0.1), position=(0, 0, 0.48), orientation=("x", 0.3), velocity=(1, 0.2, 0)
    )
    s.rolling_disc("contact", (disc, (0, 0, 0)), 0.5)
    return s


def towed():
    """A driven arm, a rod to a free body: an equation that depends on time and does work, and a distance."""
    rng = np.random.default_rng(11)
    s = mk.System("towed", gravity=systems.G)
    arm, load = systems.some_body(s, "arm", rng, (0.4, 0, 0)), systems.some_body(s, "load", rng, (1.2, 0.5, 0.3))
    s.pin("motor", s.ground, arm, at=(0, 0, 0), axis=(0, 1, 0.2))
    s.prescribed("drive", "motor", "0.3*sin(2*t)")
    s.distance("rope", (arm, (0.3, 0, 0)), (load, (0, 0.1, 0)))
    return s


OURS = systems.named() | {"wheel": wheel, "towed": towed}
BUILT = [(name, build, formulation) for name, build in OURS.items() for formulation in FORMULATIONS]
BUILT += [
    (m.name, m.system, formulation)
    for m in gallery.mechanisms()
    if not m.system().contact_laws
    for formulation in m.formulations
]
CASES = pytest.mark.parametrize("build, formulation", [pytest.param(b, f, id=f"{n}-{f}") for n, b, f in BUILT])
FEW = ["four-bar", "screw loop", "driven ring universal", "towed", "wheel", "bricard", "pair universal", "squeezer"]
SOME = pytest.mark.parametrize(
    "build, formulation", [pytest.param(b, f, id=f"{n}-{f}") for n, b, f in BUILT if n in FEW]
)


def both(build, formulation):
    """The same model by multipliers and embedded, and a state on its constraints, reached by the motion itself."""
    one, other = Model(build, formulation), Model(build, formulation, "embedded")
    y = one.on_the_way(1e-3)
    one.choose(y)
    other.choose(y)
    return one, other, y


def largest(x):
    return np.abs(x).max(initial=0.0)


def matrix(model, y):
    """B of the active rows, from their rates at unit speeds less those at rest."""
    rates = [
        model.evaluate_kinematics(np.concatenate([y[: model.n_q], u])).row[: model.n_rows, at.Y_RATE].copy()
        for u in np.eye(model.n_u)
    ]
    rest = (
        model.evaluate_kinematics(np.concatenate([y[: model.n_q], np.zeros(model.n_u)]))
        .row[: model.n_rows, at.Y_RATE]
        .copy()
    )
    return (np.array(rates) - rest).T


@pytest.mark.divided("build", 2)
@CASES
def test_the_same_right_hand_side_and_multipliers(build, formulation):
    """1e-11 relative: round-off times the condition of B_D, below 1e5 (asserted further down). Multipliers are those of
    the same rows."""
    one, other, y = both(build, formulation)
    expected, found = one.rhs(1e-3, y), other.rhs(1e-3, y)
    assert np.array_equal(one.W.active, other.W.active)
    assert other.W.embedded[LEFT] == 0
    assert largest(found - expected) <= 1e-11 * largest(expected)
    assert largest(other.W.multiplier - one.W.multiplier) <= 1e-10 * max(1.0, largest(one.W.multiplier))
    columns = slice(at.B_AL, at.B_A + 3)
    assert largest(other.W.body[:, columns] - one.W.body[:, columns]) <= 1e-11 * largest(one.W.body[:, columns])


@pytest.mark.divided("build", 2)
@CASES
def test_equations_are_as_many_as_degrees_of_freedom(build, formulation):
    """p = n − rank B; and the columns of the dependent speeds are regular."""
    model = Model(build, formulation, "embedded")
    B, m = matrix(model, model.y), int(model.W.state[N_ACTIVE])
    if m:
        scaled = model.W.scale[:, None] * B * np.sqrt(model.W.speed[:, at.S_DI])
        assert model.n_u - m == model.n_u - np.linalg.matrix_rank(scaled, tol=1e-6)
        dependent = model.W.partition[ORDER, :m]
        assert sorted(model.W.partition[ORDER]) == list(range(model.n_u))
        assert np.linalg.cond(scaled[model.active][:, dependent]) < 1e5


@SOME
def test_one_source(build, formulation):
    """Plain Python gives the compiled numbers, complex numbers their derivatives: central differences are good to 1e-6
    (step 1e-5)."""
    _, model, y = both(build, formulation)
    compiled = model.rhs(1e-3, y)
    assert largest(model.plain_rhs(1e-3, y, float) - compiled) <= 1e-11 * largest(compiled)
    k = int(np.random.default_rng(1).integers(model.n_q + model.n_u))
    size = max(0.03, abs(y[k]))
    step = 1e-5 * size * np.eye(len(y))[k]
    differences = (model.rhs(1e-3, y + step) - model.rhs(1e-3, y - step)) / (2 * step[k])
    exact = model.plain_rhs(1e-3, y + 1j * STEP * np.eye(len(y))[k], complex).imag / STEP
    assert largest(exact - differences) <= 1e-6 * (largest(exact) + largest(compiled) / size)


@SOME
def test_symbols_trace_to_the_same_numbers(build, formulation):
    """A graph over symbols, evaluated again: the same operations but for folded constants, so round-off to what runs in
    plain Python."""
    _, model, y = both(build, formulation)
    names = [f"y{k}" for k in range(len(y))]
    graph = model.plain_rhs(symbol("t"), [symbol(name) for name in names], object)
    again = np.array(evaluate(list(graph), {"t": 1e-3, **dict(zip(names, y, strict=True))}), float)
    plainly = model.plain_rhs(1e-3, y, float)
    assert largest(again - plainly) <= 1e-12 * largest(plainly)


def same_motion(one, other, tolerance=1e-8):
    for body in one.system.bodies:
        a, b = np.asarray(one[f"{body}.position"]), np.asarray(other[f"{body}.position"])
        assert largest(a - b) <= tolerance * max(1.0, largest(b)), body
        assert largest(rotations(one, body) - rotations(other, body)) <= tolerance, body


# contacts change the number of equations in mid-run
GALLERY = [
    pytest.param(m, f, id=f"{m.name}-{f}")
    for m in gallery.mechanisms()
    if not m.system().contact_laws
    for f in m.formulations
]


@pytest.mark.divided("mechanism", 2)
@pytest.mark.parametrize("mechanism, formulation", GALLERY)
def test_the_same_motion(mechanism, formulation):
    """Ten times to 1e-8 of metres and of rotations: error control at 1e-10 leaves about 1e-9 over such a time."""
    t_end = min(0.1, 0.3 * mechanism.t_end)
    keywords = dict(
        method="auto", rtol=1e-10, atol=1e-13, step=None, correct=True, every=t_end / 10, formulation=formulation
    )
    one, other = mechanism.run(t_end, **keywords), mechanism.run(t_end, constraints="embedded", **keywords)
    same_motion(one, other)
    assert other.health.ok
    assert other.info["equations"] == one.compiled.n_u - one.info["rows_held"] == len(other.info["independent"])
    if one.info["rows_held"] == 0:
        assert np.array_equal(one.record.y, other.record.y)  # nothing to embed: the same code


@pytest.mark.parametrize("build", [wheel, towed, systems.four_bar], ids=["wheel", "towed", "four-bar"])
@pytest.mark.parametrize("keywords", [dict(method="implicit"), dict(method="rk4", step=1e-3), dict(method="dop853", correct=False)],
                         ids=["implicit", "rk4", "uncorrected"])  # fmt: skip
def test_every_method(build, keywords):
    """Both take the same steps, so they differ by round-off and by what error control makes of it: 1e-8; work
    included."""
    keywords = dict(rtol=1e-9, every=0.02, **keywords)
    one, other = mk.simulate(build(), 0.2, **keywords), mk.simulate(build(), 0.2, constraints="embedded", **keywords)
    same_motion(one, other)
    assert largest(one.record.y - other.record.y) <= 1e-7 * largest(one.record.y)


def test_step_by_step():
    """Oracle: the run in one go; error control at 1e-9 over 0.3 s."""
    solver = mk.stepper(systems.four_bar(), constraints="embedded")
    for _ in range(3):
        solver.step(0.1)
    run = mk.simulate(systems.four_bar(), 0.3, every=[0.3])
    assert largest(solver.y - run.record.y[-1]) < 1e-7
    assert len(solver.independent) == 1


def crank_rocker():
    """A crank that turns all round; the rocker swings between two limits, where its rate says nothing about the
    crank's."""
    s = mk.System("crank-rocker")
    corners = {
        "crank": ((0, 0, 0), (0, 0, 0.3)),
        "coupler": ((0, 0, 0.3), (1.0, 0, 0.8)),
        "rocker": ((1.0, 0, 0.8), (1.0, 0, 0)),
    }
    for name, (a, b) in corners.items():
        s.body(name, 1.0, inertia=(0.1, 0.1, 0.1), position=tuple((np.array(a) + b) / 2))
    s.pin("A", s.ground, "crank", at=(0, 0, 0), axis="y", rate=12.0)
    s.pin("B", "crank", "coupler", at=(0, 0, 0.3), axis="y")
    s.pin("C", "coupler", "rocker", at=(1.0, 0, 0.8), axis="y")
    s.pin("D", s.ground, "rocker", at=(1.0, 0, 0), axis="y")
    return s


def test_speeds_are_chosen_anew_when_they_grow_weak():
    """The user's choice is taken while it is good; at the rocker's limits another one must do. The motion stays the
    same."""
    first = mk.stepper(crank_rocker(), constraints="embedded", formulation="absolute", independent=["rocker.wy"])
    assert first.independent == ["rocker.wy"]
    keywords = dict(every=0.05, rtol=1e-10, atol=1e-13, formulation="absolute")
    one = mk.simulate(crank_rocker(), 1.0, **keywords)
    other = mk.simulate(crank_rocker(), 1.0, constraints="embedded", independent=["rocker.wy"], **keywords)
    same_motion(one, other)
    assert other.info["chosen_anew"] >= 1 and other.info["independent"] != ["rocker.wy"]
    assert (
        "Independent speeds were chosen anew" in other.health.text and "1 equation for 18 speeds" in other.health.text
    )


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_singular_positions_are_left_to_multipliers(formulation):
    """Through two flat positions of the chain of four-bars; oracle and tolerance (1e-5 of 1 m) as with multipliers."""
    run = gallery.find("four_bar_chain").run(
        2.0, formulation=formulation, constraints="embedded", rtol=1e-8, atol=1e-10
    )
    assert not run.info["stopped"]
    assert largest(run["left0.point.x"].values - four_bar_chain.exact(2)(run.t)["x"]) < 1e-5
    if formulation == "absolute":
        assert run.info["left"] > 0 and "Near singular positions" in run.health.text


def flat_at_the_start():
    """A parallelogram lying flat: there one row repeats the others, right after it none does."""
    s = mk.System("flat")
    corners = {"crank": (0, 0.5), "coupler": (0.5, 1.5), "rocker": (1.0, 1.5)}
    for name, (a, b) in corners.items():
        s.body(name, 1.0, inertia=(0.1, 0.1, 0.1), position=((a + b) / 2, 0, 0))
    s.pin("A", s.ground, "crank", at=(0, 0, 0), axis="y", rate=2.0)
    s.pin("B", "crank", "coupler", at=(0.5, 0, 0), axis="y", rate=-2.0)
    s.pin("C", "coupler", "rocker", at=(1.5, 0, 0), axis="y")
    s.pin("D", s.ground, "rocker", at=(1.0, 0, 0), axis="y", rate=2.0)
    return s


def prescribed_throughout():
    """No freedom left: no equation at all."""
    s = mk.System("prescribed throughout")
    arm = s.body("arm", 1.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.pin("p", s.ground, arm, at=(0, 0, 0), axis="y")
    s.prescribed("drive", "p", "sin(t)")
    return s


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("build, equations", [(flat_at_the_start, (2, 1)), (prescribed_throughout, (0, 0))])
def test_rows_in_use_may_become_more(build, equations, formulation):
    """Equations at the start and at the end, by mobility. The same motion as with multipliers to 1e-10: ten steps, both
    alike."""
    solver = mk.stepper(build(), formulation=formulation, constraints="embedded")
    assert len(solver.independent) == equations[0]
    keywords = dict(every=0.05, formulation=formulation)
    one, other = mk.simulate(build(), 0.5, **keywords), mk.simulate(build(), 0.5, constraints="embedded", **keywords)
    assert other.info["equations"] == equations[1]
    assert largest(one.record.y - other.record.y) <= 1e-10 * largest(one.record.y)


def driven_arm():
    s = mk.System("driven arm")
    for name, x in (("upper", 0.5), ("lower", 1.5)):
        s.body(name, 1.0, inertia=(0.1, 0.1, 0.1), position=(x, 0, 0))
    s.pin("shoulder", s.ground, "upper", at=(0, 0, 0), axis="y")
    s.pin("elbow", "upper", "lower", at=(1, 0, 0), axis="y")
    s.prescribed("drive", "elbow", "sin(t)")
    return s


@pytest.mark.parametrize("wanted, message", [
    (["elbow.angle.rate"], r"other speeds do not follow from 'elbow.angle.rate'.*name 'shoulder.angle.rate'"),
    (["elbow.angle.rate", "shoulder.angle.rate"], r"2 speeds named.*2 speeds less 1 constraint in use leave 1.*'shoulder.angle.rate'"),
    (["sholder.angle.rate"], r"no speed 'sholder.angle.rate'.*Did you mean 'shoulder.angle.rate'"),
    ("shoulder.angle.rate", "a list of names"),
])  # fmt: skip
def test_a_wrong_choice_is_answered_with_a_right_one(wanted, message):
    with pytest.raises(ModelError, match=f"(?s){message}"):
        mk.simulate(driven_arm(), 0.1, constraints="embedded", independent=wanted)
    mk.simulate(driven_arm(), 0.1, constraints="embedded", independent=["shoulder.angle.rate"])


def test_wrong_words():
    with pytest.raises(ModelError, match="Did you mean 'embedded'"):
        mk.simulate(driven_arm(), 0.1, constraints="embeded")
    with pytest.raises(ModelError, match="constraints are not embedded"):
        mk.simulate(driven_arm(), 0.1, independent=["shoulder.angle.rate"])


def test_nothing_is_allocated_unless_requested():
    """The dense arrays of embedding are empty by default, so that big sparse models stay small."""
    W = Model(systems.four_bar()).W
    assert W.B.size + W.partial.size + W.reduced.size + W.along.size + W.partition.size == 0
