"""One engine, many formulations (THEORY §5): every mechanism of the gallery moves alike in all of them, with
multipliers and embedded.

Oracle: `joint` with multipliers (where a mechanism is not defined in `joint`, the gallery says why). Positions of all
bodies at ten times agree to 1e-8 of the extent of the motion; each run has the tolerance 1e-12, so what is left is what
errors of steps grow to. Reactions are compared in test_free_bodies. There are no exceptions.
"""

from functools import cache

import numpy as np
import pytest

from mekane import gallery

MECHANISMS = {m.name: m for m in gallery.mechanisms()}
LONGEST = 1.0  # seconds
TOLERANCES = dict(method="auto", step=None, correct=True, rtol=1e-12, atol=1e-14)
CASES = [
    (name, formulation, constraints)
    for name, m in MECHANISMS.items()
    for formulation in m.formulations
    for constraints in ("multipliers", "embedded")
    if (formulation, constraints) != (m.formulations[0], "multipliers")
]


def span(m):
    return min(LONGEST, m.t_end)


@cache
def positions(name, formulation, constraints):
    m = MECHANISMS[name]
    times = np.linspace(0.1, 1.0, 10) * span(m)
    run = m.run(span(m), formulation=formulation, constraints=constraints, every=times, **TOLERANCES)
    assert not run.info.get("stopped"), run.info["stopped"]
    return np.stack([run.numbers(f"{body}.position") for body in run.system.bodies], axis=1)


@pytest.mark.divided("name", 2)
@pytest.mark.parametrize("name, formulation, constraints", CASES, ids=lambda x: str(x))
def test_every_formulation_gives_the_same_motion(name, formulation, constraints):
    expected = positions(name, MECHANISMS[name].formulations[0], "multipliers")
    found = positions(name, formulation, constraints)
    size = max(1e-3, np.ptp(expected.reshape(-1, 3), axis=0).max())
    assert np.abs(found - expected).max() < 1e-8 * size
