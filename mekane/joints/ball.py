from mekane.model.joint import Joint, coincide, quaternion


class Ball(Joint):
    """Turning in every direction about a point fixed in both bodies."""

    example = 's.ball("shoulder", s.ground, arm, at=(0, 0, 0))'

    def primitives(self):
        return [quaternion()]

    def rows(self):
        return [coincide(0), coincide(1), coincide(2)]
