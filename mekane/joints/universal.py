from mekane.model.joint import FX, FY, FZ, MX, MY, MZ, Joint, X, Z, along, perpendicular, turn, turned


class Universal(Joint):
    """Turning about two perpendicular axes that meet in a point: `axis` is fixed in a, `axis2` in b (a Cardan
    joint)."""

    coordinates = ("angle", "angle2")
    geometry = ("at", "axis", "axis2")

    def blocks(self):
        return [turn(Z), turn(X)]

    def rows(self):
        return [along(FX), along(FY), along(FZ), perpendicular(FZ, MX)]

    def measures(self):
        return [turned("angle", FZ, MX, FX, FY), turned("angle2", MX, FZ, MZ, MY)]
