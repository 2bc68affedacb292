"""States that are coordinates of joints where the formulation has others: x' = T x.

In "absolute" the state consists of positions of bodies; a user may still request "hinge.angle" as a state. Its
derivative along the states, and that of its rate, are rows of T in place of two states; all else stays. About a steady
motion T does not change with time, so A' = T A T⁻¹.
"""

import numpy as np

from mekane.analyses.linear.minimal_states import state_names
from mekane.errors import ModelError, did_you_mean
from mekane.model.names import joint_coordinates

DEPENDENT = 1e-9  # a derivative beside the largest of its row
ROUND_OFF = 1e-13
SHOWN = 24


def split_names(compiled, names):
    """(names that the formulation knows itself, coordinates of joints that it does not)."""
    own, of_joints, measured = state_names(compiled), joint_coordinates(compiled.system), []
    for name in names:
        coordinate = name.removesuffix(".rate")
        if name not in own and coordinate not in of_joints:
            known = list(dict.fromkeys([*of_joints, *own]))
            listed = ", ".join(known[:SHOWN]) + (" …" if len(known) > SHOWN else "")
            raise ModelError(
                "independent", f"there is no {name!r}", f"there are {listed}", did_you_mean(name, known).strip()
            )
        if name not in own:
            measured.append(coordinate)
    return [name for name in names if name in own], list(dict.fromkeys(measured))


def watched_outputs(measured):
    """Outputs whose derivatives are the rows of T: coordinates, then their rates."""
    return [*measured, *(f"{name}.rate" for name in measured)]


class JointStates:
    """T, its inverse, and the names of the states. rows: derivatives of watched_outputs along the states; stay: changes
    that are to stay."""

    def __init__(self, states, independent, measured, rows, stay):
        self.states, self.T = list(states), np.eye(len(states))
        n_places, n_speeds = len(independent.q), len(independent.u)
        self.places, self.speeds = range(n_places), range(n_places, n_places + n_speeds)
        taken = {k for k, change in enumerate([*independent.q, *independent.u]) if change in stay}
        for name, row in zip(watched_outputs(measured), rows, strict=True):
            self._take_in(name, row, self.speeds if name.endswith(".rate") else self.places, taken)
        self.back = np.linalg.inv(self.T)

    def _take_in(self, name, row, among, taken):
        """In place of the state that it changes with most, as they are chosen so far."""
        by_states = np.abs(row @ np.linalg.inv(self.T))
        free = [k for k in among if k not in taken]
        k = max(free, key=lambda k: by_states[k], default=None)
        if k is None or by_states[k] <= DEPENDENT * by_states.max(initial=0.0) or by_states[k] == 0.0:
            problem = f"{name!r} cannot be independent together with the others"
            raise ModelError(
                "independent", problem, f"{len(among)} of them are independent here", "Name others, or leave it out."
            )
        taken.add(k)
        self.T[k], self.states[k] = row, name

    def matrix(self, A):
        """A'; what is round-off of its terms is zero."""
        size = np.abs(self.T) @ np.abs(A) @ np.abs(self.back)
        transformed = self.T @ A @ self.back
        return np.where(np.abs(transformed) > ROUND_OFF * size, transformed, 0.0)

    def independent(self, found):
        """The Independent of these states: δs = S x_q, δu = U x_u + C x_q."""
        q, u = list(self.places), list(self.speeds)
        back_q, back_u, mixed = (self.back[np.ix_(*rows)] for rows in ((q, q), (u, u), (u, q)))
        return found._replace(S=found.S @ back_q, U=found.U @ back_u, C=found.C @ back_q + found.U @ mixed)
