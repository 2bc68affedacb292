"""A pin in a slot."""

from mekane.model.joint import (
    FX,
    FY,
    FZ,
    MX,
    MY,
    Joint,
    X,
    Z,
    along,
    perpendicular,
    rotated,
    rotation,
    shift,
    translation,
)


class Slot(Joint):
    """A pin in a slot: slides along x of F, which is fixed in a, and turns about `axis`."""

    coordinates = ("displacement", "angle")
    geometry = ("at", "axis")

    def primitives(self):
        return [translation(X), rotation(Z)]

    def rows(self):
        return [along(FY), along(FZ), perpendicular(FZ, MX), perpendicular(FZ, MY)]

    def measures(self):
        return [shift("displacement", FX), rotated("angle", FZ, MX, FX, FY)]
