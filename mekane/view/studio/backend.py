"""The backend of the studio: requests of the page, computed from the text it sends. Only the file and a few runs are
kept.

Runs are computed here, one at a time; analyses in processes of their own (workers.py), so that they can be ended and
delay nobody."""

import time
from collections import OrderedDict
from pathlib import Path

from mekane.errors import FileError, MekaneError, ModelError
from mekane.view.studio.adding import added
from mekane.view.studio.analyses import ANALYSES
from mekane.view.studio.computation import Computing, Superseded
from mekane.view.studio.conflict_resolution import resolve_conflicts
from mekane.view.studio.error_location import located
from mekane.view.studio.model_file import ModelFile
from mekane.view.studio.slider_edit import with_changes
from mekane.view.studio.sliders import sliders
from mekane.view.studio.stepped.sessions import Sessions
from mekane.view.studio.vocabulary import vocabulary
from mekane.view.studio.workers import worker_pool
from mekane.view.web.saved_page import data_of, page
from mekane.view.web.server import Answer
from mekane.view.web.viewer import Viewer

LONGEST = 1_000_000  # characters of a text
KEPT = 12  # motions that pages may still request data of
MOST_PLOTS = 50
AT_ONCE = 2_000_000  # bytes of frames


class Backend:
    """text: of the model at the beginning; target: the file that is written when the page saves (model_file.py);
    choose: the page begins with the choice of another model."""

    guarded = True  # its page can write a file

    def __init__(self, text: str, name: str, target: Path, exists: bool, choose: bool = False):
        self.name, self.file, self.choose = name, ModelFile(text, target, exists), choose
        self.computing, self.shown, self.pictures = Computing(), OrderedDict(), {}
        self.sessions = Sessions(worker_pool)

    @property
    def text(self) -> str:
        return self.file.text

    def close(self) -> None:
        """Nobody will request anything any more."""
        self.sessions.close()

    # -- called by the server (view/web/server.py)

    def page(self, token: str) -> str:
        studio = {
            "token": token,
            "name": self.name,
            "vocabulary": vocabulary(),
            "choose": self.choose,
            **self.file.now(),
        }
        return page({"scene": {"name": self.name}, "studio": studio}, connect="'self'")

    def get(self, path, query):
        """Data of a motion that the page has."""
        viewer = self.shown.get(path.split("/", 2)[1])
        return viewer.get(path, query) if viewer else None

    def post(self, path: str, data: dict):
        if path in WITHOUT_TEXT:
            return Answer.json(WITHOUT_TEXT[path](self, data))
        if path not in ("/run", "/share", "/save", "/add", *ANALYSES):
            return None
        text = text_in(data)
        try:
            if path == "/save":
                return Answer.json({"text": text, **self.file.save(text, data)})  # waits for nothing
            if path == "/add":
                with self.computing.turn():
                    return Answer.json(added(with_changes(text, data.get("changes", []))[0], data))
            return Answer.json(self.analysed(path, text, data) if path in ANALYSES else self.computed(path, text, data))
        except Superseded:
            return Answer.json({"superseded": True})
        except MekaneError as error:
            return Answer.json({"text": text, "error": located(error, text)})

    def computed(self, path, text, data) -> dict:
        """By this process, one request at a time."""
        request = page_and_number(data) if path == "/run" else ()
        if request:
            self.computing.announce(*request)  # at once: it may end a run that is under way
        with self.computing.turn(*request):
            return changed(text, data, lambda new: (self.run if path == "/run" else self.share)(new, data))

    def analysed(self, path, text, data) -> dict:
        """By another process, while this one goes on."""
        more = {"method": str(data.get("method", "kane"))}
        if path == "/import":  # a file that the page was given
            return self.begin(
                worker_pool.answer(path, text, {"name": data.get("name"), "content": data.get("content")})
            )
        viewer = page_and_number(data)[0]
        if path == "/live":
            more = {"anew": bool(data.get("anew"))}
            return changed(text, data, lambda new: self.sessions.live(new, more, viewer))
        return changed(text, data, lambda new: worker_pool.answer(path, new, more, viewer))

    # -- a motion that is stepped while one looks at it

    def live_step(self, data) -> dict:
        """Rows of the motion of a tab: from which time on, how far, and what the hand holds."""
        try:
            return self.sessions.advance(
                {name: data.get(name) for name in ("begin", "step", "hand")}, page_and_number(data)[0]
            )
        except Superseded:
            return {"gone": True}

    def live_end(self, data) -> dict:
        self.sessions.end(page_and_number(data)[0])
        return {}

    # -- what there is to begin with

    def offered(self, data) -> dict:
        from mekane.view.studio.start import offered

        return offered()

    def open(self, data) -> dict:
        """A template or a mechanism, by its name; or a text that the page itself has kept."""
        from mekane.view.studio.start import begun

        if "recent" in data:
            return self.begin({"name": Path(str(data.get("name"))).stem, "text": text_in({"text": data["recent"]})})
        return self.begin(begun(str(data.get("name"))))

    def begin(self, found: dict) -> dict:
        """Another model, to be saved under its own name beside the file of this studio."""
        return {**found, "file": self.file.name_for(found["name"]), "base": None}

    def picture(self, data) -> dict:
        name = str(data.get("name"))
        if name not in self.pictures:  # as many as the gallery has
            self.pictures[name] = worker_pool.answer("/picture", "", {"name": name})
        return self.pictures[name]

    # -- requests of the page

    def run(self, text, data) -> dict:
        begun = time.perf_counter()
        run, remarks = self.computing.run(text, *page_and_number(data), bool(data.get("quick")))
        computed = time.perf_counter() - begun
        motion = self.motion(run, data)
        found = [slider.to_dict() for slider in sliders(text, run.system, run)]
        return {
            "motion": motion,
            "sliders": found,
            "remarks": remarks,
            "seconds": [computed, time.perf_counter() - begun],
        }

    def motion(self, run, data) -> dict:
        """As a page takes it; what it does not need at once it requests by the viewer's key."""
        viewer = Viewer(run, plotted(run, data), self.computing.lock)
        self.shown[viewer.key] = viewer
        while len(self.shown) > KEPT:
            self.shown.pop(next(iter(self.shown)), None)
        return viewer.data(whole=AT_ONCE)

    def share(self, text, data) -> dict:
        run, _ = self.computing.run(text)
        return {"html": page(data_of(run, plotted(run, data)))}


WITHOUT_TEXT = {
    "/offered": Backend.offered,
    "/open": Backend.open,
    "/picture": Backend.picture,
    "/live-step": Backend.live_step,
    "/live-end": Backend.live_end,
}


def changed(text, data, compute) -> dict:
    """The text with the values of sliders, and what compute gives for it; with a remark if other values were
    removed."""
    text, moved = with_changes(text, [data["change"]] if "change" in data else data.get("changes", []))
    try:
        text, answer, removed = resolve_conflicts(text, moved, compute)
    except MekaneError as error:
        return {"text": text, "error": located(error, text)}
    if removed:
        answer["remarks"] = [
            f"Left to the mechanism, because the newest holds: {', '.join(removed)}.",
            *answer.get("remarks", ()),
        ]
    return {"text": text, **answer}


def plotted(run, data):
    names = data.get("plots")
    return (
        [name for name in names if isinstance(name, str) and name in run][:MOST_PLOTS] or None
        if isinstance(names, list)
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


def page_and_number(data: dict) -> tuple[str, int]:
    """The page that sent a request, and the number of this request of that page."""
    number = data.get("number", 0)
    if type(number) is not int:
        raise ModelError(
            "studio", f"the number of the request is {number!r}", "a whole number is expected", "Load the page again."
        )
    return str(data.get("viewer", "")), number
