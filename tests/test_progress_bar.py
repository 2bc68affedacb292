"""The bar of long calls. Oracles: a clock that the test moves, what a terminal and a notebook were given to show."""

import io
import sys
import threading
from types import SimpleNamespace

import pytest

import mekane as mk
from mekane import progress as module
from mekane.errors import ModelError
from mekane.progress import Bar, reporting


def spring_mass():
    s = mk.System(gravity=(0, 0, 0))
    s.slider("rail", s.ground, s.body("m", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0)), axis="x")
    s.spring("k", s.ground, "m", stiffness=1.0, length=0.5)
    return s


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Shown:
    """Stands for what is drawn; keeps what it was given."""

    def __init__(self, total, forced=False):
        self.total, self.texts, self.closed = total, [], 0
        Shown.all.append(self)

    def update(self, done, text):
        self.texts.append(text)

    def close(self):
        self.closed += 1


@pytest.fixture
def shown(monkeypatch):
    """At a terminal: the bars that were opened."""
    Shown.all = []
    monkeypatch.setattr(module, "TerminalBar", Shown)
    monkeypatch.setattr(module, "is_terminal", lambda: True)
    return Shown.all


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def reported(bar, clock, reports):
    for clock.now, done in reports:
        bar(done, done / 10)


def test_the_bar_appears_after_a_second_and_is_not_drawn_too_often(shown):
    clock = Clock()
    bar = Bar(10.0, timer=clock)
    reported(bar, clock, [(0.5, 1.0), (0.99, 2.0)])
    assert not shown
    reported(bar, clock, [(1.01, 3.0), (1.02, 4.0), (1.05, 5.0), (1.2, 6.0)])
    bar.close()
    bar.close()
    assert [(one.texts, one.closed) for one in shown] == [(["t = 3.00 of 10 s", "t = 6.00 of 10 s"], 1)]


@pytest.mark.parametrize(
    "t, t_end, text",
    [
        (0.1234567, 1.0, "t = 0.123 of 1 s"),
        (39876.54, 4e4, "t = 39877 of 40000 s"),
        (2e-5, 1e-3, "t = 0.000020 of 0.001 s"),
    ],
)
def test_times_are_written_alike_during_a_run(t, t_end, text):
    assert module.time_of(t, t_end) == text


def test_no_bar_for_what_is_done(shown):
    clock = Clock()
    reported(Bar(10.0, timer=clock), clock, [(5.0, 10.0)])
    assert not shown


def test_one_bar_at_a_time(shown):
    """A call inside another: the objective of an optimization that simulates."""
    clock = Clock()
    outer, inner, next_one = (Bar(10.0, timer=clock) for _ in range(3))
    reported(outer, clock, [(2.0, 1.0)])
    reported(inner, clock, [(3.0, 1.0)])
    inner.close()
    assert len(shown) == 1 and not shown[0].closed
    outer.close()
    reported(next_one, clock, [(4.0, 1.0)])
    next_one.close()
    assert len(shown) == 2 and Bar.current is None


@pytest.mark.parametrize("error", [OSError("gone"), UnicodeEncodeError("ascii", "━", 0, 1, "cannot")])
def test_a_terminal_that_is_gone_does_not_stop_the_call(shown, monkeypatch, error):
    def fails(*_):
        raise error

    clock = Clock()
    bar = Bar(10.0, timer=clock)
    monkeypatch.setattr(Shown, "update", fails)
    reported(bar, clock, [(2.0, 1.0), (3.0, 2.0)])
    assert [one.closed for one in shown] == [1] and Bar.current is None


def test_who_gets_a_bar(shown, monkeypatch):
    def kind_of(progress):
        with reporting(progress, 1.0) as report:
            return report if report is None or report is print else type(report)

    assert [kind_of(one) for one in (None, True, False, print)] == [Bar, Bar, None, print]
    beside = []
    thread = threading.Thread(target=lambda: beside.append(kind_of(None)))
    thread.start()
    thread.join()
    assert beside == [None]  # runs side by side would draw over one another
    monkeypatch.setattr(module, "is_terminal", lambda: False)
    assert [kind_of(one) for one in (None, True)] == [None, Bar]
    with pytest.raises(ModelError, match="progress: it is 3; True, False or a function"):
        kind_of(3)


def simulated(monkeypatch, **keywords):
    """A run that has waited long enough from its first report on."""
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    return mk.simulate(spring_mass(), 500.0, every=1.0, step=0.01, **keywords)


def test_simulate_shows_and_closes_a_bar(shown, monkeypatch):
    run = simulated(monkeypatch)
    assert [one.closed for one in shown] == [1] and shown[0].total == 500.0
    assert all(text.endswith("of 500 s") for text in shown[0].texts) and shown[0].texts
    shown.clear()
    assert simulated(monkeypatch, progress=False) == run and not shown
    monkeypatch.setattr(module, "is_terminal", lambda: False)
    assert simulated(monkeypatch) == run and not shown
    assert simulated(monkeypatch, progress=True) == run and shown


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_the_bar_goes_at_ctrl_c_and_at_an_error(shown, monkeypatch, error):
    def interrupted(*_):
        raise error

    monkeypatch.setattr(Shown, "update", interrupted)
    if error is KeyboardInterrupt:
        assert "stopped by the user" in simulated(monkeypatch).info["stopped"]
    else:
        with pytest.raises(ZeroDivisionError):
            simulated(monkeypatch)
    assert [one.closed for one in shown] == [1] and Bar.current is None


def test_evaluations_of_an_optimization_are_shown(shown, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    s = mk.System(parameters={"l": 0.8})
    s.pin("hinge", s.ground, s.body("bob", mass=1.0, position=(0, 0, "$-l")), at=(0, 0, 0), axis="y")
    mk.optimize(s, {"l": (0.1, 2.0)}, objective=lambda design: (design.frequency(1) - 0.5) ** 2)
    assert [one.closed for one in shown] == [1] and shown[0].texts[0].startswith("evaluation 1, objective ")


def test_what_a_terminal_gets(monkeypatch):
    """The line is erased at the end, and the process is as it was."""
    terminal, out = Terminal(), sys.stdout
    monkeypatch.setattr(sys, "stderr", terminal)
    bar = module.TerminalBar(10.0, forced=True)
    bar.update(3.0, "t = [b]3[/b] of 10 s")
    threads = threading.active_count()
    bar.close()
    text = terminal.getvalue()
    assert "t = [b]3[/b] of 10 s" in text and "━" in text
    assert text.rstrip("\r\n").endswith("\x1b[2K") and sys.stdout is out and sys.stderr is terminal
    assert threads == threading.active_count()  # it draws when a report comes


def test_what_a_notebook_gets(monkeypatch):
    """IPython as far as a bar needs it."""
    published = []
    output = SimpleNamespace(update=lambda data, raw: published.append(data))
    display = SimpleNamespace(display=lambda data, raw, display_id: output)
    ipython = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel="there"), display=display)
    assert not module.in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert module.in_notebook() and module.is_watched()
    clock = Clock()
    bar = Bar(10.0, lambda t, share: f"{t} < 10", timer=clock)
    reported(bar, clock, [(0.5, 1.0), (2.0, 3.0)])
    bar.close()
    assert published == [
        {"text/html": '<progress value="3.0" max="10.0"></progress> 3.0 &lt; 10', "text/plain": "3.0 < 10"},
        {"text/html": "", "text/plain": ""},
    ]
