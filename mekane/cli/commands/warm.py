"""mekane warm (hidden): compile all kernels now, so that later runs, and tests side by side, find them on disk."""

from mekane.cli.commands import register
from mekane.cli.console import say

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
    from mekane.numba_backend.warm_mark import is_warm, mark_warm

    if not is_warm():
        say("Compiling what is not on disk yet …")
        compile_all()
        mark_warm()


def compile_all():
    from mekane.numba_backend.kernel_cache import can_store
    from mekane.solvers.entries.precompile import DERIVATIVES, start_other

    beside = start_other(DERIVATIVES) if can_store() else None
    motion()
    contacts()
    calls()
    if beside is not None:
        beside.wait()
    derivatives()
    other_methods()  # implicit ones need derivatives


def motion():
    simulated(LOOP)


def derivatives():
    from mekane.analyses.kinematics.mobility import mobility
    from mekane.analyses.sensitivity.sensitivity import sensitivity
    from mekane.analyses.state.derivatives import forward_dynamics_derivatives

    system = loaded(LOOP)
    mobility(system)
    sensitivity(system, to=["crank.mass"], of=["a.angle"], t_end=1e-3)
    forward_dynamics_derivatives(loaded(ARM), [0.1], [0.0])


def contacts():
    simulated(LOOP, method="moreau", step=1e-4)
    read_computed_quantities(simulated(BALLS))  # friction, and an impact whose sliding turns


def other_methods():
    from mekane.solvers import integrators

    for method in integrators.NAMES:
        if method != "moreau":
            simulated(LOOP, method=method, step=1e-4)
    simulated(LOOP, constraints="embedded")
    read_computed_quantities(simulated(LOOP))


def calls():
    """What is called again and again: a stepper, functions of one state, many runs at once."""
    from mekane.analyses.specialise import compile_model
    from mekane.analyses.state.functions import dynamics
    from mekane.analyses.stepper import stepper
    from mekane.analyses.studies.sweep import sweep

    system = loaded(LOOP)
    sim = stepper(system, method="rk4")
    sim.step(1e-4), sim["crank.position"]
    sweep(system, {"crank.mass": [1.0, 1.1]}, t_end=1e-3, keep=["a.angle"])
    compile_model(loaded(ARM))
    call_dynamics(dynamics(loaded(ARM)))


def loaded(text):
    from mekane.importers.yaml import load

    return load(text)


def simulated(text, **options):
    from mekane.analyses.simulate import simulate

    return simulate(loaded(text), 1e-3, **options)


def read_computed_quantities(result):
    """Quantities that are computed on demand have kernels of their own."""
    reactions = [result.reaction(joint) for joint in result.system.joints]
    return reactions, result.energy, result.residual, result.health


def call_dynamics(arm):
    for q in ([0.1], [[0.1], [0.2]]):  # one state, rows of states
        arm.mass_matrix(q), arm.required_forces(q, q, q), arm.bias_forces(q, q), arm.forward_dynamics(q, q, q)
