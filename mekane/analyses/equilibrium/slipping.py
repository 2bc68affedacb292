"""Report: contacts that cannot hold, and the friction that they would need."""

import numpy as np

from mekane.errors import ModelError
from mekane.model.joint import FX
from mekane.solvers.contacts.force_sets import HOLDS


def refuse_slipping(state, forces):
    """No forces within their sets balance the configuration."""
    if forces.hold:
        return
    system, factor = state.statics.system, forces.needed_factor()
    rough = [one for one in forces.sets if one.tangents]
    laws = list(dict.fromkeys(one.law for one in rough))
    names = ", ".join(map(repr, laws))
    if factor is None:
        raise ModelError(
            f"equilibrium of {system.name!r}",
            f"it slips, and no friction at {names} would be enough" if rough else "contacts would have to pull",
            "contacts push and do not pull, and friction is at most its coefficient times that",
            "Press the bodies together, hold them otherwise, or simulate the motion.",
        )
    reached = forces.at_limit(factor)
    critical = {(one.law, one.limit): one for one in rough if one.name in reached or not reached}.values()
    needed = " and ".join(
        f"{what(one)} {factor * one.limit:.4g} needed at {one.law!r}, {one.limit:.4g} given" for one in critical
    )
    raise ModelError(
        f"equilibrium of {system.name!r}",
        f"it slips: {needed}",
        "friction is at most what is given" + ("" if len(laws) < 2 else f"; all of {names} taken in proportion"),
        "Give more friction, start elsewhere with at=, or set it to 0 to find where it rests without.",
    )


def refuse_slipping_joints(rest, laws):
    """Friction of bearings and guides that would have to be larger than the reactions of their joints allow."""
    limits = dict(zip(laws.names, laws.limits(rest.q), strict=True))
    for law in laws.system.contact_laws.values():
        elements = [fact for fact in laws.facts if fact.name in law.ids(laws.system) and fact.element.reaction]
        here = [fact for fact in elements if fact.name in rest.contacts]
        if not here:
            continue
        carried = abs(sum(rest.contacts[fact.name].friction for fact in here))  # all of them at one coordinate
        most = sum(limits[fact.name] * load_of(rest, fact.element.reaction) for fact in here)
        if carried > most * (1.0 + HOLDS) + HOLDS * rest.statics.weight / rest.statics.size:
            raise ModelError(
                law.part,
                f"it slips: its friction can hold {most:.4g}, and {carried:.4g} is needed (N or N m)",
                "friction is at most its coefficient times the joint's own reaction",
                "Give more friction, start elsewhere with at=, or remove it to find where it rests without.",
            )


def load_of(rest, load):
    """What presses the surfaces of a joint together."""
    force = rest.reaction(load.joint, axes="joint").force.values[[axis - FX for axis in load.axes]]
    return float(np.abs(force).sum() if load.sums else np.linalg.norm(force))


def what(one):
    if one.name.endswith((".rolling", ".spinning")):
        return f"a resistance to {one.name.rpartition('.')[2]} of"
    return "friction" if one.normal >= 0 else "a force or torque of"
