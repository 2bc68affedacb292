"""`assemble` in a model file does what mk.assemble does in Python: bodies are given where it is easy, and the motion
starts elsewhere."""

import math

import numpy as np
import pytest

import mekane as mk

PENDULUM = """\
system: pendulum
parameters: {l: 1}
bodies:
  rod: {mass: 1, shape: {rod: $l}, position: [0, 0, $-l/2]}
joints:
  hinge: {pin: [ground, rod], at: [0, 0, 0], axis: y}
"""
FOUR_BAR = """\
system: four bar
bodies:
  crank: {mass: 1, shape: {rod: 1, axis: z}, position: [0, 0, 0.5]}
  coupler: {mass: 1, shape: {rod: 3, axis: x}, position: [1.5, 0, 1]}
  rocker: {mass: 1, shape: {rod: 1, axis: z}, position: [3, 0, 0.5]}
joints:
  O: {pin: [ground, crank], at: [0, 0, 0], axis: y}
  A: {pin: [crank, coupler], at: [0, 0, 1], axis: y}
  B: {pin: [coupler, rocker], at: [3, 0, 1], axis: y}
  C: {pin: [ground, rocker], at: [3, 0, 0], axis: y}
"""


def test_a_pendulum_starts_at_its_angle():
    """Oracle: the mass centre by sine and cosine; turning about y takes z to x."""
    s = mk.load_model(PENDULUM + "assemble: {hinge.angle: 60 deg}\n")
    a = math.radians(60)
    assert np.allclose(s.bodies["rod"].position, (-0.5 * math.sin(a), 0, -0.5 * math.cos(a)), atol=1e-14)
    assert mk.simulate(s, 0.1).numbers("hinge.angle")[0] == pytest.approx(a, abs=1e-14)


def test_a_loop_is_closed_there():
    """A parallelogram: the coupler stays level, its height is the crank's cosine."""
    s = mk.load_model(FOUR_BAR + "assemble: {O: 40 deg}\n")
    a = math.radians(40)
    assert np.allclose(s.bodies["coupler"].position, (1.5 + math.sin(a), 0, math.cos(a)), atol=1e-12)


def test_it_is_what_assemble_says_in_python():
    in_file, in_python = (
        mk.load_model(FOUR_BAR + "assemble: {O: 40 deg}\n"),
        mk.assemble(mk.load_model(FOUR_BAR), O="40 deg").system,
    )
    assert in_file.to_dict() == in_python.to_dict()


def test_parameters_are_set_before(tmp_path, capsys):
    """--set l=2 with the section: the rod of the new length hangs at the given angle."""
    from mekane.cli.inputs import read_model

    path = tmp_path / "pendulum.yaml"
    path.write_text(PENDULUM + "assemble: {hinge.angle: 90 deg}\n")
    system, _ = read_model(path, ["l=2"])
    assert np.allclose(system.bodies["rod"].position, (-1, 0, 0), atol=1e-14)


@pytest.mark.parametrize(
    "given, message",
    [
        ("{hinge.angel: 1}", "Did you mean 'hinge.angle'"),
        ("{hinge.angle: 3 kg}", "kg"),
        ("[1]", "a mapping of names"),
        ("{hinge.angle: nan}", "nan"),
        ("{rod.position.z: 3}", "nearest"),
    ],
)
def test_refused(given, message):
    with pytest.raises(mk.ModelError, match="assemble") as error:
        mk.load_model(PENDULUM + f"assemble: {given}\n")
    assert message in str(error.value)
