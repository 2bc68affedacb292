"""JavaScript run from a test: by Node where it is installed, else in a headless Chromium that stays open."""

import atexit
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "view"))
from browser import CHROMIUM, Browser  # noqa: E402

NODE = shutil.which("node")


def run_javascript(code, expression):
    """The text of an expression after `code` has run."""
    text = f"(() => {{\n{code}\nreturn String({expression});\n}})()"
    if NODE is not None:
        done = subprocess.run([NODE, "-p", "-"], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    return browser().evaluate(text)


@cache
def browser():
    opened = Browser(behind=True).__enter__()
    atexit.register(opened.__exit__)
    opened.open("about:blank", ready="true")
    return opened
