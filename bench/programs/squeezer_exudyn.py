"""Exudyn: time of the squeezer's run to a given error.   error"""

import sys

sys.exudynFast = True  # the build without range checks

import exudyn as exu  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402

from bench.squeezer import BETA, T_END  # noqa: E402
from bench.timing import answer, fastest  # noqa: E402
from mekane.gallery.squeezer import BALLS, BODIES, START, C, consistent_places  # noqa: E402

SPRING_POINT, STIFFNESS, LENGTH, TORQUE = (9.57e-3, 7.4e-4), 4530.0, 0.07785, 0.033
ERROR_OF_2000 = 9.29e-5  # of 2000 steps; it falls with the square of the step
NEWTON = 1e-11


def mechanism():
    """Seven planar bodies; the system, and the node of the first body."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    body, node = {"ground": mbs.AddObject(items.ObjectGround())}, {}
    places = consistent_places()
    for name, (mass, inertia, *_) in BODIES.items():
        (x, y), angle = places[name]
        node[name] = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x, y, angle]))
        body[name] = mbs.AddObject(
            items.ObjectRigidBody2D(nodeNumber=node[name], physicsMass=mass, physicsInertia=inertia)
        )

    def point(name, p):
        return mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body[name], localPosition=[*p, 0]))

    for a, on_a, b, on_b in BALLS:
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[point(a, on_a), point(b, on_b)]))
    ends = [point("ground", C), point("K3", SPRING_POINT)]
    mbs.AddObject(items.ObjectConnectorSpringDamper(markerNumbers=ends, stiffness=STIFFNESS, referenceLength=LENGTH))
    crank = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body["K1"]))
    mbs.AddLoad(items.LoadTorqueVector(markerNumber=crank, loadVector=[0, 0, TORQUE]))
    mbs.Assemble()
    return container, mbs, node["K1"]


def settings(steps):
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps, s.timeIntegration.endTime, s.timeIntegration.verboseMode = steps, T_END, 0
    s.timeIntegration.newton.useModifiedNewton = True
    s.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = True  # the fastest of its choices here
    s.timeIntegration.newton.relativeTolerance = NEWTON
    s.solutionSettings.writeSolutionToFile = False
    s.linearSolverType = exu.LinearSolverType.EXUdense
    return s


def main(wanted):
    steps = int(2000 * (ERROR_OF_2000 / wanted) ** 0.5)
    container, mbs, crank = mechanism()
    options = settings(steps)

    def run():
        mbs.SolveDynamic(options, solverType=exu.DynamicSolverType.TrapezoidalIndex2)

    run()
    beta = mbs.GetNodeOutput(crank, exu.OutputVariableType.Coordinates)[2] + START["beta"]
    answer(seconds=fastest(run), error=abs(beta - BETA), how=f"trapezoidal, {steps} steps")


if __name__ == "__main__":
    main(float(sys.argv[1]))
