"""A system placed in a state is equal but for the state. Oracle: the system as it was described."""

import numpy as np

import mekane as mk


def pendulum():
    s = mk.System("pendulum", parameters={"m": 2.0, "w": 0.7, "k": 30.0})
    s.body("arm", "$m", (0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.pin("hinge", s.ground, "arm", on_a=(0, 0, 0), on_b=(-0.5, 0, 0), axis_a="y", axis_b="y", rate="$w")
    s.torsional_spring("spring", "hinge", stiffness="k")
    return s


def test_an_equilibrium_keeps_parameters_and_forgets_speeds():
    """The answer's system can be changed on: its mass is still a parameter, and it is where the pendulum rests."""
    s = pendulum()
    rest = mk.equilibrium(s)
    new = rest.system
    assert np.abs(new.bodies["arm"].position - rest["arm.position"]).max() < 1e-14
    assert new.joints["hinge"].rates == {} and not new.bodies["arm"].angular_velocity.any() and s.joints["hinge"].rates
    changed = new.with_parameters(m=3.0, k=40.0)
    assert (
        changed.bodies["arm"].mass == 3.0
        and changed.joints == new.joints
        and changed.bodies["arm"].inertia.tolist() == np.diag([0.1] * 3).tolist()
    )
    assert np.abs(changed.bodies["arm"].position - new.bodies["arm"].position).max() == 0.0
    assert (
        abs(mk.equilibrium(changed)["hinge.angle"] - mk.equilibrium(s.with_parameters(m=3.0, k=40.0))["hinge.angle"])
        < 1e-12
    )
