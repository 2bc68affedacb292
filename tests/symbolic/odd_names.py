"""Names that mean something to LaTeX, Python, C or SymPy, of other alphabets, or that differ only in signs."""

import mekane as mk

ODD = (
    "lambda", "for", "int", "double", "return", "if", "sin", "I", "E", "S", "M", "F", "q", "u", "z1", "z 1", "z_1", "e1", "omega", "phi",
    "a b", "a_b", "a  b", "a-b", "größe", "Čapek", "łøß", "α", "alpha", "αlpha", "ω1", "Ω", "\u2126", "µ", "μ", "Α", "日本", "🙂",
    "ﬁ", "fi",    "x#1", "50%", "R&D", "$", "$x$", "{x}", "}", "a~b", "a^b", "a\\b", "\\alpha", "_", "__", "1st", "a'b", "<b>", "a|b",
    "tail ", "t'", "frac",    "a long name of many words that goes on and on",
)  # fmt: skip


def odd_system(names=ODD):
    """A pendulum for every name: its joint has it, and a spring's stiffness is a parameter of a name like it."""
    s = mk.System("odd # names_of ~ $parts$ & ^ % { } \\ α ö 日")
    for k, name in enumerate(names):
        arm = s.body(f"body {k}", mass=1.0 + k, inertia=(1, 1, 1), position=(k, 0, 0.5))
        s.pin(name, s.ground, arm, at=(k, 0, 0), axis="y")
        parameter = name.replace(" ", "_") + "_p"
        if parameter.isidentifier() and parameter not in s.parameters:
            s.torsional_spring(f"spring {k}", name, stiffness=mk.Param(parameter, 1.0 + k))
    return s
