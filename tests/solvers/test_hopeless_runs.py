"""Runs that cannot go on: they end with words, never without end."""

import mekane as mk


def test_work_that_overflows_ends_an_implicit_run():
    """Damping of −5.6e17 N s/m: the state grows to 1e165 within 1e-14 s, its power beyond all numbers, while the error of
    the state is small. Steps must become shorter until none is left."""
    s = mk.System()
    s.body("table", mass=12, inertia=(0.2, 0.2, 0.3))
    s.slider("guide", s.ground, "table", axis="z")
    s.spring("support", (s.ground, (0, 0, -0.3)), ("table", (0, 0, 0)), stiffness=4e3, length=0.33, damping=-5.6e17)
    run = mk.simulate(s, 0.1)
    assert run.info["stopped"] and not run.health.ok
