"""Tendons: fixed ones, which are sums of joint coordinates, and spatial ones, which go straight from site to site. Their length
is an expression of the state; what pulls along them is a force on joints, or between sites. One that wraps around a geom is
listed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mekane.importers.mjcf.reading import ROUND_OFF, Reading, polynomial
from mekane.importers.urdf.names import named

LONGEST = 9900  # letters of an expression
ON_ONE = ("frictionloss", "armature")  # modelled where a tendon is on one joint
WRAPS = "wraps around a geom, which is not modelled"


def add_tendons(reading: Reading) -> None:
    """Springs, dampers and limits of tendons; everything else of them is listed."""
    model = reading.model
    for i in range(model.ntendon):
        joints, segments, who = joints_of(reading, i), segments_of(reading, i), reading.given("TENDON", i)
        kind = "spatial" if joints is None else "fixed"
        if joints is None and segments is None:
            reading.report.add("<tendon><spatial>", who, f"it {WRAPS}")
            continue
        law_of = lambda length, rate, i=i: tendon_force(reading, i, length, rate)
        if joints is not None and (law := law_of(length_of(reading, i), length_of(reading, i, rate=True))):
            for j, coefficient in joints.items():
                push(reading, f"{who} on {reading.names.joints[j]}", j, f"{coefficient!r}*({law})")
        elif joints is None and law_of("0", "0") and (why := pull(reading, who, segments, law_of)):
            reading.report.add("<tendon><spatial>", who, why)
        add_range(reading, i, who, kind)
        on_one = joints is not None and len(joints) == 1
        if on_one:
            add_inertia_and_friction(reading, i, who, *joints.popitem())
        for keyword, value in (
            ("frictionloss", None if on_one else model.tendon_frictionloss[i]),
            ("armature", None if on_one else model.tendon_armature[i]),
            ("springyield", model.tendon_springyield[i]),
            ("actuatorfrcrange", model.tendon_actfrcrange[i] if model.tendon_actfrclimited[i] else None),
        ):
            if value is not None and np.any(value):
                why = "of a tendon it is not modelled" + (", but on one joint" if keyword in ON_ONE else "")
                reading.report.add(f"<tendon><{kind} {keyword}>", f"{who} {value}", why)


def add_inertia_and_friction(reading: Reading, i: int, who: str, j: int, coefficient: float) -> None:
    """Armature and friction of a tendon L = c q are those of its joint, c² and |c| times as large."""
    model, joint = reading.model, reading.names.joints[j]
    inertia, friction = float(model.tendon_armature[i]), float(model.tendon_frictionloss[i])
    if inertia and coefficient:
        part = reading.names.free(f"{who} armature".replace(".", "_"))
        reading.system.rotor(part, joint, inertia=inertia, ratio=coefficient)
    if friction and coefficient and not reading.off("FRICTIONLOSS"):
        what = "torque" if reading.channel(j).endswith("angle") else "force"
        part = reading.names.free(f"{who} friction".replace(".", "_"))
        reading.system.dry_friction(part, joint, **{what: abs(coefficient) * friction})


def add_range(reading: Reading, i: int, who: str, kind: str) -> None:
    """A rigid limit of its length."""
    model, what = reading.model, f"<tendon><{kind} range>"
    lower, upper = (float(x) for x in model.tendon_range[i])
    if not model.tendon_limited[i] or reading.off("LIMIT"):
        return
    length, given = float(reading.start().ten_length[i]), f"{who} {lower:g} … {upper:g}"
    if lower >= upper:
        reading.report.add(what, given, "it leaves no motion, so it is taken as none")
    elif not lower - ROUND_OFF <= length <= upper + ROUND_OFF:
        reading.report.add(what, given, f"the tendon starts at {length:.6g}, beyond it")
    elif len(text := length_of(reading, i)) > LONGEST:
        reading.report.add(what, given, "its length is a longer expression than there are")
    else:
        least, most = reach(reading, i)
        limits = {"lower": lower} if least < lower else {}
        limits |= {"upper": upper} if most > upper else {}
        if limits:
            part = reading.names.free(f"{who} limit".replace(".", "_"))
            reading.system.position_limit(part, text, **limits)


def reach(reading: Reading, i: int) -> tuple[float, float]:
    """Between which lengths the limits of its joints keep a fixed tendon: beyond, a limit of its own is never met."""
    model, least, most = reading.model, 0.0, 0.0
    for j, coefficient in (joints_of(reading, i) or {None: 1.0}).items():
        limit = None if j is None else reading.system.contact_laws.get(f"{reading.names.joints[j]} limit")
        ends = [-np.inf, np.inf] if limit is None else coefficient * model.jnt_range[j]
        least, most = least + min(ends), most + max(ends)
    return float(least), float(most)


# ---------------------------------------------------------------- where a tendon is


def parts_of(reading: Reading, i: int) -> range:
    """Numbers of its parts among those of all tendons."""
    return range(reading.model.tendon_adr[i], reading.model.tendon_adr[i] + reading.model.tendon_num[i])


def joints_of(reading: Reading, i: int) -> dict[int, float] | None:
    """Joints of a fixed tendon, with their coefficients; None for a spatial one."""
    model = reading.model
    if any(model.wrap_type[k] != reading.mujoco.mjtWrap.mjWRAP_JOINT for k in parts_of(reading, i)):
        return None
    found = {}
    for k in parts_of(reading, i):
        j = int(model.wrap_objid[k])
        found[j] = found.get(j, 0.0) + float(model.wrap_prm[k])
    return found


def segments_of(reading: Reading, i: int) -> list[tuple[int, int, float]] | None:
    """(site, next site, divisor) of a tendon that is straight from site to site; None for any other.

    Behind a pulley the length counts 1/divisor, and so does the force."""
    model, kinds = reading.model, reading.mujoco.mjtWrap
    found, last, divisor = [], None, 1.0
    for k in parts_of(reading, i):
        if model.wrap_type[k] == kinds.mjWRAP_PULLEY:
            last, divisor = None, float(model.wrap_prm[k])
        elif model.wrap_type[k] == kinds.mjWRAP_SITE:
            site = int(model.wrap_objid[k])
            found += [] if last is None else [(last, site, divisor)]
            last = site
        else:
            return None
    return found


def length_of(reading: Reading, i: int, rate: bool = False) -> str | None:
    """L = Σ c q of a fixed tendon, Σ |p2 − p1| / divisor of one through sites, or its rate; None for one that wraps."""
    joints, segments = joints_of(reading, i), segments_of(reading, i)
    if joints is not None:
        return "(" + " + ".join(f"{c!r}*{reading.coordinate(j, rate)}" for j, c in joints.items()) + ")"
    if segments is None:
        return None
    return "(" + " + ".join(f"{_distance(reading, a, b, rate)}/{divisor!r}" for a, b, divisor in segments) + ")"


def _distance(reading: Reading, a: int, b: int, rate: bool) -> str:
    """|p2 − p1|, or its rate (p2 − p1)·(v2 − v1) / |p2 − p1|, which is 0 on one body."""
    if reading.model.site_bodyid[a] == reading.model.site_bodyid[b]:
        length = float(np.linalg.norm(reading.model.site_pos[b] - reading.model.site_pos[a]))
        return "0.0" if rate else repr(length)
    sites = reading.names.sites[b], reading.names.sites[a]
    d, v = (
        [f"({' - '.join(named(f'{site}.{what}.{x}') for site in sites)})" for x in "xyz"]
        for what in ("position", "velocity")
    )
    distance = f"sqrt({' + '.join(f'{x}**2' for x in d)})"
    return f"({' + '.join(f'{x}*{y}' for x, y in zip(d, v, strict=True))})/{distance}" if rate else distance


# ---------------------------------------------------------------- what pulls


def tendon_force(reading: Reading, i: int, length: str, rate: str) -> str:
    """F = −(k x + k1 x² + k2 x³) − (c u + c1 u|u| + c2 u³), x how far the length is out of its range at rest; "" if none."""
    model = reading.model
    k, c = [float(model.tendon_stiffness[i]), *model.tendon_stiffnesspoly[i]], [float(model.tendon_damping[i])]
    c += [float(x) for x in model.tendon_dampingpoly[i]]
    terms = []
    if any(k) and not reading.off("SPRING"):
        lower, upper = (float(x) for x in model.tendon_lengthspring[i])
        x = (
            f"(max({length} - {upper!r}, 0) + min({length} - {lower!r}, 0))"
            if lower < upper
            else f"({length} - {lower!r})"
        )
        terms.append(f"-({polynomial([0, *k], x)})")
    if any(c) and not reading.off("DAMPER"):
        quadratic = f" + {c[1]!r}*abs({rate}) + {c[2]!r}*{rate}**2" if any(c[1:]) else ""
        terms.append(f"-({c[0]!r}{quadratic})*{rate}")
    return " + ".join(terms)


def push(reading: Reading, name: str, j: int, law: str) -> None:
    """A motor that gives a law on a joint coordinate."""
    what = "torque" if reading.channel(j).endswith("angle") else "force"
    reading.system.motor(reading.names.free(name.replace(".", "_")), reading.names.joints[j], **{what: law})


def pull(reading: Reading, name: str, segments: list[tuple[int, int, float]], law_of: Callable[[str, str], str]) -> str:
    """A law that lengthens a tendon through sites, of its length and its rate: a tension of the opposite sign along each of its
    segments. Why it could not be added, or nothing."""
    model, name, parts, lengths, rates = reading.model, name.replace(".", "_"), [], [], []
    for k, (a, b, divisor) in enumerate(segments):
        bodies = [int(model.site_bodyid[site]) for site in (a, b)]
        if bodies[0] == bodies[1] or all(map(reading.fixed, bodies)):
            lengths.append(f"{_distance(reading, a, b, False)}/{divisor!r}")
            continue
        part = reading.names.free(name if len(segments) == 1 else f"{name} segment {k + 1}")
        ends = [(reading.names.bodies[body], model.site_pos[site]) for body, site in zip(bodies, (a, b), strict=True)]
        lengths.append(f"{named(f'{part}.length')}/{divisor!r}")
        rates.append(f"{named(f'{part}.length.rate')}/{divisor!r}")
        parts.append((part, ends, divisor))
    law = law_of(f"({' + '.join(lengths)})", f"({' + '.join(rates) or '0'})")
    if len(law) > LONGEST:
        return f"the law of its {len(segments)} segments is longer than expressions are"
    for part, ends, divisor in parts:
        reading.system.axial_law(part, *ends, tension=f"-({law})/{divisor!r}")
    return ""
