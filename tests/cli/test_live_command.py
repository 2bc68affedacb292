"""mekane live: a page in which a model is simulated. Oracle: mk.save_live, whose page is tested in tests/view."""

import pytest

import mekane as mk
from mekane import gallery


def test_the_page_is_that_of_save_live(mekane, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = mekane(
        "live", "double_pendulum", "--t-end", "0.2", "--slider", "upper.mass=0.5:4", "--slider", "lower.mass"
    )
    assert output.code == 0 and "written: double_pendulum.live.html" in output.out + output.err
    sliders = {"upper.mass": (0.5, 4.0), "lower.mass": None}
    mk.save_live(gallery.find("double_pendulum").system(), "same.html", sliders=sliders, t_end=0.2)
    assert (tmp_path / "double_pendulum.live.html").read_bytes() == (tmp_path / "same.html").read_bytes()


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("pendulum", "-o", "x.pdf"), "pages are written as .html"),
        (("pendulum", "--slider", "bob.mass=1"), "NAME=LOW:HIGH is expected"),
        (("pendulum", "--slider", "m"), "there is no 'm'"),
    ],
)
def test_refused(mekane, tmp_path, monkeypatch, arguments, problem):
    monkeypatch.chdir(tmp_path)
    output = mekane("live", *arguments)
    assert output.code == 2 and problem in " ".join(output.err.split()) and not list(tmp_path.iterdir())
