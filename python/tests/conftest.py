# SPDX-License-Identifier: MIT
"""A small graph that the command generates; CREDENCE is the command, CREDENCE_LIBRARY the library to test."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

import credence

COMMAND = os.environ.get("CREDENCE", str(pathlib.Path(__file__).resolve().parents[2] / "build" / "credence"))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("credence")


@pytest.fixture(scope="session")
def path(folder):
    subprocess.run([COMMAND, "generate", "--nodes", "400", "--seed", "3", "-o", folder / "graph.npz"], check=True)
    return folder / "graph.npz"


@pytest.fixture(scope="session")
def data(path):
    return credence.open(path)


@pytest.fixture(scope="session")
def model(data):
    return credence.train(data, "20/20/60", max_epochs=20, seed=1)


@pytest.fixture(scope="session")
def arrays(data):
    """The same graph as SciPy's matrices, and its labels."""
    sparse = pytest.importorskip("scipy.sparse")
    start, neighbour = data.adjacency
    graph = sparse.csr_matrix((np.ones(len(neighbour)), neighbour, start), shape=(len(data), len(data)))
    row_start, column, value = data.features
    return graph, sparse.csr_matrix((value, column, row_start), shape=(len(data), data.n_features)), data.labels
