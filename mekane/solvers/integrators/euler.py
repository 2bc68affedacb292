"""Euler's method, order 1, fixed step.  [T 5.3]"""

from mekane.solvers.tableau import tableau

method = tableau(A=[()], b=[1.0], c=[0.0], order=1)
