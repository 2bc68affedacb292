from math import pi

from mekane.errors import ModelError
from mekane.model.joint import FX, FY, FZ, MX, MY, Joint, Z, along, helix, number, perpendicular, rotated, screw, shift


class Screw(Joint):
    """Turning about an axis fixed in both bodies and sliding along it, `pitch` metres per revolution (positive:
    right-hand thread)."""

    example = 's.screw("spindle", s.ground, arm, pitch="5 mm", at=(0, 0, 0), axis="z")'
    coordinates = ("angle",)
    geometry = ("at", "axis")
    pitch: float = number("pitch", meaning="advance in one revolution; positive: right-hand thread")

    def __post_init__(self):
        if self.pitch == 0:
            raise ModelError(
                self.part, "pitch is 0 m/rev", "a screw needs a non-zero pitch", "Use pin for pure rotation."
            )

    def primitives(self):
        return [screw(Z, self.pitch / (2 * pi))]

    def rows(self):
        return [along(FX), along(FY), perpendicular(FZ, MX), perpendicular(FZ, MY), helix(FZ, self.pitch / (2 * pi))]

    def measures(self):
        return [rotated("angle", FZ, MX, FX, FY), shift("displacement", FZ)]
