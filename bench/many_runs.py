"""Many runs of one model, whose masses and starts vary: runs per second at about equal error.

Lanes (mk.sweep's engine) beside MuJoCo's `rollout` by RK4 on all threads with everything switched off that the chain does
not need, SciPy's DOP853 on compiled right-hand sides, diffrax (the same equations in JAX, mapped over runs), and mk.simulate
in a loop. Everything takes turns in one process;
for chains processor time of all threads counts, so that a busy machine changes little; beside mk.simulate in a loop, which
has one thread, the clock does. The chain has a spring on each pin. Errors
are medians over the runs of the worst angle at any sample, against runs with a tolerance of 1e-11. The ratios wanted are those
of a processor with 8 lanes and 32 registers (AVX-512); notes tell how many lanes there were.
"""

from bench.table import Row
from bench.timing import run_program

# bodies → step at which MuJoCo has about the error of lanes with rtol 1e-6 [s], ratio wanted
CHAINS = {2: (0.01, ""), 7: (0.005, ">= 75"), 30: (0.0025, ">= 35")}
WITH_DIFFRAX = (2, 7)  # bodies
LOOPS = {"four-bar": ">= 500", "squeezer": ">= 60"}
EVALUATIONS = {7: ">= 20", 30: ">= 12"}


def rows():
    for n, (step, wanted) in CHAINS.items():
        yield from chain_rows(n, run_program("many_runs_mekane", n, step, timeout=3600), wanted)
    for name, wanted in LOOPS.items():
        found = run_program("many_runs_mekane", name, timeout=3600)
        what = f"many runs of a {name}"
        yield from missing(what, found) or [compared(what, found, "simulate", "mk.simulate in a loop", wanted)]
    found = run_program("many_runs_mekane", "threads", timeout=3600)
    yield from missing("many runs: two threads", found) or [
        Row("many runs: two threads beside one", per_second(found["two"]), "one thread", per_second(found["one"]),
            found["two"] / found["one"], ">= 1.7", "by the clock: a busy machine has no second core to give")
    ]  # fmt: skip


def chain_rows(n, found, wanted):
    what = f"many runs of a chain of {n}"
    if "missing" in found:
        return missing(what, found)
    peers = {"MuJoCo": wanted, "SciPy": "", "diffrax": "", "simulate": ""}
    rows = [compared(what, found, peer, peer, bound) for peer, bound in peers.items() if peer in found]
    if n in WITH_DIFFRAX and "diffrax" not in found:
        rows.append(
            Row(what, per_second(found["lanes"]), "diffrax", "-", note="not installed: pip install jax diffrax")
        )
    return rows + evaluations(n, found)


def compared(what, found, peer, name, wanted):
    note = f"{found['lane_count']} lanes; median error {found['error']:.0e}"
    note += f", theirs {found[f'{peer} error']:.0e}" if f"{peer} error" in found else ""
    return Row(
        what, per_second(found["lanes"]), name, per_second(found[peer]), found["lanes"] / found[peer], wanted, note
    )


def evaluations(n, found):
    if "evaluations" not in found or "MuJoCo evaluations" not in found:
        return []
    ours, theirs = found["evaluations"], found["MuJoCo evaluations"]
    what = f"evaluations with a fixed step, chain of {n}"
    return [Row(what, per_second(ours), "MuJoCo", per_second(theirs), ours / theirs, EVALUATIONS.get(n, ""))]


def missing(what, found):
    return [Row(what, "-", note=found["missing"])] if "missing" in found else []


def per_second(count):
    return f"{count:.3g}/s"
