"""Write tutorial.ipynb and its picture from tutorial.md.   python docs/make_tutorial.py

Blocks of Python are code cells, what stands below them is their output, the rest is text. So a notebook shows each output
once, before it is run and after. Formulas are kept as MathML and the picture as data: a page made of the notebook needs no
network.
"""

import json
import re
from base64 import b64encode
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

PAGE = Path(__file__).parent / "tutorial.md"
NOTEBOOK, PICTURE = PAGE.with_suffix(".ipynb"), PAGE.parent / "drawings" / "tutorial.png"
SIZE = (640, 480)
CODE = re.compile(
    r"^```python\n(?P<code>.*?)\n```$"
    r"(?:\n\n```text\n(?P<printed>.*?)\n```$)?(?:\n\n```math\n(?P<formulas>.*?)\n```$)?(?:\n\n!\[.*?\]\((?P<picture>.*?)\)$)?",
    re.MULTILINE | re.DOTALL,
)


def notebook(page: str, equations: str) -> str:
    """As JSON. equations: HTML in the place of the page's formulas."""
    cells, end = [], 0
    for found in CODE.finditer(page):
        cells += [text_cell(page[end : found.start()]), code_cell(found, equations)]
        end = found.end()
    cells = [
        {"id": f"cell-{k}", "metadata": {}, **cell} for k, cell in enumerate([*cells, text_cell(page[end:])]) if cell["source"]
    ]  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    found = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def text_cell(text):
    return {"cell_type": "markdown", "source": lines(text.strip("\n"))}


def code_cell(found, equations):
    outputs = []
    if found["printed"]:
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(found["printed"] + "\n")})
    if found["formulas"]:
        outputs.append(shown({"text/html": lines(equations), "text/latex": lines(f"$${found['formulas']}$$")}))
    if found["picture"]:
        outputs.append(shown({"image/png": b64encode((PAGE.parent / found["picture"]).read_bytes()).decode()}))
    return {"cell_type": "code", "execution_count": None, "outputs": outputs, "source": lines(found["code"])}


def shown(data):
    return {"output_type": "display_data", "metadata": {}, "data": data}


def lines(text):
    return text.splitlines(keepends=True)


def played(page: str) -> dict:
    """The names that its code leaves, without the viewer."""
    names = {}
    with TemporaryDirectory() as folder, chdir(folder):
        for found in CODE.finditer(page):
            if found["code"] != "run.view()":
                exec(found["code"], names)
    return names


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    names = played(page)
    names["run"].picture(PICTURE, t=0.0, size=SIZE)
    NOTEBOOK.write_text(notebook(page, names["eq"]._repr_html_()), encoding="utf-8")
