"""Many environments at once, by the interface of gymnasium.vector.VectorEnv."""

import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mekane.analyses.batch.engine import LANES, ONE_BY_ONE
from mekane.analyses.batch.lane_channels import NotOnLanes
from mekane.analyses.gym.environment import Environment, spaces
from mekane.analyses.gym.lane_steps import LaneSteps
from mekane.analyses.gym.task import PART, Formula
from mekane.analyses.stepper import stepper
from mekane.errors import ModelError

ENGINES = ("auto", LANES, ONE_BY_ONE)


class VectorEnvironment(VectorEnv):
    """mk.gym(…, n=64) makes it. Environment k, reset with seed s, is the single one reset with seed s + k. One whose episode
    has ended is reset in the next step, whose action it ignores. env.engine, env.reason: what steps them, and why."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, task, n, engine="auto"):
        self.num_envs, self.task = n, task
        self.single_observation_space, self.single_action_space = spaces(task)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self.engine, self.reason, self._motions = motions_of(task, n, engine)
        self._random = [np_random()[0] for _ in range(n)]
        self._ended = np.zeros(n, bool)

    def reset(self, *, seed=None, options=None):
        """seed: a number, or one for each environment."""
        of_each = [seed + k for k in range(self.num_envs)] if isinstance(seed, int) else seed
        for k, one in enumerate(of_each or ()):
            if one is not None:
                self._random[k] = np_random(one)[0]
        self._start(range(self.num_envs), dict((options or {}).get("start", {})))
        self._ended[:] = False
        return self._motions.observations(), self._info({})

    def step(self, actions):
        task, again = self.task, np.flatnonzero(self._ended)
        actions = np.clip(np.asarray(actions, float).reshape(self.num_envs, -1), task.low, task.high)
        going = np.flatnonzero(~self._ended)
        self._start(again, {})
        failed = self._motions.step(actions, going)
        rewards, terminated = self._motions.judged(going)
        terminated[list(failed)] = True
        truncated = np.array([task.is_over(t) for t in self._motions.t]) & ~self._ended
        self._ended = terminated | truncated
        return self._motions.observations(), rewards, terminated, truncated, self._info(failed)

    def _start(self, which, given):
        for k in which:
            self._motions.start(k, self.task.starts.draw(self._random[k]) | given)

    def _info(self, failed):
        found = {"t": np.array(self._motions.t)}
        return found | ({"failed": failed} if failed else {})


def motions_of(task, n, engine):
    """(name of the engine, why it was chosen, the motions)"""
    if engine not in ENGINES:
        expected = f"{', '.join(ENGINES[:-1])} or {ENGINES[-1]!r} is expected"
        raise ModelError(PART, f"engine is {engine!r}", expected)
    if engine == ONE_BY_ONE:
        return ONE_BY_ONE, "it was chosen", OneByOne(task, n)
    try:
        return LANES, "the model fits them", OnLanes(task, n)
    except NotOnLanes as error:
        if engine == LANES:
            problem = f"engine is {LANES!r}, and this model cannot run on them: {error}"
            raise ModelError(PART, problem, "a model that fits is expected", 'Write engine="auto".') from None
        return ONE_BY_ONE, str(error), OneByOne(task, n)


class OneByOne:
    """A stepper for each."""

    def __init__(self, task, n):
        self.environments = [Environment(task) for _ in range(n)]
        for one in self.environments:
            one.sim = stepper(task.system, **task.settings)
        self.values = [(0.0, False)] * n

    @property
    def t(self):
        return [one.sim.t for one in self.environments]

    def start(self, k, values):
        self.environments[k].reset(options={"start": values})

    def step(self, actions, going):
        failed = {}
        for k in going:
            _, reward, terminated, _, info = self.environments[k].step(actions[k])
            self.values[k] = reward, terminated
            failed |= {int(k): info["failed"]} if "failed" in info else {}
        return failed

    def judged(self, going):
        n = len(self.environments)
        rewards, terminated = np.zeros(n), np.zeros(n, bool)
        for k in going:
            rewards[k], terminated[k] = self.values[k]
        return rewards, terminated

    def observations(self):
        return np.stack([one._observation() for one in self.environments])


class OnLanes:
    """All in one call."""

    def __init__(self, task, n):
        for what, one in (("reward", task.reward), ("done", task.done)):
            if one is not None and not isinstance(one, Formula):
                raise NotOnLanes(f"{what} is a function of one stepper")
        settings = {name: x for name, x in task.settings.items() if name not in ("record", "every")}
        self.task, self.states = task, [*task.sim.compiled.coordinates, *task.sim.compiled.speeds]
        own = {"t", *task.system.inputs, *task.system.constants, *self.states}
        self.read = [name for name in task.names if name not in own]
        self.numbers = [name for name in task.starts.given if name in task.starts.varied.numbers]
        inputs = {name: f"{name}.value" for name in task.system.inputs}
        varied = [*self.states, *inputs.values(), *self.numbers]
        channels = [*self.states, *self.read]
        self.engine = LaneSteps(task.system, varied, task.every, channels, settings)
        self.inputs = inputs
        declared = {name: float(one.value) for name, one in task.system.inputs.items()}
        self.now = {name: np.zeros(n) for name in (*channels, *self.numbers)} | {"t": np.zeros(n)}
        self.now |= {name: np.full(n, value) for name, value in declared.items()}
        self.now |= {name: np.full(n, float(x)) for name, x in task.system.constants.items() if name not in self.now}
        self.declared, self.count = declared, np.zeros(n, int)

    @property
    def t(self):
        return self.now["t"]

    def start(self, k, values):
        """The state, and what is read from it, of run k."""
        starts = self.task.starts.with_names_of(values)
        for name in sorted(set(starts.varied.numbers) - set(self.numbers)):
            problem, remedy = f"{name!r} is given when it is reset", "Give it in start= of mk.gym, too."
            raise ModelError(PART, problem, "on lanes, numbers that vary are known from the beginning", remedy)
        if starts.is_state:
            sim = self.task.sim.reset()
            sim.y = starts.state(values)
        else:
            sim = stepper(starts.system_at(values), **self.task.settings)
        for name, value in zip(self.states, sim.y, strict=False):
            self.now[name][k] = value
        for name in self.read:
            self.now[name][k] = sim[name]
        for name, value in self.declared.items():
            self.now[name][k] = value
        for name in self.numbers:
            self.now[name][k] = values[name]
        self.count[k], self.now["t"][k] = 0, 0.0

    def step(self, actions, going):
        for name, values in zip(self.task.actions, actions.T, strict=True):
            self.now[name][going] = values[going]
        varied = {name: self.now[name][going] for name in (*self.states, *self.numbers)}
        varied |= {address: self.now[name][going] for name, address in self.inputs.items()}
        self.count[going] += 1
        self.now["t"][going] = self.count[going] * self.task.every
        if not len(going):
            return {}
        values, failed = self.engine.step(varied)
        good = np.array([k not in failed for k in range(len(going))], bool)
        for name, column in zip((*self.states, *self.read), values.T, strict=True):
            self.now[name][going[good]] = column[good]
        return {int(going[k]): why for k, why in failed.items()}

    def judged(self, going):
        task, n = self.task, len(self.count)
        rewards, terminated = np.zeros(n), np.zeros(n, bool)
        rewards[going] = np.broadcast_to(task.reward.of(self.now), n)[going]
        if task.done is not None:
            terminated[going] = np.broadcast_to(task.done.of(self.now), n)[going] != 0.0
        return rewards, terminated

    def observations(self):
        n = len(self.count)
        return np.stack([np.broadcast_to(one.of(self.now), n) for one in self.task.observations], axis=1).astype(float)
