"""Names of a model that mean something else in a language, or clash once they are cleaned; and what is refused, in
words."""

import numpy as np
import pytest
from languages_played import PLAYED, play

import mekane as mk
from mekane.exporters import languages
from mekane.exporters.languages._identifiers import cleaned, identifiers
from mekane.symbolic.functions import functions

# keywords of C, Python and MATLAB, functions of their libraries, our own names, and signs that end comments or texts
BAD = [
    "double",
    "for",
    "end",
    "lambda",
    "y",
    "out",
    "z1",
    "a b",
    "a_b",
    "a-b",
    "né",
    "α",
    "中",
    "*/ oops /*",
    "1st",
    "??/",
    "\\",
    "'''",
    "sin",
    "np",
    "%",
]


def chain():
    """Two pins and many sliders with those names. Parameters z2, i, erf … are read by springs."""
    s = mk.System('for */ "it"', parameters={"z2": 3.0, "i": 0.4, "erf": 1.5, "int": 2.0, "E": 0.1})
    last, rng = s.ground, np.random.default_rng(3)
    for k, name in enumerate(BAD[:2]):
        body = s.body(f"body {k}", 1.0 + k, inertia=(0.1, 0.2, 0.15), position=(0.3 * k, 0, -0.2))
        s.pin(name, last, body, at=(0.3 * k, 0, 0), axis=rng.normal(size=3))
        last = body
    for k, name in enumerate(BAD[2:]):
        body = s.body(name, 1.0 + k, inertia=(0.1, 0.2, 0.15), position=(k, 1, 0))
        s.slider(f"{name}'s", s.ground, body, at=(k, 1, 0), axis="z")
    s.torsional_spring("twist", "double", stiffness="z2", angle="i*erf + int*E")
    return s


@pytest.mark.parametrize("language", PLAYED)
def test_any_name_is_written_so_that_it_runs(language, tmp_path):
    """Oracle: the engine. Tolerance: the promise of the docs."""
    system = chain()
    found = functions(system)
    q, u = np.linspace(-0.5, 0.6, 21), np.linspace(0.3, -0.2, 21)
    got = play(found, language, tmp_path)("rhs", 0.0, [*q, *u], [one.value for one in found.parameters])
    expected = np.array([*u, *system.forward_dynamics(q, u)])
    assert [one.name for one in found.parameters] == ["z2", "i", "erf", "int", "E"]
    assert np.abs(got - expected).max() <= 1e-12 * np.abs(expected).max()


def test_identifiers_are_readable_and_never_twice():
    assert identifiers(["hinge.angle", "hinge_angle", "hinge angle", "for", "z1", "z1.angle"], {"for"}) == [
        "hinge_angle", "hinge_angle_2", "hinge_angle_3", "for_2", "z1_2", "z1_angle",
    ]  # fmt: skip
    assert [cleaned(name) for name in ("α", "Ω_1", "né", "1st", "***", "_x_", "中")] == [
        "alpha",
        "Omega_1",
        "ne",
        "x_1st",
        "x",
        "x",
        "u4e2d",
    ]
    long = [f"{'very ' * 30}{k}" for k in range(3)]
    assert len(set(identifiers(long, ()))) == 3 and max(map(len, identifiers(long, ()))) < 63


def pendulum(torque=None):
    s = mk.System("swing")
    s.pin("hinge", s.ground, s.body("arm", 1.0, inertia=(1, 1, 1), position=(0, 0, -1)), at=(0, 0, 0), axis="y")
    if torque is not None:
        s.motor("push", "hinge", torque=torque)
    return s


REFUSED = [
    (
        dict(language="fortran"),
        ["language", "'fortran'", "there are c, casadi, h, javascript, jax, matlab, numpy, sympy"],
    ),
    (dict(language="mathlab"), ["Did you mean 'matlab'?"]),
    (dict(path="swing.f90"), ["'swing.f90'", "'.f90'", ".c, .h, .js, .m, .py", "language="]),
    (dict(name="double"), ["'double'", "means something in C", "Write 'double_2'"]),
    (dict(name="my model"), ["'my model'", "no name in C", "a letter first", "Write 'my_model'"]),
    (dict(name=3), ["3", "no name in C"]),
    (dict(path="my swing.m"), ["'my swing.m'", "'my swing'", "no name in MATLAB", "Write 'my_swing'"]),
    (dict(path="end.m"), ["'end.m'", "means something in MATLAB"]),
    (dict(parameters="symbols"), ["parameters", "'symbols'", "named"]),
    (dict(formulation="joints"), ["formulation", "'joints'", "Did you mean 'joint'?"]),
    (dict(path="/nowhere/swing.c"), ["'/nowhere/swing.c'", "cannot be written", "Check the folder"]),
]


@pytest.mark.parametrize("options, pieces", REFUSED)
def test_errors_explain(options, pieces):
    with pytest.raises(mk.ModelError) as error:
        mk.export_equations(pendulum(), **options)
    assert not [piece for piece in pieces if piece not in str(error.value)], str(error.value)


def test_untraceable_functions_are_named(tmp_path):
    """A Python function that needs a number; nothing is written."""
    with pytest.raises(mk.ModelError, match="motor 'push'.*torque is a Python function.*table"):
        mk.export_equations(
            pendulum(lambda t, state: 1.0 if float(state["hinge.angle"]) > 0 else -1.0), tmp_path / "swing.c"
        )
    assert not list(tmp_path.iterdir())


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "swing.c"
    text = mk.export_equations(pendulum(), path)
    assert path.read_text(encoding="utf-8") == text
    with pytest.raises(mk.ModelError):
        mk.export_equations(pendulum(), path, name="int")
    assert path.read_text(encoding="utf-8") == text and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "suffix, language", [(".c", "c"), (".h", "h"), (".py", "numpy"), (".m", "matlab"), (".js", "javascript")]
)
def test_the_language_goes_by_the_suffix(suffix, language):
    assert languages.of_file(f"x{suffix}") is languages.find(language)
