from mekane.model.joint import FX, FY, FZ, Joint, along, quaternion


class Ball(Joint):
    """Turning in every direction about a point fixed in both bodies."""

    def blocks(self):
        return [quaternion()]

    def rows(self):
        return [along(FX), along(FY), along(FZ)]
