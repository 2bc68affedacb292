"""mekane view: a page for a result, a model or a mechanism of the gallery. Oracle: run.save_html, whose page is tested
in tests/view."""

import numpy as np
import pytest


def test_a_mechanism_of_the_gallery(mekane, tmp_path):
    output = mekane("view", "pendulum", "--t-end", "0.5", "-o", tmp_path / "x.html")
    assert output.code == 0 and "Written" in output.out
    assert '<script id="data"' in (tmp_path / "x.html").read_text(encoding="utf-8")


def test_a_film_and_a_picture(mekane, tmp_path):
    """The picture is that of run.picture at that time; the film says how many frames it has."""
    from PIL import Image

    from mekane import gallery

    output = mekane("view", "pendulum", "--t-end", "1", "--every", "0.1", "-o", tmp_path / "x.gif")
    assert output.code == 0 and "26 frames, 25 per second" in output.out and "in real time" in output.out
    with Image.open(tmp_path / "x.gif") as film:
        assert film.n_frames == 26
    assert mekane("view", "squeezer", "K3", "-o", tmp_path / "x.png", "--at", "0.01").code == 0
    with Image.open(tmp_path / "x.png") as picture:
        assert (np.asarray(picture) == gallery.find("squeezer").run().picture(t=0.01, traces=["K3"]).array).all()


def test_no_ffmpeg_is_an_error_before_anything_is_computed(mekane, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    output = mekane("view", "nothing", "-o", tmp_path / "x.mp4")
    assert output.code == 2 and "Install ffmpeg, or write a .gif" in output.err and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("pendulum", "-o", "x.pdf"), "pages, films and pictures are written as .html or .htm or .gif"),
        (("pendulum", "-o", "x.gif", "--at", "1"), "only a picture is of one time"),
        (("pendulum", "--t-end", "0.1", "-o", "x.png", "--at", "7"), "a time of the run is expected"),
        (("pendulum", "bobb", "--t-end", "0.1", "-o", "x.gif"), "there is no body 'bobb'"),
        (("pendulums",), "Did you mean 'pendulum'?"),
        (("pendulum", "hinge.angel", "-o", "x.html"), "hinge.angle"),
    ],
)
def test_refused(mekane, tmp_path, monkeypatch, arguments, problem):
    monkeypatch.chdir(tmp_path)
    output = mekane("view", *arguments)
    assert output.code != 0 and problem in output.err and not list(tmp_path.iterdir())
