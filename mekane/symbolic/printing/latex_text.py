"""Texts of any letters in LaTeX: what means something to LaTeX made plain, Greek letters by their names, others spelt
out."""

import unicodedata

GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "rho", "sigma",
    "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Sigma", "Phi", "Psi", "Omega",
)  # fmt: skip
IN_FORMULAS = {"\\": r"\backslash ", "^": r"\wedge ", "~": r"\sim ", "-": "{-}"}
IN_TEXT = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
SPECIAL, OTHER_LATIN, LAST_LATIN = "_#$%&{}", "ßæøåÆØÅœŒłŁ", "\u017f"


def escaped(text):
    """To stand in \\mathrm."""
    found = "".join(letter_in_formula(x) for x in text)
    return found if text[-1:].isspace() else found.removesuffix(" ")


def escaped_text(text):
    """To stand in running text."""
    return "".join(IN_TEXT.get(x) or (f"${letter_in_formula(x)}$" if greek(x) else letter_in_text(x)) for x in text)


def letter_in_formula(x):
    if x.isspace():
        return r"\ "
    if greek(x):
        return f"\\{greek(x)} "
    return IN_FORMULAS.get(x) or (rf"\text{{{x}}}" if is_accented(x) else letter_in_text(x))


def letter_in_text(x):
    """Letters that pdflatex has no sign for, by their numbers."""
    if x in SPECIAL:
        return "\\" + x
    return x if x.isascii() or is_accented(x) else f"U{ord(x):x}"


def is_accented(x):
    """A letter of Latin alphabets."""
    return not x.isascii() and x <= LAST_LATIN and (x in OTHER_LATIN or unicodedata.normalize("NFD", x)[0].isascii())


def greek(x):
    """The name of a Greek letter, as LaTeX has it; of anything else none."""
    name = unicodedata.name(unicodedata.normalize("NFKC", x)[0], "").replace("LAMDA", "LAMBDA")
    size, _, letter = name.removeprefix("GREEK ").partition(" LETTER ")
    found = letter.lower() if size == "SMALL" else letter.capitalize() if size == "CAPITAL" else ""
    return found if name.startswith("GREEK") and found in GREEK else ""
