"""Tables of expressions.

Oracles: the tables of the usual float model, at the values the symbols have here and, stronger, at other values, where
the model is built again from numbers; closed forms of rods; and the slopes of tables by the complex step, against
derivatives of the expressions.

Tolerance 1e-14 of the largest number in a table: expressions are worked out in the order of the numbers, so that they
differ by round-off in a few operations, and by the round-off beside 0 and 1 in rotations that is left out among
expressions. For slopes 1e-12: derivatives of products and quotients add terms in another order.
"""

import numpy as np
import pytest
import systems
from test_table_derivatives import OF_TAPE, cases, shaken

import mekane as mk
from mekane import gallery
from mekane.analyses.kinematics.placement import placed
from mekane.compiler.compiler import compile_system
from mekane.compiler.coordinates import initial_poses
from mekane.compiler.parameter_derivatives import table_derivatives
from mekane.compiler.symbolic_tables import symbolic
from mekane.expressions.graph import Expr, differentiate, evaluate, inputs, symbol
from mekane.expressions.parse import symbol_name
from mekane.kernels.tape import run_tape
from mekane.model.construction_log import rebuilt
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import B_A, ROTATED, T_I, T_MASS, T_MC, T_P_PF
from mekane.tables.tables import n_outcomes

FLOATS = ("body_f", "primitive_f", "pair_f", "row_f", "point_f", "table_f")
CLOSE = 1e-14
DIRECTIONS = (
    "orientation",
    "axis",
    "axis2",
    "axis_a",
    "axis_b",
    "axis2_b",
    "normal",
    "normal_a",
    "normal_b",
    "frame_a",
    "frame_b",
    "along",
    "direction",
)


def at_values(array, values):
    return np.array(evaluate(list(array.ravel()), values), float).reshape(array.shape)


def computed(compiled, registers, inputs):
    """What the tape computes from these registers, with {name: number} for its other inputs."""
    program, r = compiled.program, np.array(registers, float)
    for k, name in enumerate(program.inputs):
        if name not in compiled.system.constants:
            r[k] = inputs.setdefault(name, 0.2 + 0.7 * ((0.618034 * (len(inputs) + 1)) % 1.0))
    modes = np.zeros(n_outcomes(program.code))
    with np.errstate(all="ignore"):
        plain(run_tape)(
            program.code,
            0,
            len(program.code),
            len(program.registers()) - len(program.code),
            program.table_i,
            program.table_f,
            r,
            modes,
            0,
        )
    return r[program.outputs]


def assert_close(found, wanted, what):
    known = np.isfinite(wanted)
    size = np.abs(wanted[known]).max(initial=0.0)
    assert np.abs(found - wanted)[known].max(initial=0.0) <= CLOSE * size, what


def assert_same(symbolic_tables, values, usual, but=("input_i",)):
    """The tables at these values are those of a compiled system of numbers; what happens to be zero there may need
    fewer channels."""
    for word in symbolic_tables.tables._fields:
        one, other = getattr(symbolic_tables.tables, word), getattr(usual.tables, word)
        if word in FLOATS:
            assert one.dtype == object and all(isinstance(x, float | Expr) for x in one.ravel())
            assert_close(at_values(one, values), other, word)
        elif word == "body_i":  # a rotation that differs from none by round-off is none among expressions
            assert np.array_equal(np.delete(one, ROTATED, 1), np.delete(other, ROTATED, 1)) and np.all(
                one[:, ROTATED] <= other[:, ROTATED]
            )
        elif word not in (*OF_TAPE, *but):
            assert np.array_equal(one, other), word
    W, inputs = usual.workspace(), {}
    assert_close(at_values(np.array(symbolic_tables.base, dtype=object), values), W.body[0, B_A : B_A + 3], "base")
    assert_close(
        computed(symbolic_tables.compiled, at_values(symbolic_tables.registers, values), inputs),
        computed(usual, W.r, inputs),
        "tape",
    )


@pytest.mark.divided("mechanism", 3)
@pytest.mark.parametrize("mechanism", gallery.mechanisms(), ids=lambda m: m.name)
def test_at_their_values_symbols_give_the_usual_tables(mechanism):
    for formulation in mechanism.formulations:
        system = mechanism.system()
        found = symbolic(system, formulation)
        assert_same(found, found.values, compile_system(system, formulation), but=())
        own = found.values.keys() - {symbol_name(name) for name in found.compiled.system.parameters}
        assert all(found.values[name] > 0.0 for name in own)  # those that the user named may have any sign
        assert found.meanings.keys() == found.values.keys() and not found.fixed
        assert found.compiled.coordinates == compile_system(system, formulation).coordinates


@pytest.mark.divided("build", 3)
@pytest.mark.parametrize("build, formulation", cases())
def test_expressions_hold_at_other_values(build, formulation):
    """All plain numbers but directions as parameters, changed by up to a fifth."""
    s, rates = shaken(build(), np.random.default_rng(5))
    found = symbolic(s, formulation, "named")
    assert not found.fixed
    for step in (0.0, 0.2):
        moved = {
            name: step * rates[name] * (not set(name.split(".")).intersection(DIRECTIONS)) for name in s.parameters
        }
        other = rebuilt(s, {name: value + moved[name] for name, value in s.parameters.items()})
        assert_same(found, other.constants, compile_system(other, formulation))


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", [m.name for m in gallery.mechanisms()])
def test_derivatives_are_those_of_tables(name):
    system = gallery.find(name).system()
    rng = np.random.default_rng(2)
    endings = (
        ".mass",
        ".inertia.yy",
        ".stiffness",
        ".radius",
        ".position.x",
        ".on_b.x",
        ".at.z",
        ".com.x",
        "gravity.z",
        ".length",
    )
    addresses = [one for one in system.numbers() if one.endswith(endings)]
    assert addresses
    for address in map(str, rng.choice(addresses, min(3, len(addresses)), replace=False)):
        found, wanted = symbolic(system, "joint", [address]), table_derivatives(system, "joint", address)
        p = symbol(next(iter(found.values)))
        for word in FLOATS:
            array, derivatives = getattr(found.tables, word), getattr(wanted.derivatives, word)
            slope = at_values(
                np.array([differentiate(x, p) for x in array.ravel()], dtype=object), found.values
            ).reshape(array.shape)
            size = max(np.abs(derivatives).max(initial=0.0), np.abs(getattr(wanted.tables, word)).max(initial=0.0))
            assert np.abs(slope - derivatives).max(initial=0.0) <= 1e-12 * size, (address, word)


def rods(m, L, a):
    """A rod that hangs at an angle from a hinge, with a second one at its end."""
    s = mk.System("rods")
    end = (L * np.sin(a), 0, -L * np.cos(a))
    s.body("upper", mass=m, shape=mk.Rod(L), position=(L / 2 * np.sin(a), 0, -L / 2 * np.cos(a)), orientation=("y", -a))
    s.body("lower", mass=m / 2, inertia=(m * L**2 / 96, m * L**2 / 96, 0), com=(0, 0, -L / 4), position=end)
    s.pin("hinge", "ground", "upper", at=(0, 0, 0), axis="y")
    s.pin("knee", "upper", "lower", at=end, axis="y")
    return s


def test_rods_in_closed_form():
    """Whatever m, L and a are: about its end a rod of mass m and length L has the inertia m L²/3, and its mass centre
    is at L/2."""
    m, L, a = mk.Param("m", 2.0), mk.Param("L", 0.6), mk.Param("a", 0.4)
    found = symbolic(rods(m, L, a), "joint", "named")
    assert set(found.values) == {"m", "L", "a"}
    rng = np.random.default_rng(0)
    for _ in range(5):
        m, L, a = rng.uniform(0.3, 1.5, 3)
        upper, lower = at_values(found.tables.body_f, {"m": m, "L": L, "a": a})[1:]
        assert upper[T_MASS] == m and lower[T_MASS] == m / 2
        assert upper[T_MC : T_MC + 3] == pytest.approx(
            [m * L / 2 * np.sin(a), 0, -m * L / 2 * np.cos(a)], rel=CLOSE, abs=CLOSE
        )
        assert upper[T_I + 1] == pytest.approx(m * L**2 / 3, rel=CLOSE)
        assert lower[T_I + 1] == pytest.approx(m / 2 * (L / 2) ** 2 / 3, rel=CLOSE)
        assert lower[T_P_PF : T_P_PF + 3] == pytest.approx([L * np.sin(a), 0, -L * np.cos(a)], rel=CLOSE, abs=CLOSE)


@pytest.mark.parametrize("formulation", ["joint", "absolute", "relative"])
def test_shapes_and_units_with_parameters(formulation):
    """Sizes, densities and angles from parameters, as text and as mk.Param, in every kind of shape."""
    s = mk.System("shapes", parameters={"r": "40 mm", "rho": 2700, "tilt": "20 deg"})
    l = mk.Param("l", 0.5)
    shapes = [
        mk.Box(l, "$r", 0.1),
        mk.Cylinder("$r", l),
        mk.Sphere("$2*r"),
        mk.Capsule("$r", l, axis="x"),
        mk.Rod(l, radius="$r"),
        mk.Plate(l, l / 2, "$r/4"),
    ]
    before = "ground"
    for k, shape in enumerate(shapes):
        s.body(
            f"b{k}",
            shape=shape,
            density="$rho",
            position=(l * k, 0, "$r"),
            orientation=("xyz", ["$tilt", 0.1, "$tilt/2"]),
        )
        (s.pin if k % 2 else s.slider)(f"j{k}", before, f"b{k}", at=(l * k, "$r", 0), axis=(1, 2, "$tilt"))
        before = f"b{k}"
    found = symbolic(s, formulation, "named")
    for changes in ({}, {"r": 0.05, "rho": 3000.0, "tilt": 0.3, "l": 0.42}):
        other = s.with_parameters(changes)
        assert_same(found, other.constants, compile_system(other, formulation))


# ---------------------------------------------------------------- which numbers, and what they are called


def arm():
    s = mk.System("arm", parameters={"k": 40.0})
    s.body("arm", mass=2.0, inertia=(0.1, 0.2, 0.3, -0.01, 0.0, 0.0), com=(0.1, 0, 0), position=(0.4, 0, 0))
    s.pin("hinge", "ground", "arm", at=(0, 0, 0), axis="y")
    s.spring("spring", ("ground", (0, 0, 1)), ("arm", (0.2, 0, 0)), stiffness="$2*k", length=0.3)
    s.motor("motor", "hinge", torque=-3)
    return s


def test_names_values_and_meanings():
    found = symbolic(arm())
    assert found.values == {
        "k": 40.0, "$arm.mass": 2.0, "$arm.com.x": 0.1, "$arm.inertia.xx": 0.1, "$arm.inertia.yy": 0.2, "$arm.inertia.zz": 0.3,
        "$arm.inertia.xy": 0.01, "$hinge.b.x": 0.4, "$spring.a.z": 1.0, "$spring.b.x": 0.2, "$spring.length": 0.3, "$motor.torque": 3.0,
        "gravity": 9.81,
    }  # fmt: skip
    assert found.meanings["$arm.mass"] == "mass of body 'arm' [kg]"
    assert found.meanings["$spring.length"] == "length of spring 'spring' [m]"
    assert found.meanings["$motor.torque"].endswith("[N m]")
    assert found.base == (0.0, 0.0, symbol("gravity"))
    arm_row = found.tables.body_f[1]
    assert arm_row[T_MASS] is symbol("$arm.mass") and arm_row[T_MC] is symbol("$arm.mass") * (
        symbol("$hinge.b.x") + symbol("$arm.com.x")
    )
    assert set(inputs(list(found.registers))) == set(found.values)


def test_choices():
    s = arm()
    none = symbolic(s, "joint", "numeric")
    assert not none.values and all(isinstance(x, float) for word in FLOATS for x in getattr(none.tables, word).ravel())
    assert list(symbolic(s, "joint", "named").values) == ["k"]
    some = symbolic(s, "joint", ["k", "arm.mass", "hinge.b.x", "gravity"])
    assert list(some.values) == ["k", "$arm.mass", "$hinge.b.x", "gravity"]
    assert_same(some, some.values, compile_system(s, "joint"))
    for wrong in ("symbols", ["q"], ["arm.mas"], ["hinge.c.x"]):
        with pytest.raises(mk.ModelError):
            symbolic(s, "joint", wrong)


def test_in_a_plane_only_what_acts_there():
    s = mk.System("flat", planar="zx", gravity=(0, 0, -9.81))
    s.body("arm", mass=2.0, inertia=0.2, position=(0.4, 0.3, 0))
    s.pin("hinge", "ground", "arm", at=(0, 0.1, 0), axis="y")
    found = symbolic(s, "absolute")
    assert list(found.values) == ["$arm.mass", "$arm.inertia.yy", "$hinge.b.x", "gravity"]
    assert_same(found, found.values, compile_system(s, "absolute"))


def test_what_stays_a_number_is_reported():
    """A parameter in the points of a table."""
    s = arm()
    s.motor("other", "hinge", torque={"table": [[0, 0], [1, "$k"]], "of": "t"})
    found = symbolic(s, "joint", "named")
    assert "other.torque" in found.fixed["k"]
    assert_same(found, found.values, compile_system(s, "joint"))


def test_in_a_system_that_an_analysis_has_placed():
    """Parameters that give places stay numbers there, as with_parameters refuses to change them; in laws they are
    symbols."""
    s = systems.named_double_pendulum()
    s = placed(s, initial_poses(s))
    assert set(s._placed_by) >= {"l"}
    found = symbolic(s)
    assert set(found.values) > {"l", "c", "$elbow.a.x"} and "l" in found.fixed
    assert found.tables.body_f[2, T_P_PF] is symbol("$shoulder.b.x") + symbol("$elbow.a.x")
    assert_same(found, found.values, compile_system(s, "joint"))


def test_expressions_can_be_rewritten():
    """Where parts hold them, before anything is computed from them, and in the tables. The elbow is at l − l/2 from the
    upper body's centre, which is l/2 from the shoulder."""
    l = symbol("l")
    shorter = {l - l / 2: l / 2, 2.0 * (l / 2): l}
    s = systems.named_double_pendulum()
    assert symbolic(s).tables.body_f[2, T_P_PF] is l / 2 + (l - l / 2)
    assert symbolic(s, tidy=lambda x: shorter.get(x, x)).tables.body_f[2, T_P_PF] is l


@pytest.mark.parametrize(
    "build",
    [systems.laws, systems.mounts, systems.driven, systems.screw_loop, systems.free_bodies, systems.massless_link],
)
def test_forces_constraints_and_screws(build):
    """Kinds that the gallery has not, with symbols of their own."""
    for formulation in ("joint", "absolute"):
        found = symbolic(build(), formulation)
        assert_same(found, found.values, compile_system(build(), formulation))
