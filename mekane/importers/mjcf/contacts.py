"""Contacts between geoms, rigid here: which pairs can touch follows MuJoCo's own filters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from mekane.contacts.pairs import pair_of
from mekane.importers.mjcf.geoms import surface_of, type_of
from mekane.importers.mjcf.reading import ROUND_OFF, Reading
from mekane.model.geometry.contact_side import Side

CHOICES = ("ground", "all", "none")
MOST = 200  # pairs that are modelled; of more, nobody could follow the results
UPRIGHT = 1e-9  # 1 − cosine of the angle between an axis and a normal that are along each other
SOFT = "contacts of MuJoCo are soft (solref, solimp); here bodies do not enter each other, and do not rebound"


def add_contacts(reading: Reading, which: str) -> None:
    """which: pairs with what is fixed to the world, all pairs, or none."""
    found = [] if reading.off("CONTACT") else list(pairs_of(reading))
    wanted = [pair for pair in found if which == "all" or (which == "ground" and touches_ground(reading, pair))]
    if which != "all" and len(wanted) < len(found):
        what = (
            "no contacts are modelled" if which == "none" else "contacts are modelled with what is fixed to the world"
        )
        reading.report.remark(
            f"{what}; {len(found) - len(wanted)} other pairs of geoms can touch, mk.load_model(…, contacts='all')."
        )
    if len(wanted) > MOST:
        reading.report.remark(
            f"{len(wanted)} pairs of geoms can touch, more than {MOST}: none is modelled; give those that matter, s.contact(…)."
        )
        wanted = []
    made = sum(add_contact(reading, pair) for pair in wanted)
    if made:
        reading.report.remark(f"{SOFT}.")


def touches_ground(reading: Reading, pair: dict) -> bool:
    return any(reading.fixed(reading.model.geom_bodyid[g]) for g in pair["geoms"])


# ---------------------------------------------------------------- pairs


def pairs_of(reading: Reading) -> Iterator[dict]:
    """Pairs of geoms that may touch: those that the file lists, and those that MuJoCo's filters let through."""
    model, listed = reading.model, set()
    for k in range(model.npair):
        geoms = (int(model.pair_geom1[k]), int(model.pair_geom2[k]))
        listed.add(frozenset(geoms))
        if any(not reading.fixed(model.geom_bodyid[g]) for g in geoms):
            yield {"geoms": geoms, "condim": int(model.pair_dim[k]), "friction": model.pair_friction[k][[0, 2, 3]]}
    excluded = {(int(one) >> 16, int(one) & 0xFFFF) for one in model.exclude_signature}
    able = [g for g in range(model.ngeom) if model.geom_contype[g] or model.geom_conaffinity[g]]
    for geoms in combinations(able, 2):
        if frozenset(geoms) not in listed and can_touch(reading, geoms, excluded):
            yield {"geoms": geoms, **mixed(model, *geoms)}


def can_touch(reading: Reading, geoms: tuple[int, int], excluded: set) -> bool:
    model, (g, h) = reading.model, geoms
    types, affinities = model.geom_contype, model.geom_conaffinity
    if not (types[g] & affinities[h] or types[h] & affinities[g]):
        return False
    bodies = model.geom_bodyid[g], model.geom_bodyid[h]
    a, b = (int(model.body_weldid[i]) for i in bodies)
    if a == b or all(reading.fixed(i) for i in bodies) or excluded & {tuple(bodies), tuple(bodies[::-1])}:
        return False
    above = [int(model.body_weldid[model.body_parentid[i]]) for i in (a, b)]
    return reading.off("FILTERPARENT") or not (a and b and (a == above[1] or b == above[0]))


def mixed(model, g: int, h: int) -> dict:
    """Friction of two geoms: that of the higher priority, or the larger."""
    first, second = model.geom_priority[g], model.geom_priority[h]
    if first != second:
        one = g if first > second else h
        return {"condim": int(model.geom_condim[one]), "friction": model.geom_friction[one]}
    condim = max(model.geom_condim[g], model.geom_condim[h])
    return {"condim": int(condim), "friction": [max(x) for x in zip(*model.geom_friction[[g, h]], strict=True)]}


# ---------------------------------------------------------------- laws


def add_contact(reading: Reading, pair: dict) -> bool:
    """Whether it could be added; if not, it is reported why."""
    sides = [side_of(reading, g) for g in pair["geoms"]]
    names = " and ".join(label(reading, g) for g in pair["geoms"])
    why = reason_against(reading, pair["geoms"], sides)
    if why:
        reading.report.add("<geom> contact", names, why)
        return False
    slide, spin, roll = (float(x) for x in pair["friction"])
    keywords = {"friction": slide} if pair["condim"] > 1 else {}
    keywords |= {"spinning": spin} if pair["condim"] > 3 and spin else {}
    keywords |= {"rolling": roll} if pair["condim"] > 4 and roll else {}
    part = reading.names.free(f"{names} contact".replace(".", "_"))
    reading.system.contact(part, *((side.body, side.shape) for side in sides), **keywords)
    return True


def side_of(reading: Reading, g: int) -> Side | None:
    shape = surface_of(reading, g)
    return None if shape is None else Side(reading.names.bodies[reading.model.geom_bodyid[g]], shape)


def label(reading: Reading, g: int) -> str:
    kind, body = type_of(reading, g).lower(), reading.given("BODY", reading.model.geom_bodyid[g])
    return reading.names.given("GEOM", g) or f"{kind} {g} of {body}"


def reason_against(reading: Reading, geoms: tuple[int, int], sides: list) -> str:
    if None in sides:
        return "meshes and height fields do not touch"
    if pair_of(*sides) is None:
        return " and ".join(type(side.shape).__name__.lower() for side in sides) + " have no contact"
    if stands(reading, geoms):
        return "a cylinder whose axis is along the normal of a plane touches it nowhere in particular"
    gap = distance(reading, *geoms)
    return f"they overlap at the start by {-gap:.3g} m" if gap < -ROUND_OFF else ""


def stands(reading: Reading, geoms: tuple[int, int]) -> bool:
    """Whether a cylinder stands on a plane at the start."""
    if {type_of(reading, g) for g in geoms} != {"CYLINDER", "PLANE"}:
        return False
    one, other = (reading.start().geom_xmat[g].reshape(3, 3)[:, 2] for g in geoms)
    return abs(one @ other) > 1.0 - UPRIGHT


def distance(reading: Reading, g: int, h: int) -> float:
    """Gap at the start, up to 1 m."""
    return reading.mujoco.mj_geomDistance(reading.model, reading.start(), g, h, 1.0, None)
