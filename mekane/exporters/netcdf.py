"""Results as NetCDF: the state at the sampled times and the model itself, so that a file read back answers everything a run does.

    variables   time [s], state (time, entry), gauge (time, row): joint coordinates that are not part of the state, turns counted
    attributes  format, version, formulation, model (the system as JSON, in the words of a model file), info (JSON)

Other programs read the file as any NetCDF; with `quantities` it also holds those, by name and with units, for them to use.
"""

import json
import os
import warnings

import numpy as np

from mekane.errors import FileError, MekaneError, ModelError
from mekane.exporters._writing import replacing
from mekane.importers.yaml import from_dict
from mekane.results.labels import time_axis
from mekane.results.result import Result

FORMAT, VERSION = "mekane result", 1
RESULT = "a result saved with run.save(…) is expected"
SIGNATURE = b"\x89HDF\r\n\x1a\n"
ENGINE = "h5netcdf"


def save(run, path, quantities=()):
    """Write a run to a NetCDF file; `quantities` are names ("arm.angle", …) to put in as well, for other programs."""
    content = content_of(run, path, quantities)
    with replacing(path) as beside:
        content.to_netcdf(beside, engine=ENGINE)


def content_of(run, path, quantities):
    import xarray

    coords, data = {"time": time_axis(run.t)}, {}
    if run.record.y.size:
        integrals, works = ([f"{name}.{word}" for name in names] for word, names in
                            (("integral", run.compiled.integrals), ("work", run.compiled.elements)))  # fmt: skip
        coords["entry"] = [*run.compiled.coordinates, *run.compiled.speeds, *integrals, *works]
        data["state"] = (("time", "entry"), run.record.y, {"long_name": "coordinates, speeds, integrals and work, SI units"})
    if run.record.gauge.size:
        data["gauge"] = (("time", "row"), run.record.gauge, {"long_name": "joint coordinates that are not part of the state, SI units"})
    run.prepare(quantities)
    data |= {name.replace("/", "_"): run[name] for name in quantities}
    attrs = {
        "format": FORMAT, "version": VERSION, "formulation": run.compiled.formulation,
        "model": model_text(run, path), "info": json.dumps(run.info),
    }  # fmt: skip
    return xarray.Dataset(data, coords, attrs)


def model_text(run, path):
    try:
        return json.dumps(run.system.to_dict())
    except ModelError as error:
        problem = f"it would hold the model, but {error.part}: {error.problem}"
        remedy = f"{error.remedy} Numbers alone can be kept with to_csv."
        raise FileError(f"file {str(path)!r}", problem, error.expected, remedy) from None


def load(path):
    """The Result in a NetCDF file written by `save`."""
    part = f"file {str(path)!r}"
    content = read(path, part)
    if content.attrs.get("format") != FORMAT:
        raise FileError(part, "it was not written by Mekane", RESULT, "Is it the right file?")
    if content.attrs.get("version") != VERSION:
        problem = f"it has version {content.attrs.get('version')} of the format"
        raise FileError(part, problem, f"this Mekane reads version {VERSION}", "Use the Mekane that wrote it.")
    try:
        return result_from(content)
    except (MekaneError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise FileError(part, f"its content is damaged ({error})", RESULT, "Run the model again.") from error


def read(path, part):
    """The whole file as a Dataset."""
    import xarray

    if os.path.isdir(path):
        raise FileError(part, "it is a folder", RESULT, "Name a file in it.")
    if not os.path.isfile(path):
        raise FileError(part, "there is no such file", remedy="Check the path.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about files of other programs, which are refused below
            with xarray.open_dataset(path, engine=ENGINE, decode_times=False, phony_dims="access") as opened:
                return opened.load()
    except Exception as error:  # the readers below have many ways to say that a file is not theirs
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileError(part, unreadable(path, said), RESULT, "Is it the right file, and all of it?") from None


def unreadable(path, said):
    """Why a file is no NetCDF file."""
    with open(path, "rb") as file:
        begin = file.read(len(SIGNATURE))
    if not begin:
        return "it is empty"
    return f"it is cut off or damaged ({said})" if begin == SIGNATURE else "it is not a NetCDF file"


def result_from(content):
    from mekane.compile.compiled import compile_system
    from mekane.solvers.state import Record

    system = from_dict(json.loads(content.attrs["model"]))
    compiled = compile_system(system, content.attrs["formulation"])
    t = times(content)
    y = block(content, "state", len(t), compiled.n_q + compiled.n_u + compiled.n_work)
    gauge = block(content, "gauge", len(t), len(compiled.tables.row_i))
    return Result(system, compiled, Record(t, y, gauge), json.loads(content.attrs["info"]))


def times(content):
    """Times of the samples, which must be there and in order."""
    if "time" not in content.variables:
        raise ValueError("it has no times")
    t = np.ascontiguousarray(content["time"].values, float)
    if t.ndim != 1 or not np.all(np.isfinite(t)) or np.any(np.diff(t) < 0):
        raise ValueError("its times do not follow each other")
    return t


def block(content, name, n, width):
    """A variable over time that the model says has so many columns; empty ones are not written."""
    if n * width == 0:
        return np.zeros((n, width))
    values = np.ascontiguousarray(content[name].values, float)
    if values.shape != (n, width):
        raise ValueError(f"{name} has the shape {values.shape}, the model needs {(n, width)}")
    return values
