"""Writing a file so that an existing one is replaced whole or not at all."""

import os
from contextlib import contextmanager
from pathlib import Path

from mekane.errors import FileError


@contextmanager
def replacing(path, instead=None):
    """Gives a path beside `path` to write to; what was written takes the place of `path` at the end, if nothing went wrong.

    instead: asked at the end which path it is to take the place of.
    """
    whole = Path(os.fspath(path)).expanduser().resolve()
    beside = whole.with_name(f".{whole.name}.{os.getpid()}.part")
    try:
        try:
            yield beside
            os.replace(beside, whole if instead is None else Path(instead()))
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        problem = f"it cannot be written ({error.strerror or error})"
        raise FileError(f"file {str(path)!r}", problem, remedy="Check the folder and your rights there.") from None
