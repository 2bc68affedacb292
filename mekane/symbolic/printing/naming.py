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
}  # fmt: skip  # keyword of a parameter path → its letter
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
        """Give a name; one that is taken, in text, LaTeX or MathML, or is a keyword of Python or a function, is
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
    owner, _, name_part = name.rpartition(".")
    if name_part in EULER:
        return Name(name_part, (owner,))
    return Name("q", (owner,) if owner in alone else (owner, name_part))


def of_speed(name, alone):
    owner, _, name_part = name.removesuffix(".rate").rpartition(".")
    if not owner:  # a user-defined generalized speed
        return of_parameter(name)
    if name_part in ANGULAR_VELOCITY and not name.endswith(".rate"):
        return Name("omega", (owner, name_part[1]))
    return Name("u", (owner,) if owner in alone else (owner, name_part))


def of_parameter(name):
    """ "arm.inertia.xx" → I_arm_xx,  "k" → k,  "l1" → l_1,  "theta" → theta"""
    name = name.removeprefix("$")
    owner, *name_parts = name.split(".")
    if name_parts:
        return Name(LETTERS.get(name_parts[0], name_parts[0]), (owner, *name_parts[1:]))
    match = WHOLE.fullmatch(name)
    if match and match[2] and (len(match[1]) == 1 or match[1] in GREEK):
        return Name(match[1], (match[2],), plain=name)
    letter, *below = (
        name.split("_") if re.fullmatch(r"[A-Za-z]\w*(_\w+)+", name) and not name.startswith("_") else [name]
    )
    return Name(LETTERS.get(name, letter), tuple(below), plain="" if name in LETTERS else clean(name))


def clean(name_part):
    """Letters, digits and underscores, as Python reads them; any other visible sign is spelt out."""
    name_part = unicodedata.normalize("NFKC", name_part)
    return re.sub(r"\W", lambda match: f"x{ord(match[0]):x}" if not match[0].isspace() else "_", name_part)


def in_latex(letter):
    if letter in GREEK:
        return "\\" + letter
    if letter in EULER:
        return f"{{e_{letter[1]}}}"
    return letter if is_plain(letter, 1) else upright(letter)


def below_in_latex(name_part):
    match = WHOLE.fullmatch(name_part)
    if match and match[1] in GREEK:
        return f"\\{match[1]}{match[2]}"
    return name_part if name_part.isdigit() or is_plain(name_part, 2) else upright(name_part)


def is_plain(name_part, longest):
    return len(name_part) <= longest and name_part.isalpha() and name_part.isascii()


def upright(name_part):
    found = escaped(name_part)
    return found if found.removeprefix("\\") in GREEK else rf"\mathrm{{{found}}}"
