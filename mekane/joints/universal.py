from mekane.model.joint import FX, FY, FZ, MX, MY, MZ, Joint, X, Z, along, perpendicular, rotated, rotation


class Universal(Joint):
    """Turning about two perpendicular axes that meet in a point: `axis` is fixed in a, `axis2` in b (a Cardan
    joint)."""

    example = 's.universal("cross", s.ground, arm, at=(0, 0, 0), axis="x", axis2="y")'
    coordinates = ("angle", "angle2")
    geometry = ("at", "axis", "axis2")

    def primitives(self):
        return [rotation(Z), rotation(X)]

    def rows(self):
        return [along(FX), along(FY), along(FZ), perpendicular(FZ, MX)]

    def measures(self):
        return [rotated("angle", FZ, MX, FX, FY), rotated("angle2", MX, FZ, MZ, MY)]
