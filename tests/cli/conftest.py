"""A fixture that runs a command in a folder of its own and gives its output."""

from typing import NamedTuple

import pytest

from mekane.cli.main import main

PENDULUM = """
system: pendulum
bodies:
  arm: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.5]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y, rate: 2}
simulate: {t_end: 0.5, every: 0.1}
"""

FOUR_BAR = """
system: four-bar
bodies:
  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5]}
  coupler: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 1]}
  rocker: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0.5]}
joints:
  a: {pin: [ground, crank], at: [0, 0, 0], axis: y}
  b: {pin: [crank, coupler], at: [0, 0, 1], axis: y}
  c: {pin: [coupler, rocker], at: [1, 0, 1], axis: y}
  d: {pin: [rocker, ground], at: [1, 0, 0], axis: y}
"""


class CliResult(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="session", autouse=True)
def compiled():
    """Before anything else, so that no command has to say that it is compiling."""
    from mekane.cli.commands.warm import command

    command()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mekane(folder, capsys):
    """mekane("run", "x.yaml") → exit code, stdout, stderr."""

    def call(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        return CliResult(end.value.code or 0, *capsys.readouterr())

    return call


@pytest.fixture
def pendulum(folder):
    (folder / "pendulum.yaml").write_text(PENDULUM)
    return "pendulum.yaml"


@pytest.fixture
def four_bar(folder):
    (folder / "four_bar.yaml").write_text(FOUR_BAR)
    return "four_bar.yaml"
