"""Names that stand alone in expressions: those of inputs, variables and outputs, as those of parameters."""

from mekane.errors import ModelError
from mekane.expressions.parse import CONSTANTS, FUNCTION_NAMES


def check_bare_name(name: str, part: str) -> None:
    """Refuse a name that means something else in every expression."""
    if name in CONSTANTS or name in FUNCTION_NAMES:
        meaning = f"the constant {CONSTANTS[name]:.6g}" if name in CONSTANTS else "a function"
        problem, remedy = f"{name!r} is {meaning} in expressions", f"Choose another name, such as {name + '0'!r}."
        raise ModelError(part, problem, "a name of your own", remedy)
