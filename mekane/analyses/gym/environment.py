"""One environment: a stepper by the interface of gymnasium.Env."""

import gymnasium
import numpy as np

from mekane.analyses.gym.task import Formula
from mekane.analyses.stepper import stepper
from mekane.errors import SimulationError


def spaces(task):
    """Of one environment: observations, actions."""
    n = len(task.observations)
    observation = gymnasium.spaces.Box(-np.inf, np.inf, (n,), np.float64)
    return observation, gymnasium.spaces.Box(task.low, task.high, (len(task.low),), np.float64)


class Environment(gymnasium.Env):
    """mk.gym makes it. env.sim: the stepper; env.task: what is observed, done and rewarded."""

    metadata = {"render_modes": []}

    def __init__(self, task):
        self.task, self.sim = task, task.sim
        self.observation_space, self.action_space = spaces(task)
        self._failed = ""

    def reset(self, *, seed=None, options=None):
        """To a start that is drawn. options: {"start": {name: value}} in place of what is drawn."""
        super().reset(seed=seed)
        values = self.task.starts.draw(self.np_random) | dict((options or {}).get("start", {}))
        self.sim, self._failed = start_at(self.task, self.sim, values), ""
        return self._observation(), self._info()

    def step(self, action):
        """Hold the action for `every`."""
        task, sim = self.task, self.sim
        clipped = np.clip(np.asarray(action, float).reshape(len(task.actions)), task.low, task.high)
        sim.set(dict(zip(task.actions, clipped.tolist(), strict=True)))
        try:
            sim.step(task.every)
        except SimulationError as error:
            self._failed = str(error)
        reward = float(self._value(task.reward))
        done = task.done is not None and bool(self._value(task.done))
        terminated = done or bool(self._failed) or bool(sim.ended_by)
        return self._observation(), reward, terminated, bool(task.is_over(sim.t)), self._info()

    def _observation(self):
        values = read(self.task, self.sim, [name for one in self.task.observations for name in one.names])
        return np.array([one.of(values) for one in self.task.observations], float)

    def _value(self, one):
        return one.of(read(self.task, self.sim, one.names)) if isinstance(one, Formula) else one(self.sim)

    def _info(self):
        found = {"t": self.sim.t}
        found |= {"failed": self._failed} if self._failed else {}
        return found | ({"ended_by": self.sim.ended_by} if self.sim.ended_by else {})


def start_at(task, sim, values):
    """The stepper at a start, or another where numbers of the system differ."""
    starts = task.starts.with_names_of(values)
    if starts.is_state and sim.system is task.system:
        sim.reset()
        if values:
            sim.y = starts.state(values)
        return sim
    if not values and sim.system is task.system:
        return sim.reset()
    return stepper(starts.system_at(values), **task.settings)


def read(task, sim, names):
    """{name: value} of what formulas read."""
    constants, states = sim.system.constants, task.starts.places
    found = {}
    for name in names:
        if name == "t":
            found[name] = sim.t
        elif name in constants:
            found[name] = float(constants[name])
        else:
            found[name] = sim.y[states[name]] if name in states else sim[name]
    return found
