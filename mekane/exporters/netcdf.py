"""Results as NetCDF: the state at the sampled times and the model itself, so that a file read back answers everything a
run does.

    variables   time [s], state (time, entry), gauge (time, row): joint coordinates that are not part of the state,
    turns counted; end_state: of the solver, for run.resume attributes  format, version, formulation, model (the system as
    JSON, with the keys of a model file), info (JSON)

Behind the end of the NetCDF file stands a checksum of all of it, which is verified before anything else is read
(mekane/files.py). Other programs do not look there, and read the file as any NetCDF; with `quantities` it also holds
those, by name and with units, for them to use.
"""

from __future__ import annotations

import json
import os
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from mekane.errors import FileError, ModelError
from mekane.exporters._unchecked import Unreadable, read, read_unchecked
from mekane.files import HDF5_SIGNATURE, checksum_holds, with_checksum, write
from mekane.importers.yaml import from_dict
from mekane.results.labels import time_axis
from mekane.results.result import Result

suffixes = (".nc",)
if TYPE_CHECKING:
    from os import PathLike


FORMAT, VERSION = "mekane result", 2
VERSIONS = (1, VERSION)  # the first had no checksum
RESULT = "a result saved with run.save(…) is expected"
AGAIN = "Copy the file again, or run the model again."


def save(run, path, quantities=None):
    """Write a run to a NetCDF file; `quantities` are names ("arm.angle", …) to put in as well, for other programs."""
    write(path, *with_checksum(in_memory(content_of(run, path, quantities or ()))))


def content_of(run, path, quantities):
    import xarray

    coords, data = {"time": time_axis(run.t)}, {}
    if run.record.y.size:
        integrals, works = ([f"{name}.{kind}" for name in names] for kind, names in
                            (("integral", run.compiled.integrals), ("work", run.compiled.elements)))  # fmt: skip
        coords["entry"] = [*run.compiled.coordinates, *run.compiled.speeds, *integrals, *works]
        data["state"] = (
            ("time", "entry"),
            run.record.y,
            {"long_name": "coordinates, speeds, integrals and work, SI units"},
        )
    if run.record.measurement.size:
        data["gauge"] = (
            ("time", "row"),
            run.record.measurement,
            {"long_name": "joint coordinates that are not part of the state, SI units"},
        )
    if run.record.discrete.size:
        coords["discrete_entry"] = run.compiled.discrete
        text = "inputs, variables, and what is active (1) or not (0)"
        data["discrete"] = (("time", "discrete_entry"), run.record.discrete, {"long_name": text})
    if run.end is not None:
        end = run.end if isinstance(run.end, bytes) else run.end.to_bytes()
        data["end_state"] = ("byte", np.frombuffer(end, np.uint8), {"long_name": "state of the solver, to go on from"})
    run.prepare(quantities)
    data |= {name.replace("/", "_"): run[name] for name in quantities}
    attrs = {
        "format": FORMAT, "version": VERSION, "formulation": run.compiled.formulation,
        "model": model_text(run, path), "info": json.dumps(info_of(run)),
    }  # fmt: skip
    return xarray.Dataset(data, coords, attrs)


def in_memory(content):
    """A Dataset as the bytes of a file. Written to a disk that is full, HDF5 would end the process."""
    import h5netcdf
    from xarray.backends import H5NetCDFStore

    data = BytesIO()
    with h5netcdf.File(data, "w") as file:
        content.dump_to_store(H5NetCDFStore(file))
    return data.getvalue()


def info_of(run):
    """How the run went, with the estimate of its error if that was made."""
    return run.info if run.known_error is None else run.info | {"error": run.known_error.to_dict()}


def model_text(run, path):
    try:
        return json.dumps(run.system.to_dict())
    except ModelError as error:
        problem = f"it would hold the model, but {error.part}: {error.problem}"
        remedy = f"{error.remedy} Numbers alone can be kept with to_csv."
        raise FileError(f"file {str(path)!r}", problem, error.expected, remedy) from None


def load(path: str | PathLike[str]) -> Result:
    """The run in a NetCDF file written by run.save.

    Parameters:
        path: the file.

    Example:
        from mekane import gallery
        run = mk.simulate(gallery.find("pendulum").system(), 1.0)
        run.save("run.nc")
        assert mk.load("run.nc") == run
    """
    part = f"file {str(path)!r}"
    refuse_missing(path, part)
    checked = checksum_holds(path)
    if checked is False:
        raise FileError(part, "it is damaged: its checksum is not that of its content", RESULT, AGAIN)
    content = content_from(path, part, checked)
    version = content.attrs.get("version")
    if content.attrs.get("format") != FORMAT:
        raise FileError(part, "it was not written by Mekane", RESULT, "Is it the right file?")
    if version not in VERSIONS:
        raise FileError(
            part,
            f"it has version {version} of the format",
            f"this Mekane reads {VERSIONS}",
            "Use the Mekane that wrote it.",
        )
    if version == VERSION and not checked:
        raise FileError(
            part, "its checksum is missing: it is cut off, damaged, or was changed by another program", RESULT, AGAIN
        )
    try:
        return result_from(content, checked)
    except Exception as error:  # what nobody vouches for may be wrong in every way
        raise FileError(part, f"its content is damaged ({error})", RESULT, AGAIN) from error


def refuse_missing(path, part):
    if os.path.isdir(path):
        raise FileError(part, "it is a folder", RESULT, "Name a file in it.")
    if not os.path.isfile(path):
        raise FileError(part, "there is no such file", remedy="Check the path.")


def content_from(path, part, checked):
    """The whole file as a Dataset. What has no checksum is examined from outside first, then read under limits."""
    try:
        if not checked:
            refuse_from_outside(path)
        return read(path) if checked else read_unchecked(path)
    except Unreadable as error:
        raise FileError(part, str(error), RESULT, "Is it the right file, and all of it?") from None


def refuse_from_outside(path):
    """What a few bytes show: no HDF5 file, not all of it, or more than that."""
    with open(path, "rb") as file:
        begin = file.read(48)
    if not begin:
        raise Unreadable("it is empty")
    if not begin.startswith(HDF5_SIGNATURE):
        raise Unreadable("it is not a NetCDF file")
    there, whole = os.path.getsize(path), size_of_hdf5(begin)
    if there < whole:
        raise Unreadable(f"it is cut off or damaged: it should have {whole} bytes and has {there}")
    if there > whole > 0:
        raise Unreadable("it is damaged: what stands behind its end is no checksum, or only part of one")


def size_of_hdf5(begin):
    """What the superblock states (HDF5 file format specification, section II.A); 0 if it is of a kind that is not known
    here."""
    place = {0: 40, 2: 28, 3: 28}.get(begin[8] if len(begin) == 48 else 0)
    return 0 if place is None else int.from_bytes(begin[place : place + 8], "little")


def result_from(content, checked):
    from mekane.compiler.compiler import compile_system
    from mekane.solvers.state import Record

    system = from_dict(json.loads(content.attrs["model"]))
    compiled = compile_system(system, content.attrs["formulation"])
    t = times(content)
    y = block(content, "state", len(t), compiled.n_q + compiled.n_u + compiled.n_work)
    measurement = block(content, "gauge", len(t), len(compiled.tables.row_i))
    info = json.loads(content.attrs["info"])
    if not checked:
        info["notes"] = [
            *info.get("notes", ()),
            "read from a file without a checksum: damage to it would not have been noticed",
        ]
    discrete = block(content, "discrete", len(t), len(compiled.discrete))
    end = content["end_state"].values.tobytes() if "end_state" in content else None
    return Result(system, compiled, Record(t, y, measurement, discrete), info, end)


def times(content):
    """Times of the samples, which must be there and in order."""
    if "time" not in content.variables:
        raise ValueError("it has no times")
    t = np.ascontiguousarray(content["time"].values, float)
    if t.ndim != 1 or not np.all(np.isfinite(t)) or np.any(np.diff(t) < 0):
        raise ValueError("its times do not follow each other")
    return t


def block(content, name, n, width):
    """A variable over time that has so many columns by the model; empty ones are not written."""
    if n * width == 0:
        return np.zeros((n, width))
    values = np.ascontiguousarray(content[name].values, float)
    if values.shape != (n, width):
        raise ValueError(f"{name} has the shape {values.shape}, the model needs {(n, width)}")
    return values
