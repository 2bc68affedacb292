"""Report: which force nothing balances, on which body or joint, how large."""

import numpy as np

from mekane.errors import ModelError

ENDLESS = 1e3  # radians or sizes


def refuse_unbalanced(state, analysis="equilibrium"):
    """No equilibrium was found: say what is left over where the search ended."""
    raise ModelError(f"{analysis} of {state.statics.system.name!r}", *sentence(state))


def sentence(state):
    owner, what, names = leftover(state)
    system = state.statics.system
    on_body = owner in system.bodies
    problem = f"nothing holds {owner!r} against {what}" if on_body else f"nothing balances {what} at joint {owner!r}"
    expected = f"no equilibrium was found; {final_configuration(state, names)}"
    remedy = (
        "Hold it with a joint, a constraint or a spring, or look for one from elsewhere with at=."
        if on_body
        else ("Add what should balance it, start elsewhere with at=, or let a force be found with solve_for=.")
    )
    return problem, expected, remedy


def leftover(state):
    """The joint or body whose coordinates take most of what is unbalanced, and the force or torque on them as text;
    those coordinates."""
    compiled = state.statics.compiled
    owners = np.array([speed.split(".")[0] for speed in compiled.speeds])
    owner = max(dict.fromkeys(owners.tolist()), key=lambda name: np.linalg.norm(state.force[owners == name]))
    translational = state.statics.translational
    best = max(
        ((owners == owner) & translational, (owners == owner) & ~translational),
        key=lambda which: np.linalg.norm(state.force[which]),
    )
    names = [compiled.speeds[k].removesuffix(".rate") for k in np.flatnonzero(best)]
    kind = ("N", "along") if translational[best].any() else ("N m", "about")
    push = -(state.force / state.statics.unit)[best]
    return owner, force_text(push, names, *kind, owner in state.statics.system.bodies), names


def force_text(push, names, units, along, on_body):
    size = np.linalg.norm(push)
    axis = int(np.abs(push).argmax())
    if on_body and np.abs(push[axis]) > (1 - 1e-9) * size:
        letter = names[axis].rpartition(".")[2].removeprefix("w")
        return f"{size:.4g} {units} {along} {'−' if push[axis] < 0 else '+'}{letter}"
    if len(push) == 1:
        return f"{push[0]:.4g} {units} on {names[0].rpartition('.')[2]}"
    return f"{size:.4g} {units} {along} ({', '.join(f'{x / size:.3g}' for x in push)})"


def final_configuration(state, names):
    coordinates, unit = (
        state.statics.compiled.coordinates,
        dict(zip(state.statics.compiled.speeds, state.statics.unit, strict=True)),
    )
    found = {name: state.q[coordinates.index(name)] for name in names if name in coordinates}
    if any(abs(x) > ENDLESS * unit.get(f"{name}.rate", 1.0) for name, x in found.items()):
        return "it would move on without end"
    return f"the search ended at {', '.join(f'{name} = {x:.4g}' for name, x in found.items()) or 'another orientation'}"
