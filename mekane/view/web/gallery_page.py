"""mekane gallery --html: a folder of pages, one for each mechanism, that need neither a network nor a server.

index.html           a card for every mechanism whose page is there
NAME.html            moving picture, reference checks, equations, the model as a file
NAME.motion.html     the page of run.save_html
NAME.webp            the moving picture, or NAME.gif where Pillow has no WebP
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from mekane.errors import FileError
from mekane.files import explain_errors, write
from mekane.gallery.entry import HEADINGS
from mekane.importers.yaml import dumps
from mekane.symbolic.equations import equations
from mekane.symbolic.printing.html import STYLE as EQUATIONS_STYLE
from mekane.symbolic.printing.mathml_elements import visible
from mekane.view.render.animation import animation, natural_speed, speed_text
from mekane.view.web.saved_page import part, save_html

SIZE, FPS, SECONDS = (320, 240), 15, 3  # of the moving picture
FOLDED = 60_000  # letters of equations that are long


def check_folder(folder: Path) -> None:
    """It is made if it is not there; nothing but our own pages is touched in it."""
    if folder.exists() and not folder.is_dir():
        raise FileError(str(folder), "it is a file", "the name of a folder is expected", "Write --html gallery.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            str(folder), f"it cannot be made ({error.strerror or error})", remedy="Give another --html."
        ) from None


def save_mechanism(mechanism, run, folder: Path, formulation: str = "") -> list:
    """Its page and what that shows: all of it, or nothing. Gives the outcomes of its checks."""
    outcomes = mechanism.outcomes(run)
    with explain_errors(folder, folder), TemporaryDirectory(dir=folder, prefix=".mekane-") as made:
        film = moving_picture(run, Path(made) / picture_of(mechanism))
        save_html(run, Path(made) / motion_of(mechanism))
        text = page(mechanism, run, outcomes, film, formulation or usual_formulation(mechanism))
        write(Path(made) / page_of(mechanism), text)
        for name in (picture_of(mechanism), motion_of(mechanism), page_of(mechanism)):
            os.replace(Path(made) / name, folder / name)
    return outcomes


def moving_picture(run, path):
    """The first seconds; motions below a second are slowed down."""
    film = animation(
        run, path, fps=FPS, size=SIZE, speed=natural_speed(float(run.t[-1] - run.t[0])), most=FPS * SECONDS
    )
    if film.stopped:
        raise KeyboardInterrupt
    return film


def save_index(mechanisms, folder: Path) -> int:
    """Cards of those whose pages are there. Gives their number."""
    there = [mechanism for mechanism in mechanisms if (folder / page_of(mechanism)).exists()]
    write(folder / "index.html", index(there))
    return len(there)


def page_of(mechanism) -> str:
    return f"{mechanism.name}.html"


def motion_of(mechanism) -> str:
    return f"{mechanism.name}.motion.html"


def picture_of(mechanism) -> str:
    from PIL import features

    return f"{mechanism.name}.webp" if features.check("webp") else f"{mechanism.name}.gif"


def usual_formulation(mechanism) -> str:
    return "joint" if "joint" in mechanism.formulations else mechanism.formulations[0]


# ---------------------------------------------------------------- pages


def whole(title: str, body: str) -> str:
    text, styles = part("gallery.html"), part("gallery.css") + EQUATIONS_STYLE
    before, _, rest = text.partition("TITLE")
    between, _, rest = rest.partition("STYLE")
    last, _, end = rest.partition("BODY")
    return "".join([before, visible(title), between, styles, last, body, end])


def index(mechanisms) -> str:
    cards = "".join(map(card, mechanisms))
    about = f"Mechanisms with known answers: {len(mechanisms)}. Each was run, and compared with its reference."
    return whole(
        "Gallery of Mekane",
        f'<h1>Gallery of Mekane</h1>\n<p class="soft">{about}</p>\n<ul class="cards">\n{cards}</ul>\n',
    )


def card(m) -> str:
    text = f"<div><b>{visible(capital(m.title))}</b><small>{visible(m.source)}</small></div>"
    return f'<li><a href="{page_of(m)}">{image(m)}{text}</a></li>\n'


def image(m) -> str:
    return f'<img src="{picture_of(m)}" width="{SIZE[0]}" height="{SIZE[1]}" alt="{m.name} moving" loading="lazy"/>'


def page(m, run, outcomes, film, formulation: str) -> str:
    parts = [
        '<p><a href="index.html">Gallery</a></p>\n',
        f"<h1>{visible(capital(m.title))}</h1>\n<p class='soft'>{visible(m.source)}</p>\n",
        film_and_health(m, run, film),
        f"<h2>Reference checks</h2>\n{checks(outcomes)}",
        f"<h2>Equations of motion</h2>\n{equations_of(m, formulation)}",
        f"<h2>Model</h2>\n<details><summary>as a model file</summary>\n<pre>{visible_lines(dumps(run.system))}</pre>\n</details>\n",
    ]
    return whole(f"{m.name}: {m.title}", "".join(parts))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def film_and_health(m, run, film) -> str:
    """The moving picture, and how the run went."""
    span = ". ".join([f"{film.shown[0]:g} … {film.shown[1]:.4g} s, {speed_text(film.speed)}", *film.missing])
    play = f'<a class="button" href="{motion_of(m)}">Play, scrub and plot</a>'
    code = f"<pre>mekane gallery {m.name}\nmekane view {m.name}</pre>"
    text = f"{play}<p>{visible(str(run.health))}</p>{code}"
    return f'<div class="film"><figure>{image(m)}<figcaption><small>{span}</small></figcaption></figure><div>{text}</div></div>\n'


def checks(outcomes) -> str:
    """Expected and found, error beside tolerance; and where the numbers come from."""
    if not outcomes:
        return "<p>No reference value lies within this run.</p>\n"
    head = "".join(f"<th>{visible(heading)}</th>" for heading in HEADINGS)
    rows = "".join(f"<tr>{cells(outcome)}</tr>\n" for outcome in outcomes)
    met = sum(outcome.met for outcome in outcomes)
    why = "".join(
        f"<li>{visible(text)}</li>" for text in dict.fromkeys(outcome.check.why for outcome in outcomes) if text
    )
    summary = f"<p>{met} of {len(outcomes)} met.</p>\n"
    return f'{summary}<div class="wide"><table class="checks">\n<tr>{head}</tr>\n{rows}</table></div>\n' + (
        f"<ul>{why}</ul>\n" if why else ""
    )


def cells(outcome) -> str:
    *others, verdict = outcome.row
    mark = f'<td class="{"ok" if outcome.met else "off"}">{verdict}</td>'
    return "".join(f"<td>{visible(text)}</td>" for text in others) + mark


def equations_of(m, formulation: str) -> str:
    """By Kane's method; folded away where they are long."""
    eq = equations(m.system(), formulation=formulation)
    found = eq.mathml
    method = f"<p>By Kane's method, {formulation} formulation.</p>\n"
    if len(found) <= FOLDED:
        return method + found
    return f"{method}<details><summary>{sum(map(count_lines, eq.chapters()))} equations</summary>\n{found}</details>\n"


def count_lines(section) -> int:
    return sum(len(formula.lines()) for formula in section.formulas)


def visible_lines(text: str) -> str:
    return "\n".join(map(visible, text.splitlines()))
