"""What the studio opens: a model file, a mechanism of the gallery, or a first model."""

from pathlib import Path

from mekane.importers._yaml_text import read_file
from mekane.importers.yaml import dumps
from mekane.view.studio.backend import Desk

TAKEN = ("method", "step", "formulation", "constraints", "correct")
FIRST = """\
system: pendulum                     # a first model: move a slider, or change a number here
gravity: [0, 0, -9.81]
parameters: {l: 1, m: 1, c: 0.05}    # length [m], mass [kg], friction [N m s/rad]
bodies:
  rod: {mass: $m, shape: {rod: $l}, position: [0, 0, $-l/2]}
joints:
  hinge: {pin: [ground, rod], at: [0, 0, 0], axis: y}
forces:
  friction: {torsional_damper: hinge, damping: c}
assemble: {hinge.angle: 60 deg}      # where it starts
simulate: {t_end: 10, every: 0.02}
"""


def desk_of_file(path: Path) -> Desk:
    return Desk(read_file(path), path.stem, path, exists=True)


def desk_of_mechanism(mechanism) -> Desk:
    """Its text, to be saved in the folder one is in. Tolerances are the usual ones: those of the gallery are for its
    reference."""
    options = {"t_end": mechanism.t_end} | {word: said for word, said in mechanism.options.items() if word in TAKEN}
    text = f"# {mechanism.title}\n" + dumps(mechanism.system(), {word: plain(said) for word, said in options.items()})
    return Desk(text, mechanism.name, Path(f"{mechanism.name}.yaml"), exists=False)


def first_desk() -> Desk:
    return Desk(FIRST, "model", Path("model.yaml"), exists=False)


def plain(value):
    """As YAML has it."""
    return value.item() if hasattr(value, "item") else value
