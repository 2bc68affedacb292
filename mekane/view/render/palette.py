"""One palette of 256 colours for all images of a film."""

import numpy as np
from scipy.spatial import cKDTree

from mekane.view.render.floor import AIR, LINE
from mekane.view.render.labels import INK, pillow
from mekane.view.render.pixels import darker, fade, packed, rgb, unpacked

COLOURS = 256
FLOOR = 8  # of the shades of its lines, one in so many
ALIKE = 3  # low bits of red, green and blue that do not make another colour when colours are counted


class Palette:
    """Chosen from some images; every colour of others is then replaced by the nearest, always the same, so that nothing
    flickers."""

    def __init__(self, images):
        self.colours = chosen(images)
        self.near, self.index, self.known = cKDTree(self.colours), np.zeros(2**24, np.uint8), np.zeros(2**24, bool)

    def of(self, image):
        """The image in the colours of the palette."""
        pixels = packed(np.asarray(image))
        unknown = np.unique(pixels[~self.known[pixels]])
        if len(unknown):
            self.index[unknown], self.known[unknown] = self.near.query(unpacked(unknown))[1], True
        found = pillow()[0].fromarray(self.index[pixels])
        found.putpalette(self.colours.astype(np.uint8).tobytes())  # this makes it one with a palette
        return found


def chosen(images) -> np.ndarray:
    """Colours of text and of the floor, in the light and in shadow, and what stands best for all others, each counted
    once."""
    Image, *_ = pillow()
    colours = np.unique(np.concatenate([packed(np.asarray(image)).ravel() for image in images]))
    few = colours[np.unique(colours & packed(np.full(3, 256 - 2**ALIKE)), return_index=True)[1]]
    floor = fade(AIR, LINE)[::FLOOR]
    fixed = np.vstack([rgb(INK), unpacked(floor), unpacked(darker(floor))])
    found = (
        Image.fromarray(unpacked(few)[None])
        .quantize(COLOURS - len(fixed), method=Image.Quantize.MEDIANCUT)
        .getpalette()
    )
    return np.vstack([fixed, np.reshape(found, (-1, 3))])[:COLOURS]
