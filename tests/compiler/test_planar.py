"""Planar models: three speeds a body, and no row that repeats another. Oracle: the same mechanism described in
space."""

import numpy as np
import pytest

import mekane as mk
from mekane.compiler.compiler import compile_system
from mekane.formulations import NAMES as FORMULATIONS
from mekane.importers import yaml
from mekane.model.plane import plane_axes

ROTATION = {"xy": np.eye(3), "yz": plane_axes("yz"), "zx": plane_axes("zx"), "xz": plane_axes("xz")}


def slider_crank(plane, planar):
    """Crank, rod, and a block on an inclined guide, with a spring, a motor and a welded-on flywheel; laid into any
    plane."""
    T = ROTATION[plane]
    at = lambda x, y, z=0.0: T @ (x, y, z)
    n = T[:, 2]
    s = mk.System("slider-crank", gravity=at(0, -9.81), **({"planar": plane} if planar else {}))
    B = (0.3 * np.cos(1.0), 0.3 * np.sin(1.0))
    C = (0.9, 0.1)
    crank = s.body("crank", mass=1.0, inertia=(0.02, 0.02, 0.02), position=at(*B) / 2, angular_velocity=4.0 * n)
    rod = s.body("rod", mass=0.7, inertia=(0.03, 0.03, 0.03), position=at((B[0] + C[0]) / 2, (B[1] + C[1]) / 2, 0.0))
    primitive = s.body("block", mass=2.0, inertia=(0.01, 0.01, 0.01), position=at(*C))
    wheel = s.body("wheel", mass=3.0, inertia=(0.05, 0.05, 0.1), position=at(0, 0, 0.2))
    s.pin("main", s.ground, crank, at=at(0, 0), axis=n)
    s.pin("small", rod, crank, at=at(*B), axis=n)
    s.pin("wrist", rod, primitive, at=at(*C), axis=n)
    s.slider("guide", s.ground, primitive, at=at(*C), axis=at(1.0, 0.2))
    s.weld("key", crank, wheel, at=at(0, 0, 0.2))
    s.spring("return", (s.ground, at(1.5, 0.1)), (primitive, (0, 0, 0)), 200.0, 0.4, damping=3.0)
    s.motor("drive", "main", torque="2*sin(3*t)")
    return s


@pytest.mark.parametrize("plane", ROTATION)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_same_motion_and_reactions_as_in_space(plane, formulation):
    """Both to the tolerance requested, 1e-10, over one and a half turns of the crank; what acts across the plane is
    zero in both."""
    options = dict(every=0.05, rtol=1e-11, atol=1e-13)
    flat = mk.simulate(slider_crank(plane, True), 1.0, formulation=formulation, **options)
    space = mk.simulate(slider_crank(plane, False), 1.0, **options)
    for name in ("rod.position", "block.velocity", "wheel.angular_velocity", "main.angle", "guide.displacement"):
        np.testing.assert_allclose(flat[name], space[name], rtol=0, atol=1e-8 * np.abs(space[name]).max(), err_msg=name)
    n = ROTATION[plane][:, 2]
    for joint in ("main", "small", "wrist", "guide", "key"):
        one, other = flat.reaction(joint), space.reaction(joint)
        in_plane = other.force.values - np.outer(other.force.values @ n, n)
        np.testing.assert_allclose(one.force, in_plane, rtol=0, atol=1e-6 * np.abs(in_plane).max(), err_msg=joint)
    assert flat.redundancy.redundant == 0 and flat.redundancy.freedom == 1 and flat.health.ok


def test_three_speeds_a_body_and_no_repeated_row():
    """[C] section 5: absolute coordinates have 3N speeds, two rows for each pin and slider, three for a weld; nothing
    is left to choose."""
    compiled = compile_system(slider_crank("xy", True), "absolute")
    assert compiled.n_u == 3 * 4 and compiled.n_rows == 4 * 2 + 3
    assert compiled.coordinates[:3] == ["crank.x", "crank.y", "crank.angle"]
    assert compile_system(slider_crank("zx", True), "absolute").speeds[:3] == [
        "crank.z.rate",
        "crank.x.rate",
        "crank.angle.rate",
    ]


def test_bodies_that_nothing_holds():
    """A throw in the plane: parabola, and the angle grows evenly. Round-off: polynomials of second degree are
    integrated exactly."""
    s = mk.System("thrown", planar="zx")
    s.body("plate", mass=2.0, inertia=0.1, position=(0, 3, 1), velocity=(1, 0, 2), angular_velocity=(0, 2, 0))
    s.body("point", mass=1.0, position=(1, 0, 0))
    run = mk.simulate(s, 1.0)
    assert run["plate.position"].values[-1] == pytest.approx([1.0, 3.0, 3.0 - 9.81 / 2], abs=1e-9)
    assert run["plate.orientation"].values[-1] == pytest.approx([0, np.sin(1.0), 0, np.cos(1.0)], abs=1e-9)
    assert run["point.position"].values[-1] == pytest.approx([1.0, 0.0, -9.81 / 2], abs=1e-9)
    assert run.compiled.n_u == 5


def test_model_files_know_the_plane():
    system = slider_crank("zx", True)
    again = yaml.load(yaml.dumps(system))
    assert again.plane == "zx" and again.to_dict() == system.to_dict()


def test_what_leaves_the_plane_is_refused():
    with pytest.raises(mk.ModelError, match="planar is 'xyz'; one of xy, yz, zx, xz"):
        mk.System(planar="xyz")
    for say, message in (
        (
            lambda s, b: s.ball("j", s.ground, b, at=(0, 0, 0)),
            "joint 'j': it is a ball; a model in the xy plane has no use for one",
        ),
        (
            lambda s, b: s.pin("j", s.ground, b, at=(0, 0, 0), axis="x"),
            "joint 'j': its axis is .*along the normal of the xy plane",
        ),
        (lambda s, b: s.slider("j", s.ground, b, axis=(1, 0, 1)), "joint 'j': its axis is .*in the xy plane"),
        (
            lambda s, b: s.body("c", mass=1, inertia=1, velocity=(0, 0, 1)),
            "body 'c': it moves with velocity .*moves in the xy plane",
        ),
        (lambda s, b: s.body("c", mass=1, inertia=1, angular_velocity=(1, 0, 1)), "body 'c': it moves with"),
    ):
        s = mk.System(planar="xy", gravity=(0, -9.81, 0))
        say(s, s.body("b", mass=1.0, inertia=0.1))
        with pytest.raises(mk.ModelError, match=message):
            mk.simulate(s, 0.1)
