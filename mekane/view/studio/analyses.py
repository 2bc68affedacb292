"""What the buttons of the studio compute: results computed from a model's text alone, as plain data."""

from mekane.importers.yaml import dumps
from mekane.view.studio.computation import read


def equilibrium(text, data) -> dict:
    from mekane.view.studio.shown_states import equilibrium_motion

    system, options = read(text)
    found, motion = equilibrium_motion(system, options.get("formulation", "joint"))
    return {"motion": motion, "words": str(found), "there": dumps(found.system, options)}


def modes(text, data) -> dict:
    from mekane.view.studio.shown_states import mode_motions

    system, options = read(text)
    found, text = mode_motions(system, options.get("formulation", "joint"))
    return {"modes": found, "words": text}


def equations(text, data) -> dict:
    from mekane.symbolic.equations import equations

    system, options = read(text)
    method = str(data.get("method", "kane"))
    return {"html": equations(system, method=method, formulation=options.get("formulation", "joint")).mathml}


ANALYSES = {"/equilibrium": equilibrium, "/modes": modes, "/equations": equations}
