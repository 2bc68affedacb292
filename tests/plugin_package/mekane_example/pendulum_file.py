"""Files of one line: the length and the mass of a pendulum."""

from pathlib import Path

from mekane.model.system import System

suffixes = (".pendulum",)


def load(path):
    length, mass = Path(path).read_text(encoding="utf-8").split(",")
    s = System(Path(path).stem)
    bob = s.body("bob", mass=mass.strip(), position=(0, 0, -1), inertia=(1, 1, 1))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis="y")
    s.parameter("length", length.strip())
    return s
