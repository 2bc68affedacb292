"""How far two runs of one model are apart, and what that says about the global error: the error accumulated since the
start.

Runs are compared by where the bodies are and how they move, which does not depend on the formulation; a rotation is
compared by its angle, not by the signs of a quaternion.
"""

from dataclasses import asdict, dataclass

import numpy as np

from mekane.algebra.vector_arrays import cross
from mekane.results.quantities import Formula
from mekane.results.residuals import mechanism_size
from mekane.results.samples import over_samples
from mekane.tables.columns import B_P, B_R, B_V, B_W

UNITS = {"position": "m", "orientation": "rad", "velocity": "m/s", "angular_velocity": "rad/s"}
HARDLY = 1e-6  # of the whole motion: what moves less is compared with this share
TRUSTED = 1e-3  # largest error of a trusted run, as a share of the motion
NO_DIGITS = 0.1  # beyond this share no digit is right
MOST_DIGITS = 15
AT_REST = 1e-8  # of the mechanism, and radians: a motion smaller than this is no measure for an error
IN_TOLERANCE = 1e3  # times atol: nor is one smaller than that, because errors of atol were requested
SHORTEST = 1e-100  # seconds: a run that is shorter has no measure of speed


@dataclass(frozen=True)
class GlobalError:
    """Estimated largest errors of a run since its start, one for each family of channels; nan where there is no
    estimate.

    relative: the largest as a share of the motion; digits: how many are right at the end, about.
    growth: by how much a small change of the initial state has grown; until: up to then the error is at most TRUSTED of
        the motion [s].
    t: up to then errors were estimated [s]; reason: why there is no estimate, or none of the rest of the run.
    round_off: where it is not nan, changes of the state by this share of its size lead to another motion, because a law
        is discontinuous where the motion stands.
    narrow: what a law does within a time that long steps pass over, in words.
    """

    position: float = np.nan  # of origins and mass centres of bodies [m]
    orientation: float = np.nan  # of bodies [rad]
    velocity: float = np.nan  # of origins and mass centres of bodies [m/s]
    angular_velocity: float = np.nan  # of bodies [rad/s]
    relative: float = np.nan
    growth: float = np.nan
    until: float = np.nan
    t: float = np.nan
    reason: str = ""
    round_off: float = np.nan
    narrow: str = ""

    @property
    def known(self):
        return bool(np.isfinite(self.relative))

    @property
    def ok(self):
        """False if it is known to be too large."""
        return not self.relative > TRUSTED

    @property
    def digits(self):
        return digits(self.relative) if self.known else 0

    def unknown(self):
        """What is not known, where there is a reason for it."""
        return f"its error beyond t = {self.t:.4g} s is not known" if self.known else "its error is not known"

    def to_dict(self):
        """Plain numbers; None where there is none, as JSON knows no nan."""
        return {
            field: value if isinstance(value, str) or np.isfinite(value) else None
            for field, value in asdict(self).items()
        }

    @classmethod
    def from_dict(cls, data):
        return cls(**{field: np.nan if value is None else value for field, value in data.items()})

    def __str__(self):
        if not self.known:
            return f"The global error could not be estimated: {self.reason}."
        rest = f" Beyond t = {self.t:.4g} s it could not be estimated: {self.reason}." if self.reason else ""
        return f"{self._digits()} (estimated error {self._families()}){self._grown()}.{self._until()}{self._narrow()}{rest}"

    def _digits(self):
        if self.relative > NO_DIGITS:
            return "No digits are right at the end"
        return f"About {self.digits} digit{'s are' if self.digits != 1 else ' is'} right at the end"

    def _families(self):
        found = [f"{getattr(self, family):.1g} {unit}" for family, unit in UNITS.items() if getattr(self, family) > 0]
        return ", ".join(found) or "zero"

    def _grown(self):
        if not np.isfinite(self.growth):
            return ""
        return f"; small errors grew by {plain(self.growth)}" if self.growth >= 2.0 else "; small errors did not grow"

    def _until(self):
        return "" if self.ok else f" Up to t = {self.until:.4g} s it is at most {TRUSTED:g} of the motion."

    def _narrow(self):
        if self.ok or not self.narrow:
            return ""
        return f" Its steps may have passed over {self.narrow}: give step=, the largest step."


def plain(factor):
    """7, 300, 1e6"""
    mantissa, _, exponent = f"{factor:.0e}".partition("e")
    return (
        f"{factor:.1g}"
        if factor < 10
        else f"{float(f'{factor:.1g}'):.0f}"
        if factor < 1000
        else f"{mantissa}e{int(exponent)}"
    )


def digits(share):
    """Digits that are right, about, where an error is such a share of a quantity."""
    return int(np.clip(np.floor(-np.log10(share)), 0, MOST_DIGITS)) if share > 0 else MOST_DIGITS


def differences(one, other):
    """{family: (time,)}: the largest difference of any body at the samples that two runs of one model share."""
    n = min(len(one.t), len(other.t))
    a, b = motions(one, n), motions(other, n)
    apart = [norm(x - y) if x.ndim == 3 else angle_between(x, y) for x, y in zip(a, b, strict=True)]
    origin, centre, R, v, v_centre, w = [x.max(axis=1, initial=0.0) for x in apart]
    return dict(
        position=np.maximum(origin, centre), orientation=R, velocity=np.maximum(v, v_centre), angular_velocity=w
    )


def sizes(run):
    """{family: size of the motion}: the longest way and largest rotation from the start, the largest speeds; of a run
    at rest a small share of the mechanism."""
    origin, centre, R, v, v_centre, w = motions(run, len(run.t))
    largest = lambda *vectors: max(norm(x).max(initial=0.0) for x in vectors)
    found = dict(
        position=largest(origin - origin[:1], centre - centre[:1]),
        orientation=angle_between(R, R[:1]).max(initial=0.0),
        velocity=largest(v, v_centre),
        angular_velocity=largest(w),
    )
    return at_least(found, mechanism_size(run), run.t[-1], run.info.get("atol") or 0.0)


def at_least(found, length, duration, atol):
    """{family: size of the motion}, where it is too small to be a measure that of a mechanism at rest or of its other
    families. found: numbers, or arrays over runs; length: of the mechanism [m]."""
    duration = duration if duration > SHORTEST else 1.0
    at_rest = dict(position=length, orientation=1.0, velocity=length / duration, angular_velocity=1.0 / duration)
    hardly = hardly_moving(found, length)
    least = {family: max(AT_REST * at_rest[family], IN_TOLERANCE * atol) for family in found}
    return {
        family: np.maximum(size, np.maximum(HARDLY * hardly[family], least[family])) for family, size in found.items()
    }


def hardly_moving(found, length):
    """{family: size}: what the motion of the whole mechanism would be in each, if it were all of that kind. A ball that falls
    and does not turn: round-off of its rotation is no error of the motion."""
    way = np.minimum(1.0, np.maximum(found["position"] / length, found["orientation"]))
    speed = np.maximum(found["velocity"] / length, found["angular_velocity"])
    return dict(position=way * length, orientation=way, velocity=speed * length, angular_velocity=speed)


def motions(run, n):
    """Origins, mass centres, axes, velocities of both points and angular velocities of all bodies at the first n samples:
    (time, bodies, 3), axes (time, bodies, 3, 3)."""
    bodies, frames = run.system.bodies, run.compiled.frames
    origins = np.array([frames.point(name, (0.0, 0.0, 0.0)) for name in bodies]).reshape(-1, 3)
    centres = np.array([frames.point(name, body.com) for name, body in bodies.items()]).reshape(-1, 3)
    axes = np.array([frames.R_BU[frames.row[name]] for name in bodies]).reshape(-1, 3, 3)
    rows = tuple(frames.row[name] for name in bodies)
    (found,) = over_samples(run, Formula(motion, rows, origins, centres, axes))
    origin, centre, R, v, v_centre, w = np.split(found[:n], np.cumsum([3, 3, 9, 3, 3]), axis=2)
    return origin, centre, R.reshape(*R.shape[:2], 3, 3), v, v_centre, w


def motion(run, rows, origins, centres, axes):
    """The same in one array, (time, bodies, 24). Points and axes in the frames that kernels use."""
    P, R, w, v = (run.kinematics.of_bodies(rows, *columns) for columns in ((B_P, 3), (B_R, 9), (B_W, 3), (B_V, 3)))
    R = R.reshape(*R.shape[:2], 3, 3)
    arm, to_centre = (R[..., 0] * p[:, :1] + R[..., 1] * p[:, 1:2] + R[..., 2] * p[:, 2:] for p in (origins, centres))
    v = v + cross(w, arm)
    flat = (R @ axes).reshape(*R.shape[:2], 9)
    return np.concatenate([P + arm, P + to_centre, flat, v, v + cross(w, to_centre - arm), w], axis=2)


def norm(vectors):
    return np.hypot.reduce(vectors, axis=-1)  # squares of coordinates beyond 1e154 overflow


def angle_between(R_1, R_2):
    """Angle of the rotation from one to the other [rad]; exact for small ones, too."""
    chord = np.linalg.norm(R_1 - R_2, axis=(-2, -1)) / np.sqrt(8.0)
    return 2.0 * np.arcsin(np.minimum(chord, 1.0))


def shares(different, size):
    """(time,): the largest difference of any family as a share of the motion."""
    return np.max([different[family] / size[family] for family in UNITS], axis=0)
