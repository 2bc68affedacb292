"""FMUs run by FMPy, an importer that shares nothing with Mekane. Oracle: mk.simulate of the same model, the engine's
accelerations, and closed forms.

Tolerances: co-simulation has a relative tolerance of 1e-9 in every step, as mk.simulate; over a second or two both are
within 1e-7 of the motion. Model exchange is integrated by FMPy's CVODE (multistep, at 1e-9), which is worse by two
digits: 1e-5.
"""

import ctypes
import math
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import mekane as mk
from mekane import gallery
from mekane.exporters.fmu import export as fmu_export
from mekane.exporters.fmu.archive import binary_place

GCC = shutil.which("gcc")
pytestmark = pytest.mark.skipif(GCC is None, reason="there is no gcc here")
fmpy = pytest.importorskip("fmpy")
T_END = 1.0
KINDS = {"CoSimulation": 1e-7, "ModelExchange": 1e-5}


def lever():
    """A pendulum with a parameter, an input, a stop that is a comparison, and a sensor on its tip."""
    s = mk.System("lever", parameters={"m": 1.5, "k": 400.0})
    arm = s.body("arm", mass=mk.Param("m"), inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=3.0)
    s.input("drive", 0.0, unit="N m")
    s.torsional_law("stop", "hinge", torque="-k*max(q - 0.3, 0)")
    s.torsional_law("motor", "hinge", torque="drive - 0.2*u")
    s.marker("tip", arm, at=(0, 0, -0.5))
    return s


def loop():
    return gallery.find("four_bar").system()


MODELS = {"lever": lever, "loop": loop}
OUTPUTS = {"lever": ["hinge.angle", "hinge.angle.rate", "tip.position", "stop.torque", "energy.kinetic"], "loop": None}


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    """{(model, version): file}, each compiled once."""
    folder, found = tmp_path_factory.mktemp("fmus"), {}

    def fmu(name, version):
        if (name, version) not in found:
            path = folder / f"{name}{version}.fmu"
            notes = mk.export_fmu(MODELS[name](), path, version=version, outputs=OUTPUTS[name], t_end=T_END)
            assert notes == []
            found[name, version] = path
        return found[name, version]

    return fmu


def channel(run, name):
    return run.energy[name.removeprefix("energy.")].values if name.startswith("energy.") else np.asarray(run[name])


def worst(found, run):
    """Largest difference from a run over all outputs at its samples, relative to the largest value or one."""
    at = np.searchsorted(run.t, found["time"] - 1e-9)
    samples = np.abs(run.t[np.minimum(at, len(run.t) - 1)] - found["time"]) < 1e-9
    errors = []
    for name in found.dtype.names[1:]:
        expected = channel(run, name)
        error = np.abs(found[name][samples] - expected[at[samples]])
        errors.append(error.max() / max(1.0, np.abs(expected).max()))
    assert samples.sum() >= len(run.t)
    return max(errors)


def simulated(path, kind, **options):
    return fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=T_END, output_interval=T_END / 50, **options)


@pytest.mark.parametrize("version", (2, 3))
@pytest.mark.parametrize("name", MODELS)
def test_the_motion_is_that_of_the_engine(fmus, name, version):
    from fmpy.validation import validate_fmu

    path, run = fmus(name, version), mk.simulate(MODELS[name](), T_END, every=T_END / 50)
    assert validate_fmu(str(path)) == []
    for kind, allowed in KINDS.items():
        assert worst(simulated(path, kind), run) < allowed, kind


def test_a_parameter_and_an_input(fmus):
    """The input steps at 0.4 s: an event of the engine, too."""
    signal = np.array([(0.0, 0.0), (0.4, 0.0), (0.4, 2.0), (T_END, 2.0)], dtype=[("time", float), ("drive", float)])
    s = lever()
    s.event("on", when="t >= 0.4", set={"drive": 2.0})
    run = mk.simulate(s.with_parameters({"m": 2.5}), T_END, every=T_END / 50)
    for version in (2, 3):
        for kind, allowed in KINDS.items():
            found = simulated(fmus("lever", version), kind, start_values={"m": 2.5}, input=signal)
            assert worst(found, run) < allowed, (version, kind)


# ---------------------------------------------------------------- one instance


class Instance:
    """An FMU in FMPy, of either version, initialized."""

    def __init__(self, path, kind="CoSimulation", start=None, tolerance=1e-9):
        self.description = fmpy.read_model_description(str(path))
        self.folder = fmpy.extract(str(path))
        self.version = int(self.description.fmiVersion[0])
        self.fmu = fmpy.instantiate_fmu(self.folder, self.description, kind)
        self.references = {one.name: one.valueReference for one in self.description.modelVariables}
        experiment = dict(tolerance=tolerance, startTime=0.0)
        if self.version == 2:
            self.fmu.setupExperiment(**experiment)
            experiment = {}
        if start:
            self.set(start)
        self.fmu.enterInitializationMode(**experiment)
        self.fmu.exitInitializationMode()
        if kind == "ModelExchange":
            self.fmu.enterContinuousTimeMode()

    def get(self, *names):
        read = self.fmu.getReal if self.version == 2 else self.fmu.getFloat64
        return np.array(read([self.references[name] for name in names]))

    def set(self, values):
        write = self.fmu.setReal if self.version == 2 else self.fmu.setFloat64
        write([self.references[name] for name in values], list(values.values()))

    def step(self, t, h):
        self.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    @property
    def n(self):
        return sum(one.derivative is not None for one in self.description.modelVariables)

    def rates(self, t, y):
        """As an importer requests them."""
        x, yd = np.array(y, float), np.zeros(len(y))
        pointer = lambda array: array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        self.fmu.setTime(t)
        if self.version == 2:
            self.fmu.setContinuousStates(pointer(x), len(x))
            self.fmu.getDerivatives(pointer(yd), len(yd))
        else:
            self.fmu.setContinuousStates(pointer(x), len(x))
            self.fmu.getContinuousStateDerivatives(pointer(yd), len(yd))
        return yd

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture
def opened():
    made = []

    def open_one(*arguments, **options):
        made.append(Instance(*arguments, **options))
        return made[-1]

    yield open_one
    for one in made:
        one.close()


@pytest.mark.parametrize("version", (2, 3))
def test_a_saved_state_goes_on_to_the_last_bit(fmus, opened, version):
    """Kept in the FMU, and as bytes in another instance of it."""
    one, other = (opened(fmus("loop", version)) for _ in range(2))
    names = ["J1.angle", "J2.angle", "J4.angle.rate"]
    one.step(0.0, 0.3)
    if version == 2:
        kept = one.fmu.getFMUstate()
        data = one.fmu.serializeFMUstate(kept)
    else:
        kept = one.fmu.getFMUState()
        data = one.fmu.serializeFMUState(kept)
    one.step(0.3, 0.4)
    first = one.get(*names)
    (one.fmu.setFMUstate if version == 2 else one.fmu.setFMUState)(kept)
    one.step(0.3, 0.4)
    assert one.get(*names).tobytes() == first.tobytes()
    if version == 2:
        other.fmu.setFMUstate(other.fmu.deSerializeFMUstate(data))
    else:
        other.fmu.setFMUState(other.fmu.deserializeFMUState(data))
    other.step(0.3, 0.4)
    assert other.get(*names).tobytes() == first.tobytes()
    (one.fmu.freeFMUstate if version == 2 else one.fmu.freeFMUState)(kept)


def test_bytes_of_another_model_are_refused(fmus, opened):
    one, other = opened(fmus("loop", 2)), opened(fmus("lever", 2))
    data = other.fmu.serializeFMUstate(other.fmu.getFMUstate())
    with pytest.raises(Exception, match="fmi2DeSerializeFMUstate failed"):
        one.fmu.deSerializeFMUstate(data)


def test_loops_stay_closed_in_co_simulation(fmus, opened, tmp_path):
    """Residuals by the exported NumPy functions, which share no code with the C of the projection. 1e-12: [m, rad]."""
    mk.export_equations(loop(), tmp_path / "exported_loop.py")
    namespace = {}
    exec((tmp_path / "exported_loop.py").read_text(encoding="utf-8"), namespace)
    one = opened(fmus("loop", 2), tolerance=1e-5)
    for k in range(20):
        one.step(0.1 * k, 0.1)
        y = one.get(*namespace["STATE"])
        assert np.abs(namespace["constraint"](one.get("time")[0], y)).max() < 1e-12
        assert np.abs(namespace["constraint_rate"](one.get("time")[0], y)).max() < 1e-11


def test_accelerations_are_those_of_the_engine(fmus, opened):
    """To round-off, also where the start is not."""
    s = lever()
    one = opened(fmus("lever", 3), "ModelExchange")
    for t, q, u in ((0.0, 0.1, 1.0), (0.7, -0.4, 2.0)):
        assert np.allclose(one.rates(t, (q, u)), [u, *s.forward_dynamics([q], [u], t)], rtol=1e-12)


@pytest.mark.parametrize("version", (2, 3))
def test_directional_derivatives(fmus, opened, version):
    """Of accelerations and outputs, by states, an input and a parameter; against central differences of the FMU's own
    values, which lose half of the digits: 1e-7."""
    one = opened(fmus("lever", version), "ModelExchange")
    unknowns, h = ["der(hinge.angle.rate)", "tip.position.x", "energy.kinetic"], 1e-5
    for known in ("hinge.angle", "hinge.angle.rate", "drive", "m"):
        found = []
        for sign in (1.0, -1.0):
            y, others = np.array([0.2, 1.3]), {"drive": 0.4, "m": 1.5}
            if known in others:
                others[known] += sign * h
            else:
                y[["hinge.angle", "hinge.angle.rate"].index(known)] += sign * h
            one.set(others)
            one.rates(0.0, y)
            found.append(one.get(*unknowns))
        one.set({"drive": 0.4, "m": 1.5})
        one.rates(0.0, (0.2, 1.3))
        references = [one.references[name] for name in unknowns], [one.references[known]], [1.0]
        exact = one.fmu.getDirectionalDerivative(*references)
        assert np.allclose(exact, (found[0] - found[1]) / (2.0 * h), rtol=1e-7, atol=1e-7), known


def test_two_fmus_that_are_coupled(tmp_path, opened):
    """A double pendulum cut at a spring and damper: two FMUs whose derivatives are integrated together, the force between
    them computed outside. Oracle: the whole in one model. Both at 1e-10 in a step."""

    def upper(s):
        arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
        s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=2.0)
        s.marker("tip", arm, at=(0, 0, -0.5))
        return arm

    def lower(s):
        bob = s.body("bob", mass=0.5, inertia=(0.02, 0.02, 0.02), position=(0, 0, -1.6))
        s.planar("plane", s.ground, bob, at=(0, 0, -1.6), normal="y")
        s.marker("hook", bob, at=(0, 0, 0.2))
        return bob

    stiffness, damping, length = 300.0, 3.0, 0.35
    whole = mk.System("whole")
    ends = (upper(whole), (0, 0, -0.5)), (lower(whole), (0, 0, 0.2))
    whole.spring("link", *ends, stiffness=stiffness, length=length, damping=damping)
    halves = []
    for name, build, point, marker in (("upper", upper, (0, 0, -0.5), "tip"), ("lower", lower, (0, 0, 0.2), "hook")):
        s = mk.System(name)
        body = build(s)
        for axis in "xz":
            s.input(f"f{axis}", 0.0, unit="N")
        s.force("pull", body, ("fx", 0, "fz"), at=point)
        path = tmp_path / f"{name}.fmu"
        mk.export_fmu(s, path, outputs=[f"{marker}.position", f"{marker}.velocity"])
        names = [f"{marker}.{what}.{axis}" for what in ("position", "velocity") for axis in "xz"]
        halves.append((opened(path, "ModelExchange"), names))
    (a, _), (b, _) = halves

    def rates(t, y):
        states = (y[: a.n], y[a.n :])
        ends = []
        for (one, names), state in zip(halves, states, strict=True):
            one.rates(t, state)
            ends.append(one.get(*names))
        apart = ends[1] - ends[0]
        distance = np.hypot(*apart[:2])
        along = apart[:2] / distance
        pull = (stiffness * (distance - length) + damping * (apart[2:] @ along)) * along
        a.set({"fx": pull[0], "fz": pull[1]})
        b.set({"fx": -pull[0], "fz": -pull[1]})
        return np.concatenate([one.rates(t, state) for (one, _), state in zip(halves, states, strict=True)])

    start = np.concatenate(
        [[v.start for v in one.description.modelVariables if states_of(one, v)] for one, _ in halves]
    )
    solved = solve_ivp(rates, (0.0, 1.0), start.astype(float), "DOP853", rtol=1e-10, atol=1e-12)
    run = mk.simulate(whole, 1.0, rtol=1e-10, atol=1e-13)
    assert abs(solved.y[0, -1] - float(run["hinge.angle"][-1])) < 1e-8
    b.rates(1.0, solved.y[a.n :, -1])
    assert np.allclose(b.get(*halves[1][1])[:2], run["hook.position"].values[-1, [0, 2]], atol=1e-8)


def states_of(one, variable):
    return any(other.derivative is variable for other in one.description.modelVariables)


def test_it_runs_where_there_is_no_mekane(fmus, tmp_path):
    """A process of its own, whose path holds FMPy and not Mekane."""
    site = Path(fmpy.__file__).parents[1]
    code = f"""
import sys
sys.path.append({str(site)!r})
try:
    import mekane
except ImportError:
    import fmpy
    found = fmpy.simulate_fmu({str(fmus("loop", 2))!r}, fmi_type="CoSimulation", stop_time=1.0, output_interval=0.5)
    print(repr(float(found["J1.angle"][-1])))
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert abs(float(done.stdout) - float(mk.simulate(loop(), 1.0)["J1.angle"][-1])) < 1e-7


# ---------------------------------------------------------------- the archive


def test_sources_build_without_a_warning(fmus, tmp_path):
    """With comparisons and a tree, and with a loop: all branches of the shared text."""
    for name, version in (("lever", 2), ("loop", 3)):
        folder = tmp_path / name
        zipfile.ZipFile(fmus(name, version)).extractall(folder)
        strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fPIC", "-shared"]
        subprocess.run([GCC, *strict, "-o", folder / "a.so", folder / "sources" / "all.c", "-lm"], check=True)


def test_without_a_compiler_there_are_sources_alone(monkeypatch, tmp_path):
    monkeypatch.setattr(fmu_export, "find_compiler", lambda: None)
    [note] = mk.export_fmu(lever(), tmp_path / "lever.fmu")
    assert "no C compiler" in note
    names = zipfile.ZipFile(tmp_path / "lever.fmu").namelist()
    assert "sources/all.c" in names and not any(name.startswith("binaries") for name in names)


def test_the_same_model_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        mk.export_fmu(lever(), tmp_path / name / "lever.fmu", binary=False)
    assert (tmp_path / "a" / "lever.fmu").read_bytes() == (tmp_path / "b" / "lever.fmu").read_bytes()


def test_the_licence_is_that_of_mekane(fmus):
    text = zipfile.ZipFile(fmus("lever", 2)).read("documentation/licenses/license.txt").decode()
    assert text == (Path(mk.__file__).parents[1] / "LICENSE").read_text(encoding="utf-8")


def test_the_binary_has_the_place_of_the_standard(fmus):
    for version in (2, 3):
        names = zipfile.ZipFile(fmus("lever", version)).namelist()
        assert binary_place(version, f"lever{version}") in names


# ---------------------------------------------------------------- what is refused


def with_contact(s):
    s.limit("end", "hinge", upper=1.0)


def with_inactive(s):
    """Not active at the start, and no event that would lock it: as simulated it never holds."""
    s.prescribed("hold", "hinge", motion="0.1*t", active=False)


def with_function(s):
    s.torsional_law("odd", "hinge", torque=lambda q, u: math.sin(float(q)))


@pytest.mark.parametrize(
    "change, part",
    [
        (with_contact, "limit 'end'"),
        (with_inactive, "prescribed 'hold'"),
        (with_function, "torsional_law 'odd'"),
    ],
)
def test_what_has_no_c_code_is_named(tmp_path, change, part):
    s = lever()
    change(s)
    with pytest.raises(mk.ModelError) as caught:
        mk.export_fmu(s, tmp_path / "x.fmu")
    assert caught.value.part == part and caught.value.expected
    assert not (tmp_path / "x.fmu").exists()


def test_contact_laws_are_left_out_on_request(tmp_path):
    """The file is, byte by byte, that of the model without them; the notes name them."""
    s, plain = lever(), lever()
    with_contact(s)
    notes = mk.export_fmu(s, tmp_path / "x.fmu", contact_laws=False, binary=False)
    first = (tmp_path / "x.fmu").read_bytes()
    assert mk.export_fmu(plain, tmp_path / "x.fmu", contact_laws=False, binary=False) == notes[1:]
    assert first == (tmp_path / "x.fmu").read_bytes() and "'end'" in notes[0]


@pytest.mark.parametrize(
    "options, text",
    [
        ({"version": 1}, "2 or 3 is expected"),
        ({"outputs": ["arm.orientation"]}, "made continuous over the samples"),
        ({"outputs": ["arm.positon"]}, "arm.positon"),
        ({"inputs": ["mm"]}, "no input and no parameter"),
        ({"t_end": -1}, "greater than zero"),
    ],
)
def test_odd_arguments(tmp_path, options, text):
    with pytest.raises(mk.MekaneError, match=text):
        mk.export_fmu(lever(), tmp_path / "x.fmu", **options)


def test_an_input_that_moves_a_constraint_is_refused(tmp_path):
    s = mk.System("driven", parameters={"a": 0.2})
    arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
    s.prescribed("drive", "hinge", "a*t")
    with pytest.raises(mk.ModelError, match="a constraint depends on it"):
        mk.export_fmu(s, tmp_path / "x.fmu", inputs=["a"])


# ---------------------------------------------------------------- the gallery, by hand

GALLERY = {
    "double_pendulum": 1.0,
    "slider_crank_planar": 1.0,
    "slider_crank_spatial": 1.0,
    "bricard": 0.5,
    "driven_four_bar": 1.0,
    "squeezer": 0.01,
    "governor": 1.0,
    "heavy_top": 0.5,
    "rolling_disc_1": 0.5,
    "sprung_mechanism": 1.0,
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("version", (2, 3))
@pytest.mark.parametrize("name", GALLERY)
def test_mechanisms_of_the_gallery(tmp_path, name, version):
    """1e-6 and 1e-4 relative: rates near dead centres and of light parts magnify errors of the steps by a thousand."""
    t_end, system = GALLERY[name], gallery.find(name).system()
    path = tmp_path / f"{name}.fmu"
    mk.export_fmu(system, path, version=version, t_end=t_end)
    run = mk.simulate(system, t_end, every=t_end / 50)
    for kind, allowed in (("CoSimulation", 1e-6), ("ModelExchange", 1e-4)):
        found = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=t_end, output_interval=t_end / 50)
        assert worst(found, run) < allowed, kind
