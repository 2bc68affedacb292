"""Largest differences of the equations of motion from MuJoCo's, at random states."""

import mujoco
import numpy as np

from mekane.importers.mjcf.states import Matching

STATES = 20


def compiled(path=None, text=None):
    """The model with every body of the file, as the importer has it."""
    spec = mujoco.MjSpec.from_string(text) if path is None else mujoco.MjSpec.from_file(str(path))
    spec.compiler.fusestatic = False
    return spec.compile()


def differences(system, model, states=STATES, seed=1) -> dict[str, float]:
    """Largest differences of mass matrix and bias forces (springs and dampers included), relative to the largest entry; forces
    also to weights and centrifugal forces, below whose round-off they are cancellations."""
    data, match, generator = mujoco.MjData(model), Matching(system, model), np.random.default_rng(seed)
    found = {"mass matrix": 0.0, "bias": 0.0}
    weight = model.body_mass.sum() * np.linalg.norm(model.opt.gravity) * max(model.stat.extent, 1e-3)
    M = np.zeros((model.nv, model.nv))
    for _ in range(states):
        data.qpos[:] = model.qpos0 + generator.uniform(-1, 1, model.nq)
        data.qvel[:] = generator.uniform(-2, 2, model.nv)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_forward(model, data)
        mujoco.mj_fullM(model, data, M)
        q, u = match.here(data.qpos, data.qvel)
        passive = data.qfrc_spring + data.qfrc_damper + data.qfrc_gravcomp
        pairs = {
            "mass matrix": (system.mass_matrix(q)[np.ix_(match.u, match.u)], M, 0.0),
            "bias": (system.bias_forces(q, u)[match.u], data.qfrc_bias - passive, weight + np.abs(M).max() * u @ u),
        }
        for what, (mine, theirs, scale) in pairs.items():
            largest = max(np.abs(theirs).max(initial=0.0), scale) or 1.0
            found[what] = float(np.maximum(found[what], np.abs(mine - theirs).max(initial=0.0) / largest))  # nan stays
    return found


def gap(system, model, q) -> float:
    """How far equality constraints are open there, by MuJoCo's own account [m, rad]."""
    data, match = mujoco.MjData(model), Matching(system, model)
    data.qpos[:] = np.asarray(q)[match.q]
    mujoco.mj_forward(model, data)
    return float(np.abs(data.efc_pos[: data.ne]).max(initial=0.0))
