"""A design: a system with certain values of its parameters, and numbers taken from it that know their gradients.

    d["l"]                              a parameter
    d.at("hinge.angle", 2.0)            a quantity of the motion at a time, or at several
    d.rest("hinge.angle")               a quantity in the equilibrium
    d.frequency(1), d.eigenvalue(1)     of linearized motion about the equilibrium

One may compute with these numbers as with any others; what comes of them knows its gradient too.
"""

from functools import cached_property

import numpy as np

from mekane.algebra.jet import Jet
from mekane.analyses.sensitivity.motion import Flow
from mekane.analyses.sensitivity.parametrized_system import ParametrizedSystem
from mekane.analyses.sensitivity.sensitivity import of_equilibrium
from mekane.errors import ModelError
from mekane.model.hybrid.activity import as_at_start


class Design:
    """`system` has the parameters `names` at the values of this design."""

    def __init__(self, system, names, formulation="joint", rtol=1e-9):
        self.system, self.names, self.formulation, self.rtol = system, list(names), formulation, rtol
        self._motions = {}
        self._together = None  # a function (quantities, times) that computes motions of several designs at once

    @property
    def values(self):
        return np.array([self.system.parameters[name] for name in self.names], float)

    def __getitem__(self, name):
        """A parameter."""
        if name not in self.names:
            raise ModelError("design", f"{name!r} is not varied", f"there are {', '.join(self.names)}")
        k = self.names.index(name)
        return Jet(np.append(self.values[k], np.eye(len(self.names))[k]))

    # ---------------------------------------------------------------- motion

    def motion(self, quantities, times):
        """Values (time, quantity) and derivatives (time, quantity, parameter) of the motion."""
        key = tuple(quantities), tuple(np.atleast_1d(np.asarray(times, float)).tolist())
        if key not in self._motions and self._together is not None:
            self._together(*key)
        if key not in self._motions:
            parametrized = ParametrizedSystem(self.system, self.names, key[0], self.formulation, analysis="optimize")
            kept = Flow(parametrized, self.rtol, 1e-3 * self.rtol).run(np.array(key[1]))
            refuse_ended(self.system, kept.t, key[1])
            self._motions[key] = kept.values, kept.derivatives
        return self._motions[key]

    def at(self, quantity, times):
        """A quantity of the motion at a time; an array of them for several, which must rise."""
        values, derivatives = self.motion([quantity], times)
        numbers = [Jet(np.append(value, by)) for value, by in zip(values[:, 0], derivatives[:, 0], strict=True)]
        return numbers[0] if np.ndim(times) == 0 else np.array(numbers, object)

    # ---------------------------------------------------------------- rest

    @cached_property
    def equilibrium(self):
        from mekane.analyses.equilibrium.equilibrium import equilibrium

        return equilibrium(as_at_start(self.system), formulation=self.formulation)

    def rest(self, quantity):
        """A quantity in the equilibrium."""
        found = of_equilibrium(self.system, self.names, [quantity], self.equilibrium)
        return Jet(np.append(found.values[0], found.slopes[0]))

    @cached_property
    def linearized_motion(self):
        """Eigenvalues about the equilibrium and their derivatives."""
        return of_equilibrium(self.system, self.names, "eigenvalues", self.equilibrium)

    def eigenvalue(self, number):
        """(real, imaginary) part of an eigenvalue, numbered from 1 by size."""
        found = self.linearized_motion
        k = found.place(f"eigenvalue {number}", found.quantities, "eigenvalues")
        value, derivatives = found.eigenvalues[k], found.slopes[k]
        if found.repeated[k]:
            problem = f"eigenvalue {number} coincides with another one, so it has no gradient"
            raise ModelError(
                f"design of {self.system.name!r}", problem, "eigenvalues that differ", "Start from other values."
            )
        return Jet(np.append(value.real, derivatives.real)), Jet(np.append(value.imag, derivatives.imag))

    def frequency(self, mode):
        """Of an oscillating mode, numbered from 1 [Hz]."""
        found = self.linearized_motion
        if not 1 <= mode <= len(found.modes):
            problem = f"there is no mode {mode}"
            raise ModelError(
                f"design of {self.system.name!r}",
                problem,
                f"{len(found.modes)} oscillating modes about its equilibrium",
            )
        return self.eigenvalue(int(found.modes[mode - 1]) + 1)[1] / (2 * np.pi)


def share_motions(designs, at):
    """Let the first of some designs that needs a motion compute it for all. at(quantities, times): a motion, or None, for each
    of them."""

    def together(quantities, times):
        for design, found in zip(designs, at(quantities, times), strict=True):
            if found is not None:
                design._motions[quantities, times] = found

    for design in designs:
        design._together = together


def refuse_ended(system, found, times):
    """An event ended the motion before the last of these times."""
    if len(found) < len(times) or found[-1] != times[-1]:
        problem = f"an event ends the motion at t = {found[-1]:.6g} s, before {times[-1]:.6g} s"
        raise ModelError(f"design of {system.name!r}", problem, "a motion that goes on", "Request earlier times.")
