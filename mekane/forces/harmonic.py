"""A force that swings with time."""

import numpy as np

from mekane.expressions.graph import symbol
from mekane.model.force import AtPoint, Force, given, given3
from mekane.model.values.values import Value


class Harmonic(Force):
    """Harmonic force at a point of a body, M.A.K.E.'s HForce.  F = amplitude sin(frequency t + phase)

    The frequency is an angular one, in rad/s; "50 Hz" is 2π·50 rad/s. A phase of "90 deg" makes it a cosine. `at` and
    `frame` are those of a force.
    """

    example = 's.harmonic("shaker", arm, amplitude=("5 N", 0, 0), frequency="50 Hz")'
    between = AtPoint
    amplitude: tuple = given3("force", meaning="three components of the largest force")
    frequency: Value = given("angular_frequency", meaning="angular frequency")
    phase: Value = given("angle", 0.0, meaning="phase at t = 0")

    def law(self):
        swing = np.sin(self.frequency * symbol("t") + self.phase)
        return tuple(component * swing for component in self.amplitude)
