"""Pictures of runs. Oracles: numbers of the run, read back from the drawn lines, bit for bit; closed forms of a small
swing."""

import numpy as np
import pytest

import mekane as mk
from mekane import gallery
from mekane.errors import FileError, ModelError
from mekane.model.names import joint_coordinates
from mekane.view.plots.spectrum import WINDOWS, spectrum
from mekane.view.plots.telling import is_wheel

LENGTH, SWING = 0.5, 1e-3


def pendulum(name="pendulum", length=LENGTH):
    """A point mass on a string of this length, pushed so that it swings by about SWING."""
    s = mk.System(name)
    bob = s.body("bob", mass=2.0, position=(0, 0, -length))
    s.pin("hinge", s.ground, bob, at=(0, 0, 0), axis="y", rate=SWING * np.sqrt(9.81 / length))
    s.torsional_damper("drag", "hinge", damping=1e-3)
    return s


@pytest.fixture(scope="module")
def run():
    return mk.simulate(pendulum(), 20.0, every=0.02)


def lines(axes):
    """Label → (x, y) of the drawn lines."""
    return {line.get_label(): line.get_data() for line in axes.get_lines()}


def same(line, x, y):
    return np.array_equal(line[0], x) and np.array_equal(line[1], y)


# ---------------------------------------------------------------- over time


def test_lines_are_the_numbers_of_the_run(run):
    figure = run.plot("hinge.angle", "bob.position", "bob.velocity.x")
    angle, position, speed = figure.axes
    assert same(lines(angle)["hinge.angle"], run.t, run["hinge.angle"].values)
    assert [label.get_text() for label in position.get_legend().get_texts()] == [
        f"bob.position.{axis}" for axis in "xyz"
    ]
    for k, axis in enumerate("xyz"):
        assert same(lines(position)[f"bob.position.{axis}"], run.t, run["bob.position"].values[:, k])
    assert same(lines(speed)["bob.velocity.x"], run.t, run["bob.velocity.x"].values)
    labels = ["hinge.angle [rad]", "bob.position [m]", "bob.velocity.x [m/s]"]
    assert [axes.get_ylabel() for axes in figure.axes] == labels and speed.get_xlabel() == "t [s]"


def test_numbers_of_one_unit_share_a_panel(run):
    figure = run.plot("bob.position.x", "hinge.angle", "bob.position.z", "bob.acceleration.x")
    assert [axes.get_ylabel() for axes in figure.axes] == [
        "position [m]",
        "hinge.angle [rad]",
        "bob.acceleration.x [m/s²]",
    ]
    assert list(lines(figure.axes[0])) == ["bob.position.x", "bob.position.z"]


def test_without_names_it_draws_joint_coordinates(run):
    assert [list(lines(axes)) for axes in run.plot().axes] == [["hinge.angle"]]


def test_names_are_shown_as_they_are():
    """Dollars are no formulas, and underscores hide nothing."""
    s = mk.System("cost: $5")
    for k, name in enumerate(["_a$", "_b$"]):
        s.body(name, mass=1, position=(0, 0, k))
    figure = mk.simulate(s, 0.1).plot("_a$.position.z", "_b$.position.z")
    figure.canvas.draw()
    assert [label.get_text().replace("\\", "").strip() for label in figure.axes[0].get_legend().get_texts()] == [
        "_a$.position.z", "_b$.position.z",
    ]  # fmt: skip


def test_of_many_the_legend_names_some():
    s = mk.System("crowd")
    for k in range(7):
        s.body(f"b{k}", mass=1, position=(k, 0, 0))
    (axes,) = mk.simulate(s, 0.1).plot().axes
    names = [label.get_text() for label in axes.get_legend().get_texts()]
    assert len(lines(axes)) == 21 + 1 and names[:2] == ["b0.position.x", "b0.position.y"] and names[-1] == "… 9 more"


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", gallery.names())
def test_every_mechanism_can_be_drawn(name):
    """All that is drawn without being named are numbers of the run, and no number is missing."""
    mechanism = gallery.find(name)
    run = mechanism.run(mechanism.t_end / 50)
    drawn = {
        label: line for axes in run.plot().axes for label, line in lines(axes).items() if not label.startswith("…")
    }
    wanted = joint_coordinates(run.system) or [
        f"{body}.position.{axis}" for body in run.system.bodies for axis in "xyz"
    ]
    wanted = [f"{name}.rate" if is_wheel(run, name) else name for name in wanted]
    assert sorted(drawn) == sorted(wanted)
    assert all(same(line, run.t, run[label].values) for label, line in drawn.items())


def test_of_a_wheel_its_rate_is_drawn():
    """It turns at 10 rad/s: its angle is a ramp. Named, it is drawn as it is; half a turn is no wheel."""
    s = mk.System("wheel")
    s.body("wheel", mass=1.0, shape=mk.Cylinder(radius=0.1, length=0.1, axis="y"))
    s.pin("axle", s.ground, "wheel", at=(0, 0, 0), axis="y", rate=10.0)
    run = mk.simulate(s, 1.0, every=0.1)
    assert [axes.get_ylabel() for axes in run.plot().axes] == ["axle.angle.rate [rad/s]"]
    assert [axes.get_ylabel() for axes in run.plot("axle.angle").axes] == ["axle.angle [rad]"]
    assert [axes.get_ylabel() for axes in mk.simulate(s, 0.3, every=0.1).plot().axes] == ["axle.angle [rad]"]


@pytest.mark.parametrize("swing, shown", [(1e-13, 80.0), (1e-7, 1.1 * 2 * 4e-5)])
def test_round_off_does_not_fill_a_panel(swing, shown):
    """A rate of 400 rad/s ± a share of it: below 1e-9 it is drawn level, above as it is, with the usual margins of a
    twentieth on both sides."""
    s = mk.System("wheel")
    s.body("wheel", mass=1.0, shape=mk.Cylinder(radius=0.1, length=0.1, axis="y"))
    s.pin("axle", s.ground, "wheel", at=(0, 0, 0), axis="y")
    s.prescribed("drive", "axle", f"400*t - {swing}*400*cos(20*t)/20")
    run = mk.simulate(s, 1.0, every=0.01)
    low, high = run.plot("axle.angle.rate").axes[0].get_ylim()
    assert low < 400 < high and high - low == pytest.approx(shown, rel=0.01)


def test_where_there_is_nothing_to_draw_a_sentence_stands():
    s = mk.System("ball", gravity=(0, 0, 0))
    s.body("ball", mass=1.0)
    run = mk.simulate(s, 1.0, every=0.1)
    texts = lambda figure: [text.get_text() for axes in figure.axes for text in axes.texts]
    assert texts(run.plot_residual()) == 2 * ["The model has no joints and no constraints: nothing can open."]
    assert texts(run.plot_spectrum("ball.position.x")) == [
        "ball.position.x does not change: there is no frequency in it."
    ]


# ---------------------------------------------------------------- several runs


def test_runs_beside_each_other(run):
    other = mk.simulate(pendulum("long", 1.0), 3.0, every=0.05)
    figure = mk.plot_runs({"short": run, "long": other}, "hinge.angle", "bob.position")
    assert [axes.get_ylabel().split()[0] for axes in figure.axes] == [
        "hinge.angle",
        *(f"bob.position.{axis}" for axis in "xyz"),
    ]
    for axes, name in zip(
        figure.axes, ["hinge.angle", "bob.position.x", "bob.position.y", "bob.position.z"], strict=True
    ):
        assert same(lines(axes)["short"], run.t, run[name].values) and same(
            lines(axes)["long"], other.t, other[name].values
        )
    assert list(lines(run.plot("hinge.angle", against=other).axes[0])) == ["pendulum", "long"]
    assert list(lines(run.plot(against=run).axes[0])) == ["pendulum", "the other"]


def test_runs_that_cannot_be_compared(run):
    s = mk.System("ball")
    s.body("ball", mass=1)
    with pytest.raises(ModelError, match="run 'ball', result: there is no 'hinge.angle'"):
        run.plot("hinge.angle", against=mk.simulate(s, 0.1))
    for wrong, problem in (([run], "it got list"), ({}, "it got no runs"), ({"a": 3}, "'a' is int")):
        with pytest.raises(ModelError, match=problem):
            mk.plot_runs(wrong)


# ---------------------------------------------------------------- phase portrait, spectrum


def test_the_peaks_of_two_sines():
    """Oracle: their frequencies, between multiples of the resolution, 0.05 Hz, and amplitudes. A parabola through three
    logarithms of Hann's peak is off by less than 0.02 of the resolution and 1 % of the height."""
    t = np.arange(0, 20, 0.01)
    found = spectrum(t, 2.0 * np.sin(2 * np.pi * 3.013 * t) + 0.01 * np.cos(2 * np.pi * 11.17 * t))
    (f1, a1), (f2, a2) = found.peaks
    assert (f1, f2) == (pytest.approx(3.013, abs=1e-3), pytest.approx(11.17, abs=1e-3))
    assert (a1, a2) == (pytest.approx(2.0, rel=0.015), pytest.approx(0.01, rel=0.03))


def test_a_spectrum_has_powers_of_ten_and_names_its_peaks(run):
    """Oracle: the frequency of small swings."""
    found = run.spectrum("hinge.angle")
    small = np.sqrt(9.81 / LENGTH) / (2 * np.pi)
    name, frequency, _ = found.peaks[0]
    assert name == "hinge.angle" and frequency == pytest.approx(small, abs=2e-3) and f"{frequency:.6g} Hz" in str(found)
    (axes,) = found.plot().axes
    assert axes.get_yscale() == "log" and axes.texts[0].get_text() == f"{frequency:.4g} Hz"
    assert found.plot(log=False).axes[0].get_yscale() == "linear"


def test_phase_portrait(run):
    (axes,) = run.plot_phase("hinge.angle").axes
    assert same(lines(axes)["hinge.angle"], run["hinge.angle"].values, run["hinge.angle.rate"].values)
    assert axes.get_xlabel() == "hinge.angle [rad]" and axes.get_ylabel() == "hinge.angle.rate [rad/s]"
    (axes,) = run.plot_phase("bob.position").axes
    assert same(lines(axes)["bob.position.z"], run["bob.position.z"].values, run["bob.velocity.z"].values)
    (axes,) = run.plot_phase("bob.velocity.x").axes
    assert same(lines(axes)["bob.velocity.x"], run["bob.velocity.x"].values, run["bob.acceleration.x"].values)
    with pytest.raises(ModelError, match="the rate of 'bob.orientation' is not among"):
        run.plot_phase("bob.orientation")


def test_names_of_peaks_do_not_lie_over_one_another():
    """Oracle: what Matplotlib says they cover. Four modes within 2 % of the axis, each moved by a body on its own spring."""
    s = mk.System("four", gravity=(0, 0, 0))
    for k, stiffness in enumerate((400.0, 430.0, 460.0, 3000.0)):
        s.body(f"b{k}", mass=1.0, inertia=(1, 1, 1), position=(0.1, 0, k))
        s.slider(f"s{k}", s.ground, f"b{k}", at=(0.1, 0, k), axis="x")
        s.spring(f"k{k}", (s.ground, (-1.0, 0, k)), (f"b{k}", (0, 0, 0)), stiffness=stiffness, length=1.0)
    run = mk.simulate(s, 60.0, every=0.02)
    figure = run.plot_spectrum("s0.displacement + s1.displacement + s2.displacement + s3.displacement")
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(boxes) == 4
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("even", [True, False])
def test_the_spectrum_of_a_sine(window, even):
    """Amplitude 3 at 2 Hz, a multiple of the resolution 1/10 Hz: exact but for the spline, whose error here is about
    1e-6."""
    n = 1000
    t = np.arange(n) / 100.0
    if not even:
        t[1:-1] += 0.002 * np.sin(37.0 * np.arange(1, n - 1))
    found = spectrum(t, 7.0 + 3.0 * np.sin(2 * np.pi * 2.0 * t), window)
    assert found.resampled is not even and found.resolution == pytest.approx(0.1, rel=1e-12)
    assert found.peak == pytest.approx(2.0, rel=1e-12)
    assert found.amplitude.max() == pytest.approx(3.0, rel=1e-7 if even else 1e-5)


def test_a_small_swing_peaks_at_its_frequency(run):
    """√(g/l)/2π, to within half a step of the frequencies; swings of 1e-3 rad are slower by 1e-7 only."""
    for samples in (0.02, np.sort(np.random.default_rng(1).uniform(0, 20, 900))):
        other = mk.simulate(pendulum(), 20.0, every=samples)
        (axes,) = other.plot_spectrum("hinge.angle").axes
        ((frequency, amplitude),) = lines(axes).values()
        exact = np.sqrt(9.81 / LENGTH) / (2 * np.pi)
        assert abs(frequency[np.argmax(amplitude)] - exact) <= 0.5 * frequency[1]
        assert ("resampled" in axes.get_title()) is not isinstance(
            samples, float
        ) and "window: hann" in axes.get_title()


def test_spectra_that_are_refused(run):
    with pytest.raises(ModelError, match="window is 'han'.*Did you mean 'hann'"):
        run.plot_spectrum("hinge.angle", window="han")
    with pytest.raises(ModelError, match="the run has 3 samples; at least 8"):
        mk.simulate(pendulum(), 0.2, every=0.1).plot_spectrum("hinge.angle")
    with pytest.raises(ModelError, match="not finite at every sample"):
        spectrum(np.arange(9.0), np.full(9, np.nan))


# ---------------------------------------------------------------- energy, residuals, reactions


@pytest.mark.parametrize("each", [False, True])
def test_the_ledger_adds_up(run, each):
    """The entries sum to the last line, whatever their number; three roundings of numbers of order m g l."""
    above, below = run.plot_energy(each=each).axes
    *entries, total = lines(above).values()
    assert np.array_equal(total[1], run.energy["balance"].values)
    assert np.abs(sum(y for _, y in entries) - total[1]).max() <= 4 * np.finfo(float).eps * 2.0 * 9.81 * LENGTH
    assert same(lines(above)["kinetic T"], run.t, run.energy["kinetic"].values)
    ((_, drift),) = lines(below).values()
    assert np.abs(drift).max() == run.energies.drift
    assert not each or {"potential: gravity", "less work: drag"} < set(lines(above))


def test_residuals_of_every_joint(run):
    above, below = run.plot_residual().axes
    assert same(lines(above)["hinge"], run.t, run.residual["position_of"].sel(joint="hinge").values)
    assert same(lines(below)["hinge"], run.t, run.residual["rate_of"].sel(joint="hinge").values)
    assert above.get_yscale() == "log" or not np.any(run.residual["position"].values)


def test_reactions(run):
    """At the start the string carries weight and centripetal force, m g + m l ω² with ω² = SWING² g/l."""
    force, moment = run.plot_reactions("hinge").axes
    found = run.reaction("hinge")
    for axes, quantity in ((force, "force"), (moment, "moment")):
        for k, axis in enumerate("xyz"):
            assert same(lines(axes)[axis], run.t, found[quantity].values[:, k])
    assert lines(force)["whole"][1][0] == pytest.approx(2.0 * 9.81 * (1 + SWING**2), rel=1e-12)
    assert "reaction of 'hinge' on 'bob', world axes" in force.get_title()
    assert "on 'ground', joint axes" in run.plot_reactions("hinge", on="ground", axes="joint").axes[0].get_title()
    with pytest.raises(ModelError, match="'hing' is not a joint.*Did you mean 'hinge'"):
        run.plot_reactions("hing")


# ---------------------------------------------------------------- what is wrong


@pytest.mark.parametrize("draw", ["plot", "plot_phase", "plot_spectrum"])
def test_names_that_do_not_exist(run, draw):
    with pytest.raises(ModelError, match="there is no 'hinge.angel'; 'hinge' has .*Did you mean 'hinge.angle'"):
        getattr(run, draw)("hinge.angel")
    with pytest.raises(ModelError, match="names of quantities are expected"):
        getattr(run, draw)(["hinge.angle"])


def test_a_path_among_the_names(run):
    with pytest.raises(ModelError, match="Write path='x.png'"):
        run.plot("hinge.angle", "x.png")


@pytest.mark.parametrize("suffix, head", [(".png", b"\x89PNG"), (".SVG", b"<?xml"), (".pdf", b"%PDF")])
def test_pictures_are_written(run, tmp_path, suffix, head):
    path = tmp_path / f"x{suffix}"
    run.plot(path=path)
    assert path.read_bytes().startswith(head) and list(tmp_path.iterdir()) == [path]


def test_pictures_are_written_whole_or_not_at_all(run, tmp_path):
    kept = tmp_path / "x.xyz"
    kept.write_text("mine")
    for path in (kept, tmp_path / "no" / "x.png"):
        with pytest.raises(FileError, match="cannot be written"):
            run.plot(path=path)
    assert kept.read_text() == "mine" and list(tmp_path.iterdir()) == [kept]
