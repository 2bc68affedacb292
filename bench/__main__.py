"""All timings in one table.   python -m bench [part …]; the parts are listed below."""

import os
import platform
import sys
from importlib import import_module, metadata

from bench.table import table

PARTS = (
    "chain",
    "stepping",
    "squeezer",
    "ladder",
    "pile",
    "embedding",
    "linearization",
    "statics",
    "contact",
    "trot",
    "equations",
    "specialised",
    "robot",
    "compile_time",
    "second_run",
    "threads",
    "many_runs",
    "reading",
    "scrub",
    "pictures",
    "studio",
)
PACKAGES = ("numpy", "numba", "pin", "mujoco", "exudyn", "sympy")


def main(names):
    unknown = set(names) - set(PARTS)
    if unknown:
        raise SystemExit(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    rows = [row for name in names or PARTS for row in import_module(f"bench.{name}").rows()]
    print(f"\n{processor()}, {os.cpu_count()} cores, load {load()}; Python {platform.python_version()}, {versions()}\n")
    print(table(rows))


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def load():
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def versions():
    return ", ".join(f"{name} {version(name)}" for name in PACKAGES)


def version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "is not installed"


if __name__ == "__main__":
    main(sys.argv[1:])
