"""What each speed has to do with: the weight it carries and the laws that act on it. Forces on it are compared with these, not with those
on the rest of the system, so that a grain beside a boulder is judged as it would be alone."""

import numpy as np

from mekane.compile.layout import (
    ACT_FORCE_BODY,
    ACT_FORCE_WORLD,
    ACT_GAUGE,
    ACT_INTEGRAL,
    ACT_LINE,
    ACT_SPEED,
    ACT_TORQUE_BODY,
    ACT_TORQUE_WORLD,
    ACTION_KIND,
    ACTION_ON,
    ACTION_R,
    ANGLE,
    PARENT,
    ROW_KIND,
    ROW_TERM,
    ROW_TERM_END,
    SPEED0,
    SPEED1,
    T_MASS,
    TERM_BODY,
)

ON_A_POINT = (ACT_FORCE_WORLD, ACT_FORCE_BODY, ACT_TORQUE_WORLD, ACT_TORQUE_BODY)


class OwnLoads:
    """Energies at work on every scaled speed. unit: what each speed is measured in; size: that of the mechanism."""

    def __init__(self, compiled, unit, size):
        T, self.unit, self.size = compiled.tables, unit, size
        self._moves = moved_by(T, compiled.n_u)
        self.weights = T.body_f[:, T_MASS].real @ self._moves * np.linalg.norm(compiled.system.gravity) * size
        self._registers = T.action_i[:, ACTION_R : ACTION_R + 3]
        arms = np.array([self._arms(T, action) for action in T.action_i]).reshape(len(T.action_i), compiled.n_u)
        self._arms_of = np.where(self._registers[..., None] > 0, arms[:, None], 0.0)  # (law, component, speed)

    def _arms(self, T, action):
        """What turns the value of a law into an energy, for every speed that it acts on."""
        kind, on = action[ACTION_KIND], action[ACTION_ON]
        if kind == ACT_SPEED:
            return np.where(np.arange(len(self.unit)) == on, self.unit, 0.0)
        turns = kind in (ACT_TORQUE_WORLD, ACT_TORQUE_BODY) or (kind == ACT_GAUGE and T.row_i[on, ROW_KIND] == ANGLE)
        return self._moves[bodies_of(T, kind, on)].any(axis=0) * (1.0 if turns else self.size)

    def at(self, registers):
        """For these values of the laws."""
        laws = np.abs(registers[self._registers][..., None] * self._arms_of)
        return self.weights + laws.max(axis=(0, 1), initial=0.0)


def moved_by(T, n_u):
    """Which speeds move which bodies: those on the way from the ground. True or False (body, speed)."""
    moves = np.zeros((len(T.body_i), n_u), bool)
    for i, row in enumerate(T.body_i[1:], 1):
        moves[i] = moves[row[PARENT]]
        moves[i, row[SPEED0] : row[SPEED1]] = True
    return moves


def bodies_of(T, kind, on):
    """Rows of the bodies that an action pushes."""
    if kind == ACT_GAUGE:
        return T.term_i[T.row_i[on, ROW_TERM] : T.row_i[on, ROW_TERM_END], TERM_BODY]
    if kind == ACT_LINE:
        return T.point_i[T.line_i[on]]
    assert kind in (*ON_A_POINT, ACT_INTEGRAL)
    return T.point_i[[on]] if kind in ON_A_POINT else np.zeros(0, np.int64)
