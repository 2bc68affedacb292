"""The docs are true: their code runs, their model files load, what they quote and name is there.

Oracles: the assertions inside the code blocks, the sources, and the registries of joints, forces, integrators and
mechanisms. A page is played in a process of its own, since examples of new joints and forces register themselves; that
process is a copy of one that has loaded the engine, which takes longer than most pages. The tutorial is played by
test_tutorial. Run as a program, with the name of a page and a folder, this file plays one page.
"""

import os
import re
import subprocess
import sys
import traceback
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

import mekane as mk
from mekane import formulations, gallery
from mekane.expressions.parse import FUNCTION_NAMES
from mekane.importers.yaml import SIMULATE, load_document
from mekane.model.constraint import constraint_kinds
from mekane.model.force import force_kinds
from mekane.model.joint import joint_kinds
from mekane.model.named_part import named_parts
from mekane.model.set_valued import contact_kinds
from mekane.model.system import System
from mekane.model.values.units import UNITS
from mekane.solvers import integrators

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.name: page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md"))}
HEAD = re.compile(r"# (mekane/[\w/]+\.py)\n")  # first line of a block that is a file, or a quotation of one
GAP = "    ...\n"  # where a quotation leaves lines out


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGES[page], re.MULTILINE | re.DOTALL)


def with_head(page):
    """(file named in the first line, text after it) of the blocks that have one."""
    found = [(HEAD.match(block), block) for block in blocks(page, "python")]
    return [(ROOT / head[1], block[head.end() :]) for head, block in found if head]


def new_files():
    return [file for file, _ in with_head("extend.md")]


# ---------------------------------------------------------------- playing a page


def play(page, folder):
    """All blocks in order, in one name space. On the page of new files a block with a head becomes that file, in a
    folder of its package."""
    names = {"MODEL": next(iter(blocks(page, "yaml")), None)}
    for number, block in enumerate(blocks(page, "python"), 1):
        head = HEAD.match(block)
        if head is None:
            exec(compile(block, f"{page}, block {number}", "exec"), names)
        elif page == "extend.md":
            add_file(Path(head[1]), block[head.end() :], folder)


def add_file(path, text, folder):
    """As if the file were in its package."""
    package = import_module(".".join(path.parent.parts))
    here = folder / path.parent
    here.mkdir(parents=True, exist_ok=True)
    (here / path.name).write_text(text, encoding="utf-8")
    package.__path__.append(str(here))
    if hasattr(package, "NAMES"):
        package.NAMES.append(path.stem)
    import_module(f"{package.__name__}.{path.stem}")


def serve():
    """Play a page for each line "page, folder" of standard input, in a copy of this process; answer with its exit
    code."""
    load_engine()
    for line in sys.stdin:
        page, folder = line.rstrip("\n").split("\t")
        if (child := os.fork()) == 0:
            play_and_exit(page, Path(folder))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def load_engine():
    import matplotlib.figure  # noqa: F401

    str(mk.simulate(gallery.find("slider_crank_planar").system(), 0.01).health)


def play_and_exit(page, folder):
    os.chdir(folder)
    for stream, file in enumerate((os.devnull, os.devnull, error_log(folder))):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), stream)
    code = 1
    try:
        play(page, folder)
        code = 0
    except BaseException:
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(code)


def error_log(folder):
    """The file of what a page writes to standard error; not among its own."""
    return folder.with_name(folder.name + ".txt")


@pytest.fixture(scope="module")
def player():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with subprocess.Popen([sys.executable, __file__], env=environment, **pipes) as process:
        yield process
        process.stdin.close()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python") and page != "tutorial.md"])
def test_code_runs(page, player, tmp_path):
    print(page, tmp_path, sep="\t", file=player.stdin, flush=True)
    assert player.stdout.readline() == "0\n", error_log(tmp_path).read_text(encoding="utf-8")[-3000:]


# ---------------------------------------------------------------- what is quoted and named


@pytest.mark.parametrize("page", PAGES)
def test_model_files_load(page):
    for text in blocks(page, "yaml"):
        system, _ = load_document(text)
        assert system.bodies


@pytest.mark.parametrize("page", [page for page in PAGES if page != "extend.md"])
def test_quotations_are_lines_of_their_files(page):
    for file, text in with_head(page):
        source = file.read_text(encoding="utf-8")
        for piece in text.split(GAP):
            assert piece in source, f"{file.name}: {piece}"
            source = source[source.index(piece) + len(piece) :]


def test_new_files_are_new():
    """An example whose file exists would be a quotation; choose another example."""
    assert len(new_files()) == 8
    assert not [file for file in new_files() if file.exists()]


@pytest.mark.parametrize("page", PAGES)
def test_links_and_files_exist(page):
    text = PAGES[page]
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    files = re.findall(r"\b(?:mekane|docs|tests)/[\w/]+\.\w+", text)
    missing = [link for link in links if not (ROOT / "docs" / link).exists()]
    missing += [file for file in files if not (ROOT / file).exists() and ROOT / file not in new_files()]
    assert not missing


def test_the_spring_goes_through_the_packages_it_passes():
    """One file of each is opened; functions that are named stand in one of the files that are named."""
    page = PAGES["follow-a-spring.md"]
    files = set(re.findall(r"mekane/[\w/]+\.py", page))
    passed = {path.name for path in (ROOT / "mekane").iterdir() if (path / "__init__.py").exists()}
    assert passed - {Path(file).parts[1] for file in files} == {
        "constraints",
        "contacts",
        "gallery",
    }  # a spring is none of them
    sources = "".join((ROOT / file).read_text(encoding="utf-8") for file in files)
    named = re.findall(r"`(\w+)`", re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL))
    assert not [name for name in named if not re.search(rf"\b{name}\b", sources + page.split("```yaml")[1])]


# ---------------------------------------------------------------- nothing is left out


def test_every_page_is_on_the_map():
    assert all(f"]({page})" in PAGES["index.md"] for page in PAGES if page != "index.md")


def test_every_mechanism_is_in_the_gallery():
    """If this fails: python docs/make_gallery.py"""
    assert sorted(re.findall(r"^\| <img [^|]*> \| `(\w+)` \|", PAGES["gallery.md"], re.MULTILINE)) == gallery.names()


@pytest.mark.parametrize("kind", [*joint_kinds, *constraint_kinds, *contact_kinds, *force_kinds, *named_parts, "body"])
def test_model_files_name_every_keyword(kind):
    keywords = [
        keyword
        for keyword in signature(getattr(System, kind)).parameters
        if keyword not in ("self", "name", "a", "b", "joint")
    ]
    page = PAGES["model-files.md"]
    section = f"{kind}s" if kind in named_parts else kind
    missing = [keyword for keyword in (section, *keywords) if f"`{keyword}`" not in page and keyword != "body"]
    assert not missing


def test_the_rest_of_the_vocabulary():
    page, guide = PAGES["model-files.md"], PAGES["guide.md"]
    assert not [
        keyword for keyword in (*SIMULATE, *integrators.NAMES, *formulations.NAMES) if f"`{keyword}`" not in page
    ]
    assert not [
        unit
        for unit in UNITS
        if not re.search(rf"(?<!\w){re.escape(unit)}(?!\w)", page) and not unit.startswith(("µ", "°"))
    ]
    assert not [keyword for keyword in FUNCTION_NAMES if not re.search(rf"\b{keyword}\b", guide)]


if __name__ == "__main__":
    play(sys.argv[1], Path(sys.argv[2])) if sys.argv[1:] else serve()
