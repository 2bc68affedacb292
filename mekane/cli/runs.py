"""Runs of models, with what a person wants to see meanwhile."""

from pathlib import Path

from mekane.cli import options
from mekane.cli.inputs import is_result, loaded, mechanism_of, read_model, refuse_changes
from mekane.cli.progress import watching


def run_of(source: Path, t_end=None, every=None, set=None):
    """The run of a result that was kept, of a model file, or of a mechanism of the gallery."""
    if is_result(source):
        refuse_changes(source, {"--set": set, "--t-end": t_end, "--every": every})
        return loaded(source)
    mechanism = mechanism_of(source)
    if mechanism is not None and not (t_end or every or set):
        return played(mechanism, {})
    system, settings = read_model(source, set, t_end=t_end, every=every)
    with options.about(source):
        return simulated(system, options.take_t_end(settings), settings)


def simulated(system, t_end, settings):
    from mekane.analyses.simulate import simulate

    with watching(t_end) as progress:
        return simulate(system, t_end, progress=progress, **settings)


def played(mechanism, changes: dict):
    """The run of a mechanism of the gallery, sampled at the times of its checks."""
    with watching(mechanism.t_end) as progress:
        return mechanism.run(progress=progress, **changes)
