# SPDX-License-Identifier: MIT
"""What people have: SciPy, NetworkX, pandas, objects with the attributes of PyG's and DGL's graphs."""
import types

import numpy as np
import pytest

from credence import Dataset, _table, _take


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
def test_every_sparse_format(data, arrays, form):
    graph, features, labels = arrays
    made = Dataset.from_arrays(_take.graph(graph.asformat(form)), _table.features(features.asformat(form))[0], labels)
    assert made.fingerprint == data.fingerprint


def edges_of(graph):
    both = graph.tocoo()
    return np.stack([both.row, both.col]).astype(np.int64)


def test_pairs_and_matrices(data, arrays):
    graph, features, labels = arrays
    edges = edges_of(graph)
    for given in (edges, edges.T, graph.toarray(), edges.T.tolist()):
        taken = _take.graph(given, graph.shape[0])
        assert Dataset.from_arrays(taken, features, labels).fingerprint == data.fingerprint


def test_networkx(data, arrays):
    networkx = pytest.importorskip("networkx")
    graph, features, labels = arrays
    named = networkx.Graph()
    named.add_nodes_from(f"n{i}" for i in range(graph.shape[0]))
    named.add_edges_from((f"n{a}", f"n{b}") for a, b in edges_of(graph).T.tolist())
    taken = _take.graph(named)
    assert taken.names[:2] == ["n0", "n1"]
    assert Dataset.from_arrays(taken, features, labels).fingerprint == data.fingerprint


def test_tables_of_edges(data, arrays):
    pandas = pytest.importorskip("pandas")
    graph, features, labels = arrays
    edges = edges_of(graph)
    frame = pandas.DataFrame({"target": edges[1], "other": 0, "source": edges[0]})
    taken = _take.graph(frame, graph.shape[0])
    assert Dataset.from_arrays(taken, features, labels).fingerprint == data.fingerprint
    named = pandas.DataFrame({"from": ["a", "b"], "to": ["b", "c"]})
    assert _take.graph(named).names == ["a", "b", "c"]
    with pytest.raises(ValueError, match="'c' has an edge but no row"):
        _take.graph(named, 2, ["a", "b"])


def test_pyg_and_dgl(data, arrays):
    graph, features, labels = arrays
    edges, mask = edges_of(graph), np.arange(graph.shape[0]) < 100
    pyg = types.SimpleNamespace(edge_index=edges, x=features.toarray(), y=labels, train_mask=mask, val_mask=~mask)
    taken = _take.graph(pyg)
    assert Dataset.from_arrays(taken).fingerprint == data.fingerprint
    assert taken.roles.tolist() == [1] * 100 + [2] * (graph.shape[0] - 100)
    dgl = types.SimpleNamespace(ndata={"feat": features.toarray(), "label": labels, "train_mask": mask},
                                edges=lambda: (edges[0], edges[1]), num_nodes=lambda: graph.shape[0])
    assert Dataset.from_arrays(_take.graph(dgl)).fingerprint == data.fingerprint


def test_tables_of_features():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [1.0, np.nan, 3.0], "member": [True, False, True], "town": ["x", "y", None]})
    numbers, names, encoding = _table.features(frame)
    assert names == ["age", "age is missing", "member", "town=x", "town=y"]
    assert numbers.tolist() == [[1, 0, 1, 1, 0], [2, 1, 0, 0, 1], [3, 0, 1, 0, 0]]
    later = pandas.DataFrame({"town": ["z"], "member": [False], "age": [5], "more": [1]})
    assert encoding.apply(later).tolist() == [[5, 0, 0, 0, 0]]
    with pytest.raises(ValueError, match="'town' is missing"):
        encoding.apply(later.drop(columns="town"))


@pytest.mark.parametrize("given, unlabelled, numbers, classes", [
    ([1, 0, -1], -1, [1, 0, -1], [0, 1]), ([1, 0, -1], None, [2, 1, 0], [-1, 0, 1]),
    ([1.0, float("nan")], None, [0, -1], [1.0]), (["b", None, "a"], None, [1, -1, 0], ["a", "b"])])
def test_labels(given, unlabelled, numbers, classes):
    found, names = _take.labels(given, unlabelled)
    assert found.tolist() == numbers and names.tolist() == classes


@pytest.mark.parametrize("given", [np.zeros((3, 4)), np.zeros(5), "text", [[0.5, 1.0, 2.0]], None])
def test_what_is_no_graph(given):
    with pytest.raises((TypeError, ValueError)):
        _take.graph(given, 3)
