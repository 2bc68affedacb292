"""Many runs by lanes, MuJoCo, SciPy, diffrax and mk.simulate, by turns in one process.   bodies step | four-bar | squeezer |
threads"""

import sys
import time

import numpy as np

import mekane as mk
from bench.chain import COM, INERTIA, axis, place
from bench.programs.chain_mujoco import NOT_NEEDED
from bench.programs.many_runs_diffrax import diffrax_runs
from bench.timing import answer
from mekane.analyses.batch.lane_runs import LaneEngine
from mekane.analyses.batch.runs import Batch
from mekane.gallery import four_bar, squeezer
from mekane.solvers.lanes.threads import cores, lanes_of_processor, run_on_threads

AMPLITUDE = {2: 0.7, 7: 0.3, 30: 0.1}  # standard deviation of angles [rad] and rates [rad/s] at the start
# as many that what is done once for a batch (checks, threads: 10 ms) does not count beside them
RUNS = {2: 4000, 7: 2000, 30: 480, "four-bar": 10_000, "squeezer": 400}
STIFFNESS = 0.5  # of the spring on each pin [N m/rad]
T_END, EVERY, RTOL, TURNS = 10.0, 0.1, 1e-6, 4
FEW = 3  # runs of what is slow
BY_DIFFRAX = {2: 256, 7: 64}  # runs; equations of more bodies take XLA minutes to compile


def chain(n):
    s = mk.System(f"chain of {n}")
    before, at = s.ground, np.zeros(3)
    for i in range(n):
        at = at + place(i)
        link = s.body(f"link {i}", mass=1.0, inertia=INERTIA, com=COM, position=at)
        s.pin(f"pin {i}", before, link, at=at, axis=axis(i))
        s.torsional_spring(f"spring {i}", f"pin {i}", STIFFNESS)
        before = link
    return s


def chain_batch(n, **settings):
    random, runs = np.random.default_rng(1), RUNS[n]
    varied = {f"link {i}.mass": random.uniform(0.9, 1.1, runs) for i in range(n)}
    varied |= {f"pin {i}.angle": AMPLITUDE[n] * random.normal(size=runs) for i in range(n)}
    varied |= {f"pin {i}.angle.rate": AMPLITUDE[n] * random.normal(size=runs) for i in range(n)}
    channels = tuple(f"pin {i}.angle" for i in range(n))
    return Batch(chain(n), varied, EVERY * np.arange(round(T_END / EVERY) + 1), channels, settings)


def loop_batch(name, **settings):
    system, t_end = (four_bar.system(), 10.0) if name == "four-bar" else (squeezer.system(), 0.03)
    names = ["link3.mass"] if name == "four-bar" else ["K1.mass", "K5.mass", "spring.stiffness"]
    values, random = system.named(names).parameters, np.random.default_rng(1)
    varied = {one: values[one] * random.uniform(0.99, 1.01, RUNS[name]) for one in names}
    channels = ("J1.angle", "link3.position.x") if name == "four-bar" else ("K1.position.x", "K3.position.y")
    return Batch(system, varied, np.linspace(0.0, t_end, 31), channels, settings)


def on_lanes(engine, threads=None):
    """Integrate all runs again; their code is made, as it is in a second call."""
    runs = engine.runs()
    run_on_threads(*engine.arguments(runs), threads)
    return runs.values


def some(batch, count):
    return batch._replace(varied={name: values[:count] for name, values in batch.varied.items()})


def by_turns(ways, counts, clock=time.process_time):
    """{name: runs per second, best of several}, and what each way found last. clock: processor time of all threads."""
    best, found = {}, {}
    for _ in range(TURNS):
        for name, do in ways.items():
            begun = clock()
            found[name] = do()
            best[name] = max(best.get(name, 0.0), counts[name] / (clock() - begun))
    return best, found


def median_error(found, exact):
    return float(np.median(np.abs(found - exact[: len(found), -found.shape[1] :]).max(axis=(1, 2))))


def one_by_one(engine, batch):
    """mk.simulate in a loop, over systems that are made already."""
    systems = [engine.varied.at({name: x[k] for name, x in batch.varied.items()}) for k in range(FEW)]
    return lambda: [mk.simulate(s, batch.times[-1], every=batch.times, **batch.settings) for s in systems]


def rollout(n, batch, step):
    """MuJoCo by RK4 on all threads; None where it is not installed."""
    try:
        import mujoco
        from mujoco import rollout
    except ImportError:
        return None
    runs = max(2, batch.count // 24)
    models = [mujoco_chain(mujoco, n, [batch.varied[f"link {i}.mass"][k] for i in range(n)], step) for k in range(runs)]
    first = np.zeros((runs, mujoco.mj_stateSize(models[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    for i in range(n):
        first[:, 1 + i] = batch.varied[f"pin {i}.angle"][:runs]
        first[:, 1 + n + i] = batch.varied[f"pin {i}.angle.rate"][:runs]
    data, every = [mujoco.MjData(models[0]) for _ in range(cores())], round(EVERY / step)
    steps = round(T_END / step)
    return lambda: rollout.rollout(models, data, initial_state=first, nstep=steps)[0][:, every - 1 :: every, 1 : 1 + n]


def mujoco_chain(mujoco, n, masses, step):
    spec = mujoco.MjSpec()
    spec.option.integrator, spec.option.timestep = mujoco.mjtIntegrator.mjINT_RK4, step
    spec.option.gravity = (0, 0, -9.81)
    for flag in set(NOT_NEEDED) - {"PASSIVE", "SPRING"}:
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0))
    body = spec.worldbody
    for i in range(n):
        body = body.add_body(pos=place(i), mass=masses[i], ipos=COM, inertia=INERTIA, explicitinertial=True)
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis(i), stiffness=STIFFNESS)
    return spec.compile()


def scipy_runs(engine, batch):
    """SciPy's DOP853 on compiled right-hand sides, which are made already."""
    from scipy.integrate import solve_ivp

    systems = [engine.varied.at({name: x[k] for name, x in batch.varied.items()}) for k in range(FEW)]
    codes, n = [mk.compile(s) for s in systems], engine.solver.compiled.n_u
    starts = [[batch.varied[f"pin {i}.angle{w}"][k] for w in ("", ".rate") for i in range(n)] for k in range(FEW)]
    options = dict(method="DOP853", t_eval=batch.times, rtol=RTOL, atol=1e-2 * RTOL)
    return lambda: np.array(
        [solve_ivp(code.rhs, (0, T_END), y, **options).y[:n].T for code, y in zip(codes, starts, strict=True)]
    )


def chains(n, step):
    batch = chain_batch(n, rtol=RTOL, atol=1e-2 * RTOL)
    engine, lanes = LaneEngine(batch, lanes_of_processor()), lanes_of_processor()
    exact = on_lanes(LaneEngine(chain_batch(n, rtol=1e-11, atol=1e-13), lanes))
    ways = {
        "lanes": lambda: on_lanes(engine),
        "simulate": one_by_one(engine, batch),
        "SciPy": scipy_runs(engine, batch),
    }
    counts = {"lanes": batch.count, "simulate": FEW, "SciPy": FEW, "MuJoCo": max(2, batch.count // 24)}
    theirs = rollout(n, batch, step)
    ways |= {"MuJoCo": theirs} if theirs else {}
    mapped = diffrax_runs(chain(n), batch, BY_DIFFRAX[n]) if n in BY_DIFFRAX else None
    ways, counts = (ways | {"diffrax": mapped}, counts | {"diffrax": BY_DIFFRAX[n]}) if mapped else (ways, counts)
    best, found = by_turns(ways, counts)
    peers = ("MuJoCo", "SciPy", "diffrax")
    errors = {f"{name} error": median_error(found[name], exact) for name in peers if name in found}
    fixed = some(chain_batch(n, method="rk4", step=step), batch.count // 4)
    again = LaneEngine(fixed, lanes)
    rate, _ = by_turns({"rk4": lambda: on_lanes(again)}, {"rk4": fixed.count * 4 * round(T_END / step)})
    evaluations = {"evaluations": rate["rk4"]}
    if theirs:
        evaluations["MuJoCo evaluations"] = best["MuJoCo"] * 4 * round(T_END / step)
    answer(lane_count=lanes, error=median_error(found["lanes"], exact), **best, **errors, **evaluations)


def loops(name):
    batch, lanes = loop_batch(name, rtol=1e-7, atol=1e-9), lanes_of_processor()
    engine, counts = LaneEngine(batch, lanes), {"lanes": RUNS[name], "simulate": FEW}
    exact = on_lanes(LaneEngine(loop_batch(name, rtol=1e-11, atol=1e-13), lanes))
    ways = {"lanes": lambda: on_lanes(engine), "simulate": one_by_one(engine, batch)}
    best, found = by_turns(ways, counts, time.perf_counter)  # by the clock: a loop of runs has one thread
    answer(lane_count=lanes, error=median_error(found["lanes"], exact), **best)


def threads():
    """By the clock, as threads share the work and not the processor time."""
    engine = LaneEngine(chain_batch(7, rtol=RTOL, atol=1e-2 * RTOL), lanes_of_processor())
    ways = {"one": lambda: on_lanes(engine, 1), "two": lambda: on_lanes(engine, 2)}
    answer(**by_turns(ways, dict.fromkeys(ways, RUNS[7]), time.perf_counter)[0])


def main(what, step="0"):
    if what == "threads":
        threads()
    elif what.isdigit():
        chains(int(what), float(step))
    else:
        loops(what)


if __name__ == "__main__":
    main(*sys.argv[1:])
