"""Four-bar linkage of four pins: one degree of freedom, three constraints too many. No forces; it coasts."""

import numpy as np

from mekane.gallery.entry import Mechanism, checks
from mekane.model.system import System

SOURCE = "SymPy, test_four_bar_linkage_with_manual_constraints; motion from the closed chain's own equations"
LENGTHS, DENSITY = (0.13, 0.24, 0.21, 0.34), 997.0  # fixed link, links 2, 3, 4 [m]; mass per length [kg/m]
ANGLES = (2.1, 0.6655470375077588, 2.527408138024188)  # of links 2, 3, 4, each from the one before
RATES = (0.2, -0.17963733938852067, 0.1309060540601612)
AXIAL = 1e-2  # inertia of a link about itself [kg m²]; the planar motion does not feel it

# fmt: off
MASS_MATRIX = np.array([  # of the source: Kane's equation of the free coordinate, then the two constraints
    [34.52709815256506, 7.003948798374735,   -4.939690970641498],
    [0.0,               0.2071702479957077,  0.2842917573033711],
    [-0.13,             -0.008836934896046506, 0.1864891330060847],
])
FORCING = np.array([-0.031211821321648, -0.00066022608181, 0.001813559741243])
# fmt: on


def system():
    s = System("four-bar", gravity=(0, 0, 0))
    end, heading, before, on_before = np.array([LENGTHS[0] / 2, 0, 0]), 0.0, s.ground, (LENGTHS[0] / 2, 0, 0)
    for k, (length, angle) in enumerate(zip(LENGTHS[1:], ANGLES, strict=True), 2):
        heading += angle
        along = np.array([np.cos(heading), np.sin(heading), 0])
        mass = DENSITY * length
        across = mass * length**2 / 12
        link = s.body(
            f"link{k}", mass, (AXIAL, across, across), position=end + length / 2 * along, orientation=("z", heading)
        )
        rate = {"rate": RATES[0]} if k == 2 else {}
        s.pin(f"J{k - 1}", before, link, on_a=on_before, on_b=(-length / 2, 0, 0), axis_a="z", axis_b="z", **rate)
        end, before, on_before = end + length * along, link, (length / 2, 0, 0)
    s.pin("J4", before, s.ground, on_a=on_before, on_b=(-LENGTHS[0] / 2, 0, 0), axis_a="z", axis_b="z")
    return s


def equations(t, y):
    """Rates of (φ2, φ3, φ4 and their rates), headings of the links; the chain of three rods with its end held, by
    multipliers."""
    phi, rate = y[:3], y[3:]
    l = np.array(LENGTHS[1:])
    m = DENSITY * l
    c = np.tril(np.tile(l, (3, 1)), -1) + np.diag(l / 2)  # arms of the mass centres
    between = np.subtract.outer(phi, phi)
    A = c.T @ (m[:, None] * c)
    M = A * np.cos(between) + np.diag(m * l**2 / 12)
    f = -(A * np.sin(between)) @ rate**2
    J = np.stack([-l * np.sin(phi), l * np.cos(phi)])
    gamma = np.array([l * np.cos(phi) @ rate**2, l * np.sin(phi) @ rate**2])
    answer = np.linalg.solve(np.block([[M, -J.T], [J, np.zeros((2, 2))]]), np.concatenate([f, gamma]))
    return np.concatenate([rate, answer[:3]])


mechanisms = [
    Mechanism(
        name="four_bar",
        title="planar four-bar of pins, coasting",
        source=SOURCE,
        system=system,
        t_end=20.0,
        every=0.1,
        options={"rtol": 1e-11, "atol": 1e-13},
        checks=checks(
            """
            t   q1                q2                q3               u1
            1   2.3034936170489   0.4729016219207   2.6657807442878  0.2084325661855
            5   2.6706680537186   -0.8679036903185  3.3088301276408  -0.0640369530991
            10  2.1546303742878   -1.7606238049921  3.7196770135164  -0.1484948713834
            20  0.0342584022598   -2.0170164021752  4.5517791019228  -0.2212864826929
            """,
            {"q1": "J1.angle", "q2": "J2.angle", "q3": "J3.angle", "u1": "J1.angle.rate"},
            tolerance=1e-9,
            why="the equations above, DOP853 at 2e-14, spread below 1e-12; a run at a tolerance of 1e-11",
        ),
    )
]
