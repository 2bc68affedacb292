"""The equations of a model and how they change with its parameters, wherever these stand: in masses, lengths, gravity
or laws.

Tables are dual numbers here, whose derivatives are those of table_derivatives. So the derivatives of z along parameters
are exact, as all others are.
"""

from copy import copy
from functools import cached_property

import numpy as np

from mekane.compiler.parameter_derivatives import table_derivatives
from mekane.numba_backend.dual import DIRECTIONS as LANES
from mekane.numba_backend.dual import dual_array
from mekane.solvers.derivatives.jacobians import EquationDerivatives, dual_workspace
from mekane.solvers.entries import precompile
from mekane.tables import columns as at
from mekane.tables.handle import EQUATION_DERIVATIVES, handle
from mekane.tables.tables import Tables, Workspace


class ParameterDerivatives:
    """Derivatives of z along the parameters `names` of a system; x and z are those of EquationDerivatives of the same
    system."""

    def __init__(self, system, formulation, names, outputs=()):
        self.names = list(names)
        per_parameter = [table_derivatives(system, formulation, name, outputs) for name in self.names]
        self.groups = [Group(per_parameter, which) for which in alike(per_parameter)]

    def set_measurements(self, measurement):
        for group in self.groups:
            group.set_measurements(measurement)

    def along(self, x, directions):
        """z, and its derivatives along every parameter, x changing along the row of `directions` that belongs to it."""
        z, derivatives = None, None
        for group in self.groups:
            z, found = group.along(x, directions[group.which] + group.units)
            derivatives = np.zeros((len(self.names), len(z))) if derivatives is None else derivatives
            derivatives[group.which] = found
        return z, derivatives


def alike(per_parameter):
    """Numbers of parameters whose tables are built alike, as many together as a dual number has derivatives."""
    groups = []
    for k, one in enumerate(per_parameter):
        fits = [group for group in groups if len(group) < LANES and is_alike(per_parameter[group[0]], one)]
        fits[0].append(k) if fits else groups.append([k])
    return groups


def is_alike(a, b):
    """The same integers, and the same numbers at the same places, to round-off."""
    pairs = zip((*a.tables, a.registers), (*b.tables, b.registers), strict=True)
    return all(x.shape == y.shape and np.allclose(x, y, rtol=1e-12, atol=1e-14) for x, y in pairs)


class Group(EquationDerivatives):
    """Parameters whose tables are built alike: one lane of every dual number for each."""

    def __init__(self, per_parameter, which):
        self.which, self.members = which, [per_parameter[k] for k in which]
        self.lay_out(self.members[0].compiled)
        n_p = len(self.compiled.system.parameters)
        self.units = np.zeros((len(which), self.n_x))
        self.units[:, self.x.parameters] = [one.register_derivatives[1 : 1 + n_p] for one in self.members]
        discrete = self.compiled.discrete_registers
        self.initial_discrete_derivatives = np.array([one.register_derivatives[discrete] for one in self.members])
        self.units[:, self.x.discrete] = self.initial_discrete_derivatives
        self._tables, self._workspace = dual_model(self.members, np.ones(len(which)))
        self._handle = open_parameter_derivatives(self._tables, self._workspace)

    @cached_property
    def without_laws(self):
        """The same model without forces and gravity: tau = M ud at rest."""
        idle = copy(self)
        idle.__dict__.pop("_entry", None)
        idle._tables = self._tables._replace(action_i=np.zeros((0, 9), np.int64))
        idle._workspace = dual_model(self.members, np.ones(len(self.which)))[1]
        idle._workspace.body[0, at.B_A : at.B_A + 3] = 0.0
        idle._handle = open_parameter_derivatives(idle._tables, idle._workspace)
        return idle

    def bodies_along(self):
        """Workspace.body as the last evaluation left it, and its derivatives along the directions: (1 + directions, …)"""
        return np.moveaxis(self._workspace.body[..., : 1 + len(self.which)], -1, 0).copy()

    def __reduce__(self):
        return Group, (dict(zip(self.which, self.members, strict=True)), self.which)


def dual_model(members, scales):
    """Tables and a workspace of duals, whose derivatives are those along each parameter times its scale."""
    first = members[0]
    tables = dual_tables(first.tables, [one.derivatives for one in members], scales)
    workspace = dual_workspace(Workspace(*(array.real for array in first.compiled.workspace())))
    for lane, (one, scale) in enumerate(zip(members, scales, strict=True), 1):
        workspace.r[:, lane] = scale * one.register_derivatives
        workspace.body[0, at.B_A : at.B_A + 3, lane] = scale * one.base_derivatives
    return tables, workspace


def dual_tables(tables, derivatives, scales):
    """Tables of duals with these values and scaled derivatives."""
    arrays = []
    for k, (array, (kind, _)) in enumerate(zip(tables, Tables.kinds(), strict=True)):
        if kind == "f":
            duals = dual_array(*array.shape)
            duals[..., 0] = array
            for lane, (one, scale) in enumerate(zip(derivatives, scales, strict=True), 1):
                duals[..., lane] = scale * one[k]
            array = duals
        arrays.append(array)
    return Tables(*arrays)


def open_parameter_derivatives(tables, workspace):
    with precompile.first_use("solvers/entries/parameter_derivatives"):
        precompile.announce("solvers/entries/parameter_derivatives", "exact derivatives by parameters")
        from mekane.solvers.entries.parameter_derivatives import parameter_derivatives_entry

        addresses = {EQUATION_DERIVATIVES: parameter_derivatives_entry.address}
    return handle(tables, workspace, addresses)
