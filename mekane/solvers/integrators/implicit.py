"""ESDIRK 4(3), L-stable, six stages: for stiff springs and dampers, with constraints.

Coefficients: C. A. Kennedy, M. H. Carpenter, Additive Runge–Kutta schemes for convection–diffusion–reaction equations,
Applied Numerical Mathematics 44 (2003) 139–181, the implicit part of ARK4(3)6L[2]SA.
"""

from mekane.solvers.tableau import tableau

implicit = True
b = [82889 / 524892, 0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4]
embedded = [
    4586570599 / 29645900160,
    0,
    178811875 / 945068544,
    814220225 / 1159782912,
    -3700637 / 11593932,
    61727 / 225920,
]

method = tableau(
    A=[
        (0,),
        (1 / 4, 1 / 4),
        (8611 / 62500, -1743 / 31250, 1 / 4),
        (5012029 / 34652500, -654441 / 2922500, 174375 / 388108, 1 / 4),
        (15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912, 1 / 4),
        b,
    ],
    b=b,
    c=[0, 1 / 2, 83 / 250, 31 / 50, 17 / 20, 1],
    order=4,
    error=[[x - y for x, y in zip(b, embedded, strict=True)]],
    embedded=3,
)
