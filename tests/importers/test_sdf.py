"""Robots in SDF. Oracles: the Newton–Euler recursion of robots.py on the same trees in URDF, written here as SDF; a four-bar
and gears described by hand; the closed loop itself; and the text for what has to be listed."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from robots import frame, newton_euler, random_robot, text_of, vector
from scipy.spatial.transform import Rotation

import mekane as mk
from mekane.errors import FileError, ModelError


def pose(p, R):
    return f"<pose>{text_of([*p, *Rotation.from_matrix(R).as_euler('xyz')])}</pose>"


def sdf_of(urdf):
    """The same robot: poses of links in the model, every other axis in the axes of the model, joints apart from links."""
    robot = ET.fromstring(urdf)
    joints = {joint.find("child").get("link"): joint for joint in robot.findall("joint")}
    places, lines = {}, []

    def place(name):
        if name not in joints:
            return np.array([0.3, -0.2, 1.0]), Rotation.from_rotvec([0.4, 0.3, -0.2]).as_matrix()
        if name not in places:
            (p, R), (q, Q) = place(joints[name].find("parent").get("link")), frame(joints[name])
            places[name] = p + R @ q, R @ Q
        return places[name]

    for link in robot.findall("link"):
        inertial, name = link.find("inertial"), link.get("name")
        tensor = "".join(f"<{key}>{value}</{key}>" for key, value in inertial.find("inertia").items())
        mass = inertial.find("mass").get("value")
        lines.append(f'<link name="{name}">{pose(*place(name))}<inertial>{pose(*frame(inertial))}')
        lines.append(f"<mass>{mass}</mass><inertia>{tensor}</inertia></inertial></link>")
    for k, (child, joint) in enumerate(joints.items()):
        axis, R = vector(joint.find("axis"), "xyz"), place(child)[1]
        shift = np.zeros(3) if k % 2 or joint.get("type") != "prismatic" else np.array([0.1, 0.2, 0.3])
        of_model = "<use_parent_model_frame>1</use_parent_model_frame>" if k % 2 else ""
        xyz = f"<xyz>{text_of(R @ axis if k % 2 else axis)}</xyz>{of_model}"
        lines.append(f'<joint name="{joint.get("name")}" type="{joint.get("type")}">{pose(shift, np.eye(3))}')
        lines.append(
            f"<parent>{joint.find('parent').get('link')}</parent><child>{child}</child><axis>{xyz}</axis></joint>"
        )
    return '<sdf version="1.6"><model name="random">\n' + "\n".join(lines) + "\n</model></sdf>"


@pytest.mark.parametrize("seed", range(2))
def test_random_trees_against_a_recursion_of_their_own(seed):
    """Gravity is turned as the base is. 1e-12 relative to the largest entry, as for URDF: poses are composed and written by
    Euler angles, which costs some round-off."""
    urdf = random_robot(seed)
    s = mk.load_model(sdf_of(urdf), base="fixed")
    names = [coordinate.partition(".")[0] for coordinate in s.coordinates]
    gravity = Rotation.from_rotvec([0.4, 0.3, -0.2]).inv().apply([0, 0, -9.81])
    in_order = lambda forces: np.array([forces[name] for name in names])
    generator = np.random.default_rng(seed)
    for _ in range(5):
        q, u = generator.uniform(-1.5, 1.5, len(names)), generator.uniform(-2, 2, len(names))
        at, speeds = dict(zip(names, q, strict=True)), dict(zip(names, u, strict=True))
        M = np.array([in_order(newton_euler(urdf, at, {}, {name: 1.0}, gravity=np.zeros(3))) for name in names])
        assert np.abs(s.mass_matrix(q) - M).max() <= 1e-12 * np.abs(M).max()
        bias = in_order(newton_euler(urdf, at, speeds, {}, gravity=gravity))
        assert np.abs(s.bias_forces(q, u) - bias).max() <= 1e-12 * np.abs(bias).max()


INERTIAL = "<inertial><mass>{m}</mass><inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.04</izz></inertia></inertial>"
BARS = {"crank": ((0.1, 0, 0.1), 1.0), "coupler": ((0.5, 0, 0.35), 2.0), "rocker": ((0.9, 0, 0.25), 1.5)}
PINS = {
    "A": ("world", "crank", (0, 0, 0)),
    "B": ("crank", "coupler", (0.2, 0, 0.2)),
    "C": ("rocker", "coupler", (0.8, 0, 0.5)),
    "D": ("world", "rocker", (1, 0, 0)),
}


def four_bar():
    """The coupler is the child of crank and rocker."""
    links = [
        f'<link name="{name}"><pose>{text_of(p)} 0 0 0</pose>{INERTIAL.format(m=m)}</link>'
        for name, (p, m) in BARS.items()
    ]
    joints = [
        f"""<joint name="{name}" type="revolute"><parent>{a}</parent><child>{b}</child>
        <pose>{text_of(np.array(p) - BARS[b][0])} 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>"""
        for name, (a, b, p) in PINS.items()
    ]
    return '<sdf version="1.6"><model name="four-bar">\n' + "\n".join(links + joints) + "\n</model></sdf>"


def test_a_loop_is_closed_exactly():
    """The same by hand: equal motion to its tolerance; the loop stays closed to round-off."""
    s, hand = mk.load_model(four_bar()), mk.System("by hand")
    for name, (p, m) in BARS.items():
        hand.body(name, mass=m, inertia=(0.02, 0.03, 0.04), position=p)
    for name, (a, b, p) in PINS.items():
        hand.pin(name, "ground" if a == "world" else a, b, at=p, axis="y")
    assert "loops are closed by" in s.notes[0] and len(s.topology.cut) == 1
    mine, theirs = (mk.simulate(one, 0.5, every=0.1) for one in (s, hand))
    assert float(mine.residual["position"].max()) < 1e-12
    assert np.allclose(mine["A.angle"], theirs["A.angle"], atol=1e-8, rtol=0)
    assert np.allclose(mine.reaction("C")["force"], theirs.reaction("C")["force"], atol=1e-5)


@pytest.mark.parametrize("reversed_", [False, True])
def test_gearboxes_are_couplers(reversed_):
    """θ2 = −ratio θ1 about the axes of the gearbox, from the reference body, whichever way round the joints are given: the
    energy of both wheels gives the acceleration  τ = (I1 + ratio² I2) q̈1."""
    ends = "<parent>wheel</parent><child>frame</child>" if reversed_ else "<parent>frame</parent><child>wheel</child>"
    text = f"""<sdf version="1.6"><model name="gears">
      <link name="frame">{INERTIAL.format(m=1)}</link><link name="motor">{INERTIAL.format(m=1)}</link>
      <link name="wheel">{INERTIAL.format(m=1)}</link>
      <joint name="held" type="fixed"><parent>world</parent><child>frame</child></joint>
      <joint name="in" type="revolute"><parent>frame</parent><child>motor</child><axis><xyz>0 0 1</xyz></axis></joint>
      <joint name="out" type="revolute">{ends}<axis><xyz>0 0 -1</xyz></axis></joint>
      <joint name="gear" type="gearbox"><parent>motor</parent><child>wheel</child>
        <gearbox_reference_body>frame</gearbox_reference_body><gearbox_ratio>0.25</gearbox_ratio>
        <axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint></model></sdf>
    """
    s = mk.load_model(text)
    s.motor("drive", "in", torque=1.0)
    run = mk.simulate(s, 1.0)
    q = float(run["in.angle"][-1])
    assert q == pytest.approx(0.5 / (0.04 + 0.25**2 * 0.04), rel=1e-9)
    about_z = (1 if reversed_ else -1) * float(run["out.angle"][-1])  # of the wheel
    assert about_z == pytest.approx(-0.25 * q, rel=1e-12)


LAWS = """<sdf version="1.6"><world name="hall"><gravity>0 0 -1.6</gravity><physics type="ode"/>
  <model name="door"><static>false</static><pose>0 0 1 0 0 0</pose>
    <link name="leaf"><inertial><mass>3</mass></inertial>
      <visual name="v"><pose>0.5 0 0 0 0 0</pose><geometry><box><size>1 0.1 2</size></box></geometry>
        <material><ambient>1 0 0 1</ambient><diffuse>0 1 0 0.5</diffuse></material></visual>
      <collision name="c"><geometry><cylinder><radius>0.2</radius><length>2</length></cylinder></geometry></collision>
      <collision name="p"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link>
    <joint name="hinge" type="revolute"><parent>world</parent><child>leaf</child><axis><xyz>0 0 2</xyz>
      <limit><lower>-1</lower><upper>2</upper><effort>5</effort></limit>
      <dynamics><damping>0.3</damping><friction>0.2</friction><spring_stiffness>7</spring_stiffness>
        <spring_reference>0.4</spring_reference></dynamics></axis></joint></model></world></sdf>
"""


def test_what_a_joint_has_is_modelled():
    s = mk.load_model(LAWS)
    spring, limit = s.forces["hinge spring"], s.contact_laws["hinge limit"]
    assert (spring.stiffness.given, spring.angle.given) == (7.0, 0.4) and s.forces["hinge damping"].damping.given == 0.3
    assert (limit.lower.given, limit.upper.given) == (-1.0, 2.0)
    assert s.contact_laws["hinge friction"].torque.given == 0.2 and s.gravity == (0, 0, -1.6)
    leaf, notes = s.bodies["leaf"], "\n".join(s.notes)
    assert (
        leaf.position.tolist() == [0, 0, 1]
        and leaf.shape == mk.Cylinder(0.2, 2)
        and np.array_equal(leaf.inertia, np.eye(3))
    )
    assert leaf.look == (mk.Box(1, 0.1, 2, at=(0.5, 0, 0), color=(0, 1, 0)),)
    listed = ("<joint><axis><limit><effort> of hinge", "<link><collision><geometry><plane> of leaf")
    for note in ("<physics> of", *listed, "what is drawn is opaque", "<link><visual><material><ambient> of leaf"):
        assert note in notes, note


def test_limits_beyond_the_start_and_bases_are_reported():
    text = LAWS.replace("<lower>-1</lower>", "<lower>0.5</lower>")
    notes = "\n".join(mk.load_model(text).notes)
    assert (
        "<joint><axis><limit> of hinge 0.5 … 2 is not modelled: the joint is at 0 where the file has its links" in notes
    )
    apart = LAWS.replace("<parent>world</parent>", "<parent>post</parent>")
    free = mk.load_model(apart.replace("<link ", '<link name="post"/><link ', 1))
    assert free.joints["base"].kind == "free" and "links without <inertial> have mass 1 kg" in "\n".join(free.notes)
    still = mk.load_model(LAWS.replace("<static>false", "<static>true"))
    assert still.joints["leaf base"].kind == "weld" and "<joint> of hinge is not modelled" in "\n".join(still.notes)
    two = mk.load_model(LAWS.replace("</model>", "</model>\n<model name='box'><link name='leaf'/></model>"))
    assert list(two.bodies) == ["door leaf", "box leaf"] and two.name == "hall"


def test_everything_unknown_is_listed():
    """An attribute and a child that nobody knows, put into every tag: each is named in a note."""
    root = ET.fromstring(four_bar())
    model, expected = root.find("model"), []

    def spoil(element, path):
        for child in list(element):
            spoil(child, f"{path}<{child.tag}>")
        element.set("odd", "7")
        ET.SubElement(element, "strange")
        expected.append((f"{path[:-1]} odd>" if path else "<model odd>", f"{path}<strange>"))

    spoil(model, "")
    notes = "\n".join(mk.load_model(ET.tostring(root, encoding="unicode")).notes)
    assert len(expected) > 30
    for attribute, child in expected:
        assert attribute in notes and child in notes


BAD = {
    "truncated": (four_bar()[:900], "not whole XML"),
    "entities": ('<!DOCTYPE x [<!ENTITY a "b">]>\n<sdf version="1.6"><model name="&a;"/></sdf>', "^SDF text.*document type"),
    "no model": ('<sdf version="1.6">\n</sdf>', "it has no model"),
    "unknown type": (four_bar().replace('"revolute"', '"universal"', 1), "its type is 'universal'.*one of revolute"),
    "unknown link": (four_bar().replace("<parent>crank<", "<parent>crnk<"), "no link 'crnk'.*Did you mean 'crank'"),
    "axis": (four_bar().replace("<xyz>0 1 0</xyz>", "<xyz>0 0 0</xyz>", 1), "the axis of joint 'A' is 0 0 0"),
    "number": (four_bar().replace("<mass>1.0<", "<mass>one<"), "it is 'one'; a finite number is expected"),
    "relative": (four_bar().replace("<pose>", '<pose relative_to="B">', 1), "it is relative to 'B'"),
    "twice": (four_bar().replace('name="rocker"', 'name="crank"', 1), "another link of this name"),
    "itself": (four_bar().replace("<child>crank<", "<child>coupler<").replace("<parent>crank<", "<parent>coupler<"), "both 'coupler'"),
    "inertia": (four_bar().replace("<ixx>0.02<", "<ixx>0.2<"), "inertias that no body has.*unphysical=True"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_refused_with_their_line(what):
    text, message = BAD[what]
    with pytest.raises(FileError, match=message) as raised:
        mk.load_model(text)
    assert "line" in str(raised.value)


def test_options_are_checked():
    with pytest.raises(ModelError, match="base is 'loose'"):
        mk.load_model(four_bar(), base="loose")
    assert mk.load_model(BAD["inertia"][0], unphysical=True).bodies["crank"].unphysical


def test_names_that_other_programs_allow():
    """Models of one name, a link called as the world is, dots in names: parts are renamed, and that is reported."""
    link = '<link name="{}"><inertial><mass>2</mass></inertial></link>'
    arm = (
        link.format("world")
        + link.format("arm")
        + (
            '<joint name="hinge" type="revolute"><parent>world</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>'
        )
    )
    alone = mk.load_model(f'<sdf version="1.6"><model name="a">{arm}</model></sdf>')
    assert alone.joints["hinge"].a == "world link" and len(alone.speeds) == 7
    assert "joints at 'world' are at this link, not at the ground." in "\n".join(alone.notes)
    twice = (
        f'<model name="a">{arm}</model>' * 2 + f'<model name="x.obj"><static>1</static>{link.format("part")}</model>'
    )
    both = mk.load_model(f'<sdf version="1.6"><world name="w">{twice}</world></sdf>')
    assert list(both.bodies) == ["a world", "a arm", "a 2 world", "a 2 arm", "x_obj part"]
    assert both.joints["a 2 hinge"].a == "a 2 world" and len(both.speeds) == 14 and "x_obj part base" in both.joints
