"""The answer of inverse_dynamics: forces of actuators over time, and the model with these forces in it."""

from functools import cached_property

import numpy as np

from mekane.errors import ModelError, did_you_mean
from mekane.model.interface.lazy import lazy_method
from mekane.results.labels import dataset, labelled
from mekane.results.printing import Printed, Shown


def time_integral(t, rate):
    """∫ rate dt from the first time on, by a cubic spline through the samples."""
    if len(t) < 4:
        return np.concatenate([[0.0], np.cumsum(0.5 * np.diff(t) * (rate[1:] + rate[:-1]))])
    from scipy.interpolate import CubicSpline

    return CubicSpline(t, rate).antiderivative()(t)


class InverseDynamics(Printed):
    """What actuators must give.

    need.t, need.actuators                    times [s], names
    need["shoulder"], need.force("shoulder")  over time, a labelled array; need.power(…), need.work(…), need.peak(…),
    need.rms(…) need.reaction("joint")                    as of a run; need.is_unique("joint")
    need.choice                               "unique", or how the forces were chosen where they are not
    need.residual, need.misfit                what is left unbalanced; how much the model with these forces accelerates
    otherwise (relative) need.system, need.run                     the model with the forces as tables of time, and its
    states: ask it as any Result
    """

    def __init__(self, motion, actuators, forces, instants, run, choice):
        self.t, self.system, self.run, self.choice = motion.t, run.system, run, choice
        self.notes, self._motion = list(motion.notes), motion
        self._actuators = {actuator.name: (k, actuator._replace(put=None)) for k, actuator in enumerate(actuators)}
        self.forces = forces  # (time, actuator)
        self.rates = np.array([instant.rates for instant in instants])  # what each actuator moves at
        self.freedoms = max(instant.freedoms for instant in instants)
        size = max(instant.size for instant in instants)
        self.residual = max(instant.left_size for instant in instants) / size if size else 0.0

    # ---------------------------------------------------------------- by name

    @property
    def actuators(self):
        return list(self._actuators)

    def names(self):
        return self.actuators

    def prepare(self, names):
        """Nothing: all forces are computed already. A run, which tables are made of too, computes its quantities here."""

    def numbers(self, name):
        """Force over time as a plain array; (time, component) if the name stands for several."""
        columns = self._columns(name)
        return self.forces[:, columns[0]] if len(columns) == 1 else self.forces[:, columns]

    def labels(self, name):
        """Labels of the components that a name stands for; None for one."""
        columns = self._columns(name)
        return None if len(columns) == 1 else tuple(self.actuators[k].rpartition(".")[2] for k in columns)

    def follows_from_state(self, name):
        return True

    def _columns(self, name):
        """An actuator by its name, several by that of their group or of the joint, body or force they belong to."""
        name = getattr(name, "name", name)
        if name in self._actuators:
            return [self._actuators[name][0]]
        found = [k for k, actuator in self._actuators.values() if name in actuator.answers_to]
        if not found:
            expected = f"they are {', '.join(self.actuators)}"
            raise ModelError(
                "actuators", f"{name!r} is not one of them", expected, did_you_mean(str(name), self.actuators).strip()
            )
        return found

    def _labelled(self, name, values, units, what):
        values, columns = np.asarray(values), self._columns(name)
        values = values[:, columns[0]] if len(columns) == 1 else values[:, columns]
        return labelled(self.t, values, units, f"{what} of {name!r}", self.labels(name), str(name))

    def force(self, name):
        """Force [N] or torque [N m] over time."""
        units = {self._actuators[self.actuators[k]][1].units for k in self._columns(name)}
        return self._labelled(name, self.forces, " or ".join(sorted(units)), "force")

    __getitem__ = force

    @property
    def powers(self):
        """(time, actuator) [W]"""
        return self.forces * self.rates

    @cached_property
    def works(self):
        """(time, actuator) [J], from the first time on."""
        return np.array([time_integral(self.t, column) for column in self.powers.T]).T

    def power(self, name):
        """Power [W] over time."""
        return self._labelled(name, self.powers, "W", "power")

    def work(self, name):
        """Work [J] since the first time, by a spline through the power at the samples."""
        return self._labelled(name, self.works, "J", "work")

    def peak(self, name):
        """The largest magnitude."""
        return float(np.abs(self.numbers(name)).max())

    def rms(self, name):
        """Root of the mean square over time."""
        values = self.numbers(name)
        square = values**2 if values.ndim == 1 else np.sum(values**2, axis=1)
        return (
            float(np.sqrt(max(time_integral(self.t, square)[-1], 0.0) / np.ptp(self.t)))
            if len(self.t) > 1
            else float(np.sqrt(square[0]))
        )

    # ---------------------------------------------------------------- of the model with these forces

    def reaction(self, joint, on=None, axes="world", at="b"):
        """As run.reaction: force and moment of a joint or constraint; actuators are loads, not part of it."""
        return self.run.reaction(joint, on, axes, at)

    def is_unique(self, joint):
        return self.run.is_unique(joint)

    @property
    def not_unique(self):
        """Joints and constraints whose reactions are not unique."""
        return self.run.redundancy.not_unique

    @cached_property
    def misfit(self):
        """Largest difference between accelerations of the motion and of the model under these forces, over the largest
        of them."""
        wanted = self._motion.ud
        return float(np.abs(self.run.loads.ud() - wanted).max(initial=0.0) / max(np.abs(wanted).max(initial=0.0), 1.0))

    # ---------------------------------------------------------------- outward

    def shown(self):
        rows = []
        for name, (k, actuator) in self._actuators.items():
            i, power = int(np.argmax(np.abs(self.forces[:, k]))), np.abs(self.powers[:, k]).max()
            rows.append([name, actuator.units, self.forces[i, k], self.t[i], self.rms(name), power, self.works[-1, k]])
        headings = ["actuator", "unit", "peak", "at t [s]", "rms", "peak power [W]", "work [J]"]
        title = (
            f"{self.system.name}: forces for the motion from {self.t[0]:g} to {self.t[-1]:g} s ({len(self.t)} instants)"
        )
        return [Shown(title, headings, rows, self.remark())]

    def remark(self):
        """How the forces were chosen, whether reactions are unique, what else acts."""
        chosen = (
            "The forces are unique."
            if self.choice == "unique"
            else f"The forces are not unique; chosen: {self.choice}."
        )
        shared = ", ".join(self.not_unique)
        reactions = f"Reactions are not unique in {shared}." if shared else "All reactions are unique."
        others = [name for name in self.system.forces if name not in self._own_forces]
        beside = [f"Laws of the model that act beside: {', '.join(others)}."] if others else []
        return " ".join(
            [chosen, reactions, *beside, *self.notes, f"Left unbalanced: {self.residual:.1e} of the forces at play."]
        )

    @cached_property
    def _own_forces(self):
        names = {name for _, actuator in self._actuators.values() for name in (actuator.name, actuator.group)}
        return names | set(self.system.added.values())

    def to_xarray(self):
        """Dataset: force, power and work over time and actuator."""
        dims = ("actuator",)
        units = [actuator.units for _, actuator in self._actuators.values()]
        variables = {
            "force": (dims, self.forces, "N or N m", "force or torque"),
            "power": (dims, self.powers, "W", "power"),
            "work": (dims, self.works, "J", "work since the first time"),
        }
        coords = {"actuator": self.actuators, "unit": ("actuator", units)}
        return dataset(self.t, variables, coords, {"system": self.system.name, "choice": self.choice})

    def to_dict(self):
        """Plain data."""
        of = lambda values: {name: values[:, k].tolist() for name, (k, _) in self._actuators.items()}
        table = {
            name: {
                "units": actuator.units,
                "peak": self.peak(name),
                "rms": self.rms(name),
                "work": float(self.works[-1, k]),
            }
            for name, (k, actuator) in self._actuators.items()
        }
        return {
            "system": self.system.name, "formulation": self.run.compiled.formulation, "freedoms": self.freedoms, "choice": self.choice,
            "reactions_not_unique": list(self.not_unique), "notes": self.notes, "residual": float(self.residual), "actuators": table,
            "t": self.t.tolist(), "force": of(self.forces), "power": of(self.powers),
        }  # fmt: skip

    to_csv = lazy_method("mekane.exporters.csv", "to_csv")

    def plot(self, path=None):
        """Forces and power over time; written to `path` if given. Returns the figure."""
        from mekane.analyses.figures import panels, written

        title, y = f"{self.system.name}: what the actuators must give", ("force [N], torque [N m]", "power [W]")
        figure, (above, below) = panels(title, "t [s]", *y)
        for name, (k, actuator) in self._actuators.items():
            above.plot(self.t, self.forces[:, k], label=f"{name} [{actuator.units}]")
            below.plot(self.t, self.powers[:, k])
        above.legend()
        return written(figure, path)
