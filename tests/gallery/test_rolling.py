"""What rolls and slides without slip, at every sample, against exact solutions and against equations written by
hand."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mekane import gallery
from mekane.analyses.simulate import simulate
from mekane.gallery import chaplygin_sleigh, rattleback, rolling_disc, sphere_on_turntable, trailer
from mekane.gallery.reading import energy_lost, of_constraint, rotations

READ = {module.__name__.rpartition(".")[2]: module for module in (chaplygin_sleigh, sphere_on_turntable, trailer)}


@pytest.mark.parametrize("name", READ)
def test_at_every_sample(name):
    """Closed forms; the mechanism's own tolerance of 1e-12."""
    mechanism = gallery.find(name)
    run = mechanism.run()
    answers = mechanism.exact(run.t)
    for word in answers:
        read = READ[name].READ[word]
        found = np.asarray(run[read] if isinstance(read, str) else read(run))
        np.testing.assert_allclose(found, answers[word], rtol=0, atol=1e-9, err_msg=word)


def test_sleigh_turns_by_the_angle_of_the_closed_form():
    """From t = −∞ to ∞ by π √((I + m a²) / (m a²)), of which the run sees the part after its start; at 60 s the rest is
    below 1e-12."""
    before = chaplygin_sleigh.exact(np.array([-100.0]))["heading"][0]
    run = gallery.find("chaplygin_sleigh").run(60.0, every=0.5)
    assert chaplygin_sleigh.READ["heading"](run)[-1] - before == pytest.approx(np.pi * np.sqrt(1.25 / 0.25), abs=1e-10)


def test_disc_rolls_in_its_circle_at_every_sample():
    """Closed form, a run at a tolerance of 1e-12; the force is second derivatives, of the same accuracy."""
    run = gallery.find("rolling_disc_circle").run()
    answer = rolling_disc.steady_exact(run.t)
    np.testing.assert_allclose(run["disc.position"], answer["disc.position"], rtol=0, atol=1e-10)
    np.testing.assert_allclose(rotations(run, "disc")[:, :, 1], answer["axis"], rtol=0, atol=1e-10)
    np.testing.assert_allclose(of_constraint(run, "contact", "disc"), answer["force"], rtol=0, atol=1e-10)


def test_numbers_of_steady_rolling():
    """Printed: spin, turning, lap time."""
    turning, spin = rolling_disc.steady_rates()
    assert spin == pytest.approx(10.7364981632612, rel=1e-14) and turning == pytest.approx(-1.07364981632612, rel=1e-14)
    assert rolling_disc.lap_time() == pytest.approx(5.852173782956319, rel=1e-14)


@pytest.mark.parametrize("name", ["rolling_disc_1", "rolling_disc_2"])
def test_disc_keeps_its_energy(name):
    """1e-9 of its kinetic energy over two seconds in which it nearly falls flat and rises again, at a tolerance of
    1e-11."""
    assert np.abs(energy_lost(gallery.find(name).run())).max() < 1e-9


@pytest.mark.parametrize("factor", [1.2, 1.02, 0.98])
def test_upright_rolling_is_stable_above_its_speed(factor):
    """Printed: stable above 0.922062904578641 m/s for r = 0.26 m (v² = g r / 3). A disc pushed by 1e-6 rad/s leans by
    1e-6 sin(ν t) / ν, ν² = 12 (v² − g r / 3) / 5 r², which is a growing sinh below that speed. What is left out is of
    third order, 1e-12 of it or less."""
    r, v, push = 0.26, 0.922062904578641 * factor, 1e-6
    run = simulate(rolling_disc.disc(3.43, r, (0.0, 0.0, 0.0), (0.0, push, v / r)), 3.0, rtol=1e-12, atol=1e-17)
    nu = np.sqrt(complex(12 / 5 * (v**2 - 9.81 * r / 3))) / r
    lean = push * np.sin(nu * run.t) / nu
    np.testing.assert_allclose(rolling_disc.angles(run)[1], lean.real, rtol=0, atol=1e-6 * np.abs(lean).max())


def test_rattleback_by_hand():
    """Six equations by hand for 0.5 s, DOP853 at 1e-12: two roads to one number."""
    answer = solve_ivp(
        rattleback.equations, (0, 0.5), rattleback.start(), "DOP853", [0.25, 0.5], rtol=1e-12, atol=1e-14
    )
    run = gallery.find("rattleback").run(0.5, every=[0.25, 0.5])
    np.testing.assert_allclose(rattleback.spin(run), answer.y[2], rtol=0, atol=1e-10)


@pytest.mark.parametrize("name, begins", [("rattleback", 1), ("rattleback_other", -1)])
def test_rattleback_turns_back_and_keeps_its_energy(name, begins):
    """Spun one way it has turned back after 3 s, the other way it takes more than 10 s. Energy to 1e-10 at every sample
    of 20 s."""
    run = gallery.find(name).run()
    spin = begins * rattleback.spin(run)
    assert (
        spin.min() < -4 and (spin[run.t > 3][0] < 0) == (begins == 1) and (spin[run.t < 10].min() > 0) == (begins == -1)
    )
    assert np.abs(energy_lost(run)).max() < 1e-10
