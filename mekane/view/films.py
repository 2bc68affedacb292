"""Images one after the other into a file: .gif, .png (APNG) and .webp by Pillow, .mp4 by ffmpeg."""

import shutil
import subprocess
from itertools import chain

import numpy as np

from mekane.errors import ModelError
from mekane.view.surroundings import AIR, INK, pillow, rgb

COLOURS = 256
SHADES = 3  # bits of a byte that a palette does not tell apart when colours are counted


def durations(count: int, fps: float, tick: int) -> list[int]:
    """Milliseconds of each frame, in whole ticks, whose sum is right wherever it is cut."""
    ends = np.round(np.arange(count + 1) * 1000 / (fps * tick)).astype(int) * tick
    return np.diff(ends).tolist()


def write_gif(path, images, count: int, fps: float, samples) -> None:
    """One palette for all frames, or colours would flicker; samples: some images, to find it."""
    colours = palette_of(samples)
    in_palette = (image.quantize(palette=colours, dither=0) for image in images)
    animated(path, in_palette, "GIF", duration=durations(count, fps, 10), disposal=1, optimize=False)


def palette_of(samples):
    """Colours of these images, each counted once however much there is of it, and those of the air and of the text."""
    Image, *_ = pillow()
    colours = np.concatenate([np.asarray(image).reshape(-1, 3)[::2] for image in samples])
    coarse = colours.astype(np.int32) >> SHADES
    _, first = np.unique((coarse[:, 0] << 16) | (coarse[:, 1] << 8) | coarse[:, 2], return_index=True)
    found = Image.fromarray(colours[first][None]).quantize(COLOURS - 2, method=Image.Quantize.MEDIANCUT)
    told = [*(int(x) for x in (*rgb(AIR), *rgb(INK))), *found.getpalette()][: 3 * COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette(told)
    return palette


def write_apng(path, images, count: int, fps: float, samples) -> None:
    animated(path, images, "PNG", read=list, duration=durations(count, fps, 1))  # Pillow reads them twice


def write_webp(path, images, count: int, fps: float, samples) -> None:
    from PIL import features

    if not features.check("webp"):
        raise ModelError("animation", "this Pillow cannot write .webp", "", "Write a .gif.")
    animated(path, images, "WEBP", duration=durations(count, fps, 1), quality=80, method=2)


def animated(path, images, kind: str, read=iter, **words) -> None:
    images = iter(images)
    next(images).save(path, format=kind, save_all=True, append_images=read(images), loop=0, **words)


def write_mp4(path, images, count: int, fps: float, samples) -> None:
    """Raw pixels into ffmpeg, which is in a session of its own: Ctrl-C is for us, and it ends the file when we have ended."""
    images = iter(images)
    first = next(images)
    said = [
        "-y",
        "-loglevel",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        f"{first.width}x{first.height}",
        "-r",
        f"{fps:g}",
        "-i",
        "-",
    ]
    kept = ["-an", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", str(path)]
    command = subprocess.Popen([ffmpeg(), *said, *kept], stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        for image in chain([first], images):
            command.stdin.write(image.tobytes())
    except BrokenPipeError:
        pass  # it has ended, and says why
    except BaseException:
        command.kill()
        raise
    finally:
        complaint = command.communicate()[1].decode(errors="replace").strip()
    if command.returncode:
        raise ModelError(
            "animation", f"ffmpeg failed ({complaint.splitlines()[-1] if complaint else 'it says nothing'})", "", "Write a .gif."
        )


def ffmpeg() -> str:
    """Where it is."""
    found = shutil.which("ffmpeg")
    if found is None:
        expected = "ffmpeg writes .mp4, and it is not on the PATH"
        raise ModelError("animation", "there is no ffmpeg", expected, "Install ffmpeg, or write a .gif, which needs nothing.")
    return found


WRITERS = {".gif": write_gif, ".mp4": write_mp4, ".webp": write_webp, ".png": write_apng}
