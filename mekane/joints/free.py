from mekane.model.joint import BODY_AXES, BODY_ORIGIN, FX, FY, FZ, Joint, X, Y, Z, quaternion, shift, translation


class Free(Joint):
    """No constraint at all: b moves freely relative to a. Its coordinates are the pose of b in a's frame."""

    example = 's.free("flight", s.ground, arm, rate={"x": "2 m/s"})'
    coordinates = ("x", "y", "z")
    geometry = ()
    placement_defaults = {"on_a": BODY_ORIGIN, "on_b": BODY_ORIGIN, "frame_a": BODY_AXES, "frame_b": BODY_AXES}

    def primitives(self):
        return [translation(X), translation(Y), translation(Z), quaternion()]

    def rows(self):
        return []

    def measures(self):
        return [shift("x", FX), shift("y", FY), shift("z", FZ)]
