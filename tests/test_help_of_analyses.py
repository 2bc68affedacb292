"""help(mk.simulate) and its like teach: every argument is described, and the example runs.

Oracles: the real signatures; the examples themselves, each in a folder of its own."""

import re
from inspect import getdoc, signature
from textwrap import dedent

import pytest

import mekane as mk

FUNCTIONS = {name: getattr(mk, name) for name in mk._LAZY}
METHODS = {f"System.{name}": getattr(mk.System, name) for name in (*mk._SYSTEM_METHODS, "body")}
PLAIN = {"System.count_equations"}  # it takes nothing


def section(text, head):
    found = re.search(rf"^(?:{head}):\n((?:    .*\n|\n)+)", text + "\n", re.MULTILINE)
    return dedent(found[1]) if found else ""


@pytest.mark.parametrize("name", {**FUNCTIONS, **METHODS})
def test_every_argument_is_described(name):
    function = {**FUNCTIONS, **METHODS}[name]
    described = re.findall(r"^([\w, ]+): ", section(getdoc(function), "Parameters"), re.MULTILINE)
    described = [one for line in described for one in line.split(", ")]
    wanted = list(signature(function).parameters)
    assert described == [one for one in wanted if one not in ("self", "system")][: len(wanted)] or described == wanted


@pytest.mark.parametrize("name", ["simulate", "sensitivity", "equilibrium", "System.body", "System.required_forces"])
def test_units_are_named(name):
    assert re.search(
        r"\[[^\]]*(s|kg|rad)\b[^\]]*\]", section(getdoc({**FUNCTIONS, **METHODS}[name]), "Parameters|Returns")
    )


@pytest.mark.parametrize("name", [name for name in {**FUNCTIONS, **METHODS} if name not in PLAIN])
def test_examples_run(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    example = section(getdoc({**FUNCTIONS, **METHODS}[name]), "Example")
    called = name.removeprefix("System.")
    assert f".{called}(" in example
    exec(compile(example, f"example of {name}", "exec"), {"mk": mk})


def test_analyses_stay_the_functions_they_are():
    from mekane.analyses.simulate import simulate

    assert mk.simulate.__doc__ == simulate.__doc__ and signature(mk.simulate) == signature(simulate)
    assert mk.simulate.__module__ == "mekane" and mk.simulate.__wrapped__ is simulate
    assert [p.name for p in signature(simulate).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD] == [
        "system",
        "t_end",
    ]


def test_at_most_eight_positional_arguments():
    for name, function in {**FUNCTIONS, **METHODS}.items():
        positional = [p for p in signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        assert len(positional) <= 8, name
