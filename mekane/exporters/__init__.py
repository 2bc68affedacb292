"""Exporters: a file here writes results as one kind of file; installed packages add others by entry points
(mekane.exporters).

An exporter defines
    suffixes                        of its files, such as (".nc",)
    save(run, path, quantities)     writes the file; quantities: names to put in, None for what is usual

Equations are exported by `equations` in the languages of `languages`, whole models for other simulators by `fmu`."""

from mekane.plugins import FileFormats

EXPORTERS = FileFormats(
    "exporters",
    __name__,
    __path__,
    "results are written as",
    needs=("suffixes", "save"),
    others=("equations", "fmu", "languages"),
    default="netcdf",
)


def save(run, path, quantities=None):
    """Write a run to a file of the kind that its name ends in: .nc (NetCDF, which mk.load reads again), .csv (a table),
    .txt (a report), and what installed packages add.

    quantities: names ("arm.angle", …) to put in: besides the state in NetCDF, for other programs; as the columns of a
        table.
    """
    EXPORTERS.for_file(path).save(run, path, quantities)
