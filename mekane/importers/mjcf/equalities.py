"""Equality constraints, soft there and exact here."""

from __future__ import annotations

import numpy as np

from mekane.importers.mjcf.reading import Reading, polynomial
from mekane.importers.mjcf.start import rotation_of
from mekane.importers.mjcf.tendons import WRAPS, length_of
from mekane.importers.urdf.names import named

SOFT = "equality constraints of MuJoCo are soft (solref, solimp) and hold exactly here"


def add_equalities(reading: Reading) -> None:
    model, made = reading.model, 0
    kinds = {"CONNECT": add_connect, "WELD": add_weld, "JOINT": add_joint, "TENDON": add_tendon}
    for e in range(model.neq):
        kind = reading.mujoco.mjtEq(model.eq_type[e]).name.removeprefix("mjEQ_")
        what, who = f"<equality><{kind.lower()}>", reading.given("EQUALITY", e)
        if not model.eq_active0[e] or reading.off("EQUALITY"):
            reading.report.add(what, who, "it is not active")
        elif kind not in kinds:
            reading.report.add(what, who, "there is no such constraint")
        else:
            why = kinds[kind](reading, e, reading.names.of("EQUALITY", e, "equality", f"equality {e}"))
            reading.report.add(what, who, why) if why else None
            made += not why
    if made:
        reading.report.remark(f"{SOFT}.")


# ---------------------------------------------------------------- bodies


def ends_of(reading: Reading, e: int) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Body, place and axes of both sides."""
    model, data = reading.model, reading.model.eq_data[e]
    ids = model.eq_obj1id[e], model.eq_obj2id[e]
    if model.eq_objtype[e] == reading.mujoco.mjtObj.mjOBJ_SITE:
        return [(model.site_bodyid[i], model.site_pos[i], rotation_of(model.site_quat[i])) for i in ids]
    if model.eq_type[e] == reading.mujoco.mjtEq.mjEQ_WELD:
        return [(ids[0], data[3:6], rotation_of(data[6:10])), (ids[1], data[:3], np.eye(3))]
    return [(ids[0], data[:3], np.eye(3)), (ids[1], data[3:6], np.eye(3))]


def add_connect(reading: Reading, e: int, name: str) -> str:
    """Two points stay at one place:  φ = p1 − p2"""
    ends = ends_of(reading, e)
    if ends[0][0] == ends[1][0] or all(reading.fixed(body) for body, _, _ in ends):
        return "neither side moves relative to the other"
    markers = []
    for body, at, _ in ends:
        markers.append(reading.names.free(f"{name} on {reading.names.bodies[body]}"))
        reading.system.marker(markers[-1], reading.names.bodies[body], at=at)
    rows = [" - ".join(named(f"{marker}.position.{x}") for marker in markers) for x in "xyz"]
    reading.system.position_constraint(name, rows)
    return ""


def add_weld(reading: Reading, e: int, name: str) -> str:
    """The points stay at one place, and the axes parallel:  φ = x1·y2, y1·z2, z1·x2"""
    why = add_connect(reading, e, name)
    if why:
        return why
    (a, _, A), (b, _, B) = ends_of(reading, e)
    bodies = reading.names.bodies
    for k, label in enumerate(("x", "y", "z")):
        part = reading.names.free(f"{name} {label}")
        reading.system.perpendicular(part, (bodies[a], A[:, k]), (bodies[b], B[:, (k + 1) % 3]))
    return ""


# ---------------------------------------------------------------- coordinates


def add_joint(reading: Reading, e: int, name: str) -> str:
    """q1 − q1(0) = a0 + a1 x + … + a4 x⁴,  x = q2 − q2(0)"""
    model, j, other = reading.model, reading.model.eq_obj1id[e], reading.model.eq_obj2id[e]
    if not reading.is_scalar(j) or (other >= 0 and not reading.is_scalar(other)):
        return "it is between joints of several coordinates"
    begins = lambda k: float(model.qpos0[model.jnt_qposadr[k]])
    x = f"{reading.coordinate(other)} - {begins(other)!r}" if other >= 0 else "0"
    coefficients = model.eq_data[e][: 5 if other >= 0 else 1]
    reading.system.coupler(name, reading.names.joints[j], to=f"{begins(j)!r} + {polynomial(coefficients, x)}")
    return ""


def add_tendon(reading: Reading, e: int, name: str) -> str:
    """The same for lengths of tendons."""
    model, i, other = reading.model, reading.model.eq_obj1id[e], reading.model.eq_obj2id[e]
    lengths = [length_of(reading, k) if k >= 0 else "" for k in (i, other)]
    if None in lengths:
        return f"its tendon {WRAPS}"
    x = f"{lengths[1]} - {float(model.tendon_length0[other])!r}" if other >= 0 else "0"
    coefficients = model.eq_data[e][: 5 if other >= 0 else 1]
    row = f"{lengths[0]} - {float(model.tendon_length0[i])!r} - ({polynomial(coefficients, x)})"
    reading.system.position_constraint(name, row)
    return ""
