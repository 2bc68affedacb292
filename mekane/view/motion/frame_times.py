"""Which times of a run are shown: all samples, every k-th, or an even number of frames per second with what lies
between."""

from dataclasses import dataclass

import numpy as np

from mekane.errors import ModelError

ORDINALS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True)
class Sampling:
    """Frame i lies between the samples left[i] and left[i] + 1, at this share of the way."""

    time: np.ndarray
    left: np.ndarray
    share: np.ndarray
    text: str  # which frames these are

    @property
    def between(self) -> bool:
        return bool(np.any(self.share))

    def at(self, places, text: str | None = None) -> "Sampling":
        """Some of the frames."""
        return Sampling(self.time[places], self.left[places], self.share[places], text or self.text)

    def of(self, values) -> np.ndarray:
        """Numbers of every sample, at every frame; straight lines between samples."""
        values = np.asarray(values, float)
        if not self.between:
            return values[self.left]
        right = np.minimum(self.left + 1, len(values) - 1)
        share = self.share.reshape(-1, *[1] * (values.ndim - 1))
        return np.where(share == 0, values[self.left], (1 - share) * values[self.left] + share * values[right])


def sampling(t, fps: float | None = None, every: int | None = None, most: int | None = None) -> Sampling:
    """fps: frames per second of the motion; every: each k-th sample; most: as few of `every` as give no more frames
    than this."""
    t = np.asarray(t, float)
    if sum(value is not None for value in (fps, every, most)) > 1:
        raise ModelError(
            "frames", "fps, every and most are given together", "one of them is expected", "Leave out the others."
        )
    for name, value in (("fps", fps), ("every", every), ("most", most)):
        if value is not None and (not np.isfinite(value) or value <= 0 or (name != "fps" and int(value) != value)):
            wanted = "a number above zero" if name == "fps" else "a whole number above zero"
            raise ModelError(
                "frames", f"{name} is {value!r}", f"{wanted} is expected", f"Write {name}={30 if name == 'fps' else 3}."
            )
    if fps is not None and len(t) > 1:
        return even(t, float(fps))
    return thinned(t, int(every or 1) if most is None else step_for(len(t), int(most)))


def step_for(count: int, most: int) -> int:
    """Smallest step whose frames, with the last sample, are no more than `most`; at least two frames are kept."""
    return 1 if count <= most else -(-(count - 1) // max(most - 1, 1))


def thinned(t, step: int) -> Sampling:
    """Every k-th sample, and the last."""
    chosen = np.arange(0, len(t), step)
    if len(t) and chosen[-1] != len(t) - 1:
        chosen = np.append(chosen, len(t) - 1)
    text = "every sample" if step == 1 else f"every {ordinal(step)} sample, and the last"
    return Sampling(t[chosen], chosen, np.zeros(len(chosen)), text)


def even(t, fps: float) -> Sampling:
    """fps frames per second from the first sample on, and the last sample."""
    time = t[0] + np.arange(int(np.floor((t[-1] - t[0]) * fps * (1 + 1e-12))) + 1) / fps
    return at_times(
        t, np.append(time[time < t[-1]], t[-1]), f"{fps:g} frames per second, interpolated, and the last sample"
    )


def at_times(t, time, text: str) -> Sampling:
    """At these times, all within the samples."""
    t, time = np.asarray(t, float), np.asarray(time, float)
    left = np.clip(np.searchsorted(t, time, side="right") - 1, 0, max(len(t) - 2, 0))
    step = t[np.minimum(left + 1, len(t) - 1)] - t[left]
    share = np.where(step > 0, (time - t[left]) / np.where(step > 0, step, 1.0), 0.0)
    at_end = share == 1  # the sample itself, not what lies before it
    return Sampling(time, left + at_end, np.where(at_end, 0.0, share), text)


def ordinal(k: int) -> str:
    return f"{k}{'th' if 10 <= k % 100 <= 20 else ORDINALS.get(k % 10, 'th')}"


def extremes(t, values, most: int) -> Sampling:
    """At most `most` samples that keep the first, the last, and of every stretch the least and the largest of each
    component."""
    t, values = np.asarray(t, float), np.asarray(values, float).reshape(len(t), -1)
    if len(t) <= most:
        return thinned(t, 1)
    stretches = max(1, (most - 2) // (2 * values.shape[1]))
    bounds = np.linspace(0, len(t), stretches + 1).astype(int)
    chosen = {0, len(t) - 1}
    for first, end in zip(bounds, bounds[1:], strict=False):
        part = values[first:end]
        chosen.update(first + np.where(np.isnan(part), np.inf, part).argmin(axis=0))
        chosen.update(first + np.where(np.isnan(part), -np.inf, part).argmax(axis=0))
    chosen = np.array(sorted(int(k) for k in chosen))
    return Sampling(t[chosen], chosen, np.zeros(len(chosen)), f"least and largest of {stretches} stretches")
