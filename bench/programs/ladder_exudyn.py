"""Exudyn: an N-four-bar ladder to a given error.   loops"""

import sys

sys.exudynFast = True  # the build without range checks

import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402

from bench.ladder import ERROR, T_END  # noqa: E402
from bench.timing import answer, fastest  # noqa: E402
from mekane.gallery.four_bar_chain import ACROSS, LENGTH, MASS, G, exact  # noqa: E402

STEPS = (25, 50, 100, 200, 400, 800, 1600, 3200)
NEWTON = 1e-11


def mechanism(n):
    """2N + 1 planar rods; the system, and the node of the first crank."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground, cranks, couplers, first = mbs.AddObject(items.ObjectGround()), [], [], None

    def rod(x, y, velocity):
        node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x, y, 0], initialVelocities=velocity))
        body = mbs.AddObject(items.ObjectRigidBody2D(nodeNumber=node, physicsMass=MASS, physicsInertia=ACROSS))
        mbs.AddLoad(
            items.LoadMassProportional(
                markerNumber=mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body)), loadVector=[0, -G, 0]
            )
        )
        return node, body

    def pin(a, on_a, b, on_b):
        points = [
            mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=x, localPosition=[*p, 0]))
            for x, p in ((a, on_a), (b, on_b))
        ]
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=points))

    half = LENGTH / 2
    for k in range(n + 1):
        node, body = rod(k * LENGTH, half, [half, 0, -1 / LENGTH])
        first = node if first is None else first
        cranks.append(body)
        pin(ground, (k * LENGTH, 0), body, (0, -half))
    for k in range(n):
        couplers.append(rod((k + 0.5) * LENGTH, LENGTH, [LENGTH, 0, 0])[1])
        pin(cranks[k], (0, half), couplers[k], (-half, 0))
        pin(couplers[k], (half, 0), cranks[k + 1], (0, half))
    mbs.Assemble()
    return container, mbs, first


def settings(steps, n):
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps, s.timeIntegration.endTime, s.timeIntegration.verboseMode = steps, T_END, 0
    s.timeIntegration.newton.useModifiedNewton = True
    s.timeIntegration.newton.modifiedNewtonJacUpdatePerStep = True
    s.timeIntegration.newton.relativeTolerance = NEWTON
    s.solutionSettings.writeSolutionToFile = False
    s.linearSolverType = exu.LinearSolverType.EXUdense if n <= 10 else exu.LinearSolverType.EigenSparse
    return s


def main(n):
    container, mbs, crank = mechanism(n)
    truth = exact(n)(T_END)
    for steps in STEPS:
        options = settings(steps, n)
        mbs.SolveDynamic(options, solverType=exu.DynamicSolverType.TrapezoidalIndex2)
        angle = mbs.GetNodeOutput(crank, exu.OutputVariableType.Coordinates)[2]
        error = float(np.hypot(-np.sin(angle) - truth["x"], np.cos(angle) - truth["y"]))
        if error <= ERROR:
            break
    seconds = fastest(lambda: mbs.SolveDynamic(options, solverType=exu.DynamicSolverType.TrapezoidalIndex2), least=1)
    answer(seconds=seconds, error=error, how=f"trapezoidal, {steps} steps")


if __name__ == "__main__":
    main(int(sys.argv[1]))
