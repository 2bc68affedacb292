"""run.animation: the motion as a film in a file."""

import os
import signal
import threading
from base64 import b64encode
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mekane.errors import FileError, ModelError
from mekane.files import replacing
from mekane.progress import reporting
from mekane.view.motion.frame_times import Sampling, at_times
from mekane.view.motion.frames import made
from mekane.view.motion.poses import Motion
from mekane.view.render.film_files import WRITERS, ffmpeg
from mekane.view.render.picture import Drawer

MOST_FRAMES = 600
PALETTE_FROM = 8  # frames
# frames per second; a viewer of GIFs slows down what is faster
FASTEST = {".gif": 50, ".png": 100, ".webp": 100, ".mp4": 240}
SPEEDS = (1, 2, 5)  # of long motions
HALF_REVOLUTION = np.pi
SHOWN_AS = {".gif": "image/gif", ".png": "image/apng", ".webp": "image/webp", ".mp4": "video/mp4"}
MOST_SHOWN = 20e6  # bytes in a notebook


@dataclass(frozen=True)
class Animation:
    """A film in a file. Its text states what it shows, at which speed; notebooks show it."""

    path: Path
    frames: int
    fps: float
    speed: float
    shown: tuple[float, float]  # first and last time [s]
    bytes: int
    remarks: tuple[str, ...] = ()
    stopped: str = ""
    missing: tuple[str, ...] = ()  # what of the motion is not visible

    @property
    def seconds(self) -> float:
        return self.frames / self.fps

    def __str__(self):
        first = f"{self.path}: {self.frames} frames, {self.fps:g} per second, {self.seconds:.3g} s, {self.bytes / 1e6:.2g} MB"
        span = f"{self.shown[0]:g} … {self.shown[1]:g} s of the motion, {speed_text(self.speed)}"
        return ". ".join([first, span, *self.missing, *self.remarks]) + "."

    def _repr_html_(self):
        if self.bytes > MOST_SHOWN or not self.path.exists():
            return f"<p>{self}</p>"
        kind = SHOWN_AS[self.path.suffix.lower()]
        data = f"data:{kind};base64,{b64encode(self.path.read_bytes()).decode('ascii')}"
        return (
            f'<video src="{data}" controls loop autoplay muted></video>'
            if kind.startswith("video")
            else f'<img src="{data}">'
        )


def speed_text(speed: float) -> str:
    if speed == 1:
        return "in real time"
    return f"{speed:.4g} times as fast as real" if speed > 1 else f"slowed down {1 / speed:.4g} times"


def animation(
    run, path, *, fps=25, size=(640, 480), speed=None, seconds=None, ghost=False, traces=(), most=MOST_FRAMES, progress=None
) -> Animation:  # fmt: skip
    """Write the motion as .gif, .mp4 (where ffmpeg is there), .webp or .png (APNG). Returns what was written.

    speed: 1 is real time, which is the rule; motions below a second are slowed down, those that are too long for `most`
        frames go faster.
    seconds: how long the film is to be, instead of speed.  ghost, traces: as for run.picture.  progress: as in
        mk.simulate. Ctrl-C keeps what was drawn so far.
    """
    suffix = checked_suffix(path)
    fps, size = checked(suffix, fps, size, speed, seconds, most)
    drawer = Drawer(run, size, ghost, traces)
    pace = speed_of(float(run.t[-1] - run.t[0]), fps, most, speed, seconds)
    time = times(run.t, fps / pace)
    cut = f"The motion goes on to {run.t[-1]:g} s: this is what {most} frames show; speed, seconds or most ask for more"
    remarks, time = [cut] if len(time) > most else [], time[:most]
    motion, chosen = Motion(run), at_times(run.t, time, "film")
    missing = tuple(not_shown(motion, chosen))
    film = Film(drawer, time, made(motion, chosen).poses)
    target = Path(os.fspath(path)).expanduser()
    aside = target.with_suffix(f".partial{target.suffix}") if target.exists() else target
    whole = replacing(target, lambda: aside if film.stopped else target)
    with reporting(progress, float(time[-1])) as film.progress, film.interruptible(), whole as beside:
        WRITERS[suffix](beside, film.images(), len(time), fps, film.samples())
    target = aside if film.stopped else target
    stopped = f"stopped by the user after {film.drawn} of {len(time)} frames" if film.stopped else ""
    end = float(time[film.drawn - 1])
    return Animation(
        target,
        film.drawn,
        fps,
        pace,
        (float(time[0]), end),
        target.stat().st_size,
        (*remarks, *([stopped] if stopped else [])),
        stopped,
        missing,
    )


class Film:
    """The images of a film, drawn when they are requested, until the last or until Ctrl-C."""

    def __init__(self, drawer: Drawer, time, poses):
        self.drawer, self.time, self.poses, self.progress = drawer, time, poses, None
        self.drawn, self.stopped = 0, False

    def images(self):
        for time, poses in zip(self.time, self.poses, strict=True):
            if self.stopped:
                return
            yield self.drawer.image(float(time), poses)
            self.drawn += 1
            self.report(float(time))

    def report(self, time: float) -> None:
        try:
            if self.progress is not None:
                self.progress(time, self.drawn / len(self.time))
        except KeyboardInterrupt:
            self.stopped = True

    def samples(self):
        """Some images, all over the film."""
        for k in np.unique(np.linspace(0, len(self.time) - 1, PALETTE_FROM).astype(int)):
            yield self.drawer.image(float(self.time[k]), self.poses[k])

    @contextmanager
    def interruptible(self):
        """Ctrl-C ends the film after the image that is being drawn; before the first image, or pressed again, it ends
        everything."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def heard(*_):
            if self.stopped or not self.drawn:
                raise KeyboardInterrupt
            self.stopped = True

        before = signal.signal(signal.SIGINT, heard)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


# ---------------------------------------------------------------- times


def not_shown(motion: Motion, chosen: Sampling) -> list[str]:
    """What a film with these frames does not show, and what helps."""
    t, time = motion.run.t, chosen.time
    found = []
    if not motion.is_known(chosen).all():
        widest = np.diff(t)[~motion.followed].max()
        found.append(
            f"Samples are {widest:.3g} s apart: the motion between them is not known; a smaller every shows it"
        )
    if len(time) > 1 and (fastest := motion.rotation_angles(time).max()) > HALF_REVOLUTION:
        apart = np.diff(time).max()
        found.append(
            f"Frames are {apart:.3g} s apart, a body turns by up to {fastest / (2 * np.pi):.2g} turns between them: "
            f"what is seen is slower than the motion, or backwards; a smaller speed shows it"
        )
    return found


def speed_of(span: float, fps: float, most: int, speed=None, seconds=None) -> float:
    """As given; else that of the page, and of long motions the slowest of a few that shows them whole."""
    if speed is not None:
        return float(speed)
    if seconds is not None:
        return max(span, 1e-12) / seconds
    if span < 1:
        return natural_speed(span)
    return next((pace for pace in SPEEDS if span * fps / pace < most), 1)


def natural_speed(span: float) -> float:
    """As in page/page.js."""
    return 0.01 if span < 0.2 else 0.1 if span < 1 else 1.0


def times(t, per_second: float) -> np.ndarray:
    """So many per second of the motion, and its end."""
    whole = t[0] + np.arange(int(np.floor((t[-1] - t[0]) * per_second * (1 + 1e-9))) + 1) / per_second
    return np.append(whole[whole < t[-1] - 1e-6 / per_second], t[-1])


# ---------------------------------------------------------------- arguments


def checked_suffix(path) -> str:
    suffix = Path(os.fspath(path)).suffix.lower()
    if suffix not in WRITERS:
        expected = f"animations are written as {', '.join(WRITERS)}"
        raise FileError(
            f"file {str(path)!r}", f"its name ends in {suffix!r}", expected, 'Write run.animation("motion.gif").'
        )
    if suffix == ".mp4":
        ffmpeg()
    return suffix


def checked(suffix: str, fps, size, speed, seconds, most):
    """Frames per second, and a size that is even where it has to be."""
    if speed is not None and seconds is not None:
        raise ModelError(
            "animation", "speed and seconds are given together", "one of them is expected", "Leave out the other."
        )
    for name, value, example in (("fps", fps, 25), ("speed", speed, 0.1), ("seconds", seconds, 10)):
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0 < value < np.inf
        ):
            raise ModelError(
                "animation", f"{name} is {value!r}", "a number above zero is expected", f"Write {name}={example}."
            )
    if isinstance(most, bool) or not isinstance(most, (int, np.integer)) or most < 1:
        raise ModelError(
            "animation", f"most is {most!r}", "a whole number above zero is expected", f"Write most={MOST_FRAMES}."
        )
    if fps > FASTEST[suffix]:
        expected = f"{suffix} is shown with at most {FASTEST[suffix]} frames per second"
        raise ModelError("animation", f"fps is {fps!r}", expected, f"Write fps={FASTEST[suffix]}.")
    if suffix == ".mp4" and isinstance(size, (tuple, list)):
        size = tuple(n - n % 2 if isinstance(n, int) else n for n in size)
    return float(fps), size
