"""Write tutorial.ipynb from tutorial.md: blocks of Python are code cells, the rest is text.   python
docs/make_tutorial.py"""

import json
import re
from pathlib import Path

PAGE = Path(__file__).parent / "tutorial.md"
NOTEBOOK = PAGE.with_suffix(".ipynb")
CODE = re.compile(r"^```python\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def notebook(page: str) -> str:
    """As JSON, without outputs."""
    pieces = CODE.split(page)  # text and code in turns
    cells = [
        cell("code" if k % 2 else "markdown", piece.strip("\n"), k) for k, piece in enumerate(pieces) if piece.strip()
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return (
        json.dumps(
            {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False
        )
        + "\n"
    )


def cell(kind: str, text: str, number: int) -> dict:
    more = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, **more, "source": text.splitlines(keepends=True)}


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
