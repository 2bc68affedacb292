"""Retired words stay retired: names and prose use the terms of the textbook. Oracle: the text of the files themselves.

PROSE is searched in every line of every file. NAMES are pieces of identifiers and of file names (`told` is a piece of
`told_besides`): in prose they have an ordinary meaning, too. Where a word has its ordinary or a public meaning,
ALLOWED gives the reason.
"""

import ast
import re
import subprocess
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

import mekane

REPOSITORY = Path(mekane.__file__).parents[1]
SEARCHED = ("mekane", "docs", "README.md", "tests", "bench")
TEXT = {".py", ".md", ".js", ".css", ".html", ".yaml", ".yml", ".toml", ".ipynb", ".txt", ".c", ".pyi"}
NOT_OURS = ("mekane/view/web/page/vendor/*", "tests/test_words.py")

# regular expression → what to say instead
PROSE = {
    r"\btold\b": "given, specified; prescribed (of a motion)",
    r"\bsaid\b": "given, specified; reported",
    r"\basked\b": "requested",
    r"\b(?:plug-in )?rooms?\b": "package; space",
    r"\bshel(?:f|ves)\b": "collection",
    r"\bpart and word\b|\b(?:world|local|placing|own|further) words\b": "keyword",
    r"\*\*words\b": "**keywords",
    r"\brefused? in words\b": "raises with an explanation",
    r"\b(?:rides|riding) (?:on|by)\b|\brides\b": "is a child of",
    r"\bgauges?\b": "joint-coordinate measurement",
    r"\brows? in use\b": "active row",
    r"\bpostures?\b": "configuration",
    r"\bindifferent\b": "neutral",
    r"\bsmall[ _-]motions?\b": "linearized motion",
    r"\bshapes? of (?:the )?swings?\b": "mode shape",
    r"\bkink(?:s|ed)?\b": "slope discontinuity",
    r"\bjoint blocks?\b|\bblocks? of (?:a|the) joint\b|\bblock in [\w.]*primitive_i\b": "joint primitive",
    r"\b(?:a|the|this|same) blades?\b|\bblades\b": "knife edge",
    r"\bmay surprise\b": "deserves a warning",
    r"(?<!git-)(?<!git )\bblame[sd]?\b(?!-)": "diagnose",
    r"\bcomplaints?\b": "message",
    r"\bown[ -]speeds\b": "user-defined generalized speeds",
    r"\b(?:carry|carries|lose|loses) (?:a|its|their) slopes?\b|\bvalues? and slopes?\b": "derivative",
    r"\blate doors?\b|\bat one door\b": "lazy, entry point",
    r"\bforetold\b": "predicted",
    r"\bgiving way\b": "conflict resolution",
    r"\blined up\b": "dead centre",
    r"\bhas a memory\b|\bmemory of a law\b": "controller state",
    r"\baccelerate_as_told\b|\bof_a_system\b|\bloses_energy\b|\blost_power\b|\bhand_down\b": "see HOUSE, Words",
    r"\bmekane[./](?:compile|scalars)[./]": "mekane.compiler, mekane.codegen",
}  # fmt: skip

# piece of an identifier → what to say instead
NAMES = {
    "told": "given", "said": "given", "asked": "requested", "question": "analysis", "questions": "analyses",
    "room": "package", "rooms": "packages", "shelf": "collection", "rides": "parent",
    "gauge": "measurement", "gauges": "measurements", "observe": "evaluate_kinematics",
    "slopes": "derivatives", "spins": "angular_velocities", "posture": "configuration", "indifferent": "neutral",
    "kink": "slope_discontinuity", "kinks": "slope_discontinuities", "weigh": "body_inertia_and_bias", "blame": "diagnose",
    "complaint": "message", "complaints": "messages", "descended": "trust_region_descent", "foretold": "predicted",
    "tally": "counters", "knob": "slider", "knobs": "sliders", "desk": "backend", "softness": "regularization",
    "resequence": "switch_sequence", "wish": "target", "wishes": "targets", "reaching": "position_solver", "swept": "sweep_result",
}  # fmt: skip

# the same, searched in the package alone: tests and benchmarks use them in their ordinary meaning
NAMES_OF_THE_PACKAGE = {
    "held": "active, constrained",
    "word": "keyword", "words": "keywords", "late": "lazy", "door": "entry", "doors": "entries", "seeds": "directions",
    "jump": "discontinuity", "jumps": "discontinuities", "settle": "find_equilibrium", "settled": "found", "settling": "solver",
    "polished": "newton_refine", "clock": "state", "spot": "point", "spots": "points",
}  # fmt: skip

# (word, where) → why it may stand there
ALLOWED = {
    ("observe", "mekane/analyses/gym/*.py"): "public keyword of mk.gym, by the observations of gymnasium",
    ("observe", "tests/analyses/test_gym.py"): "the same keyword",
    ("indifferent", "mekane/analyses/equilibrium/equilibrium.py"): "public attribute of an Equilibrium",
    ("indifferent", "docs/equilibrium.md"): "the same attribute",
    ("indifferent", "tests/analyses/test_equilibrium*.py"): "the same attribute",
    ("slopes", "mekane/analyses/sensitivity/result.py"): "public attribute of a sensitivity",
    ("slopes", "mekane/analyses/optimize/design.py"): "the same attribute",
    ("slopes", "tests/*/test_sensitivit*.py"): "the same attribute",
    ("slopes", "tests/analyses/test_*.py"): "the same attribute",
    ("slopes", "mekane/expressions/table.py"): "of the straight lines between the points of a table",
    ("held", "mekane/symbolic/methods/routh.py"): "public attribute of Routh's equations",
    ("held", "mekane/solvers/solver.py"): "public key of run.info",
    ("gauge", "mekane/exporters/netcdf.py"): "variable of saved files, which stay readable",
    ("late", "mekane/gallery/heavy_top.py"): "of time",
    ("jump", "mekane/view/motion/*.py"): "from one frame to the next; a key of the format of frames",
    ("jumps", "mekane/view/*.py"): "the same key",
}

WORD = re.compile(r"\w+")  # every identifier of a file is one
PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", *SEARCHED], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    kept = [name for name in listed.stdout.splitlines() if not any(fnmatch(name, other) for other in NOT_OURS)]
    return [REPOSITORY / name for name in kept if Path(name).suffix in TEXT and (REPOSITORY / name).exists()]


def identifiers(source: str):
    """(line, name) of everything a Python file names, names inside f-strings included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, (ast.arg, ast.keyword)):
            yield node.lineno, node.arg or ""
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.alias):
            yield node.lineno, node.name.split(".")[-1]
            yield node.lineno, node.asname or ""


@cache
def pieces(name: str) -> frozenset[str]:
    return frozenset(piece.lower() for piece in PIECE.findall(name))


def retired_names(name: str, known: dict) -> set[str]:
    return pieces(name) & known.keys()


@cache
def literals(pattern: str) -> list[str]:
    """Letters, one of which every match of a pattern has: looking for them first makes the search quick."""
    return re.findall("[a-z]{3,}", re.sub(r"\\.|\(\?[:<!=]*|.\?", " ", pattern))


def retired_phrases(text: str):
    for pattern, instead in PROSE.items():
        if any(letters in text for letters in literals(pattern)):
            for match in re.finditer(pattern, text):
                yield text.count("\n", 0, match.start()) + 1, match[0], instead


def findings(file: Path, root: Path = REPOSITORY) -> list[str]:
    """What is retired in a file: place, word, what to say instead."""
    name, source = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
    known = NAMES | NAMES_OF_THE_PACKAGE if name.startswith("mekane/") else NAMES
    found = {(0, word, known[word]) for word in retired_names(file.stem, known)}
    found |= set(retired_phrases(source.lower()))
    if file.suffix == ".py" and any(retired_names(word, known) for word in set(WORD.findall(source))):
        named = ((number, word) for number, one in identifiers(source) for word in retired_names(one, known))
        found |= {(number, word, known[word]) for number, word in named}
    return [
        f"{name}:{number}: {word!r} is retired; say {instead}"
        for number, word, instead in sorted(found)
        if not any(word == allowed and fnmatch(name, where) for allowed, where in ALLOWED)
    ]


@pytest.mark.parametrize("part", SEARCHED)
def test_no_retired_word(part):
    wrong = [line for file in files() if file.relative_to(REPOSITORY).parts[0] == part for line in findings(file)]
    assert not wrong, "\n".join(wrong)


def test_exceptions_are_used():
    """The table of exceptions does not outlive its reasons."""
    names = [file.relative_to(REPOSITORY).as_posix() for file in files()]
    for (word, where), why in ALLOWED.items():
        texts = [(REPOSITORY / name).read_text(encoding="utf-8").lower() for name in names if fnmatch(name, where)]
        assert any(word in text for text in texts), f"{word!r} is no longer in {where} ({why})"


def test_the_search_finds_what_is_planted(tmp_path):
    """The test above must be able to fail: in prose, in a name, inside an f-string, in the name of a file."""
    planted = tmp_path / "mekane" / "slopes.py"
    planted.parent.mkdir()
    planted.write_text(
        '"""The crank rides on the ground."""\ntold_besides = 1\nprint(f"{settled.value}")\nkeyword = "a word"\n'
    )
    assert findings(planted, tmp_path) == [
        "mekane/slopes.py:0: 'slopes' is retired; say derivatives",
        "mekane/slopes.py:1: 'rides on' is retired; say is a child of",
        "mekane/slopes.py:2: 'told' is retired; say given",
        "mekane/slopes.py:3: 'settled' is retired; say found",
    ]
