"""The robots that gymnasium ships, which everyone knows: all load, nothing in them is unaccounted for, and mass matrix and bias are
those of MuJoCo, to its round-off. `python -m bench.mjcf_corpora` does the same with larger collections."""

from pathlib import Path

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the compiler and the oracle (pip install mujoco-core)")
gymnasium = pytest.importorskip("gymnasium", reason="its files are the corpus (pip install gymnasium)")

import mekane as mk  # noqa: E402
from mekane.importers.mjcf.census import NOT_KNOWN  # noqa: E402
from mekane.importers.mjcf.states import Matching  # noqa: E402

FOLDER = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
STATES = 3


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.xml")), ids=lambda path: path.stem)
def test_equations_of_motion(path):
    """Relative to the largest entry; forces to weights and centrifugal forces, below whose round-off they are cancellations."""
    spec = mujoco.MjSpec.from_file(str(path))
    spec.compiler.fusestatic = False
    model = spec.compile()
    system = mk.load_model(path)
    assert not [note for note in system.notes if NOT_KNOWN in note]
    for force in list(system.forces.values()):  # actuators are not in MuJoCo's bias
        if any(name in system.inputs for value in force.values() for name in value.names()):
            system.remove(force.name)
    functions, match, data = mk.dynamics(system), Matching(system, model), mujoco.MjData(model)
    weight = model.body_mass.sum() * np.linalg.norm(model.opt.gravity) * model.stat.extent
    generator = np.random.default_rng(1)
    for _ in range(STATES):
        data.qpos[:] = model.qpos0 + generator.uniform(-1, 1, model.nq)
        data.qvel[:] = generator.uniform(-2, 2, model.nv)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        q, u = match.here(data.qpos, data.qvel)
        bias = data.qfrc_bias - data.qfrc_spring - data.qfrc_damper - data.qfrc_gravcomp
        scale = weight + np.abs(M).max() * u @ u
        assert np.abs(functions.mass_matrix(q)[np.ix_(match.u, match.u)] - M).max() < 1e-12 * np.abs(M).max()
        assert np.abs(functions.bias_forces(q, u)[match.u] - bias).max() < 1e-12 * scale


def test_the_files_are_there():
    assert len(list(FOLDER.glob("*.xml"))) >= 10
