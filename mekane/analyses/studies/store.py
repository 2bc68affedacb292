"""A study in a file: while it is conducted every chunk of runs is a file of its own beside it, written whole or not at
all; at the end they become one NetCDF file, region by region, so that no study has to fit in memory.

    sweep.nc            the result; attribute `identity`: by what another study is recognised
    sweep.nc.parts/     identity.json, and a file for each chunk: its runs, what came of them, a checksum

A study that was interrupted goes on with the runs that are missing. Whatever is in another study's place is refused."""

import hashlib
import json
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from mekane.analyses.batch.runs import DONE, MISSING
from mekane.analyses.studies.dataset import MESSAGE_ATTRS, STATUS_ATTRS, attributes, coordinate_names, coordinates
from mekane.analyses.studies.study import Block
from mekane.analyses.studies.versions import versions
from mekane.errors import FileError, ModelError
from mekane.files import counted, replacing, with_checksum, write
from mekane.solvers.checkpoint import archive, read_archive

SMALL = 64e6  # bytes: a result of at most so many is read into memory
OTHER = "Give another file, or delete this one."


class Store:
    """Collects the runs of a study in files; stands where Collected has arrays."""

    def __init__(self, study, axes, path):
        self.study, self.axes, self.count, self.path = study, axes, axes.count, checked_path(path)
        self.parts = self.path.with_name(self.path.name + ".parts")
        self.identity = identity_of(study, axes)
        self.status, self.messages, self.engine, self.reason = np.full(axes.count, MISSING, np.int8), {}, "", ""
        self.most_steps = 0  # of any run
        self.whole = self.path.exists() and self.read_result()
        if not self.whole:
            self.read_parts()

    @property
    def part(self):
        return f"file {str(self.path)!r}"

    def missing(self):
        """Numbers of the runs that are still to be computed."""
        return np.flatnonzero(self.status == MISSING)

    # ---------------------------------------------------------------- what is there

    def read_result(self):
        """True if the file holds this study, whole; another study raises."""
        import xarray

        try:
            with xarray.open_dataset(self.path, engine="h5netcdf") as ds:
                self.refuse_other(json.loads(ds.attrs.get("identity", "{}")), self.part)
                self.status[:] = ds["status"].values.ravel()
                self.engine, self.reason = ds.attrs["engine"], ds.attrs["engine_reason"]
        except (OSError, ValueError, KeyError) as error:
            raise FileError(self.part, f"it is no study of Mekane ({error})", "a file of its own", OTHER) from None
        if (self.status == MISSING).any():
            self.status[:] = MISSING  # the parts beside it know
            return False
        texts = messages_in(self.path).values.ravel() if (self.status != DONE).any() else ()
        self.messages = {k: text for k, text in enumerate(texts) if text}
        return True

    def read_parts(self):
        """Take over what is there of this study."""
        note = self.parts / "identity.json"
        if not note.exists():
            self.parts.mkdir(exist_ok=True)
            write(note, json.dumps(self.identity))
            return
        self.refuse_other(json.loads(note.read_text(encoding="utf-8")), f"folder {str(self.parts)!r}")
        for runs, block in self.blocks():
            self.note(runs, block)

    def refuse_other(self, found, part):
        other = [name for name, value in self.identity.items() if found.get(name) != value]
        if other:
            expected = "it goes on with the same model, values, options and version of Mekane"
            raise FileError(part, f"it is of another study: {', '.join(other)} differ", expected, OTHER)

    def blocks(self):
        """(runs, Block) of every part that is whole; a damaged one is deleted, and computed again."""
        for file in sorted(self.parts.glob("runs-*.npz")):
            try:
                yield block_from(read_archive(file, f"file {str(file)!r}", "a chunk of a study", ""))
            except FileError:
                file.unlink(missing_ok=True)

    # ---------------------------------------------------------------- what is new

    def add(self, runs, block):
        """Write a chunk. Runs that are missing in it are left out."""
        kept = np.flatnonzero(block.status != MISSING)
        if not len(kept):
            return
        runs, block = np.asarray(runs)[kept], part_of(block, kept)
        file = self.parts / f"runs-{runs[0]:012d}-{runs[-1]:012d}.npz"
        try:
            write(file, *with_checksum(bytes_of(runs, block)))
        except FileError as error:
            done = int((self.status != MISSING).sum())
            remedy = f"{error.remedy} The {done} runs that are done are kept in {self.parts}: repeat the call to go on."
            raise FileError(error.part, error.problem, error.expected, remedy) from None
        self.note(runs, block)

    def note(self, runs, block):
        self.status[runs] = block.status
        self.messages |= {int(runs[k]): text for k, text in block.messages.items()}
        self.most_steps = max(self.most_steps, int(block.steps.max(initial=0)))
        if block.engine:
            self.engine, self.reason = block.engine, block.reason

    # ---------------------------------------------------------------- the file

    def finish(self):
        """The Dataset: all parts in one file, read into memory if it is small. Parts go if nothing is missing."""
        if not self.whole:
            self.assemble()
            if not len(self.missing()):
                shutil.rmtree(self.parts, ignore_errors=True)
        return opened(self.path)

    def assemble(self):
        import h5netcdf
        import xarray

        dims = coordinate_names(self.study, self.axes)
        attrs = attributes(self.study, self.axes, self) | {"identity": json.dumps(self.identity)}
        empty = xarray.Dataset({}, coordinates(self.study, self.axes, dims), attrs)
        with without_cluster(), replacing(self.path, size=self.bytes) as beside:
            empty.to_netcdf(beside, engine="h5netcdf")
            with h5netcdf.File(beside, "a") as file:
                self.fill(file, tuple(dims.values()))

    @property
    def bytes(self):
        each = sum(8 * int(np.prod(one.shape)) for one in self.study.variables.values())
        return self.count * (each + 1)

    def fill(self, file, dims):
        import h5py

        made = {}
        for name, one in self.study.variables.items():
            for dim, size in zip(one.dims, one.shape, strict=True):
                if dim not in file.dimensions:
                    file.dimensions[dim] = size
            made[name] = file.create_variable(name, (*dims, *one.dims), float, fillvalue=np.nan)
            made[name].attrs.update({"units": one.unit, "long_name": one.long_name})
        texts = file.create_variable("message", dims, h5py.string_dtype())
        texts.attrs.update(MESSAGE_ATTRS)
        status = file.create_variable("status", dims, np.int8)
        status.attrs.update(STATUS_ATTRS)
        status[...] = self.status.reshape(self.axes.shape)
        for runs, block in self.blocks():
            self.fill_from(made, runs, block)
        for box, low, high in boxes(0, self.count, self.axes.shape):
            found = [self.messages.get(k, "") for k in range(low, high)]
            texts[box] = np.array(found, object).reshape(extent(box, self.axes.shape))

    def fill_from(self, made, runs, block):
        for begin, end in ranges(runs):
            for box, low, high in boxes(int(runs[begin]), int(runs[end - 1]) + 1, self.axes.shape):
                rows = slice(begin + low - int(runs[begin]), begin + high - int(runs[begin]))
                for name, variable in made.items():
                    values = block.data[name][rows]
                    variable[box] = values.reshape(*extent(box, self.axes.shape), *values.shape[1:])


@contextmanager
def without_cluster():
    """xarray would have a file locked by the scheduler of a dask client, which may be lost."""
    if "dask" not in sys.modules:
        yield
        return
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


def checked_path(path):
    path = Path(path).expanduser()
    if path.suffix != ".nc":
        expected = "studies are written as .nc"
        raise FileError(str(path), f"its name ends in {path.suffix!r}", expected, f"Write {path.with_suffix('.nc')}.")
    if not path.absolute().parent.is_dir():
        raise FileError(str(path.parent), "there is no such folder", remedy="Make it, or name another.")
    return path


def identity_of(study, axes):
    """By what another study is recognised: digests of the model, of the values, of what is computed and by which
    program."""
    try:
        data = study.to_dict()
    except ModelError as error:
        problem = f"a study in a file is recognised by its model, but {error.part}: {error.problem}"
        raise ModelError("sweep, to", problem, error.expected, f"{error.remedy} Or leave out to=.") from None
    values = {name: digest(str(values.dtype) + str(axes.shape), values.astype("U") if values.dtype == object else values)
              for name, (_, values) in axes.columns.items()}  # fmt: skip
    pieces = dict(model=data.pop("model"), values=values, times=data.pop("times"), what=data)
    found = {name: digest(json.dumps(piece, sort_keys=name != "model")) for name, piece in pieces.items()}
    return found | {"version": f"{versions()['mekane']} {versions()['program']}"}


def digest(text, array=None):
    made = hashlib.sha256(text.encode())
    if array is not None:
        made.update(np.ascontiguousarray(array).tobytes())
    return made.hexdigest()


def opened(path):
    """The Dataset of a file: in memory if it is small, else read when needed. Sentences are Python's texts: most are
    empty, and NumPy's own would all be as long as the longest."""
    import xarray

    ds = xarray.open_dataset(path, engine="h5netcdf")
    if ds.nbytes > SMALL:
        return ds
    ds.close()
    with xarray.open_dataset(path, engine="h5netcdf", drop_variables=["message"]) as found:
        return found.load().assign(message=messages_in(path))


def messages_in(path):
    import h5netcdf
    import xarray

    with h5netcdf.File(path, "r", decode_vlen_strings=True) as file:
        texts = np.asarray(file["message"][...], object)
        return xarray.DataArray(texts, dims=file["message"].dimensions, attrs=MESSAGE_ATTRS)


# ---------------------------------------------------------------- parts


def bytes_of(runs, block):
    arrays = {f"data.{name}": values for name, values in block.data.items()}
    noted = dict(
        messages={str(k): text for k, text in block.messages.items()}, engine=block.engine, reason=block.reason
    )
    return archive(arrays | {"runs": runs, "status": block.status, "steps": block.steps}, noted=noted)


def block_from(arrays):
    noted = json.loads(str(arrays["noted"]))
    data = {name.removeprefix("data."): values for name, values in arrays.items() if name.startswith("data.")}
    messages = {int(k): text for k, text in noted["messages"].items()}
    return arrays["runs"], Block(data, arrays["status"], arrays["steps"], messages, noted["engine"], noted["reason"])


def part_of(block, kept):
    place = {int(k): i for i, k in enumerate(kept)}
    data = {name: values[kept] for name, values in block.data.items()}
    messages = {place[k]: text for k, text in block.messages.items() if k in place}
    return block._replace(data=data, status=block.status[kept], steps=block.steps[kept], messages=messages)


# ---------------------------------------------------------------- regions


def ranges(runs):
    """(begin, end) of pieces of rising numbers without a gap."""
    edges = [0, *(np.flatnonzero(np.diff(runs) != 1) + 1).tolist(), len(runs)]
    return [(a, b) for a, b in zip(edges, edges[1:], strict=False) if b > a]


def boxes(low, high, shape):
    """(slices, low, high): boxes of a grid of this shape that make up the flat numbers from low to high."""
    if len(shape) == 1:
        return [((slice(low, high),), low, high)] if high > low else []
    inner = int(np.prod(shape[1:]))
    first, last = -(-low // inner), high // inner  # rows that are whole
    if first > last:  # within one row
        return within(last, low, high, shape, inner)
    found = within(first - 1, low, first * inner, shape, inner) if first * inner > low else []
    if last > first:
        found.append(((slice(first, last), *(slice(0, n) for n in shape[1:])), first * inner, last * inner))
    return found + (within(last, last * inner, high, shape, inner) if high > last * inner else [])


def within(row, low, high, shape, inner):
    start = row * inner
    return [
        ((slice(row, row + 1), *box), start + a, start + b) for box, a, b in boxes(low - start, high - start, shape[1:])
    ]


def extent(box, shape):
    return tuple(len(range(*one.indices(n))) for one, n in zip(box, shape, strict=True))


def refuse_small_disk(store):
    """Before anything runs: raise if the disk cannot hold the parts and the file."""
    free, needed = shutil.disk_usage(store.path.absolute().parent).free, 2 * store.bytes
    if needed > free:
        problem = f"the study needs {counted(needed)}, and {counted(free)} are free"
        raise FileError(store.part, problem, "parts and the file beside them", "Keep less, or write to another disk.")
