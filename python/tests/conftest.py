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


def public(name):
    """The path of a public graph in the folder that CREDENCE_DATA names; without it, the test is skipped."""
    place = pathlib.Path(os.environ.get("CREDENCE_DATA", "nowhere")) / f"{name}.npz"
    if not place.exists():
        pytest.skip(f"CREDENCE_DATA has no {name}.npz")
    return place


def raw(name):
    """A file or folder as people download it, in the folder `raw` beside CREDENCE_DATA."""
    place = pathlib.Path(os.environ.get("CREDENCE_DATA", "nowhere")).parent / "raw" / name
    if not place.exists():
        pytest.skip(f"beside CREDENCE_DATA there is no raw/{name}")
    return place
