"""Which joints and constraints may be active at one time and not at another."""

from functools import wraps

from mekane.errors import ModelError


def switched_parts(system) -> list[str]:
    """Names of the joints and constraints that events lock or release, or that do not hold at the start."""
    named = {name for event in system.events.values() for name in (*event.release, *event.lock)}
    parts = {**system.joints, **system.constraints}
    return [name for name, part in parts.items() if name in named or not part.active]


def is_active(system, name: str) -> bool:
    """Whether a joint or constraint holds at the start."""
    return {**system.joints, **system.constraints}[name].active


# analyses that take a system as it is
FOLLOW_EVENTS = {
    "simulate", "stepper", "compile", "assemble", "save_model", "sensitivity", "optimize", "sweep", "monte_carlo", "batch",
    "equations", "export_fmu", "save_live", "gym", "dynamics",
}  # fmt: skip


KEEP_SLIDING = {"linearize", "modes", "root_locus"}  # analyses that know the friction of contacts that slide
JUDGE_CONTACTS = {"equilibrium", "inverse_dynamics"}  # analyses that find out themselves which contacts are closed


def for_analysis(system, name: str):
    """The system as an analysis sees it: what is not active at the start is left out, and a note says so."""
    if name in JUDGE_CONTACTS and system.contact_laws:
        return without_inactive(system)
    if name in KEEP_SLIDING and rubs(system):
        return without_inactive(system)
    return system if name in FOLLOW_EVENTS else as_at_start(system)


def rubs(system):
    """Whether a contact slides with friction where the system begins."""
    from mekane.model.hybrid.closed_contact import sliding_elements

    return any(sliding_elements(system, law) for law in system.contact_laws.values())


def as_at_start(system, sliding=False):
    """The system itself; if parts of it are not active at the start, a copy without these and without events; contacts
    that are closed at the start are constraints. sliding: as closed_contacts has it."""
    return without_inactive(without_contact_laws(system, sliding=sliding) if system.contact_laws else system)


def without_inactive(system):
    """The system itself; if parts of it are not active at the start, a copy without these and without events."""
    off = [name for name in switched_parts(system) if not is_active(system, name)]
    if not off:
        return system
    from mekane.model.signals.variable import Variable

    refuse_attached(system, off)
    new = system.copied()
    for name in (*off, *system.events, *system.controllers):
        for parts in (new.joints, new.constraints, new.events, new.controllers, new._construction):
            parts.pop(name, None)
    flags = {name + ".active": float(is_active(system, name)) for name in switched_parts(system)}  # laws may read them
    new.variables |= {name: Variable(name, value) for name, value in flags.items()}
    new.notes.append(f"not active at the start, and left out: {', '.join(map(repr, off))}; and all events")
    return new


def without_contact_laws(system, modes=None, sets=None, sliding=False):
    """A copy in which contacts that are closed at the start (or in these modes) are constraints, and the others are left
    out, as a note says."""
    from mekane.model.hybrid.closed_contact import closed_contacts

    new, closed = system.copied(), closed_contacts(system, modes, sets, sliding)
    new.contact_laws = {}
    new.constraints |= closed
    for name in system.contact_laws:
        new._construction.pop(name, None)
    left = [name for name in system.contact_laws if name not in closed]
    if left:
        new.notes.append(f"contact laws, open at the start and left out: {', '.join(map(repr, left))}")
    if closed:
        new.notes.append(f"contacts that are closed at the start hold like constraints: {', '.join(map(repr, closed))}")
    return new


def refuse_contact_laws(system, analysis):
    if system.contact_laws:
        raise ModelError(
            analysis,
            f"the model has contact laws: {', '.join(map(repr, system.contact_laws))}",
            "it does not know these yet",
            "Remove them for this analysis, s.remove(...), or differentiate runs by differences.",
        )


def refuse_attached(system, off):
    """Forces at the coordinates of joints that are left out."""
    from mekane.model.removal import attached

    for force in system.forces.values():
        for name in {*attached(force.acts)} & {*off}:
            raise ModelError(
                f"force {force.name!r}",
                f"it acts at {name!r}, which is not active",
                "analyses other than runs leave out what is not active",
                f"Remove it for them, s.remove({force.name!r}), or let it act at another joint.",
            )


def at_start(method):
    """A method of System that computes something at the initial state."""

    @wraps(method)
    def of_system(self, *args, **keywords):
        return method(kept_at_start(self) if self.contact_laws else as_at_start(self), *args, **keywords)

    return of_system


def kept_at_start(system):
    """The system at the start as it was made last, if nothing has changed since: models compiled of it are kept with it."""
    from mekane.model.interface.kept import kept

    start = [*system._initial_conditions.items()], [*system._contact_modes.items()]
    found = kept(system, "at start")
    if found.get("start") != start:
        found.update(start=start, system=as_at_start(system))
    return found["system"]
