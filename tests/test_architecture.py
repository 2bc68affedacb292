"""Imports go one way: a package imports only from packages before it (DESIGN). Oracle: the import
statements themselves."""

import ast
import re
from pathlib import Path

import pytest

import mekane

PACKAGE = Path(mekane.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

PACKAGES = (
    "errors", "files", "plugins", "numba_backend", "algebra", "expressions", "tables", "model", "joints", "forces", "constraints",
    "formulations", "compiler", "kernels", "codegen", "solvers", "results", "analyses", "symbolic",
    "importers", "exporters", "gallery", "view", "cli",
)  # fmt: skip
SIDE_BY_SIDE = ({"joints", "forces", "constraints"},)  # none may import another
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
    ("analyses/inverse_dynamics/required_forces.py", "exporters"): "need.to_csv is a method, as run.to_csv is",
}


def package_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(file: Path) -> set[tuple[str, bool]]:
    """Modules that a file names, and whether it names them lazily: inside a function, or as text for import_module."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
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
