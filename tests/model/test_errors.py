"""Errors: the sentence they make."""

import pickle

import pytest

from mekane.errors import ExpressionError, FileError, MekaneError, ModelError, SimulationError, UnitError, did_you_mean


def test_the_sentence():
    error = ModelError(
        "joint 'elbow'", "pitch is 0 m/rev", "a screw needs a non-zero pitch", "Use pin for pure rotation."
    )
    assert str(error) == "joint 'elbow': pitch is 0 m/rev; a screw needs a non-zero pitch. Use pin for pure rotation."
    assert (error.part, error.problem, error.remedy) == (
        "joint 'elbow'",
        "pitch is 0 m/rev",
        "Use pin for pure rotation.",
    )
    assert str(ModelError("body 'b'", "mass is 0")) == "body 'b': mass is 0."
    assert (
        str(ModelError("body 'b'", "mass is 0.", remedy=" Did you mean 'c'?"))
        == "body 'b': mass is 0. Did you mean 'c'?"
    )


def test_every_error_is_a_mekane_error():
    for kind in (ExpressionError, FileError, UnitError):
        assert issubclass(kind, ModelError)
    assert issubclass(ModelError, MekaneError) and issubclass(SimulationError, MekaneError)


def test_errors_travel_between_processes():
    error = pickle.loads(pickle.dumps(UnitError("a", "b", "c", "d")))
    assert type(error) is UnitError and str(error) == "a: b; c. d"


@pytest.mark.parametrize(
    "name, answer", [("Stifness", " Did you mean 'stiffness'?"), ("AXIS", " Did you mean 'axis'?"), ("zzz", "")]
)
def test_did_you_mean(name, answer):
    assert did_you_mean(name, ["stiffness", "axis", "damping"]) == answer
