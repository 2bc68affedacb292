"""One function of the module for each elementary function that is called, for numbers of the caller's lanes."""

from mekane.codegen.functions import trigonometric
from mekane.codegen.functions.arithmetic import Arithmetic

FUNCTIONS = {"sincos": trigonometric.sincos}
LIBRARY = {"pow", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log"}  # lane by lane
ARGUMENTS = "%x", "%y"


def call(writer, name, *args):
    """Operand of the value, or operands where it is several."""
    if name in LIBRARY:
        return writer.library(name, *args)
    shape, full = writer.shape, f"@mekane.{name}.{writer.shape.suffix}"
    if full not in writer.needs:
        writer.needs[full] = definition(full, Arithmetic(shape, writer.needs), name, len(args))
    given = ", ".join(f"{shape.number} {x}" for x in args)
    if name != "sincos":
        return writer.result(f"call {shape.number} {full}({given})")
    pair = f"{{{shape.number}, {shape.number}}}"
    found = writer.result(f"call {pair} {full}({given})")
    return [writer.result(f"extractvalue {pair} {found}, {k}") for k in range(2)]


def definition(full, a, name, n):
    """Text of a function of n numbers."""
    T, found = a.shape.number, FUNCTIONS[name](a, *ARGUMENTS[:n])
    kind, value = (T, found) if isinstance(found, str) else (f"{{{T}, {T}}}", joined(a, found))
    takes = ", ".join(f"{T} {x}" for x in ARGUMENTS[:n])
    head = f"define internal {kind} {full}({takes}) nounwind {{"
    return "\n".join([head, *a.lines, f"  ret {kind} {value}", "}"])


def joined(a, values):
    """Two numbers as one result."""
    T = a.shape.number
    first = a.result(f"insertvalue {{{T}, {T}}} poison, {T} {values[0]}, 0")
    return a.result(f"insertvalue {{{T}, {T}}} {first}, {T} {values[1]}, 1")
