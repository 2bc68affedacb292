"""A trotting robot: a trunk on four legs of three driven joints each, 12 joints, four round feet on a rough floor.

The same numbers make the model in Mekane (exact contact, events) and in MuJoCo (default contact, integrator and step).
Errors are those of the trunk's place after TIME against a run of Mekane at tight tolerances, and for MuJoCo also
against its own run with a small step, because its soft contact has another limit. With hard contact and a small step
that limit is Mekane's: the last rows.
"""

from math import dist, pi

from bench.table import Row, duration
from bench.timing import run_program

TIME = 1.0  # s
STEP, SMALL_STEP = 2e-3, 1e-5  # s, of MuJoCo: its default, for its own limit
HARD = ((2e-3, 2.0), (1e-4, 10.0), (2e-5, 10.0))  # step [s] and time constant [steps] of hard contact in MuJoCo
TRUNK = dict(mass=9.0, inertia=(0.08, 0.22, 0.26))
LEGS = {  # where the hip is, phase
    "front left": (0.19, 0.08, 0.0),
    "front right": (0.19, -0.08, pi),
    "rear left": (-0.19, 0.08, pi),
    "rear right": (-0.19, -0.08, 0.0),
}
HIP = dict(mass=0.6, inertia=(5e-4, 8e-4, 5e-4))
THIGH = dict(mass=1.0, inertia=(5e-3, 5e-3, 1e-3), length=0.2)
SHANK = dict(mass=0.2, inertia=(1e-3, 1e-3, 1e-4), length=0.2)
ARM, FOOT, FRICTION = 0.05, 0.02, 0.7  # m, m, -
STIFFNESS, DAMPING, ROTOR = 60.0, 4.0, 0.005  # N m/rad, N m s/rad, kg m²
RATE = 2.0 * pi * 2.0  # rad/s
THIGH_ANGLE, KNEE_ANGLE, SWING, LIFT = 0.7, -1.4, 0.12, 0.35  # rad
HEIGHT = 0.335  # m, of the trunk at the start


def targets(phase, rate=RATE, swing=SWING, lift=LIFT):
    """Target angles of abduction, hip and knee as expressions of time."""
    wave = f"({rate!r}*t + {phase!r})"
    return {
        "abduction": "0",
        "hip": f"{THIGH_ANGLE} + {swing}*cos{wave} + {0.5 * lift}*max(0, sin{wave})**2",
        "knee": f"{KNEE_ANGLE} - {lift}*max(0, sin{wave})**2",
    }


def rows():
    ours, theirs = run_program("trot_mekane"), run_program("trot_mujoco")
    what = f"trot on four feet, 12 joints, {TIME:g} s"
    if "missing" in ours:
        yield Row(what, "-", note=ours["missing"])
    elif "missing" in theirs:
        yield Row(what, duration(ours["time"]), "MuJoCo", "-", note=theirs["missing"])
    else:
        yield compare_times(f"{what}, by the loops", "MuJoCo", ours | dict(time=ours["loops"]), theirs["default"])
        yield compare_times(what, "MuJoCo", ours, theirs["default"])
        motion = ours | dict(time=ours["time"] - ours["making"])
        yield compare_times(f"{what}, without making the model", "MuJoCo", motion, theirs["default"])
        yield compare_errors(f"{what}: error of the trunk", ours, theirs)
        for (step, _), run in zip(HARD, theirs["hard"], strict=True):
            yield compare_times(what, f"MuJoCo, hard, step {step:.0e} s", ours, run)


def compare_times(what, peer, ours, theirs):
    errors = dist(ours["position"], ours["exact"]), dist(theirs["position"], ours["exact"])
    note = f"errors {errors[0]:.1e} m, {errors[1]:.1e} m; {ours['events']} events, {ours['evaluations']} evaluations in Mekane"
    return Row(what, duration(ours["time"]), peer, duration(theirs["time"]), theirs["time"] / ours["time"], "", note)


def compare_errors(what, ours, theirs):
    default, fine = theirs["default"]["position"], theirs["fine"]["position"]
    mine, peers = dist(ours["position"], ours["exact"]), dist(default, ours["exact"])
    note = f"{dist(default, fine):.1e} m against its own run with a step of {SMALL_STEP:.0e} s"
    return Row(what, f"{mine:.1e} m", "MuJoCo", f"{peers:.1e} m", peers / mine, "", note)
