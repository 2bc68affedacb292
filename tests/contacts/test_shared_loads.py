"""How laws share a load that could be shared in many ways: by the state alone, whatever has led there.

Oracle: the forces of least Σ w_j λ_j² that balance the load, w_j the diagonal element of D of a row, by hand for one degree of freedom.
Laws with normals that are alike have one w, that of the stiffest row; friction of what sticks has 100 times that of its normal.
Tolerance 1e-8: forces that are not unique are found by iteration, with 1e-6 left of it, squared. Where joints are rows, too, squares of
their forces count by 1e-8, and they are up to ten times as large: 1e-7.
"""

import numpy as np
import pytest

import mekane as mk
from mekane.solvers.contacts import resolve

MASS, LENGTH, DEPTH = 2.0, 0.25, 0.1
MOMENT = MASS * 9.81 * 0.15  # of the weight about the pin


def flap(angle, friction=0.6, stop=True):
    """A link that falls from an angle onto the stop of its pin and onto a floor, and rubs in the pin: one degree of freedom, and up to
    four forces that could carry it."""
    s = mk.System("flap", planar="xz")
    s.body("link", mass=MASS, inertia=0.05, position=(0.15, 0, 0))
    s.pin("hinge", s.ground, "link", at=(0, 0, 0), axis="y", rate=4.0 if angle else 0.0)
    s.dry_friction("rub", "hinge", torque=2.5)
    if stop:
        s.limit("stop", "hinge", upper=0.0)
    s.contact("floor", ("link", (LENGTH - 0.15, 0, -DEPTH)), (s.ground, mk.Plane(at=(0, 0, -DEPTH))), friction=friction)
    return mk.assemble(s, {"hinge.angle": angle}).system


@pytest.mark.parametrize("angle, formulation", ((0.0, "joint"), (-0.5, "joint"), (-1.2, "joint"), (-1.2, "absolute")))
def test_a_load_is_shared_by_the_state_alone(angle, formulation):
    """λ_j = c_j M/(w_j Σ c²/w): c = 1, 1, 1/4, 1/10 for friction in the pin, stop, floor and its friction, w = 1, 1, 1, 100."""
    run = mk.simulate(flap(angle), 2.0, every=0.1, formulation=formulation, rtol=1e-11, atol=1e-13)
    tolerance = dict(rel=1e-8 if formulation == "joint" else 1e-7)
    share = MOMENT / (2.0 + LENGTH**2 + DEPTH**2 / 100.0)
    expected = dict(rub=share, stop=share, floor=LENGTH * share)
    assert run["rub.mode"].values[-1] == 2.0
    for law, force in expected.items():
        assert abs(run[f"{law}.force"].values[-1]) == pytest.approx(force, **tolerance)
    assert abs(run["floor.friction"].values[-1]) == pytest.approx(DEPTH / 100.0 * share, **tolerance)


@pytest.mark.parametrize("formulation", ("joint", "absolute"))
@pytest.mark.parametrize("angle", (-0.5, -1.2))
def test_forces_of_a_run_do_not_hang_on_its_past(formulation, angle):
    """Without the stop, friction in the pin and a smooth floor carry it: forces at the end of a run, and of one that begins there."""
    options = dict(every=0.1, formulation=formulation, rtol=1e-11, atol=1e-13)
    run, rest = (mk.simulate(flap(start, 0.0, stop=False), 2.0, **options) for start in (angle, 0.0))
    assert [line.kind for line in run.events][-1] == "impact"
    for name in ("rub.force", "floor.force"):
        assert run[name].values[-1] == pytest.approx(rest[name].values[-1], rel=1e-8)


def test_modes_are_chosen_by_the_forces_that_a_step_has(monkeypatch):
    """Two ways to the same forces: the choice of modes, and the equations of motion in the modes chosen."""
    found, whole = [], resolve.Contacts.adopt

    def adopt(self, instant, motion):
        on_rows, kinetic = instant.rows_of(motion.forces), whole(self, instant, motion)
        resolve.rhs(self.solver.handle, self.solver.t, self.solver.y, np.zeros(len(self.solver.y)))
        found.append((on_rows, self.solver.workspace.multiplier.copy()))
        return kinetic

    monkeypatch.setattr(resolve.Contacts, "adopt", adopt)
    mk.simulate(flap(-1.2), 2.0, formulation="joint")
    chosen, moving = found[-1]
    assert abs(chosen).max() > 1.0
    np.testing.assert_allclose(chosen, moving, rtol=1e-8, atol=1e-8)
