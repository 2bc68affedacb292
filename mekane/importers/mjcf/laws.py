"""What acts on joints: springs, damping, armature, dry friction, limits; and gravity compensation of bodies."""

from __future__ import annotations

import numpy as np

from mekane.importers.mjcf.reading import ROUND_OFF, Reading, polynomial
from mekane.importers.mjcf.start import BALL, FREE, HINGE, rotation_of
from mekane.importers.urdf.names import named

SEVERAL = "the joint has no single coordinate that it could act on"


def add_joint_laws(reading: Reading) -> None:
    for j in range(reading.model.njnt):
        if reading.is_scalar(j):
            add_spring(reading, j)
            add_damping(reading, j)
            add_friction(reading, j)
            add_limit(reading, j)
        else:
            add_spatial_spring(reading, j)
            add_spatial_damping(reading, j)
            add_spatial_limit(reading, j)
            list_spatial(reading, j)
        add_armature(reading, j)
        list_force_limit(reading, j)


def add_spring(reading: Reading, j: int) -> None:
    """F = −(k x + k1 x² + k2 x³), x = q − springref"""
    model, name = reading.model, reading.names.joints[j]
    k, more = float(model.jnt_stiffness[j]), model.jnt_stiffnesspoly[j]
    rest = float(model.qpos_spring[model.jnt_qposadr[j]])
    turns = model.jnt_type[j] == HINGE
    if reading.off("SPRING") or not (k or more.any()):
        return
    part = reading.names.free(f"{name} spring")
    if more.any():
        law, what = (reading.system.torsional_law, "torque") if turns else (reading.system.sliding_law, "force")
        law(part, name, **{what: f"-({polynomial([0, k, *more], f'q - {rest!r}')})"})
    elif turns:
        reading.system.torsional_spring(part, name, stiffness=k, angle=rest)
    else:
        reading.system.sliding_spring(part, name, stiffness=k, displacement=rest)
    if model.jnt_springyield[j].any():
        reading.report.add("<joint springyield>", reading.given("JOINT", j), "springs here do not yield")


def add_damping(reading: Reading, j: int) -> None:
    """F = −(c u + c1 u|u| + c2 u³)"""
    model, name, dof = reading.model, reading.names.joints[j], reading.model.jnt_dofadr[j]
    c, more, turns = float(model.dof_damping[dof]), model.dof_dampingpoly[dof], model.jnt_type[j] == HINGE
    if reading.off("DAMPER") or not (c or more.any()):
        return
    part = reading.names.free(f"{name} damping")
    if more.any():
        law, what = (reading.system.torsional_law, "torque") if turns else (reading.system.sliding_law, "force")
        law(part, name, **{what: f"-({c!r} + {float(more[0])!r}*abs(u) + {float(more[1])!r}*u*u)*u"})
    else:
        law = reading.system.torsional_damper if turns else reading.system.sliding_damper
        law(part, name, damping=c)


def add_spatial_spring(reading: Reading, j: int) -> None:
    """Of a ball joint  M = −k θ, θ the rotation vector from where the spring is at rest; of a free one also  F = −k (p − p0)."""
    model, at = reading.model, int(reading.model.jnt_qposadr[j])
    k, more = float(model.jnt_stiffness[j]), model.jnt_stiffnesspoly[j]
    if reading.off("SPRING") or not k or more.any():
        return
    free, s, joint = model.jnt_type[j] == FREE, reading.system, reading.system.joints[reading.names.joints[j]]
    R = np.asarray(joint.R_AF) @ rotation_of(model.qpos_spring[at + 3 * free : at + 3 * free + 4])
    rest, moved = (reading.names.free(f"{joint.name} spring {end}") for end in ("at rest", "end"))
    s.marker(rest, joint.a, at=joint.p_AF, orientation=R)
    s.marker(moved, joint.b, at=joint.p_BM)
    moment = [f"-{k!r}*{named(f'{moved}.orientation.{rest}.{x}')}" for x in "xyz"]
    s.torque(reading.names.free(f"{joint.name} spring"), joint.b, value=moment, frame="body")
    if joint.a != "ground":
        back = [" + ".join(f"{-float(r)!r}*({m})" for r, m in zip(row, moment, strict=True)) for row in R]
        s.torque(reading.names.free(f"{joint.name} spring on {joint.a}"), joint.a, value=back, frame="body")
    if free:
        centre = model.qpos_spring[at : at + 3]
        pull = [
            f"-{k!r}*({named(f'{joint.b}.position.{x}')} - {float(p)!r})" for x, p in zip("xyz", centre, strict=True)
        ]
        s.force(reading.names.free(f"{joint.name} spring force"), joint.b, value=pull, at=(0, 0, 0))


def add_spatial_damping(reading: Reading, j: int) -> None:
    """Of a ball joint  M = −c ω_rel, of a free one also  F = −c v."""
    model, dof = reading.model, reading.model.jnt_dofadr[j]
    c, i = float(model.dof_damping[dof]), model.jnt_bodyid[j]
    if reading.off("DAMPER") or not c:
        return
    joint, s = reading.system.joints[reading.names.joints[j]], reading.system
    part = reading.names.free(f"{joint.name} damping")
    if joint.a == "ground" or reading.fixed(model.body_parentid[i]) and joint.a in reading.names.bodies:
        s.rotational_drag(part, joint.b, linear=c)
    else:
        other = reading.names.free(f"{joint.name} damping on {joint.a}")
        for name, body, to in ((part, joint.b, joint.a), (other, joint.a, joint.b)):
            difference = [
                f"-{c!r}*({named(f'{body}.angular_velocity.{x}')} - {named(f'{to}.angular_velocity.{x}')})"
                for x in "xyz"
            ]
            s.torque(name, body, value=difference)
    if model.jnt_type[j] == FREE:
        s.drag(reading.names.free(f"{joint.name} linear damping"), joint.b, linear=c, at=(0, 0, 0))


def add_spatial_limit(reading: Reading, j: int) -> None:
    """Of a ball joint: the angle θ of its rotation stays below the larger number of its range, θmax. What is limited is
    θ² / (2 θmax), whose rate is that of θ at the limit and which is smooth at θ = 0."""
    model, joint = reading.model, reading.system.joints[reading.names.joints[j]]
    largest, given = float(model.jnt_range[j].max()), f"{reading.given('JOINT', j)} {model.jnt_range[j]}"
    if not model.jnt_limited[j] or reading.off("LIMIT"):
        return
    w, *v = reading.qpos[model.jnt_qposadr[j] : model.jnt_qposadr[j] + 4]
    angle = 2.0 * float(np.arctan2(np.linalg.norm(v), abs(w)))
    if not 0.0 < largest < np.pi:
        reading.report.add("<joint range>", given, "the largest angle of a ball joint is between 0 and 180°")
    elif angle > largest + ROUND_OFF:
        reading.report.add("<joint range>", given, f"it starts at {angle:.6g} rad, beyond it")
    else:
        zero, moved = (reading.names.free(f"{joint.name} limit {end}") for end in ("zero", "end"))
        reading.system.marker(zero, joint.a, at=joint.p_AF, orientation=joint.R_AF)
        reading.system.marker(moved, joint.b, at=joint.p_BM)
        square = " + ".join(f"{named(f'{moved}.orientation.{zero}.{x}')}**2" for x in "xyz")
        part = reading.names.free(f"{joint.name} limit")
        reading.system.position_limit(part, f"({square})/{2 * largest!r}", upper=largest / 2)


def list_spatial(reading: Reading, j: int) -> None:
    model, dof, who = reading.model, reading.model.jnt_dofadr[j], reading.given("JOINT", j)
    if model.jnt_stiffnesspoly[j].any():
        given = f"{who} {model.jnt_stiffness[j]:g} {model.jnt_stiffnesspoly[j]}"
        reading.report.add("<joint stiffness>", given, "polynomials are modelled on one coordinate alone")
    if model.dof_dampingpoly[dof].any():
        reading.report.add("<joint damping>", f"{who} {model.dof_dampingpoly[dof]}", "only its linear part is modelled")
    if model.dof_frictionloss[dof]:
        reading.report.add("<joint frictionloss>", f"{who} {model.dof_frictionloss[dof]:g}", SEVERAL)


def add_armature(reading: Reading, j: int) -> None:
    """Inertia on the speeds of the joint: it enters the mass matrix, and has no weight."""
    model, name = reading.model, reading.names.joints[j]
    a = float(model.dof_armature[model.jnt_dofadr[j]])
    coordinates = {FREE: ("x", "y", "z", "rotation"), BALL: ("rotation",)}.get(int(model.jnt_type[j]), (None,))
    for coordinate in coordinates if a else ():
        part = f"{name} armature" if len(coordinates) == 1 else f"{name} armature {coordinate}"
        reading.system.rotor(reading.names.free(part), name, coordinate=coordinate, inertia=a)


def add_friction(reading: Reading, j: int) -> None:
    model, name = reading.model, reading.names.joints[j]
    friction = float(model.dof_frictionloss[model.jnt_dofadr[j]])
    if friction and not reading.off("FRICTIONLOSS"):
        what = "torque" if model.jnt_type[j] == HINGE else "force"
        reading.system.dry_friction(reading.names.free(f"{name} friction"), name, **{what: friction})


def add_limit(reading: Reading, j: int) -> None:
    model, name = reading.model, reading.names.joints[j]
    lower, upper = (float(x) for x in model.jnt_range[j])
    if not model.jnt_limited[j] or reading.off("LIMIT"):
        return
    q, given = reading.qpos[model.jnt_qposadr[j]], f"{reading.given('JOINT', j)} {lower:g} … {upper:g}"
    if lower >= upper:
        reading.report.add("<joint range>", given, "it leaves no motion, so it is taken as none")
    elif not lower - ROUND_OFF <= q <= upper + ROUND_OFF:
        reading.report.add("<joint range>", given, f"the keyframe is at {q:g}, beyond it")
    else:
        reading.system.limit(reading.names.free(f"{name} limit"), name, lower=lower, upper=upper)


def within_limits(reading: Reading) -> None:
    """Move joints that start beyond their range, which MuJoCo's soft limits allow, to its nearest end."""
    model, moved = reading.model, []
    for j in range(model.njnt):
        lower, upper = model.jnt_range[j]
        at = model.jnt_qposadr[j]
        if reading.is_scalar(j) and model.jnt_limited[j] and lower < upper and not reading.off("LIMIT"):
            q = min(max(reading.qpos[at], lower), upper)
            if abs(q - reading.qpos[at]) > ROUND_OFF:
                moved.append(f"{reading.names.joints[j]} at {q:.6g} instead of {reading.qpos[at]:.6g}")
            reading.qpos[at] = q
    if moved:
        reading.report.remark(f"joints start at their limit, where the file has them beyond it: {', '.join(moved)}.")


def list_force_limit(reading: Reading, j: int) -> None:
    model = reading.model
    if model.jnt_actfrclimited[j]:
        given = f"{reading.given('JOINT', j)} {model.jnt_actfrcrange[j]}"
        reading.report.add("<joint actuatorfrcrange>", given, "each motor has its own limit, s.motor(…, limit=…)")
    if model.jnt_actgravcomp[j]:
        reading.report.add(
            "<joint actuatorgravcomp>", reading.given("JOINT", j), "the weight is carried by forces on the bodies"
        )


def add_gravity_compensation(reading: Reading) -> None:
    """F = −gravcomp m g at the mass centre."""
    model, g = reading.model, np.array(reading.system.gravity)
    for i in range(1, model.nbody):
        if model.body_gravcomp[i] and model.body_mass[i] and g.any() and not reading.fixed(i):
            body = reading.names.bodies[i]
            value = (-model.body_gravcomp[i] * model.body_mass[i] * g).tolist()
            reading.system.force(reading.names.free(f"{body} gravcomp"), body, value=value)
