"""The equations of a model at a point, and their exact derivatives along any directions: what all analyses stand on.

    x = (t, q, u, integrals and work, ud, multipliers, parameters, discrete state)
    z = (tau, qd, ud of the state, power, acceleration, phi, rate, outputs, events, resets, friction, loads)

See `kernels.residual` for what these mean. Derivatives are computed with dual numbers by the compiled kernels
themselves.
"""

from ctypes import CFUNCTYPE, c_double, c_int64
from functools import cached_property
from types import SimpleNamespace

import numpy as np

from mekane.compiler.discrete_state import initial_discrete_state
from mekane.errors import ModelError
from mekane.numba_backend.dual import dual_array
from mekane.solvers.diagnostics import diagnose_forces
from mekane.solvers.entries import precompile
from mekane.tables.columns import C_FRICTION
from mekane.tables.handle import EQUATION_DERIVATIVES, MASS, handle
from mekane.tables.tables import CALLBACK, N_LOADS, Workspace

FUNCTION = CFUNCTYPE(c_double, c_int64, c_double, c_int64, c_int64)


def places(sizes):
    """Slices of one list, by name."""
    ends = np.cumsum([0, *sizes.values()])
    return SimpleNamespace(**{name: slice(a, b) for name, a, b in zip(sizes, ends[:-1], ends[1:], strict=True)}), int(
        ends[-1]
    )


class EquationDerivatives:
    """One compiled model and space to differentiate it.

    `x` and `z` hold slices by name: x.t, x.q, x.u, x.integrals, x.ud, x.multipliers, x.parameters, x.discrete; z.tau, z.qd,
    z.ud, z.power, z.acceleration, z.phi, z.rate, z.outputs, z.events (left − right of every comparison of the state in
    laws and conditions), z.resets (Compiled.reset_registers), z.friction (coefficients, or sizes, of friction of all contacts),
    z.loads (two components for each contact law element, of the joints whose reactions limit friction; empty where there are none).
    """

    def __init__(self, compiled):
        self.lay_out(compiled)
        self._tables, self._workspace = compiled.tables, dual_workspace(compiled.workspace())
        self._handle = open_derivatives_of_equations(self._tables, self._workspace)

    def __reduce__(self):
        return type(self), (self.compiled,)  # addresses are those of this process

    def lay_out(self, compiled):
        """Where everything stands in x and z."""
        refuse_callbacks(compiled)
        self.compiled = compiled
        n_q, n_u, n_rows, n_work = compiled.n_q, compiled.n_u, compiled.n_rows, compiled.n_work
        inside = dict(
            t=1, q=n_q, u=n_u, integrals=n_work, ud=n_u, multipliers=n_rows, parameters=len(compiled.system.parameters)
        )
        inside |= dict(discrete=len(compiled.discrete))
        self.discrete = np.real(list(initial_discrete_state(compiled.system).values()))  # where `point` takes it from
        events = compiled.program.event_registers[~compiled.program.event_is_time]
        outside = dict(tau=n_u, qd=n_q, ud=n_u, power=n_work, acceleration=n_rows, phi=n_rows, rate=n_rows)
        resets = compiled.reset_registers
        friction = compiled.tables.contact_i[:, C_FRICTION]
        outside |= dict(outputs=len(compiled.outputs), events=len(events), resets=len(resets), friction=len(friction))
        outside |= dict(loads=2 * len(friction) if compiled.tables.count[N_LOADS] else 0)
        self.x, self.n_x = places(inside)
        self.z, self.n_z = places(outside)
        self._registers = np.array([*compiled.outputs, *events, *resets, *friction], np.int64)
        self._dual_x, self._dual_z = dual_array(self.n_x), dual_array(self.n_z)

    def point(self, t, q, u, ud=None, multipliers=None, integrals=None):
        """x with the parameters of the system and its discrete state; what is not given is zero."""
        x = np.zeros(self.n_x)
        x[0] = t
        given = dict(q=q, u=u, ud=ud, multipliers=multipliers, integrals=integrals)
        for name, value in given.items():
            if value is not None:
                x[getattr(self.x, name)] = value
        x[self.x.parameters] = np.real(list(self.compiled.system.parameters.values()))
        x[self.x.discrete] = self.discrete
        return x

    def set_measurements(self, measurement):
        """Angles of joints that are not coordinates, near which they are to be measured."""
        self._workspace.measurement[:, 0] = measurement

    def at(self, x):
        """z"""
        return self.along(x, np.zeros((0, self.n_x)))[0]

    def along(self, x, directions):
        """z, and its derivatives along every row of `directions`."""
        x, directions = np.ascontiguousarray(x, float), np.ascontiguousarray(directions, float)
        assert x.shape == (self.n_x,) and directions.shape[1:] == (self.n_x,)
        z, derivatives = np.empty(self.n_z), np.empty((len(directions), self.n_z))
        order = self.order_for(x, directions, z, derivatives)
        self._entry(order, order)
        return z, derivatives

    def order_for(self, x, directions, z, derivatives):
        """What the entry of the derivatives is given."""
        arrays = (self._registers, x, directions, self._dual_x, self._dual_z, z, derivatives)
        return np.array([self.n_x, self.n_z, len(directions), len(self._registers), *map(address, arrays)], np.int64)

    @cached_property
    def _entry(self):
        return Entry(EQUATION_DERIVATIVES, self._handle)

    @cached_property
    def _mass(self):
        self._floats = self.compiled.workspace()
        return Entry(MASS, open_derivatives_of_equations(self._tables, self._floats))

    def mass_matrix(self, q, u):
        """M of the recursion's speeds."""
        M = np.zeros((len(u), len(u)))
        self._mass(np.concatenate([q, u]), M)
        return M

    def bodies(self):
        """Workspace.body as the last evaluation left it."""
        return self._workspace.body[..., 0].copy()

    def diagnose_forces(self, analysis):
        """An error that names the force whose value was not finite in the last evaluation, if there is one."""
        diagnose_forces(analysis, self.compiled, self._workspace.r[..., 0], self._workspace.line[..., 0])

    def registers(self):
        """Registers of the laws as the last evaluation left them."""
        return self._workspace.r[..., 0]

    def register_derivatives(self):
        """Their derivatives along the first seed of the last few."""
        return self._workspace.r[..., 1]

    def partials(self):
        """Workspace.speed as the last evaluation left it."""
        return self._workspace.speed[..., 0].copy()

    @cached_property
    def state_units(self):
        """Seeds along every coordinate and speed."""
        return np.concatenate([self.unit(self.x.q), self.unit(self.x.u)])

    def unit(self, where):
        """Seeds along each number of a slice of x."""
        directions = np.zeros((where.stop - where.start, self.n_x))
        directions[:, where] = np.eye(len(directions))
        return directions


def open_derivatives_of_equations(tables, workspace):
    """A handle for the derivatives of the equations."""
    with precompile.first_use("solvers/entries/derivatives"):
        precompile.announce("solvers/entries/derivatives", "exact derivatives")
        from mekane.solvers.entries.derivatives import equation_derivatives_entry, mass_entry

        addresses = {EQUATION_DERIVATIVES: equation_derivatives_entry.address, MASS: mass_entry.address}
    return handle(tables, workspace, addresses)


class Entry:
    """An entry of a handle, called from Python by its address: quicker than through `calls`."""

    def __init__(self, which, handle):
        self._function, self._header = FUNCTION(int(handle.header[which])), handle.header  # kept alive here
        self._at = address(handle.header)

    def __call__(self, a, b, t=0.0):
        self._function(self._at, t, address(a), address(b))

    def with_order(self, order):
        """A function of t that hands over this array, whose place is looked up once."""
        function, at, place = self._function, self._at, address(order)
        return lambda t: function(at, t, place, place)


def address(array):
    return array.__array_interface__["data"][0]


def dual_workspace(workspace):
    """A workspace of duals with the same values and no derivatives."""
    arrays = []
    for array, (kind, _) in zip(workspace, Workspace.kinds(), strict=True):
        if kind == "f":
            duals = dual_array(*array.shape)
            duals[..., 0] = array
            array = duals
        arrays.append(array)
    return Workspace(*arrays)


def refuse_callbacks(compiled):
    """Functions that are called back give numbers, and no derivatives."""
    if compiled.program.callbacks:
        problem = "a law is a Python function that has no expression, so it has no exact derivative"
        remedy = "Write it as an expression or a table."
        raise ModelError(f"system {compiled.system.name!r}", problem, "laws that can be differentiated", remedy)
    assert compiled.tables.count[CALLBACK] == 0
