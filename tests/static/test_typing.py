"""Editors and type checkers know what only exists when Mekane runs.

Oracles: mypy, and jedi, which many editors and notebooks complete with; both read the files and import nothing. The
stubs are those that docs/make_stubs.py writes from the code as it is now."""

import os
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path

import pytest

import mekane as mk

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
USER_CODE = (HERE / "user_code.py").read_text(encoding="utf-8")


def test_stubs_are_those_of_the_code():
    """If this fails: make stubs"""
    spec = spec_from_file_location("make_stubs", ROOT / "docs" / "make_stubs.py")
    make_stubs = module_from_spec(spec)
    spec.loader.exec_module(make_stubs)
    for file, text in make_stubs.stubs().items():
        assert file.read_text(encoding="utf-8") == text, f"{file.relative_to(ROOT)} is old: run `make stubs`"


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "mekane" / "py.typed").exists()


# ---------------------------------------------------------------- type checker


def checked(code, folder):
    """What mypy says of a program. What it found before is kept in .mypy_cache: the first time takes ten seconds."""
    (folder / "program.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", HERE / "mypy.ini", "--cache-dir", ROOT / ".mypy_cache"]
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    done = subprocess.run([*command, "program.py"], capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


WRONG = {
    "mk.simulate(s, 2.0, 0.01)": "Too many positional arguments",
    's.pin("x", s.ground, crank, axes="y")': 'Unexpected keyword argument "axes"',
    's.spring("x", (s.ground, (0, 0, 0)), (crank, (0, 0, 0)), stiffness=1)': 'Missing positional argument "length"',
    's.pin("x", s.ground, 3, at=(0, 0, 0), axis="y")': "incompatible type",
    "s.revolute": 'has no attribute "revolute"',
    "mk.World": 'has no attribute "World"',
}
KNOWN = {
    'run["main.angle"]': "xarray.core.dataarray.DataArray",
    "run.energy": "xarray.core.dataset.Dataset",
    "run": "mekane.results.result.Result",
    's.pin("x", s.ground, crank)': "mekane.joints.pin.Pin",
    "crank": "mekane.model.body.Body",
    "rest": "mekane.analyses.equilibrium.equilibrium.Equilibrium",
    "mk.equilibrium(s, all=True)": "mekane.analyses.equilibrium.multistart.Equilibria",
    "small": "mekane.analyses.linear.linearize.Linearization",
    "mk.modes(s)": "mekane.analyses.linear.modes.Modes",
    "s.required_forces([0.0], [0.0], [0.0])": "numpy.ndarray",
    'mk.load_model("a.yaml")': "mekane.model.system.System",
}


def test_type_checker(tmp_path):
    """A page of user code is right, every mistake after it is found, and types are known. One call: each costs time."""
    code = USER_CODE + "".join(f"{line}\n" for line in WRONG) + "".join(f"reveal_type({one})\n" for one in KNOWN)
    output = checked(code, tmp_path)
    n = len(USER_CODE.splitlines())
    lines = [re.match(r".*program\.py:(\d+): (error|note): (.*)", line) for line in output.splitlines()]
    found = {int(line[1]) - n: line[3] for line in reversed(lines) if line}
    assert min(found) > 0, output
    for number, expected in enumerate(WRONG.values(), 1):
        assert expected in found.get(number, ""), output
    for number, (one, expected) in enumerate(KNOWN.items(), len(WRONG) + 1):
        assert expected in found.get(number, "").replace("numpy.ndarray[", "numpy.ndarray "), (one, output)


# ---------------------------------------------------------------- editor


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    """What jedi keeps on disk is not safe between two processes: each has its own. It asks this process about compiled
    modules; a process of its own once did not answer."""
    import jedi

    jedi.settings.cache_directory = str(tmp_path_factory.mktemp("jedi"))
    here = jedi.InterpreterEnvironment()
    return lambda typed: jedi.Script(USER_CODE + typed, path=HERE / "typed.py", environment=here)


@pytest.mark.parametrize(
    "call, function", [("s.pin(", mk.System.pin), ("s.spring(", mk.System.spring), ("mk.simulate(", mk.simulate)]
)
def test_an_editor_shows_the_signature_and_the_help(editor, call, function):
    (found,) = editor(call).get_signatures()
    names = [name for name in signature(function).parameters if name != "self"]
    assert [p.name for p in found.params] == [name for name in names]
    help_text = found.docstring()
    assert "Parameters:" in help_text and "Example:" in help_text and re.search(r"\[(m|s|N/m)\]", help_text)


def test_an_editor_completes(editor):
    complete = lambda typed: {one.name for one in editor(typed).complete()}
    assert {"pin", "pin_slider"} <= complete("s.pi")
    assert {"axis=", "axis_a=", "axis_b="} <= complete('s.pin("x", s.ground, crank, ax')
    assert "simulate" in complete("mk.sim")
    assert {"every="} <= complete("mk.simulate(s, 2.0, ev")
    assert {"reaction", "report"} <= complete("run.re")


def test_an_editor_knows_what_a_result_gives(editor):
    assert [one.full_name for one in editor('run["main.angle"]').infer()] == ["xarray.core.dataarray.DataArray"]
