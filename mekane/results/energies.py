"""Energies, work and momentum at the sampled times.  THEORY §10

balance = kinetic + potential − work is constant: what it drifts by is an error of the computation.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from mekane.results.labels import XYZ, dataset
from mekane.results.samples import each_part, over_samples

GRAVITY, EVENTS = "gravity", "events"
SAME = 1e-15  # relative: a sample at the instant of an event shows the state after it


class Extremes(NamedTuple):
    """What a run's energies come to, without the time histories [J]."""

    drift: float = 0.0  # largest change of the balance since the first sample
    kinetic: float = 0.0  # the largest
    potential: float = 0.0  # the largest magnitude
    moved: float = 0.0  # largest change of potential energy since the first sample
    work: float = 0.0  # the largest magnitude


class Energies:
    """Plain arrays over time, each computed on first use; `drift` and what it is compared with need none of
    them."""

    def __init__(self, run):
        self._run, self.stores, self.elements = (
            run,
            [GRAVITY, *run.compiled.energy_registers],
            [*run.compiled.elements, *([EVENTS] if run.info.get("event_work") else [])],
        )

    @cached_property
    def _arrays(self):
        return over_samples(self._run, kinetic_energy, potential_energies)

    @property
    def kinetic(self):
        return self._arrays[0]

    @property
    def potentials(self):
        """(time, stores)"""
        return self._arrays[1]

    @property
    def works(self):
        """(time, elements)"""
        return works(self._run)

    @cached_property
    def potential(self):
        return self.potentials.sum(axis=1)

    @cached_property
    def work(self):
        return self.works.sum(axis=1)

    @cached_property
    def balance(self):
        return self.kinetic + self.potential - self.work

    @cached_property
    def extremes(self):
        return extremes(self._run)

    @property
    def drift(self):
        """Largest change of the balance since the first sample [J]."""
        return float(self.extremes.drift)

    @property
    def in_play(self):
        """The energy that a drift is compared with [J]: the largest of kinetic energy, change of potential, and
        work."""
        return float(max(self.extremes.kinetic, self.extremes.moved, self.extremes.work))


def kinetic_energy(run):
    return run.loads.totals()[:, 0]


def potential_energies(run):
    """(time, stores), gravity first."""
    stored = [run.loads.register(register) for register in run.compiled.energy_registers.values()]
    return np.stack([run.loads.totals()[:, 1], *stored], axis=1)


def works(run):
    compiled = run.compiled
    done = run.record.y[:, compiled.n_q + compiled.n_u + len(compiled.integrals) :]
    return np.hstack([done, work_of_events(run)[:, None]]) if run.info.get("event_work") else done


def work_of_events(run):
    """What impulses, locks and changes of laws have brought into the mechanism so far [J]."""
    times, work = np.array(run.info["event_work"], float).reshape(-1, 2).T
    total = np.concatenate([[0.0], np.cumsum(work)])
    return total[np.searchsorted(times, run.t + SAME * np.maximum(np.abs(run.t), 1e-300), side="right")]


@np.errstate(invalid="ignore", over="ignore")  # a balance that is not a number is no balance: health says so
def extremes(run):
    """In one pass that keeps nothing."""
    parts = each_part(
        run, lambda part: (kinetic_energy(part), potential_energies(part).sum(axis=1), works(part).sum(axis=1))
    )
    next(parts)
    found, first = Extremes(), None
    for kinetic, potential, work in parts:
        balance = kinetic + potential - work
        first = (balance[0], potential[0]) if first is None else first
        now = np.abs(balance - first[0]), kinetic, np.abs(potential), np.abs(potential - first[1]), np.abs(work)
        found = Extremes(*map(np.maximum, found, (values.max() for values in now)))
    return found


def energy(run):
    e = run.energies
    variables = {
        "kinetic": ((), e.kinetic, "J", "kinetic energy"),
        "potential": ((), e.potential, "J", "potential energy: gravity and all that store energy"),
        "work": ((), e.work, "J", "work of all non-conservative elements so far"),
        "balance": ((), e.balance, "J", "kinetic + potential - work, constant but for errors"),
        "potential_of": (("store",), e.potentials, "J", "potential energy of each"),
        "work_of": (("element",), e.works, "J", "work of each non-conservative element so far"),
    }
    return dataset(run.t, variables, {"store": e.stores, "element": np.array(e.elements, dtype=object)})


def momentum(run):
    (both,) = over_samples(run, lambda part: part.loads.totals()[:, 2:8])
    variables = {
        "linear": (("axis",), both[:, :3], "kg m/s", "linear momentum, world axes"),
        "angular": (("axis",), both[:, 3:], "kg m^2/s", "angular momentum about the world's origin, world axes"),
    }
    return dataset(run.t, variables, {"axis": list(XYZ)})
