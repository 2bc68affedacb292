"""The rooms of the package stay one-way: a room imports only from rooms before it (DESIGN). Oracle: the import
statements themselves."""

import ast
import re
from pathlib import Path

import pytest

import mekane

PACKAGE = Path(mekane.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

PACKAGES = (
    "errors", "files", "numba_backend", "algebra", "expressions", "tables", "model", "joints", "forces", "constraints", "formulations",
    "compiler", "kernels", "codegen", "solvers", "results", "analyses", "symbolic", "importers", "exporters", "gallery", "view", "cli",
)  # fmt: skip
SIDE_BY_SIDE = ({"joints", "forces", "constraints"},)  # none may import another
# the packages that know Numba
COMPILERS = {"numba_backend", "algebra", "tables", "kernels", "codegen", "solvers", "expressions"}

# (file, room it names) → why the door may open the wrong way. Only late doors: the room is loaded when a method is
# called.
LATE_DOORS = {
    ("results/result.py", "analyses"): "run.error and run.verify repeat the run, which is an analysis",
    ("results/result.py", "exporters"): "run.save, run.to_csv and run.report are methods, their files are plug-ins",
    ("results/result.py", "view"): "run.plot and its like are methods; what draws is loaded when one is called",
    ("analyses/linear/linearize.py", "view"): "what a notebook shows of a linearization is drawn, too",
    ("analyses/kinematics/topology.py", "view"): "topology.plot and topology.text are methods, as run.plot is",
    ("analyses/inverse_dynamics/required_forces.py", "exporters"): "need.to_csv is a method, as run.to_csv is",
}


def room_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(file: Path) -> set[tuple[str, bool]]:
    """Modules that a file names, and whether it names them late: inside a function, or as text for import_module."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    late = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.Lambda))
        for child in ast.walk(node)
    }
    return {
        (module, id(node) in late or isinstance(node, ast.Constant))
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


def rooms_named(file: Path) -> set[tuple[str, bool]]:
    parts = [(module.split("."), late) for module, late in imported(file)]
    return {(words[1], late) for words, late in parts if words[0] == "mekane" and len(words) > 1}


def backward(file: Path) -> list[str]:
    """What is wrong with the imports of a file."""
    here, found = room_of(file), []
    name = file.relative_to(PACKAGE).as_posix()
    for room, late in sorted(rooms_named(file)):
        if room not in PACKAGES:
            continue  # a name in mekane/__init__.py, looked at below
        beside = any({here, room} <= group for group in SIDE_BY_SIDE) and here != room
        if (PACKAGES.index(room) > PACKAGES.index(here) or beside) and not (late and (name, room) in LATE_DOORS):
            found.append(f"{name} imports from {room}{' (late)' if late else ''}")
    return found


def test_every_room_has_its_place():
    assert {room_of(file) for file in FILES} - {"__init__"} <= set(PACKAGES)


@pytest.mark.parametrize("room", PACKAGES)
def test_imports_go_one_way(room):
    wrong = [line for file in FILES if room_of(file) == room for line in backward(file)]
    assert not wrong, "\n".join(wrong)


def test_late_doors_are_used():
    """The table of exceptions does not outlive its reasons."""
    for name, room in LATE_DOORS:
        assert any(named == room for named, _ in rooms_named(PACKAGE / name)), f"{name} no longer names {room}"


def test_only_the_cli_imports_from_the_package_itself():
    """`from mekane import System` inside the package would load every room; name the room instead."""
    wrong = []
    for file in FILES:
        rooms = {room for room, _ in rooms_named(file)}
        if room_of(file) not in ("cli", "__init__") and rooms - set(PACKAGES):
            wrong.append(f"{file.relative_to(PACKAGE)}: {sorted(rooms - set(PACKAGES))}")
    assert not wrong, "\n".join(wrong)


def test_only_compiling_rooms_know_numba():
    wrong = [
        file.relative_to(PACKAGE).as_posix()
        for file in FILES
        if room_of(file) not in COMPILERS
        and any(module.split(".")[0] in ("numba", "llvmlite") for module, _ in imported(file))
    ]
    assert not wrong


def test_the_checker_sees_a_wrong_import(tmp_path, monkeypatch):
    """The test above must be able to fail."""
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    (tmp_path / "model").mkdir()
    file = tmp_path / "model" / "x.py"
    file.write_text("from mekane.errors import ModelError\ndef f():\n    from mekane.solvers import solver\n")
    assert backward(file) == ["model/x.py imports from solvers (late)"]
    file.write_text("import mekane.cli.main\n")
    assert backward(file) == ["model/x.py imports from cli"]
    file.write_text('lazy_method("mekane.results.result", "f")\n')
    assert backward(file) == ["model/x.py imports from results (late)"]
