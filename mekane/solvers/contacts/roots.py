"""A root in an interval."""


def bracketed_root(f, a, b, tries=200):
    """Regula falsi (Illinois), to neighbouring floats; f(a) and f(b) have different signs, or one is zero."""
    fa, fb = f(a), f(b)
    if fa == 0.0:
        return a
    for k in range(tries):
        if fb == 0.0 or abs(b - a) <= 4e-16 * max(abs(a), abs(b)):
            return b
        x = 0.5 * (a + b) if k % 4 == 3 else b - fb * (b - a) / (fb - fa)
        if x in (a, b):
            x = 0.5 * (a + b)
        fx = f(x)
        if fx * fb < 0.0:
            a, fa = b, fb
        else:
            fa *= 0.5
        b, fb = x, fx
    return b
