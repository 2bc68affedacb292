"""mekane check: read a model, compile it, put it together, and print what was understood."""

from mekane.cli import options
from mekane.cli.commands import register
from mekane.cli.console import many, put, put_json
from mekane.cli.inputs import Model, read_model
from mekane.cli.progress import watching

SUMMARIZED = {
    "inputs": "input", "variables": "variable", "markers": "marker", "outputs": "output", "events": "event",
    "controllers": "controller",
}  # fmt: skip
MOST_BODIES = 60  # with more of them, mobility is printed only as far as the redundancy gives it


@register("check", place=10)
def command(model: Model, formulation: options.Formulation = None, set: options.Set = None, json: options.Json = False):
    """Read a model, put it together, and say what was understood; nothing is simulated."""
    system, settings = read_model(model, set, formulation=formulation)
    with options.about(model):
        facts = understood(system, settings)
    if json:
        put_json(facts)
    else:
        put_facts(facts)


def understood(system, settings: dict) -> dict:
    """Everything `check` prints, as plain data."""
    from mekane.analyses.kinematics.mobility import mobility
    from mekane.analyses.simulate import ending, initial_solver
    from mekane.model.hybrid.activity import for_analysis
    from mekane.results.redundancy import redundancy

    whole = ending(system, settings["until"]) if "until" in settings else system
    with watching(0.0):
        _, assembly = initial_solver(whole, formulation=settings.get("formulation", "joint"))
        ways = mobility(for_analysis(system, "mobility")) if len(system.bodies) <= MOST_BODIES else None
        found = redundancy(system, assembly.poses) if ways is None else ways.redundancy
    return {
        "system": system.name,
        "bodies": {name: body.mass for name, body in system.bodies.items()},
        "joints": {name: [joint.kind, joint.a, joint.b] for name, joint in system.joints.items()},
        "constraints": {
            name: [constraint.kind, constraint.touched(system)] for name, constraint in system.constraints.items()
        },
        "contacts": {name: [law.kind, law.touched(system)] for name, law in system.contact_laws.items()},
        "forces": {name: force.kind for name, force in system.forces.items()},
        **{section: summaries(getattr(system, section)) for section in SUMMARIZED},
        "inactive": [name for name, part in {**system.joints, **system.constraints}.items() if not part.active],
        "until": settings.get("until"),
        "parameters": dict(system.parameters),
        "loops": loops(system),
        "degrees_of_freedom": found.freedom,
        "redundancy": str(found),
        "not_unique": found.not_unique,
        "mobility": ways.to_dict() if ways else None,
        "assembly": {"gap": assembly.gap, "moved": assembly.moved, "turned": assembly.turned},
        "remarks": whole.check(),
    }


def summaries(parts: dict) -> dict[str, str]:
    return {name: part.summary for name, part in parts.items()}


def loops(system) -> dict[str, list[str]]:
    """joint that closes a loop → the bodies around it."""
    from mekane.formulations.joint import tree

    links, cut = tree(system)
    parent = {link.body: link.parent for link in links}
    return {name: around(parent, system.joints[name].a, system.joints[name].b) for name in cut}


def around(parent: dict, a: str, b: str) -> list[str]:
    """From a inwards to where the ways meet, and out again to b."""
    way_a, way_b = inwards(parent, a), inwards(parent, b)
    while len(way_a) > 1 and len(way_b) > 1 and way_a[-2] == way_b[-2]:
        way_a.pop()
        way_b.pop()
    return way_a + way_b[-2::-1]


def inwards(parent: dict, body: str) -> list[str]:
    way = [body]
    while way[-1] != "ground":
        way.append(parent[way[-1]])
    return way


def put_facts(facts: dict) -> None:
    put(f"{facts['system']}: it reads, compiles and fits together.")
    put_list("body", [f"{name} ({mass:g} kg)" for name, mass in facts["bodies"].items()])
    put_list("joint", [f"{name} ({kind}: {a} – {b})" for name, (kind, a, b) in facts["joints"].items()])
    for section, what in (("constraints", "constraint"), ("contacts", "contact law")):
        if facts[section]:
            put_list(what, [f"{name} ({kind}: {', '.join(bodies)})" for name, (kind, bodies) in facts[section].items()])
    put_list("force", [f"{name} ({kind})" for name, kind in facts["forces"].items()])
    for section, what in SUMMARIZED.items():
        if facts[section]:
            put_list(what, [f"{name} ({summary})" for name, summary in facts[section].items()])
    if facts["inactive"]:
        put(f"Not active at the start: {', '.join(facts['inactive'])}")
    if facts["until"]:
        put(f"The motion ends when {facts['until']}")
    if facts["parameters"]:
        put_list("parameter", [f"{name} = {value:g}" for name, value in facts["parameters"].items()])
    for name, bodies in facts["loops"].items():
        put(f"Joint {name!r} closes the loop {' – '.join(bodies)}.")
    put(facts["redundancy"])
    put_mobility(facts["mobility"])
    put_assembly(**facts["assembly"])
    for remark in facts["remarks"]:
        put(f"Remark: {remark}")


def put_mobility(ways: dict | None) -> None:
    """Only what the redundancy does not state already."""
    if ways is None:
        return
    free = ways["freedom"]
    if ways["counted"] != free:
        there = f"there {'is' if free == 1 else 'are'} {free}"
        put(f"Counting joints and bodies (Grübler–Kutzbach) gives {ways['counted']} degrees of freedom; {there}.")
    if ways["singular"]:
        put(
            f"The initial position is singular: {ways['positions']} infinitesimal motions are possible there, and {free} can go on."
        )
    if ways["motion"] != ways["positions"]:
        put(
            f"Constraints on velocities leave {ways['motion']} independent speeds for {ways['positions']} independent positions."
        )


def put_list(what: str, entries: list[str]) -> None:
    shown = entries[:40] + ([f"… {len(entries) - 40} more"] if len(entries) > 40 else [])
    put(many(len(entries), what) + (f": {', '.join(shown)}" if entries else ""))


def put_assembly(gap: float, moved: float, turned: float) -> None:
    if gap > 1e-9:
        put(
            f"As described, joints are open by up to {gap:.3g} (m or rad); bodies were moved by up to {moved:.3g} m and {turned:.3g} rad."
        )
