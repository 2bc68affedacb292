"""Models of MuJoCo in MJCF. Oracle: MuJoCo itself, for mass matrix, bias, passive and actuator forces, which geoms may touch,
how far equality constraints are open, and its own schema for what has to be accounted for."""

import re
import sys

import numpy as np
import pytest
from meshes import write_stl

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the compiler and the oracle (pip install mujoco-core)")

import mekane as mk  # noqa: E402
from mekane.errors import FileError, ModelError  # noqa: E402
from mekane.importers import mjcf  # noqa: E402
from mekane.importers.mjcf.accounted import account  # noqa: E402
from mekane.importers.mjcf.census import left_out, path_of  # noqa: E402
from mekane.importers.mjcf.contacts import pairs_of  # noqa: E402
from mekane.importers.mjcf.states import Matching  # noqa: E402
from mekane.importers.urdf.report import Report  # noqa: E402

ROBOT = """<mujoco model="robot">
  <compiler angle="degree" eulerseq="xyz"/>
  <option gravity="0.3 -0.2 -9.7"/>
  <default><joint damping="0.2" armature="0.03"/><geom density="800"/>
    <default class="stiff"><joint stiffness="3" springref="20"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" pos="0 0 -5"/>
    <body name="table" pos="0.3 0 0.1" euler="10 20 30">
      <geom type="box" size=".1 .2 .05"/>
      <body name="arm" pos="0 0 0.2" quat="1 0.2 0.3 0.1">
        <joint name="x" type="slide" axis="1 0 0" ref="0.4"/>
        <joint name="yaw" class="stiff" axis="0 0.2 1" pos="0.1 0 0.05" ref="30" range="-90 100" frictionloss="0.5"/>
        <joint name="pitch" axis="0 1 0" pos="0 0.1 0" stiffness="1 2 3" damping="0.1 0.2 0.3"/>
        <geom type="capsule" fromto="0 0 0 0.3 0.1 0.2" size=".04"/>
        <geom type="sphere" size=".06" pos="0.3 0.1 0.2"/>
        <site name="tip" pos="0.3 0.1 0.2" euler="0 90 0"/>
        <body name="hand" pos="0.3 0.1 0.2" gravcomp="0.4">
          <inertial pos="0.02 0.01 0.03" mass="0.7" fullinertia="0.02 0.03 0.025 0.002 0.001 -0.003"/>
          <joint name="wrist" type="ball" pos="0 0 0.01"/>
          <body name="lid" pos="0 0 0.1"><geom type="ellipsoid" size=".03 .02 .05" pos="0.01 0 0"/></body>
        </body>
      </body>
    </body>
    <body name="ball" pos="1 2 3" quat="1 1 0 0"><joint type="free" armature="0.3" damping="0.7"/>
      <geom type="ellipsoid" size=".1 .2 .15" pos="0.1 0 0"/></body>
  </worldbody>
  <actuator>
    <motor name="pull" joint="x" gear="3" ctrllimited="true" ctrlrange="-1 1" armature="0.1" damping="0.2"/>
    <position name="turn" joint="yaw" kp="5" kv="0.4" gear="2" forcerange="-4 4"/>
    <velocity name="nod" joint="pitch" kv="2"/>
    <general name="thrust" site="tip" gear="1 2 3 0.1 0.2 0.3" gainprm="2" biastype="affine" biasprm="0.5 0 0"/>
    <motor name="both" tendon="sum"/>
  </actuator>
  <tendon><fixed name="sum" stiffness="2" damping="0.3" springlength="0.1 0.2">
    <joint joint="x" coef="2"/><joint joint="pitch" coef="-0.5"/></fixed></tendon>
  <keyframe><key name="home"
    qpos="0.1 0.2 0.3 0.5 0.5 0.5 0.5 0 0 1 0.6 0 0.8 0"
    qvel="1 2 3 0.1 0.2 0.3 1 2 3 0.4 0.5 0.6" ctrl="5 0.3 0.2 0.7 0.6"/></keyframe>
</mujoco>"""


def compiled(text):
    spec = mujoco.MjSpec.from_string(text)
    spec.compiler.fusestatic = False
    return spec.compile()


def mass_matrix(model, data):
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return M


def notes_of(text, **options):
    return "\n".join(mk.load_model(text, **options).notes)


@pytest.fixture(scope="module")
def robot():
    return mk.load_model(ROBOT, contacts="none")


# ---------------------------------------------------------------- equations of motion


def test_equations_of_motion_are_those_of_mujoco():
    """Several joints on a body, all types of joints, references, springs and dampers with polynomials, armature, tensors in
    rotated frames, gravity compensation, tendons and actuators of five kinds. 1e-12 relative to the largest entry: sums of some
    hundred products on both sides."""
    s, model = mk.load_model(ROBOT, contacts="none", keyframe="home"), compiled(ROBOT)
    data, match, generator = mujoco.MjData(model), Matching(s, model), np.random.default_rng(4)
    for _ in range(20):
        data.qpos[:], data.qvel[:] = generator.uniform(-1, 1, model.nq), generator.uniform(-2, 2, model.nv)
        data.ctrl[:] = model.key_ctrl[0]
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_forward(model, data)
        q, u = match.here(data.qpos, data.qvel)
        M, forces = mass_matrix(model, data), data.qfrc_bias - data.qfrc_passive - data.qfrc_actuator
        assert np.abs(s.mass_matrix(q)[np.ix_(match.u, match.u)] - M).max() <= 1e-12 * np.abs(M).max()
        assert np.abs(s.bias_forces(q, u)[match.u] - forces).max() <= 1e-12 * np.abs(forces).max()


def test_start_is_that_of_mujoco():
    """Positions and velocities of bodies and sites at a keyframe. 1e-14: a few rotations."""
    s, model = mk.load_model(ROBOT, contacts="none", keyframe=0), compiled(ROBOT)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    velocity = np.zeros(6)
    for i in range(1, model.nbody):
        body = s.bodies[model.body(i).name]
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, i, velocity, 0)
        assert body.position == pytest.approx(data.xpos[i], abs=1e-14)
        assert body.R_NB == pytest.approx(data.xmat[i].reshape(3, 3), abs=1e-14)
        assert np.concatenate([body.angular_velocity, body.velocity]) == pytest.approx(velocity, abs=1e-13)
    qpos, qvel = Matching(s, model).there(*s.initial_state())
    assert qpos == pytest.approx(model.key_qpos[0], abs=1e-14) and qvel == pytest.approx(model.key_qvel[0], abs=1e-13)
    marker = s.markers["tip"]
    assert marker.body == "arm" and marker.orientation[:, 2] == pytest.approx([1, 0, 0], abs=1e-14)


def test_by_default_it_starts_where_mujoco_does(robot):
    model = compiled(ROBOT)
    assert Matching(robot, model).there(*robot.initial_state())[0] == pytest.approx(model.qpos0, abs=1e-14)
    assert any("keyframe=…): 'home'" in note for note in robot.notes)
    with pytest.raises(ModelError, match="keyframe is 'hom'; there are 'home'. Did you mean 'home'"):
        mk.load_model(ROBOT, keyframe="hom")


def test_laws_of_joints(robot):
    limit, friction = robot.contact_laws["yaw limit"], robot.contact_laws["yaw friction"]
    assert (limit.lower.given, limit.upper.given) == pytest.approx(np.radians([-90, 100]))
    assert friction.torque.given == 0.5 and robot.forces["yaw armature"].inertia.given == 0.03
    assert robot.inputs["turn control"].value == 0.0 and robot.coordinates[:3] == [
        "x.displacement",
        "yaw.angle",
        "pitch.angle",
    ]
    assert robot.bodies["yaw frame"].massless and robot.gravity == (0.3, -0.2, -9.7)


# ---------------------------------------------------------------- constraints

LOOP = """<mujoco>
  <worldbody>
    <body name="crank"><joint name="A" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".02"/>
      <body name="rod" pos="0 0 .3"><joint name="B" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .8 0 .2" size=".02"/>
        <site name="end" pos=".8 0 .2"/></body></body>
    <body name="rocker" pos=".8 0 0"><joint name="D" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .45" size=".02"/>
      <site name="top" pos="0 0 .45"/></body>
    <body name="block" pos="2 0 0"><freejoint name="flight"/><geom size=".1"/></body>
    <body name="post" pos="2 0 .5" euler="0 10 0"><joint name="turn" axis="0 0 1"/><geom size=".1"/></body>
    <body name="follower" pos="3 0 0"><joint name="E" axis="0 1 0" ref="10"/><geom size=".1" pos=".1 0 0"/></body>
    <body name="slide" pos="4 0 0"><joint name="S" type="slide"/><geom size=".1"/></body>
  </worldbody>
  <tendon><fixed name="one"><joint joint="S" coef="2"/></fixed><fixed name="two"><joint joint="turn" coef=".5"/></fixed></tendon>
  <equality>
    <connect name="C" site1="end" site2="top" solref="0.001 1"/>
    <weld name="glue" body1="post" body2="block" relpose="0.1 0.2 0.3 0.9 0.1 0.2 0.3"/>
    <joint name="cam" joint1="E" joint2="turn" polycoef="0.1 0.5 0.2 0.05 0.01"/>
    <tendon name="belt" tendon1="one" tendon2="two" polycoef="0.05 1 0 0 0"/>
    <joint name="off" joint1="E" active="false"/>
  </equality>
  <keyframe><key qpos="0.1 -0.1 0.2 2 0 0.2 1 0 0 0 0.3 0.2 0.1"/></keyframe>
</mujoco>"""


def test_equality_constraints_hold_exactly():
    """Oracle: MuJoCo's own residuals after assembly. 1e-12 m or rad, the tolerance of assembly with a margin of a hundred. All but
    the inactive one, on a tree that stays MuJoCo's."""
    s, model = mk.load_model(LOOP, contacts="none", keyframe=0), compiled(LOOP)
    data = mujoco.MjData(model)
    data.qpos[:] = Matching(s, model).there(mk.assemble(s).q, np.zeros(model.nv))[0]
    mujoco.mj_forward(model, data)
    assert data.ne == 3 + 6 + 1 + 1 and np.abs(data.efc_pos[: data.ne]).max() < 1e-12
    notes = "\n".join(s.notes)
    assert "<equality><joint> of off is not modelled: it is not active" in notes and "hold exactly here" in notes
    assert "<equality><connect solref>" in notes
    freedom = mk.mobility(s).freedom
    assert freedom == model.nv - 10  # four equations close the loop in its plane with two; all others are independent


# ---------------------------------------------------------------- contacts

HEAP = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" pos="0 0 0.05" friction="0.3 0.02 0.01" condim="4"/>
    <body name="post"><geom name="p" size=".2" contype="2"/></body>
    <body name="a"><freejoint/><geom name="a" size=".2" friction="0.7"/>
      <body name="a2" pos=".01 0 0"><joint/><geom name="a2" size=".2"/>
        <body name="a3" pos=".01 0 0"><joint/><geom name="a3" size=".2"/></body></body></body>
    <body name="b" pos="0 .01 0"><freejoint/><geom name="b" size=".2" contype="4" conaffinity="1"/></body>
    <body name="c" pos="0 .02 0"><freejoint/><geom name="c" size=".2" priority="1" friction="0.1" condim="1"/>
      <body><geom name="c2" size=".2"/></body></body>
  </worldbody>
  <contact><exclude body1="b" body2="c"/><pair geom1="a" geom2="a2" friction="0.4 0.4 0.1 0.1 0.1"/></contact>
</mujoco>"""


def test_pairs_that_may_touch_are_those_of_mujoco():
    """All geoms overlap, so that MuJoCo finds each pair that its filters let through."""
    model = compiled(HEAP)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    theirs = {frozenset(contact.geom.tolist()) for contact in data.contact}
    found = {frozenset(pair["geoms"]): pair for pair in pairs_of(mjcf.begun(model, Report(), None))}
    assert set(found) == theirs and len(theirs) > 10
    for contact in data.contact:
        pair = found[frozenset(contact.geom.tolist())]
        assert pair["condim"] == contact.dim and pair["friction"][0] == contact.friction[0]


DROP = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1" friction="0.2" condim="3"/>
  <body name="ball" pos="0 0 1"><freejoint name="flight"/><geom name="ball" size="0.1" friction="0.4"/></body>
  <body name="other" pos="1 0 0.05"><freejoint/><geom size="0.1"/></body></worldbody>
  <option gravity="0 0 -10"/>
</mujoco>"""


def test_contacts_with_the_ground_are_rigid():
    """A ball that falls 0.9 m lands after √(2·0.9/10) s, and stays; one that overlaps at the start is listed."""
    s = mk.load_model(DROP)
    (law,) = s.contact_laws.values()
    assert law.friction.given == 0.4 and law.name == "floor and ball contact"
    run = mk.simulate(s, 0.6)
    assert run.events[0].time == pytest.approx(np.sqrt(0.18), abs=1e-8)
    assert float(run["ball.position.z"][-1]) == pytest.approx(0.1, abs=1e-9)
    notes = "\n".join(s.notes)
    assert "<geom> contact of floor and sphere 2 of other is not modelled: they overlap at the start by 0.05 m" in notes
    assert "1 other pairs of geoms can touch, mk.load_model(…, contacts='all')" in notes
    assert len(mk.load_model(DROP, contacts="all").contact_laws) == 2
    assert not mk.load_model(DROP, contacts="none").contact_laws


def test_joints_start_within_their_limits():
    text = ROBOT.replace('range="-90 100"', 'range="40 100"')
    s = mk.load_model(text, contacts="none")
    assert dict(zip(s.coordinates, s.initial_state()[0], strict=True))["yaw.angle"] == pytest.approx(np.radians(40))
    assert any("yaw at 0.698132 instead of 0.523599" in note for note in s.notes)


# ---------------------------------------------------------------- nothing is dropped silently


def schema():
    """Paths of all tags and attributes that MuJoCo itself lists."""
    stack = []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        found = re.match(r"( *)(\S+) \(.\)\s*(.*)$", line)
        if found:
            stack = [*stack[: len(found[1]) // 3], found[2].replace("(world)", "world")]
        path, tags = "", stack[1:]
        for tag in tags:
            path = path_of(tag, path)
            if left_out(path):
                break
        path = path or "mujoco"
        yield path
        if not left_out(path):
            yield from (f"{path}@{name}" for name in (found[3] if found else line).split())


def test_all_of_mujocos_schema_is_accounted_for():
    """Each tag and attribute is used, or has a reason; KeyError if it is in no list."""
    paths = set(schema())
    assert len(paths) > 300
    for path in paths:
        account(path)


def test_what_is_left_out_is_listed():
    text = ROBOT.replace(
        "<worldbody>", '<option timestep="0.01" density="1.2"/><visual><map zfar="3"/></visual><worldbody>'
    )
    text = text.replace('name="tip"', 'name="tip" rgba="1 0 0 1"').replace(
        "</mujoco>", '<sensor><gyro site="tip"/></sensor></mujoco>'
    )
    notes = notes_of(text, contacts="none")
    for one in ("<option timestep>", "<option density>", "<visual>", "<body><site rgba>", "<sensor>"):
        assert re.search(f"not modelled, [^\n]*{one}", notes), one
    assert "density 1.2" in notes


def test_geoms_are_drawn_in_their_colours():
    text = """<mujoco><asset><material name="m" rgba="0 0 1 1"/></asset><worldbody><body name="b"><freejoint/>
      <geom name="g" type="box" size=".1 .2 .3" rgba="1 0 0 1"/><geom type="sphere" size=".1" pos="1 0 0" material="m"/>
      <geom type="capsule" size=".1 .4" group="3"/></body></worldbody></mujoco>"""
    s = mk.load_model(text)
    box, ball = s.bodies["b"].look
    assert isinstance(box, mk.Box) and isinstance(ball, mk.Sphere)
    assert (box.color, ball.color) == ("#ff0000", "#0000ff") and ball.at.tolist() == [1, 0, 0]
    assert "<geom> of b is not modelled: it is not drawn: MuJoCo does not show it either" in "\n".join(s.notes)


def test_a_mesh_is_drawn_where_mujoco_has_it(tmp_path):
    """MuJoCo moves a mesh to its mass centre and principal axes. Oracle: its vertices in the frame of the body; they are
    single precision there, 1e-6 m."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]) + (0.4, 0.2, -0.3)
    write_stl(tmp_path / "t.stl", (corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]))
    (tmp_path / "m.xml").write_text(
        """<mujoco><asset><mesh name="t" file="t.stl" scale=".1 -.2 .3"/></asset><worldbody><body name="b"><freejoint/>
        <geom type="mesh" mesh="t" pos=".1 .2 .3" quat="1 .2 .3 .4"/></body></worldbody></mujoco>"""
    )
    (drawn,) = mk.load_model(tmp_path / "m.xml").bodies["b"].look
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, model.geom_quat[0])
    expected = model.mesh_vert @ R.reshape(3, 3).T + model.geom_pos[0]
    found = drawn.at + (corners * drawn.scale) @ drawn.R_BS.T
    order = lambda points: points[np.lexsort(np.round(points, 3).T)]
    np.testing.assert_allclose(order(found), order(expected), atol=1e-6)


def test_blanks_before_the_first_tag_cost_no_time():
    """Alternatives of a pattern that overlap would try all of 2^n ways to read n blanks."""
    with pytest.raises(mk.MekaneError):
        mk.load_model(" " * 100_000 + "\n" * 100_000 + "<!-- " * 10_000)


UNMODELLED = """<mujoco><worldbody><site name="w"/><geom name="drum" type="cylinder" size=".1 .1" pos="1 0 0"/>
  <body><joint name="j" type="ball" stiffness="1 2 3" frictionloss="0.1" range="0 50"/><geom size=".1"/><site name="s" pos="0 0 1"/>
    <body pos="0 0 1"><joint name="k" type="ball" armature="0.2"/><geom size=".1"/>
      <body pos="0 0 1"><joint name="h"/><joint name="g" type="slide"/><geom size=".1"/></body></body></body></worldbody>
  <tendon><spatial name="rope" range="0 3"><site site="w"/><site site="s"/></spatial>
    <spatial name="around" stiffness="3"><site site="w"/><geom geom="drum"/><site site="s"/></spatial>
    <fixed name="sum" range="-1 1" frictionloss="0.3" armature="0.2"><joint joint="h" coef="2"/><joint joint="g" coef="1"/></fixed></tendon>
  <actuator><motor name="drum" tendon="around"/><motor name="spin" joint="j" gear="1 2 3"/></actuator>
</mujoco>"""


def test_what_has_no_place_here_is_listed_with_the_reason():
    notes = notes_of(UNMODELLED)
    for one in (
        "<joint stiffness> of j 1", "<joint frictionloss> of j 0.1",
        "<tendon><spatial> of around", "<tendon><fixed frictionloss> of sum 0.3",
        "<tendon><fixed armature> of sum 0.2", "<actuator> of drum", "<actuator> of spin",
    ):  # fmt: skip
        assert re.search(f"{re.escape(one)}[^\n]* is not modelled: ", notes), one


STATES = """<mujoco><option gravity="0 0 -9"><flag contact="disable"/></option>
  <worldbody><site name="w0" pos="0.5 0.1 1"/><site name="w1" pos="-.4 0 .3"/>
  <body name="a" pos="0 0 1" quat="1 .2 .3 .1"><joint name="A" type="ball" stiffness="7" pos=".02 .03 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/><site name="a1" pos="0.1 0 -.2"/>
    <body name="b" pos="0 0 -.5"><joint name="B" axis="0 1 0.1"/><geom type="box" size=".1 .05 .2" pos="0 0 -.2"/>
      <site name="b1" pos="0.05 0.02 -.3"/><body name="d" pos="0 0 -.5"><joint name="s1" axis="0 1 0" pos=".3 0 .1"/>
        <joint name="D" type="ball" stiffness="3"/><geom type="box" size=".1 .05 .2" pos="0 0 -.2"/></body></body></body>
  <body name="g" pos="1 2 3" quat="0 1 1 .5"><joint name="G" type="free" stiffness="5"/>
    <geom type="box" size=".1 .2 .3" pos=".1 0 0"/></body>
  <body name="c" pos="1 0 0"><joint name="C" type="slide" axis="0 0 1"/><geom size=".1"/><site name="c1"/></body></worldbody>
  <tendon><spatial name="one"><site site="w0"/><site site="b1"/></spatial>
    <spatial name="many"><site site="w1"/><site site="a1"/><site site="b1"/><pulley divisor="2"/><site site="b1"/>
      <site site="c1"/></spatial>
    <fixed name="sum"><joint joint="B" coef="2"/><joint joint="C" coef="-0.5"/></fixed></tendon>
  <actuator>
    <general name="integ" joint="B" dyntype="integrator" gainprm="4" biastype="affine" biasprm="0.1 -3 -.2" actlimited="true"
      actrange="-1 1.5" ctrlrange="-2 2" ctrllimited="true"/>
    <position name="slow" joint="C" kp="11" timeconst="0.1"/>
    <general name="filt" tendon="sum" dyntype="filter" dynprm="0.3" gainprm="2" gear="1.5"/>
    <general name="site" site="b1" dyntype="filter" dynprm="0.3" gainprm="2" gear="1 2 3 .1 .2 .3"/>
    <muscle name="biceps" tendon="one" lengthrange="0.3 1.8"/>
    <muscle name="triceps" tendon="many" lengthrange="0.5 2.5" force="300" tausmooth="0.3" range="0.6 1.2" lmin=".4" lmax="1.8"
      gear="1.2"/>
    <muscle name="hinged" joint="B" lengthrange="-1.5 1.5" force="20"/></actuator></mujoco>"""


def test_actuators_with_states_muscles_and_spatial_springs():
    """Accelerations and rates of activations are MuJoCo's. 1e-12 relative to the largest: linear systems of some twenty unknowns."""
    names = [compiled(STATES).actuator(i).name for i in range(7)]
    agrees(STATES, names, [f"{name} control" for name in names])


SERVOS = """<mujoco><option gravity="0 0 -9" timestep="1e-13"><flag contact="disable"/></option>
  <worldbody><body name="a" pos="0 0 1"><joint name="A" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>
    <body name="b" pos="0 0 -.5"><joint name="B" axis="0 1 0"/><geom type="box" size=".1 .05 .2" pos="0 0 -.2"/></body></body>
  </worldbody><tendon><fixed name="sum"><joint joint="A" coef="2"/><joint joint="B" coef="-0.5"/></fixed></tendon>
  <actuator><pid name="all" joint="A" kp="10" kv="2" ki="3" imax="0.4" gear="2" input="pos vel ff" ctrlrange="-1 1"/>
    <motor name="plain" joint="B" ctrlrange="-.2 .2"/>
    <pid name="pd" tendon="sum" kp="7" kv="1"/><pid name="pi" joint="B" kp="5" ki="2" forcerange="-1 1"/>
    <dcmotor name="quick" joint="A" motorconst="0.5" resistance="2" gear="3"/>
    <dcmotor name="wound" joint="B" motorconst="0.5 0.7" resistance="2" inductance="0.3"/></actuator></mujoco>"""


def test_servos_and_motors_with_a_winding():
    """The same for inputs of several kinds. MuJoCo takes the current at the end of its time step, which is as short as may be."""
    setpoints = [f"{name} {what}" for name in ("pd", "pi") for what in ("position", "velocity")]
    inputs = [
        "all position",
        "all velocity",
        "all feedforward",
        "plain control",
        *setpoints,
        "quick control",
        "wound control",
    ]
    agrees(SERVOS, ["all", "pi", "wound"], inputs)
    slow = SERVOS.replace('kp="7"', 'kp="7" slewmax="1"')
    assert "<actuator> of pd is not modelled: a setpoint of limited slew rate" in "".join(mk.load_model(slow).notes)


def agrees(text, with_states, inputs):
    """Accelerations and rates of activations at random states are those of MuJoCo."""
    from mekane.analyses.simulate import initial_solver
    from mekane.solvers.entries.calls import rhs

    s, model = mk.load_model(text, contacts="none"), compiled(text)
    assert not any("actuator" in note or "stiffness" in note for note in s.notes)
    solver, data, generator = initial_solver(s)[0], mujoco.MjData(model), np.random.default_rng(2)
    c, match = solver.compiled, Matching(s, model)
    first, y = c.n_q + c.n_u, np.zeros(len(solver.y))
    states = [first + c.integrals.index(f"{name} activation") for name in with_states]
    places, inputs = model.actuator_actadr[model.actuator_actadr >= 0], [c.discrete.index(name) for name in inputs]
    for _ in range(20):
        data.qpos[:] = model.qpos0 + generator.uniform(-0.7, 0.7, model.nq)
        data.qvel[:] = generator.uniform(-2, 2, model.nv)
        data.act[:], data.ctrl[:] = generator.uniform(0, 1, model.na), generator.uniform(-0.4, 1.4, model.nu)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_forward(model, data)
        y[: c.n_q], y[c.n_q : first] = match.here(data.qpos, data.qvel)
        y[states], solver.discrete[inputs] = data.act[places], data.ctrl
        yd = np.zeros(len(y))
        rhs(solver.handle, 0.0, y, yd)
        assert np.abs(yd[c.n_q : first][match.u] - data.qacc).max() < 1e-12 * np.abs(data.qacc).max()
        assert np.abs(yd[states] - data.act_dot[places]).max() < 1e-12 * np.abs(data.act_dot).max()


def test_an_activation_stays_in_its_range_and_starts_at_the_keyframe():
    """ȧ = 2 from 0.5 reaches its limit 1 after 0.25 s and stays; it leaves as soon as the control turns."""
    text = """<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>
      <actuator><general name="m" joint="j" dyntype="integrator" actlimited="true" actrange="-1 1"/></actuator>
      <keyframe><key act="0.5" ctrl="2"/></keyframe></mujoco>"""
    s = mk.load_model(text, keyframe=0)
    s.event("turn", when="t >= 0.6", set={"m control": -1})
    run = mk.simulate(s, 1.0, every=[0.1, 0.24, 0.4, 0.6, 1.0])
    assert run["m activation.integral"].values == pytest.approx([0.7, 0.98, 1, 1, 0.6], abs=1e-9)


PATHS = """<mujoco><option gravity="0 0 -9"/><worldbody><site name="w.0" pos="0.5 0.1 1"/><site name="w1" pos="-.4 0 .3"/>
  <body name="a" pos="0 0 1"><joint type="ball"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>
    <site name="a1" pos="0.1 0 -.2"/><site name="a2" pos="0 0.1 -.4"/>
    <body name="b" pos="0 0 -.5"><joint axis="0 1 0.1"/><geom type="box" size=".1 .05 .2" pos="0 0 -.2"/>
      <site name="b1" pos="0.05 0.02 -.3"/></body></body>
  <body name="c" pos="1 0 0"><joint type="slide" axis="0 0 1"/><geom size=".1"/><site name="c1"/></body></worldbody>
  <tendon>
    <spatial name="one" stiffness="30 3 2" damping="2 0.1 0.2" springlength="0.3"><site site="w.0"/><site site="b1"/></spatial>
    <spatial name="many" stiffness="11" damping="0.7" springlength="0.1 0.5"><site site="w1"/><site site="a1"/>
      <site site="a2"/><site site="b1"/><pulley divisor="2"/><site site="b1"/><site site="c1"/><pulley divisor="2"/>
      <site site="w1"/><site site="c1"/></spatial></tendon>
  <actuator><motor name="pull" tendon="many" gear="2" damping="0.3"/>
    <position name="hold" tendon="one" kp="4" kv=".3" gear="-1.5"/></actuator></mujoco>"""


def test_tendons_through_sites_pull_as_in_mujoco():
    """Two segments on one body, pulleys, a range at rest, polynomials, actuators with gears. Some hundred products: 1e-12."""
    s, model = mk.load_model(PATHS, contacts="none"), compiled(PATHS)
    assert not any("tendon" in note for note in s.notes)
    functions, data, match, generator = (
        mk.dynamics(s),
        mujoco.MjData(model),
        Matching(s, model),
        np.random.default_rng(2),
    )
    for _ in range(10):
        data.qpos[:] = model.qpos0 + generator.uniform(-0.5, 0.5, model.nq)
        data.qvel[:] = generator.uniform(-2, 2, model.nv)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_forward(model, data)
        wanted = data.qfrc_bias - data.qfrc_passive - data.qfrc_actuator
        found = functions.bias_forces(*match.here(data.qpos, data.qvel))[match.u]
        assert np.abs(found - wanted).max() < 1e-12 * np.abs(wanted).max()


def test_armature_and_friction_of_a_tendon_on_one_joint():
    """Of L = c q they are those of the joint, c² and |c| times as large, as in MuJoCo's mass matrix."""
    text = """<mujoco><worldbody><body><joint name="A" axis="0 1 0"/><geom size=".1" pos="0 0 .3"/></body></worldbody>
      <tendon><fixed name="one" armature="0.3" frictionloss="0.2"><joint joint="A" coef="-2"/></fixed></tendon></mujoco>"""
    s, model = mk.load_model(text), compiled(text)
    assert not s.notes and s.contact_laws["one friction"].torque.given == 0.4
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(s.mass_matrix([0.0]), mass_matrix(model, data), rtol=1e-14)


def test_a_tendon_through_sites_can_be_a_constraint():
    """Its length, by MuJoCo's own account, is the one the equality asks for."""
    fixed = '<equality><tendon tendon1="one" polycoef="0.1 0 0 0 0"/></equality><actuator>'
    text = PATHS.replace("<actuator>", fixed)
    s, model = mk.load_model(text, contacts="none"), compiled(text)
    data = mujoco.MjData(model)
    data.qpos[:] = mk.assemble(s).q[Matching(s, model).q]
    mujoco.mj_forward(model, data)
    assert abs(data.ten_length[0] - model.tendon_length0[0] - 0.1) < 1e-12


WRONG = """<mujoco><worldbody><body name="a"><joint axis="1 0 0"/><inertial pos="0 0 0.1" mass="1" {}/>
  <body name="b" pos="0 0 1"><joint axis="0 1 0"/><inertial pos="0.1 0 0" mass="2" diaginertia=".1 .1 .1"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("given", "tensor"),
    [
        ('fullinertia="1 .1 .2 .05 .02 .01"', [[1, 0.05, 0.02], [0.05, 0.1, 0.01], [0.02, 0.01, 0.2]]),
        ('diaginertia="1 .1 .2" euler="0 0 90"', [[0.1, 0, 0], [0, 1, 0], [0, 0, 0.2]]),
        ('diaginertia="-1 .1 .2"', [[-1, 0, 0], [0, 0.1, 0], [0, 0, 0.2]]),
    ],
)
def test_inertias_that_no_body_has_are_named_and_accepted_if_requested(given, tensor):
    text = WRONG.format(given)
    with pytest.raises(FileError, match=r"inertias that no body has: body 'a': .*unphysical=True"):
        mk.load_model(text)
    s = mk.load_model(text, unphysical=True)
    assert np.abs(s.bodies["a"].inertia - tensor).max() < 1e-15 and s.bodies["a"].unphysical
    assert not s.bodies["b"].unphysical and any("no body has, and was accepted" in note for note in s.notes)


def test_names_are_shared_by_all_parts():
    text = DROP.replace('name="flight"', 'name="ball"').replace('"other"', '"left.foot\\r"')
    s = mk.load_model(text)
    assert {"ball body", "left_foot\\r"} <= set(s.bodies) and "ball" in s.joints
    assert "body 'ball' is called 'ball body'." in s.notes
    unnamed = mk.load_model(ROBOT.replace('motor name="pull"', "motor").replace('"nod"', '"pitch"'), contacts="none")
    assert {"x motor", "pitch motor"} <= set(unnamed.forces) and "x motor control" in unnamed.inputs


# ---------------------------------------------------------------- files


def test_the_first_tag_decides(tmp_path):
    robot = '<!-- a --><robot name="r">\n<link name="a"/></robot>'
    (tmp_path / "r.xml").write_text(robot, encoding="utf-8")
    (tmp_path / "m.urdf").write_text(DROP, encoding="utf-8")
    (tmp_path / "m.mjcf").write_text('<?xml version="1.0"?>\n' + DROP, encoding="utf-8")
    assert list(mk.load_model(tmp_path / "r.xml").bodies) == ["a"] == list(mk.load_model(robot).bodies)
    for name in ("m.urdf", "m.mjcf"):
        assert "ball" in mk.load_model(tmp_path / name).bodies


@pytest.mark.parametrize("suffix", [".xml", ".mjcf"])
def test_includes_are_read_and_accounted_for(suffix, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "body.xml").write_text(
        '<mujocoinclude><body name="b"><freejoint/><geom size=".1" user="1"/></body></mujocoinclude>',
        encoding="utf-8",
    )
    path = tmp_path / f"m{suffix}"
    path.write_text('<mujoco><worldbody><include file="parts/body.xml"/></worldbody></mujoco>', encoding="utf-8")
    s = mk.load_model(path)
    assert list(s.bodies) == ["b"] and any("<body><geom user>" in note for note in s.notes)
    with pytest.raises(FileError, match="It is a part of other models"):
        mk.load_model(tmp_path / "parts" / "body.xml")


MESH = """<mujoco><asset><mesh name="m" file="nowhere.stl"/>
    <texture name="t" type="2d" file="no.png"/><material name="p" texture="t"/></asset>
  <worldbody><body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/>
    <geom type="mesh" mesh="m" material="p"/></body></worldbody>
</mujoco>"""


def test_missing_files_are_left_out():
    s = mk.load_model(MESH)
    assert s.bodies["b"].mass == 1.0
    assert {"<asset><mesh> of nowhere.stl is not modelled: its file is not found.",
            "<asset><texture> of no.png is not modelled: its file is not found."} <= set(s.notes)  # fmt: skip
    without = MESH.replace('<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>', "")
    with pytest.raises(FileError, match="mass and inertia.*These files are missing: nowhere.stl"):
        mk.load_model(without)


BOUNDED = """<mujoco><compiler angle="degree"/><worldbody>
  <body name="base" euler="0 20 10">
    <joint name="h" axis="0 1 0"/><geom size=".1" mass="1" pos=".3 0 0"/><site name="p" pos="0.2 0 0"/>
    <body name="arm" pos="0.5 0 -0.3" euler="10 0 30"><joint name="b" type="ball" range="0 40"/><site name="q" pos="0.3 0 0"/>
      <geom type="box" size=".1 .2 .3" pos="0.1 0 -.3" mass="2"/>
      <body name="tip" pos="0 0 -0.5"><joint name="k" axis="0 1 0"/><geom size=".1" pos="0.2 0 0" mass="1"/></body>
    </body></body></worldbody>
  <tendon><fixed name="f" range="-.2 .7"><joint joint="h" coef="1"/><joint joint="k" coef="0.5"/></fixed>
    <spatial name="s" range="0.5 0.7"><site site="p"/><site site="q"/></spatial></tendon>
</mujoco>"""


def test_ranges_of_ball_joints_and_tendons():
    """Angle and lengths by MuJoCo, at the states of a run that meets limits of both: they are never beyond their ranges by more
    than round-off of located events, 1e-9."""
    s, model = mk.load_model(BOUNDED), mujoco.MjModel.from_xml_string(BOUNDED)
    run, data, match, found = mk.simulate(s, 1.0, every=0.01), mujoco.MjData(model), Matching(s, model), []
    for y in run.record.y:
        data.qpos[:] = y[: len(match.q)][match.q]
        for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_tendon):
            stage(model, data)
        angle = 2 * np.arctan2(np.linalg.norm(data.qpos[2:5]), abs(data.qpos[1]))
        found.append([angle, *data.ten_length])
    least, most = np.min(found, axis=0), np.max(found, axis=0)
    assert set(s.contact_laws) == {"b limit", "f limit", "s limit"} and "range" not in "".join(s.notes)
    assert (least >= np.array([0.0, -0.2, 0.5]) - 1e-9).all()
    assert (most <= np.array([np.radians(40), 0.7, 0.7]) + 1e-9).all()
    hit = {one for event in run.events for one in event.event.split(", ")}
    assert "b limit" in hit and hit & {"f limit.upper", "f limit.lower", "s limit.upper", "s limit.lower"}


def test_a_range_that_joints_imply_is_no_limit_of_its_own():
    """L = 2 h − k with h in ±0.5 and k in ±0.1 is within ±1.1: of −1.2 … 1 only the upper end can be met."""
    joint = '<body name="{0}"><joint name="{0}" range="-{1} {1}"/><geom size=".1"/>'
    text = '<mujoco>\n<compiler angle="radian"/><worldbody>' + joint.format("h", 0.5) + joint.format("k", 0.1)
    text += '</body></body></worldbody><tendon><fixed name="f" range="-1.2 {}">'
    text += '<joint joint="h" coef="2"/><joint joint="k" coef="-1"/></fixed></tendon></mujoco>'
    law = mk.load_model(text.format(1.0)).contact_laws["f limit"]
    assert law.lower is None and law.upper.given == 1.0
    assert "f limit" not in mk.load_model(text.format(1.2)).contact_laws


def test_a_limit_of_an_expression_is_that_of_the_coordinate():
    """Both have the same equation, so their runs are the same to the last bits."""
    s = mk.load_model(BOUNDED)
    for name in list(s.contact_laws):
        s.remove(name)
    one, other = s.copied(), s.copied()
    one.limit("it", "k", lower=-0.2, upper=0.1, restitution=0.5)
    other.position_limit("it", "k.angle", lower=-0.2, upper=0.1, restitution=0.5)
    ends = [mk.simulate(each, 0.5)["tip.position"].values[-1] for each in (one, other)]
    np.testing.assert_allclose(*ends, rtol=0, atol=1e-13)


def test_meshes_beside_a_relative_path(tmp_path, monkeypatch):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "m.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    (tmp_path / "model" / "m.xml").write_text(
        '<mujoco><asset><mesh name="m" file="m.obj"/></asset>'
        '<worldbody><body name="b"><joint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )
    monkeypatch.chdir(tmp_path)
    assert not [note for note in mk.load_model("model/m.xml").notes if "not found" in note]


BAD = {
    "truncated": (DROP[:150], "it is not whole XML"),
    "bomb": ('<!DOCTYPE m [<!ENTITY a "b">]>\n<mujoco/>', "^MJCF text.*Nothing is expanded or fetched"),
    "external entity": (
        '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<mujoco model="&x;"/>',
        "Nothing is expanded",
    ),
    "duplicate": (DROP.replace('name="other"', 'name="ball"'), "repeated name 'ball' in body"),
    "unknown tag": (DROP.replace("<option", "<optoin"), "unrecognized element.*optoin"),
    "unphysical": (MESH.replace("1 1 1", "1 1 9"), r"inertias that no body has: body .*unphysical=True"),
    "missing include": (DROP.replace("<option", '<include file="nowhere.xml"/><option'), "nowhere.xml"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused(case):
    text, message = BAD[case]
    with pytest.raises(FileError, match=message):
        mk.load_model(text)


def test_a_model_in_millimetres_is_remarked():
    assert "the bodies are up to 1000 m apart: lengths are in metres; are these millimetres?" in notes_of(
        DROP.replace('pos="1 0 0.05"', 'pos="1000 0 0.05"')
    )
    assert "apart" not in notes_of(DROP)


def test_warnings_of_mujoco_are_no_file(tmp_path, monkeypatch):
    """MuJoCo writes MUJOCO_LOG.TXT where one works, unless its warnings are taken."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError, match="MuJoCo does not compile it"):
        mk.load_model(WRONG.format('diaginertia="1 1 nan"'))
    assert not list(tmp_path.iterdir()) and mujoco.get_mju_user_warning() is None


def test_without_mujoco_the_error_tells_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ModelError, match=r'MuJoCo is not installed.*pip install "mekane\[mjcf\]"'):
        mk.load_model(DROP)


def test_options_are_checked():
    with pytest.raises(ModelError, match="contacts is 'some'; it is one of ground, all, none"):
        mk.load_model(DROP, contacts="some")
    with pytest.raises(ModelError, match="unknown option 'base'"):
        mk.load_model(DROP, base="fixed")


# ---------------------------------------------------------------- writing


def test_a_body_called_world_is_written_by_another_name(tmp_path):
    """As of many robots, whose first link is fixed to the ground. MuJoCo's ground is the world; it compiles the file."""
    s = mk.System("robot")
    s.weld("base", s.ground, s.body("world", mass=1, inertia=(1, 1, 1)))
    s.pin("hinge", "world", s.body("arm", mass=2, inertia=(1, 1, 1), position=(1, 0, 0)), at=(0, 0, 0), axis="y")
    notes = mk.save_model(s, tmp_path / "robot.xml")
    again = mk.load_model(tmp_path / "robot.xml")
    assert list(again.bodies) == ["world body", "arm"] and "'world body'" in "".join(notes)
    np.testing.assert_allclose(again.mass_matrix([0.3]), [[3.0]], rtol=1e-14)  # I + m l²


def test_round_trip(tmp_path):
    """The tree written, read by MuJoCo and read again: the same mass matrix at random states, to 1e-12 as above; what the file
    does not hold is listed. Armature of the free joint makes it three slides and a ball joint."""
    robot, path = mk.load_model(ROBOT, contacts="none"), tmp_path / "again.xml"
    left_out = "\n".join(mk.save_model(robot, path))
    again, model = mk.load_model(path, contacts="none", keyframe="start"), mujoco.MjModel.from_xml_path(str(path))
    assert (
        set(again.bodies) > {"arm", "hand", "lid", "table"}
        and "motor 'turn'" in left_out
        and "'pitch spring'" in left_out
    )
    for name in ("yaw limit", "yaw friction"):
        assert again.contact_laws[name].to_dict() == robot.contact_laws[name].to_dict()
    named = lambda name: re.sub(r"^ball joint ([xyz])\.displacement", r"ball joint.\1", name).replace(
        "ball joint 4", "ball joint"
    )
    order = [list(map(named, again.coordinates)).index(name) for name in robot.coordinates]
    speeds = [list(map(named, again.speeds)).index(name) for name in robot.speeds]
    generator, data, match = np.random.default_rng(5), mujoco.MjData(model), Matching(again, model)
    for _ in range(5):
        q, other = generator.uniform(-1, 1, len(order)), np.zeros(len(order))
        for first in (robot.coordinates.index("wrist.e1"), robot.coordinates.index("ball joint.e1")):
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
        other[order] = q
        M, read = robot.mass_matrix(q), again.mass_matrix(other)
        data.qpos[:] = match.there(other, np.zeros(model.nv))[0]
        mujoco.mj_forward(model, data)
        assert np.abs(read[np.ix_(speeds, speeds)] - M).max() <= 1e-12 * np.abs(M).max()
        assert np.abs(read[np.ix_(match.u, match.u)] - mass_matrix(model, data)).max() <= 1e-12 * np.abs(M).max()
    assert again.initial_state()[0][order] == pytest.approx(robot.initial_state()[0], abs=1e-14)


def test_loops_are_written_as_equality_constraints(tmp_path):
    """A four-bar linkage: the file is closed at its start by MuJoCo's own account, and its loop is a loop when it is read."""
    from mekane import gallery

    s, path = gallery.find("four_bar").system(), tmp_path / "four.xml"
    left_out = mk.save_model(s, path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    assert data.ne == 6 and np.abs(data.efc_pos[:6]).max() < 1e-12
    assert mk.mobility(mk.load_model(path, keyframe=0)).freedom == 1
    assert any("equality constraints of MuJoCo are soft" in sentence for sentence in left_out)
    assert "equality constraints of MuJoCo are soft" in path.read_text(encoding="utf-8")


def test_laws_are_written(tmp_path):
    s = mk.System("laws")
    for name in ("a", "b"):
        s.body(name, mass=1, inertia=(1, 1, 1), position=(len(s.bodies), 0, 0))
        s.pin(f"{name} pin", s.ground, name, axis="y", at=(len(s.bodies), 0, 0))
    s.input("u", 0.0)
    s.motor("drive", "a pin", torque="3*u")
    s.rotor("rotor", "a pin", inertia=0.1, ratio=5)
    s.torsional_spring("coil", "a pin", stiffness=4, angle=0.2, damping=0.3)
    s.coupler("belt", "b pin", to='2*state["a pin.angle"] + 0.1')
    s.spring("line", ("a", (0, 0, 0)), ("b", (0, 0, 0)), stiffness=3, length=1)
    left_out = mk.save_model(s, tmp_path / "laws.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "laws.xml"))
    assert model.dof_armature.tolist() == [2.5, 0] and model.jnt_stiffness.tolist() == [4, 0]
    assert model.dof_damping.tolist() == [0.3, 0] and model.qpos_spring.tolist() == [0.2, 0]
    assert model.actuator_gear[0, 0] == 3 and model.eq_data[0, :2].tolist() == [0.1, 2]
    assert [one for one in left_out if "not in the file: spring 'line'" in one] and len(left_out) == 1


def test_what_mujoco_cannot_have_is_refused(tmp_path):
    s = mk.System("massless")
    s.body("a", massless=True)
    s.pin("p", s.ground, "a", axis="y", at=(0, 0, 0))
    with pytest.raises(ModelError, match="it moves and has no mass"):
        mk.save_model(s, tmp_path / "a.xml")
    s = mk.System("screw")
    s.body("a", mass=1, inertia=(1, 1, 1))
    s.screw("p", s.ground, "a", axis="y", at=(0, 0, 0), pitch=0.1)
    with pytest.raises(ModelError, match="it is a screw"):
        mk.save_model(s, tmp_path / "a.xml")
