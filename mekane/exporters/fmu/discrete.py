"""What changes at instants in an FMU: events that set variables and inputs, and sampled controllers given by formulas.

Their conditions and values are one function, `instants`: the conditions of all events, then what they set, then what
controllers compute. Tables in C say what happens to these numbers (runtime/discrete.c)."""

from dataclasses import dataclass, field

from mekane.errors import ModelError
from mekane.expressions.node import scalar
from mekane.solvers.hybrid.controllers import slots_of
from mekane.symbolic.frozen_model import refuse_impulsive, set_by_events

REMEDY = "Export a model without it: s.remove({name!r})."


@dataclass
class Discrete:
    """All numbers are those of the model; places are among the parameters of the FMU."""

    events: list = field(default_factory=list)  # (name, once, stop, at_start, place of each that it sets)
    clocks: list = field(default_factory=list)  # (name, every, offset, delay [s], place of each input it writes)
    slots: int = 1  # values that wait at a time between a tick and its effect
    stops: list = field(default_factory=list)  # instants at which a law of time changes [s]
    expressions: list = field(default_factory=list)  # of `instants`


def refuse_discrete(system, compiled):
    """An error for an event or a controller that has no C code."""
    refuse_impulsive(system, "an FMU", REMEDY)
    for one, registers in zip(system.controllers.values(), compiled.controllers, strict=True):
        if not registers.expressions:
            problem, expected = (
                "its function is Python, which an FMU does not hold",
                "formulas of what it reads are expected",
            )
            remedy = (
                f'Write function={{"{one.writes[0]}": "…"}}, or give its inputs from outside: s.remove({one.name!r}).'
            )
            raise ModelError(one.part, problem, expected, remedy)


def set_inside(system):
    """{variable or input: why it is not set from outside}."""
    found = set_by_events(system)
    for one in system.controllers.values():
        found |= {name: f"{one.part} writes it" for name in one.writes}
    return found


def discrete(system, compiled, registers, parameters):
    """registers: values of the tape as expressions. compiled: with numbers. parameters: Entries of the FMU."""
    names = [one.name for one in parameters]
    for name, why in set_inside(system).items():
        if name not in names:
            problem = f"{why}, and it also decides where the motion starts, or a length"
            raise ModelError(f"variable {name!r}", problem, "what changes on the way stands in laws of forces alone")
    events = [
        (one.name, one.once, one.stop, one.at_start, [names.index(target) for target in one.set])
        for one in system.events.values()
    ]
    clocks = [
        (
            one.name,
            float(one.every),
            float(one.offset),
            float(one.delay),
            [names.index(target) for target in one.writes],
        )
        for one in system.controllers.values()
    ]
    places = [one.condition for one in compiled.events]
    places += [k for one in compiled.events for k in one.set.values()]
    places += [k for one in compiled.controllers for k in one.expressions]
    stops = sorted(t for t in compiled.program.event_times().tolist() if t > 0.0)
    slots = max((slots_of(one) for one in system.controllers.values()), default=1)
    return Discrete(events, clocks, slots, stops, [scalar(registers[k]) for k in places])


# ---------------------------------------------------------------- as C


def tables(found):
    """Lines of the header of a model."""
    sets, writes = [one[-1] for one in found.events], [one[-1] for one in found.clocks]
    row = lambda values: "{" + ", ".join(values) + "}"
    flags = [row(str(int(x)) for x in one[1:4]) for one in found.events]
    times = [row(repr(x) for x in one[1:4]) for one in found.clocks]
    sizes = {
        "N_EVENTS": len(found.events), "N_SETS": sum(map(len, sets)), "N_CLOCKS": len(found.clocks),
        "N_WRITES": sum(map(len, writes)), "SLOTS": found.slots, "N_STOPS": len(found.stops),
    }  # fmt: skip
    return [
        *(f"#define {name} {size}" for name, size in sizes.items()),
        "",
        "/* once, stop, at the start, too */",
        array("int", "EVENTS[][3]", flags, "{0}"),
        array("char *const", "EVENT_NAMES[]", [quoted(one[0]) for one in found.events], '""'),
        "/* where events begin to set, and which parameters */",
        array("int", "FIRST_SET[]", map(str, begins(sets)), "0"),
        array("int", "SETS[]", [str(k) for one in sets for k in one], "0"),
        "/* every, offset, delay [s] */",
        array("double", "CLOCKS[][3]", times, "{0}"),
        array("char *const", "CLOCK_NAMES[]", [quoted(one[0]) for one in found.clocks], '""'),
        array("int", "FIRST_WRITE[]", map(str, begins(writes)), "0"),
        array("int", "WRITES[]", [str(k) for one in writes for k in one], "0"),
        "/* instants at which a law of time changes [s] */",
        array("double", "STOPS[]", map(repr, found.stops), "0.0"),
    ]


def array(kind, name, values, nothing):
    return f"static const {kind} {name} = {{{', '.join(values) or nothing}}};"


def begins(groups):
    """Where each group begins in all of them, and the end."""
    found = [0]
    for one in groups:
        found.append(found[-1] + len(one))
    return found


def quoted(text):
    """As a C string of printable ASCII characters."""
    return '"' + "".join(x if " " <= x <= "~" and x not in '"\\?' else "_" for x in text) + '"'
