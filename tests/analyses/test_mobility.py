"""Mobility. Oracles: known counts; freedoms of linkages that move against all counting (Bennett, Bricard) and of frames
that do not."""

import linkages
import pytest

import mekane as mk
from mekane import gallery

KNOWN = {  # Grübler–Kutzbach count, redundant rows, actual degrees of freedom, independent speeds
    "pendulum": (1, 0, 1, 1), "double_pendulum": (2, 0, 2, 2), "free_body": (6, 0, 6, 6), "puma560": (6, 0, 6, 6),
    "four_bar": (-2, 3, 1, 1), "slider_crank_planar": (-2, 3, 1, 1), "slider_crank_spatial": (1, 0, 1, 1), "bricard": (0, 1, 1, 1),
    "four_bar_chain": (-5, 6, 1, 1), "driven_four_bar": (-1, 1, 0, 0), "cam": (0, 0, 0, 0), "governor": (4, 0, 4, 4),
    "rolling_disc_1": (5, 0, 5, 3), "chaplygin_sleigh": (3, 0, 3, 2), "bicycle": (7, 0, 7, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known_mechanisms(name):
    found = mk.mobility(gallery.find(name).system())
    assert (found.counted, found.redundant, found.freedom, found.motion) == KNOWN[name]
    assert not found.singular


def test_bennett_moves():
    found = mk.mobility(linkages.bennett())
    assert (found.counted, found.redundant, found.freedom) == (-2, 3, 1) and set(found.redundancy.not_unique) == {
        "P0",
        "P1",
        "P2",
        "P3",
    }


def test_a_twist_that_is_not_bennetts_does_not_move():
    """Four pins in space in general: nothing moves, and 2 rows are redundant."""
    from dataclasses import replace

    s = linkages.bennett()
    tilt = linkages.screw_of("x", 0.05, 0.0)[:3, :3]
    s.joints["P2"] = replace(s.joints["P2"], R_AF=tilt @ s.joints["P2"].R_AF, R_BM=tilt @ s.joints["P2"].R_BM)
    found = mk.mobility(s)
    assert found.freedom == 0 and found.positions == 0 and found.redundant == 2


def test_flat_parallelogram_is_singular():
    """Two infinitesimal motions in the flat position, one finite motion on each of two branches."""
    found = mk.mobility(linkages.four_bar(1, 2, 1, 2, 0.0))
    assert found.singular and (found.positions, found.freedom, found.redundant) == (2, 1, 3)
    assert "singular" in str(found)


def test_a_shaky_frame_cannot_move():
    """Three hinges on a line between two supports: it gives a little at first order, and is rigid."""
    s = mk.System("frame", planar="xy")
    for name, x in (("left", 0.5), ("right", 1.5)):
        s.body(name, 1.0, 0.1, position=(x, 0, 0))
    for name, a, b, x in (("A", "ground", "left", 0), ("B", "left", "right", 1), ("C", "right", "ground", 2)):
        s.pin(name, a, b, at=(x, 0, 0), axis="z")
    found = mk.mobility(s)
    assert found.counted == 0 and found.positions == 1 and found.freedom == 0 and found.singular


def test_in_the_plane():
    found = mk.mobility(linkages.slider_crank())
    assert (found.loose, found.counted, found.redundant, found.freedom, found.joint_freedoms) == (3, 1, 0, 1, 4)


def test_it_tells_its_numbers():
    found = mk.mobility(gallery.find("four_bar").system())
    data = found.to_dict()
    assert (
        data["joint_rows"] == 20
        and data["rank"] == 17
        and data["repeats"] == {"J4": [3, 5]}
        and data["not_unique"] == ["J1", "J2", "J3", "J4"]
    )
    assert "Grübler" in str(found) and "Joint 'J4' repeats 3 of the 5" in str(found)
