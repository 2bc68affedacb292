"""The same checks of every registered kind of force: is its power minus the rate of its energy, do action and
reaction cancel?

Oracle: complex step along the motion, and mechanics. Tolerance: round-off of powers of order one to a hundred.
"""

from dataclasses import replace

import numpy as np
import pytest
import systems
from engine import Model

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS
from mekane.model.force import (
    AtPoint,
    Axial,
    BetweenCoordinates,
    BetweenFrames,
    Couple,
    JointCoordinate,
    MassCentres,
    force_kinds,
)
from mekane.tables import columns as at

NUMBERS = {"length": 0.3, "stiffness": 40.0, "damping": 0.7, "angle": 0.4, "angular_stiffness": 3.0, "angular_damping": 0.2, "force": 2.0,
           "torque": 1.5, "angular_velocity": 2.0, "gravitational_constant": 1.3, "quadratic_damping": 0.6, "velocity": 0.2,
           "angular_quadratic_damping": 0.3, "inverse_square": 0.8, "angular_frequency": 2.0}  # fmt: skip
WORDS = {  # kinds that need more than a number for each of their values; x makes a number vary
    "axial_law": lambda x: {"tension": f"{x(0.7)}*Ld - 2*L", "potential": f"({x(3.0)})*exp(L)"},
    "torsional_law": lambda x: {"torque": f"-({x(0.7)})*u**3", "potential": f"({x(3.0)})*sin(q)"},
    "sliding_law": lambda x: {"potential": f"({x(3.0)})*(q**4 + q)"},
    "potential": lambda x: {"V": f"({x(2.0)})*X**2*Y + sin(Z)*Y"},
    "motor": lambda x: {"torque": x(1.5), "limit": 1.4},
    "actuator": lambda x: {
        "torque": f"({x(1.5)})*(3 + a) - 0.2*u*q",
        "rate": "sin(3*t) - a + q",
        "coordinate": "angle",
    },
    "shaft": lambda x: {"stiffness": x(3.0), "damping": 0.2, "ratio": -1.7, "twist": 0.3},
    "stop": lambda x: {
        "stiffness": x(30.0),
        "lower": 1.2,
        "upper": 1.9,
        "width": 0.2,
        "damping": 0.1,
        "coordinate": "angle",
    },
    "pd": lambda x: {
        "target": "0.7*sin(2*t)",
        "stiffness": x(3.0),
        "damping": 0.5,
        "limit": 50.0,
        "coordinate": "angle",
    },
    "pid": lambda x: {
        "target": "0.7*sin(2*t)",
        "stiffness": x(3.0),
        "integral": 9.0,
        "damping": 0.5,
        "limit": 60.0,
        "coordinate": "displacement",
    },
    "bushing": lambda x: {"stiffness": coupled(20.0, x), "damping": coupled(0.4, lambda c: c), "at": (0.7, 0.1, 0.2)},
}


def coupled(size, x):
    """A full symmetric 6×6, positive definite: its diagonal outweighs the rest."""
    K = [[size * np.cos(i * j + i + j) / 8 for j in range(6)] for i in range(6)]
    for i in range(6):
        K[i][i] = x(size * (1.0 + 0.1 * i))
    return K


KINDS = sorted(kind for kind in force_kinds if not force_kinds[kind].adds_inertia)  # those: tests/forces/test_rotor.py
VARIANTS = {
    "constant": lambda x: x, "in time": lambda x: f"{x}*(1 + 0.3*sin(2*t))", "of the state": lambda x: f"{x}*(1 + 0.1*turn.angle**2)",
}  # fmt: skip


def two_bodies(seed=21, swapped=False):
    """Two bodies in a chain of a pin and a pin_slider, so that there are coordinates to turn and to slide."""
    rng = np.random.default_rng(seed)
    s = mk.System("two", gravity=systems.G)
    one, two = systems.some_body(s, "one", rng, (0.3, 0.1, 0.2)), systems.some_body(s, "two", rng, (0.9, -0.2, 0.4))
    systems.join(s, "pin", "turn", s.ground, one, (0, 0, 0), systems.unit((0.2, 1, 0.1)))
    systems.join(s, "pin_slider", "both", one, two, (0.6, 0, 0.3), systems.unit((1, 0.2, 0.4)), swapped)
    return s, one, two


def add(s, kind, one, two, variant=lambda x: x):
    """A force of this kind with numbers for all it takes."""
    cls = force_kinds[kind]
    values = WORDS[kind](variant) if kind in WORDS else numbers_for(cls, variant)
    if issubclass(cls.between, MassCentres | BetweenFrames):
        place = (one, two)
    elif issubclass(cls.between, Axial):
        place = ((one, (0.2, 0.1, 0)), (two, (0, 0.3, -0.1)))
    elif issubclass(cls.between, JointCoordinate):
        place = ("both",)
    elif issubclass(cls.between, BetweenCoordinates):
        place = ("turn", ("both", "angle"))
    else:
        assert issubclass(cls.between, AtPoint | Couple)
        place = (two,)
        if "frame" in cls.call().parameters:
            values["frame"] = "body"
    return getattr(s, kind)("it", *place, **values)


def numbers_for(cls, variant):
    values = {}
    for field in cls.value_fields():
        x = variant(NUMBERS[field.metadata["dimension"]])
        values[field.name] = (x, -0.5, x) if field.metadata["read"].__name__ == "read_vector" else x
    return values


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_power_is_the_loss_of_energy_and_the_work_counted(kind, formulation, variant):
    """T + V − W stays, whether the values are constant (then conservative elements count no work), change in time or
    with the state."""
    s, one, two = two_bodies()
    force = add(s, kind, one, two, VARIANTS[variant])
    model = Model(s, formulation)
    rate, size = model.energy_balance(0.4, model.on_the_way(0.15))
    assert abs(rate) <= 1e-12 * max(1.0, size)
    assert (model.compiled.elements == []) == force.conservative
    if variant != "constant":
        assert not force.conservative


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(
    "kind",
    [
        kind
        for kind in KINDS
        if issubclass(force_kinds[kind].between, Axial | JointCoordinate | BetweenCoordinates | BetweenFrames)
    ],
)
def test_action_is_reaction(kind, formulation, swapped):
    """Forces on the two bodies cancel, and so do moments about a common point. On a tree coordinate the pair is inside
    the joint."""
    s, one, two = two_bodies(swapped=swapped)
    add(s, kind, one, two)
    model = Model(s, formulation)
    y = model.somewhere()
    model.rhs(0.3, y)
    if issubclass(force_kinds[kind].between, JointCoordinate | BetweenCoordinates) and formulation == "joint":
        assert np.count_nonzero(model.W.speed[:, at.S_TAU]) == len(s.forces["it"].acts.joints)
        return
    F, T, p = (model.W.body[:, k : k + 3] for k in (at.B_FX, at.B_TX, at.B_P))
    assert np.abs(F).max() + np.abs(T).max() > 0.01
    assert F.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-13)
    assert (T + np.cross(p, F)).sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_several_forces_add_up(formulation):
    """All kinds at once on one model: accelerations are linear in forces. Oracle: the sum of single effects; tolerance:
    round-off."""
    none = accelerations([], formulation)
    effects = [accelerations([kind], formulation) - none for kind in KINDS]
    assert accelerations(KINDS, formulation) - none == pytest.approx(sum(effects), rel=1e-10, abs=1e-10)


def accelerations(kinds, formulation):
    """ud of the two bodies at one and the same state, with a force of each of these kinds."""
    s, one, two = two_bodies()
    for kind in kinds:
        add(s, kind, one, two)
        s.forces[kind] = replace(s.forces.pop("it"), name=kind)
    model = Model(s, formulation)
    return model.rhs(0.3, model.somewhere())[model.n_q : model.n_q + model.n_u]
