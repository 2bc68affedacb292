"""The exported JavaScript runs in Node and gives the numbers of the engine, for every mechanism. Oracles: see
exported.py."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from exported import GALLERY, OTHERS, T, compare, exported

from mekane.exporters import languages

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node here")
NAMES = [*GALLERY, *OTHERS]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """{mechanism: {function: numbers}}: one run of Node prints them all."""
    folder, lines = tmp_path_factory.mktemp("node"), ["const found = {}; let m, y;"]
    for name in NAMES:
        found, _, y = exported(name)
        (folder / f"{name}.js").write_text(languages.find("javascript").text(found, name), encoding="utf-8")
        lines.append(f"m = require('./{name}.js'); y = {json.dumps(y[: found.sizes['state']].tolist())};")
        lines.append(f"found.{name} = {{}};")
        for function in found.functions:
            lines.append(f"found.{name}.{function.name} = Array.from(m.{function.name}({T}, y, m.p));")
    (folder / "play.js").write_text("\n".join([*lines, "console.log(JSON.stringify(found));"]), encoding="utf-8")
    done = subprocess.run([NODE, "play.js"], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_node_gives_the_numbers_of_the_engine(printed, name):
    compare(name, lambda function, t, y, p: np.array(printed[name][function.name]))
