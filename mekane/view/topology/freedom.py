"""Degrees of freedom of a system, as a number and a sentence."""

from mekane.errors import MekaneError

MOST_BODIES = 60  # with more of them, only what redundancy gives


def freedom_of(system, quick=False):
    """(degrees of freedom, None if they are not known; a sentence).  quick: by constraints here alone, without higher
    orders."""
    try:
        return freedom_and_text(system, quick or len(system.bodies) > MOST_BODIES)
    except MekaneError as error:
        return None, f"Degrees of freedom are not known: {error}"


def freedom_and_text(system, quick):
    if quick:
        from mekane.results.redundancy import redundancy

        found = redundancy(system)
        return found.freedom, str(found)
    from mekane.analyses.kinematics.mobility import mobility

    ways = mobility(system)
    return ways.freedom, f"{freedom_text(ways.freedom)}. {ways.remark or 'No constraint is redundant.'}"


def freedom_text(freedom):
    return (
        "degrees of freedom unknown" if freedom is None else f"{freedom} degree{'' if freedom == 1 else 's'} of freedom"
    )
