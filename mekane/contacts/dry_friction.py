"""Dry friction of a joint."""

from mekane.contacts._friction import capacity, capacity_of, check_capacity, sliding_element
from mekane.model.attachments import JointCoordinate
from mekane.model.constraint import coordinate, value
from mekane.model.set_valued import SetValued, refuse_unit
from mekane.model.values.values import Value


class DryFriction(SetValued):
    """Dry friction in a joint: it sticks, and does not move at all, until it has to carry more than `static`; sliding, it
    resists with `torque` or `force`."""

    example = 's.dry_friction("seal", "guide", force=12, static=15)'
    joint: JointCoordinate = coordinate(meaning="the joint, or (joint, coordinate)")
    torque: Value | None = capacity("torque", "torque while a turning coordinate slides")
    force: Value | None = capacity("force", "force while a sliding coordinate slides")
    static: Value | None = value(
        None, None, meaning="the most it holds while it sticks; by default as sliding", unit="N or N m"
    )

    def check(self):
        check_capacity(self, self.static)
        refuse_unit(self, "static", "torque", "force")

    def elements(self, k):
        return [sliding_element(k.rate(self.joint), capacity_of(self), self.static)]
