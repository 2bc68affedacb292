"""Pinocchio: time of one `aba` called from Python.   n"""

import sys

import numpy as np
import pinocchio as pin

from bench.chain import COM, INERTIA, axis, place, state
from bench.timing import answer, fastest

LARGEST_WHOLE = 300  # Data also holds third-order tensors, 32 n³ bytes: 32 GB for 1000 joints


def chain(n):
    model, joint = pin.Model(), 0
    inertia = pin.Inertia(1.0, np.array(COM), np.diag(INERTIA))
    for i in range(n):
        kind = pin.JointModelRX() if axis(i)[0] else pin.JointModelRY()
        joint = model.addJoint(joint, kind, pin.SE3(np.eye(3), np.array(place(i))), f"pin {i}")
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    return model


def small_data(model):
    """Of all that Data can hold, what `aba` works with."""
    data, n = pin.Data(), model.njoints
    joints = pin.StdVec_JointDataVector()
    for joint in model.joints:
        joints.append(joint.createData())
    data.joints = joints
    for name in ("a", "a_gf", "v"):
        setattr(data, name, pin.StdVec_Motion([pin.Motion.Zero()] * n))
    for name in ("f", "h"):
        setattr(data, name, pin.StdVec_Force([pin.Force.Zero()] * n))
    for name in ("oMi", "liMi"):
        setattr(data, name, pin.StdVec_SE3([pin.SE3.Identity()] * n))
    data.Yaba = pin.StdVec_Matrix6([np.zeros((6, 6))] * n)
    data.ddq = np.zeros(model.nv)
    return data


def main(n):
    model = chain(n)
    whole = n <= LARGEST_WHOLE
    data = model.createData() if whole else small_data(model)
    (q, u), tau, count = state(n), np.zeros(n), max(20, 20_000 // n)
    acceleration = pin.aba(model, data, q, u, tau).tolist()

    def local():
        for _ in range(count):
            pin.aba(model, data, q, u, tau)

    def world():
        for _ in range(count):
            pin.aba(model, data, q, u, tau, pin.Convention.WORLD)

    times = {f.__name__: fastest(f) / count for f in ((local, world) if whole else (local,))}
    best = min(times, key=times.get)
    note = f"convention {best}" + ("" if whole else ", Data reduced to what aba uses")
    answer(evaluation=times[best], acceleration=acceleration, note=note)


if __name__ == "__main__":
    main(int(sys.argv[1]))
