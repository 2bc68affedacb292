"""Write a page of equations for every mechanism of the gallery, into equations/.   python docs/make_equations.py [name …]"""

import sys
from pathlib import Path

import mekane as mk
from mekane import gallery
from mekane.symbolic.lines import aligned
from mekane.symbolic.presented import latex_title
from mekane.symbolic.writing import digits, write

FOLDER = Path(__file__).parent / "equations"
MOST_LINES = 60  # of one section
FORMULATION = "joint"
SHORT = ("Kinematical equations", "Mass matrix", "Forcing", "Constraint matrix")  # sections of pages with intermediate variables
LEFT_OUT = "It is large: common parts have names, and velocities, partial velocities, generalized forces and energies are left out here."
PAGE = """# {title}

`{name}` in the [gallery](../gallery.md): {what}. Written by `python docs/make_equations.py`; see [Equations](../equations.md).

{parts}
"""


def page(name) -> str:
    m = gallery.find(name)
    formulation = FORMULATION if FORMULATION in m.formulations else m.formulations[0]
    eq = mk.equations(m.system(), formulation=formulation)
    shown = [section for section in eq.chapters() if eq.form == "expanded" or section.title.startswith(SHORT)]
    left_out = [] if eq.form == "expanded" else [LEFT_OUT]
    sections = [told(f"## {latex_title(section.title)}", sides(section), name) for section in shown]
    parts = "\n\n".join([*introduction(eq), *left_out, *definitions(eq, name), *sections])
    return PAGE.format(title=eq.heading, name=name, what=m.title, parts=parts)


def introduction(eq):
    """What moves, and the parameters with their meanings."""
    listed = lambda names: ", ".join(dict.fromkeys(f"`{name}`" for name in names))
    named = [("Coordinates", eq.coordinates), ("Speeds", eq.speeds), ("Multipliers", eq.multipliers)]
    found = ["\n".join(f"- {title}: {listed(names)}" for title, names in named if names)]
    rows = [f"| `{name}` | {digits(value)} | {meaning} |" for name, (value, meaning) in eq.parameters.items()]
    return (
        [*found, folded(f"Parameters ({len(rows)})", "\n".join(["| name | value | what it is |", "|---|---|---|", *rows]))]
        if rows
        else found
    )


def definitions(eq, name):
    """Intermediate variables, folded away."""
    found = [(eq.naming.of(short).latex, write(x, eq.book.latex)) for short, x in eq.book.definitions]
    return [folded(f"Intermediate variables ({len(found)})", formulas(found, name))] if found else []


def sides(section):
    return [pair for formula in section.formulas for pair in formula.latex_sides()]


def told(title, found, name):
    return f"{title}\n\n{formulas(found, name)}"


def formulas(found, name):
    """As GitHub sets them; long sections are cut."""
    rows = aligned(found)
    rest = f"\n\n… and {len(rows) - MOST_LINES} lines more: `mk.equations(gallery.find({name!r}).system())`."
    block = "```math\n\\begin{aligned}\n" + " \\\\\n".join(rows[:MOST_LINES]) + "\n\\end{aligned}\n```"
    return block + (rest if len(rows) > MOST_LINES else "")


def folded(title, text):
    return f"<details><summary>{title}</summary>\n\n{text}\n\n</details>"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or gallery.names():
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")
