"""Numbers that are known by a distribution, for mk.monte_carlo: a value with a tolerance, a range.

Each is made of values with units; a spread may be a share of the mean, "5 %"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mekane.errors import ModelError
from mekane.model.values.units import quantity, shown

if TYPE_CHECKING:
    from mekane.model.types import NumberLike


class Distribution(NamedTuple):
    """A distribution by its kind and its numbers in SI; `given` are the arguments as they were given."""

    kind: str
    numbers: tuple[float, ...]
    given: tuple

    def quantiles(self, p):
        """Values below which a random one is with these probabilities (the inverse of its distribution function)."""
        return np.asarray(KINDS[self.kind](*self.numbers).ppf(np.asarray(p, float)), float)

    def __repr__(self):
        return f"{self.kind}({', '.join(map(str, self.given))})"


def normal(mean: NumberLike, sigma: NumberLike) -> Distribution:
    """A normal distribution.

    Parameters:
        mean: its mean, such as "4 kN/m".
        sigma: its standard deviation, "0.2 kN/m", or a share of the mean, "5 %".

    Example:
        stiffness = mk.normal("4 kN/m", "5 %")
        print(stiffness.quantiles([0.05, 0.5, 0.95]))
    """
    return Distribution("normal", (number(mean, "normal"), spread(sigma, mean, "normal")), (mean, sigma))


def uniform(low: NumberLike, high: NumberLike) -> Distribution:
    """A uniform distribution: all values of a range are equally likely.

    Parameters:
        low: the least value, with or without a unit.
        high: the greatest value.

    Example:
        friction = mk.uniform(0.1, 0.3)
        print(friction.quantiles(0.5))
    """
    ends = ordered("uniform", low=number(low, "uniform"), high=number(high, "uniform"))
    return Distribution("uniform", ends, (low, high))


def lognormal(median: NumberLike, sigma: float) -> Distribution:
    """A lognormal distribution, of what is positive and varies by factors.

    Parameters:
        median: half of the values are below it; positive, with or without a unit.
        sigma: the standard deviation of the logarithm; about the share by which values vary, if that is small.

    Example:
        damping = mk.lognormal("15 N s/m", 0.2)
        print(damping.quantiles([0.05, 0.95]))
    """
    middle, width = number(median, "lognormal"), number(sigma, "lognormal")
    if middle <= 0.0 or width <= 0.0:
        problem = f"median is {shown(median)} and sigma {shown(sigma)}"
        raise ModelError("lognormal", problem, "both must be greater than zero")
    return Distribution("lognormal", (middle, width), (median, sigma))


def triangular(low: NumberLike, mode: NumberLike, high: NumberLike) -> Distribution:
    """A triangular distribution: between two ends, most likely at a third value.

    Parameters:
        low: the least value, with or without a unit.
        mode: the most likely value.
        high: the greatest value.

    Example:
        length = mk.triangular("99 mm", "100 mm", "102 mm")
        print(length.quantiles(0.5))
    """
    ends = [number(x, "triangular") for x in (low, mode, high)]
    ordered("triangular", low=ends[0], high=ends[2])
    if not ends[0] <= ends[1] <= ends[2]:
        raise ModelError(
            "triangular", f"mode is {shown(mode)}", f"a value from {shown(low)} to {shown(high)} is expected"
        )
    return Distribution("triangular", tuple(ends), (low, mode, high))


def truncated_normal(mean: NumberLike, sigma: NumberLike, low: NumberLike, high: NumberLike) -> Distribution:
    """A normal distribution of which only what lies in a range is kept, as by an inspection.

    Parameters:
        mean: of the whole distribution, with or without a unit.
        sigma: its standard deviation, or a share of the mean, "5 %".
        low: the least value that is kept.
        high: the greatest value that is kept.

    Example:
        length = mk.truncated_normal("100 mm", "0.1 mm", "99.8 mm", "100.2 mm")
        print(length.quantiles([0.0, 1.0]))
    """
    ends = ordered("truncated_normal", low=number(low, "truncated_normal"), high=number(high, "truncated_normal"))
    middle = number(mean, "truncated_normal"), spread(sigma, mean, "truncated_normal")
    return Distribution("truncated_normal", (*middle, *ends), (mean, sigma, low, high))


def number(value: Any, part: str) -> float:
    return quantity(value, None, part)


def spread(sigma, mean, part):
    """A standard deviation; "5 %" is that share of the mean."""
    share = isinstance(sigma, str) and sigma.strip().endswith("%")
    width = number(sigma, part) * (abs(number(mean, part)) if share else 1.0)
    if not width > 0.0:
        problem = f"sigma is {shown(sigma)}" + (f" of {shown(mean)}" if share else "")
        raise ModelError(part, problem, "a standard deviation greater than zero is expected")
    return width


def ordered(part, low, high):
    if not low < high:
        raise ModelError(part, f"the ends are {low:g} and {high:g}", "the least value comes first")
    return low, high


def _normal(mean, sigma):
    from scipy import stats

    return stats.norm(mean, sigma)


def _uniform(low, high):
    from scipy import stats

    return stats.uniform(low, high - low)


def _lognormal(median, sigma):
    from scipy import stats

    return stats.lognorm(sigma, scale=median)


def _triangular(low, mode, high):
    from scipy import stats

    return stats.triang((mode - low) / (high - low), low, high - low)


def _truncated_normal(mean, sigma, low, high):
    from scipy import stats

    return stats.truncnorm((low - mean) / sigma, (high - mean) / sigma, mean, sigma)


KINDS = {
    "normal": _normal,
    "uniform": _uniform,
    "lognormal": _lognormal,
    "triangular": _triangular,
    "truncated_normal": _truncated_normal,
}
