"""Short names for what stands in equations: q_shoulder, u_shoulder, m_arm, λ of a loop; as text, in LaTeX, MathML and
SymPy.

"shoulder.angle" → q_shoulder          "shoulder.angle.rate" → u_shoulder        "shoulder.angle.rate'" → its rate
"ball.e1" → e1_ball, "ball.wx" → w_ball_x        "loop.lambda2" → lambda_loop_2        "$arm.mass" → m_arm
"gravity" → g
"""

import keyword
import re
import unicodedata
from typing import NamedTuple

from mekane.expressions.parse import FUNCTION_NAMES
from mekane.symbolic.printing import mathml_elements
from mekane.symbolic.printing.latex_text import GREEK, escaped

LETTERS = {
    "mass": "m", "inertia": "I", "com": "c", "a": "a", "b": "b", "stiffness": "k", "damping": "c", "length": "l", "gravity": "g",
    "radius": "r", "torque": "tau", "force": "F", "pitch": "h",
}  # fmt: skip  # word of an address → its letter
WHOLE = re.compile(r"([A-Za-z]+?)_?(\d*)")
ANGULAR_VELOCITY, EULER = ("wx", "wy", "wz"), ("e1", "e2", "e3", "e4")


class Name(NamedTuple):
    """A letter with what stands below it, and how often it is differentiated. plain: its text, where that is not made
    of these."""

    letter: str
    below: tuple = ()
    dots: int = 0
    plain: str = ""

    @property
    def text(self):
        return (self.plain or "_".join([self.letter, *map(clean, self.below)])) + "'" * self.dots

    @property
    def latex(self):
        letter = in_latex(self.letter)
        letter = rf"\{'d' * self.dots}ot{{{letter}}}" if self.dots else letter
        below = ",".join(map(below_in_latex, self.below))
        return f"{letter}_{{{below}}}" if below else letter

    @property
    def mathml(self):
        """An element."""
        letter, *number = self.letter if self.letter in EULER else [self.letter]
        return mathml_elements.indexed(
            mathml_elements.letter(letter), map(mathml_elements.named, [*number, *self.below]), self.dots
        )


class Naming:
    """Name of every input that an expression may hold, none of them twice."""

    def __init__(self, trace, fixed=()):
        self.names, self.used = {}, set()
        c = trace.compiled
        owners = [name.partition(".")[0] for name in c.coordinates]
        alone = {name for name in owners if owners.count(name) == 1}
        self.add("t", Name("t"))
        for name in dict.fromkeys(c.coordinates):
            self.add(name, of_coordinate(name, alone))
        for name in c.speeds:
            self.add(name, of_speed(name, alone))
            self.names[f"{name}'"] = self.names[name]._replace(dots=1)
        for name in c.integrals:
            self.add(f"{name}.integral", Name("x", (name,)))
        for one in trace.multipliers:
            owner, _, number = one.name.rpartition(".lambda")
            self.add(one.name, Name("lambda", (owner, number)))
        for name in fixed:
            self.add(name, of_parameter(name))

    def add(self, name, short):
        """Give a name; one that is taken, in text, LaTeX or MathML, or is a word of Python or a function, is
        lengthened."""
        while (
            {short.text, short.latex, short.mathml} & self.used
            or keyword.iskeyword(short.text)
            or short.text in FUNCTION_NAMES
        ):
            number = str(1 + sum(one.letter == short.letter for one in self.names.values()))
            short = short._replace(below=(*short.below, number), plain=short.plain and f"{short.plain}_{number}")
        self.used |= {short.text, short.latex, short.mathml}
        self.names[name] = short

    def of(self, name):
        if name not in self.names:
            self.add(name, of_parameter(name))
        return self.names[name]


def of_coordinate(name, alone):
    owner, _, quantity = name.rpartition(".")
    if quantity in EULER:
        return Name(quantity, (owner,))
    return Name("q", (owner,) if owner in alone else (owner, quantity))


def of_speed(name, alone):
    owner, _, quantity = name.removesuffix(".rate").rpartition(".")
    if not owner:  # one of the user's own
        return of_parameter(name)
    if quantity in ANGULAR_VELOCITY and not name.endswith(".rate"):
        return Name("omega", (owner, quantity[1]))
    return Name("u", (owner,) if owner in alone else (owner, quantity))


def of_parameter(name):
    """ "arm.inertia.xx" → I_arm_xx,  "k" → k,  "l1" → l_1,  "theta" → theta"""
    name = name.removeprefix("$")
    owner, *quantities = name.split(".")
    if quantities:
        return Name(LETTERS.get(quantities[0], quantities[0]), (owner, *quantities[1:]))
    match = WHOLE.fullmatch(name)
    if match and match[2] and (len(match[1]) == 1 or match[1] in GREEK):
        return Name(match[1], (match[2],), plain=name)
    letter, *below = (
        name.split("_") if re.fullmatch(r"[A-Za-z]\w*(_\w+)+", name) and not name.startswith("_") else [name]
    )
    return Name(LETTERS.get(name, letter), tuple(below), plain="" if name in LETTERS else clean(name))


def clean(quantity):
    """Letters, digits and underscores, as Python reads them; anything else that can be told apart is spelt out."""
    quantity = unicodedata.normalize("NFKC", quantity)
    return re.sub(r"\W", lambda match: f"x{ord(match[0]):x}" if not match[0].isspace() else "_", quantity)


def in_latex(letter):
    if letter in GREEK:
        return "\\" + letter
    if letter in EULER:
        return f"{{e_{letter[1]}}}"
    return letter if is_plain(letter, 1) else upright(letter)


def below_in_latex(quantity):
    match = WHOLE.fullmatch(quantity)
    if match and match[1] in GREEK:
        return f"\\{match[1]}{match[2]}"
    return quantity if quantity.isdigit() or is_plain(quantity, 2) else upright(quantity)


def is_plain(quantity, longest):
    return len(quantity) <= longest and quantity.isalpha() and quantity.isascii()


def upright(quantity):
    found = escaped(quantity)
    return found if found.removeprefix("\\") in GREEK else rf"\mathrm{{{found}}}"
