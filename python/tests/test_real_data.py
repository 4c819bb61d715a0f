# SPDX-License-Identifier: MIT
"""Public graphs, where CREDENCE_DATA has them: the command's bytes and numbers, memory that is shared, the first hour."""
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import credence

from conftest import COMMAND, public, raw

EXAMPLE = pathlib.Path(__file__).parents[1] / "examples" / "first_hour.py"


def test_the_command_writes_the_same_model_of_coraml(folder):
    path = public("cora_ml")
    subprocess.run([COMMAND, "train", path, "--split", "5/15/80", "--seed", "3", "--left-out", "3", "-q", "-o",
                    folder / "coraml.safetensors"], check=True)
    model = credence.train(credence.open(path), credence.open(path).split("5/15/80", seed=3), seed=3, left_out=3)
    assert model.to_bytes() == (folder / "coraml.safetensors").read_bytes()


@pytest.mark.parametrize("name", ["cora_ml", "citeseer", "chameleon"])
def test_the_numbers_are_those_of_the_command(folder, name):
    data = credence.open(public(name))
    model = credence.train(data, data.split("5/15/80", seed=2), seed=2, left_out=2, max_epochs=40)
    model.save(folder / f"{name}.safetensors")
    for task in ("ood", "misclassification"):
        said = json.loads(subprocess.run([COMMAND, "evaluate", folder / f"{name}.safetensors", public(name), "--task",
                                          task, "--json"], check=True, stdout=subprocess.PIPE).stdout)
        ours = model.evaluate(data, task=task)
        said.get("calibration", {}).pop("classes", None)
        for part in ours:  # accuracy, detection, calibration, promises: everything but the classes
            assert ours[part] == said[part], part
        assert [one["support"] for one in model.evaluate_classes(data)] == [one["support"] for one in said["classes"]]


def test_arrays_of_coraml_are_shared():
    sparse = pytest.importorskip("scipy.sparse")
    data = credence.open(public("cora_ml"))
    start, neighbour = data.adjacency
    row_start, column, value = data.features
    own = lambda array: np.array(array)  # arrays of our own, which the library has not made
    graph = sparse.csr_matrix((np.ones(len(neighbour), dtype=np.float32), own(neighbour), own(start)),
                              shape=(len(data), len(data)))
    X = sparse.csr_matrix((own(value), own(column), own(row_start)), shape=(len(data), data.n_features))
    for matrix in (graph, X):  # SciPy makes int32 of the starts, which the library holds as int64
        matrix.indptr = matrix.indptr.astype(np.int64)
    made = credence.open(graph, features=X, labels=own(data.labels))
    address = lambda array: array.__array_interface__["data"][0]
    assert [address(one) for one in made.adjacency] == [address(graph.indptr), address(graph.indices)]
    assert [address(one) for one in made.features] == [address(X.indptr), address(X.indices), address(X.data)]
    assert made.fingerprint == data.fingerprint
    dense = np.ascontiguousarray(np.random.default_rng(1).normal(size=(len(data), 8)), dtype=np.float32)
    assert address(credence.Dataset.from_arrays(graph, dense).features) == address(dense)
    answers = credence.train(made, "5/15/80", model="lp").predict(made)
    assert address(answers.probability) == address(answers.probability)  # a view of the same memory each time
    assert not answers.probability.flags.owndata and not answers.probability.flags.writeable


def test_the_first_hour(tmp_path):
    folder = raw("twitch_engb")
    pytest.importorskip("pandas")
    lines = [line for line in EXAMPLE.read_text(encoding="utf-8").split('"""')[2].splitlines() if line.strip()]
    assert len(lines) <= 15
    subprocess.run([sys.executable, EXAMPLE, folder, tmp_path], check=True, stdout=subprocess.PIPE,
                   env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    table = (tmp_path / "doubtful.csv").read_text(encoding="utf-8").splitlines()
    assert table[0].startswith("node,class,probability") and 50 < len(table) < 1500
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!")
    assert len(credence.load(tmp_path / "model.safetensors").class_names) == 2
