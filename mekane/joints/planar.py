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
    shift,
    slide,
    turn,
    turned,
)


class Planar(Joint):
    """Sliding in a plane across `normal`, fixed in a, and turning about the normal."""

    coordinates = ("x", "y", "angle")
    geometry = ("at", "normal")
    unsaid = {"on_b": BODY_ORIGIN}

    def blocks(self):
        return [slide(X), slide(Y), turn(Z)]

    def rows(self):
        return [along(FZ), perpendicular(FZ, MX), perpendicular(FZ, MY)]

    def measures(self):
        return [shift("x", FX), shift("y", FY), turned("angle", FZ, MX, FX, FY)]
