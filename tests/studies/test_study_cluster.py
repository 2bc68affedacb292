"""Studies on several processes. Oracles: the same study here, to the last bit; every run added once."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from oscillators import oscillator

import mekane as mk
from mekane.analyses.studies import conduct as conduct_module
from mekane.analyses.studies import versions as versions_module
from mekane.analyses.studies.cluster import study_from
from mekane.analyses.studies.conduct import Collected
from mekane.analyses.studies.study import Study
from mekane.errors import ModelError

distributed = pytest.importorskip("distributed", reason="dask.distributed is an optional extra")
dask = pytest.importorskip("dask")

VARY = {"k": np.linspace(1, 900, 8)}
WANTED = dict(t_end=0.5, every=0.05, measure={"top": "max(abs(mass.position.x))"})
POISON = 514.0


def study(**more):
    return mk.sweep(oscillator(), VARY, **WANTED | more)


@pytest.fixture(scope="module")
def here():
    return study(engine="one by one")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(conduct_module, "FIRST", 2)


@pytest.fixture(scope="module")
def client():
    """Two processes. Of a chunk whose worker dies it is known at once."""
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        options = dict(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50)
        with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
            yield client


def alike(a, b):
    return all(a[name].values.tobytes() == b[name].values.tobytes() for name in ("top", "status"))


def test_other_processes_compute_the_same_bytes(client, here):
    assert alike(study(cluster=client, engine="one by one"), here)


@pytest.mark.exhaustive
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_bits_on_lanes_do_not_depend_on_the_number_of_workers(workers):
    """Chunks of other sizes, in other lanes, in other processes."""
    wanted, names = WANTED | dict(keep="guide.displacement", engine="lanes"), ["top", "guide.displacement", "status"]
    vary = {"k": np.linspace(1, 900, 37), "mass.mass": [0.5, 1.0, 2.0]}
    here, there = (mk.sweep(oscillator(), vary, **wanted, **more) for more in ({}, {"workers": workers}))
    assert there.attrs["engine"] == "lanes"
    assert [there[name].values.tobytes() for name in names] == [here[name].values.tobytes() for name in names]


def test_the_model_travels_as_text(client, here):
    """What is sent is text and numbers: no part of the model is pickled."""
    from mekane.analyses.studies.axes import read_axes
    from mekane.analyses.studies.cluster import study_from
    from mekane.analyses.studies.study import Study

    axes = read_axes(oscillator(), VARY)
    made = Study(oscillator(), list(axes.columns), times=[0.0, 0.5], measure=WANTED["measure"])
    again = study_from(json.loads(made.text))
    assert again.text == made.text and again.digest == made.digest


def test_a_worker_killed_in_flight(client, here, monkeypatch):
    """Nothing is lost, and nothing is there twice."""
    added, add = [], Collected.add

    def noted(self, runs, block):
        added.extend(np.asarray(runs).tolist())
        add(self, runs, block)

    monkeypatch.setattr(Collected, "add", noted)
    client.register_plugin(Slow(), name="slow")
    try:
        victim = next(iter(client.run(os.getpid).values()))
        timer = threading.Timer(1.0, os.kill, (victim, signal.SIGKILL))
        timer.start()
        found = study(cluster=client, engine="one by one")
    finally:
        client.unregister_worker_plugin("slow")
    assert alike(found, here) and sorted(added) == list(range(8))
    assert victim not in client.run(os.getpid).values()


class Slow(distributed.WorkerPlugin):
    """Every chunk takes a while."""

    def setup(self, worker):
        from mekane.analyses.studies.study import Study

        self.compute = Study.compute
        Study.compute = lambda study, values, *args, **keywords: (
            time.sleep(1.0),
            self.compute(study, values, *args, **keywords),
        )[1]

    def teardown(self, worker):
        from mekane.analyses.studies.study import Study

        Study.compute = self.compute


class Poisoned(distributed.WorkerPlugin):
    """The run whose k is nearest to POISON ends the process that computes it."""

    def setup(self, worker):
        from mekane.analyses.studies.study import Study

        self.compute = Study.compute

        def compute(study, values, *args, **keywords):
            if (np.abs(values["k"] - POISON) < 20.0).any():
                os.kill(os.getpid(), signal.SIGKILL)
            return self.compute(study, values, *args, **keywords)

        Study.compute = compute

    def teardown(self, worker):
        from mekane.analyses.studies.study import Study

        Study.compute = self.compute


def test_a_run_that_ends_its_worker_every_time(client, here):
    client.register_plugin(Poisoned(), name="poisoned")
    try:
        with pytest.warns(UserWarning, match="1 of 8 runs failed.*it ended the process that computed it"):
            found = study(cluster=client, engine="one by one")
    finally:
        client.unregister_worker_plugin("poisoned")
    poisoned = np.abs(VARY["k"] - POISON) < 20.0
    assert poisoned.sum() == 1 and (found["status"].values[poisoned] == 4).all()
    assert found["top"].values[~poisoned].tobytes() == here["top"].values[~poisoned].tobytes()
    assert (found["status"].values[~poisoned] == 0).all()


def be_another(program):
    """On a worker: versions of another program; of its own if None."""
    if program is None:
        versions_module.versions = versions_module.kept
        return
    versions_module.kept = versions_module.versions
    versions_module.versions = lambda: {"mekane": program, "program": "another"}


def test_another_program_is_refused(client):
    client.run(be_another, "9.9")
    try:
        with pytest.raises(ModelError, match="has another program: mekane 9.9 there, .* here"):
            study(cluster=client)
    finally:
        client.run(be_another, None)


SCHEDULER = """
import time
from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50)
    print(cluster.scheduler_address, flush=True)
    time.sleep(300)
"""


def test_a_scheduler_that_is_lost(tmp_path, here):
    """What was computed is in the store; the rest is computed afterwards, here."""
    (tmp_path / "scheduler.py").write_text(SCHEDULER)
    paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]  # its workers read this file
    finding = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, tmp_path / "scheduler.py"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=finding)
    try:
        address, path = process.stdout.readline().strip(), tmp_path / "a.nc"
        with distributed.Client(address) as lost:
            lost.register_plugin(Slow(), name="slow")
            threading.Thread(target=kill_after_the_first_part, args=(process, path), daemon=True).start()
            with pytest.warns(UserWarning, match="The scheduler of the cluster is lost.*Repeat the call"):
                broken_off = study(cluster=lost, to=path, engine="one by one")
    finally:
        process.kill()
    done = broken_off["status"].values == 0
    assert 0 < done.sum() < 8 and Path(f"{path}.parts").is_dir()
    assert broken_off["top"].values[done].tobytes() == here["top"].values[done].tobytes()
    assert alike(study(to=path, engine="one by one"), here)


def kill_after_the_first_part(process, path):
    while not list(Path(f"{path}.parts").glob("runs-*.npz")):
        time.sleep(0.01)
    process.kill()


def test_workers_are_started_and_ended(here):
    before = {child for child in children()}
    assert alike(study(workers=1, engine="one by one"), here)
    assert children() <= before


def children():
    import multiprocessing

    return {child.pid for child in multiprocessing.active_children()}


@pytest.mark.parametrize("given, message", [
    (dict(workers=0), "workers: it is 0"), (dict(cluster=3), "cluster: it is int"),
    (dict(workers=1, cluster="tcp://x"), "both given"), (dict(cluster="nonsense"), "no scheduler answers at 'nonsense'"),
])  # fmt: skip
def test_bad_clusters_are_explained(given, message):
    with pytest.raises(ModelError, match=message):
        study(**given)


def crank():
    """A slider crank whose parts are not given in the order of the alphabet; as described it is closed."""
    s = mk.System("crank", planar="xy", gravity=(0, 0, 0), parameters={"k": 2e3})
    wheel = s.body("wheel", mass=0.5, shape=mk.Rod(0.1), position=(0.05, 0, 0))
    rod = s.body("rod", mass=0.4, shape=mk.Rod(0.3), position=(0.25, 0, 0))
    piston = s.body("piston", mass=0.8, inertia=1e-3, position=(0.4, 0, 0))
    s.pin("main", s.ground, wheel, at=(0, 0, 0), axis="z", rate="300 rpm")
    s.pin("big end", wheel, rod, at=(0.1, 0, 0), axis="z")
    s.pin("wrist", rod, piston, at=(0.4, 0, 0), axis="z")
    s.slider("bore", piston, s.ground, at=(0.4, 0, 0), axis="x")
    s.spring("buffer", (s.ground, (0.8, 0, 0)), (piston, (0, 0, 0)), stiffness="k", length=0.4)
    return s


def test_a_study_from_its_text_computes_the_same_bytes():
    """As a worker makes it. In another order of its parts the tree begins at the other end, and the numbers differ by 1e-11."""
    study = Study(crank(), ["k"], times=[0.0, 0.2, 0.4], keep=["bore.displacement", "wrist.reaction.force"])
    values = {"k": np.linspace(1e3, 5e3, 9)}
    here, there = (one.compute(values, 1) for one in (study, study_from(json.loads(study.text))))
    assert here.engine == there.engine == "lanes" and (here.status == 0).all()
    for name in study.variables:
        assert here.data[name].tobytes() == there.data[name].tobytes(), name
