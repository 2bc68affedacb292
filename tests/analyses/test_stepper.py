"""Stepping by hand. Oracles: a run of mk.simulate sampled at the same times; a result of the same state; a stepper that
went straight where another one saved, went astray and was restored."""

import copy
import math
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.analyses.stepper import Stepper
from mekane.errors import FileError, ModelError, SimulationError
from mekane.formulations import NAMES
from tests import systems

DT = 1e-3


def crank(torque="sin(40*t) if hinge.angle < 0.3 else 0.2"):
    """A loop, a law of time, a comparison of the state, a parameter, work."""
    s = mk.System("crank", parameters={"k": 10.0})
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -1.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
    s.pin("elbow", "arm", "rod", at=(0, 0, -1), axis="y")
    s.distance("tie", ("ground", (1, 0, -1)), ("rod", (0, 0, 0)))
    s.torsional_spring("spring", "hinge", stiffness=mk.Param("k"))
    s.torsional_damper("damper", "elbow", damping=0.5)
    s.motor("drive", "hinge", torque=torque)
    s.marker("tip", "rod", at=(0, 0.1, -0.5))
    s.output("power", "hinge.angle.rate*tip.velocity.x", unit="m/s^2")
    return s


def pendulum():
    s = mk.System("pendulum")
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
    return s


MODELS = {
    "crank": crank,
    "double pendulum": lambda: gallery.find("double_pendulum").system(),
    "four-bar": systems.four_bar,
    "heavy top": lambda: gallery.find("heavy_top").system(),
    "redundant": systems.bricard,
    "rolling disc": lambda: gallery.find("rolling_disc_1").system(),
    "screw": systems.screw_loop,
    "springs": systems.laws,
}


def cart(law="u", **inputs):
    """A mass of 2 kg on a line, pushed by a law of inputs."""
    s = mk.System("cart")
    for name, value in ({"u": 0.0} | inputs).items():
        s.input(name, value)
    s.body("cart", mass=2.0, inertia=(1, 1, 1))
    s.slider("track", s.ground, "cart", axis="x")
    s.motor("push", "track", force=law)
    return s


# ---------------------------------------------------------------- the same motion as a run


def same_as_run(s, steps=60, **options):
    """Fixed steps, one a sample: not a bit differs. The start is no sample of the run: it would be projected once more,
    which leaves other round-off in the workspace."""
    run = mk.simulate(s, steps * DT, every=DT * np.arange(1, steps + 1), step=DT, **options)
    sim = mk.stepper(s, **options)
    for _ in range(steps):
        sim.step(DT)
    for mine, theirs in zip(sim.result().record, run.record, strict=True):
        np.testing.assert_array_equal(mine[1:], theirs)


@pytest.mark.parametrize("model", MODELS)
def test_equals_a_run_bit_by_bit(model):
    same_as_run(MODELS[model](), method="rk4")


@pytest.mark.parametrize("formulation", NAMES)
@pytest.mark.parametrize("method", ["euler", "heun", "rk4"])
def test_equals_a_run_in_every_formulation(formulation, method):
    same_as_run(crank(), 20, formulation=formulation, method=method)


@pytest.mark.parametrize(
    "options", [{"constraints": "embedded"}, {"code": "specialised"}, {"code": "loops"}, {"correct": False}]
)
def test_equals_a_run_by_other_ways(options):
    same_as_run(crank(), 20, method="rk4", **options)


def test_equals_a_run_that_calls_python():
    same_as_run(crank(lambda t, state: float(np.round(3 * math.sin(40 * t)))), 20, method="rk4")


@pytest.mark.parametrize("method", ["auto", "dop853", "implicit"])
@pytest.mark.parametrize("model", ["crank", "double pendulum", "springs"])
def test_equals_an_adaptive_run(method, model):
    """Steps end where samples are, so they are others than those of the run: both are within their tolerance, 1e-12
    of a state of size 1, times what 40 steps and the comparison in the law make of it."""
    s = MODELS[model]()
    options = dict(method=method, rtol=1e-13 if method != "implicit" else 1e-11, atol=1e-14)
    run, sim = mk.simulate(s, 0.2, every=5e-3, **options), mk.stepper(s, **options)
    for _ in range(40):
        sim.step(5e-3)
    allowed = 1e-12 if method != "implicit" else 1e-9
    np.testing.assert_allclose(sim.result().record.y, run.record.y, rtol=allowed, atol=allowed)


def test_no_error_of_rounding_adds_up():
    sim = mk.stepper(pendulum(), method="euler", record=False)
    for _ in range(100_000):
        sim.step(1e-5)
    assert sim.t == 100_000 * 1e-5
    sim.step(0.5)
    assert sim.t == 1.5


def test_code_is_made_after_a_counted_number_of_evaluations(monkeypatch):
    """Not by a clock: two steppers go the same way to the last bit, one of them from a saved state."""
    from mekane.solvers.specialised import hand_over

    monkeypatch.setattr(hand_over, "MAKING", 1e-5)
    sim = mk.stepper(crank(), method="rk4")
    for _ in range(5):
        sim.step(DT)
    assert sim.facts()["code"] == "loops"
    twin = sim.copy()
    for _ in range(60):
        sim.step(DT), twin.step(DT)
    assert sim.facts()["code"] == twin.facts()["code"] == "specialised" and np.array_equal(sim.y, twin.y)
    sim.reset()
    assert sim.facts()["code"] == "loops"


# ---------------------------------------------------------------- events and controllers


def controlled(every=4e-3):
    """A crank with a sampled PD, an impulse and a variable that changes a law."""
    s = crank("u + gear*sin(40*t)")
    s.input("u", 0.0)
    s.variable("gear", 1)
    s.controller("pd", every, writes="u", function={"u": "-3*hinge.angle - hinge.angle.rate"})
    s.event("knock", when="t >= 0.02", impulse={"rod": (0.1, 0, 0)})
    s.event("shift", when="hinge.angle > 0.03", set={"gear": "gear + 1"})
    return s


@pytest.mark.parametrize("every", [4e-3, 1.7e-3])
@pytest.mark.parametrize("options", [{"method": "rk4"}, {}, {"constraints": "embedded"}, {"formulation": "absolute"}])
def test_events_and_controllers_are_those_of_a_run(options, every):
    """A sample at the instant of a tick or an event shows what holds from there on, in both. Steps of the adaptive
    method are others: 1e-10, ten times what 60 steps of its tolerance of 1e-11 may add up to where a law switches."""
    options = {"rtol": 1e-11, "atol": 1e-13} | options
    s = controlled(every)
    run = mk.simulate(s, 0.06, every=DT, **options | ({"step": DT} if "method" in options else {}))
    sim = mk.stepper(s, **options)
    for _ in range(60):
        sim.step(DT)
    stepped = sim.result()
    assert [entry["event"] for entry in stepped.info["events"]] == ["shift", "knock"]
    for mine, theirs in zip(stepped.record, run.record, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-10, atol=1e-10)


def test_an_event_ends_a_step():
    s = pendulum()
    s.event("end", when="hinge.angle > 0.5", stop=True)
    sim = mk.stepper(s)
    while not sim.ended_by:
        sim.step(0.05)
    assert sim.ended_by == "end" and sim["hinge.angle"] == pytest.approx(0.5, abs=1e-9) and sim.t % 0.05 > 1e-3


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("model", MODELS)
def test_reads_what_a_result_has(model, formulation):
    """Every name, twice: at its first request and bound. Angles that are not in the state lie between −π and π."""
    s = MODELS[model]()
    sim = mk.stepper(s, method="rk4", formulation=formulation)
    for _ in range(2):
        for _ in range(3):
            sim.step(DT)
        run = sim.result()
        for name in [*run.names(), *(f"{joint}.reaction" for joint in s.joints)]:
            np.testing.assert_allclose(sim[name], run.numbers(name)[-1], rtol=1e-9, atol=1e-9, err_msg=name)
            for k, label in enumerate(run.labels(name) or ()):
                assert sim[f"{name}.{label}"] == sim[name][k]


def test_reads_numbers_and_arrays_of_their_own():
    sim = mk.stepper(pendulum(), method="rk4")
    assert type(sim["hinge.angle"]) is float and type(sim["arm.position.z"]) is float and type(sim.t) is float
    before = sim["arm.position"]
    sim.step(0.1)
    assert before.tolist() == [0, 0, -0.5] and sim["arm.position"][0] != 0
    assert sim["2*hinge.angle + 1"] == 2 * sim["hinge.angle"] + 1
    with pytest.raises(ModelError, match="Did you mean 'hinge.angle'"):
        sim["hinge.angel"]


# ---------------------------------------------------------------- inputs


@pytest.mark.parametrize(
    "options", [{"method": "rk4"}, {"method": "rk4", "code": "specialised"}, {}, {"method": "implicit"}]
)
def test_inputs_are_held(options):
    """x += v h + u h²/2m, v += u h/m: exact but for rounding, 100 steps of it."""
    sim, x, v, h = mk.stepper(cart(), **options), 0.0, 0.0, 0.01
    pushes = np.random.default_rng(1).normal(size=100)
    for push in pushes:
        sim.step(h, u=push)
        x, v = x + v * h + push * h * h / 4.0, v + push * h / 2.0
        assert sim["track.displacement"] == pytest.approx(x, abs=1e-12) and sim["u"] == push
        assert sim["track.displacement.rate"] == pytest.approx(v, abs=1e-12)
    assert sim.result().numbers("u").tolist() == [*pushes, pushes[-1]]  # from each instant on
    sim.step(h)
    assert sim["u"] == pushes[-1] and sim["push.force"] == pushes[-1]
    sim.reset()
    assert sim["u"] == 0.0


@pytest.mark.parametrize(
    "law", ["u*sin(50*t) if sin(50*t) > u else 0", "u if track.displacement < 1e-4 else 0", "u*exp(-(t - 0.02)**2*1e8)"]
)
@pytest.mark.parametrize("method", ["auto", "rk4"])
def test_an_input_that_is_set_is_as_good_as_declared(law, method):
    """Also where laws of time are looked through before: to the last bit."""
    sim, other = mk.stepper(cart(law), method=method), mk.stepper(cart(law, u=0.5), method=method)
    sim.set(u=0.5)
    for _ in range(50):
        sim.step(DT), other.step(DT)
    assert state(sim) == state(other)


def test_inputs_change_laws_of_time_on_the_way():
    """When u is set the law switches at other instants. Oracle: a run whose law has the change in it."""
    sim = mk.stepper(cart("1 if sin(50*t) > u else 0"), rtol=1e-12, atol=1e-14)
    for k in range(200):
        sim.step(DT, u=0.1 if k < 77 else 0.8)
    run = mk.simulate(cart("1 if sin(50*t) > (0.1 if t < 0.077 else 0.8) else 0"), 0.2, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(sim.y[:2], run.record.y[-1, :2], rtol=0, atol=1e-12)


def test_stored_energy_that_an_input_changes_is_accounted_for():
    """A spring becomes twice as stiff: T + V − W stays, W has what was put in: u x²/2."""
    s = cart("0", k=100.0)
    s.spring("spring", ("ground", (-1, 0, 0)), ("cart", (0, 0, 0)), stiffness="k", length=0.9)
    sim = mk.stepper(s, method="rk4")
    for k in range(100):
        sim.step(DT, k=100.0 if k < 40 else 200.0)
    assert float(np.ptp(sim.result().energy["balance"].values)) < 1e-11


def test_inputs_that_are_refused():
    """All of them or none are set."""
    s = cart("u + k*v*0", v=1.0)
    s.parameter("k", 3.0)
    s.variable("gear", 1)
    sim = mk.stepper(s, method="rk4")
    for given, match in (
        ({"u": math.nan}, "input 'u' is nan.*finite"),
        ({"u": math.inf}, "finite"),
        ({"u": None}, "finite"),
        ({"w": 1.0}, r"no input 'w'.*the model has u, v"),
        ({"U": 1.0}, "Did you mean 'u'"),
        ({"k": 1.0}, r"'k' is a parameter.*sim.reset\(parameters={'k': …}\)"),
        ({"gear": 1.0}, "changed by events"),
    ):
        with pytest.raises(ModelError, match=match):
            sim.set({"v": 2.0} | given)
        with pytest.raises(ModelError, match=match):
            sim.step(DT, **given)
    assert sim["v"] == 1.0 and sim.t == 0.0
    assert sim.set({"u": 2}, v=np.float64(3))["u"] == 2.0 and sim["v"] == 3.0
    assert "inputs were set" in sim.result().error.reason
    with pytest.raises(ModelError, match="no inputs"):
        mk.stepper(pendulum()).set(u=1.0)


# ---------------------------------------------------------------- going back


def state(sim):
    return sim.t, sim.y.tobytes(), sim.workspace.measurement.tobytes(), sim.discrete.tobytes()


@pytest.mark.parametrize(
    "options", [{"method": "rk4"}, {}, {"method": "implicit"}, {"constraints": "embedded"}, {"code": "specialised"}]
)
@pytest.mark.parametrize("model", ["crank", "screw"])
def test_goes_back_to_the_last_bit(model, options):
    """Straight on; restored after a detour; as a copy; from a pickle; after a reset."""
    sim = mk.stepper(MODELS[model](), **options)
    for _ in range(7):
        sim.step(DT)
    kept, twin, sent = sim.save(), sim.copy(), pickle.loads(pickle.dumps(sim))
    for _ in range(9):
        sim.step(DT)
    straight, run = state(sim), sim.result()
    for other in (sim.restore(kept), twin, sent, copy.copy(twin).restore(pickle.loads(pickle.dumps(kept)))):
        for _ in range(9):
            other.step(DT)
        assert state(other) == straight
    assert twin.result() == run == sim.result() == sent.result()
    sim.restore(kept).step(0.3 * DT)
    assert state(sim) != straight
    sim.reset()
    for _ in range(16):
        sim.step(DT)
    assert state(sim) == straight and sim.result() == run


class Sum:
    """A controller with a state: the integral of what it reads."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.total = 0.0

    def __call__(self, t, angle):
        self.total += angle
        return -0.5 * self.total


def summed(function):
    s = crank("u")
    s.input("u", 0.0)
    s.controller("sum", "2 ms", reads="hinge.angle", writes="u", function=function)
    return s


def test_a_bound_method_is_copied_with_its_object():
    """One object may control two models at a time."""
    own = Sum()
    sims = [mk.stepper(summed(function), method="rk4") for function in (own.__call__, own, Sum())]
    for _ in range(9):
        for sim in sims:
            sim.step(DT)
    assert len({state(sim) for sim in sims}) == 1 and own.total == 0.0
    assert mk.stepper(crank()).controllers == {}


def test_controllers_with_a_state_go_back_too(tmp_path):
    """Straight on; restored; as a copy that goes on in between; from a pickle; after a reset. The object in the model is
    never called, and two steppers of it, stepped in turns, do not meet."""
    own = Sum()
    s, total = summed(own), lambda sim: sim.controllers["sum"].total
    sim = mk.stepper(s, method="rk4")
    for _ in range(7):
        sim.step(DT)
    kept, twin, before = sim.save(), sim.copy(), total(sim)
    for _ in range(9):
        sim.step(DT)
    straight = *state(sim), total(sim)
    assert before != total(sim) != 0.0
    for _ in range(9):
        twin.step(DT)
    assert (*state(twin), total(twin)) == straight
    sent = mk.stepper(s, method="rk4").restore(pickle.loads(pickle.dumps(kept)))
    sim.restore(kept)
    for other in (sim, sent):
        assert total(other) == before
    for _ in range(9):
        sim.step(DT), sent.step(DT)
    assert (*state(sim), total(sim)) == (*state(sent), total(sent)) == straight
    sim.reset()
    for _ in range(16):
        sim.step(DT)
    assert (*state(sim), total(sim)) == straight and own.total == 0.0
    with pytest.raises(ModelError, match="controller 'sum'.*an object with a state"):
        sim.save(tmp_path / "file")


def test_restores_from_files_and_other_processes(tmp_path):
    sim = mk.stepper(crank(), method="rk4")
    for _ in range(5):
        sim.step(DT)
    kept = sim.save(tmp_path / "five")
    program = """
        import sys, pickle, mekane as mk
        from tests.analyses.test_stepper import crank, state
        sim = mk.stepper(crank()).restore(sys.argv[1])
        for _ in range(5):
            sim.step(1e-3)
        sys.stdout.buffer.write(pickle.dumps((state(sim), sim.save(), sim.method)))
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(tmp_path / "five")]
    there, saved, method = pickle.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    for _ in range(5):
        sim.step(DT)
    assert there == state(sim) and saved == sim.save() and method == "rk4"
    assert sim.restore(saved).result().t.tolist() == [sim.t]  # its samples are there
    assert kept == mk.stepper(crank()).restore(tmp_path / "five").save()


ACTIONS = ("set", "step", "step", "step", "other step", "save", "restore", "copy", "pickle", "read")


@pytest.mark.parametrize("seed", range(4))
def test_random_interleavings(seed, count=80):
    """Whatever was done between, the state at a time depends only on the steps that led there, and the inputs in them.
    Oracle: a stepper that takes those steps alone."""
    interleave(seed, count)


def with_input(s, events):
    s.input("u", 0.1)
    s.force("wind", next(iter(s.bodies)), value=("u", "u*sin(t)", 0))
    s.variable("count", 0)
    if events:
        s.event("counted", when="sin(700*t) > 0.5", set={"count": "count + 1"}, once=False)
    return s


def interleave(seed, count):
    rng = np.random.default_rng(seed)
    model = ("crank", "screw", "springs", "four-bar")[seed % 4]
    options = [{"method": "rk4"}, {}, {"method": "rk4", "code": "specialised"}, {"constraints": "embedded"}][
        seed // 4 % 4
    ]
    sim, straight = (mk.stepper(with_input(MODELS[model](), seed % 3 == 0), **options) for _ in range(2))
    steps, saved = [], []
    for action in rng.choice(ACTIONS, count):
        if action in ("step", "other step"):
            dt = DT if action == "step" else float(rng.uniform(0.2, 2.0)) * DT
            inputs = {"u": float(rng.normal())} if rng.random() < 0.3 else {}
            steps = [*steps, (dt, inputs)]
            sim.step(dt, **inputs)
        elif action == "set":
            steps = [*steps, (0.0, {"u": float(rng.normal())})]
            sim.set(steps[-1][1])
        elif action == "save":
            saved.append((sim.save(), steps))
        elif action == "restore" and saved:
            kept, steps = saved[rng.integers(len(saved))]
            sim.restore(kept)
        elif action == "copy":
            sim = sim.copy()
        elif action == "pickle" and model != "springs":  # which has a function without a name
            sim = pickle.loads(pickle.dumps(sim))
        elif action == "read":
            sim[str(rng.choice(["hinge.angle"] if model == "crank" else list(sim.result().names())))]
    for dt, inputs in steps:
        straight.step(dt, **inputs) if dt else straight.set(inputs)
    assert state(sim) == state(straight)
    assert sim.result() == straight.result()


# ---------------------------------------------------------------- what was recorded


def test_results_are_results():
    """A stepped motion can be repeated, and is estimated, as a run is; T + V − W is constant."""
    s = pendulum()
    sim = mk.stepper(s, method="rk4")
    for _ in range(200):
        sim.step(DT)
    run = sim.result()
    assert len(run.t) == 201 and run.health.ok and run.error.ok
    assert float(np.ptp(run.energy["balance"].values)) < 1e-9
    sim.step(0.5 * DT)
    assert "different lengths" in sim.result().error.reason


def test_samples_can_be_fewer():
    sim = mk.stepper(pendulum(), method="rk4", every="10 ms")
    for _ in range(100):
        sim.step(DT)
    np.testing.assert_allclose(sim.result().t, np.arange(11) * 0.01, atol=1e-15)
    none = mk.stepper(pendulum(), method="rk4", record=False)
    none.step(DT)
    with pytest.raises(ModelError, match="nothing was recorded"):
        none.result()


def test_a_restored_motion_has_the_samples_before_it():
    """Of two branches from one state, each has its own samples and those they share."""
    sim = mk.stepper(pendulum(), method="rk4")
    sim.step(0.1)
    kept = sim.save()
    sim.step(0.2)
    other = sim.save()
    sim.restore(kept).step(0.3)
    assert sim.result().t.tolist() == [0, 0.1, 0.4]
    assert sim.restore(other).result().t.tolist() == pytest.approx([0, 0.1, 0.3], abs=1e-15)


# ---------------------------------------------------------------- other values, other models, bad input


def test_reset_with_other_parameters():
    sim, other = mk.stepper(crank(), method="rk4"), mk.stepper(crank().with_parameters(k=20.0), method="rk4")
    sim.step(DT)
    sim.reset(parameters={"k": 20.0})
    assert sim.t == 0.0 and sim.method == "rk4" and len(sim.result().t) == 1
    for _ in range(20):
        sim.step(DT), other.step(DT)
    assert state(sim) == state(other)
    with pytest.raises(ModelError, match="'q'"):
        sim.reset(parameters={"q": 1})


def test_a_changed_system_is_refused_until_a_reset():
    """A parameter that is set between steps never is ignored."""
    s = crank()
    sim = mk.stepper(s, method="rk4")
    sim.step(DT)
    s.set_parameters(k=20.0)
    for use in (lambda: sim.step(DT), sim.result, lambda: sim["spring.torque"]):
        with pytest.raises(ModelError, match=r"'crank' was changed since.*sim.reset\(\)"):
            use()
    sim.reset()
    s.torsional_spring("more", "elbow", stiffness=1.0)
    with pytest.raises(ModelError, match="was changed since"):
        sim.step(DT)
    sim.reset().step(DT)
    other = mk.stepper(s, method="rk4")
    other.step(DT)
    assert state(sim) == state(other)


@pytest.mark.parametrize("dt", [0, -1e-3, math.nan, math.inf, True, "1 kg", None, [1e-3]])
def test_steps_that_are_refused(dt):
    sim = mk.stepper(pendulum(), method="rk4")
    with pytest.raises(ModelError, match="dt"):
        sim.step(dt)
    assert sim.t == 0.0


def test_steps_with_a_unit_and_steps_too_short():
    sim = mk.stepper(pendulum(), method="rk4")
    assert sim.step("10 ms") == 0.01 and sim.step(1) == 1.01
    with pytest.raises(ModelError, match="must move the time on"):
        sim.step(1e-20)


@pytest.mark.parametrize("other", [pendulum, lambda: crank().with_parameters(k=3.0)])
def test_states_of_other_models_are_refused(other):
    sim, kept = mk.stepper(crank()), mk.stepper(other()).save()
    with pytest.raises(ModelError, match="the state is of another model"):
        sim.restore(kept)
    with pytest.raises(ModelError, match="formulation"):
        sim.restore(mk.stepper(crank(), formulation="absolute").save())


def test_what_is_no_state_is_refused(tmp_path):
    sim = mk.stepper(pendulum())
    with pytest.raises(ModelError, match="what sim.save"):
        sim.restore(3)
    with pytest.raises(FileError, match="no such file"):
        sim.restore(tmp_path / "none")
    (tmp_path / "text").write_text("nothing")
    with pytest.raises(FileError, match="a saved state is expected"):
        sim.restore(tmp_path / "text")
    functions = mk.stepper(crank(lambda t, state: float(np.round(t))))
    kept = functions.save()
    with pytest.raises(ModelError, match="without a file"):
        functions.save(tmp_path / "functions")
    functions.step(DT)
    assert functions.restore(kept).t == 0.0


def test_a_motion_that_fails_says_so():
    s = pendulum()
    s.motor("drive", "hinge", torque="sqrt(0.01 - t)")
    sim = mk.stepper(s, method="rk4")
    with pytest.raises(SimulationError, match="no longer finite"):
        for _ in range(100):
            sim.step(DT)
    assert 0.009 < sim.t < 0.011
    kept = sim.save()
    with pytest.raises(SimulationError):
        sim.restore(kept).step(DT)


def test_settings_may_change_between_steps():
    sim = mk.stepper(pendulum(), method="rk4")
    sim.step(DT)
    sim.method, sim.rtol = "dop853", 1e-12
    sim.step(0.1)
    assert sim.adaptive and "method" in sim.result().error.reason or "rtol" in sim.result().error.reason
    fine = mk.simulate(pendulum(), 0.101, rtol=1e-12)
    assert abs(sim["hinge.angle"] - float(fine["hinge.angle"][-1])) < 1e-10
    assert isinstance(sim, Stepper) and "pendulum" in repr(sim) and not hasattr(sim, "nothing")
