"""Functions of a state of a robot with 44 joints: forces from accelerations, mass matrix, accelerations from forces.

The humanoid Talos of the wheel example-robot-data (`python -m bench.corpora FOLDER` unpacks it; MEKANE_CORPORA names the
folder, /tmp/corpora by default). All read one file without shapes, limits, friction and couplings of joints, which
Pinocchio does not have. Each is called from Python, one state at a time; inside a loop, Mekane has rows of states, MuJoCo
`mj_step` with everything off that is not needed, and Pinocchio none from Python. Forces are compared before anything.
"""

import os
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from bench.table import Row, duration
from bench.timing import run_program

FOLDER, NAME = Path(os.environ.get("MEKANE_CORPORA", "/tmp/corpora")), "talos_full_v2.urdf"
NOT_NEEDED = {
    "link": ("visual", "collision"),
    "joint": ("dynamics", "mimic", "limit", "safety_controller", "calibration"),
}
WHAT = {"forces": "RNEA", "mass_matrix": "mass matrix", "accelerations": "forward dynamics"}


def rows():
    found = next(FOLDER.rglob(NAME), None)
    if found is None:
        yield Row("a robot of 44 joints", "-", note=f"no {NAME} in {FOLDER}: python -m bench.corpora {FOLDER}")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = bare(found, Path(folder) / NAME)
        ours = run_program("robot_mekane", found, path)
        theirs = {"Pinocchio": run_program("robot_pinocchio", path), "MuJoCo": run_program("robot_mujoco", path)}
    if "missing" in ours:
        yield Row("a robot of 44 joints", "-", note=ours["missing"])
        return
    yield Row("Talos: loading and compiling", duration(ours["ready"]), "", "", ours["ready"], "<= 1", "processor time")
    for what, text in WHAT.items():
        for name, numbers in theirs.items():
            yield from compared(f"Talos: {text}", what, ours, name, numbers)


def compared(title, what, ours, name, theirs):
    if "missing" in theirs:
        yield Row(title, duration(ours[what]), name, "-", note=theirs["missing"])
        return
    off = np.abs(np.array(ours["tau"]) - theirs["tau"]).max() / np.abs(ours["tau"]).max()
    note = f"agree to {off:.0e}" if off < 1e-10 else f"DIFFER by {off:.1e}: not comparable"
    pairs = {"called from Python": what, "inside a loop": f"{what}_inside"}
    for how, key in pairs.items():
        if key in theirs:
            yield Row(
                f"{title}, {how}",
                duration(ours[key]),
                name,
                duration(theirs[key]),
                theirs[key] / ours[key],
                ">= 1",
                note,
            )
        elif name == "Pinocchio":
            best = theirs[what]
            yield Row(
                f"{title}, {how}", duration(ours[key]), f"{name}, called", duration(best), best / ours[key], "", note
            )


def bare(path, target):
    """The robot with nothing but its tree and inertias."""
    tree = ET.parse(path)
    root = tree.getroot()
    for tag in ("transmission", "gazebo", "ros2_control", "material"):
        for one in root.findall(tag):
            root.remove(one)
    for tag, unneeded in NOT_NEEDED.items():
        for element in root.iter(tag):
            for child in [child for child in element if child.tag in unneeded]:
                element.remove(child)
            if element.get("type") == "revolute":
                element.set("type", "continuous")
    tree.write(target)
    return target


def state(n):
    """q, u and ud, the same for all."""
    generator = np.random.default_rng(1)
    return tuple(generator.uniform(-1, 1, n) for _ in range(3))
