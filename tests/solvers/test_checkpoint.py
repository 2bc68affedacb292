"""A run that was interrupted goes on to the same numbers. Oracle: the run that was not, bit by bit, in the same
program.

How long a call of the compiled loop is depends on the clock; here calls are made as short as they get, so that there
are many places to interrupt a short run.
"""

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mekane as mk
from mekane.errors import FileError, ModelError
from mekane.solvers import solver
from mekane.solvers.specialised import hand_over

sys.path.insert(0, os.fspath(Path(__file__).parent))


def crank():
    """A loop, comparisons of the state and of time, an integral, angles that turn several times."""
    s = mk.System("crank", parameters={"k": 10.0})
    s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -1.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=20.0)
    s.pin("elbow", "arm", "rod", at=(0, 0, -1), axis="y")
    s.distance("tie", ("ground", (3, 0, -1)), ("rod", (0, 0, 0)))
    s.torsional_damper("damper", "elbow", damping=0.05)
    s.motor("drive", "hinge", torque="sin(5*t) if hinge.angle < 0.3 else (0.2 if t < 0.5 else -0.4)")
    s.pid("control", "elbow", target=0.1, stiffness=2.0, integral=1.0, damping=0.1)
    return s


def stiff():
    """It turns out stiff at once and goes on with the implicit method."""
    s = mk.System("stiff")
    s.body("mass", mass=1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "mass", axis="x", rate=1.0)
    s.sliding_damper("damper", "rail", damping=2e4)
    s.sliding_spring("spring", "rail", stiffness="1e4")
    return s


RUNS = {
    "loops": (crank, dict(t_end=2.0, code="loops")),
    "hand-over": (crank, dict(t_end=8.0)),
    "specialised": (crank, dict(t_end=2.0, code="specialised", formulation="absolute")),
    "embedded": (crank, dict(t_end=1.0, constraints="embedded")),
    "bryan": (crank, dict(t_end=1.0, formulation="bryan")),
    "implicit": (crank, dict(t_end=0.3, method="implicit")),
    "rk4": (crank, dict(t_end=1.0, method="rk4", step=1e-3, code="loops")),
    "stiff": (stiff, dict(t_end=1.0, every=1e-3)),
}


@pytest.fixture(autouse=True)
def short_calls(monkeypatch):
    make_short(monkeypatch.setattr)


def make_short(setattr):
    setattr(solver, "CALL_SECONDS", 0.0)
    setattr(hand_over, "WORTH", 0.0)  # every run that can goes over to specialised code


@pytest.fixture(scope="module")
def whole():
    """The undisturbed runs, by name, in calls of the usual length."""
    found = {}

    def of(name):
        if name not in found:
            system, options = RUNS[name]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(hand_over, "WORTH", 0.0)
                patch.setattr(solver, "CALL_SECONDS", 0.2)
                found[name] = mk.simulate(system(), **options)
        return found[name]

    return of


def test_the_runs_are_what_they_are_called(whole):
    assert any("stiff from" in note for note in whole("stiff").info["notes"])
    assert (
        whole("hand-over").info["code"] == "specialised" == whole("specialised").info["code"]
        and whole("loops").info["switches"] > 2
    )


@pytest.mark.parametrize("name", RUNS)
def test_the_length_of_calls_changes_nothing(name, whole):
    system, options = RUNS[name]
    assert mk.simulate(system(), **options) == whole(name)


class Presses:
    """Ctrl-C after a random number of calls of the compiled loop."""

    def __init__(self, random):
        self.left = int(random.integers(1, 12))

    def __call__(self, t, share):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("name", RUNS)
def test_interrupted_and_resumed(name, whole, tmp_path):
    """The last resumption is not interrupted any more."""
    system, options = RUNS[name]
    random, keywords = np.random.default_rng(3), dict(options, checkpoint=tmp_path / "x", resume=True)
    for _ in range(10):
        run = mk.simulate(system(), progress=Presses(random), **keywords)
        if not run.info["stopped"]:
            break
        assert "by the user" in run.info["stopped"] and run != whole(name)
    assert mk.simulate(system(), **keywords) == whole(name)


KILLED = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
import test_checkpoint as test
test.make_short(setattr)
test.run_and_be_killed(sys.argv[1], sys.argv[2], int(sys.argv[3]))
"""


def run_and_be_killed(name, path, seed):
    """In another process: end without a word after a few calls of the loop, or in the middle of writing a
    checkpoint."""
    from mekane import files

    left, replace = itertools.count(int(np.random.default_rng(seed).integers(1, 7)), -1), files.put_in_place

    def live_on(*_):
        if seed and next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def dangerous_replace(*keywords):
        live_on()
        replace(*keywords)

    files.put_in_place = dangerous_replace
    system, options = RUNS[name]
    run = mk.simulate(system(), checkpoint=path, checkpoint_every=0, resume=True, progress=live_on, **options)
    files.put_in_place = replace
    run.save(f"{path}.nc")


LONG = pytest.mark.exhaustive


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize(
    "name, times",
    [("hand-over", 3), ("stiff", 2), pytest.param("hand-over", 10, marks=LONG), pytest.param("stiff", 3, marks=LONG)],
)
def test_killed_again_and_again(name, times, whole, tmp_path):
    """kill -9, each time at another place; the last process (seed 0) is left in peace."""
    script = KILLED.format(folder=os.fspath(Path(__file__).parent))
    ends = [
        subprocess.run([sys.executable, "-c", script, name, tmp_path / "x", str(seed)], capture_output=True).returncode
        for seed in (*range(1, 1 + times), 0)
    ]
    assert ends == [-signal.SIGKILL] * times + [0]
    assert mk.load(tmp_path / "x.nc") == whole(name)


# ---------------------------------------------------------------- what is refused


@pytest.fixture
def stopped(tmp_path):
    """A checkpoint of a run that was interrupted."""
    path = tmp_path / "x"
    mk.simulate(crank(), 2.0, checkpoint=path, progress=Presses(np.random.default_rng(1)))
    return path


def test_other_runs(stopped):
    for options, word in (
        ({"rtol": 1e-6}, "rtol"),
        ({"every": 0.5}, "every"),
        ({"formulation": "absolute"}, "formulation"),
    ):
        with pytest.raises(FileError, match=f"it is of another run: {word} differ"):
            mk.simulate(crank(), 2.0, checkpoint=stopped, resume=True, **options)
    with pytest.raises(FileError, match="another run: model, t_end, every differ"):
        mk.simulate(crank().with_parameters(k=3.0), 1.0, checkpoint=stopped, resume=True)


def test_damaged_checkpoints(stopped):
    whole, random = stopped.read_bytes(), np.random.default_rng(0)
    for k in range(60):
        damaged = bytearray(whole)
        damaged[random.integers(len(whole))] ^= 1 << random.integers(8)
        stopped.write_bytes(damaged if k % 2 else whole[: random.integers(len(whole))])
        with pytest.raises(FileError, match="checksum"):
            mk.simulate(crank(), 2.0, checkpoint=stopped, resume=True)


def test_words_that_do_not_go_together(tmp_path):
    for keywords in ({"resume": True}, {"checkpoint_every": 3}):
        with pytest.raises(ModelError, match="checkpoint is not given"):
            mk.simulate(crank(), 1.0, **keywords)
    with pytest.raises(FileError, match="no such folder"):
        mk.simulate(crank(), 1.0, checkpoint=tmp_path / "no" / "x")
    with pytest.raises(ModelError, match="checkpoint_every"):
        mk.simulate(crank(), 1.0, checkpoint=tmp_path / "x", checkpoint_every=-1)


def test_functions_have_no_checkpoint(tmp_path):
    s = crank()
    s.motor("more", "elbow", torque=lambda t, state: float(np.round(t)))
    with pytest.raises(ModelError, match="checkpoint: .*'more'.*Python function"):
        mk.simulate(s, 1.0, checkpoint=tmp_path / "x")


def test_a_full_disk_does_not_end_the_run(whole):
    run = mk.simulate(crank(), 8.0, checkpoint="/dev/full", checkpoint_every=0)
    assert run.info["notes"].count("no checkpoint could be kept: it cannot be written (No space left on device)") == 1
    assert np.array_equal(run.record.y, whole("hand-over").record.y)


def test_no_checkpoint_without_need(tmp_path):
    """Runs of less than ten seconds leave none."""
    mk.simulate(crank(), 0.1, checkpoint=tmp_path / "x", checkpoint_every=1e6)
    assert not list(tmp_path.iterdir())
