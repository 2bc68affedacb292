"""Equations as a page of Markdown: for notebooks, and for pages that GitHub shows."""

from mekane.symbolic.printing.line_breaking import aligned
from mekane.symbolic.printing.printer import digits, write

NOTEBOOK = "$$\n{}\n$$"
GITHUB = "```math\n{}\n```"  # between dollars it would take stars and underscores for its own


def page(eq, titles="", most_lines=None, block=NOTEBOOK):
    """Names, parameters, intermediate variables and sections. titles: how those begin that are shown; most_lines: of
    one section."""
    write_formulas = lambda sides: formulas(sides, most_lines, block)
    sections = [section for section in eq.chapters() if section.title.startswith(titles)]
    shown = [f"### {section.latex_title}\n\n{write_formulas(section.latex_sides)}" for section in sections]
    return "\n\n".join([*introduction(eq), *definitions(eq, write_formulas), *shown])


def introduction(eq):
    """What moves, and the parameters with their meanings."""
    listed = lambda names: ", ".join(dict.fromkeys(f"`{name}`" for name in names))
    named = [("Coordinates", eq.coordinates), ("Speeds", eq.speeds), ("Multipliers", eq.multipliers)]
    found = ["\n".join(f"- {title}: {listed(names)}" for title, names in named if names)]
    rows = [f"| `{name}` | {digits(value)} | {meaning} |" for name, (value, meaning) in eq.parameters.items()]
    table = "\n".join(["| name | value | what it is |", "|---|---|---|", *rows])
    return [*found, folded(f"Parameters ({len(rows)})", table)] if rows else found


def definitions(eq, write_formulas):
    """Intermediate variables, folded away."""
    sides = [(eq.naming.of(name).latex, write(x, eq.book.latex)) for name, x in eq.book.definitions]
    return [folded(f"Intermediate variables ({len(sides)})", write_formulas(sides))] if sides else []


def formulas(sides, most_lines, block):
    """Aligned; long ones are cut."""
    rows = aligned(sides)
    found = block.format("\\begin{aligned}\n" + " \\\\\n".join(rows[:most_lines]) + "\n\\end{aligned}")
    return (
        found
        if most_lines is None or len(rows) <= most_lines
        else f"{found}\n\n… and {len(rows) - most_lines} lines more."
    )


def folded(title, text):
    return f"<details><summary>{title}</summary>\n\n{text}\n\n</details>"
