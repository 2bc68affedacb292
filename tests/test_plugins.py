"""What installed packages add to Mekane by entry points. Oracle: a package beside these tests (plugin_package), which
child processes find as an installed one, and packages that fail on purpose."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent / "plugin_package"
ENTRY_POINTS = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]


def install(folder: Path, name: str, entry_points: dict, **modules) -> None:
    """As pip leaves a package: its modules, and a folder that describes it."""
    about = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        line
        for group, some in entry_points.items()
        for line in (f"[{group}]", *(f"{k} = {v}" for k, v in some.items()))
    ]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text, encoding="utf-8")


def run(code: str, *folders: Path, cwd: Path, warnings: str = "always"):
    """The outcome of a program that finds these folders on its path."""
    paths = "; ".join(f"sys.path.append({str(folder)!r})" for folder in folders)
    program = f"import sys, warnings; {paths or 'pass'}; warnings.simplefilter({warnings!r})\n{code}"
    return subprocess.run([sys.executable, "-c", program], cwd=cwd, capture_output=True, text=True, timeout=600)


@pytest.fixture
def example(tmp_path):
    """The folders of the package as it is installed."""
    install(tmp_path / "installed", "mekane-example", ENTRY_POINTS)
    return PACKAGE, tmp_path / "installed"


KINDS = """
import numpy as np
import mekane as mk

def build():
    s = mk.System("plugins", gravity=(0, 0, -9.81))
    arm = s.body("arm", mass=1.0, inertia=(0.02, 0.02, 0.02), position=(0.2, 0, -0.3))
    s.slot("slot", s.ground, arm, at=(0.2, 0, 0), axis="y")
    s.bumper("buffer", (s.ground, (1, 0, 0)), (arm, (0, 0, 0)), stiffness="200 N/m", length="90 cm")
    ball = s.body("ball", mass=2.0, inertia=(1, 1, 1), position=(-1, 0, -1))
    s.slider("guide", s.ground, ball, axis="z")
    s.rope("rope", (arm, (0, 0, 0)), ("ball", (0, 0, 0)), over=(s.ground, (-0.5, 0, 1)), length=float(
        np.hypot(0.7, 1.3) + np.hypot(0.5, 2)))
    return s
"""
STORY = (
    KINDS
    + """
s = build()
run = mk.simulate(s, 0.2, rtol=1e-10, every=0.02)
other = mk.simulate(build(), 0.2, rtol=1e-10, every=0.02, formulation="absolute")
assert np.allclose(run["slot.angle"], other["slot.angle"], atol=1e-7) and run.health.ok
assert np.ptp(run.energy["balance"].values) < 1e-6
mk.save_model(s, "plugins.yaml")
again = mk.load_model("plugins.yaml")
assert again.to_dict() == s.to_dict() and again.joints["slot"].kind == "slot"
run.save("run.columns", ["slot.angle"])
assert np.array_equal(np.loadtxt("run.columns")[:, 1], run["slot.angle"])
"""
)


def test_package_adds_a_joint_a_force_and_a_constraint(example, tmp_path):
    """It runs, in two formulations alike, keeps its energy, and is written and read again. Two formulations at a
    relative tolerance of 1e-10 agree to 1e-7; the energy of some 20 J is kept to 1e-6."""
    done = run(STORY, *example, cwd=tmp_path, warnings="error")
    assert done.returncode == 0, done.stderr


def test_file_of_another_process_is_read(example, tmp_path):
    """A model file alone names the kinds: the package is found when the file is read."""
    done = run(KINDS + "mk.save_model(build(), 'm.yaml')", *example, cwd=tmp_path, warnings="error")
    assert done.returncode == 0, done.stderr
    read = "import mekane as mk\ns = mk.load_model('m.yaml')\n"
    read += "print(sorted({part.kind for part in [*s.joints.values(), *s.forces.values()]}))"
    assert run(read, *example, cwd=tmp_path, warnings="error").stdout.strip() == "['bumper', 'slider', 'slot']"
    without = run(read, cwd=tmp_path)
    assert without.returncode != 0 and "none of 'slot'" in without.stderr and "is a kind" in without.stderr


def test_other_groups(example, tmp_path):
    """An importer by the suffix of its files, a language, an integrator, a formulation, a mechanism of the gallery."""
    code = """
import mekane as mk
from mekane import formulations, gallery
from mekane.solvers import integrators
from mekane.view.studio.opening import backend_of_file
from pathlib import Path
Path("swing.pendulum").write_text("2 m, 3 kg")
s = mk.load_model("swing.pendulum")
assert s.bodies["bob"].mass == 3 and s.parameters["length"] == 2
mk.save_model(s, "swing.yaml")
assert mk.load_model("swing.yaml").to_dict() == s.to_dict()
try:
    mk.save_model(s, "other.pendulum")
except mk.FileError as error:
    assert "written as .yaml" in str(error)
assert "bob" in backend_of_file(Path("swing.pendulum")).text
assert mk.export_equations(s, "swing.lst") == mk.export_equations(s, language="listing") == "swing\\n"
assert len(integrators.find("bs32").method.b) == 4
assert [link.joint for link in formulations.find("opened")(s)[0]] == [None]
weights = gallery.find("weights")
assert weights.system().constraints["rope"].kind == "rope" and "weights" in gallery.names()
assert {"slot", "bumper", "rope"} <= set(dir(mk.System()))
"""
    done = run(code, *example, cwd=tmp_path, warnings="error")
    assert done.returncode == 0, done.stderr


def test_start_looks_for_no_entry_points(example, tmp_path):
    """Neither importing Mekane nor building, reading and writing a model of its own kinds does."""
    code = """
import mekane as mk
s = mk.System()
s.body("b", mass=1)
s.slider("j", s.ground, "b", axis="z")
mk.save_model(s, "m.yaml")
assert mk.load_model("m.yaml").to_dict() == s.to_dict()
from mekane.plugins import entry_points
assert entry_points.cache_info().currsize == 0 and "mekane_example" not in sys.modules
s.slot
assert "mekane_example.slot" in sys.modules and "mekane_example.bumper" not in sys.modules
"""
    done = run(code, *example, cwd=tmp_path, warnings="error")
    assert done.returncode == 0, done.stderr


BROKEN = {"mekane.joints": {"wobble": "broken_plugin"}, "mekane.integrators": {"half": "half_plugin"}}


def test_package_that_fails_leaves_the_rest_working(example, tmp_path):
    """One warning names the package and why; other kinds, also those of other packages, work."""
    install(
        tmp_path / "broken",
        "broken-package",
        BROKEN,
        broken_plugin="import sys\nsys.exit('out of luck')\n",
        half_plugin="",
    )
    code = """
import mekane as mk
from mekane.solvers import integrators
s = mk.System()
s.body("b", mass=1)
for _ in range(2):
    try:
        s.wobble("j", s.ground, "b")
        raise SystemExit("it was found")
    except AttributeError as error:
        assert "System has no method 'wobble'" in str(error)
try:
    integrators.find("half")
    raise SystemExit("it was found")
except mk.ModelError as error:
    assert "there are auto" in str(error)
s.slot("j", s.ground, "b", at=(0, 0, 0), axis="y")
"""
    done = run(code, *example, tmp_path / "broken", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("package 'broken-package': its entry point 'wobble'") == 1
    assert "SystemExit: out of luck" in done.stderr and "it does not define method" in done.stderr


CLASHES = {
    "mekane.joints": {"pin": "clashing.pin", "slot": "clashing.slot", "body": "clashing.body"},
    "mekane.integrators": {"rk4": "clashing.rk4"},
    "mekane.importers": {"mine": "clashing_importer"},
}


def test_names_that_are_taken_are_refused(example, tmp_path):
    """Those of Mekane, of System and of other packages; the first one keeps the name."""
    taken = 'suffixes = (".yaml", ".mine")\ndef load(path):\n    return path\n'
    install(tmp_path / "clash", "z-clashing", CLASHES, clashing_importer=taken)
    code = """
import mekane as mk
from mekane.solvers import integrators
s = mk.System()
dir(s)
assert type(s).pin.__module__.startswith("mekane.") and s.slot.__module__ == "mekane_example.slot"
assert integrators.find("rk4").__name__ == "mekane.solvers.integrators.rk4"
integrators.METHODS.modules()
assert mk.load_model("x.mine") == "x.mine"
assert mk.load_model("bodies: {b: {mass: 1}}\\n").bodies
"""
    done = run(code, *example, tmp_path / "clash", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in (
        "'pin' in the group 'mekane.joints' is left out; Mekane has one of that name",
        "'body' in the group 'mekane.joints' is left out; Mekane has one of that name",
        "'slot' in the group 'mekane.joints' is left out; package 'mekane-example' has one of that name",
        "'rk4' in the group 'mekane.integrators' is left out; Mekane has one of that name",
        "'mine' in the group 'mekane.importers' is left out; another one reads or writes .yaml files already",
    ):
        assert done.stderr.count(words) == 1, (words, done.stderr)


def test_suffix_without_an_importer_is_answered(tmp_path):
    code = """
import mekane as mk
open("robot.sdf", "w").write("<robot/>")
mk.load_model("robot.sdf")
"""
    done = run(code, cwd=tmp_path)
    assert "its name ends in '.sdf'; models are read from .yaml or .yml or .mjcf or .xml or .urdf" in done.stderr


def test_reading_a_file_imports_nothing_that_it_names(example, tmp_path):
    """A kind is looked up among entry points by its name; a module or a path is no kind."""
    (tmp_path / "trap.py").write_text("open('sprung', 'w')\n")
    for kind in ("trap", "trap:main", "os.system", "mekane_example.slot", "../trap"):
        (tmp_path / "m.yaml").write_text(f"bodies: {{b: {{mass: 1}}}}\njoints: {{j: {{{kind!r}: [ground, b]}}}}\n")
        done = run("import mekane as mk\nmk.load_model('m.yaml')", *example, cwd=tmp_path)
        assert "is a kind" in done.stderr and not (tmp_path / "sprung").exists()
