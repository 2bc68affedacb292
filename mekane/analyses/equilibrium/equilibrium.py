"""equilibrium: where a system can stay at rest, what its joints bear there, and whether it would come back.  THEORY §9,
[C] §6

f(q, 0) + Bᵀ λ = 0,    φ(q) = 0          Newton on (δs, λ) with the exact matrix of [C 70], from far downhill first
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from mekane.analyses.equilibrium.imbalance_report import refuse_unbalanced
from mekane.analyses.equilibrium.solver import (
    BALANCED,
    controller_state_rates,
    find_any_equilibrium,
    find_equilibrium,
)
from mekane.analyses.equilibrium.stability import Stability
from mekane.analyses.equilibrium.static_equations import Statics, refuse_driven
from mekane.analyses.finite_values import refuse_infinite
from mekane.analyses.quantity_names import named_values
from mekane.analyses.state.snapshot import Snapshot, is_motion
from mekane.errors import ModelError
from mekane.model.hybrid.activity import as_at_start, for_analysis
from mekane.results.printing import Shown
from mekane.results.quantities import Formula
from mekane.results.reactions import multipliers
from mekane.results.samples import over_samples

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mekane.analyses.equilibrium.multistart import Equilibria
    from mekane.model.system import System
    from mekane.model.types import NumberLike

NOISE = 1e-12  # of a component beside the largest of its kind, in what is printed


@overload
def equilibrium(
    system: System,
    at: Mapping[str, Any] | Snapshot | None = None,
    t: NumberLike | None = None,
    all: Literal[False] = False,
    solve_for: str | Sequence[str] | None = None,
    hold: Mapping[str, Any] | None = None,
    formulation: str = "joint",
) -> Equilibrium: ...
@overload
def equilibrium(
    system: System,
    at: Mapping[str, Any] | Snapshot | None = None,
    t: NumberLike | None = None,
    *,
    all: Literal[True],
    formulation: str = "joint",
    starts: int | None = None,
) -> Equilibria: ...
def equilibrium(
    system: System,
    at: Mapping[str, Any] | Snapshot | None = None,
    t: NumberLike | None = None,
    all: bool = False,
    solve_for: str | Sequence[str] | None = None,
    hold: Mapping[str, Any] | None = None,
    formulation: str = "joint",
    starts: int | None = None,
) -> Equilibrium | Equilibria:
    """A configuration in which a system stays at rest; of several stable ones, the one downhill from the start. Where no
    stable one is found so, an unstable one near the start, which says so.

    Contacts that touch at the start are closed, and stick if they are rough; on the way gaps close, and contacts that would
    pull open. Where friction cannot hold, the error tells how much of it would.

    Parameters:
        system: what rests.
        at: where to start, {"hinge.angle": "30 deg", …} [rad, m], or a state of a motion, run.state(3.0), with what is
            active then; by default as described.
        t: the time at which laws and prescribed motions are taken [s]; by default that of `at`, or 0.
        all: search from many starts and return all distinct equilibria found.
        solve_for: names of parameters to find, so that the configuration `at` is an equilibrium.
        hold: with solve_for, {"arm.angle": "30 deg"}: only what is named here is fixed, the rest finds its own place.
        formulation: "joint", or a name in mekane.formulations.
        starts: with all=True, the number of starts.

    Returns:
        Equilibrium: .stable, .system placed there, rest["hinge.angle"], .reaction("hinge"); Equilibria if all=True.

    Example:
        from mekane import gallery
        rest = mk.equilibrium(gallery.find("pendulum").system())
        print(rest, rest.stable)
    """
    refuse_together(all, starts, solve_for, hold)
    if is_motion(at):
        expected, remedy = "one state of a motion is expected", "Write at=run.state(3.0) or sim.state()."
        raise ModelError("equilibrium, at", f"it is {type(at).__name__}", expected, remedy)
    t = getattr(at, "t", 0.0) if t is None else t
    if isinstance(at, Snapshot):
        system, at = at.system, None
    system = for_analysis(system, "equilibrium")
    if system.contact_laws and not all:
        from mekane.analyses.equilibrium.contact_equilibrium import equilibrium_with_contacts

        return equilibrium_with_contacts(system, at, t, formulation, solve_for, hold)
    system = as_at_start(system)
    if solve_for is not None or hold is not None:
        from mekane.analyses.equilibrium.trim import trimmed

        return trimmed(system, solve_for, at, hold, t, formulation)
    statics, state = start_at(system, at, t, formulation)
    if all:
        from mekane.analyses.equilibrium.multistart import search

        return search(statics, state, starts)
    found, notes = find_equilibrium(statics, state), []
    refuse_infinite(f"equilibrium of {system.name!r}", found.K, statics.compiled.speeds)
    if found.unbalanced > BALANCED:
        found, notes = nearest_of_any(statics, state, found)
    refuse_growing_controller_state(found)
    return Equilibrium(statics, found, notes=notes)


def nearest_of_any(statics, start, ended):
    """Downhill from the start there is none: an equilibrium that nothing falls into may be near, as that of a linkage which
    would buckle out of its plane. ended: where the way downhill did."""
    found = find_any_equilibrium(statics, start)
    if not found.unbalanced <= BALANCED:
        refuse_unbalanced(ended)
    return found, ["No stable equilibrium was found downhill from the start; this one is near it."]


def refuse_together(all, starts, solve_for, hold):
    """Keywords that would do nothing beside the others."""
    if all and (solve_for is not None or hold is not None):
        other = "solve_for" if solve_for is not None else "hold"
        raise ModelError(
            "equilibrium", f"all=True and {other} are both given", "one analysis at a time", "Leave one of them out."
        )
    if starts is None:
        return
    if not all:
        raise ModelError("equilibrium", f"starts is {starts!r}, and all is not given", "starts= belongs to all=True")
    if isinstance(starts, bool) or not isinstance(starts, int | np.integer) or starts < 1:
        raise ModelError(
            "equilibrium", f"starts is {starts!r}", "a whole number from 1 on is expected", "Write starts=100."
        )


def start_at(system, at, t, formulation, unknown=(), readings=(), analysis="equilibrium"):
    """The model at rest, and the configuration where a search starts: closed, and with what `at` says."""
    names, targets = named_values(system, at or {}, f"{analysis}, at")
    statics = Statics(system, formulation, t, [*names, *readings], unknown, analysis)
    state = statics.start()
    state = with_coordinates_set(statics, state, names, targets) if names else state
    refuse_infinite(f"{analysis} of {system.name!r}", np.column_stack([state.bare, state.K]), statics.compiled.speeds)
    found = statics.closed(state, targets)
    if found is None:
        wanted = (
            ", ".join(f"{name} = {x:.6g}" for name, x in zip(names, targets, strict=True)) or "the described positions"
        )
        raise ModelError(
            f"{analysis} of {system.name!r}",
            f"the constraints cannot be met at {wanted}",
            "a possible configuration",
            "Change at=.",
        )
    refuse_driven(found)
    refuse_singular(statics, found)
    return statics, found


def with_coordinates_set(statics, state, names, targets):
    """Coordinates of the tree that are named take their values at once, however far."""
    q = state.q.copy()
    for name, target in zip(names, targets, strict=True):
        if name in statics.compiled.coordinates:
            q[statics.compiled.coordinates.index(name)] = target
    return statics.at(q, state.parameters, state.integrals)


def refuse_singular(statics, state):
    """Rows that are independent elsewhere but not here hide which motions are possible."""
    n, forbidden = len(state.J), state.rank
    if forbidden == n:
        return
    rng = np.random.default_rng(1)
    for _ in range(3):
        near = statics.closed(
            statics.at(
                statics.displaced(state.q, state.Z @ rng.uniform(-0.02, 0.02, state.Z.shape[1])), state.parameters
            )
        )
        if near is not None and near.rank > forbidden:
            raise singular(statics, state)


def singular(statics, state):
    names = statics.compiled.pairs.rows_of
    weights = np.abs(np.linalg.svd(state.J.T)[2][-1])
    involved = [repr(name) for name, rows in names.items() if weights[list(rows)].max(initial=0.0) > 1e-6]
    problem = f"the start is singular: the equations of {', '.join(involved)} lose their independence there"
    remedy = "Start a little beside it, with at=."
    return ModelError(
        f"{statics.analysis} of {statics.system.name!r}",
        problem,
        "a configuration whose possible motions are clear",
        remedy,
    )


def refuse_growing_controller_state(state):
    left = np.abs(controller_state_rates(state))
    if left.max(initial=0.0) > 1e-9 * max(1.0, np.abs(state.integrals).max(initial=0.0)):
        name = state.statics.compiled.integrals[int(left.argmax())]
        problem = f"its integral keeps growing by {left.max():.3g} per second wherever forces balance"
        raise ModelError(
            f"force {name!r}",
            problem,
            "in an equilibrium it is constant",
            "Change its target, or leave its integral out.",
        )


def without_noise(vectors, least=0.0):
    """Vectors of one kind to be read: what is round-off beside the largest of them, or beside `least`, is zero."""
    found = np.array(vectors, float).reshape(-1, 3)
    size = max(np.abs(found).max(initial=0.0), least)
    return np.where(np.abs(found) < NOISE * size, 0.0, found)


class Equilibrium(Snapshot):
    """A system at rest.

    eq["hinge.angle"], eq["bob.position"]        values by name, as in results
    eq.reaction("hinge")                         force and moment there, as Result.reaction has them
    eq.stable, eq.reason                         True, False or None (undecided), and why
    eq.notes                                     what else is to be known, such as laws that are discontinuous here
    eq.indifferent, eq.indeterminate             coordinates that no force holds; joints whose reactions are not unique
    eq.contacts["floor"]                         ContactForce of an element that is closed: .normal, .friction, .largest
    eq.stiffness, eq.eigenvalues                 of linearized motion about it
    eq.q, eq.system, eq.parameters, eq.potential, eq.multipliers, eq.residual
    """

    def __init__(self, statics, state, found=(), notes=(), contacts=None):
        """contacts: the system with its contact laws, and the modes of their elements."""
        self._contacts = contacts
        parameters = dict(zip(statics.names, state.parameters.tolist(), strict=True))
        still = np.zeros(statics.compiled.n_u)
        turns = {key: state.measurement[row] for key, row in statics.compiled.pairs.measurement.items()}
        here = dict(t=statics.t, q=state.q, u=still, parameters=parameters, integrals=state.integrals, turns=turns)
        super().__init__(statics.system, statics.formulation, **here)
        self.statics, self.state, self.found, self.notes = (
            statics,
            state,
            tuple(found),
            list(notes) + state.remarks_on_discontinuities(),
        )

    # ---------------------------------------------------------------- how it stands

    @cached_property
    def stability(self):
        return Stability(self.statics, self.state)

    @property
    def stable(self):
        return self.stability.stable

    @property
    def reason(self):
        return self.stability.reason

    @property
    def eigenvalues(self):
        return self.stability.eigenvalues

    @property
    def indifferent(self):
        return list(self.stability.neutral)

    @cached_property
    def indeterminate(self):
        """Joints and constraints whose reactions rigid bodies do not determine."""
        return list(self.result.redundancy.not_unique)

    @cached_property
    def contacts(self):
        """ContactForce of every element of a contact law that is closed, by name."""
        from mekane.analyses.equilibrium.contact_forces import contact_forces_of

        return contact_forces_of(self) if self._contacts else {}

    @cached_property
    def system(self):
        """The system placed here, its contact laws in the modes that they have here."""
        return super().system if self._contacts is None else self.placed_system(*self._contacts)

    @cached_property
    def stiffness(self):
        """Reduced stiffness as a DataArray over independent coordinates [N/m, N, N m]; the others follow by the
        constraints."""
        import xarray

        names, K = self.stability.reduced
        return xarray.DataArray(K, {"coordinate": names, "with": names}, ("coordinate", "with"))

    @cached_property
    def potential(self):
        """Energy of gravity and of all that stores energy [J]."""
        return float(self.result.energies.potential[0])

    @property
    def residual(self):
        """What is unbalanced, relative to the forces at work."""
        return float(self.state.unbalanced)

    @cached_property
    def multipliers(self):
        """Of every row of cut joints and constraints, by name and number."""
        names = list(self.statics.compiled.pairs.rows_of)
        found = dict(
            zip(names, over_samples(self.result, *(Formula(multipliers, name) for name in names)), strict=True)
        )
        return {f"{name}.{k}": float(value) for name, values in found.items() for k, value in enumerate(values[0], 1)}

    # ---------------------------------------------------------------- shown

    def shown_names(self):
        """Names of what is shown: joint coordinates and positions of bodies."""
        return [*self.coordinates(), *(f"{body}.position" for body in self.described.bodies)]

    def remarks(self):
        verdict = {True: "Stable", False: "Unstable", None: "Undecided"}[self.stable]
        shared = ", ".join(map(repr, self.indeterminate))
        indeterminate = [f"Statically indeterminate: how {shared} share the load is not unique."] if shared else []
        return [f"{verdict}: {self.reason}.", *indeterminate, *self.notes]

    def shown(self):
        values = [[name, self[name], self.result.units(name)] for name in self.coordinates()]
        places = without_noise([self[f"{body}.position"] for body in self.described.bodies])
        values += [[f"{body}.position", place, "m"] for body, place in zip(self.described.bodies, places, strict=True)]
        values += [[name, self.parameters[name], "found"] for name in self.found]
        tables = [
            Shown(
                f"Equilibrium of {self.described.name!r}",
                ["quantity", "value", "unit"],
                values,
                " ".join(self.remarks()),
            )
        ]
        reactions = self.reactions()
        forces = without_noise([each.force.values for each in reactions.values()])
        arm = np.abs(places).max(initial=0.0) * np.abs(forces).max(initial=0.0)
        moments = without_noise([each.moment.values for each in reactions.values()], arm)
        on = [each.attrs["on"] for each in reactions.values()]
        rows = [list(row) for row in zip(reactions, on, forces, moments, strict=True)]
        tables += [Shown("Reactions", ["of", "on", "force [N]", "moment [N m]"], rows)] if rows else []
        rows = [[name, *each.shown()] for name, each in self.contacts.items()]
        units = ["normal [N or N m]", "friction", "largest friction"]
        return tables + ([Shown("Contacts", ["element", *units], rows)] if rows else [])

    def to_dict(self):
        borne = lambda each: {
            "on": each.attrs["on"],
            "force": each.force.values.tolist(),
            "moment": each.moment.values.tolist(),
        }
        return {
            "system": self.described.name,
            "t": self.t,
            "values": self.plain(self.shown_names()),
            "found": {name: self.parameters[name] for name in self.found},
            "stable": self.stable,
            "reason": self.reason,
            "indifferent": self.indifferent,
            "indeterminate": self.indeterminate,
            "potential": self.potential,
            "residual": self.residual,
            "eigenvalues": [[s.real, s.imag] for s in self.eigenvalues.tolist()],
            "reactions": {name: borne(each) for name, each in self.reactions().items()},
            "contacts": {name: each.to_dict() for name, each in self.contacts.items()},
            "notes": list(self.notes),
        }
