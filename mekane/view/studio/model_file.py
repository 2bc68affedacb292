"""The file of a studio: several pages may read and write it, and none overwrites without confirmation what it has not
read."""

import hashlib
import re
import threading
from itertools import count
from pathlib import Path

from mekane.files import write

LARGEST = 4_000_000  # bytes that are read again


class ModelFile:
    """text: of the model at the beginning; target: the file that `save` writes, or a new one beside it; no other is
    ever written.

    base: what the file held when its text was read or written last, as `digest` gives it; None while it is not ours."""

    def __init__(self, text: str, target: Path, exists: bool):
        self.line_end = "\r\n" if "\r\n" in text else "\n"  # a browser knows only the latter
        self.text, self.target, self.base = text.replace("\r\n", "\n"), target, digest(target) if exists else None
        self.files, self.lock = {target.name: target}, threading.Lock()

    def now(self) -> dict:
        """For a new page: the text and what it is based on, of the file as it is now, if it is ours."""
        text, base = (content(self.target), digest(self.target)) if self.base else (None, None)
        known = {"text": self.text, "base": self.base} if text is None else {"text": text, "base": base}
        return {"file": self.target.name, **known}

    def name_for(self, name: str) -> str:
        """The file of another model, beside this one; it is written when the page saves it."""
        target = self.target.with_name(f"{re.sub(r'[^0-9A-Za-z_-]+', '_', name)[:80] or 'model'}.yaml")
        with self.lock:
            self.files[target.name] = target
        return target.name

    def save(self, text: str, data: dict) -> dict:
        """Into the page's file, if it still is what that page has read or written last; else the page asks what to do.

        file: its name; base: what the page knows of it; replace: whatever is there now; copy: under another name, the
            page's from then on.
        """
        with self.lock:
            target = self.files.get(str(data.get("file")), self.target)
            if data.get("copy"):
                target = another_name(target)
                self.files[target.name] = target
            elif not data.get("replace"):
                base, now = data.get("base", self.base), digest(target)
                if now not in (None, base):
                    return {"ask": f"{target.name}: {why(base)}.", "there": content(target), "base": now}
            write(target, text.replace("\n", self.line_end))
            found = digest(target)
            if target == self.target:
                self.base, self.text = found, text
            return {"saved": target.name, "base": found}


def why(base) -> str:
    return (
        "it was changed since it was read, by another tab or another program"
        if base
        else "there is such a file already"
    )


def digest(path: Path) -> str | None:
    """The SHA-256 of a file, by which contents are compared; None if there is no file."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"not readable: {error.strerror}"


def content(path: Path) -> str | None:
    """The text of a file as a browser has it; None if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8") if path.stat().st_size <= LARGEST else None
    except (OSError, ValueError):
        return None


def another_name(path: Path) -> Path:
    """The first that is free of x-2.yaml, x-3.yaml …"""
    return next(one for k in count(2) if not (one := path.with_stem(f"{path.stem}-{k}")).exists())
