"""A sweep over 16 values of a number of each mechanism of the gallery. Oracle: mk.simulate, run singly with every value:
the same bytes one by one (of what goes on lanes, two values), 1e-6 of the largest place on lanes, where rtol is 1e-9
and the motion too short for chaos."""

import numpy as np
import pytest

import mekane as mk
from mekane import gallery

SHARE = 0.02  # of each motion, which is long enough for some steps


def number_of(system):
    """A mass or density that stands in it as a number, else gravity."""
    return next((name for name in system.numbers() if name.endswith((".mass", ".density"))), "gravity.z")


@pytest.mark.thinned("name")
@pytest.mark.parametrize("part, name", [(k % 8, name) for k, name in enumerate(gallery.names())])
def test_single_runs_agree(part, name):
    mechanism = gallery.find(name)
    system = mechanism.system()
    number, t_end = number_of(system), SHARE * mechanism.t_end
    base = system.named([number])
    values = base.parameters[number] * np.linspace(1.0, 1.05, 16)
    body = next(iter(system.bodies))
    options = {key: value for key, value in mechanism.options.items() if key not in ("every",)}
    keep, every = f"{body}.position", t_end / 4
    singly = [
        mk.simulate(base.with_parameters({number: value}), t_end, every=every, **options)[keep].values
        for value in values
    ]
    found = mk.sweep(system, {number: values}, t_end=t_end, every=every, keep=[keep], **options)
    if found.attrs["engine"] == "lanes":
        assert np.abs(found[keep].values - singly).max() < 1e-6 * (np.abs(singly).max() + 1e-3)
        few = mk.sweep(
            system, {number: values[:2]}, t_end=t_end, every=every, keep=[keep], engine="one by one", **options
        )
        assert few[keep].values.tobytes() == np.array(singly[:2]).tobytes()
    else:
        assert found[keep].values.tobytes() == np.array(singly).tobytes()
