"""Build the site: docs/*.md, a page of every mechanism that plays, and the API reference, as HTML.

    python docs/make_site.py OUT [--play NAME …]

Pages are copied to OUT/source, completed there and built by Sphinx into OUT/html. The groups of the navigation are the
headings of index.md; links below them are its pages. --play: mechanisms whose motion is computed; all unless given. A
warning ends the build.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path

from mekane import gallery, save_live

DOCS = Path(__file__).parent
SITE = DOCS / "site"
LONGEST = 10.0  # seconds of a motion that are played
SCREEN = {"fps": 12, "size": (320, 240), "seconds": 3}  # of a film
FRAMES = 300  # of a page that plays
GENERATED = (
    "system",
    "joints",
    "constraints",
    "contacts",
    "forces",
    "analyses",
    "results",
    "values",
    "errors",
    "commands",
)
PLAYER = """<iframe class="player" src="../play/{name}.html" title="{name}, moving" loading="lazy"></iframe>
<p><a href="../play/{name}.html">On a page of its own</a> · <a href="../play/{name}.webp">as a film</a>
 · <a href="../play/{name}.live.html">simulated live: drag it</a></p>
"""


def main(words):
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("out", type=Path)
    options.add_argument("--play", nargs="*", default=gallery.names(), metavar="NAME")
    given = options.parse_args(words)
    source, extra, html = (given.out / name for name in ("source", "extra", "html"))
    for folder in (source, extra, html):
        shutil.rmtree(folder, ignore_errors=True)
    extra.mkdir(parents=True)
    stage(source, extra, given.play)
    from sphinx.cmd.build import main as build

    quiet, places = ["-W", "--keep-going", "-q", "-b", "html"], ["-c", SITE, "-d", given.out / "doctrees", source, html]
    code = build([*quiet, "-D", f"html_extra_path={extra.resolve()}", *map(str, places)])
    print(f"{html / 'index.html'}" if code == 0 else "The site was not built; see the warnings above.")
    return code


def stage(source: Path, extra: Path, played) -> None:
    """All pages of the site, as Markdown."""
    for folder in ("pictures", "films", "drawings"):
        shutil.copytree(DOCS / folder, source / folder)
    for file in (*DOCS.glob("*.md"), DOCS / "tutorial.ipynb"):
        shutil.copy(file, source)
    for name in ("CONTRIBUTING", "CHANGELOG"):
        put(
            source / f"{name.lower()}.md",
            (DOCS.parent / f"{name}.md").read_text(encoding="utf-8").replace("](docs/", "]("),
        )
    put(
        source / "contributing.md",
        (source / "contributing.md").read_text(encoding="utf-8").replace("CHANGELOG.md", "changelog.md"),
    )
    add_reference(source)
    for name in played:
        play(gallery.find(name), extra / "play")
    for mechanism in gallery.mechanisms():
        put(source / "equations" / f"{mechanism.name}.md", mechanism_page(mechanism, mechanism.name in played))
    put(source / "gallery.md", gallery_page((source / "gallery.md").read_text(encoding="utf-8"), played))
    put(source / "index.md", start_page((source / "index.md").read_text(encoding="utf-8")))


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def add_reference(source: Path) -> None:
    sys.path.insert(0, str(SITE))
    import reference

    pages = reference.pages()
    assert tuple(pages) == GENERATED
    for name, text in pages.items():
        put(source / "reference" / f"{name}.md", text)


# ---------------------------------------------------------------- mechanisms


def play(mechanism, folder: Path) -> None:
    """Its motion, as a page that plays and as a film; and a page that simulates, in which it can be dragged."""
    folder.mkdir(parents=True, exist_ok=True)
    run = mechanism.run(t_end=min(mechanism.t_end, LONGEST))
    run.save_html(folder / f"{mechanism.name}.html", most=FRAMES)
    run.animation(folder / f"{mechanism.name}.webp", **SCREEN)
    save_live(mechanism.system(), folder / f"{mechanism.name}.live.html", t_end=min(mechanism.t_end, LONGEST))


def mechanism_page(mechanism, plays: bool) -> str:
    """Its player in front of its equations."""
    text = (DOCS / "equations" / f"{mechanism.name}.md").read_text(encoding="utf-8")
    _, rest = text.split("\n", 1)
    name = mechanism.name
    title = mechanism.title[0].upper() + mechanism.title[1:]
    seen = PLAYER.format(name=name) if plays else f"![{name}](../pictures/{name}.png)\n"
    facts = f"Answers: {mechanism.source}. {len(mechanism.checks)} checks, run to {mechanism.t_end:g} s: `mekane gallery {name}`.\n"
    return f"# {title}\n\n{seen}\n{facts}\n## Equations of motion\n{rest}"


def gallery_page(text: str, played) -> str:
    """Cards that move in the place of the table."""
    before, rest = text.split("<!-- table -->")
    after = rest.split("<!-- end of table -->")[1]
    cards = "\n".join(card(mechanism, mechanism.name in played) for mechanism in gallery.mechanisms())
    pages = "\n".join(f"{name} <equations/{name}>" for name in gallery.names())
    return f'{before}<div class="cards">\n{cards}\n</div>\n{after}\n\n{toctree(pages)}'


def card(mechanism, plays: bool) -> str:
    name = mechanism.name
    picture = f"play/{name}.webp" if plays else f"_images/{name}.png"
    return (
        f'<a class="card" href="equations/{name}.html"><img src="{picture}" alt="{name}" loading="lazy">'
        f"<b>{name}</b><span>{mechanism.title}</span></a>"
    )


# ---------------------------------------------------------------- navigation


def groups(index: str) -> dict[str, dict[str, str]]:
    """Heading: the pages linked below it, in their order, each with the words of its link."""
    parts = re.split(r"^## (.+)$", index, flags=re.MULTILINE)
    return {
        title: {page: words for words, page in re.findall(r"^\| \[([^\]]+)\]\(([\w-]+)\.md\)", text, re.MULTILINE)}
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def start_page(index: str) -> str:
    trees = [toctree("\n".join(pages), title) for title, pages in completed(groups(index)).items()]
    return index + "\n\n" + "\n\n".join(trees)


def completed(groups):
    """With the pages that are written here."""
    more = {"Reference": [f"reference/{name}" for name in GENERATED], "Developers": ["contributing", "changelog"]}
    return {
        title: [*(f"{words} <{page}>" for page, words in pages.items()), *more.get(title, [])]
        for title, pages in groups.items()
    }


def toctree(pages: str, caption="") -> str:
    lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), "", pages, "```"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
