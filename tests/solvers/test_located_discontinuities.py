"""Laws of the state that jump without a comparison: floors, remainders, the cut of atan2. Their jumps end steps, as comparisons
do, so that motions are as exact as those of smooth laws.

Oracle: the law is linear between its jumps, so each cell is crossed in closed form (`crossed`), from wall to wall."""

import math

import numpy as np
import pytest

import mekane as mk

CELLS = {  # law of X: where X starts, speed, end, length of a cell, force at X = 0 in cell n, stiffness
    "steps": ("0.2 - 0.5*floor(X)", 0.3, 1.0, 6.0, 1.0, lambda n: 0.2 - 0.5 * n, 0.0),
    "downwards": ("0.2 - 0.5*floor(X)", 0.3, -1.0, 6.0, 1.0, lambda n: 0.2 - 0.5 * n, 0.0),
    "quantised": ("-40*0.01*floor(X/0.01)", 0.052, 0.0, 2.0, 0.01, lambda n: -0.4 * n, 0.0),
    "rounded": ("-3*floor(X + 0.5)", 0.7, 1.0, 3.0, 1.0, lambda n: -3.0 * n, 0.0),
    "ceiling": ("-3*ceil(X/0.1)", 0.052, 0.0, 2.0, 0.1, lambda n: -3.0 * (n + 1), 0.0),
    "nested": ("1 - 2*(floor(X) % 2)", 0.25, 1.5, 4.0, 1.0, lambda n: 1.0 - 2.0 * (n % 2), 0.0),
    "compared": ("(1 if floor(X) % 2 < 1 else -1)", 0.25, 1.5, 4.0, 1.0, lambda n: 1.0 - 2.0 * (n % 2), 0.0),
    "sawtooth": ("-200*((X % 0.1) - 0.05)", 0.02, 1.0, 2.0, 0.1, lambda n: 200 * (0.1 * n + 0.05), 200.0),
}
OFFSET = {"rounded": 0.5}  # of the walls


def crossed(x, v, end, length, force, stiffness):
    """x and v at the end, and instants of crossing walls, of x'' = force(n) - stiffness x in cells n length <= x < (n + 1) length."""
    n, t, instants = math.floor(x / length) - (x % length == 0.0 and v < 0.0), 0.0, []
    while True:
        a = force(n) - stiffness * x
        s, up = min((time_to(x, v, a, stiffness, (n + (way > 0)) * length, way), way) for way in (1, -1))
        if t + s >= end:
            return *within(x, v, a, stiffness, end - t), instants
        v, t = within(x, v, a, stiffness, s)[1], t + s
        n += up
        x = (n + (up < 0)) * length
        instants.append(t)


def within(x, v, a, stiffness, s):
    """x and v after s seconds in a cell."""
    if stiffness == 0.0:
        return x + v * s + 0.5 * a * s * s, v + a * s
    w = math.sqrt(stiffness)
    cos, sin = math.cos(w * s), math.sin(w * s)
    return x + a / stiffness * (1.0 - cos) + v / w * sin, v * cos + a / w * sin


def time_to(x, v, a, stiffness, wall, way):
    """When a wall is reached in this way (1: upwards), from x inside or on a wall; infinite: never."""
    if stiffness == 0.0:
        if a == 0.0:
            found = [(wall - x) / v] if v else []
        else:
            square = v * v - 2.0 * a * (x - wall)
            found = [(-v + one * math.sqrt(square)) / a for one in (1, -1)] if square >= 0.0 else []
        speed = lambda s: v + a * s
    else:
        w = math.sqrt(stiffness)
        centre = x + a / stiffness
        size, phase = math.hypot(x - centre, v / w), math.atan2(-v / w, x - centre)
        ratio = (wall - centre) / size
        found = [] if abs(ratio) > 1 else [((-way * math.acos(ratio) - phase) % (2.0 * math.pi)) / w]
        speed = lambda s: way
    return min((s for s in found if s > 1e-9 and speed(s) * way > 0.0), default=math.inf)


def body_under(law, x, v):
    s = mk.System("jumping law", gravity=(0, 0, 0))
    body = s.body("b", mass=1.0, inertia=(1, 1, 1), velocity=(v, 0, 0))
    s.slider("j", s.ground, body, axis="x")
    s.motor("m", "j", force=law.replace("X", f"({x} + j.displacement)"))
    return s


def end_of(run, x=0.0, name="j.displacement"):
    return np.array([x + run[name].values[-1], run[f"{name}.rate"].values[-1]])


@pytest.mark.parametrize("code", ["loops", "specialised", "auto"])
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("name", CELLS)
def test_motions_are_those_from_wall_to_wall(name, formulation, code):
    """To 1e-11, after 5 to 40 jumps."""
    law, x, v, end, length, force, stiffness = CELLS[name]
    offset = OFFSET.get(name, 0.0)
    *expected, instants = crossed(x + offset, v, end, length, lambda n: force(n) + stiffness * offset, stiffness)
    run = mk.simulate(body_under(law, x, v), end, formulation=formulation, code=code, rtol=1e-12)
    assert end_of(run, x + offset) == pytest.approx(expected, rel=0, abs=1e-11)
    assert run.health.trusted
    assert len(instants) >= 3
    assert run.info["switches"] >= len(instants)


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("method", ["implicit", "dopri5"])
@pytest.mark.parametrize("name", [name for name, one in CELLS.items() if one[-1] == 0.0])
def test_all_methods_with_error_control_locate_jumps(name, method, formulation):
    """Forces are constant between jumps, which methods of any order follow: to 1e-11 at their usual tolerance."""
    law, x, v, end, length, force, _ = CELLS[name]
    *expected, _ = crossed(x + OFFSET.get(name, 0.0), v, end, length, force, 0.0)
    run = mk.simulate(body_under(law, x, v), end, formulation=formulation, method=method)
    assert end_of(run, x + OFFSET.get(name, 0.0)) == pytest.approx(expected, rel=0, abs=1e-11)


@pytest.mark.parametrize("code", ["loops", "specialised"])
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
@pytest.mark.parametrize("rate", [9.0, -9.0])
def test_an_angle_that_is_wrapped_jumps_by_a_turn(rate, formulation, code):
    """A controller pulls to 1 rad the nearer way round. Oracle: in each turn the motion is harmonic. To 1e-11 after five turns or
    more."""
    s = mk.System("wrapped", gravity=(0, 0, 0))
    body = s.body("b", mass=1.0, inertia=(1, 1, 1), angular_velocity=(0, 0, rate))
    s.pin("j", s.ground, body, axis="z", at=(0, 0, 0))
    s.motor("m", "j", torque="-3*atan2(sin(j.angle - 1), cos(j.angle - 1))")
    turn = 2.0 * math.pi
    *expected, instants = crossed(math.pi - 1.0, rate, 4.0, turn, lambda n: 3.0 * (math.pi + turn * n), 3.0)
    run = mk.simulate(s, 4.0, formulation=formulation, code=code, rtol=1e-12)
    assert end_of(run, math.pi - 1.0, "j.angle") == pytest.approx(expected, rel=0, abs=1e-11)
    assert run.info["switches"] == len(instants) >= 5
    assert run.health.trusted


@pytest.mark.parametrize("law", ["(1 if X < 0 else 2)", "(2 + floor(X))", "(2 - floor(1 - floor(X))*1.0 + 1)"])
@pytest.mark.parametrize("v", [-1.0, 1.0])
def test_laws_that_all_jump_where_the_motion_begins(law, v):
    """Three bodies stand where their forces jump, and move on to one side. Closed form: a constant force of 1 N or 2 N. Only one of
    the laws changed before; the others kept the force of the other side for a whole step."""
    s = mk.System("three", gravity=(0, 0, 0))
    for k in range(3):
        body = s.body(f"b{k}", mass=1.0, inertia=(1, 1, 1), velocity=(v, 0, 0), position=(0, k, 0))
        s.slider(f"j{k}", s.ground, body, axis="x")
        s.motor(f"m{k}", f"j{k}", force=law.replace("X", f"j{k}.displacement"))
    run = mk.simulate(s, 0.4)
    expected = v * 0.4 + 0.5 * (1.0 if v < 0 else 2.0) * 0.4**2
    for k in range(3):
        assert run[f"j{k}.displacement"].values[-1] == pytest.approx(expected, rel=0, abs=1e-13)


def test_an_event_at_a_jump_is_located():
    """A condition that reads a floor comes true where the floor jumps: at the closed form's instant, to 1e-13 s."""
    s = body_under("1 + 0*floor(X)", 0.0, 0.5)
    s.variable("seen", 0.0)
    s.event("third", when="floor(j.displacement/0.25) >= 3", set={"seen": "t"})
    run = mk.simulate(s, 3.0)
    assert run["seen"].values[-1] == pytest.approx(-0.5 + math.sqrt(0.25 + 1.5), rel=0, abs=1e-13)


@pytest.mark.parametrize("method", ["auto", "implicit"])
def test_a_run_goes_on_across_jumps_bit_by_bit(method, tmp_path):
    """Ended anywhere and resumed from a file, a run is the same as one that went through. The largest step is given, as it is a
    share of the length of the run where laws jump."""
    law, x, v, end, *_ = CELLS["sawtooth"]
    whole = mk.simulate(body_under(law, x, v), end, every=0.1, method=method, step=0.01)
    half = mk.simulate(body_under(law, x, v), 0.7, every=0.1, method=method, step=0.01)
    half.save(tmp_path / "half.nc")
    run = mk.load(tmp_path / "half.nc").resume(end)
    assert np.array_equal(end_of(run), end_of(whole))


def test_equations_say_floor_and_nothing_of_events():
    """What is frozen in a step is no part of the equations."""
    s = body_under("0.2 - 0.5*floor(X)", 0.3, 1.0)
    text = mk.equations(s).latex
    assert r"\left\lfloor 0.3 + q_{j} \right\rfloor" in text
    assert "cases" not in text


@pytest.mark.parametrize("method", ["auto", "implicit"])
def test_bounces_beside_jumps(method):
    """A ball that loses nothing bounces under a force that depends on the height in steps. Oracle: parabolas from wall to wall, turned
    round at the floor. To 1e-11 after more than twenty events."""
    s = mk.System("ball", gravity=(0, 0, 0))
    ball = s.body("b", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 1.7))
    s.slider("j", s.ground, ball, axis="z")
    s.motor("m", "j", force="-1 - floor(b.position.z/0.25)")
    s.contact("c", (ball, (0, 0, 0)), (s.ground, mk.Plane()), restitution=1.0)
    force = lambda n: (
        -1.0 - n if n >= 0 else -force(-1 - n)
    )  # mirrored below the floor, where the ball would have gone on
    (z, _, instants) = crossed(1.7, 0.0, 3.0, 0.25, force, 0.0)
    run = mk.simulate(s, 3.0, method=method)
    assert run["b.position"].values[-1][2] == pytest.approx(abs(z), rel=0, abs=1e-11)
    assert run.info["switches"] >= len(instants) > 20


@pytest.mark.parametrize("constraints", ["multipliers", "embedded"])
def test_loops_jump_alike_in_all_formulations(constraints):
    """A four-bar under a torque in steps, a sawtooth and a wrapped angle. Oracle: each formulation against absolute coordinates by
    machine code, after fifty jumps."""
    s = mk.System("four-bar", gravity=(0, 0, -9.81))
    s.body("a", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.5))
    s.body("b", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(1, 0, 1.25))
    s.body("c", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(2, 0, 0.75))
    s.pin("A", s.ground, "a", at=(0, 0, 0), axis="y", rate=2.0)
    s.pin("B", "a", "b", at=(0, 0, 1), axis="y")
    s.pin("C", "b", "c", at=(2, 0, 1.5), axis="y")
    s.pin("D", "c", s.ground, at=(2, 0, 0), axis="y")
    s.motor("m", "A", torque="-floor(A.angle/0.2) - 2*((D.angle*3) % 0.5) - atan2(sin(3*B.angle), cos(3*B.angle))")
    settings = dict(rtol=1e-10, every=[0.0, 2.0])
    reference = mk.simulate(s, 2.0, formulation="absolute", code="specialised", **settings)
    assert reference.info["switches"] > 40
    for formulation in ("joint", "relative", "mixed", "bryan"):
        run = mk.simulate(s, 2.0, formulation=formulation, constraints=constraints, **settings)
        assert run["A.angle"].values[-1] == pytest.approx(reference["A.angle"].values[-1], rel=0, abs=1e-10)


@pytest.mark.parametrize("seed", range(12))
def test_any_law_in_steps(seed):
    """Starting anywhere, or on a wall, up or down; to 1e-10 after up to some thirty jumps."""
    rng = np.random.default_rng(seed)
    length, low, rise = rng.choice([1.0, 0.5, 0.25]), rng.uniform(-2.0, 2.0), rng.uniform(-1.5, 0.2)
    x = length * (rng.uniform(-6.0, 6.0) if seed % 2 else float(rng.integers(-3, 4)))
    v = rng.uniform(-6.0, 6.0) * length
    law = f"{low * length} + {rise * length}*floor(X/{length})"
    *expected, _ = crossed(x, v, 4.0, length, lambda n: low * length + rise * length * n, 0.0)
    run = mk.simulate(body_under(law, x, v), 4.0, formulation="absolute" if seed % 3 else "joint")
    assert end_of(run, x) == pytest.approx(expected, rel=0, abs=1e-10)
