"""Laws that give two values for the same time and state: random numbers, clocks, functions with a memory of their
calls."""

from mekane.errors import ModelError


def refuse_random(compiled, error):
    """Name the force whose Python function changed its mind. error: `ChangesItsMind`."""
    problem = f"its Python function gave {error}, for the same state"
    expected = "a law depends on time and state alone; no method can meet a tolerance for anything else"
    remedy = "Draw random values beforehand and give them as a table of t; what has a state is a controller, s.controller(…)."
    raise ModelError(owner(compiled.system, error.function), problem, expected, remedy)


def owner(system, function):
    """The part whose law this function is."""
    for record in system.forces.values():
        for value in vars(record).values():
            for one in value if isinstance(value, tuple) else (value,):
                if getattr(one, "callback", None) is function:
                    return record.part
    return f"system {system.name!r}"
