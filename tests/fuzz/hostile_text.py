"""Model files as nobody should write them: those of the gallery, of the docs and of random mechanisms, with random
damage.

`model_text(seed)` is YAML, or what is left of it. Numbers become huge, tiny, no numbers at all; words are exchanged,
misspelt, nested, tagged; lines are lost, doubled, moved; brackets are left open.
"""

import random
import re
from functools import cache
from pathlib import Path

from random_laws import text
from random_mechanism import mechanism

from mekane import gallery
from mekane.errors import MekaneError
from mekane.importers.yaml import dumps

TOKEN = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?|\w+|\s+|.", re.DOTALL)
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?$")
DOCS = Path(__file__).parents[2] / "docs" / "model-files.md"
LARGEST = 6000  # characters of a model that is worth the time
MECHANISMS = 300  # random ones, whose files are damaged

NUMBERS = (
    "0", "-0.0", "1", "-1", "1e-320", "1e-300", "1e-100", "1e-17", "1e-9", "1e6", "1e17", "1e100", "1e150", "1e200", "1e300", "1.7e308",
    "1e309", "-1e308",
    ".nan", "nan", ".inf", "-.inf", "inf", "9" * 400, "1" + "0" * 330, "0x10", "1_000", "1e", "1e+", "--1", "1.2.3", "12:30", "1e99999999",
    "2**63", "-2**63", "9223372036854775808", "2**1e9", "10**400", "1/0", "0/0", "0**-1", "(-8)**(1/3)", "1e308*10", "true", "null", "~",
    "''", "[]", "{}",
)  # fmt: skip
UNITS = (
    "mm", "kg", "deg", "rpm", "N m", "kN/m", "m/s^2", "m^99", "m^-1e9", "m^1e400", "/s", "s/", "N*m", "N m m m m", "furlong", "%", "°",
    "μm", "m^m", "kg m^2/s^2/m/m^0.5",
)  # fmt: skip
TEXTS = (
    "__import__('os').system('true')", "().__class__.__bases__[0]", "lambda: 0", "[x for x in (1, 2)]", "open('x')", "f'{1}'",
    "t.__class__",
    "exec('1')", "x := 1", "$", "$$", "${", "${}", "$k.k.k", "$arm.mass", "state['x']", "state[t]", "state", "t", "ground", "pi", "e",
    "q", "u", "L", "X",
    "sin", "sin(", "sin()", "sin(1, 2)", "max()", "table(t)", "table(t, (0, 0), (0, 1))", "spline(t, (0, 1e308), (1e-308, -1e308))",
    "table(t, (1, 0), (0, 1))", "t**t**t**t", "t**1e9", "1e308*t*1e308", "exp(exp(exp(t + 10)))", "log(t - 1)", "sqrt(-1 - t)", "1/t",
    "t/0", "tan(1.5707963267948966)",
    "asin(2 + t)", "0*log(t)", "t if t else t", "not t", "t < t < t", "t == t", "t % 0", "t // 0", "1e-320*t", "floor(1e300*t)",
    "abs(abs(abs(t)))",
    "\u202e\u0000", "\x07", "é", "名前", "𝟙", "²", "１２", "t\u200b", "\ufeff", "a" * 300, "a.b.c.d.e", ".", "..", "a..b", "-", "'", '"',
    "\\", "#", "&a", "*a", "!!x",
)  # fmt: skip
LINES = (
    "a: !!python/object/apply:os.system [true]", "b: !x y", "c: &a [*a]", "d: [&x [1, 2], *x, *x]", "<<: *a", "? [1, 2]\n: 3",
    "--- \n...", "%YAML 9.9",
    "simulate: {t_end: 1e308}", "simulate: {t_end: 1, every: 1e-300}", "gravity: 3", "gravity: [1e308, 1e308, 1e308]",
    "parameters: {t: 1}", "parameters: {k: $k}",
    "planar: xy", "initial_conditions: {x: 1}",
    "assemble: {x: 1}", "speeds: {u1: u1}", "speeds: {w: t}", "bodies: [1]", "joints:", "system: [a]",
    "system: 3", "\tx: 1", "- 1", "|", ">-",
)  # fmt: skip


@cache
def models():
    """Texts of models that are right."""
    found = re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    for one in gallery.mechanisms():
        found.append(dumps(one.system(), {"t_end": one.t_end}))
    return [text for text in found if len(text) < LARGEST]


def model_text(seed):
    rng = random.Random(seed)
    if rng.random() < 0.02:
        return "".join(
            rng.choice((*NUMBERS, *TEXTS, *LINES, *"[]{}:,\n \t-#&*!|>'\"%@`")) for _ in range(rng.randint(1, 60))
        )
    source = dumped(rng.randrange(MECHANISMS)) if rng.random() < 0.4 else rng.choice(models())
    for _ in range(rng.choice((1, 1, 1, 1, 1, 2, 3, 6))):
        source = rng.choice(DAMAGES)(rng, source)
    return source


@cache
def dumped(number):
    """A random mechanism as a file, written once; some cannot be one."""
    rng = random.Random(f"text {number}")
    while True:
        try:
            return dumps(mechanism(rng.random()))
        except MekaneError:
            continue


def extreme(rng):
    """A number that can be read, of any size."""
    return rng.choice(
        (
            rng.choice(NUMBERS[:16]),
            repr(rng.gauss(0, 1) * 10 ** rng.randint(-30, 30)),
            repr(rng.choice((-1, 1)) * 10.0 ** rng.randint(-320, 308)),
        )
    )


def hostile(rng):
    """Something in the place of a word or a number."""
    kinds = (
        lambda: rng.choice(NUMBERS), lambda: f"{rng.choice(NUMBERS)} {rng.choice(UNITS)}", lambda: rng.choice(TEXTS), lambda: extreme(rng),
        lambda: f'"{text(rng, ["t", "q", "j0.angle", "x"], 1)}"', lambda: nested(rng),
        lambda: f"[{', '.join(rng.choice(NUMBERS) for _ in range(rng.randint(0, 7)))}]",
    )  # fmt: skip
    return rng.choices(kinds, weights=(3, 2, 3, 8, 3, 0.3, 1))[0]()


def nested(rng):
    depth = rng.choice((5, 45, 300, 3000))
    return rng.choice(
        (
            "[" * depth + "]" * depth,
            "(" * depth + "t" + ")" * depth,
            "-" * depth + "t",
            "{a: " * depth + "1" + "}" * depth,
            "sin(" * depth + "t" + ")" * depth,
        )
    )


def replace_token(wanted, by=hostile):
    """The damage that puts something else in place of a token of this kind."""

    def damage(rng, source):
        tokens = TOKEN.findall(source)
        places = [k for k, token in enumerate(tokens) if wanted(token)]
        if places:
            tokens[rng.choice(places)] = by(rng)
        return "".join(tokens)

    return damage


def exchange_words(rng, source):
    tokens = TOKEN.findall(source)
    places = [k for k, token in enumerate(tokens) if token[0].isalpha()]
    if len(places) > 1:
        i, j = rng.sample(places, 2)
        tokens[i], tokens[j] = tokens[j], tokens[i] if rng.random() < 0.5 else tokens[j]
    return "".join(tokens)


def scale_numbers(rng, source):
    """All numbers of a line, as in a model in other units, or of no size."""
    lines = source.splitlines()
    k, factor = rng.randrange(len(lines)) if lines else 0, 10.0 ** rng.choice((-300, -100, -12, 12, 100, 300))
    scaled = lambda token: repr(float(token) * factor) if NUMBER.match(token) else token
    return "\n".join("".join(map(scaled, TOKEN.findall(line))) if i == k else line for i, line in enumerate(lines))


def change_lines(rng, source):
    lines = source.splitlines()
    if not lines:
        return rng.choice(LINES) + "\n"
    k = rng.randrange(len(lines))
    new = rng.choice(
        (
            [],
            [lines[k]] * 2,
            [rng.choice(LINES)],
            [lines[k], rng.choice(LINES)],
            [" " * rng.randint(1, 5) + lines[k]],
            [rng.choice(lines)],
        )
    )
    return "\n".join(lines[:k] + new + lines[k + 1 :]) + "\n"


def change_letter(rng, source):
    k = rng.randrange(len(source) + 1)
    letter = rng.choice((*"[]{}:,\n \t-#&*!|>'\"%@`$.0eE", chr(rng.randrange(1, 0x2FFF))))
    return source[:k] + rng.choice(("", letter)) + source[k + rng.randint(0, 1) :]


def cut_off(rng, source):
    return source[: rng.randrange(len(source) + 1)] + "\n"


DAMAGES = (
    *[replace_token(lambda token: NUMBER.match(token), extreme)] * 6,
    *[replace_token(lambda token: NUMBER.match(token))] * 3,
    *[replace_token(lambda token: token[0].isalpha())] * 3,
    exchange_words, exchange_words, scale_numbers, change_lines, change_lines, change_letter, change_letter, cut_off,
)  # fmt: skip
