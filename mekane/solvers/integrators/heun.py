"""Euler–Heun, the explicit trapezoid, order 2, fixed step.  [T 5.5.6]"""

from mekane.solvers.tableau import tableau

method = tableau(A=[(), (1.0,)], b=[1 / 2, 1 / 2], c=[0.0, 1.0], order=2)
