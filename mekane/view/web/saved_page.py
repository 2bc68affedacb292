"""run.save_html: one file with the mechanism, its motion and its plots, that opens by double click, without a
network."""

import json
from html import escape
from importlib.resources import files

import numpy as np

from mekane.errors import ModelError
from mekane.files import write
from mekane.model.names import own_measures
from mekane.symbolic.printing.html import STYLE as EQUATIONS_STYLE
from mekane.view.motion.frames import ENERGY, arrows, curve, shown, with_arrows
from mekane.view.plots.telling import telling
from mekane.view.scene.scene import scene
from mekane.view.web.checks import checks
from mekane.view.web.events import event_marks
from mekane.view.web.facts import facts
from mekane.view.web.packing import block, text_of_meshes

MOST_FRAMES = 1000
MOST_POINTS = 4000  # of a curve
MOST_CHANNELS = 40  # offered for plots; those requested are always there
MOST_ARROWS = 60  # six numbers for each and every frame
SHOWN_FIRST = 2
CONTACTS = tuple(
    f"contacts/{name}" for name in ("linear", "mode_forces", "cones", "mode_choice", "impact", "local", "engine")
)
LIVE = ("live_engine", *CONTACTS, "live_record", "live_panel", "hand", "live")
STEPPED = ("stepped_live",)
STUDIO = ("slider", "yaml_place", "completion", "editor", "panes", "start", "studio_live", "adding", "studio")
SCRIPTS = (
    "data", "formulas", "theme", "poses", "triangles", "solids", "tube", "between", "about", "rails", "arrows", "traces", "values",
    "joint_motion", "thin", "mechanism",
    "framing", "gizmo", "light", "floor", "posts", "outline", "stage", "plots", "phase", "compare", "health", "tree",
    "inspector", "pin", "record", "pointer", "events", "controls", "keyboard", "page",
)  # of page/, in the order in which they build on each other  # fmt: skip


def save_html(run, path, plots=None, most=MOST_FRAMES):
    """Write the page of a run. plots: names to be plotted at first; joint coordinates unless given. most: frames."""
    if not str(path).endswith((".html", ".htm")):
        raise ModelError(
            "save_html", f"path is {str(path)!r}", "pages are written as .html", 'Write run.save_html("motion.html").'
        )
    text = page(data_of(run, plots, most))
    write(path, text)


def data_of(run, plots=None, most=MOST_FRAMES):
    """What the page reads: scene, frames, channels, arrows and texts, as docs/scene.md describes."""
    check_samples(run)
    moved, first, picture = shown(run, most), shown_first(run, plots), scene(run.system).to_dict()
    return {
        "scene": picture,
        "frames": moved.to_dict(),
        "samples": block(run.t[:MOST_POINTS]),
        "channels": {name: at_samples(curve(run, name, MOST_POINTS)) for name in offered(run, first)},
        "shown": first,
        "arrows": arrows(run, with_arrows(run.system)[:MOST_ARROWS], moved.sampling),
        "info": info(run, moved, run.health, picture),
    }


def at_samples(curve):
    """A curve; without its times if they are those of all samples."""
    return curve if curve["thinned"] else {key: part for key, part in curve.items() if key != "time"}


def info(run, moved, health, picture):
    """Texts of the page: times, what is not shown, and whether to trust the run."""
    times = f"{run.t[0]:g} … {run.t[-1]:g} s, {moved.sampling.text}"
    span = "; ".join(text for text in (times, moved.choice.note, text_of_meshes(picture)) if text)
    return {
        "subtitle": span,
        "health": str(health),
        "ok": health.ok,
        "trusted": health.trusted,
        "verdict": health.verdict,
        "checks": checks(run, health),
        "events": event_marks(run),
        "facts": facts(run.system),
    }


def check_samples(run):
    if not len(run.t):
        raise ModelError("view", "the run has no samples", "there is nothing to see", "See run.info['stopped'].")


def shown_first(run, plots=None):
    """What is plotted at first."""
    return list(plots) if plots is not None else telling(run, usual(run))[:SHOWN_FIRST]


def offered(run, first):
    """Names for plots: those requested, energy, joint coordinates, forces, positions, rates of joint coordinates."""
    rates = (f"{name}.rate" for name in usual(run) if f"{name}.rate" in run)  # for phase portraits
    forces = (f"{name}.{quantity}" for name in run.system.forces for quantity in ("tension", "force", "torque"))
    places = (name for name in run.names() if name.endswith(".position"))
    names = dict.fromkeys([*first, ENERGY, *usual(run), *(name for name in forces if name in run), *places, *rates])
    return list(names)[: max(MOST_CHANNELS, len(first) + 1)]


def usual(run):
    """Joint coordinates, which most people need first; positions where no joint has one."""
    named = [f"{joint.name}.{measure.name}" for joint in run.system.joints.values() for measure in own_measures(joint)]
    return [name for name in named if name in run] or [moving(run, body) for body in run.system.bodies]


def moving(run, body):
    """What of a body changes: where it is, where its mass centre is, else how it rotates."""
    names = [f"{body}.{quantity}" for quantity in ("position", "centre", "angular_velocity")]
    return next((name for name in names if name in run and np.ptp(run.numbers(name), axis=0).any()), names[0])


def page(data, connect="'none'", model=""):
    """The page with its data inside. Nothing in a model can end the script it stands in. model: script of a mechanism that
    is simulated in the page (live_code)."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    studio = "studio" in data
    live = studio or "live" in data
    own = [*(STUDIO if studio else []), *(LIVE if live else []), *(STEPPED if studio else [])]
    libraries = ["vendor/codemirror.min"] if studio else []
    scripts = "\n".join([model, *(part(f"{name}.js") for name in [*libraries, *own, *SCRIPTS])])
    more = [*(["studio.css"] if studio else []), *(["live.css"] if live else [])]
    styles = "\n".join(part(name) for name in ["page.css", "vendor/uplot.min.css", *more])
    styles += EQUATIONS_STYLE if studio else ""
    parts = {
        "TITLE": escape(data["scene"]["name"]), "CONNECT": connect, "STYLE": styles, "DATA": text,
        "THREE_JS": part("vendor/three.min.js"), "UPLOT_JS": part("vendor/uplot.min.js"), "PAGE_JS": scripts,
        "STUDIO": part("studio.html") if studio else "",
    }  # fmt: skip
    pieces, rest = [], part("page.html")
    for placeholder in ("CONNECT", "TITLE", "STYLE", "STUDIO", "DATA", "THREE_JS", "UPLOT_JS", "PAGE_JS"):
        before, _, rest = rest.partition(placeholder)
        pieces += [before, parts[placeholder]]
    return "".join([*pieces, rest])


def part(name):
    return files("mekane.view.web").joinpath("page", *name.split("/")).read_text(encoding="utf-8")
