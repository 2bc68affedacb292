"""Kane's puzzle: a double pendulum whose tip strikes a rough surface. By Newton's rule of restitution its energy would
grow, although friction and impact can only take.

Two thin rods of mass and length 1 hang at 20° and 30° to the vertical and turn at −0.1 and −0.2 rad/s; the tip meets
the surface below with e = μ = 0.5. Along the path of the impact the tip slides, stops, and slides on the other way while
the normal impulse still grows. Newton's rule, v_N⁺ = −e v_N⁻, multiplies the kinetic energy by 1.587 and is refused.
Poisson's, whose impulse of expansion is e times that of compression, leaves a share of 0.545 of it, Stronge's, whose work
of expansion is e² times that of compression, 0.553. This is Poisson's; `system("stronge")` is the other.
"""

import numpy as np

from mekane.gallery.entry import Check, Mechanism
from mekane.gallery.looks import DARK, STEEL, ball, bar, block, tube
from mekane.model.geometry.surfaces import Plane
from mekane.model.system import System

SOURCE = "T. R. Kane's dynamics puzzle (1984); impulses along the path of the impact (Routh, Keller), computed by hand from it"
ANGLES, RATES, E, MU = np.radians((20, 30)), (-0.1, -0.2), 0.5, 0.5
THIN = 1e-9  # moment of inertia of a rod about its own axis [kg m²]
AFTER = (-0.197179706138185, 0.21960668440433)  # rates of the rods
NORMAL, TANGENTIAL = 0.113716732016726, 0.0405979600820868  # impulses [N s]
SHARE, SHARE_OF_STRONGE, SHARE_OF_NEWTON = 0.545077986812, 0.553187985164, 1.587494686930  # T after over T before


ROD = [tube((0, 0, -0.48), (0, 0, 0.48), 0.035), bar((0, -0.05, 0.5), (0, 0.05, 0.5), 0.06, STEEL)]
TIP = [*ROD, ball(0.03, (0, 0, -0.47), DARK)]


def along(angle):
    return np.array([np.sin(angle), 0.0, -np.cos(angle)])


def surroundings(floor):
    """A rough slab below, and the bracket from which it hangs."""
    return [
        block((2.4, 0.9, 0.08), (0.6, 0, floor - 0.042), "#a97c4f"),
        *(block((0.02, 0.9, 0.004), (x, 0, floor - 0.003), "#86603a") for x in np.arange(-0.5, 1.75, 0.1)),
        block((0.5, 0.4, 0.08), (0, 0, 0.16), DARK),
        *(block((0.16, 0.03, 0.22), (0, side, 0.03), STEEL) for side in (-0.1, 0.1)),
    ]


def system(law="poisson"):
    s = System("Kane's puzzle", gravity=(0, 0, 0))
    elbow = along(ANGLES[0])
    tip = elbow + along(ANGLES[1])
    thin = dict(mass=1.0, inertia=(1 / 12, 1 / 12, THIN))
    upper = s.body("upper", position=elbow / 2, orientation=("y", -ANGLES[0]), look=ROD, **thin)
    lower = s.body("lower", position=(elbow + tip) / 2, orientation=("y", -ANGLES[1]), look=TIP, **thin)
    s.pin("shoulder", s.ground, upper, at=(0, 0, 0), axis="-y", rate=RATES[0])
    s.pin("elbow", upper, lower, at=elbow, axis="-y", rate=RATES[1] - RATES[0])
    surface = Plane(at=(0, 0, float(tip[2])), normal="z")
    s.ground_look = surroundings(float(tip[2]))
    s.contact("tip", (lower, (0, 0, -0.5)), (s.ground, surface), friction=MU, restitution=E, law=law)
    return s


def rate_of_lower(run):
    return np.asarray(run["shoulder.angle.rate"]) + np.asarray(run["elbow.angle.rate"])


def of_impact(quantity):
    """A number of the impact, at every sample."""
    return lambda run: np.full(len(run.t), quantity(run.events[0]))


def kinetic_energy(run):
    return np.asarray(run.energy["kinetic"])


def before():
    """Kinetic energy before the impact."""
    (a, b), (p, q) = ANGLES, RATES
    return 2 / 3 * p * p + q * q / 6 + p * q * np.cos(a - b) / 2


WHY = "path of the impact, printed to fifteen digits"
mechanisms = [
    Mechanism(
        name="kanes_puzzle",
        title="Kane's puzzle: a double pendulum strikes a rough surface",
        source=SOURCE,
        system=system,
        t_end=1.0,
        options={"rtol": 1e-12, "atol": 1e-13},
        checks=(
            Check("rate of the upper rod [rad/s]", 0.0, "shoulder.angle.rate", AFTER[0], 1e-12, why=WHY),
            Check("rate of the lower rod [rad/s]", 0.0, rate_of_lower, AFTER[1], 1e-12, why=WHY),
            Check("normal impulse [N s]", 0.0, of_impact(lambda hit: hit.contact_impulses["tip"][0]), NORMAL, 1e-12, why=WHY),
            Check(
                "tangential impulse [N s]", 0.0, of_impact(lambda hit: np.linalg.norm(hit.contact_impulses["tip"][1:])), TANGENTIAL, 1e-12,
                why=WHY,
            ),
            *(
                Check("kinetic energy [J]", t, kinetic_energy, SHARE * before(), 1e-12, why="its share, kept after the impact")
                for t in (0.0, 1.0)
            ),
            Check("loss [J]", 0.0, of_impact(lambda hit: hit.losses["tip"]), (1 - SHARE) * before(), 1e-12, why=WHY),
        ),
    )
]  # fmt: skip
