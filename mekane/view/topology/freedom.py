"""Degrees of freedom of a system in a few words, whatever there is to say about it."""

from mekane.errors import MekaneError

MOST_BODIES = 60  # with more of them, only what redundancy tells


def freedom_of(system, quick=False):
    """(degrees of freedom, None if they are not known; a sentence).  quick: by constraints here alone, without moving
    to see."""
    try:
        return told(system, quick or len(system.bodies) > MOST_BODIES)
    except MekaneError as error:
        return None, f"Degrees of freedom are not known: {error}"


def told(system, quick):
    if quick:
        from mekane.results.redundancy import redundancy

        found = redundancy(system)
        return found.freedom, str(found)
    from mekane.analyses.kinematics.mobility import mobility

    ways = mobility(system)
    return ways.freedom, f"{words_of(ways.freedom)}. {ways.remark or 'No constraint is redundant.'}"


def words_of(freedom):
    return (
        "degrees of freedom unknown" if freedom is None else f"{freedom} degree{'' if freedom == 1 else 's'} of freedom"
    )
