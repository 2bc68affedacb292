"""The result of a study as an xarray.Dataset: a dimension for what varies, units, how each run ended."""

import json
from collections import Counter

import numpy as np

from mekane.analyses.batch.runs import DONE, INACCURATE, MISSING
from mekane.analyses.batch.varied_system import unit_of
from mekane.analyses.studies.axes import is_choice
from mekane.analyses.studies.versions import versions
from mekane.results.labels import time_axis

# in the order of the outcomes
STATUS = ("done", "step_vanished", "not_finite", "too_long", "failed", "missing", "inaccurate")
STATUS_ATTRS = {
    "long_name": "how the run ended",
    "flag_values": np.arange(len(STATUS), dtype=np.int8),
    "flag_meanings": " ".join(STATUS),
}
MESSAGE_ATTRS = {"long_name": "why the run failed, or is inaccurate"}


def dataset(study, axes, collected):
    """The Dataset of arrays in memory."""
    import xarray

    shape, dims = axes.shape, coordinate_names(study, axes)
    data = {}
    for name, one in study.variables.items():
        attrs = {"units": one.unit, "long_name": one.long_name}
        data[name] = ((*dims.values(), *one.dims), collected.data[name].reshape(*shape, *one.shape), attrs)
    data["status"] = (tuple(dims.values()), collected.status.reshape(shape), STATUS_ATTRS)
    data["message"] = (tuple(dims.values()), message_array(collected, shape), MESSAGE_ATTRS)
    return xarray.Dataset(data, coordinates(study, axes, dims), attributes(study, axes, collected))


def message_array(collected, shape):
    texts = np.full(collected.count, "", object)
    for k, text in collected.messages.items():
        texts[k] = text
    return texts.reshape(shape)


def coordinate_names(study, axes):
    """Dimension of a study → its name in the Dataset, which differs where a variable has it: a coordinate at the start
    that is kept over time, too."""
    taken = {*study.variables, "status", "message", *(dim for one in study.variables.values() for dim in one.dims)}
    return {name: f"initial {name}" if name in taken else name for name in axes.names}


def coordinates(study, axes, dims):
    found = {}
    for axis in axes.axes:
        for name, values in axis.columns.items():
            label = dims[axis.name] if name == axis.name else name
            unit = "" if is_choice(study.system, name) else unit_of(study.system, name)
            values = values.astype(str) if values.dtype == object else values
            found[label] = (dims[axis.name], values, {"units": unit, "long_name": name})
    for one in study.variables.values():
        if "time" in one.dims:
            found["time"] = time_axis(study.times)
        found |= {dim: (dim, labels) for dim, labels in one.labels.items()}
    return found


def attributes(study, axes, collected):
    tolerances = {
        name: study.settings[name] for name in ("rtol", "atol", "step") if study.settings.get(name) is not None
    }
    settings = {name: str(value) for name, value in study.settings.items()}
    summary = summary_of(collected)
    return {
        "title": f"{study.system.name}: {study.analysis}, {axes.count} runs",
        "analysis": study.analysis,
        "engine": collected.engine,
        "engine_reason": collected.reason,
        "rtol": float(tolerances.get("rtol", 1e-9)),
        "atol": float(tolerances.get("atol", 1e-12)),
        "settings": json.dumps(settings),
        "mekane_version": versions()["mekane"],
        "versions": json.dumps(versions()),
        "content_hash": digest_of(study),
        "runs": axes.count,
        "runs_done": summary["done"],
        "runs_failed": summary["failed"],
        "runs_missing": summary["missing"],
        "runs_inaccurate": summary["inaccurate"],
        "failures": json.dumps(summary["sentences"]),
        **study.notes,
    }


def digest_of(study):
    """Of the model and all that is computed of it; "" where the model has no text."""
    from mekane.errors import MekaneError

    try:
        return study.digest
    except (MekaneError, TypeError):
        return ""


def summary_of(collected):
    """How many runs ended how; sentences with how often they occur, the commonest first."""
    status = collected.status
    done, missing, inaccurate = (int((status == outcome).sum()) for outcome in (DONE, MISSING, INACCURATE))
    failed = [text for k, text in collected.messages.items() if status[k] != INACCURATE]
    found = dict(done=done, failed=len(status) - done - missing - inaccurate, missing=missing, inaccurate=inaccurate)
    return found | dict(sentences=Counter(failed).most_common(10))
