"""The same checks of every integrator that is there: does its error fall with the order it claims, on free and on
constrained motion?

Oracle: the same motion at a tolerance of 1e-13. A fitted order may miss the true one by a few tenths: steps are not
infinitely short.
"""

import numpy as np
import pytest
import systems

import mekane as mk
from mekane.analyses.simulate import initial_solver
from mekane.solvers import integrators
from mekane.solvers.tableau import tableau

T_END = 0.6
# order → steps
LENGTHS = {
    1: (2e-3, 1e-3, 5e-4),
    2: (1e-2, 5e-3, 2.5e-3),
    4: (2e-2, 1e-2, 5e-3),
    5: (5e-2, 3.5e-2, 2.5e-2),
    8: (0.1, 0.075, 0.05),
}
every_method = pytest.mark.parametrize("name", integrators.NAMES)


def spinning_pendulums():
    """Unconstrained in joint coordinates: two bodies on ball joints, with Euler parameters, a spring and a damper."""
    rng = np.random.default_rng(11)
    s = mk.System("pendulums", gravity=(0, 0, -9.81))
    one, two = systems.some_body(s, "one", rng, (0.3, 0, -0.4)), systems.some_body(s, "two", rng, (0.7, 0.2, -0.8))
    s.ball("top", s.ground, one, at=(0, 0, 0))
    s.universal("middle", one, two, at=(0.5, 0.1, -0.6), axis="y", axis2="x")
    s.spring("spring", (s.ground, (1, 1, 0)), (two, (0, 0, 0)), 20.0, 0.5, damping=0.3)
    return s


PROBLEMS = {"free": spinning_pendulums, "constrained": lambda: systems.pair("ball")}
every_problem = pytest.mark.parametrize("problem", PROBLEMS)


@pytest.fixture(scope="module")
def references():
    """The motion at all times that a test asks for, as good as double precision allows."""

    def at(problem, times):
        return mk.simulate(PROBLEMS[problem](), T_END, every=times, method="dop853", rtol=1e-13, atol=1e-15).record.y

    return at


def ladder(problem, name, times):
    """Runs of a method with shorter and shorter steps: [(mean step, states at these times)].

    A method that controls its error is given tolerances that accept any step, and the step as the longest. An implicit
    one would then not solve its equations, so it is given tolerances, and its mean step is what it took.
    """
    module = integrators.find(name)
    system = PROBLEMS[problem]()
    if getattr(module, "implicit", False):
        runs = [
            mk.simulate(system, T_END, every=times, method=name, rtol=x, atol=x) for x in (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
        ]
        return [(T_END / run.info["steps"], run.record.y) for run in runs]
    loose = dict(rtol=1e3, atol=1e3) if len(module.method.error) else {}
    lengths = LENGTHS[int(module.method.numbers[0])]
    return [(h, mk.simulate(system, T_END, every=times, method=name, step=h, **loose).record.y) for h in lengths]


def fitted(steps, true):
    """Order by which the largest error falls with the step."""
    lengths, errors = zip(*((h, np.abs(y - true).max()) for h, y in steps), strict=True)
    assert min(errors) > 1e-13, "too near round-off to see an order"
    return np.polyfit(np.log(lengths), np.log(errors), 1)[0]


@every_problem
@every_method
def test_error_falls_with_the_order(name, problem, references):
    order = int(integrators.find(name).method.numbers[0])
    times = np.array([0.0, T_END])
    assert order - 0.35 < fitted(ladder(problem, name, times), references(problem, times)) < order + 1.2


@every_method
def test_dense_output_is_as_good_as_the_steps(name, references):
    """Samples between the steps lose no order: cubic Hermite is locally of order 4, the polynomial of dop853 of order
    8."""
    order = int(integrators.find(name).method.numbers[0])
    times = np.concatenate([[0.0], T_END * np.array([0.2347, 0.4719, 0.6713, 0.83331, 0.9717])])
    assert order - 0.5 < fitted(ladder("free", name, times), references("free", times))


@every_method
def test_a_method_that_controls_its_error_meets_tolerances(name, references):
    """Global error within a factor of a hundred of rtol, and falling with it: this motion is not chaotic within its
    time."""
    if len(integrators.find(name).method.error) == 0:
        pytest.skip("fixed step")
    times = np.linspace(0, T_END, 7)
    true = references("free", times)
    for rtol in (1e-4, 1e-6, 1e-8):
        record = mk.simulate(PROBLEMS["free"](), T_END, every=times, method=name, rtol=rtol, atol=rtol).record
        assert np.abs(record.y - true).max() < 100 * rtol


@every_method
def test_correction_keeps_constraints_at_every_sample(name):
    """Residuals at round-off of lengths of order one, whatever the step; with correct=False the same run drifts off."""
    order = int(integrators.find(name).method.numbers[0])
    adaptive = len(integrators.find(name).method.error) > 0
    options = dict(
        method=name, step=LENGTHS[order][0], every=0.0137, **(dict(rtol=1e-3, atol=1e-3) if adaptive else {})
    )
    system = PROBLEMS["constrained"]()
    kept, drifting = (mk.simulate(system, T_END, correct=correct, **options) for correct in (True, False))
    assert residual(kept).max() < 1e-14
    assert residual(drifting).max() > 1e-12


def residual(run):
    """Largest row of the cut joints at every sample: measurements of constraint rows hold phi."""
    return np.abs(run.record.measurement[:, : run.compiled.n_rows]).max(axis=1)


@every_method
def test_euler_parameters_stay_unit(name):
    """At every step and at every sample between steps, corrected or not; to round-off."""
    order = int(integrators.find(name).method.numbers[0])
    for correct in (True, False):
        solver, _ = initial_solver(PROBLEMS["free"](), method=name, step=LENGTHS[order][0], correct=correct, rtol=1e-5)
        record, _ = solver.run(T_END, np.linspace(0, T_END, 40))
        assert np.linalg.norm(record.y[:, :4], axis=1) == pytest.approx(np.ones(40), abs=1e-15)


@every_method
def test_a_claim_of_one_order_more_is_refused(name):
    """The tableau checks itself: with its own coefficients and a higher order it must not be made."""
    M = integrators.find(name).method
    s, order = len(M.b), int(M.numbers[0])
    A = [M.A[i, : i + 1] for i in range(s)]
    tableau(A, M.b, M.c[:s], order)
    with pytest.raises(ValueError, match="order conditions"):
        tableau(A, M.b, M.c[:s], order + 1)
