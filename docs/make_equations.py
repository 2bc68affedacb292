"""Write a page of equations for every mechanism of the gallery, into equations/.   python docs/make_equations.py [name
…]"""

import sys
from pathlib import Path

import mekane as mk
from mekane import gallery
from mekane.symbolic.printing import markdown

FOLDER = Path(__file__).parent / "equations"
MOST_LINES = 60  # of one section
FORMULATION = "joint"
# sections of pages with intermediate variables
SHORT = ("Kinematical equations", "Mass matrix", "Forcing", "Constraint matrix")
LEFT_OUT = " It is large: common parts have names, and velocities, partial velocities, generalized forces and energies are left out here."
OF_CONTACTS = (
    ' Contact laws are open here; `mk.equations(…, modes={"name": "sliding"})` writes the equations of what slides or sticks:'
    " see [Contact](../contact.md)."
)
PAGE = """# {title}

`{name}` in the [gallery](../gallery.md): {what}. Written by `python docs/make_equations.py`; see [Equations](../equations.md).{remark}
`mk.equations(gallery.find("{name}").system())` gives all of it.

{parts}
"""


def page(name) -> str:
    m = gallery.find(name)
    formulation = FORMULATION if FORMULATION in m.formulations else m.formulations[0]
    eq = mk.equations(m.system(), formulation=formulation)
    parts = markdown.page(eq, "" if eq.form == "expanded" else SHORT, MOST_LINES, markdown.GITHUB)
    remark = ("" if eq.form == "expanded" else LEFT_OUT) + (OF_CONTACTS if m.system().contact_laws else "")
    return PAGE.format(title=eq.heading, name=name, what=m.title, remark=remark, parts=parts)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or gallery.names():
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")
