"""The project's files agree with one another."""

import re
import tomllib
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import yaml

import mekane

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_version_is_stated_once():
    """In mekane/__init__.py: pip reads it there; no other file repeats it but the changelog, which names releases."""
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "mekane.__version__"}
    assert "version" in PROJECT["project"]["dynamic"] and "version" not in PROJECT["project"]
    source = (ROOT / "mekane" / "__init__.py").read_text(encoding="utf-8")
    assert re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE) == [mekane.__version__]
    assert not re.search(r"^version:", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_changelog_knows_this_version():
    """Keep a Changelog: what is not released yet stands first, then the releases, newest first."""
    heads = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] == "Unreleased"
    numbers = [tuple(map(int, head.split("."))) for head in heads[1:]]
    assert numbers == sorted(numbers, reverse=True) and mekane.__version__ in heads


def test_files_for_contributors_are_well_formed():
    """YAML that is read by other programs: a slip in it would show only there."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    local = [hook for repo in hooks["repos"] if repo["repo"] == "local" for hook in repo["hooks"]]
    assert [hook["id"] for hook in local] == ["ruff-check", "ruff-format"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "license"} <= set(citation)
    assert citation["license"] == PROJECT["project"]["license"]["text"]
    for form in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        assert {"name", "description", "body"} <= set(yaml.safe_load(form.read_text(encoding="utf-8"))), form.name


def test_the_command_exists():
    module, name = PROJECT["project"]["scripts"]["mekane"].split(":")
    assert callable(getattr(import_module(module), name))


def test_dependencies_have_lower_bounds():
    project = PROJECT["project"]
    for requirement in project["dependencies"] + [
        r for extra in project["optional-dependencies"].values() for r in extra
    ]:
        assert re.fullmatch(r"[\w.-]+>=[\d.]+", requirement), requirement


def test_the_oldest_packages_are_one_for_each_name():
    """Both ends are tested by .ci/environments.py, which reads them here: no name is missing there, none is twice."""
    spec = spec_from_file_location("environments", ROOT / ".ci" / "environments.py")
    environments = module_from_spec(spec)
    spec.loader.exec_module(environments)
    names = [re.match(r"[\w-]+", line)[0] for line in PROJECT["project"]["dependencies"]]
    oldest = [line.partition("==")[0] for line in environments.requirements("oldest", short=True) if "==" in line]
    assert oldest == names and len(set(names)) == len(names)
    assert set(environments.requirements("newest", short=True)) < set(environments.requirements("newest", short=False))


def test_make_has_the_two_commands():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^demo:", makefile, re.MULTILINE) and re.search(r"^test:", makefile, re.MULTILINE)


def test_ci_script_can_be_run():
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_everything_public_can_be_had():
    for name in mekane.__all__:
        assert getattr(mekane, name) is not None
