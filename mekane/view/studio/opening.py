"""What the studio opens: a model file, a mechanism of the gallery, or a first model."""

from pathlib import Path

from mekane.importers._yaml_text import read_file
from mekane.importers.yaml import SIMULATE, dumps
from mekane.view.studio.desk import Desk

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
    """Its text, to be saved beside where one is. Tolerances are as usual: those of the gallery are for its reference."""
    options = {"t_end": float(mechanism.t_end)} | {
        w: v for w, v in mechanism.options.items() if w in SIMULATE and w not in ("rtol", "atol")
    }
    text = f"# {mechanism.title}\n" + dumps(mechanism.system(), plain(options))
    return Desk(text, mechanism.name, Path(f"{mechanism.name}.yaml"), exists=False)


def first_desk() -> Desk:
    return Desk(FIRST, "model", Path("model.yaml"), exists=False)


def plain(options: dict) -> dict:
    """As YAML has it."""
    return {
        word: value.item() if hasattr(value, "item") else value
        for word, value in options.items()
        if not hasattr(value, "__len__") or isinstance(value, str | list)
    }
