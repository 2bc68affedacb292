"""Write a small picture of every mechanism of the gallery, or of those that are named.   python docs/make_pictures.py
[NAME …]"""

import sys
from pathlib import Path

from mekane import gallery
from mekane.view.render.palette import Palette

FOLDER = Path(__file__).parent / "pictures"
SIZE = (400, 300)
LONGEST = 4.0  # seconds of the motion that are looked at
WHEN = 0.3  # share of them at which it is drawn


def drawn(mechanism):
    """In a palette of its own: a page has many of them, and they are small then."""
    run = mechanism.run(t_end=min(mechanism.t_end, LONGEST))
    picture = run.picture(t=float(run.t[int(WHEN * (len(run.t) - 1))]), size=SIZE)
    return Palette([picture.image]).of(picture.image)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for mechanism in [gallery.find(name) for name in sys.argv[1:]] or gallery.mechanisms():
        drawn(mechanism).save(FOLDER / f"{mechanism.name}.png", optimize=True)
