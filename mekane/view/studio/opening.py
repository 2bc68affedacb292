"""What the studio opens: a model file, a mechanism of the gallery, or a first model."""

from pathlib import Path

from mekane.importers import importer_of, load_document, yaml
from mekane.importers._yaml_text import read_file
from mekane.importers.yaml import dumps
from mekane.view.studio.backend import Backend

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


def backend_of_file(path: Path) -> Backend:
    """The text of a YAML file; a model in another kind of file becomes YAML, to be saved beside it."""
    if importer_of(path) is yaml:
        return Backend(read_file(path), path.stem, path, exists=True)
    text = dumps(*load_document(path))
    return Backend(text, path.stem, path.with_suffix(".yaml"), exists=False)


def backend_of_mechanism(mechanism) -> Backend:
    """To be saved in the folder one is in."""
    return Backend(mechanism_text(mechanism), mechanism.name, Path(f"{mechanism.name}.yaml"), exists=False)


def mechanism_text(mechanism) -> str:
    """Tolerances are the usual ones: those of the gallery are for its reference."""
    options = {"t_end": mechanism.t_end} | {name: value for name, value in mechanism.options.items() if name in TAKEN}
    return f"# {mechanism.title}\n" + dumps(mechanism.system(), {name: plain(value) for name, value in options.items()})


def first_backend() -> Backend:
    """A first model, and the choice of another."""
    return Backend(FIRST, "model", Path("model.yaml"), exists=False, choose=True)


def plain(value):
    """As YAML has it."""
    return value.item() if hasattr(value, "item") else value
