"""Write a small picture of every mechanism of the gallery, or of those that are named.   python docs/make_pictures.py
[NAME …]   With --film, the film that the README begins with."""

import sys
from pathlib import Path

from mekane import gallery
from mekane.view.render.palette import Palette

FOLDER = Path(__file__).parent / "pictures"
SIZE = (400, 300)
LONGEST = 4.0  # seconds of the motion that are looked at
FILM, PATH = FOLDER.parent / "films" / "squeezer.webp", ("K2", (0, 0, 0))  # the path of the coupler's mass centre
WHEN = 0.3  # share of them at which it is drawn


def drawn(mechanism):
    """In a palette of its own: a page has many of them, and they are small then."""
    run = mechanism.run(t_end=min(mechanism.t_end, LONGEST))
    picture = run.picture(t=float(run.t[int(WHEN * (len(run.t) - 1))]), size=SIZE)
    return Palette([picture.image]).of(picture.image)


def film():
    """Of the README: Andrews' squeezing mechanism, 30 ms of it, slowed down a hundred times."""
    run = gallery.find("squeezer").run()
    return run.animation(FILM, fps=15, size=(480, 320), seconds=3, traces=[PATH])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    if "--film" in sys.argv[1:]:
        sys.exit(print(film()))
    for mechanism in [gallery.find(name) for name in sys.argv[1:]] or gallery.mechanisms():
        drawn(mechanism).save(FOLDER / f"{mechanism.name}.png", optimize=True)
