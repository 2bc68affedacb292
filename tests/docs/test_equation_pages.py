"""Pages of equations: one for every mechanism, linked from the gallery, and as they would be written now.

Oracle: the program that writes them. All of them take a quarter of a minute, so a sample is written again.
If this fails: python docs/make_gallery.py; python docs/make_equations.py
"""

import sys
from pathlib import Path

import pytest

from mekane import gallery

DOCS = Path(__file__).resolve().parents[2] / "docs"
SAMPLE = (
    "car_axis",
    "chaotic_plate",
    "double_pendulum",
    "heavy_top",
    "rolling_disc_1",
    "two_bar_truss",
)  # expanded ones, and one that is not


@pytest.fixture(autouse=True)
def programs(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])


def test_there_is_one_for_every_mechanism():
    assert sorted(page.stem for page in (DOCS / "equations").glob("*.md")) == gallery.names()


def test_the_gallery_links_to_them():
    from make_gallery import PAGE, with_table

    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text) == text
    assert all(f"](equations/{name}.md)" in text for name in gallery.names())


@pytest.mark.parametrize("name", SAMPLE)
def test_it_is_as_it_would_be_written_now(name):
    from make_equations import page

    assert page(name) == (DOCS / "equations" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", gallery.names())
def test_it_is_whole_and_of_a_size_to_be_read(name):
    text = (DOCS / "equations" / f"{name}.md").read_text(encoding="utf-8")
    assert len(text) < 60_000
    assert text.count("```math") == text.count("\\begin{aligned}") == text.count("\\end{aligned}") > 2
    assert all(title in text for title in ("Mass matrix", "Forcing", "Kinematical equations", "- Coordinates: `"))
    assert text.count("{") - text.count("\\{") == text.count("}") - text.count("\\}")
