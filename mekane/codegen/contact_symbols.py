"""Contact laws in a trace: one code for all modes. Which of their rows are active, and the mode of each element, are read when
the code runs, and `select` leaves out what is not there.

The loops answer where the trace would not be theirs: where an element's sliding is incipient (Newton's iteration), where rows
repeat others (sharing by load), and where the multipliers are refined more than once.
"""

from contextlib import contextmanager

from mekane.codegen.entry_code import Test, at
from mekane.codegen.llvm_writer import Place
from mekane.codegen.regions import Branches
from mekane.codegen.trace import objects
from mekane.errors import ModelError
from mekane.expressions.graph import Untraceable
from mekane.expressions.node import deciding
from mekane.tables.columns import (
    C_GUARD,
    C_NORMAL,
    C_TANGENT,
    C_TANGENTS,
    I_TURNS,
    I_X,
    I_Y,
    INCIPIENT,
    INCIPIENT_W,
    OPEN,
    SLIDING,
    STICKING,
)
from mekane.tables.tables import N_ACTIVE, N_LOADS, N_REPEATED, N_SLIDING, REFINEMENTS, n_guards


def refuse_loads(compiled):
    """Friction by the load of a joint is found by Newton's iteration."""
    for law in compiled.system.contact_laws.values() if compiled.tables.count[N_LOADS] > 0 else ():
        problem = "a friction of the model is by the load of its joint"
        raise ModelError(law.part, problem, "code is made of what takes no iteration", 'Use code="loops".')


def rows_of(element):
    """Rows of an element that are active or not by its mode."""
    normal, first, count = (int(element[c]) for c in (C_NORMAL, C_TANGENT, C_TANGENTS))
    return [*([normal] if normal >= 0 else []), *range(first, first + count)]


def rows_of_contacts(tables):
    return [y for element in tables.contact_i for y in rows_of(element)]


def with_symbols(tables, W):
    """The workspace with symbols for what depends on modes. Its rows are taken as if all were active, and its elements as if all
    slid; `in_any_mode` says so where a kernel asks."""
    active, contact = objects(W.active), objects([at("contact", e) for e in range(len(tables.contact_i))])
    for y in rows_of_contacts(tables):
        active[y] = at("active", y)
    incipient = objects([at("incipient", k) for k in range(W.incipient.size)]).reshape(W.incipient.shape)
    W.state[N_ACTIVE], W.state[N_SLIDING], W.state[N_REPEATED], W.state[REFINEMENTS] = len(active), len(contact), 0, 1
    return W._replace(active=active, contact=contact, incipient=incipient)


@contextmanager
def in_any_mode(tables):
    """Meanwhile kernels take every row of a contact law as active and every element as sliding, where they branch on that."""
    known = {}
    for y in rows_of_contacts(tables):
        known |= {at("active", y) != 0: True, at("active", y) == 0: False}
    for e in range(len(tables.contact_i)):
        known |= {at("contact", e) == SLIDING: True, at("contact", e) == INCIPIENT: False}

    def decide(condition):
        if condition not in known:
            raise Untraceable(f"a kernel branches on {condition}")
        return known[condition]

    with deciding(decide):
        yield


def guards_in(tables, W):
    """{Place: expression} of the guards of contact laws."""
    registers = tables.contact_i[0, C_GUARD] + range(n_guards(tables)) if len(tables.contact_i) else ()
    return {Place("r", int(k)): W.r[k] for k in registers}


def left_by(tables, W):
    """{Place: expression} of what events and the time loop read after the right-hand side."""
    found = guards_in(tables, W)
    for e, element in enumerate(tables.contact_i):
        if element[C_TANGENTS] > 0:
            found |= {Place("incipient", e * INCIPIENT_W + c): W.incipient[e, c] for c in (I_X, I_Y, I_TURNS)}
    return found


def tests_of(tables):
    """What must hold besides, or the loops answer."""
    if not len(tables.contact_i):
        return ()
    independent = Test(Place("state", N_REPEATED), "eq", 0), Test(Place("state", REFINEMENTS), "eq", 1)
    return (*independent, *(Test(Place("contact", e), "ne", INCIPIENT) for e in range(len(tables.contact_i))))


def branches_of(tables):
    """Code branches on what is not zero where an element is closed, where it sticks and where it slides; the last is the rarest."""
    numbers, sliding, literals = [], [], {}
    for e, element in enumerate(tables.contact_i):
        mode, active = at("contact", e), {y: at("active", y) for y in rows_of(element)}
        closed, slides, rubs = sum(active.values(), mode), mode == SLIDING, int(element[C_TANGENTS] > 0)
        sticks = sum(x for y, x in active.items() if y != element[C_NORMAL])
        literals |= {
            (mode == OPEN, False): [closed],
            (mode == STICKING, True): [closed],
            (slides, True): [closed, slides][: 1 + rubs],
        }
        literals |= {(x, True): [closed] if y == element[C_NORMAL] else [closed, sticks] for y, x in active.items()}
        numbers += [closed, sticks][: 1 + rubs]
        sliding += [slides][:rubs]
    return Branches([*numbers, *sliding], literals)
