"""What varies in a study, from the command line: k=1e3:5e3:40, crank.mass=0.4,0.5, "k=normal(4 kN/m, 5 %)"."""

import inspect
import re

import numpy as np

from mekane.analyses.studies import distributions
from mekane.cli import options
from mekane.errors import ModelError
from mekane.model.values.units import quantity

PART = "command line, --vary"
CALL = re.compile(r"(\w+)\s*\((.*)\)")


def varied(texts: list[str]) -> dict:
    """{name: values or distribution}; all of one sort."""
    found = dict(map(name_and_values, texts))
    drawn = [name for name, one in found.items() if isinstance(one, distributions.Distribution)]
    if drawn and len(drawn) < len(found):
        other = next(name for name in found if name not in drawn)
        problem = f"{drawn[0]} has a distribution and {other} has values"
        raise ModelError(PART, problem, "distributions for all, or for none", f"Write --vary {other}=uniform(1, 2).")
    return found


def is_drawn(found: dict) -> bool:
    return all(isinstance(one, distributions.Distribution) for one in found.values())


def name_and_values(text: str):
    """("k", values) from "k=1:5:9", "k=1,2,3"; ("k", distribution) from "k=normal(4, 5 %)"."""
    name, sign, values = (piece.strip() for piece in text.partition("="))
    if not (name and sign and values):
        raise ModelError(PART, f"it is {text!r}", "NAME=VALUES is expected", "Write --vary k=1e3:5e3:40.")
    if "," in name:
        raise ModelError(PART, f"it names {name}", "one name is expected", "Give --vary again.")
    if call := CALL.fullmatch(values):
        return name, distribution(name, *call.groups())
    if ":" not in values:
        return name, ["" if one == "none" else one for one in options.listed(values)]
    ends = [piece.strip() for piece in values.split(":")]
    if len(ends) != 3 or not ends[2].isdigit() or int(ends[2]) < 1:
        problem, expected = f"it is {text!r}", "FROM:TO:HOW MANY is expected"
        raise ModelError(PART, problem, expected, f"Write --vary {name}=1e3:5e3:40.")
    low, high = (quantity(one, None, PART, name) for one in ends[:2])
    return name, np.linspace(low, high, int(ends[2]))


def distribution(name: str, kind: str, arguments: str):
    if kind not in distributions.KINDS:
        known = ", ".join(distributions.KINDS)
        raise ModelError(PART, f"{name} is {kind}(…)", f"distributions are {known}", f"Write {name}=uniform(1, 2).")
    make, given = getattr(distributions, kind), [one.strip() for one in arguments.split(",")]
    wanted = list(inspect.signature(make).parameters)
    if len(given) != len(wanted) or not all(given):
        problem = f"{name} is {kind}({arguments})"
        raise ModelError(PART, problem, f"{kind}({', '.join(wanted)}) is expected")
    return make(*given)
