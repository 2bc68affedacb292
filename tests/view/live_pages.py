"""Live engines in a browser: scripts of models put into one page, run there, compared with mk.simulate."""

import json

import numpy as np

import mekane as mk
from mekane.view.web.live_code import live_code

TIGHT = {"rtol": 1e-12, "atol": 1e-14}
SAMPLES = 13  # at instants at which nothing of the gallery is hit
AT_EVENT = 1e-9  # s: there speeds are those before or after
ADVANCED = """((times, values) => {
  const about = %s, engine = engineOf(window.liveModel, about, { rtol: 1e-13, atol: 1e-15 });
  values.forEach((x, k) => { if (x !== null) engine.set(k, x); });
  const first = engine.energy.balance, poses = [];
  let drift = 0, residual = 0;
  for (const t of times) {
    engine.advance(t);
    poses.push(Array.from(engine.model.bodies(engine.t, engine.y, engine.p)));
    drift = Math.max(drift, Math.abs(engine.energy.balance - first));
    for (const project of [engine.model.project_positions, engine.model.project_speeds].filter(Boolean)) {
      residual = Math.max(residual, project(engine.t, engine.y, engine.p)[about.n]);
    }
  }
  return { poses, drift, residual, t: engine.t, endedBy: engine.endedBy, steps: engine.steps, kinetic: engine.energy.kinetic };
})(%s, %s)"""


def played(browser, system, times, sliders=(), values=(), formulation="joint", impacts="simultaneous"):
    """Where all bodies are at these times, (time, body, 18), and what the engine says besides."""
    code = live_code(system, sliders, formulation, impacts)
    browser.evaluate(code.script)
    found = browser.evaluate(ADVANCED % tuple(map(json.dumps, (code.about, list(times), list(values)))))
    return np.array(found["poses"]).reshape(len(times), -1, 18), found


def simulated(system, t_end, formulation="joint", impacts="simultaneous"):
    """Times, and the same by mk.simulate."""
    run = mk.simulate(system, t_end, every=t_end / SAMPLES, formulation=formulation, impacts=impacts, **TIGHT)
    k, parts = run.kinematics, []
    for name in system.bodies:
        rows = k.position(name), k.R(name).reshape(-1, 9), k.velocity(name), k.angular_velocity(name)
        parts.append(np.concatenate(rows, axis=1))
    kept = [all(abs(t - line.time) > AT_EVENT for line in run.events) for t in run.t]
    return run.t[kept], np.stack(parts, axis=1)[kept]


def disagreement(browser, system, t_end, formulation="joint", impacts="simultaneous"):
    """Largest error of positions and rotations, relative to the size of what moves; that of velocities likewise; and what
    else is known."""
    times, expected = simulated(system, t_end, formulation, impacts)
    there, found = played(browser, system, times, formulation=formulation, impacts=impacts)
    return *relative_errors(there, expected), found


def relative_errors(there, expected):
    """Of positions and rotations, and of velocities, as `disagreement` has them."""
    error, size = np.abs(there - expected), np.abs(expected).max(axis=(0, 1))
    return error[..., :12].max() / max(1.0, size[:3].max()), error[..., 12:].max() / max(1.0, size[12:].max())
