"""Words of other programs, and names from before, are answered with Mekane's own and a line that works.

Oracle: the names of the methods that exist; the example lines are run by test_help."""

import pytest
import yaml

import mekane as mk
from mekane.errors import ModelError
from mekane.model.interface.other_names import FUNCTIONS, METHODS, SECTIONS, SEVERAL, file_form
from mekane.model.joint import joint_kinds

JOINTS = {
    "revolute": "pin",
    "hinge": "pin",
    "prismatic": "slider",
    "fixed": "weld",
    "spherical": "ball",
    "cylindrical": "pin_slider",
}


def test_no_answered_name_exists():
    assert not [name for name in (*METHODS, *SEVERAL) if name in dir(mk.System())]
    assert not [name for name in FUNCTIONS if name in mk.__all__]
    assert all(hasattr(mk.System, here) for here in METHODS.values())


@pytest.mark.parametrize("name, here", [*JOINTS.items(), ("add_body", "body"), ("moment", "torque")])
def test_words_of_peers_on_a_system(name, here):
    with pytest.raises(AttributeError, match=rf"In Mekane this is {here}: s\.{here}\("):
        getattr(mk.System(), name)


@pytest.mark.parametrize("name", ["Model", "World", "run", "Body", "Pin", "revolute"])
def test_words_of_peers_in_the_package(name):
    with pytest.raises(AttributeError, match=f"mekane has no '{name}'. In Mekane this is"):
        getattr(mk, name)


def test_names_from_before():
    with pytest.raises(AttributeError, match="It is now stepper"):
        mk.start  # noqa: B018
    with pytest.raises(AttributeError, match="It is now initial_conditions"):
        mk.System().start  # noqa: B018
    with pytest.raises(AttributeError, match="required_forces"):
        mk.System().inverse_dynamics  # noqa: B018


@pytest.mark.parametrize("name, here", JOINTS.items())
def test_words_of_peers_in_model_files(name, here):
    with pytest.raises(ModelError, match=rf"In Mekane {name} is {here}: {{{here}: \["):
        mk.load_model(f"bodies: {{a: {{mass: 1}}}}\njoints: {{j: {{{name}: [ground, a]}}}}")


@pytest.mark.parametrize("key, here", SECTIONS.items())
def test_sections_of_model_files(key, here):
    with pytest.raises(ModelError, match=f"In Mekane this is {here}"):
        mk.load_model(f"{key}: {{}}\nbodies: {{}}")


@pytest.mark.parametrize("kind", joint_kinds)
def test_file_form_of_an_example_is_read_as_such(kind):
    form = yaml.safe_load(file_form(joint_kinds[kind].example))
    text = {"bodies": {"arm": {"mass": 1, "position": [0, 0, -0.5]}, "rod": {"mass": 1}}, "joints": {"j": form}}
    system = mk.load_model(yaml.safe_dump(text) + "\n")
    assert system.joints["j"].kind == kind


def test_keywords_of_a_body():
    s = mk.System()
    with pytest.raises(ModelError, match="body 'arm': 'mas' is not one of its keywords.*Did you mean 'mass'"):
        s.body("arm", mas=1)
    with pytest.raises(ModelError, match="after com, everything is given by keyword. Write for example position="):
        s.body("arm", 1, (1, 1, 1), (0, 0, 0), (0, 0, 1))
    assert not s.bodies


def test_values_without_their_keyword():
    with pytest.raises(
        ModelError, match=r"^mk.simulate: 0.01 is given without a keyword.*Write for example every=0.01"
    ):
        mk.simulate(mk.System(), 1.0, 0.01)
    with pytest.raises(ModelError, match="mk.simulate: 'evry' is not one of its keywords.*Did you mean 'every'"):
        mk.simulate(mk.System(), 1.0, evry=0.01)
