"""run.animation. Oracles: run.picture at the same times, times and counts by arithmetic, and what a stand-in for ffmpeg
was given."""

import shutil
import signal
import stat
import sys

import numpy as np
import pytest
from PIL import Image, features

import mekane as mk
from mekane import gallery
from mekane.errors import MekaneError
from mekane.view.render.animation import speed_of

SMALL = (96, 72)
PALETTE = 24  # of 255: 256 colours for all that is seen, the nearest is taken; on average far less
LOSSY = 64  # .webp blurs edges


@pytest.fixture(scope="module")
def run():
    s = mk.System("pendulum")
    s.body("bob", mass=2.0, position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y", rate=5.0)
    return mk.simulate(s, 2.0, every=0.01)


def read(path):
    """Frames as arrays, and their durations in milliseconds."""
    with Image.open(path) as film:
        found = []
        for k in range(film.n_frames):
            film.seek(k)
            found.append((np.asarray(film.convert("RGB")).astype(int), film.info.get("duration", 0)))
    return [image for image, _ in found], [duration for _, duration in found]


@pytest.mark.parametrize("suffix, bound", [(".gif", PALETTE), (".png", 0), (".webp", LOSSY)])
def test_a_film_is_its_pictures(run, tmp_path, suffix, bound):
    """2 s in real time at 10 frames per second: frames at 0, 0.1, … 2 s."""
    if suffix == ".webp" and not features.check("webp"):
        pytest.skip("this Pillow has no WebP")
    film = run.animation(tmp_path / f"x{suffix}", fps=10, size=SMALL)
    images, durations = read(tmp_path / f"x{suffix}")
    assert film.frames == len(images) == 21 and sum(durations) == 2100 and film.seconds == 2.1 and film.speed == 1
    for k in (0, 7, 20):
        apart = np.abs(images[k] - run.picture(t=k / 10, size=SMALL).array.astype(int))
        assert apart.max() <= bound and apart.mean() <= bound / 12
    assert "in real time" in str(film) and film.bytes == (tmp_path / f"x{suffix}").stat().st_size
    assert film._repr_html_().startswith("<img") and [file.name for file in tmp_path.iterdir()] == [f"x{suffix}"]


def test_what_stands_still_does_not_flicker(run, tmp_path):
    """One palette for all frames: pixels that all pictures have in common are the same in all frames, to the last
    bit."""
    run.animation(tmp_path / "x.gif", fps=2, size=SMALL)
    pictures, images = [run.picture(t=t, size=SMALL).array for t in (0, 0.5, 1, 1.5, 2)], read(tmp_path / "x.gif")[0]
    still = np.all(np.ptp(pictures, axis=0) == 0, axis=-1)
    assert 0.5 < still.mean() < 1 and np.ptp(images, axis=0)[still].max() == 0


@pytest.mark.parametrize("fps", [12, 30])
def test_durations_of_a_gif_are_right_in_sum(run, tmp_path, fps):
    """A GIF counts hundredths of a second: each frame is rounded, their sum is not off by more than one."""
    film = run.animation(tmp_path / "x.gif", fps=fps, size=(32, 24))
    assert abs(sum(read(tmp_path / "x.gif")[1]) - 1000 * film.frames / fps) <= 10


def test_small_enough(tmp_path):
    """100 frames of the squeezer at 480 × 360 below 1.5 MB."""
    film = gallery.find("squeezer").run(t_end=0.03).animation(tmp_path / "x.gif", size=(480, 360), seconds=4)
    assert film.frames == 101 and film.bytes < 1.5e6


# ---------------------------------------------------------------- speed


@pytest.mark.parametrize(
    "span, speed",
    [(0.03, 0.01), (0.5, 0.1), (2.0, 1.0), (23.0, 1.0), (40.0, 2.0), (100.0, 5.0), (2000.0, 1.0)],
)
def test_default_speed(span, speed):
    """Short motions as in the page; long ones by the slowest of 1, 2, 5 that fits 600 frames; what does not fit is cut,
    in real time."""
    assert speed_of(span, 25, 600) == speed


def test_given_speed(run, tmp_path):
    slow = run.animation(tmp_path / "x.gif", fps=10, size=(32, 24), speed=0.5)
    assert slow.frames == 41 and "slowed down 2 times" in str(slow)
    fast = run.animation(tmp_path / "x.gif", fps=10, size=(32, 24), seconds=1)
    assert fast.frames == 11 and fast.speed == 2 and "2 times as fast" in str(fast)


def test_no_more_frames_than_most(run, tmp_path):
    film = run.animation(tmp_path / "x.gif", fps=10, size=(32, 24), speed=0.5, most=15)
    assert film.frames == 15 and film.shown == (0.0, pytest.approx(0.7)) and "goes on to 2 s" in str(film)
    assert len(read(tmp_path / "x.gif")[0]) == 15


def test_a_rate_below_that_of_the_run_shows_its_ends(run, tmp_path):
    film = run.animation(tmp_path / "x.gif", fps=1, size=(32, 24), seconds=0.5)
    assert film.frames == 2 and film.shown == (0.0, 2.0)


# ---------------------------------------------------------------- Ctrl-C


@pytest.mark.parametrize("press", ["raised", "signal"])
@pytest.mark.parametrize("suffix", [".gif", ".png"])
def test_ctrl_c_keeps_what_was_drawn(run, tmp_path, press, suffix):
    """After 5 of 21 frames. The handler of before is back afterwards."""
    before = signal.getsignal(signal.SIGINT)

    def progress(t, share):
        if share >= 5 / 21:
            if press == "raised":
                raise KeyboardInterrupt
            signal.raise_signal(signal.SIGINT)

    path = tmp_path / f"x{suffix}"
    film = run.animation(path, fps=10, size=(48, 36), progress=progress)
    assert film.frames == 5 == len(read(path)[0]) and film.path == path
    assert "stopped by the user after 5 of 21 frames" in str(film) and signal.getsignal(signal.SIGINT) is before


def test_a_film_that_was_stopped_does_not_replace_one_that_is_whole(run, tmp_path):
    run.animation(tmp_path / "x.gif", fps=10, size=(48, 36))
    whole = (tmp_path / "x.gif").read_bytes()

    def progress(t, share):
        if share > 0.3:
            raise KeyboardInterrupt

    film = run.animation(tmp_path / "x.gif", fps=10, size=(48, 36), progress=progress)
    assert film.path.name == "x.partial.gif" and (tmp_path / "x.gif").read_bytes() == whole
    assert len(read(film.path)[0]) == film.frames == 7


def test_a_progress_that_fails_leaves_the_file_as_it_was(run, tmp_path):
    (tmp_path / "x.gif").write_bytes(b"before")

    def progress(t, share):
        raise ValueError("raised")

    with pytest.raises(ValueError, match="raised"):
        run.animation(tmp_path / "x.gif", size=(32, 24), progress=progress)
    assert (tmp_path / "x.gif").read_bytes() == b"before" and len(list(tmp_path.iterdir())) == 1


# ---------------------------------------------------------------- ffmpeg


def stand_in(tmp_path, monkeypatch, ending="sys.exit(0)"):
    """A program called ffmpeg that keeps its arguments and its input."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "ffmpeg"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nwords = sys.argv[1:]\n{ending if 'early' in ending else ''}\n"
        f"open(words[-1], 'wb').write(' '.join(words).encode() + b'|' + sys.stdin.buffer.read())\n{ending}\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(folder))


def test_what_ffmpeg_is_given(run, tmp_path, monkeypatch):
    """Raw pixels of all pictures in their order, with their size and rate; an odd size is made even, as yuv420p needs
    it."""
    stand_in(tmp_path, monkeypatch)
    film = run.animation(tmp_path / "x.mp4", fps=10, size=(49, 37))
    arguments, _, pixels = (tmp_path / "x.mp4").read_bytes().partition(b"|")
    assert b"-s 48x36 -r 10 -i -" in arguments and b"-pix_fmt yuv420p" in arguments and b"-f mp4" in arguments
    images = np.frombuffer(pixels, np.uint8).reshape(21, 36, 48, 3)
    for k in (0, 7, 20):
        assert np.array_equal(images[k], run.picture(t=k / 10, size=(48, 36)).array)
    assert film.frames == 21 and film._repr_html_().startswith("<video")


@pytest.mark.parametrize("ending", ["sys.exit('no such codec')", "sys.exit('early: no such codec')"])
def test_ffmpeg_fails(run, tmp_path, monkeypatch, ending):
    """At its end, or before it has read anything."""
    stand_in(tmp_path, monkeypatch, ending)
    with pytest.raises(MekaneError, match="ffmpeg failed .*no such codec"):
        run.animation(tmp_path / "x.mp4", fps=50, size=(320, 240))
    assert [file.name for file in tmp_path.iterdir()] == ["bin"]


def test_without_ffmpeg(run, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MekaneError, match=r"Install ffmpeg, or write a \.gif, which needs nothing") as error:
        run.animation(tmp_path / "x.mp4")
    assert "\n" not in str(error.value) and not list(tmp_path.iterdir())


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="there is no ffmpeg here")
def test_a_real_mp4(run, tmp_path):
    film = run.animation(tmp_path / "x.mp4", fps=10, size=SMALL)
    assert b"ftyp" in (tmp_path / "x.mp4").read_bytes()[:16] and film.bytes > 1000


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    "path, options, problem",
    [
        ("x.avi", {}, "animations are written as .gif, .mp4, .webp, .png"),
        ("x", {}, "animations are written as"),
        ("x.gif", {"fps": 0}, "a number above zero is expected"),
        ("x.gif", {"fps": float("nan")}, "a number above zero is expected"),
        ("x.gif", {"fps": "fast"}, "a number above zero is expected"),
        ("x.gif", {"fps": 60}, "at most 50 frames per second"),
        ("x.gif", {"speed": -1}, "a number above zero is expected"),
        ("x.gif", {"most": 0}, "a whole number above zero is expected"),
        ("x.gif", {"most": 2.5}, "a whole number above zero is expected"),
        ("x.gif", {"speed": 1, "seconds": 2}, "one of them is expected"),
        ("x.gif", {"size": (5, 5)}, "pixels across and down"),
        ("x.gif", {"traces": ["bobby"]}, "Did you mean 'bob'"),
        ("nowhere/x.gif", {}, "cannot be written"),
    ],
)
def test_refused(run, tmp_path, monkeypatch, path, options, problem):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MekaneError, match=problem.replace(".", r"\.")):
        run.animation(path, **{"size": (32, 24), **options})
    assert not list(tmp_path.iterdir())
