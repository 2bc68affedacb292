"""The classical Runge–Kutta method, order 4, fixed step.  [T 5.5.6]"""

from mekane.solvers.tableau import tableau

method = tableau(
    A=[(), (1 / 2,), (0, 1 / 2), (0, 0, 1)],
    b=[1 / 6, 1 / 3, 1 / 3, 1 / 6],
    c=[0, 1 / 2, 1 / 2, 1],
    order=4,
)
