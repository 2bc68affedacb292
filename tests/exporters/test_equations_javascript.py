"""The exported JavaScript gives the numbers of the engine, of loops, tables, comparisons and controllers alike. Oracles: see
exported.py. Every mechanism runs as JavaScript in tests/view/test_live_agreement.py."""

import json

import numpy as np
import pytest
from exported import OTHERS, T, compare, exported
from javascript import run_javascript

from mekane.exporters import languages

NAMES = [
    "bricard",
    "car_axis",
    "heavy_top",
    "puma560",
    "robot",
    "rolling_disc_1",
    "sprung_mechanism",
    "squeezer",
    *OTHERS,
]


@pytest.fixture(scope="module")
def printed():
    """{mechanism: {function: numbers}}, all by one run."""
    lines = ["const found = {};"]
    for name in NAMES:
        model, _, y = exported(name)
        state, wanted = json.dumps(y[: model.sizes["state"]].tolist()), [one.name for one in model.functions]
        calls = ", ".join(f"{one}: Array.from({name}.{one}({T}, y, {name}.p))" for one in wanted)
        text = languages.find("javascript").text(model, name)
        lines.append(f"{{\n{text}\nconst y = {state};\nfound.{name} = {{ {calls} }};\n}}")
    return json.loads(run_javascript("\n".join(lines), "JSON.stringify(found)"))


@pytest.mark.parametrize("name", NAMES)
def test_javascript_gives_the_numbers_of_the_engine(printed, name):
    compare(name, lambda function, t, y, p: np.array(printed[name][function.name]))
