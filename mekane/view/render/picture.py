"""run.picture: the mechanism at one time, drawn without a browser."""

from io import BytesIO

import numpy as np

from mekane.errors import FileError, ModelError, did_you_mean
from mekane.files import write
from mekane.view.motion.frame_selection import Grid, choice
from mekane.view.motion.frame_times import at_times
from mekane.view.motion.frames import frames, frames_at, positions
from mekane.view.motion.poses import Motion
from mekane.view.render.labels import label, pillow
from mekane.view.render.painter import Painter
from mekane.view.render.posts import with_posts
from mekane.view.render.projection import Camera
from mekane.view.render.scene_details import with_details
from mekane.view.render.strips import Strip
from mekane.view.scene.framing import framing, middle
from mekane.view.scene.scene import scene

FINER = 2  # pixels drawn for one that is kept, across and down
SMALLEST, LARGEST = 16, 8192  # pixels
FRAMED_AT_MOST = 1000  # frames, for the framing
UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))  # of the time in a corner
PATH_POINTS = 2000  # of a trace


class Picture:
    """An image that notebooks show. `image` is Pillow's, `array` its bytes (row, column, red green blue)."""

    def __init__(self, image):
        self.image = image

    @property
    def array(self) -> np.ndarray:
        return np.asarray(self.image)

    def save(self, path) -> None:
        """As .png; whole or not at all."""
        if not str(path).lower().endswith(".png"):
            raise FileError(
                f"file {str(path)!r}", "its name does not end in .png", "pictures are written as .png", 'Write "x.png".'
            )
        write(path, self._repr_png_(optimize=True))

    def _repr_png_(self, **options) -> bytes:
        file = BytesIO()
        self.image.save(file, format="png", **options)
        return file.getvalue()


def picture(run, path=None, t=None, size=(800, 600), ghost=False, traces=()) -> Picture:
    """The mechanism at time t (default: the start), written to `path` (.png) if given; notebooks show it.

    size: pixels across and down.  ghost: the start, pale.  traces: names of bodies, or (body, point): paths of their
        points.
    """
    drawer = Drawer(run, size, ghost, traces)
    time = drawer.checked_time(run.t[0] if t is None else t)
    found = Picture(drawer.image(time, frames_at(run, at_times(run.t, [time], "one time")).poses[0]))
    if path is not None:
        found.save(path)
    return found


class Drawer:
    """Draws any frame of a run, all with the same framing."""

    def __init__(self, run, size, ghost=False, traces=()):
        if not len(run.t):
            raise ModelError("picture", "the run has no samples", "there is nothing to draw", "Look at run.health.")
        self.run, self.size, moved = run, checked_size(size), frames(run, most=FRAMED_AT_MOST)
        drawn, large = with_details(scene(run.system), moved.travel), tuple(FINER * n for n in self.size)
        self.first, self.framing = moved.poses[0], framing(drawn, moved, large)
        self.scene = with_posts(drawn, self.framing.floor, moved.travel)
        self.paths = [piece for trace in traces_of(traces) for piece in path_of(run, self.scene, trace)]
        self.line = large[1] / 320
        self.painter, self.with_ghost = Painter(self.scene, self.framing, self.line), ghost
        self.still = (
            None
            if self.framing.follows
            else self.background(self.framing.camera, np.array(self.scene.box).mean(axis=0))
        )

    def background(self, camera: Camera, centre):
        """Floor and ghost."""
        floor = self.painter.air_and_floor(camera, centre)
        return self.painter.ghost(floor, camera, self.first) if self.with_ghost else floor

    def at_the_start(self) -> Picture:
        """The mechanism alone, without a time."""
        return Picture(self.image(self.run.t[0], self.first, ""))

    def image(self, time: float, poses, text: str | None = None):
        """Pillow's image of the poses of one frame. text: in its corner, the time unless given."""
        camera = self.framing.camera_at(poses)
        still = self.background(camera, middle(poses)) if self.still is None else self.still
        pixels = self.painter.paint(still, poses, self.traced(time))
        image = pillow()[0].frombytes("RGBX", camera.size, pixels.astype("<u4").tobytes())
        label(image, self.scene, camera, self.time_text(time) if text is None else text)
        return image.reduce(FINER).convert("RGB")

    def time_text(self, time: float) -> str:
        """With a unit and decimals by which three digits change during the run."""
        span = float(self.run.t[-1] - self.run.t[0])
        unit, size = next(((unit, size) for unit, size in UNITS if span >= 0.1 * size), UNITS[-1])
        decimals = int(np.clip(2 - np.floor(np.log10(span / size)), 0, 9)) if span > 0 else 3
        return f"{time / size:.{decimals}f} {unit}"

    def traced(self, time: float) -> list[Strip]:
        """Whole paths, thin, and what was gone of them until this time."""
        found = []
        for when, points, colour in self.paths:
            gone = int(np.searchsorted(when, time, side="right"))
            found.append(Strip(points, colour, 0.5))
            if gone > 1:
                found.append(Strip(points[:gone], colour, 1.2))
        return found

    def checked_time(self, t) -> float:
        first, last = float(self.run.t[0]), float(self.run.t[-1])
        if isinstance(t, bool) or not isinstance(t, (int, float, np.number)) or not first <= t <= last:
            raise ModelError(
                "picture", f"t is {t!r}", f"a time of the run is expected, {first:g} … {last:g} s", f"Write t={last:g}."
            )
        return float(t)


def checked_size(size) -> tuple[int, int]:
    fits = lambda n: isinstance(n, (int, np.integer)) and SMALLEST <= n <= LARGEST
    if not isinstance(size, (tuple, list)) or len(size) != 2 or not all(map(fits, size)):
        expected = f"pixels across and down are expected, each {SMALLEST} … {LARGEST}"
        raise ModelError("picture", f"size is {size!r}", expected, "Write size=(800, 600).")
    return int(size[0]), int(size[1])


def traces_of(traces) -> list:
    """(body, point) of each; a name alone is the origin of that body."""
    listed = [traces] if isinstance(traces, str) or is_pair(traces) else list(traces)
    return [one if is_pair(one) else (one, (0.0, 0.0, 0.0)) for one in listed]


def is_pair(one) -> bool:
    return isinstance(one, (tuple, list)) and len(one) == 2 and isinstance(one[0], str) and not isinstance(one[1], str)


def path_of(run, drawn, trace):
    """Times, points in the world, and colour of the pieces of a trace; it is cut where the motion is not known."""
    body, point = trace
    names = [body.name for body in drawn.bodies]
    body = getattr(body, "name", body)
    if body not in names:
        expected = f"names of bodies, or (body, point), are expected; the bodies are {', '.join(names)}"
        raise ModelError("traces", f"there is no body {body!r}", expected, did_you_mean(str(body), names).strip())
    try:
        point = np.array(point, float)
    except (TypeError, ValueError):
        point = np.zeros(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise ModelError(
            "traces",
            f"the point of {body!r} is {trace[1]!r}",
            "three numbers are expected",
            f'Write ("{body}", (0, 0, 0.1)).',
        )
    found = choice(Grid(Motion(run)), PATH_POINTS)
    points, colour = positions(run, body, found.sampling, point), drawn.bodies[names.index(body)].colour
    pieces = zip(np.split(found.sampling.time, found.jumps + 1), np.split(points, found.jumps + 1), strict=True)
    return [(when, piece, colour) for when, piece in pieces if len(when) > 1]
