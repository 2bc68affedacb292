from mekane.model.joint import BODY_ORIGIN, FX, FY, FZ, MX, MY, MZ, Joint, Z, along, perpendicular, shift, translation


class Slider(Joint):
    """Straight sliding along an axis fixed in both bodies, without turning."""

    example = 's.slider("rail", s.ground, rod, axis="x", rate="0.2 m/s")'
    coordinates = ("displacement",)
    geometry = ("at", "axis")
    placement_defaults = {"on_b": BODY_ORIGIN}
    keeps_orientation = True

    def primitives(self):
        return [translation(Z)]

    def rows(self):
        return [along(FX), along(FY), perpendicular(FX, MY), perpendicular(FY, MZ), perpendicular(FZ, MX)]

    def measures(self):
        return [shift("displacement", FZ)]
