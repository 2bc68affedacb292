"""A run leaves the process as it found it: garbage collector, child processes, memory."""

import gc
import sys
import threading
import weakref

import pytest

import mekane as mk
from mekane.codegen.machine_code import Machine, assemble
from mekane.solvers.entries import precompile


def arm(mass=1.0):
    s = mk.System("arm", gravity=(0, 0, -9.81))
    s.body("arm", mass=mass, inertia=(0.1, 0.1, 0.1), position=(0, 0, -0.5))
    s.pin("hinge", s.ground, "arm", at=(0, 0, 0), axis="y", rate=1.0)
    return s


@pytest.fixture
def collector():
    yield
    gc.enable()


@pytest.mark.parametrize("collecting", [True, False])
def test_the_garbage_collector_is_left_as_it_was(collector, collecting):
    (gc.enable if collecting else gc.disable)()
    mk.simulate(arm(), 0.1)
    assert gc.isenabled() is collecting


@pytest.mark.parametrize("collecting", [True, False])
def test_it_rests_while_code_is_compiled(collector, collecting, monkeypatch):
    """Also where compiling fails, or is interrupted."""
    monkeypatch.setattr(precompile, "is_complete", lambda name: False)
    monkeypatch.setattr(precompile, "mark_complete", lambda name: None)
    (gc.enable if collecting else gc.disable)()
    with pytest.raises(KeyboardInterrupt), precompile.first_use("solvers/nothing"):
        assert not gc.isenabled()
        raise KeyboardInterrupt
    assert gc.isenabled() is collecting


def test_the_other_process_of_the_first_compilation_is_waited_for(monkeypatch):
    """Its thread ends when it does, and has read its exit code then: no process without one is left behind."""
    monkeypatch.setattr(precompile, "OTHER_HALF", "raise SystemExit(7)")
    before = set(threading.enumerate())
    other = precompile.start_other(precompile.OTHER_HALF)
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert other.returncode == 7


def test_compiling_is_reported_once_where_nothing_can_be_stored(monkeypatch, capsys):
    """Then no mark on disk will ever say that all is there."""
    monkeypatch.setattr(precompile, "is_complete", lambda name: False)
    monkeypatch.setattr(precompile, "mark_complete", lambda name: None)
    monkeypatch.setattr(precompile, "can_store", lambda: False)
    monkeypatch.setattr(precompile, "_loaded", set())
    monkeypatch.setattr(precompile, "_begun", False)
    monkeypatch.delenv("MEKANE_WARM", raising=False)
    for _ in range(2):
        with precompile.first_use("solvers/nothing"):
            precompile.prepare_motion()
            precompile.announce("solvers/nothing", "nothing")
    assert capsys.readouterr().err.count("for the first time") == 2  # one of each


def test_no_other_process_where_none_can_be_started(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert precompile.start_other(precompile.OTHER_HALF) is None


def test_code_of_a_run_goes_with_it(monkeypatch):
    """Forty runs of models of their own, code made for each: none of it is left."""
    alive, usual = weakref.WeakSet(), Machine.__init__
    monkeypatch.setattr(
        Machine, "__init__", lambda self, text, keep=True: (alive.add(self), usual(self, text, keep=False))[0]
    )
    for k in range(40):
        mk.simulate(arm(1.0 + 0.01 * k), 1e-3, code="specialised")
    gc.collect()
    assert len(alive) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_making_code_leaves_no_memory_behind():
    """Under 5 kB for each of 200 modules of 300 operations, whose passes alone took 50 kB when LLVM's optimiser ran. A
    quantum of the allocator, shared by all 200, is the only growth expected."""
    sums = "\n".join(f"  %x{k} = fadd double %x{k - 1}, {k}.5" for k in range(1, 300))
    text = lambda n: f"define double @f(double %x0) {{\n{sums}\n  %y = fadd double %x299, {n}.25\n  ret double %y\n}}\n"
    resident = lambda: int(open("/proc/self/statm").read().split()[1]) * 4
    for n in range(20):
        assemble(text(n))
    gc.collect()
    before = resident()
    for n in range(200):
        assemble(text(20 + n))
    gc.collect()
    assert resident() - before < 200 * 5
