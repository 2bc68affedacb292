"""System.add: the parts of another system, with a name in front of theirs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from mekane.errors import ModelError
from mekane.model.body import Body
from mekane.model.construction_log import PARTS
from mekane.model.names import check_name
from mekane.model.reuse.arguments import arguments_of
from mekane.model.reuse.placement import Placement, negated
from mekane.model.reuse.surfaces import moved
from mekane.model.values.parameters import parameters_in
from mekane.model.values.units import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mekane.model.system import System
    from mekane.model.types import BodyLike, NumberLike, OrientationLike, VectorLike

BARE = ("inputs", "variables", "outputs")  # collections whose names stand in expressions as they are
SAVED = (
    *PARTS, "parameters", "own_speeds", "notes", "_construction", "_came_with", "_measured", "_placed_by",
    "_initial_conditions", "_contact_modes",
)  # fmt: skip


def add(
    system: System,
    name: str,
    other: System,
    *,
    to: BodyLike = "ground",
    at: VectorLike = (0, 0, 0),
    orientation: OrientationLike | None = None,
    parameters: Mapping[str, NumberLike] | None = None,
    mirrored: str | None = None,
) -> dict[str, str]:
    """Add all parts of another system: its ground becomes a frame fixed in a body of this one.

    Parts are called by `name` and their own name: "left leg" and "knee" make "left leg knee", "left_leg" makes
    "left_leg_knee"; expressions follow. The other system does not change. What moves, moves as in the other system; gravity
    is that of this one. If it is not possible, nothing is added.

    Parameters:
        name: stands in front of the names of all parts and parameters.
        other: the system to add, from Python or from mk.load_model.
        to: the body that the other's ground is fixed in, or its name; by default the ground.
        at: where the other's origin is, in the frame of that body [m].
        orientation: the other's world axes in the frame of that body, as of a body.
        parameters: other values of its parameters, as of with_parameters. Where they define places and masses, they are
            numbers from then on.
        mirrored: "x", "y" or "z": the sign of this coordinate is changed first, in the other's own axes. Joint coordinates
            keep their values.

    Returns:
        The new names, by those in the other system.

    Example:
        leg = mk.System("leg")
        leg.body("shank", mass=2, inertia=(0.1, 0.1, 0.01), position=(0, 0.2, -0.4))
        leg.pin("knee", leg.ground, "shank", at=(0, 0.2, 0), axis="y")
        s = mk.System("walker")
        s.body("torso", mass=10, inertia=(1, 1, 1))
        s.add("left", leg, to="torso")
        s.add("right", leg, to="torso", mirrored="y")
    """
    part = f"add {name!r}"
    check_name(name, "add")
    refuse_unfit_system(system, other, part)
    other = other.with_parameters(parameters) if parameters else other
    placement = Placement.read(system.find_body(to, part), at, orientation, mirrored, part)
    before = {collection: getattr(system, collection).copy() for collection in SAVED}
    try:
        if other.ground_look:
            system.notes.append(f"{part}: the look of its ground is not drawn, since it has become a frame of a body.")
        return Addition(system, name, other, placement).add()
    except BaseException:
        for collection, content in before.items():
            restore(getattr(system, collection), content)
        raise


def restore(mine, content) -> None:
    mine.clear()
    mine.extend(content) if isinstance(mine, list) else mine.update(content)


def refuse_unfit_system(system, other, part: str) -> None:
    if not isinstance(other, type(system)):
        raise ModelError(part, f"it is {shown(other)}", "a System is expected", "mk.load_model reads one from a file.")
    if system.plane != other.plane and other.plane:
        problem = f"it moves in the plane {other.plane}, and system {system.name!r} {f'in {system.plane}' if system.plane else 'in space'}"
        raise ModelError(part, problem, "both move in the same plane", f"Make the system with planar={other.plane!r}.")
    if other.own_speeds:
        problem = f"it has generalized speeds of its own, {', '.join(map(repr, other.own_speeds))}"
        raise ModelError(part, problem, "these belong to a whole system", "Choose them in the system it is added to.")


class Addition:
    """Names, places and parts of one sub-assembly in its host."""

    def __init__(self, system, name: str, other, placement: Placement):
        self.system, self.name, self.other, self.placement = system, name, other, placement
        self.separator = "_" if name.isidentifier() else " "
        self.bare = re.sub(r"\W", "_", name if name[0].isalpha() or name[0] == "_" else f"_{name}")
        self.names = {"ground": placement.host.name}
        for collection in PARTS:
            for one in getattr(other, collection):
                self.names[one] = self.named(one, collection in BARE)
        self.parameters = {one: self.named(one) for one in other.parameters}
        self.reflections = {one: placement.joint_reflection(joint) for one, joint in other.joints.items()}
        self.negated = {
            f"{one}.{measure}"
            for one, joint in other.joints.items()
            for measure in negated(joint, self.reflections[one])
        }

    def named(self, one: str, bare: bool = False) -> str:
        return f"{self.bare}_{one}" if bare else f"{self.name}{self.separator}{one}"

    def add(self) -> dict[str, str]:
        for one, value in self.other.parameters.items():
            self.system.parameter(self.parameters[one], value)
        for collection in PARTS:
            for one, record in getattr(self.other, collection).items():
                keywords = self.body(record) if isinstance(record, Body) else arguments_of(self, record)
                getattr(self.system, getattr(record, "kind", "body"))(self.names[one], **keywords)
        self.keep_what_belongs_to_no_part()
        return {one: new for one, new in self.names.items() if one != "ground"}

    def body(self, body: Body) -> dict:
        keywords = self.placement.body_keywords(body)
        keywords |= {"massless": True} if body.massless else {"mass": body.mass}
        keywords |= {"unphysical": True} if body.unphysical else {}
        placed = lambda shape: moved(shape, self.placement, body.name, f"body {body.name!r}")
        keywords |= {} if body.shape is None else {"shape": placed(body.shape)}
        keywords |= {} if body.look is None else {"look": [placed(one) for one in body.look]}
        return keywords if body.color is None else keywords | {"color": body.color}

    def keep_what_belongs_to_no_part(self) -> None:
        other, system = self.other, self.system
        for channel, value in other._initial_conditions.items():
            one, _, rest = channel.partition(".")
            sign = -1.0 if channel in self.negated else 1.0
            system._initial_conditions[f"{self.names[one]}.{rest}"] = sign * value
        for one, made in other._construction.items():
            fixed = parameters_in({**made.keywords}, other.parameters) if is_placed(other, one) else []
            system._placed_by |= {self.parameters[p]: self.names[one] for p in fixed}
        system.notes += [f"{self.name}: {note}" for note in other.notes if f"{self.name}: {note}" not in system.notes]
        turned = self.placement.R_NG @ self.placement.S @ np.array(other.gravity)
        if not np.allclose(turned, system.gravity, rtol=1e-12, atol=1e-12):
            system.notes.append(
                f"{self.name}: its gravity, {other.gravity}, is replaced by that of system {system.name!r}."
            )


def is_placed(other, one: str) -> bool:
    """Whether the part is a number in the host where it has parameters: a body, a marker or a joint."""
    return one in other.bodies or one in other.joints or one in other.markers
