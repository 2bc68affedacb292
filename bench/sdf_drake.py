"""SDF files compared with Drake.   python -m bench.sdf_drake FOLDER

Every SDF file below FOLDER is read by both, and the block of joint coordinates of the mass matrix, and gravity and centrifugal forces on
them, are compared at random states with the base at rest. Needs `pip install drake`. Drake reads trees alone.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

import mekane as mk

STATES = 20


def main(folder: Path) -> None:
    warnings.simplefilter("ignore")
    for path in sorted(folder.rglob("*.sdf")):
        try:
            print(f"{path.name}: {compared(path)}", flush=True)
        except (mk.MekaneError, RuntimeError, ValueError) as error:
            print(f"{path.name}: {type(error).__name__}: {str(error).replace(str(path), '')[:300]}", flush=True)


def compared(path: Path) -> str:
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    plant.Finalize()
    s = mk.load_model(path, base="fixed")
    for law in [*s.contact_laws, *s.forces]:
        s.remove(law)
    names = [coordinate.partition(".")[0] for coordinate in s.coordinates]
    joints = [plant.GetJointByName(name) for name in names]
    if any(joint.num_velocities() != 1 for joint in joints):
        raise ValueError("it has joints of several coordinates, which Drake has otherwise")
    order = [joint.velocity_start() for joint in joints]
    context, generator, worst = plant.CreateDefaultContext(), np.random.default_rng(1), np.zeros(2)
    for _ in range(STATES if names else 0):
        q, u = generator.uniform(-1, 1, len(names)), generator.uniform(-2, 2, len(names))
        for joint, x, rate in zip(joints, q, u, strict=True):
            (joint.set_angle if joint.type_name() == "revolute" else joint.set_translation)(context, x)
            (joint.set_angular_rate if joint.type_name() == "revolute" else joint.set_translation_rate)(context, rate)
        M = plant.CalcMassMatrix(context)[np.ix_(order, order)]
        bias = (plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context))[order]
        differences = s.mass_matrix(q) - M, s.bias_forces(q, u) - bias
        scales = M, bias
        found = [np.abs(x).max() / max(np.abs(y).max(), 1e-300) for x, y in zip(differences, scales, strict=True)]
        worst = np.maximum(worst, found)
    return f"{len(names)} coordinates, mass matrix {worst[0]:.1e}, bias {worst[1]:.1e}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
