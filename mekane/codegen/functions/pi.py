"""2/π in binary, by integers alone."""

from functools import cache


@cache
def bits_of_two_over_pi(digits):
    """⌊2/π · 2^digits⌋. π by Machin's formula, π/4 = 4 arctan 1/5 − arctan 1/239."""
    one = 1 << (digits + 64)
    quarter = 4 * arctangent_of_inverse(5, one) - arctangent_of_inverse(239, one)
    return (one << digits) // (2 * quarter)


def arctangent_of_inverse(n, one):
    """one · arctan(1/n) = one · (1/n − 1/(3 n³) + …), rounded down in every term."""
    power, total, k = one // n, 0, 1
    while power:
        total += power // k if k % 4 == 1 else -(power // k)
        power //= n * n
        k += 2
    return total
