"""Events and sampled controllers in FMUs, run by FMPy. Oracle: mk.simulate of the same model, and closed forms.

Tolerances as in test_fmu.py: 1e-7 for co-simulation, which has the method of mk.simulate, 1e-5 for FMPy's CVODE."""

import shutil

import numpy as np
import pytest

import mekane as mk

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
fmpy = pytest.importorskip("fmpy")
T_END = 1.0
KINDS = {"CoSimulation": 1e-7, "ModelExchange": 1e-5}


def arm(name="arm"):
    s = mk.System(name, parameters={"kp": 30.0})
    s.body("arm", mass=1.5, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=2.0)
    s.input("drive", 0.0, unit="N m")
    s.motor("motor", "hinge", torque="drive - 0.1*hinge.angle.rate")
    return s


def controlled():
    """A loop closed by samples, cut off, with a delay; a second controller of another period moves its target."""
    s = arm("controlled")
    s.input("target", 0.1)
    s.input("wanted", 0.4)
    s.controller("plan", "0.17 s", offset="0.05 s", function={"target": "wanted*sin(9*t)"})
    law = "min(max(kp*(target - hinge.angle) - 2*hinge.angle.rate, -6), 6)"
    s.controller("pd", "20 ms", delay="13 ms", function={"drive": law})
    return s


def switched():
    """Counts its swings, changes its drive, and starts with an event."""
    s = arm("switched")
    s.variable("swings", 0)
    s.variable("gain", 1)
    s.event("boost", when="t >= 0.31", set={"gain": 3})
    s.event("right", when="hinge.angle > 0.2", set={"drive": "-4*gain", "swings": "swings + 1"}, once=False)
    s.event("left", when="hinge.angle < -0.2", set={"drive": "4*gain", "swings": "swings + 1"}, once=False)
    s.event("first", when="t >= 0", set={"drive": 0.5}, at_start=True)
    s.event("chain", when="swings > 2", set={"gain": 0.5})
    return s


MODELS = {"controlled": controlled, "switched": switched}


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fmus")
    found = {}

    def fmu(name, version):
        if (name, version) not in found:
            found[name, version] = folder / f"{name}{version}.fmu"
            assert mk.export_fmu(MODELS[name](), found[name, version], version=version, t_end=T_END) == []
        return found[name, version]

    return fmu


ORDINARY = [("controlled", 2), ("switched", 3)]
OTHERS = [pytest.param(*one, marks=pytest.mark.exhaustive) for one in (("controlled", 3), ("switched", 2))]


@pytest.mark.parametrize("name, version", [*ORDINARY, *OTHERS])
def test_the_motion_is_that_of_the_engine(fmus, name, version):
    """At samples between the ticks, with all that events and controllers have set. FMPy's CVODE is at 1e-9 in each of its steps,
    which are anew after every event."""
    from fmpy.validation import validate_fmu

    path = fmus(name, version)
    assert validate_fmu(str(path)) == []
    for kind, allowed in KINDS.items():
        found = fmpy.simulate_fmu(
            str(path),
            fmi_type=kind,
            stop_time=T_END,
            output_interval=0.0101,
            relative_tolerance=1e-9,
            record_events=False,
        )
        run = mk.simulate(MODELS[name](), T_END, every=found["time"].tolist())
        channels = [one for one in found.dtype.names if not one.startswith(("energy", "time"))]
        assert len(channels) > 3 and np.ptp(run["drive"].values) > 1
        for one in channels:
            assert np.abs(found[one] - run[one].values).max() < allowed * max(1.0, np.ptp(run[one].values)), (kind, one)


def test_time_events_are_announced(fmus):
    """FMI 2, model exchange: after the ticks at 0 the value of the first waits until 13 ms; every instant is known beforehand."""
    description = fmpy.read_model_description(str(fmus("controlled", 2)))
    folder = fmpy.extract(str(fmus("controlled", 2)))
    fmu = fmpy.instantiate_fmu(folder, description, "ModelExchange")
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    instants = []
    for _ in range(6):
        again, ends, _, _, is_defined, next_time = fmu.newDiscreteStates()
        assert is_defined and not again and not ends
        instants.append(next_time)
        fmu.setTime(next_time)
    assert np.allclose(instants, [0.013, 0.02, 0.033, 0.04, 0.05, 0.053], atol=1e-15)
    fmu.terminate()
    fmu.freeInstance()
    shutil.rmtree(folder, ignore_errors=True)


def test_a_controller_reads_inputs_of_the_same_instant(tmp_path):
    """An input from outside steps at a tick; the controller passes it on at once, in both kinds. Oracle: the engine, where an
    event sets the input."""
    s = arm("follower")
    s.input("order", 0.5)
    s.controller("pass", "0.1 s", function={"drive": "2*order"})
    mk.export_fmu(s, tmp_path / "follower.fmu", version=3)
    signal = np.array([(0.0, 0.5), (0.4, 0.5), (0.4, 3.0), (1.0, 3.0)], dtype=[("time", float), ("order", float)])
    s.event("step", when="t >= 0.35", set={"order": 3.0})
    run = mk.simulate(s, T_END, every=0.05)
    for kind, allowed in KINDS.items():
        found = fmpy.simulate_fmu(
            str(tmp_path / "follower.fmu"), fmi_type=kind, stop_time=T_END, output_interval=0.05, input=signal,
            relative_tolerance=1e-9, record_events=False,
        )  # fmt: skip
        assert np.abs(found["hinge.angle"] - run["hinge.angle"].values).max() < allowed, kind


def test_an_event_ends_the_motion(tmp_path):
    """A body thrown up comes back after 2 v/g, and with that the simulation, in both kinds of both versions."""
    s = mk.System("throw", gravity=(0, 0, -10))
    s.body("ball", mass=1.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "ball", axis="z", rate=3.0)
    s.event("down", when="rail.displacement < 0", stop=True)
    for version in (2, 3):
        path = tmp_path / f"throw{version}.fmu"
        mk.export_fmu(s, path, version=version)
        for kind in KINDS:
            found = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=T_END, output_interval=0.05)
            assert 0.55 < found["time"][-1] <= 0.65 + 1e-9, (version, kind)
            assert abs(found["rail.displacement"][-1]) < 1e-3 or kind == "ModelExchange"


def test_saved_states_hold_clocks_and_events(fmus):
    """What follows from a saved state is the same to the last bit, values that wait included."""
    description = fmpy.read_model_description(str(fmus("controlled", 2)))
    folder = fmpy.extract(str(fmus("controlled", 2)))
    fmu = fmpy.instantiate_fmu(folder, description, "CoSimulation")
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    names = {one.name: one.valueReference for one in description.modelVariables}
    step = lambda t, h: fmu.doStep(currentCommunicationPoint=t, communicationStepSize=h)
    step(0.0, 0.105)  # a value computed at 0.1 waits
    kept = fmu.getFMUstate()
    ends = []
    for _ in range(2):
        step(0.105, 0.3)
        ends.append(fmu.getReal([names["hinge.angle"], names["drive"]]))
        fmu.setFMUstate(kept)
    assert ends[0] == ends[1]
    fmu.freeFMUstate(kept)
    fmu.terminate()
    fmu.freeInstance()
    shutil.rmtree(folder, ignore_errors=True)


def impulsive(s):
    s.event("bounce", when="hinge.angle > 1", set={"hinge.angle.rate": 0})


def in_python(s):
    values = [1.0]
    s.controller("odd", "0.1 s", reads="hinge.angle", writes="drive", function=lambda t, q: values[0] * q)


@pytest.mark.parametrize("change, part, text", [
    (impulsive, "event 'bounce'", "sets 'hinge.angle.rate'"),
    (in_python, "controller 'odd'", "its function is Python"),
])  # fmt: skip
def test_what_has_no_c_code_is_named(tmp_path, change, part, text):
    s = arm()
    change(s)
    with pytest.raises(mk.ModelError, match=text) as caught:
        mk.export_fmu(s, tmp_path / "x.fmu")
    assert caught.value.part == part


def test_what_is_set_inside_is_no_input(tmp_path):
    with pytest.raises(mk.ModelError, match="an input of the FMU is set from outside alone"):
        mk.export_fmu(controlled(), tmp_path / "x.fmu", inputs=["drive"])


def test_sources_build_without_a_warning(fmus, tmp_path):
    import subprocess
    import zipfile

    for name, version in ORDINARY:
        folder = tmp_path / name
        zipfile.ZipFile(fmus(name, version)).extractall(folder)
        strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fPIC", "-shared"]
        subprocess.run(["gcc", *strict, "-o", folder / "a.so", folder / "sources" / "all.c", "-lm"], check=True)
