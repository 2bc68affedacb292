"""The exported MATLAB file runs in GNU Octave and gives the numbers of the engine, for every mechanism. Oracles: see
exported.py."""

import shutil
import subprocess

import numpy as np
import pytest
from exported import GALLERY, OTHERS, T, compare, exported

from mekane.exporters import languages

OCTAVE = shutil.which("octave-cli")
pytestmark = pytest.mark.skipif(OCTAVE is None, reason="there is no octave-cli here")
NAMES = [*GALLERY, *OTHERS]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """{(mechanism, function): numbers}: one run of Octave prints them all."""
    folder, lines = tmp_path_factory.mktemp("octave"), []
    for name in NAMES:
        found, _, y = exported(name)
        (folder / f"{name}.m").write_text(languages.find("matlab").text(found, name), encoding="utf-8")
        state = "; ".join(map(repr, y[: found.sizes["state"]].tolist()))
        lines.append(f"m = {name}(); y = [{state}];")
        for function in found.functions:
            lines.append(
                f"x = m.{function.name}({T}, y, m.p)'; printf('{name} {function.name}'); printf(' %.17g', x(:)); printf('\\n');"
            )
    (folder / "play.m").write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run([OCTAVE, "--no-init-file", "play.m"], cwd=folder, capture_output=True, text=True, check=True)
    split = [line.split() for line in done.stdout.splitlines()]
    return {(name, function): np.array(numbers, float) for name, function, *numbers in split}


@pytest.mark.divided("name", 3)
@pytest.mark.parametrize("name", NAMES)
def test_octave_gives_the_numbers_of_the_engine(printed, name):
    compare(name, lambda function, t, y, p: printed[name, function.name])
