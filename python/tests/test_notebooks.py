# SPDX-License-Identifier: MIT
"""The notebooks run from the first cell to the last, and are kept clean: no outputs, and no traces of a machine."""
import json
import os
import pathlib
import re

import pytest

import credence

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NEEDS = {"1-first-steps": ["pandas", "sklearn"]}


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_clean(path):
    text = path.read_text(encoding="utf-8")
    book = json.loads(text)
    assert text == json.dumps(book, indent=1, ensure_ascii=False) + "\n"
    assert book["metadata"] == {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                                "language_info": {"name": "python"}}
    assert book["cells"][0]["cell_type"] == "markdown" and book["cells"][0]["source"][0].startswith("# ")
    for cell in book["cells"]:
        assert cell["metadata"] == {} and cell.get("outputs", []) == [] and cell.get("execution_count") is None
    assert not re.search(r"/(home|root|tmp|usr|work)\b", text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path, monkeypatch):
    for module in ["nbconvert", "nbformat", "ipykernel", *NEEDS.get(path.stem, [])]:
        pytest.importorskip(module)
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor
    book = nbformat.read(path, as_version=4)
    if "CREDENCE_DATA" in str(book) and "CREDENCE_DATA" not in os.environ:
        pytest.skip("CREDENCE_DATA does not name a folder of public graphs")
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(credence.__file__).resolve().parents[1]))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # or the kernel warns of Python's own modules
    ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(book, {"metadata": {"path": str(tmp_path)}})
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert any(cell.outputs for cell in cells)
