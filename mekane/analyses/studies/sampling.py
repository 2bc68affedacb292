"""Points of the unit cube, from which values of distributions are made: random, Latin hypercube, Sobol' sequence, and the
designs of sensitivity indices (SALib)."""

import numpy as np

from mekane.errors import ModelError, did_you_mean

SAMPLINGS = ("sobol", "latin", "random", "saltelli", "morris")
OF_INDICES = ("saltelli", "morris")
SALIB = "Install it: pip install SALib, or pip install mekane[sensitivity]."


def unit_points(sampling, n, dimensions, seed):
    """(runs, dimensions) between 0 and 1. The first runs of a Sobol' sequence or of random points do not depend on n."""
    if sampling not in SAMPLINGS:
        remedy = did_you_mean(str(sampling), SAMPLINGS).strip()
        raise ModelError("monte_carlo", f"sampling is {sampling!r}", f"there are {', '.join(SAMPLINGS)}", remedy)
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ModelError("monte_carlo", f"n is {n!r}", "a number of runs is expected", "Write n=1000.")
    if sampling in OF_INDICES:
        return design(sampling, n, dimensions, seed)
    if sampling == "random":
        return np.random.default_rng(seed).random((n, dimensions))
    from scipy.stats import qmc

    if sampling == "latin":
        return (
            qmc.LatinHypercube(dimensions, rng=seed).random(n)
            if takes_rng(qmc)
            else latin_before(qmc, dimensions, seed, n)
        )
    return sobol(qmc, dimensions, seed, n)


def takes_rng(qmc):
    """True where SciPy calls the seed `rng` (from 1.15 on)."""
    from inspect import signature

    return "rng" in signature(qmc.LatinHypercube.__init__).parameters


def latin_before(qmc, dimensions, seed, n):
    return qmc.LatinHypercube(dimensions, seed=seed).random(n)


def sobol(qmc, dimensions, seed, n):
    """Scrambled, so that no point lies on the border; n need not be a power of two, though it is best."""
    keyword = "rng" if takes_rng(qmc) else "seed"
    made = qmc.Sobol(dimensions, scramble=True, bits=30, **{keyword: seed})
    return made.random_base2(int(np.ceil(np.log2(max(n, 2)))))[:n]


def design(sampling, n, dimensions, seed):
    """The points at which SALib computes Sobol' or Morris indices; n is its base number."""
    problem = {
        "num_vars": dimensions,
        "names": [f"x{k}" for k in range(dimensions)],
        "bounds": [[0.0, 1.0]] * dimensions,
    }
    if sampling == "morris":
        from_salib("SALib.sample.morris")
        from SALib.sample import morris

        return inside(morris.sample(problem, int(n), seed=seed))
    from_salib("SALib.sample.sobol")
    from SALib.sample import sobol as saltelli

    return inside(saltelli.sample(problem, int(n), calc_second_order=False, seed=seed))


def inside(points):
    """Ends of unbounded distributions are left out."""
    return np.clip(points, 1e-6, 1.0 - 1e-6)


def from_salib(name):
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise ModelError("sensitivity indices", "SALib is not installed", "it computes them", SALIB) from None
