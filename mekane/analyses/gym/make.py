"""gym: a system as an environment of gymnasium."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mekane.analyses.gym.task import make_task
from mekane.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from mekane.model.system import System
    from mekane.model.types import NumberLike


def gym(
    system: System,
    *,
    observe: Sequence[str],
    act: Mapping[str, tuple[NumberLike, NumberLike]],
    every: NumberLike,
    reward: str | Callable[..., float],
    done: str | Callable[..., bool] | None = None,
    t_end: NumberLike | None = None,
    start: Mapping[str, Any] | None = None,
    n: int | None = None,
    engine: str = "auto",
    **settings: Any,
) -> Any:
    """An environment of gymnasium: an agent reads channels and sets inputs, which are held over each of its steps.

    Parameters:
        system: what moves.
        observe: channels and formulas, ["hinge.angle", "sin(hinge.angle)", "cart.position"]; vectors by all components.
        act: inputs of the system and their bounds, {"push": (-10, 10)}; actions beyond them are clipped.
        every: time of one step of the agent [s]; the motion itself takes the steps it needs.
        reward: a formula of channels, inputs, parameters and t after the step, or a function of the environment's
            stepper.
        done: a condition that ends an episode ("terminated"), "abs(hinge.angle) > 0.2", or a function of the stepper.
        t_end: an episode ends there at the latest ("truncated") [s]; by default never.
        start: {name: value, (low, high) or a distribution such as mk.normal(0, 0.1)} of coordinates and speeds at the start,
            parameters and numbers such as "pole.mass"; drawn anew at each reset.
        n: so many environments at once, as a gymnasium.vector.VectorEnv; by default one gymnasium.Env.
        engine: of several: "lanes" (vector registers), "one by one", or "auto": lanes where the model fits them.
        settings: as in mk.stepper: method, rtol, atol, step, formulation …

    Returns:
        gymnasium.Env: env.reset(seed=1), env.step(action) …; env.sim is its stepper. With n a VectorEnv.

    Example:
        s = mk.System()
        arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
        s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")
        s.input("drive", 0.0, unit="N m")
        s.torsional_law("motor", "hinge", torque="drive")
        # env = mk.gym(s, observe=["hinge.angle", "hinge.angle.rate"], act={"drive": (-2, 2)}, every="20 ms",
        #              reward="-(hinge.angle - pi)**2 - 0.01*drive**2", start={"hinge.angle": (-0.1, 0.1)}, t_end=5)
    """
    task = make_task(
        system, observe=observe, act=act, every=every, reward=reward, done=done, t_end=t_end, start=start, settings=settings
    )  # fmt: skip
    try:
        import gymnasium  # noqa: F401
    except ImportError:
        remedy = 'Install it: pip install "mekane[gym]".'
        raise ModelError("gym", "gymnasium is not installed", "environments are made with it", remedy) from None
    if n is None:
        from mekane.analyses.gym.environment import Environment

        return Environment(task)
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ModelError("gym", f"n is {n!r}", "a number of environments is expected", "Write n=64.")
    from mekane.analyses.gym.vector_environment import VectorEnvironment

    return VectorEnvironment(task, n, engine)
