# SPDX-License-Identifier: MIT
"""credence.open: objects of other libraries, files that they read, and a model's own encoding of tables."""
import json
import types

import numpy as np
import pytest

import credence
from credence import _files

from conftest import raw


def edges_of(graph):
    both = graph.tocoo()
    return np.stack([both.row, both.col]).astype(np.int64)


@pytest.fixture(scope="module")
def frames(arrays):
    """Accounts with names, of which some have no class, and who knows whom."""
    pandas = pytest.importorskip("pandas")
    graph, _, labels = arrays
    names = np.array([f"account {i}" for i in range(len(labels))])
    random = np.random.default_rng(1)
    nodes = pandas.DataFrame({"id": names, "age": np.where(labels == 0, np.nan, labels + random.normal(0, 0.3, len(labels))),
                              "town": np.array(["x", "y", "z"])[labels % 3], "kind": [f"k{one}" for one in labels]})
    nodes.loc[::5, "kind"] = None
    edges = edges_of(graph)
    return pandas.DataFrame({"source": names[edges[0]], "target": names[edges[1]]}), nodes


def test_tables_of_edges_and_nodes(data, frames):
    edges, nodes = frames
    shuffled = nodes.sample(frac=1, random_state=2)
    graph = credence.open(edges, features=shuffled, id_column="id", label_column="kind")
    assert len(graph) == len(data) and graph.node_names == shuffled["id"].tolist()
    assert graph.info()["edges"] == data.info()["edges"]
    assert graph.feature_names == ["age", "age is missing", "town=x", "town=y", "town=z"]
    assert (graph.labels == -1).sum() == nodes["kind"].isna().sum()
    found = [None if k < 0 else graph.class_names[k] for k in graph.labels]
    assert found == shuffled["kind"].tolist()


def test_labels_of_a_table_or_series_find_their_nodes_by_name(frames):
    edges, nodes = frames
    by_column = credence.open(edges, features=nodes, id_column="id", label_column="kind")
    table, classes = nodes.drop(columns="kind").set_index("id"), nodes.set_index("id")["kind"]
    assert credence.open(edges, features=table, labels=classes[::-1]).labels.tolist() == by_column.labels.tolist()
    with pytest.raises(ValueError, match="more than one row"):
        credence.open(edges, features=table.iloc[[0, 0, 1]])
    with pytest.raises(ValueError, match="no column 'nothing'"):
        credence.open(edges, features=nodes, id_column="id", label_column="nothing")


def test_a_model_keeps_the_encoding_of_its_table(frames):
    edges, nodes = frames
    model = credence.train(credence.open(edges, features=nodes, id_column="id", label_column="kind"), max_epochs=5)
    again = credence.load(model.to_bytes())
    other = nodes.assign(town="elsewhere")[["town", "age", "id"]]
    graph = credence.open(edges, features=other, id_column="id", like=again)
    assert graph.feature_names == ["age", "age is missing", "town=x", "town=y", "town=z"]
    assert again.predict(graph).to_frame().index.tolist() == nodes["id"].tolist()
    serving = again.serve(graph)
    assert serving.add(other.iloc[:2], [(len(graph), 0)]) == len(graph)


def test_networkx_and_igraph_bring_their_attributes(frames):
    networkx, igraph = pytest.importorskip("networkx"), pytest.importorskip("igraph")
    edges, nodes = frames
    expected = credence.open(edges, features=nodes, id_column="id", label_column="kind")
    one = networkx.Graph()
    for row in nodes.itertuples():
        one.add_node(row.id, age=row.age, town=row.town, kind=row.kind)
    one.add_edges_from(edges.itertuples(index=False))
    place = {name: i for i, name in enumerate(nodes["id"])}
    two = igraph.Graph(n=len(nodes), edges=[(place[a], place[b]) for a, b in one.edges()])
    two.vs["name"], two.vs["age"] = nodes["id"].tolist(), nodes["age"].tolist()
    two.vs["town"], two.vs["kind"] = nodes["town"].tolist(), nodes["kind"].tolist()
    for given in (one, two):
        graph = credence.open(given, label_column="kind")
        assert graph.fingerprint == expected.fingerprint and graph.node_names == expected.node_names


def test_how_files_are_read(folder):
    (folder / "edges.csv").write_text("1,2\n2,3\n3,1\n")
    assert len(credence.open(folder / "edges.csv", first_id=1, header="no")) == 3
    assert len(credence.open(folder / "edges.csv", first_id="0")) == 4
    (folder / "weighted.csv").write_text("source,target,weight\n0,1,0.5\n1,2,2\n")
    assert credence.open(folder / "weighted.csv", min_edge_weight=1).info()["edges"] == 1
    with pytest.raises(ValueError, match="weight"):
        credence.open(folder / "weighted.csv", edge_weights="refuse")
    for wrong in ({"header": "maybe"}, {"nothing": 1}, {"min_edge_weight": "x"}, {"first_id": 2}):
        with pytest.raises((ValueError, TypeError)):
            credence.open(folder / "edges.csv", **wrong)
    with pytest.raises(ValueError, match="header is for files"):
        credence.open([(0, 1)], features=np.eye(2), header="no")


class Tensor:
    """An array that only has what DLPack needs, as a tensor on the processor."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, stream=None):
        return self.values.__dlpack__()

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class Recording(Tensor):
    """A tensor as torch has them: detach, cpu, and then an array."""

    def detach(self):
        return self

    def cpu(self):
        return self.values


@pytest.mark.parametrize("tensor", [Tensor, Recording])
def test_pyg_with_tensors_and_masks(data, arrays, tensor):
    graph, features, labels = arrays
    masks = [np.arange(len(labels)) % 4 == k for k in range(3)]
    pyg = types.SimpleNamespace(edge_index=tensor(edges_of(graph)), x=tensor(features.toarray()),
                                y=tensor(labels.astype(np.int64)), train_mask=Recording(masks[0]),
                                val_mask=Recording(masks[1]), test_mask=Recording(masks[2]), num_nodes=len(labels))
    opened = credence.open(pyg)
    assert opened.fingerprint == data.fingerprint
    split = opened.split()
    assert [split.count(one) for one in ("train", "validation", "test")] == [int(mask.sum()) for mask in masks]
    assert credence.train(opened, max_epochs=3, hold_out=0).split.count("test") == masks[2].sum()


@pytest.mark.parametrize("ending", ["graphml", "gml"])
def test_graphml_and_gml(folder, ending):
    networkx = pytest.importorskip("networkx")
    pytest.importorskip("pandas")
    graph = networkx.les_miserables_graph()
    for i, name in enumerate(graph):
        graph.nodes[name].update(size=float(i), side="left" if i % 2 else "right")
    place = folder / f"people.{ending}"
    getattr(networkx, f"write_{ending}")(graph, place)
    opened = credence.open(place, label_column="side")
    assert len(opened) == 77 and opened.info()["edges"] == 254
    assert opened.class_names == ["left", "right"] and opened.node_names[0] == "Napoleon"
    assert opened.feature_names == ["size"]
    (folder / f"bad.{ending}").write_text("<graphml")
    with pytest.raises(ValueError, match="cannot be read"):
        credence.open(folder / f"bad.{ending}")
    with pytest.raises(OSError):
        credence.open(folder / f"missing.{ending}")


def test_parquet_without_an_engine_says_what_is_missing(folder, monkeypatch, frames):
    pandas = pytest.importorskip("pandas")
    edges, nodes = frames
    for name in ("edges", "nodes"):
        (folder / f"{name}.parquet").write_bytes(b"PAR1")

    def no_engine(path):
        raise ImportError("Unable to find a usable engine")
    monkeypatch.setattr(pandas, "read_parquet", no_engine)
    with pytest.raises(ImportError, match="pyarrow or fastparquet"):
        credence.open(folder / "edges.parquet")
    monkeypatch.setattr(pandas, "read_parquet", lambda path: edges if path.name == "edges.parquet" else nodes)
    opened = credence.open(folder / "edges.parquet", features=folder / "nodes.parquet", id_column="id",
                           label_column="kind")
    assert opened.fingerprint == credence.open(edges, features=nodes, id_column="id", label_column="kind").fingerprint


def test_matlab(folder, data, arrays):
    scipy = pytest.importorskip("scipy.io")
    graph, features, labels = arrays
    scipy.savemat(folder / "g.mat", {"Network": graph, "Attributes": features, "Label": labels.reshape(-1, 1)})
    assert credence.open(folder / "g.mat").fingerprint == data.fingerprint
    scipy.savemat(folder / "two.mat", {"one": np.eye(3), "two": np.eye(4)})
    with pytest.raises(ValueError, match="2 square matrices"):
        credence.open(folder / "two.mat")
    (folder / "bad.mat").write_bytes(b"MATLAB 5.0" * 30)
    with pytest.raises(ValueError, match="cannot be read"):
        credence.open(folder / "bad.mat")


@pytest.fixture
def musae(tmp_path):
    (tmp_path / "t.json").write_text(json.dumps({"1": [0, 2], "0": [], "2": [1, 1]}))
    (tmp_path / "t_edges.csv").write_text("from,to\n0,1\n1,2\n")
    (tmp_path / "t_target.csv").write_text("id,days,partner,new_id\n70,5,False,1\n80,6,True,0\n90,7,,2\n")
    return tmp_path


def test_musae(musae):
    opened = credence.open(musae, label_column="partner")
    assert opened.node_names == ["80", "70", "90"] and opened.class_names == ["False", "True"]
    assert opened.labels.tolist() == [1, 0, -1] and opened.n_features == 3
    assert [one.tolist() for one in opened.features] == [[0, 0, 2, 3], [0, 2, 1], [1, 1, 1]]


@pytest.mark.parametrize("name, content, message", [
    ("t.json", '{"3": [1]}', "node 3"), ("t.json", '{"0": [-1]}', "node 0"), ("t.json", "[1]", "a list of numbers"),
    ("t.json", "{", "a list of numbers"), ("t.json", '{"0": 5}', "a list of numbers"),
    ("t_edges.csv", "from,to\n0,3\n", "from 3 to 3, expected 0 to 2"), ("t_edges.csv", "from,to\n0\n", "row 2"),
    ("t_edges.csv", "from,to\na,b\n", "something other"), ("t_edges.csv", "", "is empty"),
    ("t_target.csv", "id,partner,new_id\n7,a,0\n8,b,0\n", "twice"), ("t_target.csv", "id,x,new_id\n7,a,0\n", "'partner'")])
def test_musae_that_is_wrong(musae, name, content, message):
    (musae / name).write_text(content)
    with pytest.raises(ValueError, match=message):
        credence.open(musae, label_column="partner")


def test_a_library_that_is_missing_is_named(monkeypatch):
    def missing(name):
        raise ImportError(name)
    monkeypatch.setattr(_files.importlib, "import_module", missing)
    with pytest.raises(ImportError, match="g.gml: networkx reads such files, and is not installed"):
        credence.open("g.gml")


def test_twitch_as_it_is_downloaded():
    from conftest import public
    opened = credence.open(raw("twitch_engb"), label_column="mature")
    assert opened.fingerprint == credence.open(public("twitch_engb")).fingerprint


def test_reed98_as_it_is_downloaded():
    pytest.importorskip("scipy"), pytest.importorskip("pandas")
    opened = credence.open(raw("Reed98.mat"), label_column="gender")
    assert len(opened) == 962 and opened.info()["edges"] == 18812
    assert opened.n_classes == 2 and (opened.labels == -1).sum() > 0
    with pytest.raises(ValueError, match="status, gender, major"):
        credence.open(raw("Reed98.mat"))
