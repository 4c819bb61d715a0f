# SPDX-License-Identifier: MIT
"""The types of the interface: strict, as the library's options are, and as the package really is."""
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parent / "credence"
mypy = pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")


def run(folder, *words):
    done = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PYTHONPATH": str(HERE.parent), "MYPYPATH": str(HERE.parent)}, cwd=folder)
    return done.returncode, done.stdout


@mypy
def test_strict(tmp_path):
    files = [str(path) for path in sorted(PACKAGE.glob("*.pyi"))] + [str(HERE / "types" / "user.py")]
    code, said = run(tmp_path, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *files)
    assert code == 0 and f"no issues found in {len(files)} source files" in said, said


@mypy
def test_mypy_finds_what_is_wrong(tmp_path):
    (tmp_path / "wrong.py").write_text("import credence\nfrom credence.estimators import GPNClassifier\n"
                                       "credence.load(1)\ncredence.train('graph')\nGPNClassifier(hiden=1)\n")
    code, said = run(tmp_path, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "wrong.py")
    assert code == 1 and "wrong.py:3" in said and "wrong.py:4" in said and '"hiden"' in said, said


@mypy
def test_the_package_is_as_its_types_say(tmp_path):
    hidden = ",".join(f"credence.{path.stem}" for path in sorted(PACKAGE.glob("_[a-z]*.py")))
    (tmp_path / "mypy.ini").write_text(f"[mypy]\ncache_dir = {tmp_path}\nignore_missing_imports = True\n"
                                       f"[mypy-{hidden}]\nignore_errors = True\n")
    code, said = run(tmp_path, "-m", "mypy.stubtest", "--concise", "--mypy-config-file", "mypy.ini", "--allowlist",
                     str(HERE / "types" / "hidden.txt"), "--ignore-unused-allowlist", "credence")
    assert code == 0, said


def test_the_typed_program_runs(path, folder):
    code, said = run(folder, str(HERE / "types" / "user.py"), str(path), str(folder))
    assert code == 0, said


@pytest.mark.skipif("CREDENCE_LIBRARY" not in os.environ, reason="CREDENCE_LIBRARY does not name the library")
def test_parameters_are_those_of_the_library(folder):
    code, said = run(folder, str(HERE.parents[1] / "scripts" / "python_stubs.py"), os.environ["CREDENCE_LIBRARY"],
                     "--check")
    assert code == 0, said
