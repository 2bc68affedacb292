"""A model without contact laws: what runs know of contacts then. The compiled code of contacts is not loaded for it."""

USUAL = ("simultaneous", "impact")  # order of impacts, what is done in Painlevé's paradox


class NoContacts:
    """In the place of Contacts. Their options are checked all the same."""

    def __init__(self, order, painleve):
        if (order, painleve) != USUAL:
            from mekane.solvers.contacts.refusals import ORDERS, PAINLEVE, find_option

            find_option("impacts", order, ORDERS), find_option("painleve", painleve, PAINLEVE)

    def __bool__(self):
        return False

    def kept(self):
        return {}

    def restore(self, kept):
        """Nothing is kept."""
