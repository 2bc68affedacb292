"""What contact laws measure and exert, by element: gap, force, friction, slip."""

import numpy as np

from mekane.expressions.traced_number import reals
from mekane.tables import columns as at


def contact_quantities_of(run, name):
    """(name, compute, units, text, follows from the state alone) for each element of a law."""
    for e, fact in enumerate(run.compiled.elements_of_contact):
        if fact.name != name and not fact.name.startswith(f"{name}."):
            continue
        label = fact.name.removeprefix(name).removeprefix(".")
        prefix, line = f"{label}." if label else "", run.compiled.tables.contact_i[e]
        normal, first, n = int(line[at.C_NORMAL]), int(line[at.C_TANGENT]), int(line[at.C_TANGENTS])
        if normal >= 0:
            if not line[at.C_RATE]:
                yield prefix + "gap", Measured(normal, 1, at.Y_PHI), "m or rad", f"gap of {fact.name!r}", False
            yield prefix + "force", Exerted(normal, 1), "N or N m", f"force of {fact.name!r} along its normal", False
        if n:
            friction = "friction" if normal >= 0 else "force"
            across = float(reals(fact.element.across))
            yield prefix + friction, Exerted(first, n, across), "N or N m", f"friction of {fact.name!r}", False
            yield (
                prefix + "slip",
                Measured(first, n, at.Y_RATE, 1.0 / across),
                "m/s or rad/s",
                f"speed of sliding of {fact.name!r}",
                False,
            )


def points_of(run, name):
    """(label, name of the element, its rows) of a law that acts at several points."""
    for e, fact in enumerate(run.compiled.elements_of_contact):
        if fact.name.startswith(f"{name}.") and fact.name in run.compiled.places:
            line = run.compiled.tables.contact_i[e]
            first = int(line[at.C_NORMAL])
            yield fact.name.removeprefix(f"{name}."), fact.name, range(first, first + 1 + int(line[at.C_TANGENTS]))


class Measured:
    """The size of what rows measure: Part → (time,)."""

    def __init__(self, first, n, column, second=1.0):
        self.first, self.n, self.column, self.second = first, n, column, second  # the last: factor of the second row

    def __call__(self, part):
        rows = [part.loads.row(self.first + k)[:, self.column] for k in range(self.n)]
        return rows[0] if self.n == 1 else np.hypot(rows[0], self.second * rows[1])


class Exerted:
    """The size of what rows exert, with its sign where it is one row."""

    def __init__(self, first, n, second=1.0):
        self.first, self.n, self.second = first, n, second  # the last: factor of the second row

    def __call__(self, part):
        forces = part.loads.multipliers(range(self.first, self.first + self.n))
        return forces[:, 0] if self.n == 1 else np.hypot(forces[:, 0], self.second * forces[:, 1])
