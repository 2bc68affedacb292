"""A mechanism as JavaScript that integrates itself in a page: the model's functions as a script, and what the time loop
of page/live_engine.js needs to know of them."""

from typing import NamedTuple

from mekane.exporters.languages.javascript import language as javascript
from mekane.solvers.constraints.projection import NEAR_SINGULAR, ORDINARY, WEAK
from mekane.solvers.contacts.refusals import ORDERS, find_option
from mekane.solvers.integrators.dop853 import method
from mekane.solvers.tableau import Tableau
from mekane.symbolic.live import live_functions
from mekane.tables.tables import REGULAR
from mekane.view.motion.frames import normal_of_contact

POWER = 1  # place in Tableau.numbers


class LiveCode(NamedTuple):
    """script: sets window.liveModel; no name of the system stands in it. about: plain data for the time loop."""

    script: str
    about: dict
    values: list  # (name, value, unit) of what may vary, in its order in p


def live_code(system, sliders=(), formulation="joint", impacts="simultaneous") -> LiveCode:
    """The code of a system. sliders: names of the numbers that may vary; impacts: as of mk.simulate."""
    find_option("impacts", impacts, ORDERS)
    found = live_functions(system, sliders, formulation)
    functions, sizes = found.functions, found.functions.sizes
    groups = (("y", functions.state), ("p", functions.parameters))
    names = {one.symbol: f"{array}{k}" for array, entries in groups for k, one in enumerate(entries)}
    about = {
        "n": sizes["state"],
        "q": sizes["coordinates"],
        "u": sizes["speeds"],
        "controlled": found.controlled,
        "bodies": len(system.bodies),
        "places": found.places,
        "measured": found.measured,
        "comparisons": len(found.or_equal),
        "orEqual": found.or_equal,
        "events": found.events,
        "stops": found.stops,
        "strongest": found.strongest,
        "regular": {"ordinary": ORDINARY, "weak": WEAK, "usual": REGULAR[0], "singular": NEAR_SINGULAR},
        "near": found.near,
        "tableau": tableau_of(method),
        "contacts": contact_data(system, found.contacts, impacts),
        "coordinates": [dict(zip(("name", "index", "units"), one, strict=True)) for one in found.coordinates],
    }
    places = slice(found.places["parameters"], found.places["outcomes"])
    values = [(one.name, one.value, one.unit) for one in functions.parameters[places]]
    return LiveCode(f"{{\n{javascript.model(functions, 'model', names)}window.liveModel = model;\n}}\n", about, values)


def contact_data(system, contacts, impacts: str) -> dict | None:
    """Data of contact laws, and the order of impacts at one instant; of points that touch a plane of the ground with its
    normal, by which friction is drawn."""
    for point in contacts["points"] if contacts else ():
        normal = normal_of_contact(system, contacts["elements"][point["element"]]["name"])
        point |= {} if normal is None else {"normal": normal}
    return contacts and {**contacts, "impacts": impacts}


def tableau_of(M: Tableau) -> dict:
    """Stages of the step alone."""
    s = len(M.b)
    return {
        "A": M.A[:s, :s].tolist(), "b": M.b.tolist(), "c": M.c[:s].tolist(), "error": M.error.tolist(),
        "power": float(M.numbers[POWER]),
    }  # fmt: skip
