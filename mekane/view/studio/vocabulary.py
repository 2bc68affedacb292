"""What may be written in a model file, for completion in the editor: sections, kinds, their keys with meaning and unit.
All of it is read from the kinds themselves."""

import re
from functools import cache
from inspect import getdoc, signature

from mekane.expressions.parse import FUNCTION_NAMES
from mekane.importers.yaml import SECTIONS, SIMULATE
from mekane.model.constraint import constraint_kinds
from mekane.model.force import force_kinds
from mekane.model.geometry.shapes import SHAPES
from mekane.model.joint import joint_kinds
from mekane.model.named_part import named_parts
from mekane.model.set_valued import contact_kinds
from mekane.model.system import System
from mekane.model.values.units import DIMENSIONS
from mekane.plugins import kind_names

KINDS = {"joints": joint_kinds, "constraints": constraint_kinds, "contacts": contact_kinds, "forces": force_kinds}
ENDS = ("a", "b")  # arguments that stand beside the kind
# the section whose names stand there, by the type of the argument (mekane/model/types.py)
JOINED = {
    "Body": "bodies",
    "Point": "bodies",
    "Side": "bodies",
    "Direction": "bodies",
    "Joint": "joints",
    "Coordinate": "joints",
}
LINE = re.compile(r"^    (\w+): (.*(?:\n        .*)*)", re.MULTILINE)


@cache
def vocabulary() -> dict:
    """Plain data: what a key may be at each place, with a line of help."""
    return {
        "sections": list(SECTIONS),
        "kinds": {
            section: {name: kind_entry(kind) for name, kind in all_of(section, kinds).items()}
            for section, kinds in KINDS.items()
        },
        "keys": {
            "bodies": documented(System.body),
            "include": [{"name": "file", "help": "the model file, in this folder or below"}, *documented(System.add)],
            "simulate": [{"name": name, "help": option_help(kind)} for name, kind in SIMULATE.items()],
            **{part.collection: arguments(part.arguments()[1:]) for part in named_parts.values()},
        },
        "shapes": sorted(SHAPES),
        "functions": list(FUNCTION_NAMES),
    }


def all_of(section: str, kinds: dict) -> dict:
    """Those of installed packages are known by name alone until one is used."""
    return {**dict.fromkeys(kind_names((section,))), **kinds}


def kind_entry(kind) -> dict:
    if kind is None:
        return {"help": "of an installed package", "keys": [], "joins": "bodies", "ends": 2}
    given = kind.arguments()
    beside = [one for one in given[1:] if one.name in ENDS] or given[1:2]
    return {
        "help": first_paragraph(kind),
        "keys": arguments([one for one in given[1:] if one not in beside]),
        "joins": next((names for kind_of_end, names in JOINED.items() if kind_of_end in beside[0].type), ""),
        "ends": sum(one.name in ENDS for one in beside),
    }


def arguments(given) -> list[dict]:
    return [{"name": one.name, "help": one.help.partition(": ")[2]} for one in given]


def documented(method) -> list[dict]:
    """Keywords of a method with what its help says of them."""
    help_texts = {name: " ".join(text.split()) for name, text in LINE.findall(getdoc(method) or "")}
    names = [name for name in signature(method).parameters if name not in ("self", "name", "other", "system")]
    return [{"name": name, "help": help_texts.get(name, "")} for name in names]


def option_help(kind) -> str:
    if isinstance(kind, str):
        return f"[{DIMENSIONS[kind].units[0]}]" if kind in DIMENSIONS and DIMENSIONS[kind].units else "a number"
    return {bool: "true or false", str: "text", list: "a list of names"}[kind]


def first_paragraph(kind) -> str:
    return " ".join((getdoc(kind) or "").partition("\n\n")[0].split())
