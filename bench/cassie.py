"""A walking robot with closed loops, from its SDF file to a page to look at.   python -m bench.cassie FOLDER

The wheel example-robot-data is downloaded into FOLDER/wheels without what it depends on, and its Cassie is unpacked beside;
nothing of it is installed. Printed: how it is put together, 1 s of motion, reactions where loops close, the equilibrium it
hangs in with its modes, and how many operations its equations of motion take. FOLDER/cassie.html plays it, with its meshes.
"""

import sys
from pathlib import Path

import mekane as mk
from bench.wheels import unpack

MODEL = (
    "cassie_wo_gearbox_spring.sdf"  # its axes are given in the model's frame, so those that are parallel are so exactly
)


def main(folder: Path) -> None:
    robot = mk.load_model(unpacked(folder))
    print(*robot.notes, mk.mobility(robot), sep="\n")
    run = mk.simulate(robot, 1.0, every=0.01)
    print(run.health)
    for name in robot.topology.cut:
        print(f"{name}: at most {float(abs(run.reaction(name)['force']).max()):.0f} N")
    rest = mk.equilibrium(robot)
    print("hanging:", *rest.remarks())
    print(mk.modes(robot, at=rest))
    free = robot.copied()
    for name in robot.contact_laws:  # equations between its limits
        free.remove(name)
    print(free.count_equations(), mk.compile(free), sep="\n")
    run.save_html(folder / "cassie.html")
    print(f"{folder / 'cassie.html'}, {(folder / 'cassie.html').stat().st_size / 1e6:.2g} MB")


def unpacked(folder: Path) -> Path:
    """The model file, with its meshes beside it."""
    if not list(folder.rglob(MODEL)):
        unpack(folder, "example-robot-data", folder, lambda one: "/cassie_description/" in one)
    return next(folder.rglob(MODEL))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
