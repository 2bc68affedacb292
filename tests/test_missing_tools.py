"""Where MEKANE_CI is set, a test that is skipped for want of a tool fails. Oracle: pytest's own counts, for a few such
tests."""

import os
import re
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

HERE = Path(__file__).parent
REASON = re.compile(r"""(?:reason=|pytest\.skip\()"([^"]*(?:there is no|not installed)[^"]*)\"""")
TESTS = """
import pytest

pytestmark = pytest.mark.skipif(True, reason="there is no gcc here")

def test_in_a_file_that_needs_it(): ...

def test_that_finds_out(): ...
"""
OTHER = """
import pytest

def test_that_finds_out():
    pytest.skip("there is no octave-cli here")

def test_skipped_for_another_reason():
    pytest.skip("the superuser may read everything")
"""


@pytest.mark.parametrize("ci, counts", [("", {"skipped": 4}), ("1", {"failed": 1, "error": 2, "skipped": 1})])
def test_a_missing_tool(tmp_path, ci, counts):
    for name in ("conftest.py", "thinning.py"):
        (tmp_path / name).write_text((HERE / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_one.py").write_text(TESTS)
    (tmp_path / "test_other.py").write_text(OTHER)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path]
    done = subprocess.run(command, env={**os.environ, "MEKANE_CI": ci}, capture_output=True, text=True)
    assert {
        outcome: int(n)
        for n, outcome in re.findall(r"(\d+) (failed|skipped|passed|error)", done.stdout.splitlines()[-1])
    } == counts
    assert ("apt-get install octave" in done.stdout) is bool(ci)


def reasons():
    """Why tests are skipped, all over this folder."""
    for file in HERE.rglob("test_*.py"):
        if file != Path(__file__):
            yield from REASON.findall(file.read_text(encoding="utf-8"))


def test_every_tool_is_known_by_the_reason_that_names_it():
    """A reason in other words would be a silent skip. ffmpeg is not installed by CI."""
    missing_tool = run_path(str(HERE / "conftest.py"))["missing_tool"]
    found = [missing_tool(("", 0, f"Skipped: {reason}")) for reason in reasons() if "ffmpeg" not in reason]
    assert None not in found and {"gcc", "Chromium", "pdflatex"} <= set(found)
