"""Quantities of a run as code over lanes: the formulas of `results.quantities`, called on one sample made of symbols."""

from typing import NamedTuple

import numpy as np

from mekane.analyses.simulate import present
from mekane.codegen.llvm_writer import Place
from mekane.codegen.trace import objects
from mekane.expressions.graph import Untraceable, evaluate
from mekane.expressions.node import scalar
from mekane.kernels.projection import evaluate_kinematics
from mekane.kernels.rhs import derive
from mekane.numba_backend.kernel import plain
from mekane.results import quantities
from mekane.results.derived import Derived
from mekane.results.quantities import Formula
from mekane.results.result import Result
from mekane.results.sampled_kinematics import SampledKinematics, kinematics_tables, measured_joints
from mekane.results.sampled_loads import Loads
from mekane.solvers.state import Record
from mekane.tables.columns import OUT
from mekane.tables.tables import workspace

UNTRACED = (Untraceable, TypeError, AttributeError, ValueError, IndexError, NotImplementedError)


# formulas of quaternions: those of their matrices
MATRICES = {quantities.orientation: quantities.axes, quantities.joint_orientation: quantities.joint_axes}


def quaternions(matrices):
    return quantities.continuous_quaternions(matrices.reshape(-1, 3, 3))


class Channel(NamedTuple):
    """Where a quantity stands among what the code writes at each sample."""

    columns: slice
    component: int | None  # of these, the one requested; None: there is one
    finish: object  # a function of the values of one run over time; None: they are as they should be

    def of(self, values):
        """(runs, samples) from what the code wrote, (runs, samples, columns)."""
        found = values[:, :, self.columns]
        if self.finish is not None:
            squeezed = found if self.component is not None else found[:, :, 0]
            found = np.stack([self.finish(np.array(one)) for one in squeezed]) if len(found) else squeezed
            return found if self.component is None else found[:, :, self.component]
        return found[:, :, self.component or 0]


class Channels(NamedTuple):
    outputs: dict  # {Place: expression}
    width: int
    found: dict  # {name: Channel}
    missing: list  # names that have no expression: they need a Result of each run


def traced_channels(traced, solver, names):
    """The code of these quantities. solver: of the system as it is."""
    part, values, found, missing = SymbolicPart(traced, solver), [], {}, []
    for name in names:
        try:
            quantity, component, expressions = part.quantity(name)
        except UNTRACED:
            missing.append(name)
            continue
        found[name] = Channel(slice(len(values), len(values) + len(expressions)), component, quantity.finish)
        values += expressions
    return Channels({Place("out", k): x for k, x in enumerate(values)}, len(values), found, missing)


class NotOnLanes(Exception):
    """Why a model cannot run on lanes; runs one by one can."""


class Measurements:
    """Measured joint coordinates of one sample; once one is read, they are followed."""

    def __init__(self, traced):
        self._traced = traced

    def __getitem__(self, place):
        self._traced.follow_measurements()
        return self._traced.measurement_of(self._traced.measured_workspace())[None][place]


class SymbolicPart:
    """One sample of a run in symbols: what `results.samples.Part` is to a formula."""

    def __init__(self, traced, solver):
        self._traced, self._present, self._model = traced, present(solver), None
        self.compiled, self.info = traced.compiled, {}
        self.system = self.compiled.system
        self.t = objects([traced.t])
        discrete = traced.symbolic.registers[self.compiled.discrete_registers]
        self.record = Record(self.t, traced.y[None], Measurements(traced), discrete[None])
        self._run = Result(self.system, self.compiled, self._present.record, {})
        self.kinematics = SampledKinematics(self.compiled, self._kinematic)
        self.loads = Loads(self.compiled, self._dynamic)

    def quantity(self, name):
        """The Quantity of a name, which of its components is meant (None: it has one), and the expressions of all."""
        quantity, labels = self._run._find(name)
        if isinstance(quantity.compute, Derived):
            return quantity, None, [self._formula(quantity.compute)]
        compute = quantity.compute
        if isinstance(compute, Formula) and compute.compute in MATRICES:  # quaternions are made of matrices at the end
            quantity = quantity._replace(compute=Formula(MATRICES[compute.compute], *compute.args), finish=quaternions)
        whole = [scalar(x) for x in np.asarray(quantity.compute(self))[0:1].ravel()]
        if labels == quantity.labels:
            return quantity, None, whole
        component = quantity.labels.index(name.rpartition(".")[2])
        if quantity.finish is not None:
            return quantity, component, whole
        return quantity, None, [whole[component]]

    def numbers(self, name):
        """Another quantity, by name."""
        quantity, component, expressions = self.quantity(name)
        if quantity.finish is not None or component is not None:
            raise Untraceable(f"{name} depends on the samples before")
        return objects(expressions) if quantity.labels is None else objects(expressions)[None]

    def _formula(self, formula):
        values = {name: self._input(name) for name in formula.names}
        return scalar(evaluate(formula.expression, values)) if formula.names else scalar(formula.expression)

    def _input(self, name):
        """A name in a formula, as `results.quantities.input_values` has it."""
        if name == "t":
            return self.t[0]
        if name in self.system.constants:
            return scalar(self.system.constants[name])
        for names, first in ((self.compiled.coordinates, 0), (self.compiled.speeds, self.compiled.n_q)):
            if name in names:
                return self._traced.y[first + names.index(name)]
        return self.numbers(name)[0]

    def is_unique(self, joint):
        return self._present.is_unique(joint)

    @property
    def sharing(self):
        raise Untraceable("loads that are not unique are shared by numbers")

    # ---------------------------------------------------------------- numbers of the kernels' workspaces

    def _kinematic(self, array, row, first, size):
        if array == "body":
            return self._dynamic(array, row, first, size)
        pairs = measured_joints(self.compiled, [row] if array == "row" else [])
        number = pairs.measurement[row] if array == "row" else pairs.of(row)
        W = self._moved(pairs)
        return getattr(W, array)[number, first : first + size][None]

    def _moved(self, pairs):
        """A workspace with these joints at the state."""
        traced = self._traced
        tables = kinematics_tables(traced.tables, pairs, np.arange(len(traced.tables.body_i)))
        tables = tables._replace(pair_f=as_scalars(tables.pair_f), row_f=as_scalars(tables.row_f))
        gravity = objects([-x for x in traced.symbolic.base])
        W = workspace(tables, traced.symbolic.registers, gravity, object)
        q, u = traced.y[: traced.n_q], traced.y[traced.n_q : traced.n_q + traced.n_u]
        plain(evaluate_kinematics)(tables, W, traced.t, q, u)
        return W

    def _dynamic(self, array, row, first, size):
        W, buffer = self._derived()
        found = buffer[None] if array == "buffer" else np.atleast_2d(getattr(W, array))
        return found[row, first : first + size][None]

    def _derived(self):
        """The workspace after `derive`, and the rate of the state, then energies and momenta."""
        if self._model is None:
            traced, W = self._traced, self._traced.workspace()
            yd, out = np.zeros(traced.n, object), np.zeros(OUT, object)
            plain(derive)(traced.tables, W, traced.t, traced.y, yd, out)
            self._model = W, np.concatenate([yd, out])
        return self._model


def as_scalars(array):
    found = np.empty(array.shape, object)
    for place, x in np.ndenumerate(array):
        found[place] = scalar(x)
    return found
