"""Pictures of the gallery: one for every mechanism, shown in its table, small, and as they would be drawn now.

Oracle: the program that draws them. All of them take a quarter of a minute, so a sample is drawn again; a mean of 1 of
255 is allowed, since letters and the last bits of a motion are not the same on every machine; the thinnest of them a
little later is 2.4 apart. If this fails: python docs/make_pictures.py
"""

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mekane import gallery

DOCS = Path(__file__).resolve().parents[2] / "docs"
PICTURES = sorted((DOCS / "pictures").iterdir())


def test_there_is_one_for_every_mechanism():
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert [file.stem for file in PICTURES] == gallery.names() and {file.suffix for file in PICTURES} == {".png"}
    assert all(f'<img src="pictures/{name}.png"' in text for name in gallery.names())


def test_they_are_small():
    assert sum(file.stat().st_size for file in PICTURES) < 1e6
    for file in PICTURES:
        with Image.open(file) as picture:
            assert picture.size == (400, 300) and picture.mode == "P"


@pytest.mark.parametrize("name", ["double_pendulum", "squeezer", "rolling_disc_1"])
def test_it_is_as_it_would_be_drawn_now(name, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])
    from make_pictures import drawn

    with Image.open(DOCS / "pictures" / f"{name}.png") as kept:
        apart = np.asarray(kept.convert("RGB")).astype(int) - np.asarray(
            drawn(gallery.find(name)).convert("RGB")
        ).astype(int)
    assert np.abs(apart).mean() < 1
