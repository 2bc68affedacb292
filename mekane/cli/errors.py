"""Errors: one paragraph on stderr and an exit code that a script can read; a traceback only on request."""

import sys
import warnings
from contextlib import contextmanager

from mekane.cli.console import put_json, say
from mekane.errors import MekaneError

DEFECT = 1  # a fault of Mekane's own
BAD_INPUT = 2  # the request cannot be met; the message states what to change
STOPPED = 3  # the run ended before its time; what was computed is kept
INTERRUPTED = 130  # Ctrl-C


@contextmanager
def explained(traceback: bool = False, json: bool = False):
    """Turn exceptions into a paragraph and an exit code, and warnings into remarks."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: say(f"Warning: {one_paragraph(str(message))}")
            yield
    except KeyboardInterrupt:
        say("Stopped.")
        sys.exit(INTERRUPTED)
    except Exception as error:
        if traceback:
            raise
        expected = isinstance(error, (MekaneError, MemoryError))
        text = one_paragraph(str(error)) if isinstance(error, MekaneError) else unexpected(error)
        say(f"Error: {text}")
        if json:
            put_json({"error": text} | details(error))
        sys.exit(BAD_INPUT if expected else DEFECT)


def one_paragraph(text: str) -> str:
    return " ".join(text.split())


def unexpected(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return f"there is not enough memory ({error or 'it is all in use'}). Ask for fewer samples with --every, or for a shorter --t-end."
    what = one_paragraph(f"{type(error).__name__}: {error}")[:300]
    return (
        f"something unexpected happened ({what}). This is a defect of Mekane; run again with --traceback to see where."
    )


def details(error: Exception) -> dict:
    return {name: getattr(error, name) for name in ("part", "problem", "expected", "remedy") if hasattr(error, name)}
