"""Which program computes a study: results of another one are not mixed with its own."""

import sys
from functools import cache


@cache
def versions():
    """Names and versions, as plain data; `program` is a digest of the sources that compute a motion."""
    import numpy
    import scipy

    from mekane.solvers.checkpoint import program

    own = sys.modules["mekane"].__version__  # the package itself imports this one
    return {"mekane": own, "program": program()[:16], "numpy": numpy.__version__, "scipy": scipy.__version__}


def differences(theirs):
    """What differs from the versions here, in words; "" if nothing does that changes numbers."""
    here = versions()
    return ", ".join(
        f"{name} {theirs.get(name)} there, {here[name]} here"
        for name in ("mekane", "program")
        if theirs.get(name) != here[name]
    )
