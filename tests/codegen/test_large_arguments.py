"""Sines of arguments beyond what specialised code reduces by itself. Oracle: the loops; both call the library of C
there.

Once the code generator made one call of `sincos` out of two, and found a function of Mekane under that name: a
segmentation fault.
"""

import pytest

import mekane as mk


@pytest.mark.parametrize("factor", ["1e5", "1e7", "1e9", "1e13"])
def test_sines_of_large_arguments(factor):
    """1e-14: round-off of a hundred steps; 1e-6 where the sine sees the last bit of the displacement."""
    s = mk.System("noise", gravity=(0, 0, 0))
    s.body("block", 1.0, (1, 1, 1))
    s.slider("rail", s.ground, "block", at=(0, 0, 0), axis="x", rate=0.1)
    s.sliding_law("push", "rail", force=f"sin({factor}*(1 + q)) + cos({factor}*(1 + q))")
    fixed = dict(every=1e-3, method="rk4", step=1e-5)
    one, other = (
        mk.simulate(s, 1e-3, code=code, **fixed)["rail.displacement.rate"] for code in ("loops", "specialised")
    )
    assert float(one[-1]) == pytest.approx(float(other[-1]), abs=1e-14 if float(factor) < 1e8 else 1e-6)
