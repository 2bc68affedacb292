"""Two bodies in space, joined by a ball joint, under any forces and torques. The 3-D example of [T] chapter IV.

All its numbers are parameters with the names of the text: masses M, principal inertias N about the mass centres, places
h of the joint from them, forces r along world axes at the mass centres, torques t along body axes.
"""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import ball, tube
from mekane.model.system import System
from mekane.model.values.parameters import Param

SOURCE = "[T] chapter IV, equations (4.44)–(4.51); reference: these equations with Ḃ u, DOP853 to 1e-13"
NUMBERS = dict(
    M1=2.0, N1x=0.3, N1y=0.5, N1z=0.6, h1x=0.4, h1y=-0.1, h1z=0.2, r1x=1.0, r1y=0.5, r1z=-2.0, t1x=0.2, t1y=-0.1, t1z=0.3,
    M2=1.2, N2x=0.2, N2y=0.15, N2z=0.1, h2x=-0.3, h2y=0.2, h2z=0.1, r2x=-0.5, r2y=0.3, r2z=1.0, t2x=-0.1, t2y=0.2, t2z=0.1,
)  # fmt: skip
# velocity of the joint at the start, where it is at the origin and both bodies stand along the axes
HINGE = np.array([0.1, 0.2, 0.0])
ANGULAR_VELOCITIES = {"one": (0.5, -1.0, 2.0), "two": (-1.0, 0.7, -0.4)}
BONE = "#efe3c8"


def bone(centre, joint, ends):
    """Look: a shaft from the joint through the mass centre, with two knobs at each end. `ends`: radius of knobs."""
    along = np.array(centre) - joint
    far = joint + 1.9 * along
    aside = np.cross(along, (0.3, 0.2, 1.0))
    aside /= np.linalg.norm(aside)
    shaft = tube(joint + 0.1 * along, far, 0.62 * ends, BONE)
    return [shaft, *(ball(ends, far + sign * 0.8 * ends * aside, BONE) for sign in (-1, 1))]


def looks():
    """A thigh and a hip: two bones that meet in a ball and its socket."""
    one, two = (np.array([NUMBERS[f"h{k}{axis}"] for axis in "xyz"]) for k in (1, 2))
    return {
        "one": [*bone((0, 0, 0), one, 0.05), ball(0.075, one, BONE)],
        "two": [*bone((0, 0, 0), two, 0.045), ball(0.05, two, BONE)],
    }


def system():
    s, look = System("ball pair", gravity=(0, 0, 0)), looks()
    for k, name in enumerate(ANGULAR_VELOCITIES, 1):
        M, Nx, Ny, Nz, hx, hy, hz, rx, ry, rz, tx, ty, tz = (
            Param(parameter, x) for parameter, x in NUMBERS.items() if parameter[1] == str(k)
        )
        arm = np.array([NUMBERS[f"h{k}{axis}"] for axis in "xyz"])
        motion = dict(
            velocity=HINGE - np.cross(ANGULAR_VELOCITIES[name], arm), angular_velocity=ANGULAR_VELOCITIES[name]
        )
        s.body(name, M, inertia=(Nx, Ny, Nz), position=(-hx, -hy, -hz), **motion, look=look[name])
        s.force(f"force{k}", name, (rx, ry, rz))
        s.torque(f"torque{k}", name, (tx, ty, tz), frame="body")
    place = lambda k: tuple(Param(f"h{k}{axis}") for axis in "xyz")
    s.ball("hinge", "two", "one", on_a=place(2), on_b=place(1))
    return s


def speeds_of_the_text():
    """(4.12), (4.16), (4.31): velocities along world axes, angular velocities along body axes, from rates of Bryan
    angles.

    In (4.15) and (4.16) the first angular velocity is printed with c6 behind q̇5; it is s6.
    """
    found = {}
    for name, first in (("one", 1), ("two", 7)):
        d4, d5, d6 = (f"{name}.angle{k}.rate" for k in (1, 2, 3))
        q5, q6 = f"{name}.angle2", f"{name}.angle3"
        found |= {f"u{first + k}": f"{name}.{axis}.rate" for k, axis in enumerate("xyz")}
        found[f"u{first + 3}"] = f"{d4}*cos({q5})*cos({q6}) + {d5}*sin({q6})"
        found[f"u{first + 4}"] = f"{d5}*cos({q6}) - {d4}*cos({q5})*sin({q6})"
        found[f"u{first + 5}"] = f"{d4}*sin({q5}) + {d6}"
    return found


mechanisms = [
    Mechanism(
        name="ball_pair",
        title="two free bodies joined by a ball joint, under constant forces and torques",
        source=SOURCE,
        system=system,
        t_end=1.5,
        every=0.02,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks(
            """
            t    x1                y1                z1                x2                y2                z2
            0.5  -0.2719327584369  -0.1079066949064  -0.4465942650457  0.1969712640614   -0.1968221751561  -0.0898428915905
            1    -0.0284084440993  -0.2026299026738  -0.7898546949826  0.0056807401655   -0.2156168288769  -0.1269088416957
            1.5  0.2519010449705   -0.2230731811418  -0.9785254703774  -0.1427517416176  -0.1915446980970  -0.6299575493710
            """,
            {f"{axis}{k}": f"{name}.position.{axis}" for k, name in enumerate(ANGULAR_VELOCITIES, 1) for axis in "xyz"},
            tolerance=1e-9,
            why="the equations of the text integrated by DOP853; two tolerances of it differ by 1e-13",
        ),
    )
]
