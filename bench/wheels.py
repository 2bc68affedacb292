"""Files of wheels of other people: downloaded without what they depend on, some unpacked, nothing installed."""

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path


def unpack(folder: Path, name: str, target: Path, wanted: Callable[[str], bool]) -> None:
    """The files of a wheel whose names are wanted, into `target`; the wheel itself stays in folder/wheels."""
    wheels = folder / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(wheels), name]
    subprocess.run(command, check=True)
    for wheel in wheels.glob(f"{name.replace('-', '_')}-[0-9]*.whl"):
        with zipfile.ZipFile(wheel) as content:
            content.extractall(target, [one for one in content.namelist() if wanted(one)])
