"""Many runs of a chain by diffrax: the equations that Mekane writes for JAX, mapped over runs and compiled by XLA, by Dormand
and Prince's method of order 8 with a step of its own for each run.   pip install jax diffrax"""

import importlib.util
import tempfile
from pathlib import Path

import numpy as np

import mekane as mk

MOST_STEPS = 4096


def diffrax_runs(system, batch, count):
    """A function that integrates the first runs of a batch, compiled already; None where diffrax is not installed."""
    try:
        import diffrax
        import jax
        import jax.numpy as jnp
    except ImportError:
        return None
    masses = [name for name in batch.varied if name.endswith(".mass")]
    equations = written(system.named(masses), masses)
    starts = jnp.array([batch.varied[name][:count] for name in equations.STATE]).T
    parameters = jnp.array([batch.varied[name][:count] for name in equations.PARAMETERS]).T
    control = diffrax.PIDController(rtol=batch.settings["rtol"], atol=batch.settings["atol"])
    term = diffrax.ODETerm(lambda t, y, p: equations.rhs(t, y, p))
    times = jnp.array(batch.times)

    def run(y, p):
        return diffrax.diffeqsolve(
            term, diffrax.Dopri8(), 0.0, times[-1], None, y, p, saveat=diffrax.SaveAt(ts=times),
            stepsize_controller=control, max_steps=MOST_STEPS,
        ).ys  # fmt: skip

    runs = jax.jit(jax.vmap(run))
    found = lambda: np.asarray(runs(starts, parameters))[:, :, : len(equations.STATE) // 2]
    found()
    return found


def written(system, parameters):
    """The equations of a system as a module for JAX."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain_equations.py"
        mk.export_equations(system, path, language="jax", parameters=parameters)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module
