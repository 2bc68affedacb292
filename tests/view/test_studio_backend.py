"""The studio without a browser: questions as a page sends them. Oracles: fresh simulations, the text read as a whole,
closed forms."""

import json
import threading

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.importers._yaml_text import read_data
from mekane.importers.yaml import load_document
from mekane.view.studio import computation, opening
from mekane.view.studio.backend import Backend
from mekane.view.studio.slider_edit import with_slider_value
from mekane.view.studio.sliders import sliders
from mekane.view.web.packing import from_block


def posted(backend, path, **data):
    return json.loads(backend.post(path, data).body)


def poses(motion):
    return from_block(motion["frames"]["poses"])


def final(motion):
    return poses(motion)[-1]


def fresh(text):
    system, options = load_document(text)
    return mk.simulate(system, options.pop("t_end"), **options)


@pytest.fixture
def backend(tmp_path):
    return Backend(opening.FIRST, "pendulum", tmp_path / "pendulum.yaml", exists=False)


# ---------------------------------------------------------------- running


@pytest.mark.parametrize(
    "path, value",
    [(["parameters", "l"], 1.7), (["assemble", "hinge.angle"], -35.0), (["joints", "hinge", "rate"], 2.5)],
)
def test_a_slider_gives_what_a_fresh_simulation_gives(backend, path, value):
    """The answer's text, simulated by itself: the same numbers, as float32."""
    reply = posted(backend, "/run", text=backend.text, change={"path": path, "value": value})
    run = fresh(reply["text"])
    assert np.array_equal(final(reply["motion"])[0, :3], run.numbers("rod.position")[-1].astype(np.float32))
    assert not np.allclose(
        final(reply["motion"]), final(posted(backend, "/run", text=backend.text)["motion"]), atol=1e-3
    )


def test_a_slider_that_is_moved_is_nearly_right_at_once(backend):
    """While it is moved, tolerances are wider: the motion is the same to what can be seen, a thousandth of the
    length."""
    request = dict(text=backend.text, change={"path": ["parameters", "l"], "value": 1.3})
    quick, exact = (posted(backend, "/run", **request, quick=quick)["motion"] for quick in (True, False))
    assert np.abs(poses(quick) - poses(exact)).max() < 1e-3


def test_values_of_sliders_are_those_of_the_run(backend):
    found = {slider["name"]: slider for slider in posted(backend, "/run", text=backend.text)["sliders"]}
    assert found["hinge.angle"]["value"] == 60 and found["hinge.angle"]["unit"] == "deg"
    assert found["l"]["value"] == 1 and found["l"]["low"] <= 1 <= found["l"]["high"]
    assert (
        found["hinge.angle.rate"]["value"] == 0
        and found["gravity z"]["value"] == -9.81
        and found["t_end"]["value"] == 10
    )


def test_a_motor_given_by_an_expression_has_sliders_for_its_numbers():
    text = opening.FIRST.replace(
        "forces:\n", "forces:\n  drive: {motor: hinge, torque: 5*sin(3*t) - 1e-1*hinge.angle.rate}\n"
    )
    found = [slider for slider in sliders(text) if slider.group == "drives"]
    assert [slider.value for slider in found] == [5, 3, 0.1]
    new = with_slider_value(text, found[1].path, 4.0)
    assert "torque: 5*sin(4*t) - 1e-1*hinge.angle.rate" in new
    assert "5*sin(-4*t)" in with_slider_value(text, found[1].path, -4.0) and "(-2)*sin(3*t)" not in with_slider_value(
        text, found[0].path, -2.0
    )


@pytest.mark.divided("mechanism", 3)
@pytest.mark.parametrize("mechanism", gallery.mechanisms(), ids=lambda m: m.name)
def test_every_mechanism_has_a_backend(mechanism):
    """Its text tells the same system, and every slider's own value, put back, leaves the model as it is."""
    backend = opening.backend_of_mechanism(mechanism)
    system, options = load_document(backend.text)
    assert system.to_dict() == mechanism.system().to_dict() and options["t_end"] == mechanism.t_end
    data = read_data(backend.text, "text")
    for slider in sliders(backend.text):
        shown = read_data(with_slider_value(backend.text, slider.path, slider.value), "text")
        assert flat(shown) == pytest.approx(flat(data), rel=1e-6)  # seven digits are written


def flat(data, path=()):
    if isinstance(data, dict | list):
        items = data.items() if isinstance(data, dict) else enumerate(data)
        return {key: value for k, inner in items for key, value in flat(inner, (*path, k)).items()}
    return {path: data} if isinstance(data, int | float) else {}


# ---------------------------------------------------------------- initial positions of loops

LOOP = gallery.find("four_bar")


def test_positions_that_do_not_go_together_give_way_to_the_newest():
    """A four-bar has one freedom: a second pin replaces the first, and the last one is met."""
    backend = opening.backend_of_mechanism(LOOP)
    found = {
        slider["name"]: slider
        for slider in posted(backend, "/run", text=backend.text)["sliders"]
        if slider["group"] == "initial positions"
    }
    first, second = list(found.values())[:2]
    text = backend.text
    for slider, shift in ((first, 0.05), (second, 0.07)):
        reply = posted(backend, "/run", text=text, change={"path": slider["path"], "value": slider["value"] + shift})
        assert "error" not in reply
        text = reply["text"]
    assert read_data(text, "text")["assemble"] == {second["name"]: pytest.approx(second["value"] + 0.07, rel=1e-6)}
    now = {slider["name"]: slider["value"] for slider in reply["sliders"]}
    assert now[second["name"]] == pytest.approx(second["value"] + 0.07, rel=1e-6)


# ---------------------------------------------------------------- errors

GOOD = opening.FIRST


@pytest.mark.parametrize(
    "old, new, line, says",
    [
        ("mass: $m", "mass: $mm", 5, "mm"),
        ("axis: y", "axis: [0, 0, 0]", 7, "axis"),
        ("pin:", "pim:", 7, "Did you mean 'pin'"),
        ("damping: c", "damping: d", 9, "'d'"),
        ("[ground, rod]", "[ground, rode]", 7, "rode"),
        ("60 deg}", "60 kg}", 10, "kg"),
        ("t_end: 10", "t_end: ten", 11, "t_end"),
        ("parameters: {l: 1,", "parameters: {l: 1 cubit,", 3, "cubit"),
        ("simulate: {t_end: 10, every: 0.02}", "simulate: t_end: 10", 11, "column"),
        ("bodies:", "\tbodies:", 4, "tabs"),
        ("gravity: [0, 0, -9.81]", "gravity: down", 2, "gravity"),
    ],
)
def test_a_wrong_text_is_an_error_at_its_line(backend, old, new, line, says):
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    reply = posted(backend, "/run", text=text)
    assert says in reply["error"]["text"] and reply["text"] == text and "motion" not in reply
    assert reply["error"]["line"] == line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "3",
        "[1, 2]",
        "system: x\n",
        "/etc/passwd",
        "!!python/object/apply:os.system ['true']\n",
        "a: &a [*a]\n",
        "\0",
    ],
)
def test_a_text_is_only_a_text(backend, text):
    """No file is read and no code is run, whatever it says: an error in words."""
    reply = posted(backend, "/run", text=text)
    assert "motion" not in reply and reply["error"]["text"] and "root:" not in json.dumps(reply)


@pytest.mark.parametrize(
    "change",
    [{"path": ["parameters", "l"], "value": float("inf")}, {"path": "l", "value": 1}, {"path": [], "value": 1}, 3, {"value": 2},
     {"path": ["forces", "friction", "damping", "#7"], "value": 1}, {"path": ["parameters", "l"], "value": "1; import os"},
     {"path": ["parameters", {}], "value": 1}],
)  # fmt: skip
def test_wrong_changes_are_refused(backend, change):
    reply = posted(backend, "/run", text=backend.text, change=change)
    assert "slider" in reply["error"]["part"] and reply["text"] == backend.text


def test_no_text_and_unknown_requests(backend):
    with pytest.raises(mk.ModelError, match="text of a model"):
        backend.post("/run", {})
    with pytest.raises(mk.ModelError, match="characters"):
        backend.post("/run", {"text": "x" * 2_000_000})
    assert backend.post("/etc/passwd", {"text": ""}) is None and backend.get("/anything", {}) is None


# ---------------------------------------------------------------- what takes long


def test_a_newer_request_ends_an_older_one(backend):
    """A run of hours is left as soon as the same page asks again; another page's run is not touched."""
    long = GOOD.replace("t_end: 10, every: 0.02", "t_end: 1e6, every: 1000, rtol: 1e-12").replace("c: 0.05", "c: 0")
    answers = []
    older = threading.Thread(target=lambda: answers.append(posted(backend, "/run", text=long, viewer="me", number=1)))
    older.start()
    newer = posted(backend, "/run", text=GOOD, viewer="me", number=2)
    older.join()
    assert answers == [{"superseded": True}] and newer["motion"]["info"]


def test_a_run_that_takes_too_long_shows_what_it_has(backend, monkeypatch):
    monkeypatch.setattr(computation, "PATIENCE", 0.3)
    long = GOOD.replace("t_end: 10, every: 0.02", "t_end: 1e6, every: 200, rtol: 1e-12").replace("c: 0.05", "c: 0")
    reply = posted(backend, "/run", text=long)
    assert "ended after 0.3 s" in reply["remarks"][-1] and len(poses(reply["motion"])) > 1


def test_samples_are_bounded(backend):
    reply = posted(backend, "/run", text=GOOD.replace("every: 0.02", "every: 1e-6"))
    assert len(poses(reply["motion"])) <= computation.MOST_SAMPLES + 1 and "samples" in reply["remarks"][-1]


def test_no_time_is_given(backend):
    reply = posted(backend, "/run", text=GOOD.replace("simulate: {t_end: 10, every: 0.02}\n", ""))
    assert from_block(reply["motion"]["frames"]["time"])[-1] == computation.T_END and "t_end" in reply["remarks"][-1]


# ---------------------------------------------------------------- buttons


def test_equilibrium(backend):
    reply = posted(backend, "/equilibrium", text=backend.text)
    assert np.allclose(final(reply["motion"])[0, :3], (0, 0, -0.5), atol=1e-9) and reply["words"].startswith("Stable")
    rests = fresh(reply["there"])
    assert np.abs(rests.numbers("hinge.angle.rate")).max() < 1e-9


UPRIGHT = """\
system: upright
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 1, shape: {rod: 1}, position: [0, 0, 0.5]}
joints:
  hinge: {pin: [ground, rod], at: [0, 0, 0], axis: y}
"""


def test_modes_that_grow_say_so(backend):
    """A rod that stands on its hinge falls, or rises, with √(3 g / 2 l)."""
    reply = posted(backend, "/modes", text=UPRIGHT)
    e_fold = 1 / np.sqrt(1.5 * 9.81)
    names = [f"1: decays e-fold in {e_fold:.4g} s", f"2: grows e-fold in {e_fold:.4g} s"]
    assert [mode["name"] for mode in reply["modes"]] == names
    assert reply["words"] == "Linearized motion about the unstable equilibrium."


def test_modes(backend):
    """A rod on a hinge: (2π f)² = 3 g / 2 l, and the animation swings evenly about the equilibrium, over one period."""
    reply = posted(backend, "/modes", text=GOOD.replace("c: 0.05", "c: 0"))
    (mode,) = reply["modes"]
    assert (
        mode["frequency"] == pytest.approx(np.sqrt(1.5 * 9.81) / (2 * np.pi), rel=1e-9) and "undamped" in mode["name"]
    )
    moved, time = poses(mode["motion"]), from_block(mode["motion"]["frames"]["time"])
    x = moved[:, 0, 0]
    assert time[-1] == pytest.approx(1 / mode["frequency"]) and x[0] == pytest.approx(x[-1], abs=1e-7)
    assert 0.02 < x.max() < 0.3 and x.max() == pytest.approx(-x.min(), rel=1e-6)
    # the rod stays on its hinge: the upper end, half a length up its axis, is at the origin
    qx, qy, qz, qw = moved[:, 0, 3:].T
    axis = np.stack([2 * (qx * qz + qw * qy), 2 * (qy * qz - qw * qx), 1 - 2 * (qx**2 + qy**2)], axis=1)
    assert np.abs(moved[:, 0, :3] + 0.5 * axis).max() < 1e-3 * 1.0


def test_equations(backend):
    for method in ("kane", "lagrange", "newton"):
        reply = posted(backend, "/equations", text=backend.text, method=method)
        assert "<math" in reply["html"] and "hinge" in reply["html"]
    assert "error" in posted(backend, "/equations", text=backend.text, method="magic")


def test_the_page_to_share(backend):
    reply = posted(backend, "/share", text=backend.text)
    assert (
        reply["html"].startswith("<!doctype html>")
        and "connect-src 'none'" in reply["html"]
        and '"studio"' not in reply["html"]
    )


# ---------------------------------------------------------------- saving


def test_saving(backend, tmp_path):
    mine = "# mine\n" + GOOD
    assert (
        posted(backend, "/save", text=mine)["saved"] == "pendulum.yaml"
        and (tmp_path / "pendulum.yaml").read_text() == mine
    )
    assert "saved" in posted(backend, "/save", text=GOOD)  # its own file is replaced without a confirmation
    assert [path.name for path in tmp_path.iterdir()] == ["pendulum.yaml"]


def test_a_file_of_others_is_not_replaced_unasked(backend, tmp_path):
    (tmp_path / "pendulum.yaml").write_text("precious")
    reply = posted(backend, "/save", text=backend.text)
    assert "there is such a file already" in reply["ask"]
    assert reply["there"] == (tmp_path / "pendulum.yaml").read_text() == "precious"
    assert "saved" in posted(backend, "/save", text=backend.text, replace=True)


def test_a_file_that_was_changed_meanwhile(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(GOOD)
    backend = opening.backend_of_file(path)
    path.write_text(GOOD + "# by another program\n")
    assert "it was changed since it was read" in posted(backend, "/save", text=GOOD)["ask"]


def test_two_tabs_do_not_overwrite_each_other(tmp_path):
    """Each says what it has read; whoever comes second must choose. A page that is opened later begins with what is in the
    file."""
    path = tmp_path / "a.yaml"
    path.write_text(GOOD)
    backend = opening.backend_of_file(path)
    read = backend.file.now()
    first = posted(backend, "/save", text=GOOD + "# first\n", base=read["base"], file="a.yaml")
    second = posted(backend, "/save", text=GOOD + "# second\n", base=read["base"], file="a.yaml")
    assert (
        first["saved"] == "a.yaml"
        and "by another tab" in second["ask"]
        and second["there"] == path.read_text() == GOOD + "# first\n"
    )
    assert (
        backend.file.now() == {"file": "a.yaml", "text": GOOD + "# first\n", "base": first["base"]}
        and second["base"] == first["base"]
    )
    copy = posted(backend, "/save", text=GOOD + "# second\n", base=read["base"], file="a.yaml", copy=True)
    assert copy["saved"] == "a-2.yaml" and (tmp_path / "a-2.yaml").read_text() == GOOD + "# second\n"
    again = posted(backend, "/save", text=GOOD, base=copy["base"], file="a-2.yaml")
    assert again["saved"] == "a-2.yaml" and (tmp_path / "a-2.yaml").read_text() == GOOD
    assert "saved" in posted(backend, "/save", text=GOOD + "# first again\n", base=first["base"], file="a.yaml")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a-2.yaml", "a.yaml"]


@pytest.mark.parametrize("name", ["../b.yaml", "/etc/passwd", "b.yaml", "", None, 3, ["a.yaml"]])
def test_no_other_file_is_written(tmp_path, name):
    """A name that is not one of the studio's own stands for the file it was opened with."""
    (tmp_path / "in").mkdir()
    backend = Backend(GOOD, "a", tmp_path / "in" / "a.yaml", exists=False)
    assert posted(backend, "/save", text=GOOD, file=name)["saved"] == "a.yaml"
    assert [one.name for one in tmp_path.rglob("*.yaml")] == ["a.yaml"]


def test_a_file_that_cannot_be_written(tmp_path):
    backend = Backend(GOOD, "x", tmp_path / "no" / "such" / "x.yaml", exists=False)
    assert "cannot be written" in posted(backend, "/save", text=GOOD)["error"]["text"]
