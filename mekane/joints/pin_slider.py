from mekane.model.joint import FX, FY, FZ, MX, MY, Joint, Z, along, perpendicular, shift, slide, turn, turned


class PinSlider(Joint):
    """Sliding along and turning about one axis fixed in both bodies, independently (a cylindrical joint)."""

    coordinates = ("displacement", "angle")
    geometry = ("at", "axis")

    def blocks(self):
        return [slide(Z), turn(Z)]

    def rows(self):
        return [along(FX), along(FY), perpendicular(FZ, MX), perpendicular(FZ, MY)]

    def measures(self):
        return [shift("displacement", FZ), turned("angle", FZ, MX, FX, FY)]
