from mekane.model.joint import FX, FY, FZ, MX, MY, Joint, Z, along, perpendicular, rotated, rotation, shift, translation


class PinSlider(Joint):
    """Sliding along and turning about one axis fixed in both bodies, independently (a cylindrical joint)."""

    example = 's.pin_slider("shaft", s.ground, arm, at=(0, 0, 0), axis="z", rate={"angle": "2 rev/s"})'
    coordinates = ("displacement", "angle")
    geometry = ("at", "axis")

    def primitives(self):
        return [translation(Z), rotation(Z)]

    def rows(self):
        return [along(FX), along(FY), perpendicular(FZ, MX), perpendicular(FZ, MY)]

    def measures(self):
        return [shift("displacement", FZ), rotated("angle", FZ, MX, FX, FY)]
