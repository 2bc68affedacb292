"""Numbers with names, as xarray has them. xarray is loaded here and only when first needed, because that takes a
while."""

XYZ = ("x", "y", "z")
QUATERNION = ("e1", "e2", "e3", "e4")
DIMENSION = {XYZ: "axis", QUATERNION: "quaternion"}


def labelled(t, values, units, long_name, labels=None, name=None):
    """A DataArray over time, or over time and the axis with these labels."""
    import xarray

    dims, coords = ["time"], {"time": time_axis(t)}
    if labels:
        dims.append(DIMENSION.get(labels, "axis"))
        coords[dims[1]] = list(labels)
    return xarray.DataArray(values, coords, dims, name, {"units": units, "long_name": long_name})


def time_axis(t):
    return ("time", t, {"units": "s", "long_name": "time"})


def dataset(t, variables, coords=None, attrs=None):
    """A Dataset over time of {name: (dimensions after time, values, units, long_name)}."""
    import xarray

    data = {
        name: (("time", *dims), values, {"units": units, "long_name": long_name})
        for name, (dims, values, units, long_name) in variables.items()
    }
    return xarray.Dataset(data, {"time": time_axis(t), **(coords or {})}, attrs)
