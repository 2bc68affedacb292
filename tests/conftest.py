"""Makes the helper modules of this folder (systems, engine) importable from every test, thins full products (see
thinning.py), and lets no missing tool go unnoticed in CI.

A test whose tool is not installed is skipped. Where MEKANE_CI is set, all of these are expected to be there, and such a
test fails.
"""

import gc
import os
import signal

# Before NumPy is loaded. Its BLAS starts a thread for each processor even for matrices of a few rows, and they wait for
# each other: beside other busy processes, such as the workers of a test run, one small product may take milliseconds.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from thinning import beyond_share, left_to_test_all

# tool: its packages
INSTALLED = {"gcc": "gcc libc6-dev", "pdflatex": "texlive-latex-base", "octave-cli": "octave", "Chromium": "chromium"}


def pytest_addoption(parser):
    parser.addoption("--share", help='of the tests that are marked exhaustive only a share: "2/3" is the second third')


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist nobody asks for it
def pytest_xdist_auto_num_workers():
    """One more than processors: tests wait for browsers and for processes of their own."""
    return len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collecting makes a million objects that all stay: the collector of garbage rests meanwhile."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_configure(config):
    """Ctrl-C, which tests press, is ignored by what a shell starts in its background; here it is not."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for rest in left_to_test_all(items):
        rest.add_marker(pytest.mark.exhaustive)
    if share := config.getoption("share"):
        left = set(beyond_share([item for item in items if item.get_closest_marker("exhaustive")], share))
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


def pytest_collection_finish():
    """What collecting has made stays to the end: the collector of garbage need not look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.skipped and os.environ.get("MEKANE_CI") and (tool := missing_tool(report.longrepr)) is not None:
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid}: {tool} is missing, and CI must have it. Install it: apt-get install {INSTALLED[tool]}"
        )
    return report


def missing_tool(skip):
    """The tool that a skip is about, None if it is about something else. skip: file, line and reason."""
    reason = skip[-1] if isinstance(skip, tuple) else str(skip)
    return next(
        (tool for tool in INSTALLED if f"no {tool} here" in reason or f"{tool} is not installed" in reason), None
    )
