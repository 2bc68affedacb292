"""What a notebook shows of a System, of a run and of a linearization."""

from html import escape
from io import StringIO

from mekane.errors import MekaneError, many

MOST_DRAWN = 40  # bodies; a larger tree is not drawn
MOST_ROWS = 12
WIDTH, HEIGHT = 160, 28  # of a small plot, pixels
POINTS = 200  # of a small plot


def system_html(system):
    """The tree as a drawing and the degrees of freedom; of a large system its summary alone."""
    from mekane.model.part_count import parts_of
    from mekane.view.topology.freedom import freedom_of

    text = f"<p>{escape(f'{system.name}: {parts_of(system)}')}</p>"
    try:
        topology, freedom = system.topology, freedom_of(system, quick=True)
        if len(system.bodies) <= MOST_DRAWN:
            text = svg_of(topology.plot(freedom=freedom))
    except MekaneError as error:
        return f"{text}<p>{escape(str(error))}</p>"
    return f"{text}<p>{escape(freedom[1])}</p>"


def svg_of(figure):
    """A figure as markup to stand within a page."""
    import matplotlib

    from mekane.analyses.figures import letters_missing

    file = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}), letters_missing():  # the browser has letters of its own
        figure.savefig(file, format="svg")
    text = file.getvalue()
    return text[text.index("<svg") :]


def linearization_html(linear):
    """Its tables, and its eigenvalues drawn."""
    from mekane.results.printing import as_html

    return "\n".join([*map(as_html, linear.shown()), svg_of(linear.plot())])


def result_html(run):
    """Health, and the first of what is drawn by run.plot() as small plots."""
    if not len(run.t):
        return f"<p>{escape(repr(run))}</p>"
    from mekane.view.plots.curves import checked_names, curves_of

    curves = curves_of(run, checked_names(run, ()))
    title = f"{run.system.name}: {many(len(run.t), 'sample')}, {run.t[0]:g} … {run.t[-1]:g} s"
    mark = "✓" if run.health.trusted else "?" if run.health.ok else "✗"
    rows = "".join(row_of(run, curve) for curve in curves[:MOST_ROWS])
    head = "".join(
        f"<th>{heading}</th>" for heading in ("", "unit", "over time", "first", "smallest", "largest", "last")
    )
    more = f"<p>… {len(curves) - MOST_ROWS} more; run.names() lists all.</p>" if len(curves) > MOST_ROWS else ""
    table = f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"{table}{more}<p>{mark} {escape(str(run.health))}</p>"


def row_of(run, curve):
    values = curve.values
    numbers = "".join(f"<td>{x:.6g}</td>" for x in (values[0], values.min(), values.max(), values[-1]))
    return f"<tr><th>{escape(curve.name)}</th><td>{escape(curve.units)}</td><td>{sparkline(run.t, values)}</td>{numbers}</tr>"


def sparkline(t, values):
    """A small plot as SVG; samples that are not finite are left out."""
    import numpy as np

    chosen = np.unique(np.linspace(0, len(t) - 1, POINTS).astype(int))
    t, values = t[chosen], values[chosen]
    finite = np.isfinite(values)
    t, values = t[finite], values[finite]
    across = lambda x, low, high, size: (
        2 + (size - 4) * (x - low) / (high - low) if high > low else np.full(len(x), size / 2)
    )
    points = ""
    if len(t):
        x, y = across(t, t[0], t[-1], WIDTH), HEIGHT - across(values, values.min(), values.max(), HEIGHT)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    line = f'<polyline points="{points}" fill="none" stroke="#1f77b4" stroke-width="1.2"/>'
    if len(t) == 1:
        line = f'<circle cx="{x[0]:.1f}" cy="{y[0]:.1f}" r="2" fill="#1f77b4"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{line}</svg>'
