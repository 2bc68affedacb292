"""Parameters from measured motions: least squares by Gauss' and Newton's method with exact derivatives (SciPy's trust
regions).

    r = (y(p) − measured) / σ,     p: the smallest |r|²,     covariance of p = s² (JᵀJ)⁻¹,  J = dr/dp

s = 1 where σ is known, else s² = |r|²/(numbers − parameters).
"""

import numpy as np

from mekane.analyses.optimize.result import Identified
from mekane.errors import ModelError, SimulationError

SINGULAR = 1e-8  # of the singular values of J, columns scaled, beside the largest
TOLERANCES = dict(xtol=1e-12, ftol=1e-14, gtol=1e-14)  # of SciPy


def identified(designs, measured, most):
    """Identified."""
    from scipy.optimize import least_squares

    box = designs.box
    measured.refuse_few(box.names)
    misfit = Misfit(designs, measured)
    misfit.first(box.start)
    keywords = dict(max_nfev=most, bounds=(box.low, box.high), x_scale=box.scale, **TOLERANCES)
    found = least_squares(misfit.residuals, inside(box), jac=misfit.jacobian, **keywords)
    J = misfit.jacobian(found.x)
    refuse_unidentifiable(J * box.scale, box.names)
    return Identified(designs, found.x, misfit.residuals(found.x), J, measured, found.status > 0, str(found.message))


def inside(box):
    """SciPy wants the start strictly between the bounds."""
    width = np.where(np.isfinite(box.high - box.low), box.high - box.low, 1.0)
    return np.clip(box.start, box.low + 1e-6 * width, box.high - 1e-6 * width)


class Misfit:
    """Residuals and their Jacobian, numbers of all times and quantities in one list."""

    def __init__(self, designs, measured):
        self.designs, self.measured = designs, measured
        self.weight = 1.0 if measured.sigma is None else 1.0 / measured.sigma

    def first(self, values):
        """At the start failures are raised."""
        self.designs.design(values).motion(self.measured.names, self.measured.times)

    def residuals(self, values):
        try:
            found = self.designs.design(values).motion(self.measured.names, self.measured.times)[0]
        except (ModelError, SimulationError):  # not a possible design: SciPy turns back
            return np.full(self.measured.data.size, np.nan)
        r = ((found - self.measured.data) * self.weight).ravel()
        self.designs.note(values, r @ r)
        return r

    def jacobian(self, values):
        derivatives = self.designs.design(values).motion(self.measured.names, self.measured.times)[1]
        weight = self.weight if np.ndim(self.weight) == 0 else self.weight[:, None]
        return (derivatives * weight).reshape(-1, derivatives.shape[-1])


def refuse_unidentifiable(J, names):
    """Columns of J, scaled, must be independent: else some combination of the parameters changes nothing that was
    measured."""
    size = np.linalg.norm(J, axis=0)
    dead = [name for name, one in zip(names, size, strict=True) if one <= SINGULAR * size.max(initial=0.0)]
    if dead or not size.any():
        problem = f"{', '.join(map(repr, dead or names))} changes nothing that was measured"
        raise ModelError(
            "optimize, fit",
            problem,
            "measurements that depend on every parameter",
            "Measure something else, or fix it.",
        )
    _, s, Vt = np.linalg.svd(J / size, full_matrices=False)
    if s[-1] <= SINGULAR * s[0]:
        direction = Vt[-1] / size
        direction = direction / np.abs(direction).max()
        parts = [
            f"{'+' if x > 0 else '−'} {abs(x):.3g} {name!r}"
            for x, name in zip(direction, names, strict=True)
            if abs(x) > 1e-3
        ]
        text = " ".join(parts).removeprefix("+ ")
        problem = f"the measurements do not distinguish these: the relative changes {text} together change nothing that was measured"
        raise ModelError(
            "optimize, fit",
            problem,
            "parameters that can be distinguished",
            "Fix one of them, or measure something else.",
        )
