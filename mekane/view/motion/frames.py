"""frames(run): where every body is at every frame, packed. docs/scene.md lists the fields.

A pose is seven numbers, x, y, z of the body's origin and its quaternion x, y, z, w: 28 bytes for each body and frame.
"""

from dataclasses import dataclass

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.model.attachments import AtPoint, Couple
from mekane.model.geometry.contact_side import Side
from mekane.model.geometry.surfaces import Plane
from mekane.results.quantities import continuous_quaternions
from mekane.view.motion.frame_selection import Choice, Grid, choice
from mekane.view.motion.frame_times import Sampling, extremes, sampling
from mekane.view.motion.poses import Motion
from mekane.view.web.packing import block

ENERGY = "energy"  # of the whole system, as a channel; names of other channels have a dot
POSE = ("x", "y", "z", "qx", "qy", "qz", "qw")
CHUNK_BYTES = 500_000
OVERVIEW_FRAMES, OVERVIEW_BYTES = 300, 4_000_000
NONE = np.zeros(0, np.int32)


@dataclass(frozen=True)
class Frames:
    """Poses of all bodies, in the order of the system; the ground has none."""

    bodies: tuple[str, ...]
    poses: np.ndarray  # float32 (frame, body, 7)
    sampling: Sampling
    samples: int  # how many the run has
    # least and largest displacement of joints that slide, over the whole run [m]
    travel: dict[str, tuple[float, float]]
    choice: Choice | None = None  # how these frames were chosen, where that was by the motion

    def __len__(self) -> int:
        return len(self.poses)

    @property
    def time(self) -> np.ndarray:
        return self.sampling.time

    @property
    def box(self) -> tuple[list, list]:
        """Lowest and highest corner of the origins of all bodies over all frames; what is not finite is left out."""
        places = self.poses[..., :3].reshape(-1, 3)
        places = places[np.isfinite(places).all(axis=1)]
        if not len(places):
            return [0.0] * 3, [0.0] * 3
        return places.min(axis=0).astype(float).tolist(), places.max(axis=0).astype(float).tolist()

    def chunk(self, first: int, end: int) -> bytes:
        """Poses of the frames first … end − 1 as plain little-endian float32, for a server; cut at the ends of the
        run."""
        first, end = max(0, int(first)), max(0, int(end))
        return self.poses[first:end].astype("<f4").tobytes()

    def head(self) -> dict:
        """All but the poses: what a page requests first, before it requests chunks."""
        low, high = self.box
        return {
            "bodies": list(self.bodies), "count": len(self), "pose": list(POSE), "bytes_per_frame": 28 * len(self.bodies),
            "sampling": self.sampling.text, "samples": self.samples, "time": block(self.time), "box": [low, high],
            "jumps": block(self.choice.jumps if self.choice else NONE), "note": self.choice.note if self.choice else "",
            "travel": {name: list(ends) for name, ends in self.travel.items()},
        }  # fmt: skip

    def to_dict(self) -> dict:
        """Everything, for a saved page."""
        return {**self.head(), "poses": block(self.poses)}

    @property
    def chunk_frames(self) -> int:
        """How many frames a server sends at once."""
        return max(1, CHUNK_BYTES // max(1, 28 * len(self.bodies)))

    def on_demand(self, address: str = "frames/") -> dict:
        """For a served page: an overview at hand, and where chunks of frames are to be had (address and the chunk's
        number)."""
        most = max(2, min(OVERVIEW_FRAMES, OVERVIEW_BYTES // max(1, 28 * len(self.bodies))))
        shown, jumps = self.choice.fewer(most) if self.choice else (sampling(self.time, most=most).left, NONE)
        overview = {"indices": block(shown.astype(np.int32)), "poses": block(self.poses[shown]), "jumps": block(jumps)}
        return {**self.head(), "chunk": self.chunk_frames, "address": address, "overview": overview}


def frames(run, fps: float | None = None, every: int | None = None, most: int | None = None) -> Frames:
    """All samples of a run; or fps frames per second, each `every`-th sample, at most `most` frames."""
    return frames_at(run, sampling(run.t, fps, every, most))


def shown(run, most: int) -> Frames:
    """At most `most` frames, chosen so that what a page draws between them is the motion, as far as can be."""
    motion = Motion(run)
    found = choice(Grid(motion), most)
    return made(motion, found.sampling, found)


def frames_at(run, chosen: Sampling) -> Frames:
    """At chosen times."""
    return made(Motion(run), chosen)


def made(motion: Motion, chosen: Sampling, by: Choice | None = None) -> Frames:
    run, at = motion.run, motion.at(chosen)
    names = tuple(run.system.bodies)
    poses = np.zeros((len(chosen.time), len(names), 7), np.float32)
    for k in range(len(names)):
        poses[:, k, :3], poses[:, k, 3:] = at.p[:, k], continuous_quaternions(at.R[:, k])
    poses.setflags(write=False)
    return Frames(names, poses, chosen, len(run.t), travels(run), by)


def travels(run) -> dict:
    """Of joints with one sliding coordinate, for the length of their rails."""
    found = {}
    for name, joint in run.system.joints.items():
        shifts = [measure.name for measure in joint.measures() if measure.kind == "shift"]
        if len(shifts) == 1 and len(run.t):
            values = finite(run.numbers(f"{name}.{shifts[0]}"))
            found[name] = float(values.min()), float(values.max())
    return found


def finite(values) -> np.ndarray:
    """Those that are; zero where none is."""
    chosen = values[np.isfinite(values)]
    return chosen if len(chosen) else np.zeros(1)


def positions(run, name: str, chosen: Sampling, point=(0.0, 0.0, 0.0)) -> np.ndarray:
    """Of a point of a body."""
    at, k = Motion(run).at(chosen), list(run.system.bodies).index(name)
    return at.p[:, k] + at.R[:, k] @ np.asarray(point, float)


# ---------------------------------------------------------------- what is shown besides


def channels(run, names, chosen: Sampling | None = None) -> dict:
    """Curves for plots, by name: float32 at every frame (default: every sample), with unit, labels of components, and
    a description."""
    chosen = chosen or sampling(run.t)
    return {name: channel(run, name, chosen) for name in names}


def curve(run, name: str, most: int) -> dict:
    """A channel with times of its own: every sample, or at most `most` of them with all extremes; `thinned` says
    which."""
    chosen = extremes(run.t, numbers(run, name), most)
    return {**channel(run, name, chosen), "time": block(chosen.time), "thinned": len(chosen.time) < len(run.t)}


def channel(run, name: str, chosen: Sampling) -> dict:
    values = chosen.of(numbers(run, name)).astype(np.float32)
    if name == ENERGY:
        facts = {"units": "J", "labels": list(energies(run)), "words": "energy of the whole system"}
    else:
        labels = run.labels(name)
        facts = {
            "units": run.units(name),
            "labels": list(labels) if labels else None,
            "words": run[name].attrs["long_name"],
        }
    return {**facts, "values": block(values)}


def numbers(run, name: str) -> np.ndarray:
    """Of a channel at every sample."""
    return np.stack(list(energies(run).values()), axis=1) if name == ENERGY else run.numbers(name)


def energies(run) -> dict:
    """Kinetic and potential energy and their sum; where work is done, also the sum less the work, which stays."""
    e = run.energies
    curves = {"kinetic": e.kinetic, "potential": e.potential, "total": e.kinetic + e.potential}
    return {**curves, "total − work": e.balance} if np.any(e.work) else curves


def with_arrows(system) -> list[str]:
    """What can be shown as arrows: forces at points, torques on bodies, joints, constraints, points of contact."""
    given = [name for name, force in system.forces.items() if isinstance(force.acts, AtPoint | Couple)]
    return [*given, *system.joints, *system.constraints, *points_of_contact(system)]


def points_of_contact(system) -> dict[str, str]:
    """Element of a contact law → the law, of those that act at points."""
    return {one: name for name, law in system.contact_laws.items() if law.at_points for one in law.ids(system)}


def arrows(run, names=None, chosen: Sampling | None = None) -> list[dict]:
    """Forces as arrows: reactions of joints and constraints on their body b, forces at points, torques on bodies, forces of
    contacts where they touch; all of them unless named.

    Each: where it starts and the force or torque, (frame, 6) float32 in the world [m, N or N m], the body it acts on
    and the largest size.
    """
    chosen, known = chosen or sampling(run.t), with_arrows(run.system)
    names = known if names is None else list(names)
    for name in names:
        if name not in known:
            expected = (
                "joints, constraints, forces at points, torques on bodies and contacts have arrows: "
                f"{', '.join(known) or 'there are none'}"
            )
            raise ModelError("arrows", f"there is no {name!r}", expected, did_you_mean(str(name), known).strip())
    return [arrow(run, name, chosen) for name in names]


def arrow_kind(system, name: str) -> dict:
    """Name, kind (reaction, contact, force, torque) and units: what is known before the numbers."""
    kind = kind_of(system, name)
    return {"name": name, "kind": kind, "units": "N m" if kind == "torque" else "N"}


def kind_of(system, name: str) -> str:
    if name in system.forces:
        return "force" if isinstance(system.forces[name].acts, AtPoint) else "torque"
    return "contact" if name in points_of_contact(system) else "reaction"


def arrow(run, name: str, chosen: Sampling) -> dict:
    body, point, force, unique = acting(run, name)
    values = np.concatenate([chosen.of(point), chosen.of(force)], axis=1).astype(np.float32)
    largest = float(finite(np.linalg.norm(force, axis=1)).max())
    bodies = list(run.system.bodies)
    facts = {"body": bodies.index(body) if body in bodies else -1, "largest": largest, "unique": unique}
    normal = normal_of_contact(run.system, name)
    facts |= {} if normal is None else {"normal": normal}
    return {**arrow_kind(run.system, name), **facts, "values": block(values)}


def normal_of_contact(system, name: str) -> list[float] | None:
    """Of a plane of the ground that is touched, in the world; elsewhere it moves, and is not given."""
    law = system.contact_laws.get(points_of_contact(system).get(name, ""))
    planes = [side.shape for side in (getattr(law, "a", None), getattr(law, "b", None)) if is_fixed_plane(side)]
    return [float(x) for x in planes[0].normal] if planes else None


def is_fixed_plane(side) -> bool:
    return isinstance(side, Side) and side.body == "ground" and isinstance(side.shape, Plane)


def acting(run, name: str):
    """Body, points, vectors, and whether they are unique."""
    touching = points_of_contact(run.system)
    if name in touching:
        law = run.system.contact_laws[touching[name]]
        force, _, point = np.split(run.numbers(f"{name}.reaction"), 3, axis=1)
        return law.acts_on, point, force, run.is_unique(law)
    if name not in run.system.forces:
        data = run.reaction(name)
        return data.attrs["on"], data["point"].values, data["force"].values, bool(data.attrs["unique"])
    place = run.system.forces[name].acts
    kind, at = ("force", place.point) if isinstance(place, AtPoint) else ("torque", run.system.bodies[place.body].com)
    return place.body, run.kinematics.position(place.body, at), run.numbers(f"{name}.{kind}"), True


def trace(run, body: str, point=(0.0, 0.0, 0.0), chosen: Sampling | None = None) -> dict:
    """The path of a point of a body, given in its frame: (frame, 3) float32 in the world."""
    bodies = list(run.system.bodies)
    if body not in bodies:
        raise ModelError(
            "trace",
            f"there is no body {body!r}",
            f"the bodies are {', '.join(bodies)}",
            did_you_mean(str(body), bodies).strip(),
        )
    values = positions(run, body, chosen or sampling(run.t), point).astype(np.float32)
    return {"body": bodies.index(body), "point": [float(x) for x in point], "values": block(values)}
