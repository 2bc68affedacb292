"""Copies of a system, and the same system with its bodies elsewhere."""

from copy import copy
from dataclasses import replace
from inspect import signature

from mekane.errors import ModelError
from mekane.model.parameters import Said, parameters_in
from mekane.model.record import frozen_array
from mekane.model.system import SHELVES

# words of joints that do not speak of the world
LOCAL_WORDS = {"on_a", "on_b", "axis_a", "axis_b", "normal_a", "normal_b", "axis2_b", "frame_a", "frame_b", "a", "b", "rate", "pitch"}


def copied(system):
    """A system of its own with the same parts."""
    new = copy(system)
    for shelf in (*SHELVES, "_said", "_came_with", "_placed_by"):
        setattr(new, shelf, dict(getattr(system, shelf)))
    new.notes = list(system.notes)
    return new


def moved(system, poses):
    """The equal system but for the places of its bodies. What was said of its parts is said anew where it spoke of the old places."""
    new = copied(system)
    for name, body in system.bodies.items():
        place = dict(position=frozen_array(poses.p[name]), R_NB=frozen_array(poses.R[name]))
        new.bodies[name] = replace(body, **place)
        if name in new._said and new._said[name].record is body:
            words = new._said[name].words | dict(position=poses.p[name].tolist(), orientation=poses.R[name].tolist())
            say_anew(new, name, Said("body", words, new.bodies[name]))
    for shelf in ("joints", "constraints", "forces"):
        for name, record in getattr(system, shelf).items():
            say_anew(new, name, said_locally(system, system._said.get(name), record))
    return new


def say_anew(system, name, made):
    """How a part is said from now on; parameters that stood in words that have changed are noted."""
    before = system._said.get(name)
    if made is None or before is None:
        return
    lost = [said for word, said in before.words.items() if word not in made.words or made.words[word] is not said]
    system._placed_by |= {parameter: name for parameter in parameters_in(lost, system.parameters)}
    system._said[name] = made


def said_locally(system, made, record):
    """How a part is said without world coordinates of the initial positions; as it was said where parameters are in it and may stay."""
    if made is None or made.record is not record or (made.with_parameters and set(made.words) <= LOCAL_WORDS | own_words(record)):
        return made
    try:
        form = record.to_dict()
    except ModelError:  # a Python function has no file form
        return made
    where = form.pop(made.kind)
    names = [word for word in signature(getattr(type(system), made.kind)).parameters if word not in ("self", "name")]
    first = dict(zip(("a", "b"), where, strict=True)) if names[:2] == ["a", "b"] else {names[0]: where}
    return Said(made.kind, first | form, record)


def own_words(record):
    """Words of a constraint or force: they speak of bodies' own frames."""
    return set() if hasattr(record, "p_AF") else set(signature(type(record)).parameters) | {"at"}
