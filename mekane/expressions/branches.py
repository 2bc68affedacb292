"""Python functions that ask `if`, as expressions: every way through them is taken once, with symbols in place of
numbers, and the answers are put together by `select`.

    def law(x):                        select(x < 0, −x, select(x > 2, 2, x))
        if x < 0:
            return -x
        return 2 if x > 2 else x

Conditions are those whose truth the function asks for: of `if`, `while`, `and`, `or`, `not`, `min` and `max`.
"""

from mekane.expressions.node import Untraceable, deciding, node, opposite, select

MOST = 64  # ways through a function
DEEPEST = 32  # conditions on one way: then it is a loop, most likely
OTHER = {"less": "less_equal", "less_equal": "less"}


def with_branches(function):
    """What function() returns, a tuple of expressions and numbers, whichever way it goes."""
    return Branches(function).answers(())


class Branches:
    """The ways through a function of no arguments, which returns a tuple."""

    def __init__(self, function):
        self.function, self.ways = function, 0

    def answers(self, decided):
        """Of all ways that begin with these decisions."""
        answers, way = self.taken(decided)
        for k in reversed(range(len(decided), len(way))):
            condition, _ = way[k]
            others = self.answers((*(truth for _, truth in way[:k]), False))
            answers = tuple(select(condition, yes, no) for yes, no in zip(answers, others, strict=True))
        return answers

    def taken(self, decided):
        """The way with these decisions, and True wherever it asks for more: answers, [(condition, truth), …]."""
        self.ways += 1
        if self.ways > MOST:
            raise Untraceable(f"there are more than {MOST} ways through its conditions")
        way, known = [], {}

        def decide(condition):
            if condition not in known:
                if len(way) == DEEPEST:
                    raise Untraceable(f"it asks for the truth of more than {DEEPEST} conditions")
                truth = decided[len(way)] if len(way) < len(decided) else True
                way.append((condition, truth))
                known.update({condition: truth, complement(condition): not truth})
            return known[condition]

        with deciding(decide):
            return self.function(), way


def complement(condition):
    """True where a condition is not: b ≤ a of a < b."""
    if condition.op not in OTHER:
        return opposite(condition)
    a, b = condition.args
    return node(OTHER[condition.op], b, a)
