"""Many ranges of whole numbers, one after the other, without a loop."""

import numpy as np


def ramps(first, counts) -> np.ndarray:
    """first[0], first[0] + 1, … (counts[0] of them), then first[1], …"""
    before = np.cumsum(counts) - counts
    return np.arange(int(np.sum(counts))) + np.repeat(first - before, counts)
