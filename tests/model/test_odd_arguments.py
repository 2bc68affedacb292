"""Arguments of all sorts for inputs, variables, markers, outputs, events and controllers. Oracle: a part comes of it that
a file keeps, or a MekaneError, which leaves the system as it was."""

import numpy as np
import pytest
from test_event_parts import satellite

import mekane as mk
from mekane.errors import MekaneError
from mekane.importers.yaml import dumps, load
from mekane.model.named_part import named_parts

ODD = [
    None, True, 0, -1, 3.5, float("nan"), float("inf"), 1e300, 1j, "", " ", "t", "t > 1", "hook", "rail", "u", "gear",
    "shell", "ground", "$k", "$", "5 N s", "1 ms", "its present position", "((", "a.b.c", "é", [], (), {}, [[]], [None],
    ["hook", None], {"shell": (0, 0, 1)}, {"shell": None}, {None: 1}, {3: (0, 0, 1)}, {"gear": "gear + 1"},
    {"hinge.angle.rate": "t"}, {"u": {"table": [[0, 1], [1, 2]]}}, {"table": [[0, 1], [1, 2]]}, {"table": 3}, (0, 0, 1),
    ("shell", "core"), {"shell", "core"}, range(3), b"x", int, len, ..., lambda t, state: t > 1, lambda: 1, lambda t: t,
    mk.Param("k"), mk.Param("z", 2.0), mk.Box(1, 1, 1), [["t"]], {"u": ["t"]}, np.zeros(3), np.array(3.0),
    np.array(["a", "b", "c"]), np.float64(2),
]  # fmt: skip
COMPLETE = {
    "input": {}, "variable": {"value": 1}, "marker": {"body": "shell"}, "output": {"value": "t"},
    "event": {"when": "t > 1", "stop": True}, "controller": {"every": 0.1, "writes": "u", "function": "t"},
}  # fmt: skip
KEYWORDS = [(kind, argument.name) for kind, part in named_parts.items() for argument in part.takes]


@pytest.mark.parametrize("kind, keyword", KEYWORDS)
def test_a_part_or_an_error(kind, keyword):
    base = satellite(k=2.0)
    before = base.to_dict()
    for given in ODD:
        s = base.copied()
        try:
            made = getattr(s, kind)("new", **COMPLETE[kind] | {keyword: given})
        except MekaneError:
            assert s.to_dict() == before
            continue
        assert made.summary and s.check() is not None
        if not (kind == "controller" and callable(given)):
            assert load(dumps(s)).to_dict() == s.to_dict(), given
        assert s.with_parameters(k=3.0).parameters["k"] == 3.0
