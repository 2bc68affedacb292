"""Forces of contacts in an equilibrium: whether they can stay in their sets, which contacts would have to pull.

bare = Jᵀ μ          μ: multipliers of all rows, scaled; those of contacts within their sets            (N.2)
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from mekane.analyses.equilibrium.static_equations import INDEPENDENT, range_and_null
from mekane.results.quantities import Formula
from mekane.results.reactions import multipliers
from mekane.results.samples import over_samples
from mekane.solvers.contacts.force_sets import Forces, force_sets

PULLS = 1e-9  # force, relative to those at work, that counts


def contact_forces(state):
    """The forces of all contacts at a configuration at rest, as far as the balance determines them."""
    sets = [one for one in sets_of(state) if one.limit is not None]
    Z = self_stresses(state.J) / state.row_length[:, None]
    return Forces(sets, state.multipliers, Z, state.load / state.statics.size)


def sets_of(state):
    return force_sets(state.statics.system.constraints, state.statics.compiled.pairs.rows_of)


def self_stresses(J):
    """Columns c with Jᵀ c = 0."""
    if not len(J):
        return np.zeros((0, 0))
    U, size, _ = np.linalg.svd(J, full_matrices=True)
    return U[:, int(np.sum(size > INDEPENDENT * max(1.0, size.max(initial=0.0)))) :]


def pulling(state):
    """Names of the elements that would have to pull to keep their contacts closed: what remains unbalanced, all others
    pushing as they can, opens them."""
    sets = [one for one in sets_of(state) if one.normal >= 0]
    if not sets:
        return []
    normals = [one.normal for one in sets]
    others = np.delete(state.J, normals, axis=0)
    Q = range_and_null(others)[0]
    beyond = lambda x: x - Q @ (Q.T @ x)
    N, load = beyond(state.J[normals].T), beyond(state.bare)
    pushed = N @ nnls(N, load)[0]
    opening = state.J[normals] @ (pushed - load)  # of the force that is left
    return [one.name for one, rate in zip(sets, opening, strict=True) if rate > PULLS * state.scale]


class ContactForce(NamedTuple):
    """What an element of a contact law exerts at rest."""

    normal: float | None  # [N or N m]; None: it has none
    tangential: np.ndarray  # along its tangents
    limit: float | None  # coefficient of friction; without a normal the largest force or torque; None: by a reaction

    @property
    def friction(self):
        """Its size; along one line with its sign."""
        return float(self.tangential[0]) if len(self.tangential) == 1 else float(np.linalg.norm(self.tangential))

    @property
    def largest(self):
        """The largest friction that there could be; None where the reaction of a joint limits it."""
        if self.limit is None:
            return None
        return self.limit * (1.0 if self.normal is None else self.normal) if len(self.tangential) else 0.0

    def shown(self):
        return ["" if x is None else x for x in (self.normal, self.friction, self.largest)]

    def to_dict(self):
        return {"normal": self.normal, "friction": self.friction, "largest": self.largest}


def contact_forces_of(rest):
    """ContactForce of each closed element of an equilibrium, by name."""
    run, rows_of = rest.result, rest.statics.compiled.pairs.rows_of
    sets = force_sets(run.system.constraints, rows_of)
    names = [name for name in run.system.constraints if any(one.first in rows_of[name] for one in sets)]
    forces = np.zeros(rest.statics.compiled.n_rows)
    values = over_samples(run, *(Formula(multipliers, name) for name in names)) if names else []
    for name, found in zip(names, values, strict=True):
        forces[list(rows_of[name])] = found[0]
    normal = lambda one: float(forces[one.normal]) if one.normal >= 0 else None
    return {one.name: ContactForce(normal(one), forces[list(one.tangents)], one.limit) for one in sets}
