"""Robots of other people: every URDF file of some wheels is read, and compared with Pinocchio.

    python -m bench.corpora FOLDER [wheel …]

The wheels (example-robot-data and pybullet; others with robots are mani_skill, icub_models, genesis_world,
hello_robot_stretch_urdf, robot_properties_fingers, rtb_data, reachy_mini) are downloaded into FOLDER/wheels without what they
depend on, and their model files are unpacked beside; nothing of them is installed or kept in the repository. Printed: how
many load, each refusal, the largest relative differences of mass matrix, bias and gravity forces at 20 random states, and
a census of tags and attributes, none of which may be unaccounted for.
"""

import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import numpy as np

import mekane as mk
from bench.wheels import unpack

WHEELS = ("example-robot-data", "pybullet")
STATES = 20
MODELLED = """
robot robot@name robot/link robot/link@name robot/joint robot/joint@name robot/joint@type
robot/link/inertial robot/link/inertial/origin robot/link/inertial/origin@xyz robot/link/inertial/origin@rpy
robot/link/inertial/mass robot/link/inertial/mass@value robot/link/inertial/inertia
robot/link/inertial/inertia@ixx robot/link/inertial/inertia@ixy robot/link/inertial/inertia@ixz
robot/link/inertial/inertia@iyy robot/link/inertial/inertia@iyz robot/link/inertial/inertia@izz
robot/joint/origin robot/joint/origin@xyz robot/joint/origin@rpy robot/joint/axis robot/joint/axis@xyz
robot/joint/parent robot/joint/parent@link robot/joint/child robot/joint/child@link
robot/joint/limit robot/joint/dynamics robot/joint/dynamics@damping robot/joint/dynamics@friction
robot/joint/mimic robot/joint/mimic@joint robot/joint/mimic@multiplier robot/joint/mimic@offset
robot/joint/limit@lower robot/joint/limit@upper robot/material robot/material@name robot/material/color robot/material/color@rgba
""".split()
LOOKS = ("robot/link/visual", "robot/link/collision")  # modelled where they are the shape of a body, else listed


def main(folder: Path, names=WHEELS) -> None:
    for name in names:
        if not (folder / name).exists():
            unpack(folder, name, folder / name, lambda one: one.lower().endswith(".urdf"))
    counts, worst, missing = Counter(), Counter(), Counter()
    for path in sorted(path for name in names for path in (folder / name).rglob("*.urdf")):
        counts["files"] += 1
        try:
            system = mk.load_model(path)
            counts["as they are"] += 1
        except mk.MekaneError as error:
            system = unphysical(path, error, counts)
        if system is not None:
            missing.update(unaccounted(path, system))
            compare(path, system, counts, worst)
    print(dict(counts), dict(worst), sep="\n")
    print("unaccounted for:", dict(missing) or "nothing")


def unphysical(path: Path, error: Exception, counts: Counter):
    """The system with inertias that no body has; None if there is another reason, which is printed."""
    if "unphysical" in str(error):
        counts["with unphysical=True"] += 1
        return mk.load_model(path, unphysical=True)
    counts["refused"] += 1
    print(f"{path.name}: {str(error).replace(str(path), '').strip(', :')}")
    return None


# ---------------------------------------------------------------- census


def unaccounted(path: Path, system) -> set[str]:
    """Tags and attributes, by their path, that are neither modelled nor named in a note."""
    notes = "\n".join(system.notes)
    found = set()
    tags_of(ET.fromstring(path.read_text(encoding="utf-8").strip()), "robot", found)
    return {one for one in found if one not in MODELLED and not one.startswith(LOOKS) and not listed(one, notes)}


def tags_of(element, path: str, found: set) -> None:
    found |= {path, *(f"{path}@{name}" for name in element.attrib)}
    for child in element:
        tags_of(child, f"{path}/{child.tag}", found)


def listed(path: str, notes: str) -> bool:
    """A tag is accounted for by a note that names it, its attribute, or a tag around it."""
    tags, _, attribute = path.removeprefix("robot/").partition("@")
    steps = tags.split("/")
    around = ["".join(f"<{tag}>" for tag in steps[:n]) for n in range(1, len(steps) + 1)]
    return any(f"{one} of" in notes for one in around) or f"{around[-1][:-1]} {attribute}>" in notes


# ---------------------------------------------------------------- Pinocchio


def compare(path: Path, system, counts: Counter, worst: Counter) -> None:
    try:
        differences = differences_of(path, system)
    except (ImportError, ValueError) as error:
        counts["not read by Pinocchio" if isinstance(error, ValueError) else "Pinocchio is not installed"] += 1
        return
    if differences is None:
        counts["no coordinates, or such as Pinocchio has otherwise"] += 1
        return
    counts["compared"] += 1
    for what, value in differences.items():
        worst[what] = max(worst[what], value)
        if value > 1e-12:
            print(f"{path.name}: {what} differs by {value:.2g}")


def differences_of(path: Path, system) -> dict | None:
    """Largest relative differences from Pinocchio over random states; None if there is nothing to compare."""
    import pinocchio

    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    order = matched(model, system)
    if order is None:
        return None
    generator, found = np.random.default_rng(1), Counter()
    reach = max(np.linalg.norm(placement.translation) for placement in model.jointPlacements)
    weight = 9.81 * pinocchio.computeTotalMass(model) * reach  # forces below its round-off are cancellations
    for _ in range(STATES):
        q, u, Q, v = random_state(model, order, generator)
        M = pinocchio.crba(model, data, Q)
        M = np.triu(M) + np.triu(M, 1).T
        damping = np.asarray(model.damping) * v
        pairs = {
            "mass matrix": (system.mass_matrix(q), M[np.ix_(order.speeds, order.speeds)]),
            "bias": (system.bias_forces(q, u), (pinocchio.rnea(model, data, Q, v, 0 * v) + damping)[order.speeds]),
            "gravity": (
                system.bias_forces(q, 0 * u),
                pinocchio.computeGeneralizedGravity(model, data, Q)[order.speeds],
            ),
        }
        for what, (mine, theirs) in pairs.items():
            scale = 0.0 if what == "mass matrix" else weight
            found[what] = max(found[what], np.abs(mine - theirs).max() / max(np.abs(theirs).max(), scale))
    return found


class Order:
    """Coordinates of Mekane as Pinocchio numbers them."""

    def __init__(self):
        self.joints, self.speeds = [], []


def matched(model, system) -> Order | None:
    order, names = Order(), [coordinate.partition(".")[0] for coordinate in system.coordinates]
    theirs = {name.replace(".", "_"): model.joints[i] for i, name in enumerate(model.names) if i}
    if not names or len(names) != model.nv or any(name not in theirs for name in names):
        return None
    order.joints = [theirs[name] for name in names]
    order.speeds = [joint.idx_v for joint in order.joints]
    return order


def random_state(model, order: Order, generator) -> tuple:
    """The same state for both: q, u here, Q, v there, where a joint without limits has cosine and sine."""
    q, u = generator.uniform(-1.5, 1.5, model.nv), generator.uniform(-2, 2, model.nv)
    Q, v = np.zeros(model.nq), np.zeros(model.nv)
    for x, xd, joint in zip(q, u, order.joints, strict=True):
        Q[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(x), np.sin(x)] if joint.nq == 2 else x
        v[joint.idx_v] = xd
    return q, u, Q, v


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    begun = time.process_time()
    main(Path(sys.argv[1]), sys.argv[2:] or WHEELS)
    print(f"{time.process_time() - begun:.0f} s of processor time")
