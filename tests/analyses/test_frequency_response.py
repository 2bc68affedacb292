"""Frequency responses. Oracles: closed forms of one and two masses on springs; scipy.signal.freqresp, which takes
another way (zeros and poles); units by hand."""

import json

import numpy as np
import pytest
from scipy.signal import freqresp

import mekane as mk
from mekane.errors import ModelError, UnitError
from mekane.model.values.units import quantity

M, K, C = 2.0, 200.0, 3.0


def one_mass(damping=C):
    s = mk.System("one mass", gravity=(0, 0, 0), parameters={"push": "0 N"})
    s.body("b", mass=M)
    s.slider("g", s.ground, "b", axis="x")
    s.sliding_spring("k", "g", stiffness=K, damping=damping)
    s.motor("m", "g", force="push")
    return s


def two_masses(damping=0.0):
    """Equal masses in a row between two walls, equal springs: in phase at √(k/m), in opposite phase at √(3k/m)."""
    s = mk.System("two masses", gravity=(0, 0, 0), parameters={"left": 0.0, "both": 0.0})
    for name in "ab":
        s.body(name, mass=M)
        s.slider(f"g{name}", s.ground, name, axis="x")
        s.sliding_spring(f"k{name}", f"g{name}", stiffness=K, damping=damping)
        s.motor(f"m{name}", f"g{name}", force="left + both" if name == "a" else "both")
    s.axial_law("middle", ("a", (0, 0, 0)), ("b", (5, 0, 0)), tension=f"{K}*(L - 5) + {damping}*Ld")
    return s


@pytest.fixture(scope="module")
def one():
    return mk.linearize(one_mass(), inputs=["push"], outputs=["g.displacement", "g.displacement.rate"])


@pytest.fixture(scope="module")
def undamped():
    return mk.linearize(one_mass(0.0), inputs=["push"], outputs=["g.displacement"])


def test_one_mass_in_closed_form(one):
    """1/(k − m ω² + i c ω); a solution of two equations loses a few digits where it nearly cancels."""
    found = one.frequency_response()
    w = 2 * np.pi * found.frequency
    exact = 1 / (K - M * w**2 + 1j * C * w)
    np.testing.assert_allclose(found["g.displacement", "push"], exact, rtol=1e-11)
    np.testing.assert_allclose(found["g.displacement.rate", "push"], 1j * w * exact, rtol=1e-11)
    np.testing.assert_allclose(found.magnitude[:, 0, 0], np.abs(exact), rtol=1e-11)
    np.testing.assert_allclose(found.phase[:, 0, 0], np.angle(exact), atol=1e-11)
    top = found.frequency[np.argmax(np.abs(exact))]  # the peak of displacement is at √(ω² − 2 (c/2m)²)
    assert top == pytest.approx(np.sqrt(K / M - 2 * (C / (2 * M)) ** 2) / (2 * np.pi), rel=2e-3)  # grid of the peak


@pytest.mark.filterwarnings("ignore:Badly conditioned")  # of a transfer function as SciPy writes it
def test_two_masses_in_closed_form_and_by_scipy():
    linear = mk.linearize(two_masses(1.0), inputs=["left", "both"], outputs=["ga.displacement", "gb.displacement"])
    found = linear.frequency_response(np.geomspace(0.1, 10, 41))
    w = 2 * np.pi * found.frequency
    same, opposite = 1 / (K + 1j * w - M * w**2), 1 / (3 * (K + 1j * w) - M * w**2)
    np.testing.assert_allclose(found["ga.displacement", "left"], (same + opposite) / 2, rtol=1e-10)
    np.testing.assert_allclose(found["gb.displacement", "left"], (same - opposite) / 2, rtol=1e-9)
    np.testing.assert_allclose(found["gb.displacement", "both"], same, rtol=1e-10)
    _, single = freqresp((linear.A, linear.B[:, :1], linear.C[:1], linear.D[:1, :1]), w)
    np.testing.assert_allclose(found[:, 0, 0], single, rtol=1e-7)  # poles and zeros are less accurate than a solution


def test_the_phase_goes_on_beyond_half_a_turn():
    """Force on a, motion of b: two modes without a zero between them, so that it lags by a whole turn at the end."""
    found = mk.linearize(two_masses(1.0), inputs=["left"], outputs=["gb.displacement"]).frequency_response()
    phase = found.phase.values[:, 0, 0]
    assert np.abs(np.diff(phase)).max() < 1.0 and phase[-1] < -1.5 * np.pi


def test_units_of_frequencies(one):
    found = one.frequency_response(["1 Hz", "10 rad/s", "90 rpm", 3])
    np.testing.assert_allclose(found.frequency, [1, 10 / (2 * np.pi), 1.5, 3], rtol=1e-15)
    assert found.units == {("g.displacement", "push"): "m/N", ("g.displacement.rate", "push"): "m/s/N"}
    assert found.gain.coords["frequency"].attrs["units"] == "Hz" and found.phase.attrs["units"] == "rad"


def test_hertz_where_an_angular_frequency_is_meant():
    s = one_mass()
    forces = [
        s.harmonic(f"h{k}", "b", (1, 0, 0), given) for k, given in enumerate(["1 Hz", "60 rpm", "1 rev/s", 2 * np.pi])
    ]
    assert [force.frequency.graph for force in forces] == pytest.approx([2 * np.pi] * 4, rel=1e-15)
    assert quantity("1 Hz", "angular_frequency") == 2 * np.pi and quantity("1 rad/s", "frequency") == 1 / (2 * np.pi)
    with pytest.raises(UnitError, match="rev/s"):  # how fast a joint turns is no frequency
        quantity("1 Hz", "angular_velocity")


def test_an_undamped_resonance_is_reported(undamped):
    found = undamped.frequency_response(["10 rad/s", 1.0, 2.0])
    assert np.isnan(found[0, 0, 0]) and np.isfinite(found[1:]).all()
    assert "At 1.59155 Hz an undamped mode resonates: the gain of g.displacement by push is infinite" in found.notes[0]
    np.testing.assert_allclose(found[1:, 0, 0], 1 / (K - M * (2 * np.pi * found.frequency[1:]) ** 2), rtol=1e-13)
    np.testing.assert_allclose(found.phase[1:, 0, 0], [0, -np.pi], atol=1e-7)  # beyond resonance it lags
    assert found.to_dict()["magnitude"][0] == [[None]]
    assert not undamped.frequency_response().notes  # the automatic ones keep clear of it


def test_a_mode_that_is_not_driven_is_no_resonance():
    """Pushed alike, the masses move alike: at √(3k/m) the gain is 1/(k − 3k), as if the other mode were not there.
    Taken beside the pole, at a millionth of it: the error is of second order, and round-off is divided by 1e-6."""
    linear = mk.linearize(two_masses(), inputs=["both"], outputs=["ga.displacement"])
    found = linear.frequency_response(np.sqrt(3 * K / M) / (2 * np.pi))
    assert not found.notes
    np.testing.assert_allclose(found[0, 0, 0], -1 / (2 * K), rtol=1e-7)


def test_the_picture(one, tmp_path):
    figure = one.frequency_response().bode(tmp_path / "bode.png")
    size, angle = figure.axes
    assert (tmp_path / "bode.png").stat().st_size > 5000 and size.get_xscale() == "log"
    static = size.lines[0].get_ydata()[0]  # at a tenth of the mode 1/k is off by 1 %
    assert static == pytest.approx(20 * np.log10(1 / K), abs=0.1)
    assert angle.lines[0].get_ydata()[-1] == pytest.approx(-180, abs=3)
    assert "m/N" in size.get_legend().get_texts()[0].get_text()


def test_what_is_wrong_is_reported(one):
    with pytest.raises(ModelError, match="no inputs.*inputs="):
        mk.linearize(one_mass()).frequency_response()
    with pytest.raises(ModelError, match="zero or more"):
        one.frequency_response([-1.0])
    with pytest.raises(UnitError, match="not a unit of frequency"):
        one.frequency_response(["1 m"])
    with pytest.raises(ModelError, match="frequencies is None|number"):
        one.frequency_response([None])
    with pytest.raises(ModelError, match="there is no input 'pull'; it has push"):
        one.frequency_response([1.0])["g.displacement", "pull"]


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    from mekane.cli.main import main

    monkeypatch.chdir(tmp_path)
    mk.save_model(one_mass(), "m.yaml")
    with pytest.raises(SystemExit):
        main(
            "linearize m.yaml --inputs push --outputs g.displacement --frequencies 6.2831853rad/s:600rpm --bode b.png --json".split()
        )
    found = json.loads(capsys.readouterr().out)["frequency_response"]
    assert found["frequency"][0] == pytest.approx(1.0, rel=1e-8) and found["frequency"][-1] == pytest.approx(10.0)
    assert found["magnitude"][-1][0][0] == pytest.approx(
        1 / abs(K - M * (20 * np.pi) ** 2 + 20j * np.pi * C), rel=1e-10
    )
    assert (tmp_path / "b.png").exists()
