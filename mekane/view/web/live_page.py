"""mk.save_live: one file in which a mechanism is simulated, in any browser, from disk, without a server or a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mekane.analyses.simulate import simulate
from mekane.errors import MekaneError, ModelError, did_you_mean
from mekane.files import write
from mekane.model.values.units import positive, shown
from mekane.symbolic.live import fixed_parameters
from mekane.view.motion.frames import shown as frames_shown
from mekane.view.scene.scene import scene
from mekane.view.web.live_code import live_code
from mekane.view.web.saved_page import page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from mekane.model.system import System

PREVIEW = 200  # frames by which the camera is set
LEAST = 0.01  # of a value that must stay greater than zero
DRAWN = "drawn as at the start"  # where a number moves places that are drawn


class Slider(NamedTuple):
    name: str
    value: float
    low: float
    high: float
    unit: str
    note: str


def save_live(
    system: System,
    path: str | PathLike[str],
    sliders: Sequence[str] | Mapping[str, tuple[float, float]] | None = None,
    t_end: float = 5.0,
    formulation: str = "joint",
    impacts: str = "simultaneous",
) -> None:
    """Write a page in which the mechanism is simulated and can be dragged: one file, which any browser opens from disk.

    Parameters:
        path: the file to write, .html.
        sliders: names of numbers that can be changed while it runs, such as "m" or "arm.mass", or {name: (lowest,
            highest)} in SI units; all parameters and inputs of the system by default.
        t_end: how far a first run goes [s], by which the camera and the speed are set; default 5.
        formulation: "joint", or another that has no Bryan angles.
        impacts: "simultaneous", or "sequential": contacts that are hit at one instant one after the other.

    Example:
        from mekane import gallery
        mk.save_live(gallery.find("double_pendulum").system(), "pendulum.html")
    """
    if not str(path).endswith((".html", ".htm")):
        remedy = 'Write mk.save_live(s, "live.html").'
        raise ModelError("save_live", f"path is {str(path)!r}", "pages are written as .html", remedy)
    write(path, live_page(system, sliders, t_end, formulation, impacts))


def live_page(system, sliders=None, t_end=5.0, formulation="joint", impacts="simultaneous") -> str:
    """The text of the page."""
    data, script = live_data(system, sliders, t_end, formulation, impacts)
    return page(data, model=script)


def live_data(system, sliders=None, t_end=5.0, formulation="joint", impacts="simultaneous"):
    """What the page reads, and the script of its model."""
    t_end = positive(t_end, "time", "save_live", "t_end")
    ranges = ranges_of(system, sliders)
    fixed = fixed_parameters(system, ranges, formulation) if sliders is None else {}  # those requested must vary
    ranges = {name: ends for name, ends in ranges.items() if name not in fixed}
    code = live_code(system, list(ranges), formulation, impacts)  # before the run: it says what a live page cannot do
    run = simulate(system, t_end, formulation=formulation, impacts=impacts)
    data = {
        "scene": scene(system).to_dict(),
        "frames": frames_shown(run, PREVIEW).to_dict(),
        "channels": {},
        "shown": [],
        "arrows": [],
        "info": {"subtitle": "simulated in this page", "health": "", "events": []},
        "live": {
            "about": code.about,
            "sliders": [one._asdict() for one in made(system, ranges, code.values)],
            "fixed": fixed,
        },
    }
    return data, code.script


# ---------------------------------------------------------------- sliders


def ranges_of(system, sliders) -> dict:
    """{name: (lowest, highest) or None}"""
    if sliders is None:
        return dict.fromkeys([*system.parameters, *(name for name in system.inputs if "." not in name)])
    if isinstance(sliders, str) or not all(isinstance(name, str) for name in sliders):
        expected, remedy = (
            "a list of names, or {name: (lowest, highest)}",
            'Write for example sliders=["m", "arm.mass"].',
        )
        raise ModelError("sliders", f"they are {shown(sliders)}", f"{expected} is expected", remedy)
    found = dict(sliders) if isinstance(sliders, dict) else dict.fromkeys(sliders)
    for name in found:
        refuse_unknown(system, name)
    return found


def refuse_unknown(system, name):
    known = [*system.parameters, *system.inputs]
    if name not in known and "." not in name and name != "gravity":
        remedy = did_you_mean(name, known).strip() or 'Name a parameter, an input, or a number such as "arm.mass".'
        raise ModelError(
            "sliders", f"there is no {name!r}", f"the system has {', '.join(known) or 'no parameters'}", remedy
        )


def made(system, ranges, values) -> list[Slider]:
    """values: (name, value, unit) of the code, in its order."""
    return [slider(system, name, value, unit, ranges.get(name)) for name, value, unit in values]


def slider(system, name, value, unit, ends) -> Slider:
    low, high = usual_range(system, name, value) if ends is None else given_range(system, name, ends)
    note = DRAWN if moves_places(system, name, low + 0.6 * (high - low)) else ""
    return Slider(name, value, low, high, "" if unit == "SI" else unit, note)


def usual_range(system, name, value):
    if value == 0:
        return -1.0, 1.0
    low, high = sorted((0.0, 2.0 * value))
    if refusal(system, name, 0.0) is None:
        return low, high
    return (LEAST * value, high) if value > 0 else (low, LEAST * value)


def given_range(system, name, ends):
    try:
        low, high = map(float, ends)
    except (TypeError, ValueError):
        low = high = 0.0
    if not low < high:
        raise ModelError(
            "sliders", f"the range of {name!r} is {shown(ends)}", "(lowest, highest) in SI units is expected"
        )
    for end in (low, high):
        refused = refusal(system, name, end)
        if refused is not None:
            raise ModelError("sliders", f"{name} = {end:g} is not possible: {refused}", "give another range")
    return low, high


def refusal(system, name, value):
    """Why the system cannot have this value; None: it can."""
    try:
        changed(system, name, value)
    except MekaneError as error:
        return str(error)
    return None


def changed(system, name, value):
    return None if name in system.inputs else system.with_parameters({name: value})


def moves_places(system, name, value) -> bool:
    """Whether what is drawn depends on it."""
    try:
        other = changed(system, name, value)
    except MekaneError:
        return False
    return other is not None and drawn(other) != drawn(system)


def drawn(system) -> dict:
    """The scene without what a colour or a number beside a name says."""
    found = scene(system).to_dict()
    bodies = [{key: x for key, x in body.items() if key != "mass"} for body in found["bodies"]]
    return {"bodies": bodies, "ground": found["ground"], "joints": found["joints"]}
