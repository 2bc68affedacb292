"""compile: System + formulation → tables. Oracles: the system's own records, and DESIGN: pure, numbered outward, names
end here."""

from itertools import permutations

import numpy as np
import pytest
import systems

import mekane as mk
from mekane import gallery
from mekane.compiler import constraints
from mekane.compiler.compiler import compile_system
from mekane.formulations import NAMES as FORMULATIONS
from mekane.formulations import find
from mekane.tables import columns as at
from mekane.tables.tables import N_Q, N_READ, N_ROWS, N_U, N_WORK

SYSTEMS = systems.named()
everywhere = pytest.mark.parametrize("formulation", FORMULATIONS)
every_system = pytest.mark.parametrize("name", SYSTEMS)
pytestmark = pytest.mark.divided("name", 3)


@everywhere
@every_system
def test_tables_hang_together(name, formulation):
    """Parents before children, speeds and blocks in one piece each and all of them used, indices within their
    tables."""
    system = SYSTEMS[name]()
    compiled = compile_system(system, formulation)
    T = compiled.tables
    n = len(system.bodies)
    assert sorted(compiled.frames.row.values()) == list(range(n + 1)) and set(compiled.frames.row) == {
        "ground",
        *system.bodies,
    }
    assert all(0 <= T.body_i[i, at.PARENT] < i for i in range(1, n + 1))
    for first, end, size in ((at.SPEED0, at.SPEED1, compiled.n_u), (at.PRIMITIVE0, at.PRIMITIVE1, len(T.primitive_i))):
        pieces = [tuple(T.body_i[i, [first, end]]) for i in range(1, n + 1)]
        assert (
            pieces[0][0] == 0
            and pieces[-1][1] == size
            and all(a[1] == b[0] for a, b in zip(pieces, pieces[1:], strict=False))
        )
    along_an_axis = np.isin(T.primitive_i[:, at.KIND], (at.ROTATION, at.TRANSLATION, at.SCREW))
    assert np.linalg.norm(T.primitive_f[along_an_axis, :3], axis=1) == pytest.approx(1.0, abs=1e-14)
    owners = [i for i in range(1, n + 1) for _ in range(T.body_i[i, at.PRIMITIVE0], T.body_i[i, at.PRIMITIVE1])]
    assert list(T.primitive_i[:, at.PRIMITIVE_BODY]) == owners
    widths = dict(
        body_i=7,
        primitive_i=4,
        body_f=at.BODY_F,
        pair_f=at.PAIR_F,
        row_i=at.ROW_I,
        term_i=at.TERM_I,
        action_i=9,
        code=4,
    )
    assert {word: getattr(T, word).shape[1] for word in widths} == widths
    for table, limit in (
        (T.pair_i, n + 1),
        (T.row_i[:, at.ROW_PAIR], len(T.pair_i)),
        (T.point_i, n + 1),
        (T.line_i, len(T.point_i)),
    ):
        assert np.all((table >= 0) & (table < limit))
    assert np.all(T.row_i[:, at.ROW_E : at.ROW_NINETY + 1] < 6) and np.all(T.row_i >= 0)
    assert np.all((T.term_i[:, at.TERM_BODY] >= 0) & (T.term_i[:, at.TERM_BODY] <= n))
    assert list(T.count[[N_Q, N_U, N_ROWS, N_WORK]]) == [compiled.n_q, compiled.n_u, compiled.n_rows, compiled.n_work]
    assert compiled.n_rows <= T.count[N_READ] <= len(T.row_i)


@everywhere
@every_system
def test_every_joint_is_in_the_tree_or_cut(name, formulation):
    system = SYSTEMS[name]()
    compiled = compile_system(system, formulation)
    riding = {link.joint for link in compiled.links if link.joint}
    assert riding | set(compiled.cut) == set(system.joints) and not riding & set(compiled.cut)
    assert compiled.n_rows == sum(len(system.joints[joint].rows()) for joint in compiled.cut)
    assert len(set(compiled.coordinates)) == compiled.n_q and len(set(compiled.speeds)) == compiled.n_u


@everywhere
@every_system
def test_compile_is_pure(name, formulation):
    """Twice the same tables, and the system untouched."""
    system = SYSTEMS[name]()
    before = {word: list(getattr(system, word)) for word in ("bodies", "joints", "forces", "parameters")}
    one, two = (compile_system(system, formulation) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one.tables, two.tables, strict=True))
    assert {word: list(getattr(system, word)) for word in before} == before


def locked():
    """A distance that is locked at what it is when an event happens: an offset is taken from its equation."""
    s = mk.System("locked")
    s.body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0))
    s.distance("rope", (s.ground, (0, 0, 0)), ("ball", (0, 0, 0)), active=False)
    s.event("grab", when="t >= 0.3", lock="rope", at="its present position")
    return s


@pytest.mark.parametrize(
    "build", [locked, *(gallery.find(name).system for name in ("bicycle", "newtons_cradle", "cam"))]
)
def test_equations_known_from_before_are_those_found_anew(build, monkeypatch):
    """Oracle: the same model compiled when nothing is known, bit by bit, program and tables."""
    monkeypatch.setattr(constraints, "_lately", {})
    anew = compile_system(build())
    monkeypatch.setattr(constraints, "derivatives_of", lambda *args: pytest.fail("known, and differentiated again"))
    for _ in range(2):  # what was given out the first time is not the caller's to change
        known = compile_system(build())
        assert all(np.array_equal(a, b) for a, b in zip(anew.tables, known.tables, strict=True))
        assert np.array_equal(anew.program.code, known.program.code)
        assert np.array_equal(anew.program.constants, known.program.constants)


def test_only_the_latest_equations_are_kept(monkeypatch):
    monkeypatch.setattr(constraints, "_lately", {})
    for k in range(constraints.KEPT + 3):
        s = mk.System("rod")
        s.body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0))
        s.distance("rope", (s.ground, (0, 0, 0)), ("ball", (0, 0.01 * k, 0)))
        compile_system(s)
    assert len(constraints._lately) == constraints.KEPT


@everywhere
def test_mass_is_kept(formulation):
    """Total mass and first moment at the start, whatever frames bodies got. Oracle: the records."""
    system = systems.mixed_chain()
    compiled = compile_system(system, formulation)
    for name, body in system.bodies.items():
        i = compiled.frames.row[name]
        mass, *moment = compiled.tables.body_f[i, at.T_MASS : at.T_MASS + 4]
        R, p = compiled.frames.R_BU[i], compiled.frames.p_BU[i]
        assert mass == body.mass
        assert np.array(moment) / mass == pytest.approx(p + R @ body.com, abs=1e-14)
        xx, yy, zz, xy, xz, yz = compiled.tables.body_f[i, at.T_I : at.T_I + 6]
        c = p + R @ body.com
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - mass * (c @ c * np.eye(3) - np.outer(c, c))
        assert np.linalg.eigvalsh(I) == pytest.approx(np.linalg.eigvalsh(body.inertia), abs=1e-13)


# ---------------------------------------------------------------- which joints close loops


def test_the_tree_keeps_joints_that_hold_most():
    """Few rows remain: of a loop of pins and a ball the ball is cut, wherever it was given."""
    given = [
        ("pin", "p", "ground", "one", (0, 0, 0)),
        ("pin", "q", "two", "ground", (1, 0, 0)),
        ("ball", "b", "one", "two", (0.5, 1, 0)),
    ]
    for order in permutations(given):
        s = mk.System("loop")
        for k, name in enumerate(("one", "two")):
            s.body(name, 1.0, inertia=(1, 1, 1), position=(k, 1, 0))
        for kind, name, a, b, place in order:
            systems.join(s, kind, name, a, b, place, (0, 0, 1))
        assert find("joint")(s).cut == ["b"]


def test_a_coordinate_that_a_law_uses_stays_in_the_tree():
    """Of equal joints the one nobody reads is cut."""
    for used in range(4):
        s = systems.four_bar()
        s.motor("drive", f"pin {used}", torque=1.0)
        assert f"pin {used}" not in find("joint")(s).cut
        s = systems.four_bar()
        s.force("push", "crank", (f'sin(state["pin {used}.angle"])', 0, 0))
        assert f"pin {used}" not in find("joint")(s).cut


def test_absolute_keeps_only_bodies_that_cannot_stand_alone():
    compiled = compile_system(systems.massless_link(), "absolute")
    assert {link.joint for link in compiled.links if link.joint} == {"first", "second"}  # the rod, and its child
    assert set(compile_system(systems.mixed_chain(), "absolute").cut) == set(systems.mixed_chain().joints)


def test_what_hangs_on_nothing_is_free():
    """Two joined bodies beside the ground: one of them floats with six speeds, the other is its child."""
    s = mk.System("adrift")
    one, two = (s.body(name, 1.0, inertia=(1, 1, 1), position=(k, 0, 0)) for k, name in enumerate(("one", "two")))
    s.pin("p", two, one, at=(0.5, 0, 0), axis="z")
    compiled = compile_system(s)
    assert compiled.n_u == 7 and compiled.n_q == 8 and compiled.n_rows == 0


def test_a_lone_point_mass_has_three_speeds():
    """Nothing can turn it. Free fall, exactly: constant accelerations are no trouble for any method."""
    s = mk.System("grain", gravity=(0, 0, -10))
    s.body("grain", 2.0, position=(1, 2, 3), com=(0.1, 0, 0), velocity=(1, 0, 5))
    for formulation in FORMULATIONS:
        compiled = compile_system(s, formulation)
        assert compiled.n_u == compiled.n_q == 3 and len(set(compiled.coordinates)) == 3
        run = mk.simulate(s, 1.0, formulation=formulation, every=1.0)
        assert np.asarray(run["grain.position"])[-1] == pytest.approx((2, 2, 3), abs=1e-12)


# ---------------------------------------------------------------- refusals


def test_an_unknown_formulation_is_named():
    with pytest.raises(mk.ModelError, match="'joints'.*joint"):
        compile_system(systems.shaft(), "joints")


def test_a_system_of_nothing_is_refused():
    with pytest.raises(mk.ModelError, match="no bodies"):
        compile_system(mk.System("empty"))


@pytest.mark.parametrize(
    "law", ["near.angel", "shaft.position.w", "nosuch.angle", "near.angle.rate.rate", "ground.position.x", "T"]
)
def test_an_unknown_name_in_a_law_is_refused(law):
    s = systems.shaft()
    s.motor("drive", "near", torque=law)
    with pytest.raises(mk.ExpressionError, match="drive"):
        compile_system(s)


def test_a_workspace_has_space_for_everything():
    """Shapes follow the tables; nothing but the ground, gravity, constants and active rows is set."""
    compiled = compile_system(systems.laws())
    W = compiled.workspace()
    assert W.body.shape == (4, at.BODY_W) and W.speed.shape == (compiled.n_u, at.SPEED_W)
    assert W.body[0, at.B_A : at.B_A + 3] == pytest.approx(-np.array(systems.G))
    assert np.count_nonzero(W.body) == 6
    assert list(W.r[1:3]) == [25.0, 3.0]
    for dtype in (complex, object):
        other = compiled.workspace(dtype)
        assert other.body.dtype == dtype and other.active.dtype == np.int64


def test_relative_has_the_parents_of_joint():
    """[R]: the tree of `joint`, six speeds for every body that stands alone; displacements are measured in the
    neighbour's axes."""
    for name, build in systems.named().items():
        system = build()
        joint, relative = find("joint")(system), find("relative")(system)
        assert [(link.body, link.parent) for link in joint.links] == [
            (link.body, link.parent) for link in relative.links
        ], name
    compiled = compile_system(systems.mixed_chain(), "relative")
    assert compiled.n_u == 6 * len(compiled.links) and set(compiled.cut) == set(systems.mixed_chain().joints)
