"""Numba's disk cache must notice edits in other files: the folder carries a hash of every source a file depends on.

Oracle: the import statements, read with `ast` here and with a regular expression there.
"""

import ast
import functools
import os
import shutil
import subprocess
import sys
import types
from fractions import Fraction
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher

from mekane.algebra.vectors import dot
from mekane.kernels import rhs as physics
from mekane.numba_backend import kernel_cache as machinery
from mekane.numba_backend.kernel import plain
from mekane.numba_backend.kernel_cache import PACKAGE, cache_folder, sources

COMPILED = sorted(
    file for file in PACKAGE.rglob("*.py") if any(word in file.read_text("utf-8") for word in ("@kernel", "@entry("))
)


@functools.cache
def imports(file):
    """Files of the package that a file imports, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "mekane":
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] == "mekane"]
        for name in names:
            stem = PACKAGE.parent.joinpath(*name.split("."))
            found |= {path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.exists()}
    return found - {PACKAGE / "__init__.py"}


def closure(file):
    found, waiting = set(), [file]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imports(path)
    return found


@pytest.mark.parametrize("file", COMPILED, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_every_source_a_kernel_depends_on_is_known(file):
    """Missing one means stale answers, silently."""
    missing = {str(path.relative_to(PACKAGE)) for path in closure(file) - set(map(Path, sources(file)))}
    assert not missing


def forget_sources():
    for function in (sources, cache_folder, machinery.source, machinery.files_of):
        function.cache_clear()


def folders(tmp_path, monkeypatch, edit=None):
    """Cache folders of three files in a copy of the package, after appending a comment to one."""
    package = tmp_path / "mekane"
    if not package.exists():
        shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    if edit:
        with open(package / edit, "a", encoding="utf-8") as file:
            file.write("# edited\n")
    monkeypatch.setattr(machinery, "PACKAGE", package)
    monkeypatch.setattr(machinery, "BEGUN", float("inf"))  # the edit is meant for the next process
    forget_sources()
    try:
        names = ("kernels/articulated_body.py", "kernels/constraint_rows.py", "solvers/explicit.py")
        return {name: cache_folder(package / name).name for name in names}
    finally:
        monkeypatch.undo()
        forget_sources()


@pytest.mark.parametrize(
    "edit, changed",
    [
        ("algebra/vectors.py", {"kernels/articulated_body.py", "kernels/constraint_rows.py"}),
        ("tables/columns.py", {"kernels/articulated_body.py", "kernels/constraint_rows.py", "solvers/explicit.py"}),
        ("kernels/articulated_body.py", {"kernels/articulated_body.py"}),
        ("algebra/scalar.py", {"kernels/constraint_rows.py"}),
        ("model/body.py", set()),
    ],
)
def test_an_edit_moves_the_folders_of_all_that_depend_on_it(tmp_path, monkeypatch, edit, changed):
    before = folders(tmp_path, monkeypatch)
    after = folders(tmp_path, monkeypatch, edit)
    moved = {name for name in before if before[name] != after[name]}
    assert changed <= moved
    if edit == "model/body.py":
        assert not moved


def test_old_folders_are_thrown_away(tmp_path):
    """All but the newest few of the same file; those of other files stay."""
    for k in range(6):
        (tmp_path / f"kernels.kane-{k}").mkdir()
        os.utime(tmp_path / f"kernels.kane-{k}", (k, k))
    (tmp_path / "kernels.rows-0").mkdir()
    machinery.discard_old_caches(tmp_path / "kernels.kane-9", keep=4)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"kernels.kane-{k}" for k in (2, 3, 4, 5)] + [
        "kernels.rows-0"
    ]


RUN = """
import sys
import mekane as mk
from mekane import gallery
mk.simulate(gallery.find("four_bar").system(), 0.01)
print(mk.__file__, "numba" in sys.modules)
"""


@pytest.mark.skipif(not machinery.can_store(), reason="nothing can be stored here")
def test_another_copy_of_the_package_runs_what_the_first_has_compiled(tmp_path):
    """The same sources elsewhere: a run loads machine code from disk and not Numba, which alone could compile it."""
    copy = tmp_path / "elsewhere" / PACKAGE.name
    shutil.copytree(PACKAGE, copy)  # with its bytecode and times
    for package in (PACKAGE, copy):  # the first compiles what is not there yet
        environment = {**os.environ, "PYTHONPATH": str(package.parent)}
        found = subprocess.check_output([sys.executable, "-c", RUN], env=environment, cwd=tmp_path, text=True)
    assert found.split() == [str(copy / "__init__.py"), "False"]


def test_copies_of_the_package_share_what_is_compiled(tmp_path, monkeypatch):
    """The same sources in two places: one folder. Five environments of one user, each with versions of its own, keep
    theirs, as a dozen of a file are kept."""
    assert folders(tmp_path / "one", monkeypatch) == folders(tmp_path / "other", monkeypatch)
    for k in range(5):
        (tmp_path / f"kernels.kane-{k}").mkdir()
    machinery.discard_old_caches(tmp_path / "kernels.kane-9")
    assert len(list(tmp_path.glob("kernels.kane-*"))) == 5


# ---------------------------------------------------------------- plain twins


def test_plain_reaches_everything_that_is_called():
    """No compiled function is left in the globals that the twin of the right-hand side, or anything below it, uses."""
    seen, waiting = set(), [plain(physics.rhs)]
    while waiting:
        function = waiting.pop()
        seen.add(function.__name__)
        for name in function.__code__.co_names:
            value = function.__globals__.get(name)
            assert not isinstance(value, Dispatcher), f"{function.__name__} calls compiled {name}"
            if (
                isinstance(value, types.FunctionType)
                and value.__module__.startswith("mekane.kernels")
                and value.__name__ not in seen
            ):
                waiting.append(value)
    assert {"forward_kinematics", "inward_pass", "write_rows", "run_tape", "solve"} <= seen


def test_plain_works_on_anything_that_multiplies():
    """Exact fractions, for example: (1/3, 1/7, 2) squared is 4 + 1/9 + 1/49."""
    v = (Fraction(1, 3), Fraction(1, 7), Fraction(2))
    assert plain(dot)(v, v) == Fraction(1822, 441)
    assert plain(dot) is not dot


def test_kernels_may_not_allocate():
    """They are compiled without Numba's runtime, so that a kernel that made an array would not compile."""
    assert dot.targetoptions["_nrt"] is False


def test_a_source_edited_while_running_is_not_cached_under_its_new_name(tmp_path, monkeypatch):
    """What is loaded may be the text before the edit: its code must not be found by processes that load the text after
    it."""
    monkeypatch.setenv("MEKANE_CACHE", str(tmp_path / "cache"))
    machinery.cache_home.cache_clear()
    file = PACKAGE / "kernels" / "rhs.py"
    assert cache_folder.__wrapped__(file).parent == tmp_path / "cache"
    oldest = min(Path(source).stat().st_mtime for source in sources(file))
    monkeypatch.setattr(machinery, "BEGUN", oldest - 1.0)  # as if all of them had been written since
    assert cache_folder.__wrapped__(file) is None
    machinery.cache_home.cache_clear()
