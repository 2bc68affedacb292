"""The import report: everything in a URDF file that has no place in the model, and why."""

import numpy as np

from mekane.importers._xml import Element

LARGE = 100.0  # m: no robot that is meant
MOST_NAMES = 8  # of parts in one remark; values of attributes are listed all
REASONS = {
    "gazebo": "settings of another simulator",
    "transmission": "actuators are given as motors (s.motor) and rotors (s.rotor)",
    "ros2_control": "settings of a controller",
    "sensor": "sensors are given as markers and outputs",
    "material/texture": "bodies are drawn in one colour",
    "link/visual/material/texture": "bodies are drawn in one colour",
    "link/collision/material": "only what is drawn has a colour",
    "link/contact": "contacts are given as s.contact, with their friction",
    "link/surface": "contacts are given as s.contact, with their friction",
    "link/visual@name": "a label",
    "link/collision@name": "a label",
    "joint/limit@effort": "what a drive can give is the limit of its motor, s.motor(…, limit=…)",
    "joint/limit@velocity": "a joint has no largest speed",
    "joint/limit@lower": "this type of joint has no limits",
    "joint/limit@upper": "this type of joint has no limits",
    "joint/safety_controller": "settings of a controller",
    "joint/calibration": "settings of a controller",
    "joint/joint_properties": "URDF has damping and friction in <dynamics>; other programs leave this out, too",
    "link@type": "not a part of URDF",
}
UNKNOWN = "not known in URDF"
SEVERAL_TURNS, MANY_TURNS = 20.0, 720.0  # of limits, as numbers: of radians the first is much, of degrees the last is


class Report:
    """Remarks, those with the same reason together."""

    def __init__(self):
        self.remarks: list[str] = []
        self.gathered: dict[str, list[str]] = {}
        self.entries: dict[tuple[str, str], list[str]] = {}

    def remark(self, sentence: str) -> None:
        """What has been done, in a sentence of its own."""
        self.remarks.append(sentence)

    def gather(self, what: str, owner: str) -> None:
        """What has been done with this part and others."""
        self.gathered.setdefault(what, []).append(owner)

    def add(self, what: str, owner: str, reason: str) -> None:
        """What has been left out."""
        self.entries.setdefault((what, reason), []).append(owner)

    def notes(self) -> list[str]:
        """Sentences: what has been done, then each kind of thing that is left out, with where it stands."""
        gathered = [f"{what}: {_listed(owners, all=True)}." for what, owners in self.gathered.items()]
        return [
            *self.remarks,
            *gathered,
            *(
                f"{what} of {_listed(owners, all=' ' in what)} is not modelled: {reason}."
                for (what, reason), owners in self.entries.items()
            ),
        ]


def remark_size(report: Report, positions: list, what: str = "links") -> None:
    """Links that are farther apart than in any robot are remarked."""
    size = np.ptp(np.array(positions), axis=0).max()
    if size > LARGE:
        report.remark(f"the {what} are up to {size:.4g} m apart: lengths are in metres; are these millimetres?")


def remark_degrees(report: Report, joint: str, limits: tuple) -> None:
    """Limits of many whole turns, but not of so many that they stand for none, are remarked."""
    if SEVERAL_TURNS < max(map(abs, limits)) <= MANY_TURNS:
        report.gather("limits in radians; are these degrees", f"{joint} {limits[0]:g} … {limits[1]:g}")


def add_unused(report: Report, root: Element, reasons: dict[str, str] = REASONS, unknown: str = UNKNOWN) -> None:
    """Add all that nobody has read in a file."""
    for name in root.attributes:
        if name not in root.read and not name.startswith("xmlns"):
            reason = reasons.get(f"{root.tag}@{name}", unknown)
            report.add(f"<{root.tag} {name}>", repr(root.attributes[name]), reason)
    for child in root.children:
        owner = child.attributes.get("name") or child.attributes.get("reference") or f"line {child.line}"
        for path, element in child.unused(child.tag) if child.used else [(child.tag, child)]:
            tags, _, attribute = path.partition("@")
            value = f" {element.attributes[attribute]}" if attribute else ""
            report.add(_shown(tags, attribute), f"{owner}{value}", reasons.get(path, unknown))


def _shown(tags: str, attribute: str) -> str:
    """ "link/contact" → <link><contact>, "joint/limit@effort" → <joint><limit effort>"""
    text = "".join(f"<{tag}>" for tag in tags.split("/"))
    return f"{text[:-1]} {attribute}>" if attribute else text


def _listed(owners: list[str], all: bool) -> str:
    distinct = list(dict.fromkeys(owners))
    if all:
        return ", ".join(distinct)
    more = f" and {len(distinct) - MOST_NAMES} more" if len(distinct) > MOST_NAMES else ""
    return ", ".join(distinct[:MOST_NAMES]) + more
