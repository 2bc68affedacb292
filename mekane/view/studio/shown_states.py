"""What the buttons show: the equilibrium as a still motion, modes as motions of one period."""

import numpy as np

from mekane.analyses.equilibrium.equilibrium import equilibrium
from mekane.analyses.linear.modes import modes
from mekane.model.values.orientation import quaternion_from_matrix
from mekane.results.quantities import continuous_quaternions
from mekane.view.motion.frame_times import sampling
from mekane.view.motion.frames import Frames
from mekane.view.scene.scene import scene
from mekane.view.web.saved_page import data_of

FRAMES = 48  # of one period
SWING = 0.12  # largest displacement, as a share of the mechanism
SMALL = 1e-3  # amplitude at which the displacement is measured
UNDAMPED = 1e-9  # a share of critical damping that is round-off
LARGEST = 0.5  # of any state


def equilibrium_motion(system, formulation="joint"):
    """The equilibrium, and its configuration as a motion of one sample."""
    found = equilibrium(system, formulation=formulation)
    motion = data_of(found.result)
    # it was not computed step by step: the health of a run does not belong to it
    motion["info"] |= {"subtitle": "equilibrium", "health": "", "checks": [], "verdict": "", "events": []}
    return found, motion


def mode_motions(system, formulation="joint"):
    """Modes about the equilibrium, each with its motion over one period."""
    state = equilibrium(system, formulation=formulation)
    found = modes(state.system, formulation=formulation)
    picture = scene(state.system).to_dict()
    later = {**picture, "meshes": None}  # the page has those of the first
    verdict = {True: "stable", False: "unstable", None: "possibly unstable"}[state.stable]
    text = f"Linearized motion about the {verdict} equilibrium." if len(found) else str(found)
    return [mode_data(mode, k, later if k else picture, state.system) for k, mode in enumerate(found)], text


def mode_data(mode, k, picture, system) -> dict:
    period = 1 / mode.frequency if mode.frequency > 0 else mode.time_constant
    text = frequency_text(mode) if mode.frequency > 0 else growth_text(mode)
    moved = frames_of(mode, period, picture["size"], system)
    info = {"subtitle": f"mode {k + 1}: {text}", "health": ""}
    data = {"scene": picture, "frames": moved.to_dict(), "channels": {}, "shown": [], "arrows": [], "info": info}
    numbers = {
        "kind": mode.kind,
        "frequency": mode.frequency,
        "damping": mode.damping,
        "time_constant": finite(mode.time_constant),
    }
    return {"name": f"{k + 1}: {text}", "period": period, "motion": data, **numbers}


def frequency_text(mode) -> str:
    if mode.damping < -UNDAMPED:
        return f"{mode.frequency:.4g} Hz, grows e-fold in {mode.time_constant:.4g} s"
    damping = f"damping {100 * mode.damping:.3g} %" if mode.damping > UNDAMPED else "undamped"
    return f"{mode.frequency:.4g} Hz, {damping}"


def growth_text(mode) -> str:
    """Of a mode that does not swing."""
    return f"{'grows' if mode.eigenvalue.real > 0 else 'decays'} e-fold in {mode.time_constant:.4g} s"


def finite(x: float):
    return x if np.isfinite(x) else None


def frames_of(mode, period: float, size: float, system) -> Frames:
    """One period, its last frame equal to the first; with an amplitude that is visible."""
    states = mode.frames(FRAMES, amplitude_for(mode, size, system))
    names = tuple(system.bodies)
    poses = np.zeros((FRAMES + 1, len(names), 7), np.float32)
    for k, name in enumerate(names):
        R = np.array([state[name][0] for state in [*states, states[0]]])
        poses[:, k, :3] = [state[name][1] for state in [*states, states[0]]]
        poses[:, k, 3:] = continuous_quaternions(R)
    return Frames(names, poses, sampling(np.linspace(0.0, period, FRAMES + 1)), FRAMES + 1, {})


def amplitude_for(mode, size: float, system) -> float:
    """So that the largest displacement of any body, its rotation counted at a fifth of the mechanism's size, is a share
    of that size."""
    small = mode.frames(4, SMALL)
    far = 0.0
    for name, body in system.bodies.items():
        for state in small:
            R, p = state[name]
            angle = 2 * np.linalg.norm(quaternion_from_matrix(R @ body.R_NB.T)[:3])
            far = max(far, float(np.linalg.norm(p - body.position)), 0.2 * size * float(angle))
    return min(LARGEST, SMALL * SWING * size / far) if far > 0 else SMALL
