from mekane.model.joint import BODY_ORIGIN, FX, FY, FZ, MX, MY, MZ, Joint, along, perpendicular


class Weld(Joint):
    """No relative motion: b stays to a as it is at the start."""

    example = 's.weld("mount", arm, rod)'
    placement_defaults = {"on_b": BODY_ORIGIN}
    keeps_orientation = True

    def primitives(self):
        return []

    def rows(self):
        return [along(FX), along(FY), along(FZ), perpendicular(FX, MY), perpendicular(FY, MZ), perpendicular(FZ, MX)]
