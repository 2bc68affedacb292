"""What the process of a stepped motion answers. It has one motion, that of the tab it works for."""

import math

from mekane.errors import ModelError
from mekane.view.scene.scene import scene
from mekane.view.studio.computation import bounded
from mekane.view.studio.stepped.motion import SteppedMotion

NUMBERS = ("quick", "weight", "sag", "strength")
motion = None  # of this process


def begin(system, options, anew: bool) -> dict:
    """The motion of a model, from its start or from where the one before it is."""
    global motion
    _, options, _ = bounded(options)
    motion = SteppedMotion(system, options, None if anew else motion)
    return {
        "stepped": True,
        "about": motion.about,
        "scene": scene(system).to_dict(),
        "row": motion.row(),
        "anew": motion.anew,
    }


def end() -> None:
    global motion
    motion = None


def advance(text, data) -> dict:
    """Rows after that at data["begin"]; `gone`: there is no motion."""
    if motion is None:
        return {"gone": True}
    return motion.advance(number(data, "begin"), max(0.0, number(data, "step")), hand_in(data.get("hand")))


def hand_in(given):
    """What a page sends of its hand, checked."""
    if given is None:
        return None
    if not isinstance(given, dict) or type(given.get("body")) is not int or type(given.get("number")) is not int:
        raise refused("hand", given)
    if not 0 <= given["body"] < len(motion.hand.bodies):
        raise refused("body", given["body"])
    found = {"number": given["number"], "body": given["body"]} | {name: number(given, name) for name in NUMBERS}
    for name in ("place", "target"):
        points = given.get(name)
        if not isinstance(points, list) or len(points) != 3:
            raise refused(name, points)
        found[name] = [number({name: x}, name) for x in points]
    if not (found["sag"] > 0.0 and found["strength"] > 0.0 and found["weight"] >= 0.0):
        raise refused("hand", given)
    return found


def number(data, name) -> float:
    x = data.get(name)
    if type(x) not in (int, float) or not math.isfinite(x):
        raise refused(name, x)
    return float(x)


def refused(name, given):
    return ModelError("live", f"{name} is {given!r}", "a number of the page is expected", "Load the page again.")
