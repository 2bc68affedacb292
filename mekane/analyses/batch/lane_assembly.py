"""Initial states of many runs assembled on lanes, as `solvers.constraints.assembly` does it one by one: Newton in the mass
metric and in absolute coordinates, damped while the misfit is large. For mechanisms that start at rest."""

import numpy as np

from mekane.codegen.entry_code import at
from mekane.codegen.lanes.lane_code import PREPARE, LaneCode
from mekane.codegen.lanes.traced_model import placed
from mekane.codegen.trace import objects, undisturbed
from mekane.compiler.coordinates import coordinates_of, initial_poses, list_of_coordinates
from mekane.compiler.symbolic_tables import symbolic
from mekane.expressions.graph import Untraceable, absolute, maximum, minimum, select
from mekane.expressions.node import own_nodes, scalar, symbol
from mekane.expressions.parse import symbol_name
from mekane.kernels.multipliers import factor_rows, gather
from mekane.kernels.projection import articulated_inertias, evaluate_kinematics, projection_step, shift
from mekane.numba_backend.kernel import plain
from mekane.solvers.constraints.assembly import CLOSED, FARTHEST, STEPS, WIDEST, poses_of
from mekane.solvers.lanes.threads import over_runs
from mekane.tables.columns import PURE_ROTATION, Y_PHI
from mekane.tables.tables import N_ROWS, REFINEMENTS, workspace


def is_at_rest(system):
    """Whether a system starts at rest, all its bodies having mass."""
    bodies = system.bodies.values()
    still = not any(np.any(body.velocity) or np.any(body.angular_velocity) for body in bodies)
    return still and all(body.mass > 0 for body in bodies) and not any(j.rates for j in system.joints.values())


class LaneAssembly:
    """compiled: the model of the runs, which holds expressions; addresses: of what varies. size: of the mechanism [m]."""

    @undisturbed()
    def __init__(self, system, compiled, addresses, size, lanes):
        self.size, self.lanes, self.n_coordinates, self.n_speeds = size, lanes, compiled.n_q, compiled.n_u
        with own_nodes() as nodes:
            self.symbolic = symbolic(system, "absolute", addresses)
            self.n_q, self.n_u = self.symbolic.compiled.n_q, self.symbolic.compiled.n_u
            described = coordinates_of(self.symbolic.compiled, initial_poses(self.symbolic.compiled.system))
            functions = {"close": placed(self.newton_step()), "coordinates": placed(self.coordinates(compiled))}
            symbols, start = [symbol(symbol_name(name)) for name in addresses], [scalar(x) for x in described]
            self.code = LaneCode(functions, symbols, nodes, more=start)
        self.machine = self.code.compile(lanes)

    def workspace(self, q):
        """Places and rows at these coordinates, at rest."""
        found, T = self.symbolic, self.symbolic.tables
        W = workspace(T, found.registers, objects([-x for x in found.base]), object)
        W.active[:], W.state[REFINEMENTS] = 0, 0
        W.active[self.active_rows()] = 1
        plain(evaluate_kinematics)(T, W, 0.0, q, np.zeros(self.n_u, object))
        return W

    def active_rows(self):
        """Rows of what is active at the start."""
        system, rows = self.symbolic.compiled.system, self.symbolic.compiled.pairs.rows_of
        parts = {**system.joints, **system.constraints}
        return [k for name, numbers in rows.items() if parts[name].active for k in numbers]

    def newton_step(self):
        """Coordinates after one step, and the largest misfit before."""
        T, q, x = self.symbolic.tables, objects([at("y", k) for k in range(self.n_q)]), np.zeros(self.n_u, object)
        W, gap = self.workspace(q), 0.0
        for row in self.active_rows():
            gap = maximum(gap, absolute(W.row[row, Y_PHI]))
        plain(articulated_inertias)(T, W)
        plain(gather)(T, W, W.force[1])
        for row in range(T.count[N_ROWS]):
            W.scale[row] = 1.0 / np.sqrt(maximum(W.D[T.d_start[row + 1] - 1], 1e-300))
        W.regularization[0] = select(1e-9 * self.size < gap, minimum(1e-3, gap / self.size), 1e-12)
        plain(factor_rows)(T, W)
        plain(projection_step)(T, W, Y_PHI, x)
        plain(shift)(T.primitive_i, q, x * self.shortened(x))
        return [*q, gap]

    def shortened(self, x):
        """Factor that keeps a step with the branch that was described."""
        farthest, widest = 1e-300, 1e-300
        for kind, change in zip(self.symbolic.tables.speed_kind, x, strict=True):
            if kind == PURE_ROTATION:
                widest = maximum(widest, absolute(change))
            else:
                farthest = maximum(farthest, absolute(change))
        return minimum(1.0, minimum(WIDEST / widest, FARTHEST * self.size / farthest))

    def coordinates(self, compiled):
        """Those of the runs from absolute ones."""
        W = self.workspace(objects([at("y", k) for k in range(self.n_q)]))
        return list_of_coordinates(compiled, poses_of(self.symbolic.compiled, W))

    def starts(self, varied, memory):
        """(runs, state) at the numbers (runs, addresses); NaN where a mechanism cannot be closed. memory: what comes after
        the speeds."""
        n_p = len(self.code.prepared)
        found = over_runs(self.machine.address(PREPARE), varied, varied[:, :0], n_p + self.n_q, self.lanes)
        p, q = np.ascontiguousarray(found[:, :n_p]), np.ascontiguousarray(found[:, n_p:])
        q = self.closed(q, p)
        q = over_runs(self.machine.address("coordinates"), q, p, self.n_coordinates, self.lanes)
        rest = np.concatenate([np.zeros(self.n_speeds), memory])
        return np.hstack([q, np.tile(rest, (len(q), 1))])

    def closed(self, q, p):
        """Newton steps of all runs, each until its misfit vanishes or no longer falls."""
        going, best, patience = np.arange(len(q)), np.full(len(q), np.inf), np.zeros(len(q), int)
        for k in range(STEPS):
            out = over_runs(self.machine.address("close"), q[going], p[going], self.n_q + 1, self.lanes)
            gap = out[:, -1]
            falls = gap < 0.9 * best[going] if k else np.zeros(len(gap), bool)
            patience[going] = np.where(falls, 0, patience[going] + 1)
            best[going] = np.minimum(best[going], gap)
            met = (gap < 1e-15 * max(1.0, self.size)) | ((gap < CLOSED * self.size) & (patience[going] > 1))
            more = ~(met | (patience[going] > 50) | ~np.isfinite(gap))
            q[going[~more & ~(gap <= CLOSED * self.size)]] = np.nan
            going = going[more]
            q[going] = out[more, :-1]
            if not len(going):
                break
        q[going] = np.nan
        return q


def lane_assembly(varied, model, size, lanes):
    """A LaneAssembly, or None where only runs one by one can be assembled."""
    compiled = model.symbolic.compiled
    if varied.starts or not is_at_rest(varied.base):
        return None
    try:
        return LaneAssembly(varied.base, compiled, list(model.addresses.values()), size, lanes)
    except (Untraceable, TypeError, ValueError, AttributeError):
        return None
