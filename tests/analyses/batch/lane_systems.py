"""Systems and batches for tests of many runs."""

import numpy as np

import mekane as mk
from mekane.analyses.batch.one_by_one import run_into
from mekane.analyses.batch.runs import Batch, empty_runs
from mekane.analyses.batch.varied_system import VariedSystem
from mekane.gallery import four_bar, squeezer
from mekane.model.values.orientation import rotation


def chain(n, start):
    """n pins, axes alternating y and x, links of 1 m; start: angles from hanging straight down, then rates."""
    s, place, R = mk.System(f"chain of {n}"), np.zeros(3), np.eye(3)
    before = s.ground
    for i in range(n):
        axis = (0.0, 1.0, 0.0) if i % 2 == 0 else (1.0, 0.0, 0.0)
        world, R = R @ axis, R @ rotation(axis, start[i])
        link = s.body(f"link {i}", 1.0, (0.1, 0.1, 0.01), com=(0, 0, -0.5), position=place, orientation=R)
        s.pin(f"pin {i}", before, link, at=place, axis=world, rate=start[n + i])
        before, place = link, place - R[:, 2]
    return s


def varied_by(system, names, runs, share=0.01):
    """Numbers of the system, each varied by some share of itself."""
    system = system.named([name for name in names if name not in system.parameters])
    values, random = system.parameters, np.random.default_rng(1)
    return {name: float(values[name]) * random.uniform(1 - share, 1 + share, runs) for name in names}


def chain_batch(runs, n=7, t_end=4.0, **settings):
    system = chain(n, 0.3 * np.random.default_rng(5).normal(size=2 * n))
    names = [f"link {i}.mass" for i in range(n)] + ["pin 2.rate"]
    channels = (
        "pin 0.angle", f"pin {n - 1}.angle.rate", f"link {n - 1}.position.x", f"link {n - 1}.orientation.e1",
        f"link {n - 1}.acceleration.y", "pin 0.reaction.Fx",
    )  # fmt: skip
    return Batch(system, varied_by(system, names, runs), np.linspace(0.0, t_end, 21), channels, settings)


def four_bar_batch(runs, **settings):
    system = four_bar.system()
    channels = ("J1.angle", "J1.angle.rate", "link3.position.x", "link3.velocity.x", "link3.acceleration.x")
    return Batch(system, varied_by(system, ["link3.mass"], runs), np.linspace(0.0, 2.0, 21), channels, settings)


def squeezer_batch(runs, **settings):
    system = squeezer.system()
    names = ["K1.mass", "K5.mass", "spring.stiffness"]
    channels = ("K1.position.x", "K3.angular_velocity.z", "K5.orientation.e4")
    return Batch(system, varied_by(system, names, runs), np.linspace(0.0, 0.03, 31), channels, settings)


def run_alone(batch, run):
    """(samples, channels) of one run by the engine of mk.simulate."""
    found = empty_runs(batch.count, len(batch.times), len(batch.channels))
    run_into(found, VariedSystem(batch.system, list(batch.varied)), batch, run)
    return found.values[run]
