"""The declared ranges are true: tests with the oldest and the newest packages, on every Python that is found here.

    python .ci/environments.py                      all environments, a medium part of the tests
    python .ci/environments.py --short              the oldest on the oldest Python and the newest on the newest (unless
                                                    this runs on it: with that, all tests are run anyway), a short part
    python .ci/environments.py --short --prepare    make the environments of --short, and test nothing yet
    python .ci/environments.py oldest-3.11 -- tests all tests
    MEKANE_ENVIRONMENTS=folder                      where they are made and kept; else in the cache of the user

Oldest are the lower bounds that pyproject.toml declares; newest is what pip chooses.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
SHORT = [
    "tests/expressions/test_parse.py", "tests/importers/test_yaml.py", "tests/results/test_files.py", "tests/test_help_of_commands.py",
]  # fmt: skip
MEDIUM = [
    "tests/expressions", "tests/model", "tests/importers", "tests/exporters", "tests/kernels", "tests/results", "tests/codegen",
    "tests/analyses/test_linearize_edges.py", "tests/cli/test_view_served.py", "tests/compiler/test_traced_symbols.py",
    "tests/cli/test_run.py", "tests/symbolic/test_three_methods.py", "tests/view/test_plots.py", "tests/gallery/test_closed_forms.py",
]  # fmt: skip


def main(words):
    given = words[: words.index("--")] if "--" in words else words
    tests = words[words.index("--") + 1 :] if "--" in words else SHORT if "--short" in given else MEDIUM
    found = {name: python for name in PYTHONS if (python := interpreter(name))}
    if not found:
        print("none of Python", ", ".join(PYTHONS), "is installed: nothing is tested")
    every = [f"{end}-{name}" for name in found for end in ("oldest", "newest")]
    chosen = [word for word in given if not word.startswith("--")] or (ends(found) if "--short" in given else every)
    made = {name: (found[name.split("-")[1]], requirements(name.split("-")[0], "--short" in given)) for name in chosen}
    if "--prepare" in given:
        for name in chosen:
            prepare(name, *made[name])
        return False
    with ThreadPoolExecutor(2 if "--short" in given else 1) as pool:
        outcomes = list(pool.map(lambda name: run(name, *made[name], tests), chosen))
    for name, (packages, outcome, _) in zip(chosen, outcomes, strict=True):
        print(f"{name}: {outcome}\n    {packages}")
    return any(code for *_, code in outcomes)


def ends(found):
    this = "{}.{}".format(*sys.version_info)
    newest = max(found, key=number, default=this)
    return [f"oldest-{name}" for name in list(found)[:1]] + ([f"newest-{newest}"] if newest != this else [])


def number(name):
    return tuple(map(int, name.split(".")))


def interpreter(name):
    """Path of a Python of this version, by its usual name or among those of pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    candidates = [shutil.which(f"python{name}"), *sorted(kept.glob(f"{name}.*/bin/python"))]
    return next((str(path) for path in candidates if path and works(path, name)), None)


def works(python, name):
    """It starts, is what its name says, and can make environments."""
    ask = f"import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != {number(name)})"
    return subprocess.run([python, "-c", ask], capture_output=True).returncode == 0


def run(name, python, wanted, tests):
    """(packages, pytest's last line, exit code) of one environment."""
    print(f"--- {name}", flush=True)
    environment = prepare(name, python, wanted)
    cache = environment / "kernels"  # of this environment alone
    command = [
        environment / "bin" / "python",
        "-m",
        "pytest",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        *tests,
    ]
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "MEKANE_CACHE": str(cache), "MEKANE_CI": ""}
    done = subprocess.run(command, cwd=ROOT, env=settings, stdout=subprocess.PIPE, text=True)
    print(done.stdout, flush=True)
    return packages_of(environment), (done.stdout.strip().splitlines() or ["pytest said nothing"])[-1], done.returncode


def requirements(end, short):
    """What pip is to install: names, with "==" the lower bound where the oldest are wanted; for the short part only the
    tools that it needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tests = project["optional-dependencies"]["test"]
    tests = [word for word in tests if not short or word.startswith(("pytest", "hypothesis"))]
    if end == "newest":
        return [*project["dependencies"], *tests]
    return [oldest(word) for word in project["dependencies"]] + tests


def oldest(word):
    return re.match(r"[\w-]+>=[\w.]+", word)[0].replace(">=", "==")


def prepare(name, python, wanted):
    """The folder of an environment, made anew where it does not hold what it should."""
    home = Path(os.environ.get("MEKANE_ENVIRONMENTS") or Path.home() / ".cache" / "mekane-environments")
    folder, stamp = home / name, home / name / "installed"
    if not stamp.exists() or not set(wanted) <= set(stamp.read_text().splitlines()):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([python, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", *wanted], check=True)
        stamp.write_text("\n".join(wanted))
    return folder


def packages_of(environment):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = list(dict.fromkeys(re.match(r"[\w-]+", word)[0] for word in project["dependencies"]))
    ask = f"from importlib.metadata import version; print(*(f'{{n}} {{version(n)}}' for n in {names}), sep=', ')"
    return subprocess.run([environment / "bin" / "python", "-c", ask], capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
