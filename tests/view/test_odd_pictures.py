"""Pictures and notebook displays of odd models: one sample, very long names, letters no font has, markup as names,
nothing that moves.

Oracles: the drawn artists themselves, a parser of XML, and warnings, which are errors here.
"""

import warnings
from xml.etree import ElementTree

import pytest

import mekane as mk

LONG = "a name that goes on and on " * 8
NAMES = {"long": LONG, "markup": "<script>alert(1)</script> & $x_1$", "letters": "名前 ☃", "plain": "arm"}


def pendulum(name):
    s = mk.System(name)
    s.body(name, mass=1.0, position=(0, 0, -1))
    s.pin(f"{name} pin", s.ground, name, at=(0, 0, 0), axis="y")
    return s


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Glyph .* missing")  # in a PNG boxes stand for them, and matplotlib says so
        yield


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_panels_keep_their_size_and_show_the_name(name):
    """matplotlib warns where decorations leave no space; a panel keeps at least two fifths of the width."""
    run = mk.simulate(pendulum(name), 0.2, every=0.01)
    pin = f"{name} pin"
    figures = [
        run.plot(),
        run.plot_residual(),
        run.plot_energy(),
        run.plot_reactions(pin),
        run.plot_phase(f"{pin}.angle"),
    ]
    figures += [run.plot_spectrum(f"{pin}.angle"), run.plot(f"{name}.position", f"{pin}.angle")]
    for figure in figures:
        figure.draw_without_rendering()  # lays it out, which is where a warning would come from
        assert all(axes.get_position().width > 0.4 for axes in figure.axes)
        assert figure.axes[0].get_title().replace("\\$", "$")[:20].startswith(name[:20])


def test_short_names_are_not_shortened():
    figure = mk.simulate(pendulum("arm"), 0.1).plot("arm pin.angle")
    assert figure.axes[0].get_ylabel() == "arm pin.angle [rad]" and figure.axes[0].get_title() == "arm"


def test_one_sample_is_a_dot_and_more_are_a_line():
    one, more = (mk.simulate(pendulum("arm"), 0.5, every=every) for every in ([0.5], [0.25, 0.5]))
    for picture in ("plot", "plot_energy", "plot_residual"):
        assert {line.get_marker() for axes in getattr(one, picture)().axes for line in axes.lines} == {"o"}
        assert {line.get_marker() for axes in getattr(more, picture)().axes for line in axes.lines} == {"None"}
    assert "<circle" in one._repr_html_() and "<polyline" not in one._repr_html_() and "1 sample," in one._repr_html_()
    assert repr(one).startswith("Result of 'arm': 1 sample, 0.5 … 0.5 s")


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_notebooks_show_every_name_without_a_warning(name):
    """A browser has the letters; measuring a text in a font that has them not is no reason to warn."""
    warnings.simplefilter("error")
    s = pendulum(name)
    for shown in (s, mk.simulate(s, 0.1), mk.linearize(s)):
        html = shown._repr_html_()
        ElementTree.fromstring(f"<div>{html}</div>")
        assert "<script" not in html


def test_a_frame_of_welded_bodies():
    """Statics by hand: the weld bears the weight, 2 kg · 9.81, and the moment of its arm of 0.5 m."""
    s = mk.System("bracket")
    s.body("plate", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))
    s.weld("seam", s.ground, "plate", at=(0, 0, 0))
    rest, seam = mk.equilibrium(s), mk.equilibrium(s).reaction("seam")
    assert rest.stable and seam.force.values == pytest.approx([0, 0, 19.62])
    assert seam.moment.values == pytest.approx([0, -9.81, 0])
    assert len(mk.modes(s)) == 0 and mk.linearize(s).A.shape == (0, 0)
    assert (
        float(
            mk.sensitivity(s, to=["plate.mass"], of=["plate.position.x"], t_end=0.1).of(
                "plate.position.x", "plate.mass"
            )[-1]
        )
        == 0
    )
    ElementTree.fromstring(f"<div>{mk.linearize(s)._repr_html_()}</div>")
    for analysis in (mk.equations, mk.compare):
        with pytest.raises(mk.ModelError, match="nothing can move.*mk.equilibrium"):
            analysis(s)
    assert "m_plate" in mk.equations(s, formulation="absolute").forcing.text
