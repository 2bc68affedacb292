"""Draw the studies of the page *Sweeps and Monte Carlo*.   python docs/make_studies.py [SIZE]   SIZE: share of the points"""

import sys
from pathlib import Path

import numpy as np

import mekane as mk

FOLDER = Path(__file__).parent / "drawings"
STABLE = 4.292, 6.024  # m/s, of the benchmark bicycle (Meijaard, Papadopoulos, Ruina, Schwab 2007)


def four_bar():
    """A planar four-bar whose three moving links have lengths with tolerances; the crank turns at 60 rpm."""
    lengths = {"l1": 0.04, "l2": 0.12, "l3": 0.09}
    s = mk.System("four-bar", planar="xy", gravity=(0, 0, 0), parameters=lengths)
    crank = s.body("crank", mass=0.1, inertia=1e-4, position=(0, 0.02, 0), orientation=("z", "90 deg"))
    coupler = s.body("coupler", mass=0.3, inertia=4e-4, position=(0.055, 0.065, 0), orientation=("z", "25 deg"))
    rocker = s.body("rocker", mass=0.2, inertia=2e-4, position=(0.11, 0.045, 0), orientation=("z", "90 deg"))
    s.pin("drive", s.ground, crank, on_a=(0, 0, 0), on_b=("$-l1/2", 0, 0), axis_a="z", axis_b="z")
    s.pin("knee", crank, coupler, on_a=("$l1/2", 0, 0), on_b=("$-l2/2", 0, 0), axis_a="z", axis_b="z")
    s.pin("elbow", coupler, rocker, on_a=("$l2/2", 0, 0), on_b=("$l3/2", 0, 0), axis_a="z", axis_b="z")
    s.pin("pivot", rocker, s.ground, on_a=("$-l3/2", 0, 0), on_b=(0.11, 0, 0), axis_a="z", axis_b="z")
    s.prescribed("turning", "drive", motion="pi/2 + 2*pi*t")
    s.marker("pen", coupler, at=(0, 0.05, 0))
    return s


def bicycle():
    """Whipple's bicycle of the benchmark, upright, with its speed and its trail as parameters."""
    v, c = mk.Param("v", 4.6), mk.Param("trail", 0.08)
    s = mk.System("bicycle", gravity=(0, 0, -9.81))
    ahead = dict(velocity=(v, 0, 0))
    rear = s.body(
        "rear wheel", 2.0, (0.0603, 0.12, 0.0603), position=(0, 0, 0.3), angular_velocity=(0, v / 0.3, 0), **ahead
    )
    frame = s.body("frame", 85.0, (9.2, 11.0, 2.8, 0, -2.4, 0), position=(0.3, 0, 0.9), **ahead)
    fork = s.body("fork", 4.0, (0.05892, 0.06, 0.00708, 0, 0.00756, 0), position=(0.9, 0, 0.7), **ahead)
    front = s.body(
        "front wheel", 3.0, (0.1405, 0.28, 0.1405), position=(1.02, 0, 0.35), angular_velocity=(0, v / 0.35, 0), **ahead
    )
    s.pin("rear hub", frame, rear, at=(0, 0, 0.3), axis="y")
    s.pin("steering", frame, fork, at=(1.02 + c, 0, 0), axis=(-np.sin(np.pi / 10), 0, np.cos(np.pi / 10)))
    s.pin("front hub", fork, front, at=(1.02, 0, 0.35), axis="y")
    s.rolling_disc("rear contact", (rear, (0, 0, 0)), 0.3, axis="y")
    s.rolling_disc("front contact", (front, (0, 0, 0)), 0.35, axis="y")
    return s


def tolerances(n):
    """Lengths of the links scatter by a tenth of a millimetre; where is the pen on the coupler?"""
    lengths = {name: mk.normal(length, "0.1 mm") for name, length in four_bar().parameters.items()}
    measure = {"stroke": "max(pen.position.y) - min(pen.position.y)", "left": "min(pen.position.x)"}
    return mk.monte_carlo(four_bar(), lengths, n=n, t_end=1.0, every=0.01, keep="pen.position", measure=measure)


def draw_tolerances(ds, path):
    """The coupler curve, the band in which nine of ten are on the way, and a histogram of its height."""
    from mekane.analyses.figures import Picture, written

    figure = Picture(figsize=(9, 3.6), layout="constrained")
    curve, over, histogram = figure.subplots(1, 3)
    pen = 1e3 * ds["pen.position"]
    x, y = pen.sel(axis="x"), pen.sel(axis="y")
    curve.plot(x.median("run"), y.median("run"), color="tab:blue")
    curve.set(xlabel="x [mm]", ylabel="y [mm]", title="path of the pen", aspect="equal")
    low, middle, high = (1e3 * (y.quantile(p, "run") - y.median("run")) for p in (0.05, 0.5, 0.95))
    over.fill_between(ds["time"], low, high, alpha=0.3, label="5 % to 95 %")
    over.plot(ds["time"], middle, lw=1.0)
    over.set(xlabel="time [s]", ylabel="deviation of y [µm]", title="scatter on the way")
    over.legend(fontsize="small")
    stroke = 1e3 * ds["stroke"].values
    histogram.hist(stroke, bins=40, alpha=0.8)
    for p, style in ((0.05, ":"), (0.5, "-"), (0.95, ":")):
        histogram.axvline(np.quantile(stroke, p), color="tab:red", ls=style, lw=1.2)
    histogram.set(xlabel="stroke [mm]", ylabel="runs", title=f"{len(stroke)} linkages")
    return written(figure, path)


def stability(speeds, trails):
    """Eigenvalues of the bicycle over its speed and its trail."""
    ds = mk.sweep(bicycle(), {"v": speeds, "trail": trails}, analysis="linearize")
    moving = (
        np.hypot(ds["real"], ds["imaginary"]) > 1e-3
    )  # positions and headings are neutral: their eigenvalues are zero
    return ds.assign(growth=ds["real"].where(moving).max("eigenvalue").assign_attrs(units="1/s"))


def draw_stability(ds, path):
    from mekane.analyses.figures import Picture, written

    figure = Picture(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    growth, v, trail = ds["growth"].values.T, ds["v"].values, 1e3 * ds["trail"].values
    levels = np.linspace(-1.5, 1.5, 25)
    picture = axes.contourf(v, trail, np.clip(growth, -1.5, 1.5), levels=levels, cmap="RdBu_r")
    axes.contour(v, trail, growth, levels=[0.0], colors="black", linewidths=1.4)
    axes.plot(STABLE, (80, 80), "o-", color="black", mfc="white", label="stable range of the benchmark")
    axes.set(xlabel="speed [m/s]", ylabel="trail [mm]", title="Bicycle: growth of the fastest motion (blue: stable)")
    axes.legend(loc="lower right", fontsize="small")
    figure.colorbar(picture, label="largest real part [1/s]")
    return written(figure, path)


if __name__ == "__main__":
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    draw_tolerances(tolerances(max(8, int(10_000 * share))), FOLDER / "tolerances.png")
    n, m = max(3, int(36 * share**0.5)), max(3, int(20 * share**0.5))
    draw_stability(stability(np.linspace(1.0, 9.0, n), np.linspace(0.0, 0.16, m)), FOLDER / "bicycle_stability.png")
