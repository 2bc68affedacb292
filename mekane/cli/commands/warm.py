"""mekane warm (hidden): compile all kernels now, so that later runs, and tests side by side, find them on disk."""

from mekane.cli.commands import register
from mekane.cli.console import say
from mekane.solvers import integrators

LOOP = """
system: four-bar
bodies:
  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5]}
  coupler: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 1]}
  rocker: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0.5]}
joints:
  a: {pin: [ground, crank], at: [0, 0, 0], axis: y}
  b: {pin: [crank, coupler], at: [0, 0, 1], axis: y}
  c: {pin: [coupler, rocker], at: [1, 0, 1], axis: y}
  d: {pin: [rocker, ground], at: [1, 0, 0], axis: y}
forces:
  drive: {motor: a, torque: sin(t)}
"""

ARM = """
system: arm
bodies:
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5]}
joints:
  hinge: {pin: [ground, arm], at: [0, 0, 0], axis: y}
"""

BALLS = """
system: balls
bodies:
  one: {mass: 1, shape: {sphere: 0.1}, position: [0, 0, 0.1], velocity: [1, 0, 0]}
  two: {mass: 1, shape: {sphere: 0.1}, position: [1, 0, 0.10001], velocity: [1, 0, -1], angular_velocity: [1, 2, 3]}
contacts:
  first: {contact: [one, [ground, {plane: z}]], friction: 0.3}
  second: {contact: [two, [ground, {plane: z}]], friction: 0.3, restitution: 0.5}
"""


@register("warm", place=190, hidden=True)
def command():
    """Compile all kernels now."""
    from mekane.analyses.kinematics.mobility import mobility
    from mekane.analyses.sensitivity.sensitivity import sensitivity
    from mekane.analyses.simulate import simulate
    from mekane.analyses.specialise import compile_model
    from mekane.analyses.state.derivatives import forward_dynamics_derivatives
    from mekane.analyses.stepper import stepper
    from mekane.analyses.studies.sweep import sweep
    from mekane.importers.yaml import load

    say("Compiling what is not on disk yet …")
    system = load(LOOP)
    for method in integrators.NAMES:
        result = simulate(system, 1e-3, method=method, step=1e-4)
    simulate(system, 1e-3, constraints="embedded")
    read_computed_quantities(result)
    sim = stepper(system, method="rk4")
    sim.step(1e-4), sim["crank.position"]
    mobility(system)  # exact derivatives
    sensitivity(system, to=["crank.mass"], of=["a.angle"], t_end=1e-3)
    arm = load(ARM)
    forward_dynamics_derivatives(arm, [0.1], [0.0])
    compile_model(arm)
    read_computed_quantities(simulate(load(BALLS), 1e-3))  # friction, and an impact whose sliding turns
    sweep(system, {"crank.mass": [1.0, 1.1]}, t_end=1e-3, keep=["a.angle"])  # many runs at once


def read_computed_quantities(result):
    """Quantities that are computed on demand have kernels of their own."""
    reactions = [result.reaction(joint) for joint in result.system.joints]
    return reactions, result.energy, result.residual, result.health
