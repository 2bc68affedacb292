"""One source, many scalars (DESIGN, idea 2): the whole right-hand side runs compiled, in plain Python, on complex
numbers and on symbols.

Oracles: the compiled right-hand side, and its central differences.
"""

import numpy as np
import pytest
import systems
from engine import STEP, Model

from mekane import gallery
from mekane.expressions.graph import Expr, evaluate, symbol
from mekane.formulations import NAMES as FORMULATIONS

OURS = {
    "laws": systems.laws, "mounts": systems.mounts, "four-bar": systems.four_bar,
    "driven": systems.driven, "driven swapped": lambda: systems.driven(swapped=True),
    "driven ring": lambda: systems.driven_ring("universal"), "screw loop": systems.screw_loop, "mixed chain": systems.mixed_chain,
    "free bodies": systems.free_bodies, "massless link": systems.massless_link, "by chance": lambda: systems.by_chance(3),
}  # fmt: skip
FROM_THE_GALLERY = [
    "robot", "squeezer", "pendulum", "double_pendulum", "bricard", "governor", "slider_crank_planar", "slider_crank_spatial", "heavy_top",
    "puma", "puma560", "gyroscope", "four_bar", "dzhanibekov",
]  # fmt: skip


def cases():
    """(name, function that builds it, formulation) of our systems and of those of the gallery that are there."""
    there = {name: gallery.find(name) for name in gallery.names() if name in FROM_THE_GALLERY}
    found = [(name, build, formulation) for name, build in OURS.items() for formulation in FORMULATIONS]
    found += [(m.name, m.system, formulation) for m in there.values() for formulation in m.formulations]
    return [pytest.param(build, formulation, id=f"{name}-{formulation}") for name, build, formulation in found]


CASES = pytest.mark.parametrize("build, formulation", cases())


def at_rest_of_nothing(build, formulation):
    """A model and a state where nothing is special, off its constraints."""
    model = Model(build, formulation)
    size = max(0.01, np.abs(model.y[: model.n_q]).max())
    return model, model.somewhere(far=0.05 * size)


def largest(x):
    return np.abs(x).max()


@pytest.mark.divided("build", 3)
@CASES
def test_plain_python_gives_the_compiled_numbers(build, formulation):
    """Tolerance: the compiler may reorder sums."""
    model, y = at_rest_of_nothing(build, formulation)
    compiled, plainly = model.rhs(0.7, y), model.plain_rhs(0.7, y, float)
    assert np.all(np.isfinite(compiled))
    assert largest(plainly - compiled) <= model.reordering() * largest(compiled)


@pytest.mark.divided("build", 3)
@CASES
def test_complex_numbers_carry_exact_derivatives(build, formulation):
    """Tolerance of central differences, h = 1e-5: h² times third derivatives, well below 1e-6, and what reordered sums
    change, over h."""
    model, y = at_rest_of_nothing(build, formulation)
    here, rng = model.rhs(0.7, y), np.random.default_rng(1)
    for k in rng.choice(model.n_q + model.n_u, min(3, model.n_q + model.n_u), replace=False):
        size = max(0.03, abs(y[k]))
        step = 1e-5 * size * np.eye(len(y))[k]
        differences = (model.rhs(0.7, y + step) - model.rhs(0.7, y - step)) / (2 * step[k])
        exact = model.plain_rhs(0.7, y + 1j * STEP * np.eye(len(y))[k], complex).imag / STEP
        allowed = 1e-6 * (largest(exact) + largest(here) / size) + 0.1 * model.reordering() * largest(here) / step[k]
        assert largest(exact - differences) <= allowed, f"column {k}"


@pytest.mark.divided("build", 3)
@CASES
def test_symbols_trace_to_the_same_numbers(build, formulation):
    """A graph over the symbols y0, y1 … and t, evaluated again: the same operations on the same numbers but for folded
    constants and for what cancels exactly on symbols, (1 − c) + c, and only but for round-off on numbers.

    Tolerance: that of reordered sums.
    """
    model, y = at_rest_of_nothing(build, formulation)
    names = [f"y{k}" for k in range(len(y))]
    graph = model.plain_rhs(symbol("t"), [symbol(name) for name in names], object)
    assert any(isinstance(x, Expr) for x in graph)
    again = np.array(evaluate(list(graph), {"t": 0.7, **dict(zip(names, y, strict=True))}), float)
    compiled, plainly = model.rhs(0.7, y), model.plain_rhs(0.7, y, float)
    assert largest(again - plainly) <= model.reordering() * largest(plainly)
    assert largest(again - compiled) <= model.reordering() * largest(compiled)


def test_tables_stay_numbers_in_a_workspace_of_symbols():
    """Constants are folded while tracing: what is known stays a float, only what depends on the state becomes an
    expression."""
    model = Model(systems.mixed_chain())
    W = model.compiled.workspace(object)
    assert model.T.body_f.dtype == float and model.T.primitive_f.dtype == float
    assert all(isinstance(x, float | int) for array in W for x in np.asarray(array, object).ravel())
    assert W.active.dtype == W.state.dtype == np.int64
