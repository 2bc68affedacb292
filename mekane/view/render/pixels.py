"""Colours and pixels. A pixel is one whole number, red + 256 green + 65536 blue: arrays of them are quick to fill."""

import numpy as np

SHADES, DARKEST, BRIGHTEST = 96, 0.2, 1.3  # of each colour


def rgb(colour: str) -> np.ndarray:
    """Of "#rrggbb"."""
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], float)


def scaled(colour: str, share: float) -> str:
    """A colour as bright as that share of it."""
    return "#" + "".join(f"{round(share * x):02x}" for x in rgb(colour))


def packed(colours) -> np.ndarray:
    """Colours (…, 3), 0 … 255, as whole numbers."""
    colours = np.asarray(colours)
    whole = colours if colours.dtype == np.uint8 else np.clip(np.round(colours), 0, 255)
    r, g, b = np.moveaxis(whole.astype(np.uint32), -1, 0)
    return r | g << np.uint32(8) | b << np.uint32(16)


def unpacked(pixels) -> np.ndarray:
    return np.stack([pixels & 255, pixels >> 8 & 255, pixels >> 16], axis=-1).astype(np.uint8)


def darker(pixels) -> np.ndarray:
    """In shadow: red, green and blue less by a sixteenth."""
    return pixels - (pixels >> np.uint32(4) & np.uint32(0x0F0F0F))


def fade(one: str, other: str) -> np.ndarray:
    """From the one colour to the other, as pixels."""
    return packed(rgb(one) + np.linspace(0, 1, SHADES)[:, None] * (rgb(other) - rgb(one)))


class Paints:
    """Every colour that is used, in all its shades."""

    def __init__(self):
        self.rows, self.table = {}, np.zeros((0, SHADES), np.uint32)

    def row(self, colour: str) -> int:
        """Where its shades are in the table."""
        if colour not in self.rows:
            self.rows[colour] = len(self.rows)
            self.table = np.vstack([self.table, packed(np.linspace(DARKEST, BRIGHTEST, SHADES)[:, None] * rgb(colour))])
        return self.rows[colour]

    def shaded(self, rows, level) -> np.ndarray:
        """Pixels; level: 0 … SHADES − 1."""
        return self.table.ravel()[SHADES * rows + level]


def level_of(brightness) -> np.ndarray:
    """Where a brightness is among the shades."""
    return (brightness - DARKEST) * ((SHADES - 1) / (BRIGHTEST - DARKEST))
