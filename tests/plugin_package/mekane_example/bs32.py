"""Bogacki and Shampine 3(2), adaptive."""

from mekane.solvers.tableau import tableau

b = [2 / 9, 1 / 3, 4 / 9, 0]
embedded = [7 / 24, 1 / 4, 1 / 3, 1 / 8]
method = tableau(
    A=[(), (1 / 2,), (0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)],
    b=b,
    c=[0, 1 / 2, 3 / 4, 1],
    order=3,
    error=[[x - y for x, y in zip(b, embedded, strict=True)]],
    embedded=2,
)
