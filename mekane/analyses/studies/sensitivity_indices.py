"""sensitivity_indices: which of the numbers that vary matter, by Sobol' or Morris; computed by SALib."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.studies.figures_of_studies import variable
from mekane.analyses.studies.sampling import OF_INDICES, from_salib, unit_points
from mekane.errors import ModelError

if TYPE_CHECKING:
    from xarray import Dataset


def sensitivity_indices(ds: Dataset, name: str | None = None) -> Dataset:
    """How much of the scatter of a measure comes from each number that varied.

    Parameters:
        ds: what mk.monte_carlo returned with sampling="saltelli" (Sobol' indices) or "morris".
        name: a variable with one number for each run; by default the first.

    Returns:
        Dataset: over `parameter`: first_order and total (Sobol'), with confidence intervals of 95 %; or mean, mean_abs and
            sigma of the elementary effects (Morris).

    Example:
        from mekane import gallery
        s = gallery.find("pendulum").system()
        vary = {"bob.mass": mk.uniform(1, 2), "hinge.rate": mk.uniform(0, 1)}
        ds = mk.monte_carlo(s, vary, n=8, sampling="saltelli", t_end=0.5, measure={"peak": "max(abs(hinge.angle))"})
        print(mk.sensitivity_indices(ds, "peak"))
    """
    sampling = ds.attrs.get("sampling")
    if sampling not in OF_INDICES:
        problem = f"it was sampled by {sampling!r}"
        remedy = 'Write mk.monte_carlo(…, sampling="saltelli").'
        raise ModelError("sensitivity_indices", problem, f"{' or '.join(map(repr, OF_INDICES))} is expected", remedy)
    name = variable(ds, name, lambda one: one.dims == ("run",))
    values = np.asarray(ds[name].values, float)
    bad = int((~np.isfinite(values)).sum())
    if bad:
        problem = f"{bad} of {len(values)} values of {name!r} are missing"
        raise ModelError("sensitivity_indices", problem, "its design needs them all", "Look at ds['message'].")
    names = [str(one) for one in ds.coords if ds[one].dims == ("run",) and one != "run"]
    return (of_sobol if sampling == "saltelli" else of_morris)(ds, name, names, values)


def of_sobol(ds, name, names, values):
    import xarray

    analyse = from_salib("SALib.analyze.sobol").analyze
    found = analyse(problem_of(names), values, calc_second_order=False, seed=int(ds.attrs["seed"]))
    columns = {"first_order": "S1", "first_order_confidence": "S1_conf", "total": "ST", "total_confidence": "ST_conf"}
    data = {key: ("parameter", np.asarray(found[theirs], float)) for key, theirs in columns.items()}
    return xarray.Dataset(data, {"parameter": names}, {"variable": name, "method": "Sobol'", "runs": len(values)})


def of_morris(ds, name, names, values):
    import xarray

    analyse = from_salib("SALib.analyze.morris").analyze
    points = unit_points("morris", int(ds.attrs["base_number"]), len(names), int(ds.attrs["seed"]))
    found = analyse(problem_of(names), points, values, seed=int(ds.attrs["seed"]))
    columns = {"mean": "mu", "mean_abs": "mu_star", "mean_abs_confidence": "mu_star_conf", "sigma": "sigma"}
    data = {key: ("parameter", np.asarray(found[theirs], float)) for key, theirs in columns.items()}
    return xarray.Dataset(data, {"parameter": names}, {"variable": name, "method": "Morris", "runs": len(values)})


def problem_of(names):
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}
