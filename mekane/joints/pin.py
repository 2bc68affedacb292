from mekane.model.joint import FX, FY, FZ, MX, MY, Joint, Z, along, perpendicular, rotated, rotation


class Pin(Joint):
    """Rotation about an axis fixed in both bodies."""

    example = 's.pin("shoulder", s.ground, arm, at=(0, 0, 0), axis="y", rate="30 rpm")'
    coordinates = ("angle",)
    geometry = ("at", "axis")

    def primitives(self):
        return [rotation(Z)]

    def rows(self):
        return [along(FX), along(FY), along(FZ), perpendicular(FZ, MX), perpendicular(FZ, MY)]

    def measures(self):
        return [rotated("angle", FZ, MX, FX, FY)]
