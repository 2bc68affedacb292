"""Sampled controllers and inputs, against difference equations."""

import numpy as np
import pytest

import mekane as mk
from mekane.errors import SimulationError


def cart(**controller):
    s = mk.System(gravity=(0, 0, 0))
    s.body("cart", mass=2.0, inertia=(1, 1, 1), position=(0.3, 0, 0))
    s.slider("rail", s.ground, "cart", axis="x", at=(0, 0, 0))
    s.input("u", 0.0, unit="N")
    s.motor("push", "rail", force="u")
    s.controller("pilot", "10 ms", writes="u", **controller)
    return s


def double_integrator(law, n, h=0.01, m=2.0, delay=0):
    """x, v at the ticks: the exact solution of m x'' = u with u held from tick to tick. law(k, x, v) → u."""
    x, v, found, held = 0.3, 0.0, [], [0.0] * delay
    x = 0.0  # displacement from the start
    for k in range(n + 1):
        found.append((x, v))
        held.append(law(k, x, v))
        u = held.pop(0)
        x, v = x + v * h + u / m * h * h / 2, v + u / m * h
    return np.array(found)


class PID:
    """With state: the sum of errors, and the last one."""

    def __init__(self, kp=40.0, ki=15.0, kd=12.0, h=0.01):
        self.gains, self.h = (kp, ki, kd), h
        self.reset()

    def reset(self):
        self.sum, self.last = 0.0, None

    def __call__(self, t, x):
        kp, ki, kd = self.gains
        e = 0.5 - x
        self.sum += e * self.h
        d = 0.0 if self.last is None else (e - self.last) / self.h
        self.last = e
        return kp * e + ki * self.sum + kd * d


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_a_discrete_pid_on_a_double_integrator(formulation):
    """The difference equation has no error but round-off, the integrator none on a parabola: 1e-12 after 200 ticks."""
    run = mk.simulate(
        cart(reads=["rail.displacement"], function=PID()),
        2.0,
        every=0.01,
        formulation=formulation,
        rtol=1e-12,
        atol=1e-14,
    )
    pid = PID()
    exact = double_integrator(lambda k, x, v: pid(0.01 * k, x), 200)
    np.testing.assert_allclose(run["rail.displacement"].values, exact[:, 0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(run["rail.displacement.rate"].values, exact[:, 1], rtol=0, atol=1e-12)
    assert run.health.ok, run.health


def test_expressions_and_functions_are_the_same():
    law = "40*(0.5 - rail.displacement) - 12*rail.displacement.rate"
    runs = [
        mk.simulate(s, 1.0, every=0.01)
        for s in (
            cart(function=law),
            cart(
                reads=["rail.displacement", "rail.displacement.rate"], function=lambda t, x, v: 40 * (0.5 - x) - 12 * v
            ),
        )
    ]
    np.testing.assert_array_equal(*(run["rail.displacement"].values for run in runs))
    exact = double_integrator(lambda k, x, v: 40 * (0.5 - x) - 12 * v, 100)
    np.testing.assert_allclose(runs[0]["rail.displacement"].values, exact[:, 0], rtol=0, atol=1e-11)


def test_a_delay_of_three_ticks():
    run = mk.simulate(
        cart(function="8*(0.5 - rail.displacement) - 5*rail.displacement.rate", delay="30 ms"),
        1.0,
        every=0.01,
        rtol=1e-12,
    )
    exact = double_integrator(lambda k, x, v: 8 * (0.5 - x) - 5 * v, 100, delay=3)
    np.testing.assert_allclose(run["rail.displacement"].values, exact[:, 0], rtol=0, atol=1e-12)


def test_fixed_steps_end_at_ticks():
    """RK4 with steps that do not divide the period: exact on parabolas."""
    run = mk.simulate(cart(function="40*(0.5 - rail.displacement)"), 0.5, every=0.01, method="rk4", step=0.0037)
    exact = double_integrator(lambda k, x, v: 40 * (0.5 - x), 50)
    np.testing.assert_allclose(run["rail.displacement"].values, exact[:, 0], rtol=0, atol=1e-12)


def test_reactions_and_accelerations_can_be_read():
    seen = []

    def law(t, a, reaction):
        seen.append((a, reaction[2]))
        return 1.0 + a

    s = mk.System(gravity=(0, 0, -10))
    s.body("cart", mass=2.0, inertia=(1, 1, 1))
    s.slider("rail", s.ground, "cart", axis="x", at=(0, 0, 0))
    s.input("u", 0.0)
    s.motor("push", "rail", force="u")
    s.controller("pilot", 0.1, reads=["cart.acceleration.x", "rail.reaction"], writes="u", function=law)
    mk.simulate(s, 0.35)
    a, force = np.array(seen).T
    np.testing.assert_allclose(force, 20.0, atol=1e-12)  # carries the weight
    np.testing.assert_allclose(a, [0, 0.5, 0.75, 0.875], atol=1e-12)  # a = u/m, u = 1 + a


def test_what_is_no_number_is_refused():
    with pytest.raises(SimulationError, match="pilot"):
        mk.simulate(cart(reads=["rail.displacement"], function=lambda t, x: np.nan), 0.1)


def test_ticks_do_not_drift():
    """The hundred-thousandth tick of 0.1 ms is at 10 s: a counter of ticks agrees with the time at each of them."""
    s = cart(reads=["t"], function=lambda t, x: round(t * 1e4) % 3 - 1.0)
    s.controllers.clear()
    ticks = []
    s.controller("clock", 1e-4, reads=["t"], writes="u", function=lambda t, x: ticks.append(t) or 0.0)
    mk.simulate(s, 1.0, every=0.5)
    np.testing.assert_array_equal(ticks, 1e-4 * np.arange(10000))


class Called:
    """An object is never traced into a formula: its ticks leave the time loop."""

    def __init__(self, law):
        self.law = law

    def __call__(self, t, *reads):
        return self.law(t, *reads)


def two_that_read_each_other(wrap, delay=0.0):
    s = cart(reads=["rail.displacement", "w"], function=wrap(lambda t, x, w: 10 * (0.5 - x) + 0.1 * w), delay=delay)
    s.input("w", 1.0)
    s.input("z", 1.0)
    s.controller(
        "second", "5 ms", offset="2 ms", reads=["u", "w"], writes="w", function=wrap(lambda t, u, w: u - w / 2)
    )
    s.controller("third", "10 ms", reads=["w", "u"], writes="z", function=wrap(lambda t, w, u: 0.25 * w + u))
    return s


@pytest.mark.parametrize("options", [{}, dict(method="implicit"), dict(method="rk4", step=0.003)], ids=str)
@pytest.mark.parametrize("delay", [0.0, 0.025, 0.01])
def test_formulas_tick_in_the_loop_as_functions_do_between_its_calls(options, delay):
    """Two ways to the same numbers but for round-off, which compiled and called formulas may have of their own: 1e-13.
    Controllers at one instant read what was before any write of it."""
    s, twin = two_that_read_each_other(lambda law: law, delay), two_that_read_each_other(Called, delay)
    for name in ("u", "w", "z", "rail.displacement"):
        got, expected = (mk.simulate(one, 0.2, every=0.001, **options)[name].values for one in (s, twin))
        np.testing.assert_allclose(got, expected, rtol=1e-13, atol=1e-15)


def test_a_million_ticks_without_drift():
    """A formula counts ticks of 1 µs: a million in one second, no sum of periods, no Python for any."""
    s = cart(function="0")
    s.input("n", 0.0)
    s.controller("count", 1e-6, writes="n", function="n + 1")
    run = mk.simulate(s, 1.0, every=0.25, method="rk4", step=0.01)
    np.testing.assert_array_equal(run["n"].values, [1, 250_001, 500_001, 750_001, 1_000_000])  # the end does not tick


def test_a_formula_that_is_no_number_is_refused():
    with pytest.raises(SimulationError, match=r"pilot.*t = 0\.1\b"):
        mk.simulate(cart(function="sqrt(0.095 - t)"), 0.3)


def test_a_delay_of_too_many_periods_is_refused():
    with pytest.raises(mk.ModelError, match="delay is 1e"):
        mk.simulate(cart(function="0", delay=1e6), 0.1)


@pytest.mark.parametrize(
    "options", [dict(method="implicit"), dict(method="rk4", step=0.7e-3), dict(code="specialised")]
)
def test_ticks_are_counted_in_every_way(options):
    """Each, and the last is at (n − 1) every to the last bit."""
    n = 20_000
    s = cart(function="0")
    s.input("count", 0.0)
    s.input("last", 0.0)
    s.controller("clock", 1e-3, function={"count": "count + 1", "last": "t"})
    times = [n * 0.25e-3, n * 1e-3 - 0.5e-3]
    run = mk.simulate(s, times[-1], every=times, **options)
    assert run["count"].values.tolist() == [n // 4 + 1, n]
    assert run["last"].values.tolist() == [(n // 4) * 1e-3, (n - 1) * 1e-3]
