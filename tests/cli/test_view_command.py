"""mekane view: a page for a result, a model or a mechanism of the gallery. Oracle: run.save_html, whose page is tested in tests/view."""

import pytest


def test_a_mechanism_of_the_gallery(mekane, tmp_path):
    said = mekane("view", "pendulum", "--t-end", "0.5", "-o", tmp_path / "x.html")
    assert said.code == 0 and "Written" in said.out
    assert '<script id="data"' in (tmp_path / "x.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words, problem",
    [
        (("pendulum", "-o", "x.txt"), "pages, films and pictures are written as .html"),
        (("pendulums",), "Did you mean 'pendulum'?"),
        (("pendulum", "hinge.angel", "-o", "x.html"), "hinge.angle"),
    ],
)
def test_refused(mekane, tmp_path, monkeypatch, words, problem):
    monkeypatch.chdir(tmp_path)
    said = mekane("view", *words)
    assert said.code != 0 and problem in said.err and not list(tmp_path.iterdir())
