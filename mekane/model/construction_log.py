"""A system built again from the arguments of its parts: with other parameters, or with numbers that have become
parameters."""

import pickle
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature

from mekane.errors import ModelError, did_you_mean
from mekane.model.values.parameters import ConstructionRecord, has_parameters, kept, written
from mekane.model.values.units import Measured, is_list, measured, shown

# each refers only to those before it
PARTS = (
    "inputs", "variables", "bodies", "markers", "joints", "constraints", "contact_laws", "forces", "outputs", "events", "controllers",
)  # fmt: skip
KEPT = "_kept"  # where what is kept with a system stands in it; copies do not have it
SECTIONS = {"contact_laws": "contacts"}  # in a file, of collections that are called otherwise there
ALONE = ("input", "variable", "body", "marker", "output", "event", "controller")  # the only kind of their collection


def recorded(kind: str, make: Callable) -> Callable:
    """A method that makes a part, and records its arguments. If it fails, nothing is left of it."""
    call = signature(make)
    order = list(call.parameters)
    simple = all(
        parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        for parameter in call.parameters.values()
    )

    def arguments_of(args, keywords):
        """The arguments of a call that succeeded, by name, in the order of the signature."""
        if not simple:
            return call.bind(*args, **keywords).arguments
        arguments = dict(zip(order, args, strict=False)) | keywords
        return {keyword: arguments[keyword] for keyword in order if keyword in arguments}

    @wraps(make)
    def method(self, name, *args, **keywords):
        before = dict(self.parameters), dict(self._came_with), dict(self._measured)
        try:
            record = make(self, name, *args, **keywords)
            if name in self.parameters:  # one that came with its value, mk.Param("k", 4e3), in the part itself
                for collection in PARTS:
                    getattr(self, collection).pop(name, None)
                self.claim(name, kind)
        except BaseException:
            self.parameters, self._came_with, self._measured = before
            raise
        arguments = arguments_of((self, name, *args), keywords)
        self._construction[name] = ConstructionRecord(
            kind,
            {keyword: kept(given) for keyword, given in arguments.items() if keyword not in ("self", "name")},
            record,
        )
        return record

    return method


def rebuilt(system, parameters: dict, given: dict | None = None, gravity=None, measures: dict | None = None):
    """The same system from the recorded arguments, with these parameters. A part put into its collection by hand is
    kept as it is.

    measures: values of parameters that were given with a unit, to be checked wherever one of them stands alone."""
    given = system._construction if given is None else given
    new = type(system)(system.name, planar=system.plane)
    refuse_placed(system, parameters)
    new.parameters, new._came_with, new._placed_by = dict(parameters), dict(system._came_with), dict(system._placed_by)
    new._measured = system._measured | (measures or {})
    new.gravity = system._gravity_given if gravity is None else gravity
    new.ground_look = system._ground_look_given
    for collection in PARTS:
        for name, record in getattr(system, collection).items():
            made = construction_of(system, name, record)
            if made is None:
                getattr(new, collection)[name] = record
            else:
                made = given[name]
                getattr(new, made.kind)(name, **made.keywords)
    new.own_speeds, new._initial_conditions = dict(system.own_speeds), dict(system._initial_conditions)
    new.notes = list(dict.fromkeys([*system.notes, *new.notes]))  # those of an importer stay true
    return new


def refuse_placed(system, parameters: dict) -> None:
    """Where an analysis has put the bodies, places are numbers: parameters that defined them can change nothing there
    any more."""
    for name, part in system._placed_by.items():
        if parameters[name] is not system.parameters[name] and parameters[name] != system.parameters[name]:
            problem = f"it defined where {part!r} is or how it moves, and an analysis has put that elsewhere"
            remedy = "Change it in the system that was described, and repeat the analysis."
            raise ModelError(
                f"parameter {name!r}", problem, "in a system that was placed, only other parameters can change", remedy
            )


def construction_of(system, name: str, record) -> ConstructionRecord | None:
    """How a part was made, if its record is still the one that came of it."""
    made = system._construction.get(name)
    return made if made is not None and made.record is record else None


def changed(system, changes: dict):
    """The system with other values of parameters. Numbers that are no parameters yet are named first: {"arm.mass":
    2}."""
    system = with_names(system, changes)
    numbers = {name: measured(value, f"parameter {name!r}") for name, value in changes.items()}
    measures = {name: number for name, number in numbers.items() if isinstance(number, Measured)}
    values = {name: float(number) if name in measures else number for name, number in numbers.items()}
    return rebuilt(system, system.parameters | values, measures=measures)


def with_names(system, names):
    """The system in which all these are parameters: itself, or a copy in which numbers such as "arm.mass" have become
    some."""
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f"system {system.name!r}", f"a parameter is called {shown(name)}", "a name is text")
        if name not in system.parameters and "." not in name:
            raise unknown(system, name)
    numbers = [name for name in names if name not in system.parameters]
    return system.named(numbers) if numbers else system


def unknown(system, name: str) -> ModelError:
    expected = f"this system has {', '.join(system.parameters)}" if system.parameters else "this system has none"
    remedy = (
        did_you_mean(name, system.parameters).strip()
        or 'Numbers without a name are called by part and keyword, such as "arm.mass".'
    )
    return ModelError(f"system {system.name!r}", f"{name!r} is not a parameter", expected, remedy)


# ---------------------------------------------------------------- the file form


def file_forms(system, collection: str) -> dict:
    """The parts of a collection as in a model file: as given where parameters play a part, else exact numbers.

    Where joints, constraints and forces are follows from where bodies are, so with parameters in any body all of them
    are as given.
    """
    parts = getattr(system, collection)
    moving = collection != "bodies" and any(is_parametric(system, name, body) for name, body in system.bodies.items())
    as_given = {name: construction_of(system, name, record) for name, record in parts.items()}
    forms = {}
    for name, record in parts.items():
        made = as_given[name]
        forms[name] = form(system, made) if made and (moving or made.with_parameters) else record.to_dict()
    return forms


def is_parametric(system, name: str, record) -> bool:
    made = construction_of(system, name, record)
    return made is not None and made.with_parameters


def form(system, made: ConstructionRecord) -> dict:
    """{keyword: given, …} for a body, an event …, {kind: where, keyword: given, …} for joints, constraints, forces."""
    keywords = {keyword: given for keyword, given in made.keywords.items() if given is not None}
    functions = [keyword for keyword, given in keywords.items() if has_function(given)]
    traced = made.record.to_dict() if functions else {}
    traced = traced if isinstance(traced, dict) else {"value": traced}
    keywords = {
        keyword: traced[keyword] if keyword in functions else written(given) for keyword, given in keywords.items()
    }
    if made.kind in ALONE:  # what a function reads stands in its expression
        return {keyword: given for keyword, given in keywords.items() if keyword in traced or not functions}
    first = [
        keyword for keyword in signature(getattr(type(system), made.kind)).parameters if keyword not in ("self", "name")
    ]
    where = [keywords.pop("a"), keywords.pop("b")] if first[:2] == ["a", "b"] else keywords.pop(first[0])
    return {made.kind: where, **keywords}


def has_function(given) -> bool:
    if isinstance(given, Mapping):
        return any(map(has_function, given.values()))
    return any(map(has_function, given)) if is_list(given) else callable(given) and not has_parameters(given)


# ---------------------------------------------------------------- other processes


def refuse_hidden_functions(system) -> None:
    """Other processes find Python functions by their names: those that have none there cannot be sent."""
    for name, made in system._construction.items():
        for keyword in (keyword for keyword, given in made.keywords.items() if has_function(given)):
            try:
                pickle.dumps(made.keywords[keyword])
            except Exception as error:  # pickle has many ways to refuse
                problem = f"{keyword} is a Python function that cannot be pickled ({error})"
                remedy = "Write it with def at the top of a module, or as an expression."
                raise ModelError(
                    f"{made.kind} {name!r}", problem, "other processes find functions by their names", remedy
                ) from None
