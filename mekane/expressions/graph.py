"""Expressions as graphs: what the other packages use of node, traversal, derivative and text."""

from mekane.algebra.scalar import absolute, atan2, floor, maximum, minimum, select, sign
from mekane.expressions.derivative import differentiate, differentiate_along, is_zero, jacobian, rates_along
from mekane.expressions.node import Expr, Untraceable, callback, symbol
from mekane.expressions.table import Table
from mekane.expressions.text import to_text
from mekane.expressions.traversal import count, evaluate, inputs, reading, substitute, topological

__all__ = [
    "Expr", "Table", "Untraceable", "absolute", "atan2", "callback", "count", "differentiate", "differentiate_along", "evaluate", "floor",
    "inputs", "is_zero", "jacobian", "maximum", "minimum", "rates_along", "reading", "select", "sign", "substitute", "symbol",
    "to_text", "topological",
]  # fmt: skip
