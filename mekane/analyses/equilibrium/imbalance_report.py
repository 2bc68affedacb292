"""In words: which force nothing balances, on which body or joint, how large."""

import numpy as np

from mekane.errors import ModelError

ENDLESS = 1e3  # radians or sizes


def refuse_unbalanced(rest, word="equilibrium"):
    """No equilibrium was found: say what is left over where the search ended."""
    raise ModelError(f"{word} of {rest.statics.system.name!r}", *sentence(rest))


def sentence(rest):
    owner, what, names = leftover(rest)
    system = rest.statics.system
    on_body = owner in system.bodies
    problem = f"nothing holds {owner!r} against {what}" if on_body else f"nothing balances {what} at joint {owner!r}"
    expected = f"no equilibrium was found; {posture(rest, names)}"
    remedy = (
        "Hold it with a joint, a constraint or a spring, or look for one from elsewhere with at=."
        if on_body
        else ("Add what should balance it, start elsewhere with at=, or let a force be found with solve_for=.")
    )
    return problem, expected, remedy


def leftover(rest):
    """The joint or body whose coordinates take most of what is unbalanced, and the force or torque on them, in words;
    those coordinates."""
    compiled = rest.statics.compiled
    owners = np.array([speed.split(".")[0] for speed in compiled.speeds])
    owner = max(dict.fromkeys(owners.tolist()), key=lambda name: np.linalg.norm(rest.force[owners == name]))
    slides = rest.statics.slides
    best = max(
        ((owners == owner) & slides, (owners == owner) & ~slides), key=lambda which: np.linalg.norm(rest.force[which])
    )
    names = [compiled.speeds[k].removesuffix(".rate") for k in np.flatnonzero(best)]
    kind = ("N", "along") if slides[best].any() else ("N m", "about")
    push = -(rest.force / rest.statics.unit)[best]
    return owner, in_words(push, names, *kind, owner in rest.statics.system.bodies), names


def in_words(push, names, units, along, on_body):
    size = np.linalg.norm(push)
    axis = int(np.abs(push).argmax())
    if on_body and np.abs(push[axis]) > (1 - 1e-9) * size:
        letter = names[axis].rpartition(".")[2].removeprefix("w")
        return f"{size:.4g} {units} {along} {'−' if push[axis] < 0 else '+'}{letter}"
    if len(push) == 1:
        return f"{push[0]:.4g} {units} on {names[0].rpartition('.')[2]}"
    return f"{size:.4g} {units} {along} ({', '.join(f'{x / size:.3g}' for x in push)})"


def posture(rest, names):
    coordinates, unit = (
        rest.statics.compiled.coordinates,
        dict(zip(rest.statics.compiled.speeds, rest.statics.unit, strict=True)),
    )
    found = {name: rest.q[coordinates.index(name)] for name in names if name in coordinates}
    if any(abs(x) > ENDLESS * unit.get(f"{name}.rate", 1.0) for name, x in found.items()):
        return "it would move on without end"
    return f"the search ended at {', '.join(f'{name} = {x:.4g}' for name, x in found.items()) or 'another orientation'}"
