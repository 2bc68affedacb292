"""Long runs of a fuzzer by hand: many seeds in child processes, with a limit of time for each seed, and a count at the
end.

A child that hangs or dies is reported with the seed it was at, and where it hung, and the rest goes on. Limits of time are only here, not
in the tests.
"""

import argparse
import faulthandler
import multiprocessing
import os
import re
import signal
import time
import traceback
from collections import Counter

from random_mechanism import mechanism

import mekane as mk

BATCH = 100  # seeds of one child
UNDECIDED = "undecided"  # an outcome that is no problem yet, but worth a look


def main(check, about, batch=BATCH):
    """check(seed) → (outcome, problem); an exception counts as a problem."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one seed")
    options = parser.parse_args()
    compile_kernels()
    begun, counts = time.time(), Counter()
    last = options.seed + options.count
    waiting = [(start, min(start + batch, last)) for start in range(options.seed, last, batch)]
    running = []
    while waiting or running:
        while waiting and len(running) < options.jobs:
            running.append(Child(check, waiting.pop(0), options.limit))
        for child in running[:]:
            child.read(counts)
            if child.done:
                running.remove(child)
                if child.left:
                    waiting.insert(0, child.left)
                else:
                    print(f"… {sum(counts.values())} seeds: {dict(counts.most_common())}", flush=True)
        time.sleep(0.02)
    print(f"{sum(counts.values())} seeds in {time.time() - begun:.0f} s: {dict(counts.most_common())}")


def compile_kernels():
    """Before children are made, which share what is compiled then, and could be ended while they compile."""
    for method in ("auto", "implicit"):
        mk.mobility(mk.simulate(mechanism(7), 0.01, method=method, code="loops").system)


def stop_after(reports):
    """A `progress` for simulate that stops the run, as Ctrl-C would, after so many reports."""
    left = iter(range(reports))

    def stop(t, share):
        if next(left, None) is None:
            raise KeyboardInterrupt

    return stop


class Child:
    """A process that checks the seeds of a range, one after another."""

    def __init__(self, check, seeds, limit):
        self.pipe, theirs = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.Process(target=check_all, args=(check, seeds, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.next, self.last, self.limit, self.since, self.done, self.left = *seeds, limit, time.time(), False, None

    def read(self, counts):
        """Take what has come; end a child that hangs."""
        try:
            while self.pipe.poll():
                self.take(*self.pipe.recv(), counts)
        except EOFError:
            self.end(f"died with code {self.exit_code()}", counts)
        if not self.done and time.time() - self.since > self.limit:
            os.kill(self.process.pid, signal.SIGABRT)  # then it tells where it is
            self.process.join(5.0)
            self.process.kill()
            self.end(f"hung for {self.limit:g} s", counts)

    def take(self, seed, outcome, problem, counts):
        counts[outcome] += 1
        self.next, self.since = seed + 1, time.time()
        if problem or outcome == UNDECIDED:
            print(f"seed {seed}: {outcome}: {problem}", flush=True)

    def exit_code(self):
        self.process.join()
        return self.process.exitcode

    def end(self, problem, counts):
        self.done = True
        if self.next < self.last:
            self.take(self.next, "killed", problem, counts)
            self.left = (self.next, self.last) if self.next < self.last else None


def check_all(check, seeds, pipe):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    faulthandler.enable()
    for seed in range(*seeds):
        try:
            outcome, problem = check(seed)
        except Exception:
            outcome, problem = "raised", short(traceback.format_exc(limit=-4))
        pipe.send((seed, outcome, problem))
    pipe.close()
    os._exit(0)


def short(trace):
    """The last places of a traceback and the error, on one line."""
    places = re.findall(r'File ".*?([^/"]+/[^/"]+)", line (\d+), in (.+)', trace)
    return (
        f"{trace.strip().splitlines()[-1][:300]} ({' > '.join(f'{file}:{line} {name}' for file, line, name in places)})"
    )
