"""Traced Python functions of a model whose outside variables mean something else now."""

from numbers import Number

from mekane.errors import ModelError
from mekane.model.values.units import shown


def functions_of(system):
    """(part, what it read outside) of every traced function of a model that read anything."""
    collections = (system.forces, system.constraints, system.contact_laws, system.outputs, system.events)
    records = [record for collection in collections for record in collection.values()]
    parts = [(record.part, value) for record in records for value in record.values()]
    parts += [(f"generalized speed {name!r}", speed.value) for name, speed in system.own_speeds.items()]
    return [(part, value.outside) for part, value in parts if value.outside is not None and value.outside.seen]


def remarks_on_functions(system) -> list[str]:
    """Which functions were traced with which values from outside."""
    kept = [
        (
            part,
            [
                f"{seen.name} = {shown(seen.value)}"
                for seen in outside.seen
                if isinstance(seen.value, Number | str | tuple)
            ],
        )
        for part, outside in functions_of(system)
    ]
    return [f"{part}: its Python function was traced and keeps {', '.join(names)}." for part, names in kept if names]


def refuse_changed(functions):
    """Refuse to go on where a function that was traced would give something else now. functions: `functions_of`."""
    for part, outside in functions:
        seen = outside.changed()
        if seen is not None:
            read = f"its Python function read {seen.name} = {shown(seen.value)} when it was traced"
            problem = f"{read}, and {seen.name} means something else now"
            expected = "a function is traced once, when it is given, and keeps the values it saw"
            remedy = f"Make {seen.name} a parameter or an input, s.input(…); or keep its value, def f(t, state, {seen.name}={seen.name})."
            raise ModelError(part, problem, expected, remedy)
