"""The desk of the studio: what the page asks, answered from the text it sends. Nothing is remembered but the file and a few runs."""

import time
from collections import OrderedDict
from pathlib import Path

from mekane.errors import FileError, MekaneError, ModelError
from mekane.files import write
from mekane.importers.yaml import dumps
from mekane.view.saved import data_of, page
from mekane.view.server import Answer
from mekane.view.studio.computing import Computing, Superseded, read
from mekane.view.studio.giving_way import answered
from mekane.view.studio.knobs import knobs
from mekane.view.studio.located import told
from mekane.view.studio.turning import with_changes
from mekane.view.viewer import Viewer

LONGEST = 1_000_000  # characters of a text
KEPT = 12  # motions that pages may still ask about
MOST_PLOTS = 50
AT_ONCE = 2_000_000  # bytes of frames


class Desk:
    """text: of the model at the beginning; target: the only file that is ever written, and only by `save`."""

    guarded = True  # its page can write a file

    def __init__(self, text: str, name: str, target: Path, exists: bool):
        self.line_end = "\r\n" if "\r\n" in text else "\n"  # a browser knows only the latter
        self.text, self.name, self.target = text.replace("\r\n", "\n"), name, target
        self.seen = stamp(target) if exists else None
        self.computing, self.shown = Computing(), OrderedDict()
        self.doors = {
            "/run": self.run, "/equilibrium": self.equilibrium, "/modes": self.modes, "/equations": self.equations,
            "/share": self.share, "/save": self.save,
        }  # fmt: skip

    # -- what a server asks (view/server.py)

    def page(self, token: str) -> str:
        studio = {"token": token, "text": self.text, "name": self.name, "file": self.target.name}
        return page({"scene": {"name": self.name}, "studio": studio}, connect="'self'")

    def get(self, path, query):
        """What a page asks of a motion that it was given."""
        viewer = self.shown.get(path.split("/", 2)[1])
        return viewer.get(path, query) if viewer else None

    def post(self, path: str, data: dict):
        door = self.doors.get(path)
        if door is None:
            return None
        text = text_in(data)
        asking = asked_by(data) if path == "/run" else ()
        if asking:
            self.computing.announce(*asking)  # at once: it may end a run that is under way
        try:
            if path == "/save":
                return Answer.json({"text": text, **self.save(text, data)})  # waits for nothing
            with self.computing.turn(*asking):
                text, moved = with_changes(text, [data["change"]] if "change" in data else data.get("changes", []))
                said, answer, gone = answered(text, moved, lambda said: door(said, data))
            if gone:
                answer["remarks"] = [f"Left to the mechanism, because the newest holds: {', '.join(gone)}.", *answer.get("remarks", ())]
            return Answer.json({"text": said, **answer})
        except Superseded:
            return Answer.json({"superseded": True})
        except MekaneError as error:
            return Answer.json({"text": text, "error": told(error, text)})

    # -- what the page asks

    def run(self, text, data) -> dict:
        begun = time.perf_counter()
        run, remarks = self.computing.run(text, *asked_by(data), bool(data.get("quick")))
        computed = time.perf_counter() - begun
        motion = self.motion(run, data)
        found = [knob.to_dict() for knob in knobs(text, run.system, run)]
        return {"motion": motion, "knobs": found, "remarks": remarks, "seconds": [computed, time.perf_counter() - begun]}

    def motion(self, run, data) -> dict:
        """As a page takes it; what it does not need at once it asks for by the viewer's key."""
        viewer = Viewer(run, plotted(run, data), self.computing.lock)
        self.shown[viewer.key] = viewer
        while len(self.shown) > KEPT:
            self.shown.pop(next(iter(self.shown)), None)
        return viewer.data(whole=AT_ONCE)

    def equilibrium(self, text, data) -> dict:
        from mekane.view.studio.postures import at_rest

        system, options = read(text)
        found, motion = at_rest(system, options.get("formulation", "joint"))
        return {"motion": motion, "words": str(found), "there": dumps(found.system, options)}

    def modes(self, text, data) -> dict:
        from mekane.view.studio.postures import swinging

        system, options = read(text)
        found, words = swinging(system, options.get("formulation", "joint"))
        return {"modes": found, "words": words}

    def equations(self, text, data) -> dict:
        from mekane.symbolic.equations import equations

        system, options = read(text)
        method = str(data.get("method", "kane"))
        return {"html": equations(system, method=method, formulation=options.get("formulation", "joint")).mathml}

    def share(self, text, data) -> dict:
        run, _ = self.computing.run(text)
        return {"html": page(data_of(run, plotted(run, data)))}

    def save(self, text, data) -> dict:
        """Into the file the studio was opened with, if it is still as it was when it was read or written last, or if told so."""
        now = stamp(self.target)
        if now is not None and now != self.seen and not data.get("replace"):
            why = "it was changed by another program since it was read" if self.seen else "there is such a file already"
            return {"ask": f"{self.target.name}: {why}. Replace it?"}
        write(self.target, text.replace("\n", self.line_end))
        self.seen, self.text = stamp(self.target), text
        return {"saved": self.target.name}


def plotted(run, data):
    asked = data.get("plots")
    return [name for name in asked if isinstance(name, str) and name in run][:MOST_PLOTS] or None if isinstance(asked, list) else None


def stamp(path: Path):
    """What tells one state of a file from another; None if there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def text_in(data: dict) -> str:
    text = data.get("text")
    if not isinstance(text, str):
        raise ModelError("studio", "no text was sent", "the text of a model is expected", "Load the page again.")
    if len(text) > LONGEST:
        raise FileError("model", f"its text has {len(text)} characters", f"at most {LONGEST} are taken here", "Run it with mekane run.")
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
        raise ModelError("studio", f"the question's number is {number!r}", "a whole number is expected", "Load the page again.")
    return str(data.get("viewer", "")), number
