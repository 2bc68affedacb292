"""Images one after the other into a file: .gif, .png (APNG) and .webp by Pillow, .mp4 by ffmpeg."""

import shutil
import subprocess
from itertools import chain

import numpy as np

from mekane.errors import ModelError
from mekane.view.render.palette import Palette


def durations(count: int, fps: float, tick: int) -> list[int]:
    """Milliseconds of each frame, in whole ticks, whose sum is right wherever it is cut."""
    ends = np.round(np.arange(count + 1) * 1000 / (fps * tick)).astype(int) * tick
    return np.diff(ends).tolist()


def write_gif(path, images, count: int, fps: float, samples) -> None:
    """One palette for all frames, or colours would flicker; samples: some images, to find it."""
    palette = Palette(samples)
    animated(path, map(palette.of, images), "GIF", duration=durations(count, fps, 10), disposal=1, optimize=False)


def write_apng(path, images, count: int, fps: float, samples) -> None:
    animated(path, images, "PNG", read=list, duration=durations(count, fps, 1))  # Pillow reads them twice


def write_webp(path, images, count: int, fps: float, samples) -> None:
    from PIL import features

    if not features.check("webp"):
        raise ModelError("animation", "this Pillow cannot write .webp", "", "Write a .gif.")
    animated(path, images, "WEBP", duration=durations(count, fps, 1), quality=80, method=2)


def animated(path, images, kind: str, read=iter, **options) -> None:
    images = iter(images)
    next(images).save(path, format=kind, save_all=True, append_images=read(images), loop=0, **options)


def write_mp4(path, images, count: int, fps: float, samples) -> None:
    """Raw pixels into ffmpeg, which is in a session of its own: Ctrl-C is for us, and it ends the file when we have
    ended."""
    images = iter(images)
    first = next(images)
    size = f"{first.width}x{first.height}"
    options = [
        "-y",
        "-loglevel",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        size,
        "-r",
        f"{fps:g}",
        "-i",
        "-",
    ]
    kept = ["-an", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", str(path)]
    command = subprocess.Popen(
        [ffmpeg(), *options, *kept], stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        for image in chain([first], images):
            command.stdin.write(image.tobytes())
    except BrokenPipeError:
        pass  # it has ended, with a message
    except BaseException:
        command.kill()
        raise
    finally:
        message = command.communicate()[1].decode(errors="replace").strip()
    if command.returncode:
        reason = message.splitlines()[-1] if message else f"it ended with {command.returncode}"
        raise ModelError("animation", f"ffmpeg failed ({reason})", "", "Write a .gif, which does without it.")


def ffmpeg() -> str:
    """Where it is."""
    found = shutil.which("ffmpeg")
    if found is None:
        expected = "ffmpeg writes .mp4, and it is not on the PATH"
        raise ModelError(
            "animation", "there is no ffmpeg", expected, "Install ffmpeg, or write a .gif, which needs nothing."
        )
    return found


WRITERS = {".gif": write_gif, ".mp4": write_mp4, ".webp": write_webp, ".png": write_apng}
