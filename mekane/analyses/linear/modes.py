"""modes: how a system oscillates about an equilibrium or a steady motion: frequencies, damping, mode shapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mekane.analyses.kinematics.placement import poses_at
from mekane.analyses.kinematics.topology import numbered
from mekane.analyses.linear.eigensystem import eigensystem, nullity
from mekane.analyses.linear.linearize import linearize
from mekane.analyses.state.partial_velocities import lanes_at
from mekane.errors import many
from mekane.results.printing import Printed, Shown

if TYPE_CHECKING:
    from typing import Any

    from mekane.model.system import System

REAL = 1e-9  # imaginary part beside the size, below which an eigenvalue is real


def modes(system: System, at: Any = None, formulation: str = "joint", t: float | None = None, **keywords: Any) -> Modes:
    """How a system oscillates about a state in which it rests or moves steadily: frequencies, damping, mode shapes.

    Parameters:
        system: what moves.
        at, formulation, t, keywords: as in mk.linearize.

    Returns:
        Modes: a list of Mode, each with .eigenvalue [rad/s], .frequency [Hz], .damping …

    Example:
        from mekane import gallery
        s = gallery.find("double_pendulum").system()
        print(mk.modes(s, at=mk.equilibrium(s)))
    """
    return Modes(linearize(system, at, formulation=formulation, t=t, **keywords))


@dataclass
class Mode:
    """One mode: x(t) = Re(shape exp(eigenvalue t)). A pair of complex eigenvalues is one mode."""

    eigenvalue: complex
    states: np.ndarray = field(repr=False)  # its vector over the states of the linearization
    _of: object = field(repr=False)

    @property
    def frequency(self) -> float:
        """Of the damped oscillation [Hz]."""
        return abs(self.eigenvalue.imag) / (2 * np.pi)

    @property
    def natural_frequency(self) -> float:
        """|eigenvalue| / 2π [Hz]: without damping it is the frequency."""
        return abs(self.eigenvalue) / (2 * np.pi)

    @property
    def damping(self) -> float:
        """Share of critical damping; negative where the oscillation grows."""
        return -self.eigenvalue.real / abs(self.eigenvalue)

    @property
    def time_constant(self) -> float:
        """Time in which it grows or decays by a factor e [s]."""
        return float("inf") if self.eigenvalue.real == 0 else 1.0 / abs(self.eigenvalue.real)

    @property
    def kind(self) -> str:
        grows = (
            "grows"
            if self.eigenvalue.real > 1e-9 * abs(self.eigenvalue)
            else "decays"
            if self.damping > 1e-9
            else "stays"
        )
        return f"swing that {grows}" if self.eigenvalue.imag else f"{grows} without swinging"

    @property
    def shape(self) -> dict:
        """body → (displacement of its mass centre, small rotation), complex vectors in world axes; the largest change
        of a place is one."""
        return self._of.motion_of_bodies(self._of.linear.shifts @ self.states)

    def frames(self, n=48, amplitude=0.1) -> list[dict]:
        """Animation of one period: n times {body: (R, p)}, without growth or decay; amplitude is that of the largest
        state."""
        phases = np.exp(2j * np.pi * np.arange(n) / n)
        return [
            self._of.places(np.real(amplitude * phase * (self._of.linear.shifts @ self.states))) for phase in phases
        ]


class Modes(Printed):
    """All modes, slowest first: a list. `zeros`: eigenvalues that are zero; `rigid`: independent changes of state that
    keep it at rest (rigid-body motions, angles of wheels); `linear`: the linearization."""

    def __init__(self, linear):
        self.linear = linear
        values, vectors, self.zeros = eigensystem(linear.A, linear.uncertain)
        self.rigid = nullity(linear.A, linear.uncertain)
        order = sorted(range(self.zeros, len(values)), key=lambda k: (round(abs(values[k]), 9), values[k].real))
        kept = [k for k in order if values[k].imag >= -REAL * abs(values[k])]
        self.places_of_states = linear.states[: linear.n_places]
        self.modes = [Mode(tidy(values[k]), scaled(vectors[:, k], linear.n_places), self) for k in kept]

    def __iter__(self):
        return iter(self.modes)

    def __len__(self):
        return len(self.modes)

    def __getitem__(self, k):
        return self.modes[k]

    @property
    def frequencies(self):
        """Of all oscillating modes [Hz]."""
        return np.array([mode.frequency for mode in self.modes if mode.eigenvalue.imag])

    def motion_of_bodies(self, shifts):
        local, system = self.linear.local, self.linear.system
        lanes, _ = lanes_at(local.compiled, local.q, local.u)
        found = {}
        for name in numbered(system, {link.body: link for link in local.compiled.links}):
            i = local.compiled.frames.row[name]
            v = lanes.at_point(i, local.compiled.frames.point(name, system.bodies[name].com)).real
            found[name] = v @ shifts, lanes.w[i].real @ shifts
        return found

    def places(self, shifts):
        """Axes and origin of every body, moved by this change."""
        local = self.linear.local
        poses = poses_at(local.compiled, np.concatenate([local.displaced(shifts), local.u]), local.t)
        return {name: (poses.R[name], poses.p[name]) for name in self.linear.system.bodies}

    def to_dict(self):
        plain = lambda mode: dict(
            real=mode.eigenvalue.real, imag=mode.eigenvalue.imag, frequency=mode.frequency, damping=mode.damping,
            states={name: [float(x.real), float(x.imag)] for name, x in zip(self.linear.states, mode.states, strict=True)},
        )  # fmt: skip
        return dict(
            system=self.linear.system.name, modes=[plain(mode) for mode in self], zeros=self.zeros, rigid=int(self.rigid),
            stable=self.linear.stable, notes=self.linear.notes,
        )  # fmt: skip

    def shown(self):
        row = lambda m: [
            m.frequency,
            m.damping,
            m.eigenvalue.real,
            m.eigenvalue.imag,
            m.kind,
            moving(self.places_of_states, m),
        ]
        rows = [[k, *row(mode)] for k, mode in enumerate(self)]
        heads = ["mode", "frequency [Hz]", "damping", "real [1/s]", "imaginary [rad/s]", "kind", "moves most"]
        zeros = (
            [f"{self.zeros} eigenvalues are zero; {self.rigid} changes of the state keep it as it is."]
            if self.zeros
            else []
        )
        remark = " ".join([*zeros, *self.linear.notes])
        return [Shown(f"{self.linear.system.name}: {many(len(self), 'mode')}", heads, rows, remark)]

    def plot(self, path=None):
        """Eigenvalues in the complex plane: a figure, written if a path is given."""
        from mekane.analyses.figures import panels, written

        values = self.linear.eigenvalues
        figure, (axes,) = panels(f"{self.linear.system.name}: eigenvalues", "real part [1/s]", "imaginary part [rad/s]")
        axes.axvline(0.0, color="0.7", lw=0.8)
        axes.plot(values.real, values.imag, "x")
        return written(figure, path)


def tidy(value):
    """A real eigenvalue without the rest of an imaginary part."""
    return complex(value.real, 0.0) if abs(value.imag) <= REAL * abs(value) else complex(value)


def scaled(vector, n_places):
    """The largest number is one: of those that are places, unless only speeds take part."""
    among = vector[:n_places] if np.any(np.abs(vector[:n_places]) > 1e-12 * np.abs(vector).max()) else vector
    return vector / among[np.argmax(np.abs(among))]


def moving(names, mode):
    """Names of the places that take part most."""
    order = sorted(range(len(names)), key=lambda k: -abs(mode.states[k]))
    return ", ".join(names[k] for k in order[:3] if abs(mode.states[k]) > 0.1)
