"""Whipple's bicycle: rear frame with rider, front frame, two thin wheels that roll without slip. The ground closes the
loop.

World axes here: x forward, y left, z up; the sources have y right and z down. Roll leans to the right and steer turns
to the right when positive, as there. A state is given by five numbers (roll, steer, their rates, rate of the rear
wheel); pitch, yaw rate, pitch rate and rate of the front wheel follow from both wheels' rolling and are worked out
here, so that a model starts in the given state.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from mekane.gallery.entry import Check, Mechanism, checks
from mekane.gallery.looks import DARK, RUBBER, STEEL, ball, path, spoked, tube
from mekane.gallery.reading import energy_lost, rotations
from mekane.model.system import System
from mekane.model.values.orientation import matrix_from

DATA = "Meijaard, Papadopoulos, Ruina, Schwab 2007 (benchmark bicycle)"
STATE = (
    "Basu-Mandal, Chatterjee, Papadopoulos 2007, table 1: accelerations in a state far from upright; bicycle of " + DATA
)
WHEELBASE, TRAIL, TILT, G = 1.02, 0.08, np.pi / 10, 9.81
RADIUS = {"rear wheel": 0.3, "front wheel": 0.35}
CENTRE = {  # mass centres standing upright, from the rear contact
    "rear wheel": np.array([0, 0, 0.3]),
    "frame": np.array([0.3, 0, 0.9]),
    "fork": np.array([0.9, 0, 0.7]),
    "front wheel": np.array([WHEELBASE, 0, 0.35]),
}
MASS = {"rear wheel": 2.0, "frame": 85.0, "fork": 4.0, "front wheel": 3.0}
INERTIA = {  # xx, yy, zz, xy, xz, yz; xz changes its sign with the direction of z
    "rear wheel": (0.0603, 0.12, 0.0603, 0, 0, 0),
    "frame": (9.2, 11.0, 2.8, 0, -2.4, 0),
    "fork": (0.05892, 0.06, 0.00708, 0, 0.00756, 0),
    "front wheel": (0.1405, 0.28, 0.1405, 0, 0, 0),
}
FOOT = np.array([WHEELBASE + TRAIL, 0, 0])  # where the steering axis meets the ground
STEERING = np.array([np.sin(TILT), 0, -np.cos(TILT)])  # downwards, so that positive is to the right
UP, LEFT = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])


# ---------------------------------------------------------------- a state in which both wheels roll


class Motion(NamedTuple):
    """Of one body: axes, mass centre and their motion."""

    R: np.ndarray
    p: np.ndarray
    w: np.ndarray
    v: np.ndarray


def places(roll, steer, pitch):
    """Axes and mass centres of all bodies, the rear contact at the origin, heading along x."""
    R = {"frame": matrix_from(("xy", (roll, pitch)), "bicycle")}
    R["fork"] = R["frame"] @ matrix_from((STEERING, steer), "bicycle")
    R["rear wheel"], R["front wheel"] = R["frame"], R["fork"]
    hub = RADIUS["rear wheel"] * np.array([0, -np.sin(roll), np.cos(roll)])
    foot = hub + R["frame"] @ (FOOT - CENTRE["rear wheel"])
    start = {"rear wheel": (hub, CENTRE["rear wheel"]), "frame": (hub, CENTRE["rear wheel"])}
    start |= {"fork": (foot, FOOT), "front wheel": (foot, FOOT)}
    return {body: (R[body], at + R[body] @ (CENTRE[body] - reference)) for body, (at, reference) in start.items()}


def lowest(R, p, radius):
    """Lowest point of a wheel."""
    axis = R @ LEFT
    down = (UP @ axis) * axis - UP
    return p + radius * down / np.linalg.norm(down)


@cache
def pitch_of(roll, steer):
    """Newton's method for the pitch that puts the front wheel on the ground; the derivative by a difference."""
    height = lambda pitch: lowest(*places(roll, steer, pitch)["front wheel"], RADIUS["front wheel"])[2]
    pitch = 0.0
    for _ in range(20):
        pitch -= height(pitch) * 2e-6 / (height(pitch + 1e-6) - height(pitch - 1e-6))
    return pitch


def motions(at, roll, rates):
    """Motions of all bodies whose rates are (roll, steer, rear wheel, yaw, pitch, front wheel)."""
    of_roll, of_steer, of_rear, yaw, pitch, of_front = rates
    across = np.array([0, np.cos(roll), np.sin(roll)])  # the axis of pitch
    frame = yaw * UP + of_roll * np.array([1, 0, 0]) + pitch * across
    fork = frame + of_steer * at["frame"][0] @ STEERING
    w = {"frame": frame, "fork": fork}
    w |= {"rear wheel": frame + of_rear * at["frame"][0] @ LEFT, "front wheel": fork + of_front * at["fork"][0] @ LEFT}
    hub = at["rear wheel"][1]
    v_hub = np.cross(w["rear wheel"], hub)  # the contact, at the origin, rests
    foot = hub + at["frame"][0] @ (FOOT - CENTRE["rear wheel"])
    v_foot = v_hub + np.cross(frame, foot - hub)
    known = {"rear wheel": (hub, v_hub), "frame": (hub, v_hub), "fork": (foot, v_foot), "front wheel": (foot, v_foot)}
    # a wheel's centre is fixed in its frame
    turning = {"rear wheel": frame, "frame": frame, "fork": fork, "front wheel": fork}
    return {b: Motion(*at[b], w[b], known[b][1] + np.cross(turning[b], at[b][1] - known[b][0])) for b in at}


def slip(at, roll, rates):
    """Velocity of the front wheel's point of contact."""
    wheel = motions(at, roll, rates)["front wheel"]
    return wheel.v + np.cross(wheel.w, lowest(wheel.R, wheel.p, RADIUS["front wheel"]) - wheel.p)


def rolling_state(roll, steer, roll_rate, steer_rate, wheel_rate):
    """Motions of all bodies, and the rates (yaw, pitch, front wheel) that follow: the slip is linear in them."""
    at = places(roll, steer, pitch_of(roll, steer))
    given = (roll_rate, steer_rate, wheel_rate)
    still = slip(at, roll, (*given, 0, 0, 0))
    effect = np.stack([slip(at, roll, (0, 0, 0, *unit)) for unit in np.eye(3)], axis=1)
    follow = np.linalg.solve(effect, -still)
    return motions(at, roll, (*given, *follow)), follow


def on_steering(height):
    """The point of the steering axis so far above the ground."""
    return FOOT + (height / STEERING[2]) * STEERING


@cache
def looks():
    """Tubes, wheels with spokes and a rider; places are of the upright bicycle, from the rear contact."""
    rear, front, crank, saddle = CENTRE["rear wheel"], CENTRE["front wheel"], (0.46, 0, 0.27), (0.3, 0, 0.86)
    head, crown, bars = on_steering(0.82), on_steering(0.7), on_steering(0.98)
    aside = lambda point, y: np.array(point, float) + (0, y, 0)
    frame = path([rear, crank, crown], 0.019) + path([crank, saddle], 0.017)
    frame += [tube(rear, (0.33, 0, 0.76), 0.012), tube((0.33, 0, 0.76), head, 0.017), tube(crown, head, 0.024)]
    frame += [tube((0.2, 0, 0.89), (0.42, 0, 0.89), 0.035, RUBBER)]
    hip, shoulder = (0.3, 0, 1.0), (0.55, 0, 1.4)
    rider = [
        tube(hip, shoulder, 0.1, "#3f6ea8"),
        ball(0.1, (0.64, 0, 1.66), "#d9a679"),
        tube((0.58, 0, 1.48), (0.62, 0, 1.58), 0.045, "#d9a679"),
    ]
    for y, foot in ((0.1, (0.46, 0, 0.12)), (-0.1, (0.5, 0, 0.42))):
        rider += path([aside(hip, 0.8 * y), (0.62, y, 0.78), aside(foot, y)], 0.055, DARK)
        rider += path(
            [aside(shoulder, 1.6 * y), (0.66, 2.4 * y, 1.15), aside(bars + (-0.06, 0, 0.04), 2.2 * y)], 0.035, "#d9a679"
        )
    fork = [tube(crown, bars, 0.015, STEEL), tube(aside(bars, -0.24), aside(bars, 0.24), 0.013, DARK)]
    for y in (-0.05, 0.05):
        fork += path([aside(crown, 0), aside(crown - (0, 0, 0.02), y), aside(front, y)], 0.013)
    moved = lambda solids, body: [{**one, "at": (np.array(one["at"]) - CENTRE[body]).tolist()} for one in solids]
    return {
        "rear wheel": {"look": spoked(0.3, 0.018, (0, 1, 0))}, "front wheel": {"look": spoked(0.35, 0.018, (0, 1, 0))},
        "frame": {"color": "red", "look": moved(frame + rider, "frame")}, "fork": {"color": "red", "look": moved(fork, "fork")},
    }  # fmt: skip


def system(roll=0.0, steer=0.0, roll_rate=0.0, steer_rate=0.0, wheel_rate=0.0):
    s, look = System("bicycle", gravity=(0, 0, -G)), looks()
    for body, m in rolling_state(roll, steer, roll_rate, steer_rate, wheel_rate)[0].items():
        s.body(body, MASS[body], INERTIA[body], position=m.p, orientation=m.R, velocity=m.v, angular_velocity=m.w,
               **look[body])  # fmt: skip
    rear, front, frame, fork = (CENTRE[body] for body in ("rear wheel", "front wheel", "frame", "fork"))
    s.pin("rear hub", "frame", "rear wheel", on_a=rear - frame, on_b=(0, 0, 0), axis_a="y", axis_b="y")
    head = on_steering(0.76)
    s.pin("steering", "frame", "fork", on_a=head - frame, on_b=head - fork, axis_a=STEERING, axis_b=STEERING)
    s.pin("front hub", "fork", "front wheel", on_a=front - fork, on_b=(0, 0, 0), axis_a="y", axis_b="y")
    for wheel, radius in RADIUS.items():
        s.rolling_disc(f"{wheel.split()[0]} contact", (wheel, (0, 0, 0)), radius, axis="y")
    return s


# ---------------------------------------------------------------- what is read from a run


def angle_accelerations(run):
    """Second derivatives of yaw (to the left), roll, pitch, steer and of both wheels' angles, from angular
    accelerations."""
    R, w, al = (
        rotations(run, "frame"),
        *(np.asarray(run[f"frame.angular_{quantity}"]) for quantity in ("velocity", "acceleration")),
    )
    roll, heading = np.arcsin(R[:, 2, 1]), np.arctan2(-R[:, 0, 1], R[:, 1, 1])
    ahead = np.stack([np.cos(heading), np.sin(heading), 0 * heading], axis=1)
    left = np.stack([-np.sin(heading), np.cos(heading), 0 * heading], axis=1)
    along = lambda a, b: np.einsum("ti,ti->t", a, b)
    roll_rate, pitch_rate = along(w, ahead), along(w, left) / np.cos(roll)
    yaw_rate = w[:, 2] - pitch_rate * np.sin(roll)
    pitching = (along(al, left) - yaw_rate * roll_rate + pitch_rate * roll_rate * np.sin(roll)) / np.cos(roll)
    yawing = al[:, 2] - pitching * np.sin(roll) - pitch_rate * roll_rate * np.cos(roll)
    return {
        "yaw": yawing,
        "roll": along(al, ahead) + yaw_rate * along(w, left),
        "pitch": pitching,
        "steer": between(run, "frame", "fork", STEERING),
        "rear": between(run, "frame", "rear wheel", LEFT),
        "front": between(run, "fork", "front wheel", LEFT),
    }


def between(run, a, b, axis):
    """Second derivative of the angle of a pin about an axis of body a."""
    apart = np.asarray(run[f"{b}.angular_acceleration"]) - np.asarray(run[f"{a}.angular_acceleration"])
    return np.einsum("ti,ti->t", rotations(run, a) @ axis, apart)


def accelerating(quantity, sign):
    return lambda run: sign * angle_accelerations(run)[quantity]


def hub(axis, sign):
    return lambda run: sign * np.asarray(run[f"rear wheel.acceleration.{axis}"])


def speed(run):
    return np.linalg.norm(run["rear wheel.velocity"], axis=1)


def slipping(run):
    """Largest speed of a point of contact, from the motions of the wheels."""
    found = []
    for wheel, radius in RADIUS.items():
        R, p, w, v = (
            rotations(run, wheel),
            *(np.asarray(run[f"{wheel}.{quantity}"]) for quantity in ("position", "angular_velocity", "velocity")),
        )
        arm = np.array([lowest(*pose, radius) - pose[1] for pose in zip(R, p, strict=True)])
        found.append(np.linalg.norm(v + np.cross(w, arm), axis=1))
    return np.max(found, axis=0)


# ---------------------------------------------------------------- the two runs

# fmt: off
FAR = dict(roll=np.pi / 2 - 0.9501292851472, steer=-0.2311385135743,  # table 1, its angles measured as here
           roll_rate=-0.6068425835418, steer_rate=-0.4859824687093, wheel_rate=8.9129896614890)
# fmt: on
FAR_FOLLOWS = (0.7830033527065, -0.0119185528069, 8.0133620584155)  # rates of yaw, pitch and front wheel in the table
START, PUSH = 4.6, 0.5  # speed [m/s] and rate of roll [rad/s] of the run in figure 4 of the benchmark
ROLLING = sum(MASS.values()) + sum(INERTIA[wheel][1] / r**2 for wheel, r in RADIUS.items())  # mass as felt forward
LEANING = 80.81722  # M11 of the benchmark: inertia about the line of contact


def final_speed():
    """The push dies out; all of its energy is in the speed then."""
    return np.sqrt(START**2 + LEANING * PUSH**2 / ROLLING)


mechanisms = [
    Mechanism(
        name="bicycle",
        title="Whipple's bicycle pushed to the side at 4.6 m/s, which rights itself",
        source=DATA + ", figure 4; final speed from the energy",
        system=lambda: system(roll_rate=PUSH, wheel_rate=START / RADIUS["rear wheel"]),
        t_end=40.0,
        every=0.05,
        options={"rtol": 1e-13, "atol": 1e-15},
        checks=(
            Check(
                "speed",
                40.0,
                speed,
                final_speed(),
                1e-9,
                why="all energy is forward again; of the swing 1e-6 rad are left",
            ),
            *(
                Check("energy lost", t, energy_lost, 0.0, 1e-9, why="nothing dissipates; a tolerance of 1e-13")
                for t in (5.0, 20.0, 40.0)
            ),
            *(
                Check("slip", t, slipping, 0.0, 1e-9, why="wheels roll; constraints are kept to round-off")
                for t in (5.0, 20.0, 40.0)
            ),
        ),
    ),
    Mechanism(
        name="bicycle_state",
        title="Whipple's bicycle in a published state far from upright",
        source=STATE,
        system=lambda: system(**FAR),
        t_end=0.3,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks(
            """
            t  x''               y''               z''               theta''          psi''
            0  -0.5041626315047  -0.3449706619454  -1.4604528332980  0.8353281706379  -7.8555281128244
            """,
            {
                "x''": hub("x", -1),
                "y''": hub("y", -1),
                "z''": hub("z", 1),
                "theta''": accelerating("yaw", 1),
                "psi''": accelerating("roll", -1),
            },
            tolerance=1e-11,
            why="printed to 13 decimals from a state printed to 13 decimals, which the accelerations multiply by 10 or so",
        )
        + checks(
            """
            t  phi''            psif''            betar''          betaf''
            0  0.1205543897884  -4.6198904039403  1.8472554144217  2.4548072904550
            """,
            {
                "phi''": accelerating("pitch", 1),
                "psif''": accelerating("steer", -1),
                "betar''": accelerating("rear", 1),
                "betaf''": accelerating("front", 1),
            },
            tolerance=1e-11,
            why="as above",
        ),
    ),
]
