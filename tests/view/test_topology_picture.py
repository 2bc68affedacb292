"""Drawings of how bodies hang together. Oracles: the parts of the system itself, and boxes of the drawn texts, which
must not overlap."""

import re
from collections import Counter
from itertools import combinations

import pytest
import systems

import mekane as mk
from mekane import gallery
from mekane.formulations import NAMES as FORMULATIONS

MECHANISMS = ["squeezer", "planetary_gear", "bicycle", "car_axis", "hanging_chain", "free_body"]
UNASKED = (None, "")  # degrees of freedom are another test's matter


def texts(figure):
    """gid → text of what is written in it."""
    found = [(text.get_gid(), text.get_text()) for text in figure.axes[0].texts]
    assert not [name for name, times in Counter(name for name, _ in found).items() if times > 1]
    return dict(found)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", MECHANISMS)
def test_every_part_is_there_once(name, formulation):
    system = gallery.find(name).system()
    found = texts(system.topology(formulation).plot(freedom=UNASKED))
    for kind, parts in {
        "body": ["ground", *system.bodies],
        "joint": system.joints,
        "constraint": system.constraints,
    }.items():
        assert sorted(gid for gid in found if gid.startswith(f"{kind} ")) == sorted(f"{kind} {part}" for part in parts)
    assert all(found[f"body {body}"] == body for body in system.bodies)
    assert all(found[f"joint {joint.name}"] == f"{joint.name}\n{joint.kind}" for joint in system.joints.values())


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", gallery.names())
def test_texts_do_not_overlap_and_are_within(name):
    figure = gallery.find(name).system().topology.plot(freedom=UNASKED)
    figure.canvas.draw()
    boxes = {text.get_gid(): text.get_window_extent() for text in figure.axes[0].texts if text.get_text()}
    assert not [(a, b) for a, b in combinations(boxes, 2) if boxes[a].overlaps(boxes[b])]
    whole = figure.bbox
    assert all(
        whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1
        for box in boxes.values()
    )


def test_cut_joints_are_dashed_and_rows_are_depths():
    s = systems.four_bar()
    figure = s.topology.plot(freedom=UNASKED)
    (cut,) = s.topology.cut
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    assert len(dashed) == 3 and f"joint {cut}" in texts(figure)  # a way from each body, and the lane they meet in
    height = {text.get_gid(): text.get_position()[1] for text in figure.axes[0].texts}
    rows = [height[f"body {body}"] for body in ("ground", *s.topology.path(s.topology.bodies[-1])[::-1])]
    assert rows == sorted(rows, reverse=True) and len(set(rows)) == 4


def test_as_text():
    """A four-bar linkage has one degree of freedom; three of its four pins are in the tree."""
    s = systems.four_bar()
    lines = s.topology.text().splitlines()
    assert lines[0] == f"{s.name}: 3 bodies, 4 joints, 0 forces" and lines[1].startswith("1 degree of freedom.")
    tree = lines[lines.index("ground") + 1 :][:3]
    assert [len(re.match(r"[ └├│─]*", line)[0]) for line in tree] == [3, 6, 9]
    for body, link in zip(s.topology.bodies, s.topology.links, strict=True):
        assert any(f"─ {body} " in line and f"{link.joint} (pin, 1 freedom)" in line for line in tree)
    (cut,) = s.topology.cut
    assert lines[-1] == f"  {cut} (pin): {s.joints[cut].a} – {s.joints[cut].b}"


def test_a_long_chain_can_be_drawn(tmp_path):
    """Deeper than Python's recursion goes; drawn smaller, so that it can be written."""
    s = mk.System("rope")
    for k in range(1200):
        s.body(f"b{k}", 1.0, (1, 1, 1), position=(0, 0, -k))
        s.pin(f"j{k}", f"b{k - 1}" if k else s.ground, f"b{k}", at=(0, 0, -k), axis="y")
    figure = s.topology.plot(freedom=UNASKED)
    assert max(figure.get_size_inches()) <= 120.001 and len(s.topology.text(UNASKED).splitlines()) > 1200
