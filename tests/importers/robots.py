"""Random robots in URDF, and their equations of motion by an algorithm of their own: the Newton–Euler recursion in NumPy,
on the numbers that ElementTree and SciPy read from the text."""

import xml.etree.ElementTree as ET

import numpy as np
from scipy.spatial.transform import Rotation

GRAVITY = np.array([0.0, 0.0, -9.81])
TYPES = ("revolute", "continuous", "prismatic", "fixed")


def text_of(numbers):
    return " ".join(map(repr, np.asarray(numbers).tolist()))


def random_link(generator, name):
    """A link with a full inertia of random points, and an inertial frame that is rotated."""
    points = generator.uniform(-0.3, 0.3, (6, 3))
    I = sum(p @ p * np.eye(3) - np.outer(p, p) for p in points - points.mean(axis=0)) / 6
    mass = generator.uniform(0.5, 3.0)
    six = {
        key: float(mass * I["xyz".index(key[1]), "xyz".index(key[2])])
        for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    }
    origin = f'<origin xyz="{text_of(generator.uniform(-0.2, 0.2, 3))}" rpy="{text_of(generator.uniform(-3, 3, 3))}"/>'
    tensor = " ".join(f'{key}="{value!r}"' for key, value in six.items())
    return f'<link name="{name}"><inertial>{origin}<mass value="{mass!r}"/><inertia {tensor}/></inertial></link>'


def random_joint(generator, name, kind, parent, child):
    origin = f'<origin xyz="{text_of(generator.uniform(-0.5, 0.5, 3))}" rpy="{text_of(generator.uniform(-3, 3, 3))}"/>'
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    axis = f'<axis xyz="{text_of(generator.normal(size=3))}"/>'  # not of unit length
    limit = "" if kind == "continuous" else '<limit lower="-9" upper="9" effort="1" velocity="1"/>'
    return f'<joint name="{name}" type="{kind}">{origin}{ends}{axis}{limit}</joint>'


def random_robot(seed, n=9, types=TYPES):
    """A tree of n + 1 links as URDF text."""
    generator = np.random.default_rng(seed)
    links = [random_link(generator, f"link{i}") for i in range(n + 1)]
    kinds = [*types, *generator.choice(types, n - len(types))] if n >= len(types) else types[:n]
    joints = [
        random_joint(generator, f"joint{i + 1}", kind, f"link{generator.integers(0, i + 1)}", f"link{i + 1}")
        for i, kind in enumerate(kinds)
    ]
    return '<robot name="random">\n' + "\n".join(links + joints) + "\n</robot>"


def vector(element, name):
    return np.array(list(map(float, element.get(name).split())))


def frame(element):
    origin = element.find("origin")
    return vector(origin, "xyz"), Rotation.from_euler("xyz", vector(origin, "rpy")).as_matrix()


def newton_euler(text, q, u, ud, gravity=GRAVITY):
    """Joint forces by name, {joint: tau}, for {joint: value}: velocities and accelerations outwards in world axes, then
    forces and moments about the world's origin inwards."""
    robot = ET.fromstring(text)
    joints = {joint.find("child").get("link"): joint for joint in robot.findall("joint")}
    p, R, w, wd, v, a, axes = {}, {}, {}, {}, {}, {}, {}
    order = []
    waiting = [link.get("name") for link in robot.findall("link")]
    while waiting:
        name = waiting.pop(0)
        if name not in joints:
            p[name], R[name], w[name], wd[name], v[name], a[name] = np.zeros(3), np.eye(3), *np.zeros((4, 3))
            continue
        joint = joints[name]
        parent, kind, of = joint.find("parent").get("link"), joint.get("type"), joint.get("name")
        if parent not in p:
            waiting.append(name)
            continue
        offset, turned = frame(joint)
        axis = (
            R[parent] @ turned @ (vector(joint.find("axis"), "xyz") / np.linalg.norm(vector(joint.find("axis"), "xyz")))
        )
        x, xd, xdd = q.get(of, 0.0), u.get(of, 0.0), ud.get(of, 0.0)
        spin, slide = (
            (axis, 0 * axis)
            if kind in ("revolute", "continuous")
            else (0 * axis, axis if kind == "prismatic" else 0 * axis)
        )
        r = R[parent] @ offset + slide * x
        p[name], R[name] = p[parent] + r, Rotation.from_rotvec(spin * x).as_matrix() @ R[parent] @ turned
        w[name] = w[parent] + spin * xd
        wd[name] = wd[parent] + spin * xdd + np.cross(w[parent], spin * xd)
        v[name] = v[parent] + np.cross(w[parent], r) + slide * xd
        a[name] = (
            a[parent] + np.cross(wd[parent], r) + np.cross(w[parent], np.cross(w[parent], r))
            + slide * xdd + 2 * np.cross(w[parent], slide * xd)
        )  # fmt: skip
        axes[name] = (of, spin, slide)
        order.append((name, parent))
    force, moment = {name: np.zeros(3) for name in p}, {name: np.zeros(3) for name in p}
    for link in robot.findall("link"):
        name, inertial = link.get("name"), link.find("inertial")
        mass, tensor = float(inertial.find("mass").get("value")), inertial.find("inertia")
        I = np.array([[float(tensor.get("i" + "".join(sorted(i + j)))) for j in "xyz"] for i in "xyz"])
        centre, turned = frame(inertial)
        I, c = R[name] @ turned @ I @ (R[name] @ turned).T, R[name] @ centre
        acceleration = a[name] + np.cross(wd[name], c) + np.cross(w[name], np.cross(w[name], c)) - gravity
        force[name] = mass * acceleration
        moment[name] = I @ wd[name] + np.cross(w[name], I @ w[name]) + np.cross(p[name] + c, force[name])
    tau = {}
    for name, parent in reversed(order):
        of, spin, slide = axes[name]
        tau[of] = spin @ (moment[name] - np.cross(p[name], force[name])) + slide @ force[name]
        force[parent], moment[parent] = force[parent] + force[name], moment[parent] + moment[name]
    return tau
