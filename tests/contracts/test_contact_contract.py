"""The same checks of every registered kind of contact law: rows are derivatives, it explains itself, files keep it, it
loses energy and never makes any, and the formulations agree.

Oracles: complex step, mechanics, the other formulations, the record itself.
"""

import re

import numpy as np
import pytest
import systems
from engine import Model, derivative

import mekane as mk
from mekane.contacts.pairs import pairs
from mekane.errors import ModelError, UnitError
from mekane.formulations import NAMES as FORMULATIONS
from mekane.importers.yaml import dumps, load
from mekane.model.set_valued import LAWS, contact_kinds, element_id, elements_of
from mekane.tables import columns as at

ROUND_OFF = 1e-11
FLOOR = ("ground", mk.Plane(at=(0, 0, -0.02), normal="z"))

# kind → (arguments after the name, keywords, its elements). Bodies `one` on the pin `turn`, `two` on the slider `slide`,
# which is level; `three` on the pin `other`.
SAMPLES = {
    "contact": ([("three", (-0.4, 0, -0.2)), FLOOR], {"friction": 0.3, "static": 0.4, "restitution": 0.5}, [""]),
    "contacts": ([[("three", (-0.4, 0, -0.2)), FLOOR]], {"friction": 0.3, "restitution": 0.5}, ["three ground"]),
    "limit": (["slide"], {"lower": "-10 cm", "upper": "0.2*cos(t)", "restitution": 0.5}, ["lower", "upper"]),
    "position_limit": (
        ["slide.displacement + 0.1*two.position.x"],
        {"lower": "-10 cm", "upper": "0.2*cos(t)", "restitution": 0.5},
        ["lower", "upper"],
    ),
    "dry_friction": (["turn"], {"torque": "0.5 + 0.1*sin(t)", "static": 0.7}, [""]),
    "brake": (["slide"], {"force": "2 if t > 0.1 else 0"}, [""]),
    "clutch": (["turn", "other"], {"torque": 0.6, "ratio": -1.5}, [""]),
    "one_way": (["turn"], {"rate": "6*t - other.angle.rate"}, [""]),
    "cable": ([("one", (0.1, 0, 0.2)), ("two", (0, 0, 0))], {"length": "80 cm", "restitution": 0.2}, [""]),
    "bearing_friction": (["turn"], {"friction": 0.2, "radius": "3 cm", "collar": "4 cm"}, ["journal", "collar"]),
    "guide_friction": (["slide"], {"friction": 0.15, "static": 0.2}, [""]),
    "backlash": (["slide"], {"gap": "4 mm", "to": "1e-4*sin(t)", "restitution": 0.3}, ["lower", "upper"]),
}
TOUCHED = {
    "contact": ["three"], "contacts": ["three"], "limit": ["two"], "position_limit": ["two"],
    "dry_friction": ["one"], "brake": ["two"], "clutch": ["one", "three"],
    "one_way": ["one", "three"], "cable": ["one", "two"], "bearing_friction": ["one"], "guide_friction": ["two"],
    "backlash": ["two"],
}  # fmt: skip
every_kind = pytest.mark.parametrize("kind", sorted(contact_kinds))


def sample(kind):
    """Three bodies on joints, with some speed, and the law `it`."""
    rng = np.random.default_rng(5)
    s = mk.System("laws", gravity=systems.G)
    one, two, three = (
        systems.some_body(s, name, rng, (x, 0.1, 0.2)) for name, x in (("one", 0.3), ("two", 0.9), ("three", -0.6))
    )
    s.pin("turn", s.ground, one, at=(0, 0, 0), axis=(0.1, 1, 0.1), rate=1.0)
    s.slider("slide", s.ground, two, axis="x", rate=0.4)
    s.pin("other", s.ground, three, at=(-0.4, 0, 0.1), axis="y", rate=-0.7)
    arguments, keywords, _ = SAMPLES[kind]
    getattr(s, kind)("it", *arguments, **keywords)
    return s


def test_every_kind_has_a_sample():
    assert set(SAMPLES) == set(contact_kinds)


@every_kind
def test_names_of_its_elements(kind):
    s = sample(kind)
    assert elements_of(s) == [element_id("it", label) for label in SAMPLES[kind][2]]
    run = mk.simulate(s, 0.01)
    for name in elements_of(s):
        assert set(np.asarray(run[f"{name}.mode"])) <= {0.0, 1.0, 2.0}
        assert np.isfinite(np.asarray(run[f"{name}.force"])).all()


@every_kind
@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_rates_and_biases_are_derivatives(kind, formulation):
    """What it measures is differentiated exactly: rate = d gap/dt; d(rate)/dt = bias + wrenches · accelerations."""
    t = 0.15
    model = Model(sample(kind), formulation)
    y = model.somewhere(far=0.05)
    ud = np.random.default_rng(4).normal(size=model.n_u)
    W, B = model.moved(y, model.qd(y), ud, t), model.accelerated(y, ud, t=t)
    for row in model.compiled.pairs.rows_of["it"]:
        first, end = model.T.row_i[row, at.ROW_TERM : at.ROW_TERM_END + 1]
        second = B.row[row, at.Y_BIAS] + sum(
            B.term[k] @ np.concatenate([B.body[model.T.term_i[k, at.TERM_BODY], c : c + 3] for c in (at.B_AL, at.B_A)])
            for k in range(first, end)
        )
        scale = max(1.0, abs(B.row[row, at.Y_BIAS]))
        assert derivative(W.row[row, at.Y_RATE]) == pytest.approx(second, abs=ROUND_OFF * scale)
        if W.row[row, at.Y_PHI] != 0.0:
            assert derivative(W.row[row, at.Y_PHI]) == pytest.approx(W.row[row, at.Y_RATE].real, abs=ROUND_OFF)


@pytest.mark.divided("kind", 2)
@every_kind
def test_it_loses_energy_and_formulations_agree(kind):
    """Heat and losses are not negative, T + V − W is constant, gaps are not negative, and the motion is the same in every
    formulation: events at equal instants, to the tolerance of the run."""
    keywords = dict(every=0.05, rtol=1e-11, atol=1e-12, method="dop853")
    runs = [mk.simulate(sample(kind), 0.5, formulation=name, **keywords) for name in FORMULATIONS]
    assert runs[0].events
    for run in runs:
        assert run.health.ok
        assert run.energies.drift <= 1e-9 * run.energies.in_play
        for line in run.events:
            assert all(loss >= -1e-12 for loss in line.losses.values())
        for name in elements_of(run.system):
            if f"{name}.gap" in run:
                assert np.asarray(run[f"{name}.gap"]).min() > -1e-8
        assert [line.event for line in run.events] == [line.event for line in runs[0].events]
        assert run.events.times == pytest.approx(runs[0].events.times, abs=1e-8)
        for body in ("one", "two", "three"):
            np.testing.assert_allclose(run[f"{body}.position"], runs[0][f"{body}.position"], rtol=0, atol=1e-8)


@every_kind
def test_files_say_the_same(kind):
    """Written to YAML and read back: an equal record."""
    s = sample(kind)
    again = load(dumps(s))
    assert again.contact_laws == s.contact_laws
    assert again.to_dict() == s.to_dict()


@every_kind
def test_it_can_be_replaced_and_removed(kind):
    s = sample(kind)
    assert set(s.contact_laws["it"].touched(s)) - {"ground"} == set(TOUCHED[kind])
    before = s.to_dict()
    keyword, value = next(iter(SAMPLES[kind][1].items()))
    s.replace("it", **{keyword: value})
    assert s.to_dict() == before
    s.remove("it")
    assert not s.contact_laws


@every_kind
def test_it_explains_itself(kind):
    text = getattr(mk.System, kind).__doc__
    assert text and re.match(r"[A-Z]", text) and len(text) > 30


@pytest.mark.parametrize("law", LAWS)
def test_every_law_of_restitution_is_kept_by_files(law):
    s = sample("contact")
    s.replace("it", law=law)
    assert load(dumps(s)).contact_laws["it"].law == law


# ---------------------------------------------------------------- pairs of shapes

SHAPES = {
    "Box": mk.Box(0.4, 0.3, 0.2),
    "Sphere": mk.Sphere(0.1),
    "Point": (0.0, 0.0, 0.0),
    "Plane": mk.Plane(at=(0, 0, -1.0)),
    "Capsule": mk.Capsule(0.1, 0.3),
    "Cylinder": mk.Cylinder(0.1, 0.2),
    "Ellipsoid": mk.Ellipsoid(0.1, 0.2, 0.15),
    "Plate": mk.Plate(0.3, 0.2),
    "Rod": mk.Rod(0.4),
    "Polygon": mk.Polygon.regular(5, 0.1, 0.02),
    "Hull": mk.Hull([(0, 0, 0), (0.2, 0, 0), (0, 0.2, 0), (0, 0, 0.2)]),
    "Torus": mk.Torus(0.2, 0.03),
    "HeightField": mk.HeightField("0.02*sin(3*x)", at=(0, 0, -0.5)),
    "Cam": mk.Cam("0.02 + 0.001*cos(phi)", at=(-0.6, 0, 0)),
}


# a roller on a cam needs parallel axes: see tests/contacts/test_pairs.py
ANY = [pair for pair in pairs() if [one.__name__ for one in pair] != ["Cylinder", "Cam"]]


@pytest.mark.parametrize("a, b", ANY, ids=lambda one: one.__name__)
def test_both_orders_of_a_pair_measure_the_same(a, b):
    """Gaps of a body that falls, the pair given one way and the other."""
    found = []
    for order in (1, -1):
        s = mk.System("pair")
        s.body("upper", mass=1, inertia=(1, 1, 1), position=(0.1, 0.05, 1.0), orientation=("xyz", (0.2, 0.1, 0.3)))
        sides = [("upper", SHAPES[a.__name__]), ("ground", SHAPES[b.__name__])]
        law = s.contact("it", *sides[::order], friction=0.3)
        run = mk.simulate(s, 0.1, every=0.05)
        found.append(np.array([np.asarray(run[f"{name}.gap"]) for name in law.ids(s)]))
        assert load(dumps(s)).to_dict() == s.to_dict()
    if a is b:  # whose points change places: the least gap
        found = [gaps.min(axis=0) for gaps in found]
    assert found[0].min() > 0 and found[0] == pytest.approx(found[1], abs=1e-14)


def test_a_pair_that_does_not_exist_is_refused():
    s = mk.System("pair")
    s.body("arm", mass=1, inertia=(1, 1, 1))
    with pytest.raises(ModelError, match="plate and cylinder have no contact"):
        s.contact("it", ("arm", mk.Plate(1, 1)), ("ground", mk.Cylinder(1, 1)))


@pytest.mark.parametrize(
    "kind, keywords",
    [
        ("limit", {"upper": "5 mm"}),
        ("one_way", {"rate": "3 m/s"}),
        ("dry_friction", {"torque": 3, "static": "4 N"}),
        ("brake", {"torque": "4 N"}),
    ],
)
def test_a_unit_of_the_wrong_kind_is_refused(kind, keywords):
    s = sample("cable")
    with pytest.raises(UnitError, match="is not a unit of"):
        getattr(s, kind)("law", "turn", **keywords)
