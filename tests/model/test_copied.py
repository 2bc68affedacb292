"""A copied system is one of its own. Oracle: what the first one was before."""

import mekane as mk


def test_shelves_are_not_shared():
    s = mk.System("arm", parameters={"m": 2.0})
    s.body("arm", "$m", (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y")
    before = s.to_dict()
    new = s.copied()
    assert new.to_dict() == before
    new.body("bob", 1.0)
    new.parameter("k", 3.0)
    del new.joints["hinge"]
    new.set_parameters(m=5.0)
    assert (
        s.to_dict() == before
        and s.bodies["arm"].mass == 2.0
        and s.named("arm.position.x").parameters["arm.position.x"] == 0.5
    )
