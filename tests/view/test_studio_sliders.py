"""Sliders of every mechanism and of odd texts. Oracles: Python's own arithmetic, the text read as a whole, the run
before."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mekane as mk
from mekane import gallery
from mekane.importers._yaml_text import read_data
from mekane.importers.text_places import with_value
from mekane.importers.yaml import load_document
from mekane.view.studio import opening
from mekane.view.studio.backend import Backend
from mekane.view.studio.literals import literals_in, with_number
from mekane.view.studio.slider_edit import with_changes, with_slider_value
from mekane.view.studio.sliders import sliders
from mekane.view.web.packing import from_block

DOCS = Path(__file__).parents[2] / "docs" / "model-files.md"


def posted(backend, **data):
    """Strict JSON: a number that is none would not pass."""
    return json.loads(backend.post("/run", data).body, parse_constant=pytest.fail)


def backend_of(text):
    return Backend(text, "trial", Path("nowhere.yaml"), exists=False)


def poses(reply):
    return from_block(reply["motion"]["frames"]["poses"])


def moved(backend, text, slider, value):
    return posted(
        backend, text=text, change={"path": slider["path"], "value": value, "unit": slider["unit"]}, quick=True
    )


# ---------------------------------------------------------------- every mechanism


@pytest.mark.divided("mechanism", 3)
@pytest.mark.parametrize("mechanism", gallery.mechanisms(), ids=lambda m: m.name)
def test_sliders_of_every_mechanism(mechanism):
    """At an end of its range each gives a motion, or one sentence with a line; its own value gives the run before.

    Three sliders of each, another end each time: all of them, at three values, take some minutes."""
    backend = opening.backend_of_mechanism(mechanism)
    text = with_value(backend.text, ("simulate", "t_end"), repr(float(mechanism.t_end) / 50))
    before = posted(backend, text=text, quick=True)
    found = before["sliders"]
    for k, slider in enumerate(found[:: max(1, len(found) // 3)][:3]):
        assert slider["low"] <= slider["value"] <= slider["high"] and slider["low"] < slider["high"]
        reply = moved(backend, text, slider, slider["high" if k % 2 else "low"])
        # which has no place
        assert "motion" in reply or reply["error"]["line"] > 0 or reply["error"]["part"].startswith("motion of")
        back = moved(backend, text, slider, slider["value"])
        if back["text"] == text:
            assert np.array_equal(poses(back), poses(before))
        else:  # it was not given before: seven digits of what the run has are written
            assert np.abs(poses(back)[-1] - poses(before)[-1]).max() < 1e-4 * max(1.0, np.abs(poses(before)).max())


@pytest.mark.divided("mechanism", 3)
@pytest.mark.parametrize("mechanism", gallery.mechanisms(), ids=lambda m: m.name)
def test_no_range_begins_with_nonsense(mechanism):
    """Masses, sizes and times stay greater than zero: the whole model can be built at the low end of each of them."""
    text = opening.backend_of_mechanism(mechanism).text
    for slider in sliders(text):
        if slider.group in ("masses", "run") and slider.value > 0:
            assert slider.low > 0
        assert math.isfinite(slider.low) and math.isfinite(slider.high)


EXAMPLES = [
    text for text in re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S) if "bodies:" in text
]


@pytest.mark.divided("text", 3)
@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_sliders_of_the_documented_models(text):
    """Every slider at both ends: a motion, or one sentence with a line. Units and comments stay."""
    text = with_value(text, ("simulate", "t_end"), "0.02")
    backend = backend_of(text)
    before = posted(backend, text=text, quick=True)
    if "error" in before:  # they show words, not all of them go together
        assert before["error"]["line"] > 0
        return
    found = before["sliders"]
    for k, slider in enumerate(found[:: max(1, len(found) // 8)]):
        reply = moved(backend, text, slider, slider["high" if k % 2 else "low"])
        assert "motion" in reply or reply["error"]["line"] > 0
        assert re.findall("#.*", reply["text"]) == re.findall("#.*", text)
        again = {one["name"]: one for one in reply.get("sliders", [])}
        assert again.get(slider["name"], slider)["unit"] == slider["unit"]


# ---------------------------------------------------------------- numbers in expressions

numbers = st.sampled_from(["3", "0.5", ".5", "2.", "1e3", "1e-3", "2.5E+2", "7", "0"])
TEMPLATES = ["{0}*t", "{0}*sin({1}*t) - {2}", "-{0}*t", "sin(-{0}) + {1}", "t**{0}", "-{0}**2 + {1}",
             "max(-{0}, {1})", "{0} - -{1}", "(-{0})*t", "2*(-{0})**2",
             "{0} if t < {1} else -{2}", "$-{0}*t", "t*-{0}",
             "x1*{0} + q2.y", "state[\"arm 2\"]*{0}", "${{wheel 3}}*{0}", "atan2(-{0}, -{1})"]  # fmt: skip


def worth(text):
    """By Python's own reading."""
    names = {
        "t": 1.7,
        "x1": 0.3,
        "state": {"arm 2": 1.1},
        "sin": math.sin,
        "atan2": math.atan2,
        "max": max,
        "q2": type("q", (), {"y": 2.0}),
    }
    return complex(eval(re.sub(r"\$\{wheel 3\}", "1.3", text).removeprefix("$"), {}, names))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.sampled_from(TEMPLATES),
    st.lists(numbers, min_size=3, max_size=3),
    st.integers(0, 2),
    st.sampled_from(["4", "-4", "0", "1e-07", "-2.5e+20"]),
)
def test_a_number_of_an_expression(template, values, k, new):
    """Turned once and again, it is worth what the formula is worth with that number in its place, in brackets."""
    count = len(set(re.findall(r"\{(\d)\}", template)))
    text, k = template.format(*values), k % count
    own = literals_in(text)
    place = next(i for i, one in enumerate(own) if at_place(template, values, k, one))
    sign = -1 if text[own[place].begin] == "-" else 1  # where the minus belongs to the number, it goes with it
    wanted = template.format(*[f"({sign * float(new)!r})" if i == k else value for i, value in enumerate(values)])
    once = with_number(text, place, new)
    twice = with_number(with_number(text, place, "-9"), place, new)
    try:
        assert worth(once) == worth(twice) == pytest.approx(worth(wanted), rel=1e-12)
    except (ZeroDivisionError, OverflowError):
        pass


def at_place(template, values, k, literal):
    """Whether this literal is where the k-th number was put."""
    before = template.partition(f"{{{k}}}")[0].format(*values)
    return literal.begin <= len(before) < literal.end


@pytest.mark.parametrize(
    "torque", ["5*sin(3*t)", "'5*sin(3*t)'", '"5*sin(3*t)"', ">-\n      5*sin(3*t)", "&a 5*sin(3*t)"]
)
def test_expressions_in_all_notations(torque):
    text = opening.FIRST.replace("forces:\n", f"forces:\n  drive:\n    torque: {torque}\n    motor: hinge\n")
    for k, expected in ((0, "-2*sin(3*t)"), (1, "5*sin(-2*t)")):
        new = with_slider_value(text, ["forces", "drive", "torque", f"#{k}"], -2.0)
        assert read_data(new, "text")["forces"]["drive"]["torque"] == expected


def test_components_of_forces_have_sliders():
    text = opening.FIRST.replace("forces:\n", "forces:\n  gust: {force: rod, value: [0, '5 if t < 1 else 0', 2 N]}\n")
    found = {slider.name: slider for slider in sliders(text) if slider.group == "drives"}
    assert found["gust.value.x"].value == 0 and found["gust.value.z"].unit == "N"
    assert [slider.value for name, slider in found.items() if name.startswith("gust.value.y")] == [5, 1, 0]


# ---------------------------------------------------------------- what gives way


def test_inputs_have_sliders():
    text = "inputs: {u: 2, v: {value: 3 N, unit: N}}\nbodies: {ball: {mass: 1}}\n"
    found = [(one.name, one.group, one.value, one.unit) for one in sliders(text) if one.group == "drives"]
    assert found == [("u", "drives", 2.0, ""), ("v", "drives", 3.0, "N")]


def test_a_prescribed_motion_determines_its_rate():
    """A crank is driven by 12 t and says rate: 12. Another speed of the drive needs another rate: it is left to the
    mechanism."""
    mechanism = gallery.find("sphere_on_turntable")
    backend = opening.backend_of_mechanism(mechanism)
    before = posted(backend, text=backend.text, quick=True)
    names = [slider["name"] for slider in before["sliders"]]
    assert "axle.angle" not in names and "axle.angle.rate" not in names  # they cannot be chosen
    slider = next(slider for slider in before["sliders"] if slider["name"].startswith("drive.motion"))
    reply = moved(backend, backend.text, slider, 1.25)
    assert "axle.rate" in reply["remarks"][0] and "rate" not in read_data(reply["text"], "text")["joints"]["axle"]
    rate = from_block(reply["motion"]["channels"]["axle.angle.rate"]["values"])  # the angle itself is a ramp
    assert rate == pytest.approx(np.full(rate.shape, 1.25), abs=1e-4)


def test_the_newest_rate_of_a_loop_holds():
    """One freedom, two rates: the older is left to the mechanism, and the newer is met."""
    backend = opening.backend_of_mechanism(gallery.find("four_bar"))
    slider = next(
        slider
        for slider in posted(backend, text=backend.text, quick=True)["sliders"]
        if slider["name"] == "J3.angle.rate"
    )
    reply = moved(backend, backend.text, slider, 0.25)
    joints = read_data(reply["text"], "text")["joints"]
    assert joints["J3"]["rate"] == 0.25 and "rate" not in joints["J1"] and "J1.rate" in reply["remarks"][0]


def test_what_cannot_be_had_leaves_the_others_as_they_are():
    """A position out of reach is an error; what else was given stays in the text."""
    backend = opening.backend_of_mechanism(gallery.find("four_bar"))
    text = with_value(backend.text, ("assemble", "J1.angle"), "0.1")
    reply = posted(backend, text=text, change={"path": ["assemble", "J3.angle"], "value": -1.25}, quick=True)
    assert "J3.angle" in reply["error"]["text"] and read_data(reply["text"], "text")["assemble"] == {
        "J1.angle": 0.1,
        "J3.angle": -1.25,
    }


def test_a_fully_driven_mechanism_has_no_start_to_choose():
    backend = opening.backend_of_mechanism(gallery.find("driven_four_bar"))
    assert {slider["group"] for slider in posted(backend, text=backend.text, quick=True)["sliders"]} == {
        "drives",
        "masses",
        "run",
    }


# ---------------------------------------------------------------- odd models

ODD = """\
planar: zx
parameters: {größe: 2, "wheel base": 1.1, 'a.b': 3, huge: 1e308, tiny: 5e-324, zero: 0, minus: -4}
bodies:
  "arm 1": {mass: 1e-3 t, inertia: [1, 1, 1], position: [$größe/2, 0, 0], velocity: [0, 0, 0]}
  dot: {massless: true, position: [$größe, 0, 0]}
  constructor: {mass: 2, inertia: [1, 1, 1], position: ["$größe + ${wheel base}", 0, 0]}
joints:
  "h 1": {pin: [ground, "arm 1"], at: [0, 0, 0], axis: y, rate: {angle: 1}}
  fix: {weld: ["arm 1", dot]}
  rail: {pin_slider: [dot, constructor], at: [$größe, 0, 0], axis: y, rate: [0, 2]}
forces:
  hold: {torsional_spring: rail, stiffness: 30, damping: 1, coordinate: angle}
initial_conditions: {h 1.angle: 3 turn}
assemble: {"h 1.angle": 30 deg}
simulate: {t_end: 0.01}
"""


def test_sliders_of_an_odd_model():
    text = ODD.replace("pin_slider", "pin").replace("rate: [0, 2]", "rate: [2]")
    backend = backend_of(text)
    before = posted(backend, text=text, quick=True)
    assert "motion" in before, before
    for slider in before["sliders"]:
        for value in (slider["low"], slider["high"]):
            reply = moved(backend, text, slider, value)
            assert "motion" in reply or reply["error"]["line"] > 0
    names = {slider["name"] for slider in before["sliders"]}
    assert {"größe", "wheel base", "a.b", "h 1.angle", "h 1.angle.rate", "rail.angle.rate", "arm 1.mass"} <= names


def test_rates_of_joints_with_several_coordinates():
    """A list, a mapping, nothing: the slider of one rate changes that one, and the run has it."""
    base = "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n  j: {pin_slider: [ground, a], at: [0, 0, 0], axis: z%s}\n"
    base += "simulate: {t_end: 0.01}\n"
    for reply, others in ((", rate: [1, 2]", 2), (", rate: {displacement: 1, angle: 2 rpm}", 2), ("", 0)):
        backend = backend_of(base % reply)
        slider = next(
            slider
            for slider in posted(backend, text=backend.text)["sliders"]
            if slider["name"] == "j.displacement.rate"
        )
        new = moved(backend, backend.text, slider, 0.75)
        rates = {one["name"]: one["value"] for one in new["sliders"] if one["group"] == "initial rates"}
        assert rates == {"j.displacement.rate": 0.75, "j.angle.rate": others}


def test_an_angle_that_the_text_does_not_give_is_in_the_unit_of_the_others():
    """Oracle: fresh simulations. The second pin is given nothing: its sliders are in degrees, as the first one's are, and
    what they write is read as degrees."""
    text = TWO_PINS
    system, _ = load_document(text)
    found = {slider.name: slider for slider in sliders(text, system, mk.simulate(system, 1e-6))}
    assert [found[name].unit for name in ("one.angle", "two.angle", "two.angle.rate")] == ["deg", "deg", "deg/s"]
    assert abs(found["two.angle"].value) < 1e-9 and found["two.angle"].high == 180
    for name, value in (("two.angle", 40.0), ("two.angle.rate", 90.0)):
        slider = found[name]
        text, _ = with_changes(text, [{"path": slider.path, "value": value, "unit": slider.unit}])
    run = mk.simulate(load_document(text)[0], 1e-6)
    assert float(run["two.angle"][0]) == pytest.approx(np.radians(40), abs=1e-9)
    assert float(run["two.angle.rate"][0]) == pytest.approx(np.pi / 2, abs=1e-9)
    again = {slider.name: slider for slider in sliders(text, run.system, run)}
    assert (again["two.angle"].value, again["two.angle"].unit) == (40.0, "deg")


TWO_PINS = """
bodies:
  a: {mass: 1, shape: {rod: 1, axis: z}, position: [0, 0, -0.5]}
  b: {mass: 1, shape: {rod: 1, axis: z}, position: [0, 0, -1.5]}
joints:
  one: {pin: [ground, a], at: [0, 0, 0], axis: y}
  two: {pin: [a, b], at: [0, 0, -1], axis: y}
assemble: {one.angle: 30 deg}
simulate: {t_end: 1}
"""
