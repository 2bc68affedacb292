"""run.plot_phase: a phase portrait, the rate of a quantity over the quantity."""

from mekane.analyses.figures import panels, plain, written
from mekane.errors import ModelError
from mekane.view.plots.curves import checked_names, components, legend, with_unit

RATES = {"position": "velocity", "velocity": "acceleration", "angular_velocity": "angular_acceleration"}


def plot_phase(run, name, path=None):
    """The rate of a quantity over the quantity itself; ● is where the run begins. Returns the figure, written to `path`
    if given."""
    (name,) = checked_names(run, [name])
    rate = rate_of(run, name)
    places, speeds = components(run, name), components(run, rate)
    labels = with_unit(name, run.units(name)), with_unit(rate, run.units(rate))
    figure, (axes,) = panels(plain(f"{run.system.name}: phase portrait"), *labels, size=(6, 5))
    for place, speed in zip(places, speeds, strict=True):
        (line,) = axes.plot(place.values, speed.values, lw=1.2, label=plain(place.name))
        axes.plot(place.values[:1], speed.values[:1], "o", color=line.get_color(), ms=5)
    if len(places) > 1:
        legend(axes)
    return written(figure, path)


def rate_of(run, name):
    """The name of the rate: "hinge.angle.rate" of "hinge.angle", "ball.velocity.z" of "ball.position.z"."""
    owner, _, quantity = name.partition(".")
    quantity, _, label = quantity.partition(".")
    for rate in (f"{name}.rate", ".".join(filter(None, (owner, RATES.get(quantity, ""), label)))):
        if rate in run and rate != owner:
            return rate
    remedy = "Choose a coordinate of a joint, or a position or velocity."
    raise ModelError(
        "plot_phase",
        f"the rate of {name!r} is not among what a run knows",
        "a quantity with a rate is expected",
        remedy,
    )
