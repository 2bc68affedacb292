"""inverse_kinematics: coordinates for which points and bodies are where they are wanted, nearest to where the search
starts."""

import numpy as np

from mekane.analyses.kinematics.assemble import closed, fits, read_wishes
from mekane.analyses.kinematics.assembly_result import answer
from mekane.analyses.kinematics.named_positions import Attitude, Point
from mekane.analyses.kinematics.position_equations import Positions
from mekane.analyses.kinematics.position_solver import MET, Wish, newton, reach
from mekane.errors import ModelError, did_you_mean
from mekane.model.names import quoted
from mekane.model.values.units import is_list, shown, vector

PART = "inverse_kinematics"
WORDS = ("position", "orientation", "point")


def inverse_kinematics(system, targets, at=None, formulation="joint"):
    """Where the joints must be:

        mk.inverse_kinematics(s, {"hand": {"position": (x, y, z), "orientation": ("z", "30 deg"), "point": (0, 0,
        0.1)}}) mk.inverse_kinematics(s, {"hand.position": (x, y, z), "elbow.angle": "20 deg"})

    point: of the body, in its frame, that is to be at `position` (its origin unless told). at: coordinates to start
        from, in the order of s.coordinates, or joints with their values; by default the system's own position. Every
        step is the smallest that will do, so that an arm with joints to spare stays near its start. Returns an
        Assembled: .coordinates, .q, .system; loops stay closed.
    """
    positions = Positions(system, formulation)
    wishes = read_targets(positions.system, targets)
    q = start_of(positions, at)
    found = reach(positions, q, wishes, lambda q: fits(positions, q))
    if found.q is None:
        raise out_of_reach(positions, found.nearest, wishes)
    return answer(f"{system.name}: inverse kinematics", positions, found.q, wishes)


def start_of(positions, at):
    if isinstance(at, dict):
        from mekane.analyses.kinematics.assemble import assemble

        return assemble(positions.told, at, positions.compiled.formulation).q
    if at is None:
        return closed(positions)
    q = positions.model.state(PART, at, np.zeros(positions.n_u))[: positions.compiled.n_q]
    q, gap = newton(positions, q)
    if gap > MET:
        problem = f"from `at` the loops stay open by {gap:.3g}"
        raise ModelError(PART, problem, "a position that can be closed is expected", "Start with mk.assemble(s, …).q.")
    return q


def read_targets(system, targets):
    if not isinstance(targets, dict) or not targets:
        remedy = 'Write {"hand": {"position": (x, y, z)}} or {"hand.position": (x, y, z)}.'
        raise ModelError(PART, f"the targets are {shown(targets)}", "names and places are expected", remedy)
    wishes = []
    for name, said in targets.items():
        name = getattr(name, "name", name)
        wishes += (
            read_body(system, name, said) if isinstance(said, dict) else read_wishes(system, {name: said}, {}, PART)
        )
    return wishes


def read_body(system, name, said):
    body = system.find_body(name, PART).name
    part = f"{PART}, {body!r}"
    for word in said:
        if word not in WORDS:
            raise ModelError(
                part, f"unknown word {word!r}", f"it takes {', '.join(WORDS)}", did_you_mean(word, WORDS).strip()
            )
    if body == "ground" or not {"position", "orientation"} & set(said):
        raise ModelError(part, f"it is {shown(said)}", "a position or an orientation of a moving body is expected")
    wishes = []
    if "position" in said:
        place = tuple(vector(said["point"], "length", part, "point")) if is_list(said.get("point")) else (0.0, 0.0, 0.0)
        point = Point(f"{body}.position", body, place)
        wishes.append(Wish(point, point.read(said["position"], part), said["position"]))
    if "orientation" in said:
        attitude = Attitude(f"{body}.orientation", body)
        wishes.append(Wish(attitude, attitude.read(said["orientation"], part), said["orientation"]))
    return wishes


def out_of_reach(positions, near, wishes):
    """How near one can come, all targets weighed alike: radians, and lengths in sizes of the mechanism."""
    here = positions.here(near)
    gaps = []
    for wish in wishes:
        gap = float(np.linalg.norm(np.atleast_1d(wish.position.missing(here, wish.want))))
        gaps.append(f"{wish.name} {gap:.6g} {'m' if wish.position.dimension == 'length' else 'rad'} away")
    problem = f"{quoted([wish.name for wish in wishes])} cannot be reached{'' if len(wishes) == 1 else ' together'}"
    return ModelError(
        PART, problem, f"the nearest found: {', '.join(gaps)}", "Move the target nearer, or ask for less."
    )
