"""What a notebook shows. Oracles: a parser of XML, the names and numbers of the run, names that would be markup."""

import re
from xml.etree import ElementTree

import numpy as np

import mekane as mk
from mekane.view.web.notebook import sparkline


def model(name="a <b> & c"):
    s = mk.System(name)
    s.body("<i>", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, -1))
    s.pin("h&", s.ground, "<i>", at=(0, 0, 0), axis="y", rate=1.0)
    return s


def test_a_system():
    html = model()._repr_html_()
    ElementTree.fromstring(f"<div>{html}</div>")  # it would raise
    assert "&lt;i&gt;" in html and "h&amp;" in html and "1 degree of freedom" in html and html.startswith("<svg")


def test_a_system_that_is_large_or_wrong():
    s = mk.System("many")
    for k in range(45):
        s.body(f"b{k}", mass=1.0)
    assert "<svg" not in s._repr_html_() and "45 bodies" in s._repr_html_()
    assert "0 bodies" in mk.System("none")._repr_html_()


def test_a_run():
    run = mk.simulate(model(), 1.0, every=0.01)
    html = run._repr_html_()
    ElementTree.fromstring(f"<div>{html}</div>")
    angle = run["h&.angle"].values
    assert html.count("<polyline") == 1 and "h&amp;.angle" in html and "This run can be trusted" in html
    assert all(f"<td>{x:.6g}</td>" in html for x in (angle[0], angle.min(), angle.max(), angle[-1]))


def test_a_linearization(tmp_path):
    """A pendulum that stands on its head: ±√(g l m / (m l² + I)), one of them grows."""
    s = mk.System("upright")
    s.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 1))
    s.pin("foot", s.ground, "rod", at=(0, 0, 0), axis="y")
    small = mk.linearize(s)
    html = small._repr_html_()
    ElementTree.fromstring(f"<div>{html}</div>")
    assert "unstable" in html and html.count("<svg") == 1
    (axes,) = small.plot(tmp_path / "x.png").axes
    fine, growing = axes.lines[:2]
    assert np.allclose(growing.get_xdata(), [np.sqrt(9.81 / 1.1)], rtol=1e-9) and np.allclose(
        fine.get_xdata(), [-np.sqrt(9.81 / 1.1)]
    )


def test_a_small_plot():
    """A straight line is straight; what is not finite is left out; one that is constant lies in the middle."""
    points = lambda svg: np.array(
        [[float(x) for x in pair.split(",")] for pair in re.search(r'points="(.*?)"', svg)[1].split()]
    )
    t = np.linspace(0, 2, 11)
    line = points(sparkline(t, 3 * t))
    assert (
        line[0].tolist() == [2, 26]
        and line[-1].tolist() == [158, 2]
        and np.ptp(np.diff(line, axis=0), axis=0).max() < 0.21
    )
    assert len(points(sparkline(t, np.where(t > 1, np.nan, t)))) == 6
    assert set(points(sparkline(t, np.ones(11)))[:, 1]) == {14.0}
