"""A sweep over each mechanism of the gallery. Oracle: mk.simulate, run singly with every value."""

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
    values = base.parameters[number] * np.linspace(1.0, 1.05, 4)
    body = next(iter(system.bodies))
    options = {key: value for key, value in mechanism.options.items() if key not in ("every",)}
    ds = mk.sweep(
        system,
        {number: values},
        t_end=t_end,
        every=t_end / 4,
        keep=[f"{body}.position"],
        engine="one by one",
        **options,
    )
    for k, value in enumerate(values):
        run = mk.simulate(base.with_parameters({number: value}), t_end, every=t_end / 4, **options)
        assert ds[f"{body}.position"].values[k].tobytes() == run[f"{body}.position"].values.tobytes()
