"""One function of the module for each elementary function that is called, for numbers of the caller's lanes."""

from mekane.codegen.functions import exponential, inverse_trigonometric, logarithm, trigonometric
from mekane.codegen.functions.arithmetic import Arithmetic

FUNCTIONS = {
    "sincos": trigonometric.sincos, "tan": trigonometric.tan, "asin": inverse_trigonometric.asin, "acos": inverse_trigonometric.acos,
    "atan": inverse_trigonometric.atan, "atan2": inverse_trigonometric.atan2, "exp": exponential.exp, "sinh": exponential.sinh,
    "cosh": exponential.cosh, "tanh": exponential.tanh, "log": logarithm.log, "pow": logarithm.power,
}  # fmt: skip
ARGUMENTS = "%x", "%y"


def call(writer, name, *args):
    """Operand of the value, or operands where it is several."""
    shape, full = writer.shape, f"@mekane.{name}.{writer.shape.suffix}"
    if full not in writer.needs:
        writer.needs[full] = definition(full, Arithmetic(shape, writer.needs), name, len(args))
    given = ", ".join(f"{shape.number} {x}" for x in args)
    if name != "sincos":
        return writer.result(f"call {shape.number} {full}({given})")
    pair = f"{{{shape.number}, {shape.number}}}"
    found = writer.result(f"call {pair} {full}({given})")
    return [writer.result(f"extractvalue {pair} {found}, {k}") for k in range(2)]


def definition(full, a, name, n, linkage="internal "):
    """Text of a function of n numbers."""
    T, found = a.shape.number, FUNCTIONS[name](a, *ARGUMENTS[:n])
    kind, value = (T, found) if isinstance(found, str) else (f"{{{T}, {T}}}", joined(a, found))
    takes = ", ".join(f"{T} {x}" for x in ARGUMENTS[:n])
    head = f"define {linkage}{kind} {full}({takes}) nounwind {{"
    return "\n".join([head, *a.lines, f"  ret {kind} {value}", "}"])


def joined(a, values):
    """Two numbers as one result."""
    T = a.shape.number
    first = a.result(f"insertvalue {{{T}, {T}}} poison, {T} {values[0]}, 0")
    return a.result(f"insertvalue {{{T}, {T}}} {first}, {T} {values[1]}, 1")
