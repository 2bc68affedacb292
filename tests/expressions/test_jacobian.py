"""All derivatives in one walk. Oracle: one derivative after the other, which gives the very same nodes."""

from mekane.expressions.graph import Table, atan2, differentiate, jacobian, select, symbol


def test_jacobian_gives_the_same_nodes_as_one_derivative_after_the_other():
    a, b, c = map(symbol, "abc")
    common = (a * b + c.sin()).sqrt()
    table = Table((0, 1, 2), (0, 1, 4), "cubic")
    rows = [common * a, select(a < b, common / c, b**3), atan2(a, common), table(c) * b, b, 3.0, a.exp() ** b]
    for row, found in zip(rows, jacobian(rows, [a, b, c]), strict=True):
        for one, derivative in zip((a, b, c), found, strict=True):
            expected = differentiate(row, one) if not isinstance(row, float) else 0.0
            assert derivative is expected or (isinstance(derivative, float) and derivative == expected)


def test_a_symbol_that_is_a_number_has_no_slope():
    a = symbol("a")
    (of_square, of_number) = jacobian([a * a, 2.0], [a, 0.0])
    assert of_square[0] is 2.0 * a and of_square[1] == 0.0 and of_number == [0.0, 0.0]


def test_nodes_inside_others_may_be_taken_as_independent():
    """As differentiate has it: what stands below such a node is not looked at."""
    a = symbol("a")
    inner = a.sin()
    (derivatives,) = jacobian([inner * a], [inner, a])
    assert derivatives[0] is a and derivatives[1] is inner
