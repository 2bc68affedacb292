"""Car axis on a bumpy road: two point masses at the ends of an axle, on stiff springs, the right wheel's base moving
with the road.

A half of the body's mass is at each end. The springs are 1 / ε² stiff, ε = 0.01. The multipliers of the source are
forces times ε².
"""

from mekane.gallery.entry import Mechanism, checks
from mekane.gallery.looks import DARK, RUBBER, STEEL, ball, bar, block
from mekane.gallery.reading import of_constraint
from mekane.model.system import System

SOURCE = "Test set for IVP solvers, car axis problem; published solution at t = 3"
EPS, MASS, AXLE, FREE, G = 0.01, 10.0, 1.0, 0.5, 1.0
HEIGHT, FREQUENCY = 0.1, 10.0  # of the bumps [m], [rad/s]
START = {
    "left": ((0.0, 0.5, 0), (-0.5, 0, 0)),
    "right": ((1.0, 0.5, 0), (-0.5, 0, 0)),
    "base": ((1.0, 0, 0), (0, HEIGHT * FREQUENCY, 0)),
}
END = [block((0.22, 0.14, 0.34), (0, 0.1, 0), "#3f6ea8"), ball(0.04, (0, 0, 0), DARK)]  # of the car's body
WHEEL = [bar((-0.06, 0, 0), (0.06, 0, 0), 0.14, RUBBER), bar((-0.065, 0, 0), (0.065, 0, 0), 0.07, STEEL)]
BUMPS = [-0.75, -0.25, 0.25, 0.75]  # along the road of the right wheel [m]
ROAD = [  # the left wheel, which stays where it is, on a flat road; the right one on a bumpy road
    *WHEEL,
    block((0.36, 0.12, 2.0), (0, -0.2, 0), "#6b747d"),
    block((0.36, 0.04, 2.0), (1, -0.24, 0), "#6b747d"),
    *(bar((0.82, -0.29, z), (1.18, -0.29, z), 0.15, "#6b747d") for z in BUMPS),
    block((1.9, 0.2, 2.0), (0.5, -0.36, 0), "#5d8a4f"),
]
LOOKS = {"left": END, "right": END, "base": WHEEL}


def system():
    s = System("car axis", gravity=(0, -G, 0))
    s.ground_look = ROAD
    for name, (place, velocity) in START.items():
        s.body(name, MASS / 2, position=place, velocity=velocity, look=LOOKS[name])
    bump = f"{HEIGHT}*sin({FREQUENCY}*t)"
    s.path("road", ("base", (0, 0, 0)), x=f"sqrt(1 - ({bump})**2)", y=bump, z=0.0)
    s.spring("left spring", (s.ground, (0, 0, 0)), ("left", (0, 0, 0)), 1 / EPS**2, FREE)
    s.spring("right spring", ("base", (0, 0, 0)), ("right", (0, 0, 0)), 1 / EPS**2, FREE)
    s.position_constraint("upright", "base.position.x*left.position.x + base.position.y*left.position.y")
    s.distance("axle", ("left", (0, 0, 0)), ("right", (0, 0, 0)), AXLE)
    return s


def multiplier(name, factor):
    """Of the source: λ1 of φ = r_base·r_left, λ2 of φ = L² − 1; times ε²."""

    def read(run):
        force, base = of_constraint(run, name, "left"), run["base.position"].values
        along = base if name == "upright" else (run["left.position"].values - run["right.position"].values)
        return factor * EPS**2 * (force * along).sum(axis=1) / (along**2).sum(axis=1)

    return read


READ = {f"{x}{side[0]}": f"{side}.position.{x}" for side in ("left", "right") for x in "xy"}
READ |= {f"v{x}{side[0]}": f"{side}.velocity.{x}" for side in ("left", "right") for x in "xy"}
READ |= {"lambda1": multiplier("upright", 1.0), "lambda2": multiplier("axle", 0.5)}

mechanisms = [
    Mechanism(
        name="car_axis",
        title="car axis on a bumpy road: stiff springs, a base that moves",
        source=SOURCE,
        system=system,
        t_end=3.0,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=(
            *checks(
                """
                t  xl                   yl                     xr                      yr
                3  .0493455784275402809 .496989460230171153861 1.04174252488542151681  .373911027265361256927
                """,
                READ,
                tolerance=1e-9,
                why="published, good to 2e-13; a run at a tolerance of 1e-11",
            ),
            *checks(
                """
                t  vxl                   vyl                   vxr                   vyr
                3  -.0770583684040972358 .00744686658723778553 .0175568157537232222  .770341043779251976443
                """,
                READ,
                tolerance=1e-8,
                why="published, good to 7e-12; springs swing at 60 rad/s",
            ),
            *checks(
                """
                t  lambda1                lambda2
                3  -.00473688659084893325 -.00110468033125734369
                """,
                READ,
                tolerance=1e-9,
                why="published; stiffness times the error of positions, in units of the source",
            ),
        ),
    )
]
