"""Exact derivatives of the tables with respect to parameters.

Oracle: central differences of tables built from real numbers, extrapolated (Richardson). A number that loses its
imaginary part on the way from what was given to the tables gives another derivative. All plain numbers of a system are
made parameters and changed together, each at a rate of its own drawn by chance, so that none can hide; besides, some of
them one by one, through `table_derivatives`.

Tolerance 1e-8 of the size of what is compared: the differences err by h⁴ times fifth derivatives (1e-16) and by
round-off over h (1e-12 of the largest number that went in), which geometry may amplify.
"""

import numpy as np
import pytest
import systems

import mekane as mk
from mekane import formulations, gallery
from mekane.compiler.compiler import compile_system
from mekane.compiler.parameter_derivatives import STEP, exact, stepped, table_derivatives
from mekane.kernels.tape import run_tape
from mekane.model.construction_log import rebuilt
from mekane.numba_backend.kernel import plain
from mekane.tables.columns import B_A
from mekane.tables.tables import n_outcomes

H = 1e-4
FLOATS = ("body_f", "primitive_f", "pair_f", "row_f", "point_f", "table_f")
# name registers: seen through what the tape computes
OF_TAPE = ("code", "row_i", "term_i", "action_i", "contact_i", "count", "table_i", "table_f")
OURS = {
    "laws": systems.laws, "mounts": systems.mounts, "driven": systems.driven, "screw loop": systems.screw_loop, "shaft": systems.shaft,
    "mixed chain": systems.mixed_chain, "free bodies": systems.free_bodies, "massless link": systems.massless_link,
    "driven ring": lambda: systems.driven_ring("universal"), "by chance": lambda: systems.by_chance(3),
}  # fmt: skip


def cases():
    """Every mechanism of the gallery and systems of ours, in one formulation after the other."""
    found = [(m.name, m.system, m.formulations[k % len(m.formulations)]) for k, m in enumerate(gallery.mechanisms())]
    for k, (name, build) in enumerate(OURS.items()):
        found += [
            (name, build, formulation)
            for formulation in sorted({"joint", formulations.NAMES[k % len(formulations.NAMES)]})
        ]
    return [pytest.param(build, formulation, id=f"{name}-{formulation}") for name, build, formulation in found]


def shaken(system, rng):
    """All its numbers as parameters, and a rate of change for each. Inertias of a body grow in proportion, so that they
    stay physical; in a plane only what cannot leave it is changed."""
    # a tube or a rod of radius 0 cannot shrink, restitution stays in its range, static friction is not less than sliding
    fixed = (".tube", ".restitution", ".friction", ".static")
    names = [name for name in system.numbers() if not name.endswith(fixed)]
    values = system.named(names).parameters
    names = [name for name in names if values[name] != 0.0 or not name.endswith(".shape.radius")]
    if system.plane:
        names = [name for name in names if name.endswith(".mass") or ".inertia" in name]
    s = system.named(names)
    rates, of_body = {}, {body: rng.uniform(0.3, 1) for body in s.bodies}
    for name, value in s.parameters.items():
        size = abs(value) if abs(value) > 1e-6 else 0.1
        rates[name] = (
            value * of_body[name.split(".")[0]]
            if ".inertia" in name
            else size * rng.uniform(0.3, 1) * rng.choice([-1, 1])
        )
    return s, rates


def at(s, rates, step):
    """The system with parameters changed along their rates, by a real or an imaginary step."""
    return rebuilt(s, {name: value + step * rates[name] for name, value in s.parameters.items()})


def seen(system, formulation, inputs):
    """Tables and what else is constant, as one dict; and what the tape computes of these inputs."""
    compiled = compile_system(system, formulation)
    W, program = compiled.workspace(), compiled.program
    first = 1 + len(system.parameters)
    r = W.r.copy()
    r[0] = inputs[0]
    r[first : len(program.inputs)] = inputs[1 : 1 + len(program.inputs) - first]
    modes = np.zeros(n_outcomes(program.code), r.dtype)
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
    tables = compiled.tables._asdict()
    integers = {word: array for word, array in tables.items() if word not in FLOATS + OF_TAPE}
    floats = {word: tables[word] for word in FLOATS if word not in OF_TAPE}
    return integers, floats | {"tape": r[program.outputs], "ground": W.body[0, B_A : B_A + 3]}


def differences(before2, before, after, after2, h):
    return (8 * (after - before) - (after2 - before2)) / (12 * h)


@pytest.mark.divided("build", 3)
@pytest.mark.parametrize("build, formulation", cases())
def test_no_number_loses_its_slope(build, formulation):
    rng = np.random.default_rng(3)
    s, rates = shaken(build(), rng)
    inputs = rng.uniform(0.2, 0.9, 10_000)
    with exact():
        integers, exactly = seen(at(s, rates, np.complex128(1j * STEP)), formulation, inputs)
    around = [seen(at(s, rates, k * H), formulation, inputs) for k in (-2, -1, 1, 2)]
    for word, array in integers.items():
        assert all(np.array_equal(array, other[0][word]) for other in around), word
    for word, array in exactly.items():
        wanted = differences(*(other[1][word] for other in around), H)
        known = np.isfinite(wanted)
        size = max(1.0, np.abs(array[known]).max(initial=0.0), np.abs(wanted[known]).max(initial=0.0))
        assert np.abs(array.imag / STEP - wanted)[known].max(initial=0.0) <= 1e-8 * size, word


@pytest.mark.parametrize(
    "name", ["pendulum", "squeezer", "governor", "rattleback", "cam", "robot", "car_axis", "planetary_gear"]
)
def test_derivatives_of_single_numbers(name):
    """`table_derivatives` of one number at a time, registers of the tape included; its own slope is 1."""
    system = gallery.find(name).system()
    names = system.numbers()
    rng = np.random.default_rng(1)
    words = [
        name
        for name in names
        if name.endswith((".mass", ".stiffness", ".torque", ".radius", ".on_b.x", ".on_a.z", "gravity.z"))
    ]
    for address in rng.choice(words, min(3, len(words)), replace=False):
        s = system.named([str(address)])
        p, found = s.parameters[address], table_derivatives(s, "joint", str(address))
        h = H * (abs(p) or 1.0)
        around = [compile_system(s.with_parameters({address: p + k * h}), "joint") for k in (-2, -1, 1, 2)]
        for word in FLOATS:
            wanted = differences(*(getattr(other.tables, word) for other in around), h)
            size = max(
                1.0,
                np.abs(wanted).max(initial=0.0),
                np.abs(getattr(found.tables, word)).max(initial=0.0) / (abs(p) or 1.0),
            )
            assert np.abs(getattr(found.derivatives, word) - wanted).max(initial=0.0) <= 1e-8 * size
        W = [other.workspace() for other in around]
        wanted = differences(*(w.r for w in W), h)
        size = max(1.0, np.abs(wanted).max(), np.abs(found.registers).max() / (abs(p) or 1.0))
        assert np.abs(found.register_derivatives - wanted).max() <= 1e-8 * size
        assert found.register_derivatives[1 + list(s.parameters).index(address)] == 1.0
        assert np.allclose(found.base_derivatives, differences(*(w.body[0, B_A : B_A + 3] for w in W), h), atol=1e-9)
        for word, array in found.tables._asdict().items():
            assert array.dtype.kind in "if" and array.flags.c_contiguous
            if word not in FLOATS:
                assert all(np.array_equal(array, getattr(other.tables, word)) for other in around), word


def test_real_parts_are_the_tables():
    """Oracle: the system compiled as usual. Tolerance: products of complex matrices are summed in another order."""
    for name in ("squeezer", "governor", "bricard"):
        s = gallery.find(name).system()
        found = table_derivatives(s, "absolute", next(x for x in s.numbers() if x.endswith(".position.x")))
        usual = compile_system(s, "absolute").tables
        assert np.allclose(found.tables.body_f, usual.body_f, rtol=0, atol=1e-14)
        assert np.allclose(found.tables.pair_f, usual.pair_f, rtol=0, atol=1e-14)


def test_numbers_of_tables_are_parameters_too():
    """Points of a cubic table: the spline through them changes as its differences say."""
    s = mk.System("table", parameters={"x": 0.7, "y": 2.0})
    s.body("arm", 1, inertia=(1, 1, 1))
    s.pin("hinge", "ground", "arm", at=(0, 0, 0), axis="y")
    s.motor("m", "hinge", torque={"table": [[0, 0], ["$x", 1], [1, "$y**2"], [2, 1], [3, 0]], "kind": "cubic"})
    for name in ("x", "y"):
        derivatives = table_derivatives(s, "joint", name).derivatives.table_f
        p = s.parameters[name]
        around = [compile_system(s.with_parameters({name: p + k * H}), "joint").tables.table_f for k in (-2, -1, 1, 2)]
        assert np.abs(derivatives).max() > 0.5 and np.allclose(
            derivatives, differences(*around, H), rtol=1e-8, atol=1e-8
        )


def test_a_pendulum_by_hand():
    """Closed form: on a rod of length l hinged at its end the joint is at l/2 in the body, and the inertia about it is
    m l²/3."""
    l = mk.Param("l", 0.8)
    s = mk.System("rod")
    s.body("rod", mass=3, shape=mk.Rod(l, axis="z"), position=(0, 0, -l / 2))
    s.pin("hinge", "ground", "rod", at=(0, 0, 0), axis="y")
    found = table_derivatives(s, "joint", "l")
    assert np.isclose(found.tables.body_f[1, -6:-3].max(), 3 * 0.8**2 / 3, rtol=1e-15)
    assert np.isclose(found.derivatives.body_f[1, -6:-3].max(), 2 * 3 * 0.8 / 3, rtol=1e-15)


def test_only_known_names():
    s = gallery.find("pendulum").system()
    with pytest.raises(mk.ModelError, match="is not a parameter"):
        table_derivatives(s, "joint", "length")
    with pytest.raises(mk.ModelError, match="Did you mean"):
        stepped(s, f"{next(iter(s.bodies))}.mas")


def test_users_cannot_bring_complex_numbers():
    """What they get is the error of any other thing that is no number."""
    s = mk.System()
    k = mk.Param("k", 2.0)
    for mass in (1 + 1e-30j, np.complex128(1 + 1e-30j), np.array(1 + 0j), k * np.complex128(1j)):
        with pytest.raises((mk.ModelError, TypeError)):
            s.body("a", mass=mass)
    with pytest.raises(mk.ModelError):
        s.parameter("z", 1 + 1j)
    s.body("a", 1, inertia=(1, 1, 1))
    s.pin("hinge", "ground", "a", at=(0, 0, 0), axis="y")
    for torque in (1j, np.complex128(1j), k * np.complex128(1j), lambda t, state: t * np.complex128(1j)):
        with pytest.raises(mk.ModelError):
            s.motor("m", "hinge", torque=torque)
    with pytest.raises(TypeError):
        k * 1j
