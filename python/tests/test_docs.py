# SPDX-License-Identifier: MIT
"""The reference is built without a warning and has every public name; examples in docstrings give what they show."""
import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import shutil
import subprocess
import sys

import pytest

import credence
from credence import estimators

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["credence"] + [f"credence.{one.name}" for one in pkgutil.iter_modules(credence.__path__)]
PUBLIC = {f"credence.{name}": getattr(credence, name) for name in credence.__all__ if name != "__version__"}
for module in (credence.metrics, credence.plot):
    PUBLIC.update({f"{module.__name__}.{name}": one for name, one in vars(module).items() if inspect.isfunction(one)
                   and one.__module__ == module.__name__ and not name.startswith("_")})
PUBLIC.update({f"credence.estimators.{name}": one for name, one in vars(estimators).items()
               if inspect.isclass(one) and issubclass(one, (estimators._Classifier, estimators.Detector))
               and not name.startswith("_")})


def members(owner):
    return [(name, one) for name, one in vars(owner).items()
            if not name.startswith("_") and (inspect.isroutine(one) or isinstance(one, (property, classmethod)))]


def test_all_that_is_public_says_what_it_is():
    mute = [name for name, one in PUBLIC.items() if not inspect.getdoc(one)]
    for name, one in PUBLIC.items():
        owners = [owner for owner in inspect.getmro(one) if owner.__module__.startswith("credence")] \
            if inspect.isclass(one) else []
        mute += [f"{name}.{member}" for owner in owners for member, _ in members(owner)
                 if not inspect.getdoc(getattr(one, member))]
    assert not mute


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_show(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    assert found.attempted > 0 or name not in ("credence", "credence.core", "credence.metrics")


def test_the_readme_runs(tmp_path, monkeypatch):
    pytest.importorskip("scipy")
    page = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    assert len(blocks) > 3
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert sorted(os.listdir()) == ["answers.csv", "model.safetensors", "report.html"]
    assert names["model"].evaluate(names["data"], task="ood")["ood"]["epistemic"]["auroc"] > 0.8


def test_the_reference(tmp_path):
    for module in ("sphinx", "numpydoc", "nbsphinx"):
        pytest.importorskip(module)
    if not shutil.which("pandoc") or "CREDENCE_LIBRARY" not in os.environ:
        pytest.skip("pandoc is not installed, or CREDENCE_LIBRARY does not name the library")
    from sphinx.util.inventory import InventoryFile
    build = pathlib.Path(os.environ["CREDENCE_LIBRARY"]).parent
    done = subprocess.run(["sh", ROOT / "scripts" / "python_docs.sh", build, tmp_path], stderr=subprocess.STDOUT,
                          stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHON": sys.executable,
                                                                  "SPHINXOPTS": "-D nbsphinx_execute=never"})
    assert done.returncode == 0, done.stdout
    with open(tmp_path / "html" / "objects.inv", "rb") as file:
        known = InventoryFile.load(file, "", lambda base, rest: rest)
    names = {name for kind, entries in known.items() if kind.startswith("py:") for name in entries}
    wanted = set(PUBLIC) | {f"{name}.{member}" for name, one in PUBLIC.items() if inspect.isclass(one)
                            and one.__module__ != "credence.estimators" for member, _ in members(one)}
    assert wanted <= names, sorted(wanted - names)
    assert (tmp_path / "html" / "notebooks" / "1-first-steps.html").exists()
