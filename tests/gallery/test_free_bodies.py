"""Reactions of every mechanism of the gallery. Oracle: Newton's and Euler's equations for every body, by hand
(results/mechanisms.ByHand).

They hold to round-off whatever the accuracy of the motion; 1e-8 relative leaves a margin for the softened solve of
constraints.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

from mekane import gallery

sys.path.append(str(Path(__file__).resolve().parent.parent / "results"))
from mechanisms import ByHand  # noqa: E402

MECHANISMS = gallery.mechanisms()


def short_run(mechanism, formulation):
    t_end = min(0.3, 0.3 * mechanism.t_end)
    return mechanism.run(
        t_end, formulation=formulation, every=t_end / 4, method="auto", step=None, correct=True, rtol=1e-10, atol=1e-13
    )


@pytest.mark.divided("mechanism", 3)
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_every_body_is_in_balance_and_formulations_agree(mechanism):
    runs = {name: short_run(mechanism, name) for name in mechanism.formulations}
    for name, run in runs.items():
        missing = ByHand(run).missing()
        assert max(missing.values()) < 1e-8, (name, missing)
    one, *others = runs.values()
    for joint in (*one.system.joints, *one.system.constraints):
        for other in others:
            for word in ("force", "moment"):  # motions agree to about 1e-9; stiff springs and large speeds magnify that
                a, b = one.reaction(joint)[word].values, other.reaction(joint)[word].values
                np.testing.assert_allclose(a, b, atol=1e-6 * max(np.abs(a).max(), 1e-3))
