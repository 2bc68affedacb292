"""What the README shows really runs, prints what it says, and leads somewhere; its film is small and moves."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LARGEST_FILM = 400_000  # bytes


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def example():
    """Names that the example leaves, and what it printed."""
    lines, (code,) = [], blocks("python")
    names = {"print": lambda *values: lines.append(" ".join(map(str, values)))}
    exec(compile(code, "README.md", "exec"), names)
    return names, "\n".join(lines)


def test_the_example_is_right(example):
    """Closed form of a slider-crank, crank 0.1 m and rod 0.2 m, stretched at the start; joints close to round-off."""
    run = example[0]["run"]
    x, angle = run["bore.displacement"].values, run["main.angle"].values
    reach = 0.1 * np.cos(angle) + np.sqrt(0.2**2 - (0.1 * np.sin(angle)) ** 2)
    assert x == pytest.approx(reach - 0.3, abs=1e-12)
    assert run.health.ok


def test_it_prints_what_is_shown(example):
    """Piece by piece; "…" stands for what is left out."""
    (shown,), rest = blocks("text"), example[1]
    for piece in filter(None, (piece.strip() for piece in re.split(r"…|\n", shown))):
        assert piece in rest
        rest = rest[rest.index(piece) + len(piece) :]


def test_the_first_screen_has_a_film():
    (film,) = re.findall(r"^!\[[^\]]+\]\((docs/films/[^)]+)\)", README, re.MULTILINE)
    assert README.index(film) < README.index("## ")
    assert (ROOT / film).stat().st_size <= LARGEST_FILM
    with Image.open(ROOT / film) as picture:
        assert picture.n_frames > 20


def test_the_pages_it_points_to_exist():
    for page in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / page).exists(), page


def test_its_measurements_can_be_repeated():
    """Every part of the bench that it names is there."""
    (line,) = re.findall(r"python -m bench ([a-z_ ]+)`", README)
    assert all((ROOT / "bench" / f"{part}.py").exists() for part in line.split())
