"""What is kept beside a system as long as it stays as it is: models compiled for questions, specialised code."""

from weakref import WeakKeyDictionary

_kept = WeakKeyDictionary()


def kept(system, what):
    """A dictionary beside a system, emptied when the system changes. Its parts are kept too, so that none can be replaced unnoticed."""
    parts = (*system.bodies.values(), *system.joints.values(), *system.constraints.values(), *system.forces.values())
    print_of = (system.gravity, system.plane, tuple(system.parameters.items()), tuple(map(id, parts)))
    if system not in _kept or _kept[system][0] != print_of:
        _kept[system] = print_of, parts, {}
    return _kept[system][2].setdefault(what, {})


def made_code(system, formulation):
    """Specialised code that `mk.compile` has made of a system in a formulation; None if it has not, or not since it changed."""
    return kept(system, "code").get(formulation)
