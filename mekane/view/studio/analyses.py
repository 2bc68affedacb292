"""What the buttons of the studio compute: results computed from a model's text alone, as plain data."""

from mekane.importers.yaml import dumps
from mekane.view.studio.computation import bounded, read


def equilibrium(text, data) -> dict:
    from mekane.results.printing import as_text
    from mekane.view.studio.shown_states import equilibrium_motion

    system, options = read(text)
    found, motion = equilibrium_motion(system, options.get("formulation", "joint"))
    tables = "\n\n".join(as_text(table._replace(remark="")) for table in found.shown())
    return {
        "motion": motion,
        "words": " ".join(found.remarks()),
        "tables": tables,
        "there": dumps(found.system, options),
    }


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


def live(text, data) -> dict:
    """The model as code that integrates itself in the page; a model for which there is no such code is stepped by this
    process from now on (stepped/motion.py). `refused` says why it cannot be live at all, which is no error of the
    text."""
    from mekane.errors import MekaneError
    from mekane.view.scene.scene import scene
    from mekane.view.web.live_code import live_code

    system, options = read(text)
    try:
        code = live_code(system, **of_live(options))
    except MekaneError:
        return stepped(system, options, bool(data.get("anew")))
    return {"script": code.script, "about": code.about, "scene": scene(system).to_dict()}


def of_live(options) -> dict:
    """Of the options of a run those that a live page has, too."""
    return {name: options[name] for name in ("formulation", "impacts") if name in options}


def stepped(system, options, anew) -> dict:
    from mekane.errors import MekaneError
    from mekane.view.studio.stepped.worker_side import begin

    try:
        return begin(system, options, anew)
    except MekaneError as error:
        return {"refused": str(error)}


def live_page(text, data) -> dict:
    """A page to share in which the model is simulated."""
    from mekane.errors import MekaneError
    from mekane.view.web.live_page import live_page

    system, options = read(text)
    t_end, _, _ = bounded(options)
    try:
        return {"html": live_page(system, t_end=t_end, **of_live(options))}
    except MekaneError as error:
        return {"refused": str(error)}


def picture(text, data) -> dict:
    from mekane.view.studio.start import picture_of

    return picture_of(text, data)


def import_file(text, data) -> dict:
    from mekane.view.studio.start import imported

    return imported(text, data)


ANALYSES = {
    "/equilibrium": equilibrium,
    "/modes": modes,
    "/equations": equations,
    "/live": live,
    "/live-page": live_page,
    "/picture": picture,
    "/import": import_file,
}
