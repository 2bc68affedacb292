"""Energies, work and momentum at the sampled times.  THEORY §10

balance = kinetic + potential − work is constant: what it drifts by is an error of the computation.
"""

import numpy as np

from mekane.results.labels import XYZ, dataset

GRAVITY = "gravity"


class Energies:
    """Plain arrays over time."""

    def __init__(self, run):
        compiled, loads = run.compiled, run.loads
        self.kinetic = loads.totals[:, 0]
        stores = {GRAVITY: loads.totals[:, 1]} | {name: loads.register(r) for name, r in compiled.energy_registers.items()}
        self.stores, self.potentials = list(stores), np.stack(list(stores.values()), axis=1)
        self.elements, self.works = list(compiled.elements), run.record.y[:, compiled.n_q + compiled.n_u + len(compiled.integrals) :]
        self.potential, self.work = self.potentials.sum(axis=1), self.works.sum(axis=1)
        self.balance = self.kinetic + self.potential - self.work

    @property
    def drift(self):
        """Largest change of the balance since the first sample [J]."""
        return float(np.abs(self.balance - self.balance[:1]).max(initial=0.0))

    @property
    def in_play(self):
        """The energy that a drift is compared with [J]: the largest of kinetic energy, change of potential, and work."""
        moved = np.abs(self.potential - self.potential[:1]).max(initial=0.0)
        return float(max(self.kinetic.max(initial=0.0), moved, np.abs(self.work).max(initial=0.0)))


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
    linear, angular = run.loads.totals[:, 2:5], run.loads.totals[:, 5:8]
    variables = {
        "linear": (("axis",), linear, "kg m/s", "linear momentum, world axes"),
        "angular": (("axis",), angular, "kg m^2/s", "angular momentum about the world's origin, world axes"),
    }
    return dataset(run.t, variables, {"axis": list(XYZ)})
