"""What the studio offers to begin with: templates, mechanisms of the gallery with their pictures, files of other programs."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from mekane import gallery
from mekane.analyses.simulate import simulate
from mekane.errors import MekaneError, ModelError
from mekane.files import write
from mekane.importers import load_document
from mekane.importers.yaml import dumps
from mekane.numba_backend.kernel_cache import cache_folder, can_store, discard_old_caches
from mekane.view.studio.opening import FIRST, mechanism_text

EMPTY = """\
system: my mechanism
gravity: [0, 0, -9.81]
bodies:
  body: {mass: 1, shape: {box: [0.2, 0.1, 0.1]}}
simulate: {t_end: 1}
"""
FOUR_BAR = """\
system: four-bar
gravity: [0, 0, -9.81]
parameters: {r: 0.1, d: 0.3}     # length of the crank, of the coupler [m]
bodies:
  crank: {mass: 0.3, shape: {rod: $r, radius: 0.008}, position: [0, 0, $r/2]}
  coupler: {mass: 0.8, shape: {rod: $d, axis: x, radius: 0.008}, position: [$d/2, 0, $r]}
  rocker: {mass: 0.5, shape: {rod: $2*r, radius: 0.008}, position: [$d, 0, 0]}
joints:
  main: {pin: [ground, crank], at: [0, 0, 0], axis: y, rate: 120 rpm}
  A: {pin: [crank, coupler], at: [0, 0, $r], axis: y}
  B: {pin: [coupler, rocker], at: [$d, 0, $r], axis: y}
  C: {pin: [rocker, ground], at: [$d, 0, $-r], axis: y}
simulate: {t_end: 3, every: 0.01}
"""
TEMPLATES = {  # name → what it is, its text
    "empty": ("one body, to begin from nothing", EMPTY),
    "pendulum": ("a rod on a hinge, with friction", FIRST),
    "four_bar": ("a closed loop with sizes as parameters", FOUR_BAR),
}
SIZE = (240, 160)  # of a picture
INSTANT = 1e-6  # of the usual time: a run so short shows the start
LARGEST = 4_000_000  # characters of a file of another program


def offered() -> dict:
    """For the page: templates, mechanisms, kinds of files."""
    return {
        "templates": [{"name": name, "title": title} for name, (title, _) in TEMPLATES.items()],
        "gallery": [{"name": one.name, "title": one.title} for one in gallery.mechanisms()],
    }


def begun(name: str) -> dict:
    """The text of a template or of a mechanism, by its name."""
    if name in TEMPLATES:
        return {"name": name, "text": TEMPLATES[name][1]}
    return {"name": name, "text": mechanism_text(gallery.find(name))}


def picture_of(text, data) -> dict:
    """A mechanism of the gallery at its start, as PNG; refused: why there is none."""
    mechanism = gallery.find(str(data.get("name")))
    try:
        return {"png": b64encode(stored_picture(mechanism)).decode()}
    except MekaneError as error:
        return {"refused": str(error)}


def stored_picture(mechanism) -> bytes:
    """Drawn once for all studios: it is kept beside the compiled kernels, as long as the mechanism and the code that draws it
    are as they were."""
    folder = cache_folder(Path(__file__).resolve()) if can_store() else None
    if folder is None:
        return drawn_picture(mechanism)
    known = sha256(mechanism_text(mechanism).encode()).hexdigest()[:16]
    path = folder / f"{mechanism.name}-{known}.png"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write(path, drawn_picture(mechanism))
        discard_old_caches(folder)
    return path.read_bytes()


def drawn_picture(mechanism) -> bytes:
    from mekane.view.render.picture import Drawer

    run = simulate(mechanism.system(), INSTANT * mechanism.t_end, code="loops")
    return Drawer(run, SIZE).at_the_start()._repr_png_()


def imported(text, data) -> dict:
    """A model of another program, such as a robot in URDF, as text of this studio. Files that it names beside itself, such as
    meshes, were not sent and are not there."""
    name = PurePosixPath(str(data.get("name", "")).replace("\\", "/")).name
    content = data.get("content")
    if not name or not isinstance(content, str) or len(content) > LARGEST:
        raise ModelError("import", "no file was sent, or too large a one", f"at most {LARGEST} characters are taken")
    with TemporaryDirectory(prefix="mekane-") as folder:
        path = Path(folder) / name
        path.write_text(content, encoding="utf-8")
        return {"name": path.stem, "text": dumps(*load_document(path))}
