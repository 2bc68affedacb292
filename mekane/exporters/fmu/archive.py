"""The archive of an FMU: sources, and a binary made with the compiler at hand."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from mekane.errors import FileError

SHARED = ("core.h", "core.c", "discrete.c")
LARGE = 200_000  # characters of C text: above, the compiler shall take less time
QUICK = ("-O1", "-fno-inline-functions-called-once")
EPOCH = (1980, 1, 1, 0, 0, 0)  # in the archive, so that the same model gives the same bytes
SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
SUFFIXES = {"linux": ".so", "darwin": ".dylib", "windows": ".dll"}


def sources(texts, version):
    """{name: text} of the folder sources."""
    runtime = files("mekane.exporters.fmu") / "runtime"
    shared = {name: (runtime / name).read_text("utf-8") for name in (*SHARED, f"fmi{version}.h", f"fmi{version}.c")}
    everything = "".join(f'#include "{name}"\n' for name in ("model.h", "model.c", *SHARED[1:], f"fmi{version}.c"))
    return {**texts, **shared, "all.c": f"/* The whole FMU, in one unit. */\n{everything}"}


def licence():
    """Of the C text that all FMUs share."""
    return (files("mekane.exporters.fmu") / "runtime" / "LICENSE").read_text("utf-8")


def binary_place(version, identifier):
    """Where the binary of this machine stands in an archive; None where FMI has no name for it."""
    system = SYSTEMS.get(sys.platform)
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if system is None:
        return None
    if version == 3:
        folder = f"{machine}-{system}"
    elif machine == "x86_64":
        folder = {"linux": "linux64", "darwin": "darwin64", "windows": "win64"}[system]
    else:
        folder = f"{machine}-{system}"
    return f"binaries/{folder}/{identifier}{SUFFIXES[system]}"


def find_compiler():
    """Path of a C compiler; None if there is none. CC in the environment comes first."""
    names = [os.environ["CC"]] if os.environ.get("CC") else ["cc", "gcc", "clang"]
    return next((found for name in names if (found := shutil.which(name))), None)


def compiled(compiler, texts):
    """The bytes of a shared library."""
    size = sum(map(len, texts.values()))
    with tempfile.TemporaryDirectory(prefix="mekane-fmu-") as folder:
        for name, text in texts.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        optimized = QUICK if size > LARGE else ("-O2",)
        options = ["-std=c99", *optimized, "-ffp-contract=off", "-fPIC", "-shared"]
        command = [compiler, *options, "-fvisibility=hidden", "-o", "fmu.bin", "all.c", "-lm"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:200])
            remedy = "Set CC to another compiler, or give binary=False for sources alone."
            raise FileError(f"compiler {compiler!r}", f"it failed: {first}", "a C99 compiler is expected", remedy)
        return (Path(folder) / "fmu.bin").read_bytes()


def packed(entries):
    """The bytes of an archive. entries: {name: text or bytes}."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            information = zipfile.ZipInfo(name, EPOCH)
            information.compress_type = zipfile.ZIP_DEFLATED
            information.external_attr = 0o644 << 16
            archive.writestr(information, content)
    return buffer.getvalue()
