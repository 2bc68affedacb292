"""An entry of the handle made for one model:  double f(int64 header, double t, int64 a, int64 b),  see
`mekane.tables.handle`.

It reads and writes the arrays of the workspace where the loops do, through the same header, so one may stand in place
of the other at any moment. Where integers of the workspace differ from those it was made for, it hands over to the
loops.
"""

from typing import NamedTuple

from mekane.codegen.emit import function
from mekane.codegen.llvm_writer import Place
from mekane.codegen.regions import NONE, Branches
from mekane.expressions.graph import symbol
from mekane.tables.handle import WORKSPACE
from mekane.tables.tables import FOLLOWING, FROZEN, Workspace

INTEGERS = {name for name, (kind, _) in zip(Workspace._fields, Workspace.kinds(), strict=True) if kind == "i"}
# arrays of one number that the entry itself fills; all others are a, b or fields of the workspace
OWN = ("t", "frozen", "known", "column")


class Test(NamedTuple):
    """Of an integer of the workspace."""

    place: Place
    relation: str  # "eq" or "ne"
    value: int


class Entry(NamedTuple):
    """What an entry computes: {Place: expression}, in arrays `a`, `b` and fields of the workspace. Inputs are symbols
    made by `at`."""

    name: str
    outputs: dict
    wanted: dict  # {Place: integer} of the workspace that code is made for; where others stand, the loops answer
    condition: str = ""  # code of one more condition, as `%name = …` computes it from %time and %address_b
    tests: tuple = ()  # of more integers: where one fails, the loops answer
    branches: Branches = NONE  # where its code is jumped over

    def all_expressions(self):
        return [*self.outputs.values(), *self.branches.numbers]

    @property
    def may_hand_over(self):
        return bool(self.condition or self.wanted or self.tests)

    def all_tests(self):
        return [*(Test(place, "eq", value) for place, value in self.wanted.items()), *self.tests]


def at(array, index=0):
    """The symbol of an element of an array that an entry can reach."""
    return symbol(f"{array}[{index}]")


def place_of(node):
    array, _, index = node.name.partition("[")
    return Place(array, int(index[:-1]), array in INTEGERS)


def entry_code(entry, nodes, lanes=1):
    """Function of the expressions, and the text of the entry that calls it. nodes: all inputs among them."""
    inputs = {node: place_of(node) for node in nodes}
    body, arrays = function(f"{entry.name}_body", inputs, entry.outputs, lanes, branches=entry.branches)
    return body, "\n".join(wrapped(entry, arrays))


def loops(name):
    """The symbol under which the entry of the loops is known to the linker."""
    return f"mekane_loops_{name}"


def wrapped(entry, arrays):
    """Lines of the entry: is everything as it was made for? Then the arrays are found and handed on."""
    tests = entry.all_tests()
    lines = [f"declare double @{loops(entry.name)}(i64, double, i64, i64)"] if entry.may_hand_over else []
    lines += [f"define double @{entry.name}(i64 %header, double %time, i64 %address_a, i64 %address_b) nounwind {{"]
    lines += ["  %head = inttoptr i64 %header to ptr"]
    lines += [line for field in fields(entry, arrays) for line in load_field(field)]
    lines += [f"  %condition = {entry.condition}"] if entry.condition else []
    lines += [line for k, test in enumerate(tests) for line in compare(k, test)]
    lines += hand_over(entry, len(tests)) if entry.may_hand_over else []
    lines += [line for array in arrays if array in OWN for line in fill(array)]
    lines += [f"  %{array} = inttoptr i64 %address_{array} to ptr" for array in arrays if array in ("a", "b")]
    lines += [
        f"  call void @{entry.name}_body({', '.join(f'ptr %{array}' for array in arrays)})",
        "  ret double 0.0",
        "}",
    ]
    return lines


def hand_over(entry, count):
    """To the loops, unless all tests are met."""
    arguments = "i64 %header, double %time, i64 %address_a, i64 %address_b"
    same = f"%same{count - 1}" if count else "%condition"
    if count and entry.condition:
        yield f"  %all = and i1 {same}, %condition"
        same = "%all"
    yield f"  br i1 {same}, label %ours, label %theirs"
    yield "theirs:"
    yield f"  %answer = call double @{loops(entry.name)}({arguments})"
    yield "  ret double %answer"
    yield "ours:"


def fields(entry, arrays):
    used = [*arrays, *(test.place.array for test in entry.all_tests())]
    used += ["state"] * bool({"frozen", "known"} & set(arrays)) + ["measurement_time"] * ("known" in arrays)
    return [name for name in dict.fromkeys(used) if name in WORKSPACE.arrays]


def load_field(name):
    place = WORKSPACE.arrays[name][0]
    return [f"  %place_{name} = getelementptr i64, ptr %head, i64 {place}", f"  %{name} = load ptr, ptr %place_{name}"]


def compare(k, test):
    """%same0, %same1 …: true while all integers so far are as they should be."""
    place, compared = test.place, f"icmp {test.relation} i64 %found{k}, {test.value}"
    yield f"  %where{k} = getelementptr i64, ptr %{place.array}, i64 {place.index}"
    yield f"  %found{k} = load i64, ptr %where{k}"
    yield f"  %is{k} = {compared}" if k else f"  %same0 = {compared}"
    if k:
        yield f"  %same{k} = and i1 %same{k - 1}, %is{k}"


def fill(array):
    """One of OWN: the time; 1 while comparisons are frozen; when measurements were last known (now, outside of a
    run); the column of the rows that b names."""
    yield f"  %{array} = alloca double"
    if array == "t":
        yield "  store double %time, ptr %t"
        return
    if array == "column":
        yield "  %column_number = sitofp i64 %address_b to double"
        yield "  store double %column_number, ptr %column"
        return
    counter = FROZEN if array == "frozen" else FOLLOWING
    yield f"  %{array}_at = getelementptr i64, ptr %state, i64 {counter}"
    yield f"  %{array}_word = load i64, ptr %{array}_at"
    if array == "frozen":
        yield "  %frozen_number = sitofp i64 %frozen_word to double"
    else:
        yield "  %following = icmp eq i64 %known_word, 1"
        yield "  %last_known = load double, ptr %measurement_time"
        yield "  %known_number = select i1 %following, double %last_known, double %time"
    yield f"  store double %{array}_number, ptr %{array}"
