"""What the page draws and tells. Oracles: the run's own numbers; the topology; what the camera of the page makes of a
point."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from browser import CHROMIUM, Browser

import mekane as mk
from mekane import gallery
from mekane.model.values.orientation import matrix_from_quaternion
from mekane.view.web.checks import checks
from mekane.view.web.saved_page import data_of, page

FLOAT32 = 3e-7  # what is drawn is stored as float32, relative 6e-8, and turned a few times
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A page of the squeezer; `take` puts in the run of another mechanism."""
    with Browser() as browser:
        runs = {"squeezer": gallery.find("squeezer").run()}
        path = tmp_path_factory.mktemp("parts") / "motion.html"
        path.write_text(page(data_of(runs["squeezer"])), encoding="utf-8")
        browser.open(path.as_uri())

        def evaluate(expression):
            answer = browser.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
            assert "exceptionDetails" not in answer, answer["exceptionDetails"]
            return answer["result"].get("value")

        def take(name, of=None):
            if name not in runs:
                runs[name] = (of or gallery.find(name).run)()
            # kept, or it is collected
            evaluate(f"window.taken = readied({json.dumps(data_of(runs[name]))}).then((data) => page.take(data))")
            return runs[name]

        yield SimpleNamespace(evaluate=evaluate, take=take, browser=browser)
        assert browser.errors == []


def at(shown, t):
    shown.evaluate(f"page.seek({t}), page.draw()")


def on_screen(shown, body):
    """Where the middle of a body's first solid is in the window [px]."""
    return shown.evaluate(f"""(() => {{
        const box = page.stage.canvas.getBoundingClientRect(), k = page.data.scene.bodies.findIndex((one) => one.name === {body!r});
        const p = page.mechanism.groups[k].children[0].getWorldPosition(new THREE.Vector3()).project(page.stage.camera);
        return [box.left + (0.5 + 0.5 * p.x) * box.width, box.top + (0.5 - 0.5 * p.y) * box.height];
    }})()""")


# ---------------------------------------------------------------- what is drawn


@in_browser
@pytest.mark.parametrize("sample", [0, 111, 300])
def test_a_spring_is_as_long_as_the_distance_of_its_ends(shown, sample):
    """Oracle: the length that the solver used, spring.length; and the end on the body."""
    run = shown.take("squeezer")
    at(shown, run.t[sample])
    low, high, end = shown.evaluate("""(() => {
        const one = page.mechanism.between[0], tube = one.tube.geometry;
        one.root.updateMatrixWorld();
        tube.computeBoundingBox();
        const end = new THREE.Vector3(0, 0, one.length).applyMatrix4(one.root.matrixWorld);
        return [tube.boundingBox.min.z, tube.boundingBox.max.z, end.toArray()];
    })()""")
    length = run.numbers("spring.length")[sample]
    assert abs(low) < FLOAT32 * length and abs(high - length) < 2 * FLOAT32 * length
    place = run.system.forces["spring"].acts
    body, point = (place.b, place.point_b) if place.b != "ground" else (place.a, place.point_a)
    start = shown.evaluate("page.mechanism.between[0].root.position.toArray()")
    expected = run.kinematics.position(body, point)[sample]
    assert min(np.abs(expected - end).max(), np.abs(expected - start).max()) < 1e-7  # lengths are below 0.1 m


@in_browser
@pytest.mark.parametrize("name", ["slider_crank_planar", "slider_crank_spatial", "governor", "robot", "cam"])
def test_nothing_leaves_its_rail(shown, name):
    """Oracle: the joint's point on b at every sample, seen from the rail that is drawn on a. Without looks, since these
    may show what it moves on."""

    def bare():
        mechanism = gallery.find(name)
        s = mechanism.system()
        s.ground_look = None
        s.bodies.update({body.name: replace(body, look=None) for body in s.bodies.values()})
        return mk.simulate(s, mechanism.t_end, every=mechanism.t_end / 200)

    run, seen = shown.take(f"{name} without looks", bare), 0
    scene = shown.evaluate("page.data.scene")
    for joint in scene["joints"]:
        if joint["name"] not in shown.evaluate("Object.keys(page.data.frames.travel)"):
            continue
        rail = shown.evaluate(f"""(() => {{
            const joint = page.data.scene.joints.find((one) => one.name === {joint["name"]!r});
            const part = joint.glyph.find((one) => one.body === joint.a.body);
            const solid = railOf(joint, part, page.data.frames.travel[joint.name]);
            const drawn = page.mechanism.meshes(joint.name).some((mesh) => mesh.position.distanceTo(vec(solid.position)) < 1e-9);
            return {{ ...solid, half: halfOf(solid)[2], drawn }};
        }})()""")
        reply = run.system.joints[joint["name"]]
        M = run.kinematics.position(reply.b, reply.p_BM)
        A, R = (
            (np.zeros(3), np.eye(3))
            if reply.a == "ground"
            else (run.kinematics.position(reply.a), run.kinematics.R(reply.a))
        )
        in_a = np.einsum("...ji,...j->...i", R, M - A)
        local = (in_a - rail["position"]) @ matrix_from_quaternion(np.array(rail["rotation"]))
        assert (
            np.abs(local[:, :2]).max() < 1e-6 * scene["size"]
            and np.abs(local[:, 2]).max() < rail["half"]
            and rail["drawn"]
        )
        seen += 1
    assert seen


@in_browser
def test_reactions_start_at_their_joint_and_are_to_scale(shown):
    run = shown.take("four_bar")
    shown.evaluate("page.options.reactions = true, page.options.arrowSize = 2")
    at(shown, run.t[50])
    reaction, arrow = run.reaction("J2"), "page.mechanism.arrows.list.find((one) => one.of.name === 'J2')"
    point, tip, per_newton = shown.evaluate(f"""(() => {{
        const one = {arrow};
        one.group.updateMatrixWorld();
        const tip = one.tip.position.clone().applyMatrix4(one.group.matrixWorld);
        return [one.group.position.toArray(), tip.toArray(), page.mechanism.arrows.metresPerNewton];
    }})()""")
    scale = shown.evaluate("page.data.scene.scale")
    assert np.abs(reaction["point"].values[50] - point).max() < 1e-6
    assert (
        np.abs((np.array(tip) - point) / per_newton - reaction["force"].values[50]).max()
        < 1e-5 * np.abs(reaction["force"].values).max()
    )
    largest = max(np.linalg.norm(run.reaction(name)["force"].values, axis=1).max() for name in run.system.joints)
    assert per_newton * largest == pytest.approx(2 * 0.4 * scale, rel=1e-6)
    shown.evaluate("page.options.reactions = false, page.options.arrowSize = 1, page.draw()")
    assert shown.evaluate(f"{arrow}.group.visible") is False and shown.evaluate("$('scale').hidden") is True


@in_browser
def test_the_bar_of_the_scale_is_as_long_as_its_force(shown):
    """Oracle: the camera itself, applied to two points in the middle of the picture as far apart as the arrow would be
    long."""
    shown.take("four_bar")
    shown.evaluate("page.options.reactions = true, page.draw()")
    newtons, unit = shown.evaluate("$('scale').textContent").split()
    pixels = shown.evaluate(f"""(() => {{
        const {{ camera, controls }} = page.stage, up = new THREE.Vector3(0, 1, 0).applyQuaternion(camera.quaternion);
        const end = controls.target.clone().addScaledVector(up, {newtons} * page.mechanism.arrows.metresPerNewton);
        return (end.project(camera).y - controls.target.clone().project(camera).y) * 0.5 * page.stage.canvas.clientHeight;
    }})()""")
    width = shown.evaluate("$('scale').firstElementChild.getBoundingClientRect().width")
    shown.evaluate("page.options.reactions = false")
    assert unit == "N" and abs(width - pixels) < 0.1 and 40 < width <= 111  # boxes are given to 1/64 px


@in_browser
@pytest.mark.parametrize("name", ["four_bar", "governor"])
def test_reactions_that_are_not_unique_say_so(shown, name):
    """Pins of a planar loop hold it three times too often, a tree is held once: run.is_unique is the oracle."""
    run = shown.take(name)
    shown.evaluate("page.options.reactions = true")
    at(shown, run.t[50])
    texts = shown.evaluate(
        "Object.fromEntries(page.data.scene.joints.map((one) => [one.name, page.mechanism.arrows.text(one.name).join()]))"
    )
    shown.evaluate("page.options.reactions = false")
    assert {name: "not unique" not in text for name, text in texts.items()} == {
        name: run.is_unique(name) for name in texts
    }


@in_browser
def test_forces_and_torques_are_shown_apart_from_reactions(shown):
    run = shown.take("squeezer")
    at(shown, run.t[10])
    kinds = (
        "page.mechanism.arrows.list.filter((one) => one.group.visible).map((one) => [one.of.kind, one.vector.length()])"
    )
    (kind, size), *others = shown.evaluate(kinds)
    drive = next(name for name, force in run.system.forces.items() if force.kind == "torque")
    assert (
        kind == "torque"
        and not others
        and size == pytest.approx(np.linalg.norm(run.numbers(f"{drive}.torque")[10]), rel=FLOAT32)
    )


@in_browser
def test_forces_of_contacts_are_shown_where_they_act(shown):
    """A coin that spins on its edge: one of its two rims touches, and carries its weight."""
    run = shown.take("spinning_coin")
    at(shown, run.t[10])
    found = shown.evaluate("""page.mechanism.arrows.list.filter((one) => one.group.visible).map((one) => ({
        name: one.of.name, kind: one.of.kind, point: one.group.position.toArray(), force: one.vector.toArray() }))""")
    assert [(one["name"], one["kind"]) for one in found] == [("floor.1", "contact")]
    assert np.allclose(found[0]["point"], run["floor.1.point"].values[10], rtol=0, atol=1e-7)
    assert np.allclose(found[0]["force"], [0, 0, 0.44 * 9.81], rtol=0, atol=1e-5)


# ---------------------------------------------------------------- paths


@in_browser
def test_paths_are_where_the_point_was(shown):
    """Oracle: run.observed.position at every sample, to float32. A path stays with another motion, and goes when it is
    requested again."""
    run, point = shown.take("squeezer"), (-0.01043, 0.01874, 0.0)
    shown.evaluate(f"page.traces.toggle('K3', {list(point)}, 'tip')")
    points = np.array(shown.evaluate("Array.from(page.traces.list[0].points)")).reshape(-1, 3)
    assert np.abs(points - run.kinematics.position("K3", point)).max() < 1e-8  # float32 of lengths below 0.1 m
    shown.take("squeezer")
    assert shown.evaluate(
        "[page.traces.list.length, page.traces.group.children.length, $('traces').children.length]"
    ) == [
        1,
        1,
        1,
    ]
    shown.evaluate(f"page.traces.toggle('K3', {list(point)}, 'tip')")
    assert shown.evaluate(
        "[page.traces.list.length, page.traces.group.children.length, $('traces').children.length]"
    ) == [
        0,
        0,
        0,
    ]


@in_browser
def test_a_double_click_traces_the_point_under_it(shown):
    run = shown.take("four_bar")
    at(shown, run.t[20])
    x, y = on_screen(shown, "link3")
    click = f"page.stage.canvas.dispatchEvent(new MouseEvent('dblclick', {{ clientX: {x}, clientY: {y} }}))"
    shown.evaluate(click)
    body, *point = shown.evaluate("[page.traces.list[0].body, ...page.traces.list[0].point]")
    path = np.array(shown.evaluate("Array.from(page.traces.list[0].points)")).reshape(-1, 3)
    assert body == "link3" and np.abs(path - run.kinematics.position("link3", point)).max() < 1e-6
    at(shown, run.t[20])
    now = shown.evaluate("page.traces.list[0].dot.position.toArray()")
    assert np.abs(path[20] - now).max() < 1e-6
    shown.evaluate(click)
    assert shown.evaluate("page.traces.list.length") == 0


# ---------------------------------------------------------------- parts, values, health


@in_browser
@pytest.mark.parametrize("name", ["squeezer", "bicycle", "puma560"])
def test_the_tree_is_that_of_the_topology(shown, name):
    run = shown.take(name)
    tree = run.system.topology
    rows = shown.evaluate(
        "[...$('parts').children].map((li) => [li.dataset.name, Number(li.getAttribute('aria-level')), li.textContent])"
    )
    level = {row[0]: row[1] for row in rows}
    for link in tree.links:
        assert level[link.body] == level[link.parent] + (2 if link.joint else 1)
        if link.joint:
            assert level[link.joint] == level[link.parent] + 1
    assert {row[0] for row in rows if "closes a loop" in row[2]} == set(tree.cut)
    assert {row[0] for row in rows} >= {
        "ground",
        *run.system.bodies,
        *run.system.joints,
        *run.system.forces,
        *run.system.constraints,
    }


@in_browser
def test_rows_show_values_and_light_up_what_they_name(shown):
    run = shown.take("four_bar")
    at(shown, run.t[77])
    row = "$('parts').querySelector('[data-name=J1]')"
    shown.evaluate(f"{row}.click(), {row}.dispatchEvent(new MouseEvent('mouseenter')), page.draw()")
    texts = dict(
        zip(
            *[iter(shown.evaluate(f"[...{row}.querySelector('dl').children].map((one) => one.textContent)"))] * 2,
            strict=True,
        )
    )
    # four digits are shown
    assert float(texts["angle"].removesuffix(" rad")) == pytest.approx(run.numbers("J1.angle")[77], abs=5e-4)
    assert shown.evaluate(f"{row}.querySelector('.value').textContent") == f"angle {texts['angle']}"
    assert shown.evaluate(
        "page.stage.outlines.near.shells.length > 0 && "
        "page.stage.outlines.near.shells.every((shell) => shell.parent.userData.name === 'J1')"
    )
    shown.evaluate(f"{row}.dispatchEvent(new MouseEvent('mouseleave')), {row}.click()")
    assert (
        shown.evaluate("page.stage.outlines.near.shells.length") == 0
        and shown.evaluate(f"{row}.getAttribute('aria-expanded')") == "false"
    )


@in_browser
def test_the_pointer_tells_what_it_is_at(shown):
    run = shown.take("four_bar")
    at(shown, run.t[20])
    x, y = on_screen(shown, "link3")
    shown.evaluate(
        f"page.stage.canvas.dispatchEvent(new PointerEvent('pointermove', {{ clientX: {x}, clientY: {y} }})), page.draw()"
    )
    assert shown.evaluate("[$('tip').hidden, $('tip').textContent.split('\\n')[0]]") == [False, "body link3"]
    assert shown.evaluate("[...document.querySelectorAll('#parts .near')].map((li) => li.dataset.name)") == ["link3"]
    drag = f"new PointerEvent('pointermove', {{ clientX: {x}, clientY: {y}, buttons: 1 }})"
    assert shown.evaluate(f"page.stage.canvas.dispatchEvent({drag}), page.draw(), $('tip').hidden")
    place = [float(x) for x in shown.evaluate("$('tip').textContent").split("(")[1].split(")")[0].split(",")]
    assert place == pytest.approx(run.numbers("link3.position")[20], rel=1e-3, abs=1e-6)  # four digits are shown
    shown.evaluate("page.stage.canvas.dispatchEvent(new PointerEvent('pointerleave'))")
    assert shown.evaluate("$('tip').hidden") is True


@in_browser
def test_energies_are_plotted(shown):
    """Oracle: run.energies; a driven mechanism shows the balance as well."""
    run = shown.take("squeezer")
    labels = shown.evaluate("page.health.energy.chart.series.map((one) => one.label)")
    columns = np.array(shown.evaluate("page.health.energy.chart.data"))
    e = run.energies
    assert labels == ["t", "kinetic", "potential", "total", "total − work"]
    expected = np.stack([run.t, e.kinetic, e.potential, e.kinetic + e.potential, e.balance])
    assert np.abs(columns - expected).max() < FLOAT32 * np.abs(expected).max()
    shown.take("double_pendulum")
    assert (
        shown.evaluate("page.health.energy.chart.series.length") == 4
        and shown.evaluate("$('energy').children.length") == 1
    )


@in_browser
def test_what_was_checked_is_shown(shown):
    run = shown.take("four_bar")
    rows = shown.evaluate("[...$('checks').children].map((li) => li.textContent)")
    assert shown.evaluate("$('verdict').textContent") == run.health.verdict == "This run can be trusted."
    assert any("energy balance" in row for row in rows) and any("digits that are right" in row for row in rows)
    assert len(rows) == len(checks(run, run.health)) and shown.evaluate("$('health').textContent") == str(run.health)


def test_the_marks_agree_with_the_verdict():
    """A run with steps far too long is not to be trusted: health says so, and so does a mark."""
    s = mk.System("swing", gravity=(0, 0, -9.81))
    s.body("bob", mass=1, position=(1, 0, 0.5))
    s.pin("hinge", s.ground, "bob", at=(0, 0, 0), axis="y")
    for options, ok in (({}, True), ({"method": "rk4", "step": 0.2}, False)):
        run = mk.simulate(s, 5.0, **options)
        bad = [row["name"] for row in checks(run, run.health) if row["mark"] == "bad"]
        assert run.health.ok is ok and bad == ([] if ok else ["energy balance", "digits that are right"])


# ---------------------------------------------------------------- the page as a page


@in_browser
@pytest.mark.parametrize("size", [(1280, 800), (1000, 700), (420, 800)])
def test_nothing_overlaps_or_hangs_over(shown, size):
    """Boxes of the page's parts: none leaves the window, none lies over another."""
    shown.take("bicycle")
    shown.browser.call(
        "Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False
    )
    shown.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    parts = shown.evaluate(
        "['header', '#stage', '#side', 'footer'].map((x) => document.querySelector(x).getBoundingClientRect().toJSON())"
    )
    overhang = shown.evaluate("(({ scrollWidth: w, scrollHeight: h }) => [w, h])(document.documentElement)")
    overhang.append(shown.evaluate("$('side').scrollWidth - $('side').clientWidth"))
    charts = shown.evaluate(
        "[...document.querySelectorAll('.plot')].every((one) => one.scrollWidth <= one.clientWidth)"
    )
    shown.browser.call("Emulation.clearDeviceMetricsOverride")
    assert overhang == [*size, 0] and charts
    for k, one in enumerate(parts):
        assert (
            one["width"] > 200
            and one["height"] > 25
            and one["right"] <= size[0] + 0.5
            and one["bottom"] <= size[1] + 0.5
        )
        for other in parts[:k]:
            wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
            high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
            assert wide < 0.5 or high < 0.5


@in_browser
def test_everything_to_press_has_a_name(shown):
    """By its text, its label or its aria-label; and all of it is reached by the keyboard."""
    shown.take("four_bar")
    nameless = shown.evaluate("""[...document.querySelectorAll("button, select, input, summary, [role=treeitem]")].filter((one) => {
        const labels = [...(one.labels || [])].map((label) => label.textContent.trim()).join("");
        return !(one.getAttribute("aria-label") || one.textContent.trim() || labels) || one.tabIndex < 0;
    }).map((one) => one.outerHTML)""")
    assert nameless == []
