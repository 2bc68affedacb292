"""Imports go one way: a package imports only from packages before it (DESIGN). Folders are small enough to be read,
and no function takes a long row of positional arguments. Oracle: the files and their syntax trees themselves."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import mekane

PACKAGE = Path(mekane.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

PACKAGES = (
    "errors", "files", "plugins", "progress", "numba_backend", "algebra", "expressions", "tables", "model", "joints", "forces",
    "constraints", "contacts", "formulations", "compiler", "kernels", "codegen", "solvers", "results", "analyses", "symbolic",
    "importers", "exporters", "gallery", "view", "cli",
)  # fmt: skip
SIDE_BY_SIDE = ({"joints", "forces", "constraints", "contacts"},)  # none may import another
# the packages that know Numba
COMPILERS = {"numba_backend", "algebra", "tables", "kernels", "codegen", "solvers", "expressions"}

# (file, package it names) → why it may import backwards. Only lazy imports: the package is loaded when a method is
# called.
LAZY_IMPORTS = {
    ("results/result.py", "analyses"): "run.error and run.verify repeat the run, which is an analysis",
    ("results/result.py", "exporters"): "run.save, run.to_csv and run.report are methods, their files are plug-ins",
    ("results/result.py", "view"): "run.plot and its like are methods; what draws is loaded when one is called",
    ("analyses/linear/linearize.py", "view"): "what a notebook shows of a linearization is drawn, too",
    ("analyses/kinematics/topology.py", "view"): "topology.plot and topology.text are methods, as run.plot is",
    ("analyses/studies/cluster.py", "importers"): "models travel to other machines as text, and are read there",
    ("analyses/inverse_dynamics/required_forces.py", "exporters"): "need.to_csv is a method, as run.to_csv is",
}


def package_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(file: Path) -> set[tuple[str, bool]]:
    """Modules that a file names, and whether it names them lazily: inside a function, or as text for import_module."""
    return imported_by(file, file.read_text(encoding="utf-8"))


@cache
def imported_by(file: Path, text: str) -> set[tuple[str, bool]]:
    tree = ast.parse(text)
    lazy = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.Lambda))
        for child in ast.walk(node)
    }
    return {
        (module, id(node) in lazy or isinstance(node, ast.Constant))
        for node in ast.walk(tree)
        for module in modules_of(node, file)
    }


def modules_of(node: ast.AST, file: Path) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"{file}: write imports in full"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"mekane(\.\w+)+", node.value):
        return [node.value]
    return []


def packages_named(file: Path) -> set[tuple[str, bool]]:
    parts = [(module.split("."), lazy) for module, lazy in imported(file)]
    return {
        (parts_of_name[1], lazy)
        for parts_of_name, lazy in parts
        if parts_of_name[0] == "mekane" and len(parts_of_name) > 1
    }


def backward(file: Path) -> list[str]:
    """What is wrong with the imports of a file."""
    here, found = package_of(file), []
    name = file.relative_to(PACKAGE).as_posix()
    for package, lazy in sorted(packages_named(file)):
        if package not in PACKAGES:
            continue  # a name in mekane/__init__.py, looked at below
        beside = any({here, package} <= group for group in SIDE_BY_SIDE) and here != package
        if (PACKAGES.index(package) > PACKAGES.index(here) or beside) and not (
            lazy and (name, package) in LAZY_IMPORTS
        ):
            found.append(f"{name} imports from {package}{' (lazy)' if lazy else ''}")
    return found


def test_every_package_has_its_place():
    assert {package_of(file) for file in FILES} - {"__init__"} <= set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way(package):
    wrong = [line for file in FILES if package_of(file) == package for line in backward(file)]
    assert not wrong, "\n".join(wrong)


def test_lazy_imports_are_used():
    """The table of exceptions does not outlive its reasons."""
    for name, package in LAZY_IMPORTS:
        assert any(named == package for named, _ in packages_named(PACKAGE / name)), f"{name} no longer names {package}"


def test_only_the_cli_imports_from_the_package_itself():
    """`from mekane import System` inside the package would load every package; name the package instead."""
    wrong = []
    for file in FILES:
        packages = {package for package, _ in packages_named(file)}
        if package_of(file) not in ("cli", "__init__") and packages - set(PACKAGES):
            wrong.append(f"{file.relative_to(PACKAGE)}: {sorted(packages - set(PACKAGES))}")
    assert not wrong, "\n".join(wrong)


def test_only_compiling_packages_know_numba():
    wrong = [
        file.relative_to(PACKAGE).as_posix()
        for file in FILES
        if package_of(file) not in COMPILERS
        and any(module.split(".")[0] in ("numba", "llvmlite") for module, _ in imported(file))
    ]
    assert not wrong


def test_only_the_backend_knows_the_private_side_of_numba():
    """Others use what Numba promises to keep: its top level, `numba.types` and `numba.extending`."""
    wrong = [
        f"{file.relative_to(PACKAGE).as_posix()} names {module}"
        for file in FILES
        if package_of(file) != "numba_backend"
        for module, _ in imported(file)
        if module.split(".")[:2] in (["numba", "core"], ["numba", "np"])
    ]
    assert not wrong


def test_the_checker_sees_a_wrong_import(tmp_path, monkeypatch):
    """The test above must be able to fail."""
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    (tmp_path / "model").mkdir()
    file = tmp_path / "model" / "x.py"
    file.write_text("from mekane.errors import ModelError\ndef f():\n    from mekane.solvers import solver\n")
    assert backward(file) == ["model/x.py imports from solvers (lazy)"]
    file.write_text("import mekane.cli.main\n")
    assert backward(file) == ["model/x.py imports from cli"]
    file.write_text('lazy_method("mekane.results.result", "f")\n')
    assert backward(file) == ["model/x.py imports from results (lazy)"]


# ---------------------------------------------------------------- folders

LARGEST_FOLDER = 22  # files of its own, "about twenty"; __init__.py is not counted
# folder → why it may grow: it is scanned for plug-ins, each file is one kind and is read alone
PLUGIN_FOLDERS = {
    "joints": "kinds of joints",
    "forces": "kinds of forces",
    "constraints": "kinds of constraints",
    "contacts": "kinds of contact laws",
    "contacts/pairs": "pairs of shapes that touch",
    "formulations": "formulations",
    "gallery": "mechanisms",
    "solvers/integrators": "methods of integration",
    "exporters/languages": "languages of exported equations",
    "cli/commands": "commands",
}
# scripts of the page, which a browser loads one by one; they are no modules of Python
PAGE = "view/web/page"


def large_folders(package: Path) -> list[str]:
    folders = sorted({file.parent for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts})
    names = [(folder, folder.relative_to(package).as_posix()) for folder in folders]
    sizes = {
        name: sum(1 for file in folder.iterdir() if file.is_file() and file.name != "__init__.py")
        for folder, name in names
        if name not in PLUGIN_FOLDERS and not name.startswith(PAGE)
    }
    return [f"{name} has {size} files" for name, size in sizes.items() if size > LARGEST_FOLDER]


def test_folders_are_small():
    assert not large_folders(PACKAGE)


def test_plugin_folders_are_scanned():
    """An exempt folder finds its files by scanning, so that none of them needs to be known to read another."""
    for name in PLUGIN_FOLDERS:
        source = (PACKAGE / name / "__init__.py").read_text(encoding="utf-8")
        assert re.search(r"\b(import_files|add_kinds|Plugins|FileFormats)\(", source), f"{name} is not scanned"


def test_the_checker_sees_a_large_folder(tmp_path):
    """The test above must be able to fail."""
    (tmp_path / "model").mkdir()
    (tmp_path / "forces").mkdir()
    for k in range(LARGEST_FOLDER + 1):
        (tmp_path / "model" / f"x{k}.py").touch()
        (tmp_path / "forces" / f"x{k}.py").touch()
    assert large_folders(tmp_path) == [f"model has {LARGEST_FOLDER + 1} files"]


# ---------------------------------------------------------------- arguments

MOST_POSITIONAL = 8
# Kernels are exempt: their arguments are arrays of tables and workspace, and Numba compiles positional calls fastest.
KERNEL_DECORATORS = {"kernel", "entry", "jitable", "njit", "cfunc", "intrinsic", "overload"}
# Commands are exempt: typer reads the options of a command from its signature, users give them by name.
COMMAND_DECORATORS = {"register", "command", "callback"}


def decorators(function: ast.FunctionDef) -> set[str]:
    """Names of the decorators, `kernel` of `@kernel(exact=True)` too."""
    heads = [node.func if isinstance(node, ast.Call) else node for node in function.decorator_list]
    return {head.attr if isinstance(head, ast.Attribute) else getattr(head, "id", "") for head in heads}


def long_signatures(file: Path, package: Path) -> list[str]:
    """Functions that may be called with more than MOST_POSITIONAL arguments by position; self and cls do not count."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and not decorators(node) & (KERNEL_DECORATORS | COMMAND_DECORATORS):
            names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
            count = len(names) - (names[:1] in (["self"], ["cls"]))
            if count > MOST_POSITIONAL:
                found.append(f"{file.relative_to(package).as_posix()}: {node.name} takes {count} positional arguments")
    return found


def test_signatures_are_short():
    wrong = [line for file in FILES for line in long_signatures(file, PACKAGE)]
    assert not wrong, "\n".join([*wrong, "Make options keyword-only, or put what belongs together into one record."])


def test_the_checker_sees_a_long_signature(tmp_path):
    """The test above must be able to fail."""
    file = tmp_path / "x.py"
    file.write_text(
        "def f(a, b, c, d, e, f, g, h, i): ...\n"
        "def g(a, b, c, d, e, f, g, h, *, i): ...\n"
        "class A:\n    def h(self, a, b, c, d, e, f, g, h): ...\n"
        "@kernel(exact=True)\ndef k(a, b, c, d, e, f, g, h, i): ...\n"
        "@register('run')\ndef command(a, b, c, d, e, f, g, h, i): ...\n"
    )
    assert long_signatures(file, tmp_path) == ["x.py: f takes 9 positional arguments"]


def test_test_files_have_names_of_their_own():
    """Two of one name in two folders stop the collection of the suite."""
    names = [file.name for file in Path(__file__).parent.rglob("test_*.py")]
    assert not sorted({name for name in names if names.count(name) > 1})
