"""Robots in URDF. Oracles: closed forms of a two-link arm, a Newton–Euler recursion of its own on random trees (robots.py),
Pinocchio where it is installed, mechanisms described by hand; and the text itself for what has to be listed."""

import numpy as np
import pytest
from meshes import TETRAHEDRON, write_stl
from robots import newton_euler, random_joint, random_link, random_robot

import mekane as mk
from mekane.errors import FileError, ModelError
from mekane.importers.urdf.packages import resolve

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0.3 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>
      <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.35"/></inertial>
    <visual><origin xyz="0.3 0 0"/><geometry><box size="0.6 0.1 0.1"/></geometry></visual>
  </link>
  <link name="lower"><inertial><origin xyz="0.2 0 0"/><mass value="1.5"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.05"/></inertial></link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 -1 0"/>
    <limit lower="-2" upper="2" effort="80" velocity="3"/><dynamics damping="0.4" friction="0.2"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.6 0 0"/><axis xyz="0 -2 0"/>
    <limit lower="-2.5" upper="2.5" effort="40" velocity="3"/></joint>
  <joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0.4 0 0"/></joint>
</robot>
"""


def changed(old, new, text=ARM):
    assert old in text
    return text.replace(old, new, 1)


def notes_of(text, **options):
    return "\n".join(mk.load_model(text, **options).notes)


# ---------------------------------------------------------------- equations of motion


def test_two_link_arm_in_closed_form():
    """Mass matrix, gravity and Coriolis terms of the textbook's arm in a vertical plane, angles upwards. Tolerance: round-off
    of a few operations. The inertial frame of the upper arm is rotated by 90°, so its iyy and ixx change places."""
    s = mk.load_model(ARM)
    m1, m2, l, c1, c2, I1, I2 = 2.0, 1.5, 0.6, 0.3, 0.2, 0.3, 0.05
    for q1, q2, u1, u2 in np.random.default_rng(3).uniform(-1.5, 1.5, (5, 4)):
        a, b, d = m1 * c1**2 + I1 + m2 * l**2, m2 * c2**2 + I2, m2 * l * c2
        M = [[a + b + 2 * d * np.cos(q2), b + d * np.cos(q2)], [b + d * np.cos(q2), b]]
        g2 = m2 * 9.81 * c2 * np.cos(q1 + q2)
        gravity = np.array([9.81 * (m1 * c1 + m2 * l) * np.cos(q1) + g2, g2])
        coriolis = d * np.sin(q2) * np.array([-(2 * u1 * u2 + u2**2), u1**2])
        damping = np.array([0.4 * u1, 0.0])
        assert s.mass_matrix([q1, q2]) == pytest.approx(np.array(M), abs=1e-14)
        assert s.bias_forces([q1, q2], [u1, u2]) == pytest.approx(gravity + coriolis + damping, abs=3e-14)


def compared_with_newton_euler(text, seed):
    s = mk.load_model(text)
    names = [coordinate.partition(".")[0] for coordinate in s.coordinates]
    generator = np.random.default_rng(seed)
    for _ in range(20):
        q, u = generator.uniform(-1.5, 1.5, len(names)), generator.uniform(-2, 2, len(names))
        at, speeds = dict(zip(names, q, strict=True)), dict(zip(names, u, strict=True))
        M = [in_order(names, newton_euler(text, at, {}, {name: 1.0}, gravity=np.zeros(3))) for name in names]
        yield s.mass_matrix(q), np.array(M)
        yield s.bias_forces(q, u), in_order(names, newton_euler(text, at, speeds, {}))
        yield s.bias_forces(q, 0 * u), in_order(names, newton_euler(text, at, {}, {}))


def in_order(names, forces):
    return np.array([forces[name] for name in names])


@pytest.mark.divided("seed", 2)
@pytest.mark.parametrize("seed", range(4))
def test_random_trees_against_a_recursion_of_their_own(seed):
    """1e-12 relative to the largest entry: both sum some hundred products of numbers of order one."""
    for mine, theirs in compared_with_newton_euler(random_robot(seed), seed):
        assert np.abs(mine - theirs).max() <= 1e-12 * np.abs(theirs).max()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_random_trees_against_pinocchio(seed, base, tmp_path):
    """The floating base has other speeds there, in its own axes: v = R v_world, the same angular velocity. 1e-12 as above."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle (pip install pin)")
    path = tmp_path / "robot.urdf"
    path.write_text(random_robot(seed), encoding="utf-8")
    s = mk.load_model(path, base=base)
    model = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if base == "floating" else []))
    data, generator, free = model.createData(), np.random.default_rng(seed), base == "floating"
    names = [coordinate.partition(".")[0] for coordinate in s.coordinates][7 * free :]
    joints = [model.joints[model.getJointId(name)] for name in names]
    for _ in range(20):
        q, u = generator.uniform(-1.5, 1.5, len(names)), generator.uniform(-2, 2, len(names) + 6 * free)
        Q, v, T = np.zeros(model.nq), np.zeros(model.nv), np.eye(model.nv)
        order = [*range(6 * free), *(joint.idx_v for joint in joints)]
        for x, joint in zip(q, joints, strict=True):
            Q[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(x), np.sin(x)] if joint.nq == 2 else x
        if free:
            p, e = generator.normal(size=3), generator.normal(size=4)
            Q[:3], Q[3:7] = p, e / np.linalg.norm(e)
            q = np.concatenate([p, Q[3:7], q])
            T[:3, :3] = pin.Quaternion(Q[3:7]).matrix().T
        v[order] = T @ u
        M = pin.crba(model, data, Q)
        M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(order, order)]
        ud = np.zeros(model.nv)  # v is constant in world axes: its components in rotating axes are not
        ud[:3] = -np.cross(v[3:6], v[:3]) if free else ud[:3]
        bias = pin.rnea(model, data, Q, v, ud)[order]
        assert np.abs(s.mass_matrix(q) - T.T @ M @ T).max() <= 1e-12 * np.abs(M).max()
        assert np.abs(s.bias_forces(q, u) - T.T @ bias).max() <= 1e-12 * np.abs(bias).max()


@pytest.mark.parametrize(
    ("kind", "made", "speeds"), [("floating", "free", 6), ("planar", "planar", 3), ("spherical", "ball", 3)]
)
def test_joints_with_several_coordinates(kind, made, speeds):
    """Oracle: of a body whose mass centre is the joint's origin, M is mass and inertia along the axes of the joint."""
    text = f"""<robot name="r">
      <link name="a"/><link name="b"><inertial><mass value="2"/>
      <inertia ixx="0.4" ixy="0" ixz="0" iyy="0.4" iyz="0" izz="0.4"/></inertial></link>
      <joint name="j" type="{kind}"><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><parent link="a"/><child link="b"/>
      <axis xyz="1 2 2"/><dynamics damping="1"/></joint></robot>"""
    s = mk.load_model(text)
    q, _ = s.initial_state()
    M = {6: [2, 2, 2, 0.4, 0.4, 0.4], 3: [2, 2, 0.4] if kind == "planar" else [0.4] * 3}[speeds]
    assert s.joints["j"].kind == made
    assert s.mass_matrix(q) == pytest.approx(np.diag(M), abs=1e-15)
    assert "<joint><dynamics damping> of j 1 is not modelled" in "\n".join(s.notes)
    if kind == "planar":
        assert s.joints["j"].R_BM[:, 2] == pytest.approx(np.array([1, 2, 2]) / 3)


# ---------------------------------------------------------------- limits, damping, friction, mimic


def test_laws_of_joints():
    s = mk.load_model(ARM)
    limit, friction = s.contact_laws["shoulder limit"], s.contact_laws["shoulder friction"]
    assert (limit.lower.given, limit.upper.given) == (-2.0, 2.0) and friction.torque.given == 0.2
    assert s.forces["shoulder damping"].damping.given == 0.4
    assert "elbow friction" not in s.contact_laws


def test_a_joint_starts_at_its_limit_where_zero_is_beyond():
    s = mk.load_model(changed('lower="-2.5"', 'lower="0.7"'))
    q, _ = s.initial_state()
    assert dict(zip(s.coordinates, q, strict=True))["elbow.angle"] == pytest.approx(0.7, abs=1e-15)
    assert "joint 'elbow' starts at 0.7, its limit nearest to 0." in s.notes


def test_more_than_half_a_revolution_at_the_start():
    s = mk.load_model(changed('lower="-2.5" upper="2.5"', 'lower="5" upper="6"'))
    assert s.initial_state()[0] == pytest.approx([0.0, 5.0], abs=1e-14)


def test_mimic_is_exact():
    """Oracle: θ2 = 2 θ1 + 0.1 at all times, to the tolerance of the projection."""
    text = changed('<axis xyz="0 -2 0"/>', '<axis xyz="0 -2 0"/><mimic joint="shoulder" multiplier="2" offset="0.1"/>')
    s = mk.load_model(changed("<dynamics", "<!-- <dynamics", changed('friction="0.2"/>', 'friction="0.2"/> -->', text)))
    run = mk.simulate(s, 0.3)
    assert np.abs(run["elbow.angle"].values - 2 * run["shoulder.angle"].values - 0.1).max() < 1e-12
    assert np.ptp(run["shoulder.angle"].values) > 0.1


def test_limits_that_leave_no_motion_are_listed():
    notes = notes_of(changed('lower="-2" upper="2" effort', 'lower="0" upper="0" effort'))
    assert "<joint><limit lower upper> of shoulder 0.0 … 0.0 is not modelled: they leave no motion" in notes


# ---------------------------------------------------------------- bodies and names


def test_massless_links_are_welded_and_the_base_is_fixed_or_free():
    s = mk.load_model(ARM)
    assert s.bodies["tool"].massless and s.joints["flange"].kind == "weld" and s.joints["base joint"].kind == "weld"
    assert "links without <inertial> are massless: base, tool." in s.notes
    assert not [remark for remark in s.check() if "nothing determines" in remark]
    assert mk.load_model(ARM, base="floating").joints["base joint"].kind == "free"


def test_what_is_drawn_is_the_look_and_what_collides_the_shape(tmp_path):
    """One shape for contact, the largest primitive that collides, else a mesh; all that is drawn, in its colours."""
    box = mk.load_model(ARM).bodies["upper"].shape
    assert (box.x, box.y, box.z) == (0.6, 0.1, 0.1) and box.at.tolist() == [0.3, 0, 0]
    (tmp_path / "meshes").mkdir()
    write_stl(tmp_path / "meshes" / "A.STL", TETRAHEDRON)
    mesh = '<geometry><mesh filename="package://arm/meshes/A.STL" scale="0.1 -0.1 0.1"/></geometry>'
    more = f"""<collision><geometry><sphere radius="5"/></geometry></collision><collision>{mesh}</collision>
      <visual><origin xyz="0 0 1"/>{mesh}<material name="red"/></visual>
      <visual><geometry><mesh filename="b.stl"/></geometry></visual>"""
    text = changed('<visual><origin xyz="0.3', more + '<visual><origin xyz="0.3')
    text = changed("</robot>", '<material name="red"><color rgba="1 0 0 0.5"/></material></robot>', text)
    text = changed('<link name="tool"/>', f'<link name="tool"><collision>{mesh}</collision></link>', text)
    (tmp_path / "arm.urdf").write_text(text)
    s = mk.load_model(tmp_path / "arm.urdf")
    upper, tool, notes = s.bodies["upper"], s.bodies["tool"], "\n".join(s.notes)
    assert upper.shape == mk.Sphere(5) and upper.look[1] == box and len(upper.look) == 2
    drawn = upper.look[0]
    assert drawn == mk.Mesh(tmp_path / "meshes" / "A.STL", (0.1, -0.1, 0.1), at=(0, 0, 1), color="#ff0000")
    assert tool.shape == mk.Mesh(tmp_path / "meshes" / "A.STL", (0.1, -0.1, 0.1)) and tool.look == ()
    for note in (
        "<link><collision><geometry><mesh> of upper is not modelled: a body has one shape",
        "<link><visual><geometry><mesh> of upper (b.stl) is not modelled: its file is not found.",
        "<link><visual><material><color rgba> of upper (A.STL) 0.5 is not modelled: what is drawn is opaque.",
        "touch as their convex hulls, where a contact is given: tool.",
    ):
        assert note in notes
    mk.save_model(s, tmp_path / "arm.yaml")
    assert mk.load_model(tmp_path / "arm.yaml").bodies == s.bodies


def test_names_that_mekane_does_not_allow():
    """A link and a joint of one name, a dot and a reserved name; what they are called is reported."""
    text = ARM.replace('"tool"', '"elbow"').replace('"shoulder"', '"joint_1.0"').replace('"lower"', '"ground"')
    s = mk.load_model(text)
    assert {"elbow link", "ground link"} <= set(s.bodies) and {"elbow", "joint_1_0"} <= set(s.joints)
    assert {"link 'elbow' is called 'elbow link'.", "joint 'joint_1.0' is called 'joint_1_0'."} <= set(s.notes)


def test_a_robot_in_millimetres_is_remarked():
    assert "are these millimetres?" in notes_of(changed('<origin xyz="0.6 0 0"/>', '<origin xyz="600 0 0"/>'))


def test_limits_in_degrees_are_remarked():
    notes = notes_of(changed('lower="-2" upper="2"', 'lower="-120" upper="120"'))
    assert "limits in radians; are these degrees: shoulder -120 … 120." in notes


def test_notes_stay_when_parameters_change():
    s = mk.load_model(ARM)
    assert s.with_parameters({"upper.mass": 3.0}).notes == s.notes


# ---------------------------------------------------------------- nothing is dropped silently


def test_everything_unknown_is_listed():
    """An attribute and a child that nobody knows, put into every tag of the file: each is named in a note, with its path."""
    import xml.etree.ElementTree as ET

    root, expected = ET.fromstring(ARM), []

    def spoil(element, path):
        for child in list(element):
            spoil(child, f"{path}<{child.tag}>")
        element.set("odd", "7")
        ET.SubElement(element, "strange")
        expected.append((f"{path[:-1]} odd>" if path else "<robot odd>", f"{path}<strange>"))

    spoil(root, "")
    notes = notes_of(ET.tostring(root, encoding="unicode"))
    assert len(expected) > 30
    for attribute, child in expected:
        assert attribute in notes and child in notes


def test_known_tags_without_a_place_are_listed_with_the_reason():
    more = """<transmission name="t1"><type>x</type></transmission><gazebo reference="upper"><mu1>0.2</mu1></gazebo>
      <material name="red"><texture filename="a.png"/></material></robot>"""
    text = changed(
        "</robot>", more, changed("<dynamics", '<safety_controller k_velocity="1"/><calibration rising="0"/><dynamics')
    )
    notes = notes_of(text)
    for tag in (
        "<transmission> of t1",
        "<gazebo> of upper",
        "<material><texture> of red",
        "<joint><safety_controller> of shoulder",
    ):
        assert f"{tag} is not modelled: " in notes and "not known" not in notes
    assert "<joint><limit effort> of shoulder 80, elbow 40 is not modelled" in notes


def test_the_world_need_not_be_a_link():
    """Drake's files name it as a parent only."""
    text = changed('<link name="base"/>', "", changed('<parent link="base"/>', '<parent link="world"/>'))
    s = mk.load_model(text)
    assert any("link 'world' is not in the file" in note for note in s.notes)
    q = [0.3, -0.7]
    assert np.allclose(s.mass_matrix(q), mk.load_model(ARM).mass_matrix(q), atol=0, rtol=1e-14)


def test_a_joint_that_mimics_an_unknown_one_is_listed():
    s = mk.load_model(changed('<axis xyz="0 -2 0"/>', '<axis xyz="0 -2 0"/><mimic joint="sholder"/>'))
    assert any(
        "<joint><mimic joint> of elbow sholder" in note and "Did you mean 'shoulder'?" in note for note in s.notes
    )


def test_a_backslash_in_the_name_of_a_leader():
    text = changed('<axis xyz="0 -2 0"/>', '<axis xyz="0 -2 0"/><mimic joint="a\\b" multiplier="2"/>').replace(
        "shoulder", "a\\b"
    )
    s = mk.load_model(text)
    assert len(s.constraints) == 1 and mk.assemble(s).q is not None


# ---------------------------------------------------------------- bad input

BAD = {
    "truncated": (ARM[:700], "line 13: it is not whole XML.*The tag 'joint' of line 12 is open"),
    "another format": ("<svg>\n</svg>", "its first tag is <svg>"),
    "xacro": (changed('<link name="base"/>', "<xacro:macro/>"), "Run xacro"),
    "no links": ("<robot name='r'>\n</robot>", "it has no link"),
    "unknown type": (changed('type="fixed"', 'type="fixd"'), "line 16.*its type is 'fixd'.*Did you mean 'fixed'"),
    "unknown parent": (changed('<parent link="upper"/>', '<parent link="uper"/>'), "there is no link 'uper'.*'upper'"),
    "two parents": (changed('<child link="tool"/>', '<child link="upper"/>'), "another parent by joint 'shoulder'"),
    "cycle": (changed('<parent link="base"/>', '<parent link="lower"/>'), "carry one another in a circle"),
    "two bases": (
        changed('<link name="tool"/>', '<link name="tool"/><link name="x"/>'),
        "2 links have no parent: 'base', 'x'",
    ),
    "duplicate": (
        changed('<link name="tool"/>', '<link name="tool"/><link name="upper"/>'),
        "another link of this name in line 4",
    ),
    "no axis": (changed('<axis xyz="0 -2 0"/>', '<axis xyz="0 0 0"/>'), "axis of joint 'elbow' is 0 0 0"),
    "not a number": (changed('value="2"', 'value="two"'), "line 5, mass: value is 'two'"),
    "infinite": (changed('value="2"', 'value="inf"'), "a finite number"),
    "two numbers": (changed('xyz="0.6 0 0"', 'xyz="0.6 0"'), "line 14, origin: xyz is '0.6 0'; 3 finite numbers"),
    "negative mass": (changed('value="2"', 'value="-2"'), "a mass is not negative"),
    "mimics itself": (changed('<axis xyz="0 -2 0"/>', '<mimic joint="elbow"/>'), "it mimics itself"),
    "nameless": (changed('<link name="tool"/>', "<link/>"), "name is missing"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused_with_a_line(case):
    text, message = BAD[case]
    with pytest.raises(FileError, match=message) as caught:
        mk.load_model(text)
    assert "URDF text, line " in str(caught.value)


def test_inertias_that_no_body_has_are_named_all_at_once():
    text = changed('iyy="0.1"', 'iyy="9"', changed('ixx="0.02"', 'ixx="-0.02"'))
    with pytest.raises(FileError, match=r"link 'upper' \(line 4\).*link 'lower' \(line 9\).*unphysical=True"):
        mk.load_model(text)
    s = mk.load_model(text, unphysical=True)
    assert s.bodies["lower"].inertia[0, 0] == -0.02 and s.bodies["lower"].unphysical
    assert sum("no body has, and was accepted" in note for note in s.notes) == 2


BOMB = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "ha"}">' for i in range(9))


@pytest.mark.parametrize(
    "head",
    [
        f"<!DOCTYPE r [{BOMB}]>",
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE r SYSTEM "http://localhost/r.dtd">',
    ],
    ids=["bomb", "external entity", "external type"],
)
def test_entities_are_refused(head):
    with pytest.raises(FileError, match="Nothing is expanded or fetched"):
        mk.load_model(f'{head}\n<robot name="r"><link name="&l8;"/></robot>')


def test_deep_nesting_is_refused():
    with pytest.raises(FileError, match="deep"):
        mk.load_model("<robot>\n" + "<a>" * 100 + "</a>" * 100 + "</robot>")


def test_options_are_checked():
    with pytest.raises(ModelError, match="unknown option 'bse'.*Did you mean 'base'"):
        mk.load_model(ARM, bse="fixed")
    with pytest.raises(ModelError, match="base is 'flying'"):
        mk.load_model(ARM, base="flying")
    with pytest.raises(ModelError, match="no options"):
        mk.load_model("bodies: {a: {mass: 1}}\n", base="fixed")
    with pytest.raises(FileError, match="there is no such file"):
        mk.load_model(ARM, loops="nowhere.yaml")


# ---------------------------------------------------------------- files beside it


def test_packages_are_looked_for_upwards(tmp_path):
    """The folder of a package may have its name, or another one."""
    (tmp_path / "share" / "my_robot" / "urdf").mkdir(parents=True)
    mesh = tmp_path / "share" / "my_robot" / "meshes" / "arm.stl"
    mesh.parent.mkdir()
    mesh.write_bytes(b"")
    folder = tmp_path / "share" / "my_robot" / "urdf"
    assert resolve("package://my_robot/meshes/arm.stl", folder) == mesh
    assert resolve("package://other_name/meshes/arm.stl", folder) == mesh
    assert resolve("../meshes/arm.stl", folder).samefile(mesh)
    assert resolve(mesh.as_uri(), folder) == mesh
    assert resolve("package://my_robot/meshes/leg.stl", folder) is None
    assert resolve("http://localhost/arm.stl", folder) is None


def four_bar():
    """Two branches in a plane, whose ends a loop is to join: what URDF cannot tell."""
    generator = np.random.default_rng(5)
    links = [random_link(generator, name) for name in ("frame", "crank", "rod", "rocker")]
    joints = []
    for name, parent, child, xyz in (
        ("A", "frame", "crank", "0 0 0"),
        ("B", "crank", "rod", "0 0 0.3"),
        ("D", "frame", "rocker", "0.8 0 0"),
    ):
        joints.append(
            f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{xyz}"/><axis xyz="0 1 0"/></joint>'
        )
    return '<robot name="four-bar">\n' + "\n".join(links + joints) + "\n</robot>"


LOOP = {"C": {"pin": ["rod", "rocker"], "on_a": [0.8, 0, 0.2], "on_b": [0, 0, 0.5], "axis_a": "y", "axis_b": "y"}}


@pytest.mark.parametrize("how", ["beside", "file", "data"])
def test_loops_from_a_sidecar(how, tmp_path):
    """Oracle: the same system with the loop closed by the method of System; bit by bit the same motion."""
    path, other = tmp_path / "bar.urdf", tmp_path / ("bar.loops.yaml" if how == "beside" else "other.yaml")
    path.write_text(four_bar(), encoding="utf-8")
    other.write_text(f"loops: {LOOP}\n", encoding="utf-8")
    s = mk.load_model(path, loops={"beside": None, "file": other, "data": LOOP}[how])
    (tmp_path / "bare.urdf").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    hand = mk.load_model(tmp_path / "bare.urdf")
    hand.pin("C", "rod", "rocker", on_a=(0.8, 0, 0.2), on_b=(0, 0, 0.5), axis_a="y", axis_b="y")
    assert mk.mobility(s).freedom == 1
    assert any(note.startswith("loops are closed by 'C'") for note in s.notes)
    one, two = mk.simulate(s, 0.2), mk.simulate(hand, 0.2)
    assert np.array_equal(one["A.angle"].values, two["A.angle"].values) and np.ptp(one["A.angle"].values) > 0.01


def test_bad_loops_name_the_file(tmp_path):
    path = tmp_path / "bar.loops.yaml"
    path.write_text("loops: {C: {pin: [rod, roker], at: [0, 0, 0], axis: y}}\n", encoding="utf-8")
    with pytest.raises(ModelError, match=r"bar.loops.yaml, loops › C.*'roker'"):
        mk.load_model(four_bar(), loops=path)


def test_joint_kinds_of_a_random_robot_are_all_read():
    text = random_joint(np.random.default_rng(0), "j", "prismatic", "a", "b")
    s = mk.load_model(f'<robot name="r">\n<link name="a"/>{random_link(np.random.default_rng(1), "b")}{text}</robot>')
    assert s.joints["j"].kind == "slider" and "j limit" in s.contact_laws


def test_check_tells_what_was_read(capsys):
    """The remarks are the notes; limits do not count as constraints in the mobility."""
    from mekane.cli.commands.check import put_facts, understood

    s = mk.load_model(ARM)
    facts = understood(s, {})
    put_facts(facts)
    printed = capsys.readouterr().out
    assert facts["degrees_of_freedom"] == facts["mobility"]["freedom"] == 2
    assert all(f"Remark: {note}" in printed for note in s.notes) and len(s.notes) > 3
