"""Mekane: time of sim.step(dt, u=…) with two channels read.   steps"""

import sys

import mekane as mk
from bench.programs.chain_mekane import chain
from bench.stepping import BODIES, GAIN, STEP
from bench.timing import answer, fastest


def main(steps):
    s = chain(BODIES)
    s.input("u", 0.0, unit="N m")
    s.motor("drive", "pin 0", torque="u")
    sim = mk.stepper(s, method="rk4", record=False)

    def run():
        sim.reset()
        rate = 0.0
        for _ in range(steps):
            sim.step(STEP, u=GAIN - 0.1 * rate)
            angle, rate = sim["pin 0.angle"], sim["pin 0.angle.rate"]
        return angle

    run()
    angles = [sim[f"pin {i}.angle"] for i in range(BODIES)]
    answer(step=fastest(run) / steps, angles=angles)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
