"""The project's files agree with one another."""

import re
import tomllib
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import mekane

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_version_is_said_once():
    assert PROJECT["project"]["version"] == mekane.__version__


def test_the_command_exists():
    module, name = PROJECT["project"]["scripts"]["mekane"].split(":")
    assert callable(getattr(import_module(module), name))


def test_dependencies_have_lower_bounds():
    project = PROJECT["project"]
    for requirement in project["dependencies"] + [
        r for extra in project["optional-dependencies"].values() for r in extra
    ]:
        assert re.fullmatch(r"[\w.-]+>=[\d.]+(; python_version (<|>=) '[\d.]+')?", requirement), requirement


def test_the_oldest_packages_are_one_for_each_name_on_every_python():
    """Both ends are tested by .ci/environments.py, which reads them here: no name is missing there, none is twice."""
    spec = spec_from_file_location("environments", ROOT / ".ci" / "environments.py")
    environments = module_from_spec(spec)
    spec.loader.exec_module(environments)
    names = {re.match(r"[\w-]+", line)[0] for line in PROJECT["project"]["dependencies"]}
    for python in environments.PYTHONS:
        found = [line.partition("==") for line in environments.requirements("oldest", python) if "==" in line]
        assert {name for name, _, _ in found} == names and len(found) == len(names), python
    assert "numpy==1.26.4" in environments.requirements(
        "oldest", "3.12"
    ) and "numpy==2.1.0" in environments.requirements("oldest", "3.13")


def test_make_has_the_two_commands():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^demo:", makefile, re.MULTILINE) and re.search(r"^test:", makefile, re.MULTILINE)


def test_ci_script_can_be_run():
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_everything_public_can_be_had():
    for name in mekane.__all__:
        assert getattr(mekane, name) is not None
