"""Mass properties of links: those that no body can have are named, all of them at once."""

import numpy as np

from mekane.errors import FileError, ModelError
from mekane.importers.urdf.report import Report
from mekane.importers.urdf.robot import Link, Robot
from mekane.model.values.inertia import inertia_from

NO_SIZE = 1e-15  # kg m² per kg: a radius of gyration of 30 nm is round-off of a zero
ACCEPT = (
    "Correct them, or accept them: mk.load_model(…, unphysical=True); "
    "in a model file, include: {robot: {file: …, options: {unphysical: true}}}."
)


def mass_keywords(robot: Robot, unphysical: bool, report: Report) -> dict[str, dict]:
    """Keywords of System.body for each link."""
    tensors = {name: _tensor(link, report) for name, link in robot.links.items()}
    wrong = {name: why for name in tensors if (why := why_unphysical(tensors[name]))}
    if wrong and not unphysical:
        raise _refusal(robot, wrong)
    for name, why in wrong.items():
        report.remark(f"link {name!r} has an inertia that no body has, and was accepted: {why}.")
    return {name: _keywords(robot.links[name], tensors[name], name in wrong, report) for name in robot.links}


def _tensor(link: Link, report: Report) -> np.ndarray:
    size = np.abs(link.inertia).max()
    if not 0.0 < size < NO_SIZE * (link.mass or 1.0):
        return link.inertia
    report.remark(f"link {link.name!r} has an inertia of {size:.3g} kg m^2, which is taken as 0.")
    return np.zeros((3, 3))


def why_unphysical(tensor: np.ndarray) -> str:
    try:
        inertia_from(tensor, "")
        return ""
    except ModelError as error:
        return error.problem


def _refusal(robot: Robot, wrong: dict[str, str]) -> FileError:
    first = robot.links[next(iter(wrong))].element
    all_of_them = "; ".join(
        f"link {name!r} (line {robot.links[name].element.line}): {why}" for name, why in wrong.items()
    )
    expected = "principal values are not negative, and none exceeds the sum of the other two"
    remedy = ACCEPT
    return FileError(
        f"{first.source}, line {first.line}", f"inertias that no body has: {all_of_them}", expected, remedy
    )


def _keywords(link: Link, tensor: np.ndarray, unphysical: bool, report: Report) -> dict:
    if not link.has_inertial:
        report.gather("links without <inertial> are massless", link.name)
    elif link.mass == 0.0:
        report.gather("links with mass 0 are massless", link.name)
    mass = {"mass": link.mass} if link.mass else {"massless": True}
    return {**mass, "inertia": tensor, "com": link.com, **({"unphysical": True} if unphysical else {})}
