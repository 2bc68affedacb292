"""The desk of the studio: what the page asks, answered from the text it sends. Nothing is remembered but the file and a
few runs.

Runs are computed here, one at a time; analyses in processes of their own (children.py), so that they can be ended and
hold up nobody."""

import time
from collections import OrderedDict
from pathlib import Path

from mekane.errors import FileError, MekaneError, ModelError
from mekane.view.studio.analyses import ANALYSES
from mekane.view.studio.computation import Computing, Superseded
from mekane.view.studio.conflict_resolution import answered
from mekane.view.studio.error_location import told
from mekane.view.studio.model_file import ModelFile
from mekane.view.studio.slider_edit import with_changes
from mekane.view.studio.sliders import knobs
from mekane.view.studio.workers import children
from mekane.view.web.saved_page import data_of, page
from mekane.view.web.server import Answer
from mekane.view.web.viewer import Viewer

LONGEST = 1_000_000  # characters of a text
KEPT = 12  # motions that pages may still ask about
MOST_PLOTS = 50
AT_ONCE = 2_000_000  # bytes of frames


class Desk:
    """text: of the model at the beginning; target: the file that is written when the page says so (model_file.py)."""

    guarded = True  # its page can write a file

    def __init__(self, text: str, name: str, target: Path, exists: bool):
        self.name, self.file = name, ModelFile(text, target, exists)
        self.computing, self.shown = Computing(), OrderedDict()

    @property
    def text(self) -> str:
        return self.file.text

    # -- what a server asks (view/web/server.py)

    def page(self, token: str) -> str:
        studio = {"token": token, "name": self.name, **self.file.now()}
        return page({"scene": {"name": self.name}, "studio": studio}, connect="'self'")

    def get(self, path, query):
        """What a page asks of a motion that it was given."""
        viewer = self.shown.get(path.split("/", 2)[1])
        return viewer.get(path, query) if viewer else None

    def post(self, path: str, data: dict):
        if path not in ("/run", "/share", "/save", *ANALYSES):
            return None
        text = text_in(data)
        try:
            if path == "/save":
                return Answer.json({"text": text, **self.file.save(text, data)})  # waits for nothing
            return Answer.json(self.analysed(path, text, data) if path in ANALYSES else self.computed(path, text, data))
        except Superseded:
            return Answer.json({"superseded": True})
        except MekaneError as error:
            return Answer.json({"text": text, "error": told(error, text)})

    def computed(self, path, text, data) -> dict:
        """By this process, one question at a time."""
        asking = asked_by(data) if path == "/run" else ()
        if asking:
            self.computing.announce(*asking)  # at once: it may end a run that is under way
        with self.computing.turn(*asking):
            return changed(text, data, lambda said: (self.run if path == "/run" else self.share)(said, data))

    def analysed(self, path, text, data) -> dict:
        """By another process, while this one goes on."""
        more = {"method": str(data.get("method", "kane"))}
        return changed(text, data, lambda said: children.answer(path, said, more, asked_by(data)[0]))

    # -- what the page asks

    def run(self, text, data) -> dict:
        begun = time.perf_counter()
        run, remarks = self.computing.run(text, *asked_by(data), bool(data.get("quick")))
        computed = time.perf_counter() - begun
        motion = self.motion(run, data)
        found = [knob.to_dict() for knob in knobs(text, run.system, run)]
        return {
            "motion": motion,
            "knobs": found,
            "remarks": remarks,
            "seconds": [computed, time.perf_counter() - begun],
        }

    def motion(self, run, data) -> dict:
        """As a page takes it; what it does not need at once it asks for by the viewer's key."""
        viewer = Viewer(run, plotted(run, data), self.computing.lock)
        self.shown[viewer.key] = viewer
        while len(self.shown) > KEPT:
            self.shown.pop(next(iter(self.shown)), None)
        return viewer.data(whole=AT_ONCE)

    def share(self, text, data) -> dict:
        run, _ = self.computing.run(text)
        return {"html": page(data_of(run, plotted(run, data)))}


def changed(text, data, ask) -> dict:
    """The answer to the text with what sliders say, and that text; with a remark if something gave way to them."""
    text, moved = with_changes(text, [data["change"]] if "change" in data else data.get("changes", []))
    try:
        said, answer, gone = answered(text, moved, ask)
    except MekaneError as error:
        return {"text": text, "error": told(error, text)}
    if gone:
        answer["remarks"] = [
            f"Left to the mechanism, because the newest holds: {', '.join(gone)}.",
            *answer.get("remarks", ()),
        ]
    return {"text": said, **answer}


def plotted(run, data):
    asked = data.get("plots")
    return (
        [name for name in asked if isinstance(name, str) and name in run][:MOST_PLOTS] or None
        if isinstance(asked, list)
        else None
    )


def text_in(data: dict) -> str:
    text = data.get("text")
    if not isinstance(text, str):
        raise ModelError("studio", "no text was sent", "the text of a model is expected", "Load the page again.")
    if len(text) > LONGEST:
        raise FileError(
            "model",
            f"its text has {len(text)} characters",
            f"at most {LONGEST} are taken here",
            "Run it with mekane run.",
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        problem = "its text has half a character in it (a lone surrogate)"
        raise FileError("model", problem, "text is expected", "Type that character anew.") from None
    return text


def asked_by(data: dict) -> tuple[str, int]:
    """Which page asks, and its how manieth question it is."""
    number = data.get("number", 0)
    if type(number) is not int:
        raise ModelError(
            "studio", f"the question's number is {number!r}", "a whole number is expected", "Load the page again."
        )
    return str(data.get("viewer", "")), number
