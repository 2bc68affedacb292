from mekane.model.joint import (
    BODY_ORIGIN,
    FX,
    FY,
    FZ,
    MX,
    MY,
    Joint,
    X,
    Y,
    Z,
    along,
    perpendicular,
    rotated,
    rotation,
    shift,
    translation,
)


class Planar(Joint):
    """Sliding in a plane across `normal`, fixed in a, and turning about the normal."""

    example = 's.planar("table", s.ground, arm, normal="z", rate=(0.1, 0, "30 deg/s"))'
    coordinates = ("x", "y", "angle")
    geometry = ("at", "normal")
    placement_defaults = {"on_b": BODY_ORIGIN}

    def primitives(self):
        return [translation(X), translation(Y), rotation(Z)]

    def rows(self):
        return [along(FZ), perpendicular(FZ, MX), perpendicular(FZ, MY)]

    def measures(self):
        return [shift("x", FX), shift("y", FY), rotated("angle", FZ, MX, FX, FY)]
