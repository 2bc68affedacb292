"""How members share a load that the equations of rigid bodies do not divide: the least of all shares that balance the
bodies.  THEORY §6

Reactions are not unique where a combination of constraint rows pushes on no body (a self-stress). Of all reactions that
differ by self-stresses, those are given for which

    Σ over joints and constraints of the mean of |F|² + |M/L|² over the bodies it pushes on

is least. M is about the joint's point, or about a constraint's own point (a contact, an end), else about the mass
centre of the body; L is the largest distance of a joint or mass centre from the mean of all, as described. Nothing in
this depends on the formulation, on which rows are active in the time loop, or on the choice of axes; the motion does
not feel it.

Of contacts that hold like constraints each point counts by itself. Where their forces are judged, the least is taken of
those that push and stay within friction; if there are none, of all.
"""

from copy import copy

import numpy as np
from scipy.linalg import qr

from mekane.algebra.vector_arrays import cross
from mekane.model.hybrid.closed_contact import ClosedContact
from mekane.results.quantities import Formula
from mekane.results.reactions import active_row_reaction, constraint_place
from mekane.results.redundancy import in_use, kinematics_of
from mekane.results.sampled_kinematics import KinematicsEvaluator
from mekane.results.samples import over_samples
from mekane.solvers.contacts.force_sets import Forces, force_sets
from mekane.tables import columns as at


class LoadSharing:
    """What is added to the reactions of a run that are not unique; first axis: time, world axes."""

    def __init__(self, run):
        self.run, self.names = run, run.redundancy.not_unique
        self._centre, self._length = centre_and_length(run.system)
        evaluator = KinematicsEvaluator(run.compiled)
        sources = [run.compiled.pairs if name in run.system.constraints else evaluator.pairs for name in self.names]
        rows = [pairs.rows_of[name] for name, pairs in zip(self.names, sources, strict=True)]
        end = np.cumsum([len(some) for some in rows])
        self._rows = {
            name: slice(last - len(some), last) for name, last, some in zip(self.names, end, rows, strict=True)
        }
        self._terms = terms_of(run.system, self.names, sources, rows)
        self._members = self._find_members()
        self._contacts = ContactShare(run, self._rows)
        self.multiplier = np.zeros((len(run.t), sum(map(len, rows))))
        self._wrench = np.zeros((len(run.t), len(self._members), 6))
        self._fill(evaluator)

    def _find_members(self):
        """In one pass over the samples."""
        members = [(name, body) for name in self.names for body in bodies_of(self.run, name)]
        carried = over_samples(self.run, *(Formula(load_and_arm, name, body, self._centre) for name, body in members))
        return [
            Member(self.run, *who, *np.split(both, [6], axis=1), self._length)
            for who, both in zip(members, carried, strict=True)
        ]

    def _fill(self, evaluator):
        run, redundant = self.run, self.run.redundancy.redundant
        evaluate_kinematics = kinematics_of(run.compiled) if run.system.constraints else None
        for i, (t, y) in enumerate(zip(run.t, run.record.y, strict=True)):
            terms = (
                evaluator.evaluate_kinematics(y).term,
                evaluate_kinematics(t, y, run.record.measurement[i]).term if evaluate_kinematics else None,
            )
            lines = self._lines(terms)
            stresses = self_stresses(self._unscaled(lines), redundant)
            # (member, 6, row)
            by_rows = np.stack([member.of_rows(lines, self._rows[member.name]) for member in self._members])
            counted = [(k, member) for k, member in enumerate(self._members) if member.name not in self._contacts.names]
            effect = [member.measured(i, by_rows[k] @ stresses) for k, member in counted]
            load = [member.measured(i, member.load[i][:, None])[:, 0] for _, member in counted]
            of_contacts = self._contacts.arms(lines, self._length)
            effect = np.concatenate([*effect, of_contacts[:, None] * stresses[self._contacts.rows]])
            load = np.concatenate([*load, of_contacts * self._contacts.forces[i]])
            self.multiplier[i] = -stresses @ self._contacts.amounts(i, stresses, effect, load)
            self._wrench[i] = by_rows @ self.multiplier[i]

    def _lines(self, terms):
        """(row, body, 6): moment about Bo and force that a unit of each row exerts."""
        of_joints, row, body, k = self._terms
        lines = np.zeros((self.multiplier.shape[1], len(self.run.compiled.tables.body_i), 6))
        for chosen, term in zip((of_joints, ~of_joints), terms, strict=True):
            if chosen.any():
                np.add.at(lines, (row[chosen], body[chosen]), term[k[chosen]])
        return lines

    def _unscaled(self, lines):
        """Wrenches on bodies that can move, all entries forces."""
        wrenches = lines[:, 1:] / np.repeat([self._length, 1.0], 3)
        return in_use(self.run.system, wrenches).reshape(len(lines), -1)

    def reaction(self, name, body):
        """Moment about Bo and force to add to what a joint or constraint exerts on this one of its bodies."""
        here = [k for k, member in enumerate(self._members) if (member.name, member.body) == (name, body)]
        return self._wrench[:, here[0]] if here else np.zeros((len(self._wrench), 6))

    def multipliers(self, name):
        return self.multiplier[:, self._rows[name]]

    def at(self, samples):
        """The same for some of the samples."""
        part = copy(self)
        part.multiplier, part._wrench = self.multiplier[samples], self._wrench[samples]
        return part


class ContactShare:
    """Contacts that hold like constraints, among the members that share a load."""

    def __init__(self, run, rows_of):
        """rows_of: name → rows among those of all members."""
        self.names = [name for name in rows_of if isinstance(run.system.constraints.get(name), ClosedContact)]
        self.rows = [row for name in self.names for row in range(rows_of[name].start, rows_of[name].stop)]
        found = over_samples(run, *(Formula(active_multipliers, name) for name in self.names)) if self.names else []
        self.forces = np.concatenate([np.zeros((len(run.t), 0)), *found], axis=1)
        some = {name: run.system.constraints[name] for name in self.names}
        self.sets = [one for one in force_sets(some, rows_of) if one.limit is not None]

    def arms(self, lines, length):
        """What turns each row's multiplier into a force: of a torque one over the length."""
        return np.array([1.0 if lines[row, :, 3:].any() else 1.0 / length for row in self.rows])

    def amounts(self, i, stresses, effect, load):
        """Of self-stresses, to be taken off: the least load, within the sets of contacts where that can be."""
        least = np.linalg.lstsq(effect, load, rcond=None)[0]
        if not self.sets:
            return least
        forces = np.zeros(len(stresses))
        forces[self.rows] = self.forces[i]
        scale = np.abs(load).max(initial=0.0)
        if Forces(self.sets, forces - stresses @ least, np.zeros((len(stresses), 0)), scale).hold:
            return least
        within = Forces(self.sets, forces, stresses, scale).least_amounts(effect, load)
        return least if within is None else -within


def active_multipliers(run, name):
    """Of a contact, as the active rows of the time loop divide the load."""
    return run.loads.multipliers(run.compiled.pairs.rows_of[name])


class Member:
    """One joint, or one constraint on one of its bodies, and what it carries as the time loop divided the load."""

    def __init__(self, run, name, body, load, arm, length):
        """load: moment about Bo and force.  arm: to Bo from the point that its moment is counted about. First axis:
        time."""
        self.name, self.body, self._system = name, body, run.system
        self._row = run.compiled.frames.row[body]
        self.load, self._arm = load, arm
        self._weight = np.repeat([1.0 / length, 1.0], 3)[:, None] / np.sqrt(len(bodies_of(run, name)))

    def of_rows(self, lines, rows):
        """(6, row): wrench about Bo of a unit of each row; of rows of others, none."""
        found = np.zeros((6, len(lines)))
        found[:, rows] = lines[rows, self._row].T
        return found

    def measured(self, i, wrenches):
        """Of wrenches about Bo (columns), what the norm counts."""
        moment = wrenches[:3] + cross(self._arm[i], wrenches[3:].T).T
        return in_use(self._system, (self._weight * np.concatenate([moment, wrenches[3:]])).T).T


def load_and_arm(run, name, body, centre):
    """What a Member carries, and its arm: a formula of results.samples."""
    constraint = name in run.system.constraints
    arm = run.kinematics.origin(body) - (
        place_of(run, name, body, centre) if constraint else run.kinematics.point(name)
    )
    return np.concatenate([active_row_reaction(run, name, body), arm], axis=1)


def self_stresses(B, redundant):
    """Columns c with Bᵀ c = 0, as many as there are redundant rows, from unit rows, the most independent first."""
    length = np.linalg.norm(B, axis=1)
    length = np.where(length > 0, length, 1.0)
    R, order = qr((B / length[:, None]).T, mode="r", pivoting=True)
    rank = len(B) - redundant
    stresses = np.zeros((len(B), redundant))
    stresses[order[:rank]] = -np.linalg.solve(
        R[:rank, :rank], R[:rank, rank:]
    )  # a triangle; LAPACK's own starts threads
    stresses[order[rank:], np.arange(redundant)] = 1.0
    return stresses / length[:, None]


def bodies_of(run, name):
    if name in run.system.constraints:
        return run.compiled.constrained_bodies(name)
    joint = run.system.joints[name]
    return joint.a, joint.b


def place_of(run, name, body, centre):
    """The point that the moment of a constraint is about."""
    own = constraint_place(run, name)
    if own is not None:
        return own
    return centre if body == "ground" else run.kinematics.position(body, run.system.bodies[body].com)


def terms_of(system, names, sources, rows):
    """Of every term of these rows: whether it is a joint's, its row, its body and its number."""
    found, count = [], 0
    for name, pairs, some in zip(names, sources, rows, strict=True):
        for row in some:
            terms = range(*pairs.row_i[row][at.ROW_TERM : at.ROW_TERM_END + 1])
            found += [(name in system.joints, count, pairs.term_i[k][at.TERM_BODY], k) for k in terms]
            count += 1
    of_joints, row, body, k = np.array(found, np.int64).reshape(-1, 4).T
    return of_joints.astype(bool), row, body, k


def centre_and_length(system):
    """Mean of the joints' points and mass centres, as described, and the largest distance from it [m]."""
    bodies = {"ground": system.ground, **system.bodies}
    in_world = lambda name, point: bodies[name].position + bodies[name].R_NB @ np.array(point, float)
    points = [in_world(name, body.com) for name, body in system.bodies.items()]
    points += [in_world(joint.a, joint.p_AF) for joint in system.joints.values()]
    centre = np.mean(points, axis=0)
    return centre, float(np.linalg.norm(points - centre, axis=1).max()) or 1.0
