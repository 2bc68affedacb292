"""Laws that the user writes as expressions of what is measured, in short names of their own."""

from mekane.expressions.graph import differentiate, substitute, symbol
from mekane.forces._checks import needs_expression, refuse_names, refuse_nothing
from mekane.model.values.values import is_zero


class GivenLaw:
    """A force from a potential of the one thing measured, and a part of any form. `local` names what is measured and
    its rate."""

    law_field: str  # the field that holds the part of any form

    def check(self):
        measured, rate = self.local
        refuse_nothing(self, self.law_field, "potential", remedy=f"Give {self.law_field}= or potential=, or both.")
        needs_expression(self, "potential")
        refuse_names(self, "potential", (rate,), f"a potential depends on {measured}, not on its rate")

    @property
    def stores_energy(self):
        return super().stores_energy and not is_zero(self.potential)

    def at(self, expression, *measured):
        return substitute(expression, dict(zip(self.local, measured, strict=False)))

    def derivative(self, x):
        return self.at(differentiate(self.potential, symbol(self.local[0])), x)

    def energy(self, x):
        return self.at(self.potential, x)
