"""From a text to a run: read, put together, simulated, within bounds that keep a page alive."""

import threading
import time
from collections import OrderedDict
from contextlib import contextmanager

from mekane.analyses.simulate import simulate
from mekane.errors import ModelError
from mekane.importers._yaml_text import read_data
from mekane.importers.text_places import places
from mekane.importers.yaml import from_dict, simulate_options
from mekane.model.construction_log import PARTS
from mekane.view.web.server import nobody_waits, request_time

T_END = 5.0  # where a model gives none [s]
MOST_SAMPLES = 5000
PATIENCE, LEAST = 20.0, 2.0  # with one run from the moment of the request, and at least for its steps [s]
QUICK = {"rtol": 1e-5, "atol": 1e-8}  # while a slider is moved; when it is released, the run is as the file has it
KEPT = 6  # runs
WAIT = 0.05  # between checks whether an answer is still wanted [s]
MOST_PARTS = 2000  # to read and to compile that many takes some ten seconds
MOST_REMARKS = 30


class Superseded(Exception):
    """A newer request of the same page makes this one useless, or the page is gone."""


class TimeLimit:
    """Counts from the moment of the request; who had to wait for kernels or for others still gets a little time to
    compute."""

    def __init__(self):
        self.requested, self.begun = request_time(), None

    @property
    def expired(self) -> bool:
        now = time.monotonic()
        self.begun = self.begun or now
        return now - self.requested > PATIENCE and now - self.begun > LEAST


class Computing:
    """Runs of texts, one at a time; the last few are kept. lock: runs and analyses are not made for several threads at
    once."""

    def __init__(self):
        self.runs, self.lock, self.newest = OrderedDict(), threading.RLock(), {}

    def announce(self, viewer: str, number: int) -> None:
        """The newest request of a page supersedes its older ones."""
        self.newest[viewer] = max(number, self.newest.get(viewer, 0))
        while len(self.newest) > 100:
            self.newest.pop(next(iter(self.newest)))

    def run(self, text: str, viewer: str = "", number: int = 0, quick: bool = False):
        """(run, remarks) of a model's text."""
        with self.turn(viewer, number):
            if (text, quick) in self.runs:
                self.runs.move_to_end((text, quick))
                return self.runs[text, quick]
            self.refuse_old(viewer, number)
            found = self.computed(text, viewer, number, quick)
            self.runs[text, quick] = found
            while len(self.runs) > KEPT:
                self.runs.popitem(last=False)
            return found

    @contextmanager
    def turn(self, viewer=None, number=0):
        """One thread at a time; who waits may be superseded meanwhile, or be gone."""
        while not self.lock.acquire(timeout=WAIT):
            self.refuse_old(viewer, number)
        try:
            yield
        finally:
            self.lock.release()

    def computed(self, text, viewer, number, quick):
        system, options = read(text)
        t_end, options, remarks = bounded(options)
        if quick:
            options = quicker(options)
        limit = TimeLimit()

        def watch(t, share):
            if self.is_old(viewer, number) or (limit.expired and share < 1):
                raise KeyboardInterrupt  # the solver keeps what it has

        run = simulate(system, t_end, progress=watch, **options)
        self.refuse_old(viewer, number)
        if not len(run.t):
            problem, remedy = (
                run.info["stopped"] or "nothing was computed",
                "Check what happens at the start, or make t_end smaller.",
            )
            raise ModelError("simulate", problem, "a motion is expected", remedy)
        if run.info["stopped"]:
            remarks.append(
                f"Computing was ended after {PATIENCE:g} s, at t = {run.t[-1]:.4g} s."
                if limit.expired
                else run.info["stopped"]
            )
        return run, [*shortened(system.check()), *remarks]

    def is_old(self, viewer, number) -> bool:
        return number < self.newest.get(viewer, 0) or nobody_waits()

    def refuse_old(self, viewer, number) -> None:
        if self.is_old(viewer, number):
            raise Superseded


def read(text: str):
    """The System of a text and its options; a text is never taken for the name of a file."""
    places(text)  # they are wanted later; and the size of the text is bounded from here on
    data = read_data(text, "YAML text", checked=True)
    parts = (
        sum(len(data[section]) for section in PARTS if isinstance(data.get(section), dict))
        if isinstance(data, dict)
        else 0
    )
    if parts > MOST_PARTS:
        expected = f"at most {MOST_PARTS} are taken here"
        raise ModelError("model", f"it has {parts} parts", expected, "Run it with mekane run.")
    return from_dict(data, "YAML text"), simulate_options(data, "YAML text")


def shortened(remarks: list) -> list:
    return (
        remarks
        if len(remarks) <= MOST_REMARKS
        else [*remarks[:MOST_REMARKS], f"… and {len(remarks) - MOST_REMARKS} more."]
    )


def bounded(options: dict):
    """(t_end, options, remarks) so that a page can show it."""
    options, remarks = dict(options), []
    t_end = options.pop("t_end", None)
    if t_end is None:
        t_end = T_END
        remarks.append(
            f"The model does not say how long to simulate: {T_END:g} s are taken.  simulate: {{t_end: 2}}  says it."
        )
    if t_end / options.get("every", t_end) > MOST_SAMPLES:
        remarks.append(f"Only {MOST_SAMPLES} samples are kept here; mekane run keeps all.")
        options["every"] = t_end / MOST_SAMPLES
    return t_end, options, remarks


def quicker(options: dict) -> dict:
    loosest = {name: max(options.get(name, 0.0), value) for name, value in QUICK.items()}
    return {**options, **loosest, "code": "loops"} if "step" not in options else options
