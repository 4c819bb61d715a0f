# SPDX-License-Identifier: MIT
"""The objects of the library: the same answers as the command's, memory that is shared, and errors."""
import ctypes
import gc
import json
import pickle
import subprocess

import numpy as np
import pytest

import credence
from credence import _abi

from conftest import COMMAND


def test_structures_are_laid_out_as_the_compiler_does():
    for structure, (size, offsets) in _abi.LAYOUT.items():
        assert ctypes.sizeof(structure) == size
        assert [getattr(structure, name).offset for name, _ in structure._fields_] == offsets


def test_the_command_writes_the_same_model(path, data, folder):
    subprocess.run([COMMAND, "train", path, "--split", "20/20/60", "--max-epochs", "5", "--seed", "7", "-q", "-o",
                    folder / "command.safetensors"], check=True)
    model = credence.train(data, data.split("20/20/60", seed=7), max_epochs=5, seed=7)
    model.save(folder / "python.safetensors")
    assert (folder / "python.safetensors").read_bytes() == (folder / "command.safetensors").read_bytes()
    assert model.to_bytes() == (folder / "python.safetensors").read_bytes()


def test_the_command_evaluates_alike(path, data, model, folder):
    model.save(folder / "model.safetensors")
    said = subprocess.run([COMMAND, "evaluate", folder / "model.safetensors", path, "--json"], check=True,
                          stdout=subprocess.PIPE).stdout
    ours = model.evaluate(data)
    for name in ("accuracy", "ece", "nll"):
        assert ours[name] == pytest.approx(json.loads(said)[name], rel=1e-9)


def test_arrays_are_lent_and_not_copied(data, arrays):
    graph, features, labels = arrays
    made = credence.Dataset.from_arrays(graph, features, labels)
    assert made.fingerprint == data.fingerprint
    assert made.adjacency[1].ctypes.data == graph.indices.ctypes.data


def test_fit_lends_its_arrays_too(arrays):
    from credence.estimators import APPNPClassifier
    graph, features, labels = arrays
    one = APPNPClassifier(max_epochs=2).fit(features, labels, graph=graph)
    held = one._dataset
    assert held.adjacency[1].ctypes.data == graph.indices.ctypes.data
    assert [array.ctypes.data for array in held.features[1:]] == [features.indices.ctypes.data, features.data.ctypes.data]


def test_the_user_s_own_matrix_is_not_changed(arrays):
    graph, features, _ = arrays
    mixed = features.astype(np.int64)
    mixed.indices, mixed.data = mixed.indices.copy(), mixed.data.copy()
    first, last = mixed.indptr[:2]
    mixed.indices[first:last], mixed.data[first:last] = mixed.indices[first:last][::-1], mixed.data[first:last][::-1]
    mixed.has_sorted_indices = False
    before = mixed.indices.copy(), mixed.data.copy()
    made = credence.open(graph, features=mixed)
    assert np.array_equal(mixed.indices, before[0]) and np.array_equal(mixed.data, before[1])
    assert np.array_equal(made.features[2], features.data)


def test_views_are_read_only_and_keep_their_owner(data, model):
    probability = model.predict(data).probability
    gc.collect()
    assert np.allclose(probability.sum(axis=1), 1.0, atol=1e-5)
    with pytest.raises(ValueError):
        probability[0, 0] = 0.5


def test_predictions_of_some_nodes(data, model):
    some = model.predict(data, nodes=[5, 3])
    assert some.nodes.tolist() == [5, 3]
    assert np.allclose(some.probability, model.predict(data).probability[[5, 3]], rtol=1e-5)


def test_promises(data, model):
    answers = model.predict(data)
    assert answers.doubt.min() >= 0.0 and answers.doubt.max() <= 1.0
    assert answers.flag_unknown(0.1).dtype == bool
    assert answers.sets(0.9).shape == (len(data), data.n_classes)
    with pytest.raises(ValueError, match="least fraction|promise"):
        answers.answer(0.0001)


def test_models_and_graphs_can_be_pickled(data, model):
    again = pickle.loads(pickle.dumps(model))
    assert again.to_bytes() == model.to_bytes()
    assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint


def test_metadata(data):
    model = credence.train(data, "20/20/60", max_epochs=2)
    model.set_metadata("owner", "Ä")
    assert pickle.loads(pickle.dumps(model)).metadata == {"owner": "Ä"}


def test_serving(data, model):
    serving = model.serve(data)
    dense = np.zeros((1, data.n_features), dtype=np.float32)
    dense[0, :3] = 1.0
    first = serving.add(dense, [(len(data), 0), (len(data), 1)])
    assert first == len(data) and len(serving) == len(data) + 1
    assert serving.predict([first]).probability.shape == (1, data.n_classes)


def test_nodes_that_are_not_kept(data, model):
    serving, dense = model.serve(data), np.zeros((2, data.n_features), dtype=np.float32)
    dense[:, :3] = 1.0
    edges = [(len(data), 0), (len(data) + 1, 1), (2, len(data) + 1)]
    both = serving.predict_new(dense, edges)
    assert len(serving) == len(data)
    alone = serving.predict_new(dense[1:], [(len(data), 1), (len(data), 2)])
    assert np.array_equal(both.probability[1], alone.probability[0])
    first = serving.add(dense[1:], [(len(data), 1), (len(data), 2)])
    assert np.allclose(serving.predict([first]).probability, alone.probability, atol=1e-5)
    with pytest.raises(ValueError, match="new nodes are answered one by one"):
        serving.predict_new(dense, [(len(data) + 1, len(data) + 2)])


def test_explanations_and_reports(data, model, folder):
    assert model.explain(data, 0)["node"] == 0
    model.report(data, folder / "report.html")
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!")


@pytest.mark.parametrize("options, message", [
    ({"lr": -1}, "lr is '-1'"), ({"nonsense": 1}, "nonsense"), ({"model": "no such model"}, "no such model")])
def test_wrong_options(data, options, message):
    with pytest.raises(ValueError, match=message):
        credence.train(data, "20/20/60", **options)


def test_wrong_files(folder):
    with pytest.raises(OSError, match="missing.npz"):
        credence.open(folder / "missing.npz")
    with pytest.raises(ValueError, match="memory: "):
        credence.load(b"nonsense")


def test_tables_of_many_columns(folder):
    (folder / "edges.csv").write_text("0,1\n1,2\n")
    table = folder / "people.csv"
    table.write_text("key,age,zone,risk,account\n71,20,7,low,2\n72,,8,high,0\n73,40,7,low,1\n")
    with pytest.raises(ValueError, match="label-column is needed: .* has 5 columns"):
        credence.open(folder / "edges.csv", features=table, labels=table, id_column="account")
    data = credence.open(folder / "edges.csv", features=table, labels=table, label_column="risk", id_column=5,
                         category_columns=["zone"], ignore_columns=["key"])
    assert data.node_names == ["2", "0", "1"]
    assert data.feature_names == ["age", "age is missing", "zone=7", "zone=8"]
    assert np.array_equal(data.labels, [1, 0, 1])
    dense = data.features if isinstance(data.features, np.ndarray) else None
    assert dense is not None and np.array_equal(dense, [[20, 0, 1, 0], [30, 1, 0, 1], [40, 0, 1, 0]])


def test_a_training_goes_on_from_its_checkpoint(data, folder):
    whole = credence.train(data, "20/20/60", max_epochs=12, model="gpn", seed=1)
    path, parts = folder / "checkpoint", None
    with pytest.raises(ValueError, match="is no checkpoint"):
        whole.save(path)
        credence.train(data, "20/20/60", max_epochs=12, model="gpn", seed=1, checkpoint=path)
    path.unlink()
    for _ in range(5):
        epochs = []
        parts = credence.train(data, "20/20/60", max_epochs=12, model="gpn", seed=1, checkpoint=path,
                               progress=lambda epoch: epochs.append(epoch.epoch) or len(epochs) < 6)
    assert parts.to_bytes() == whole.to_bytes()


def test_columns_of_a_file_are_put_into_the_models_order(folder):
    rows = [(i, i % 7, (i * i) % 5, "AB"[i % 2]) for i in range(60)]
    (folder / "ring.csv").write_text("".join(f"{i},{(i + 1) % 60}\n" for i in range(60)))
    for name, order in (("one.csv", (0, 1, 2)), ("two.csv", (0, 2, 1))):
        head = ["node", "size", "age"]
        lines = [",".join(head[at] for at in order)] + [",".join(str(row[at]) for at in order) for row in rows]
        (folder / name).write_text("\n".join(lines) + "\n")
    (folder / "kinds.csv").write_text("node,label\n" + "".join(f"{row[0]},{row[3]}\n" for row in rows))
    one = credence.open(folder / "ring.csv", features=folder / "one.csv", labels=folder / "kinds.csv")
    model = credence.train(one, "20/20/60", max_epochs=5, seed=1)
    two = credence.open(folder / "ring.csv", features=folder / "two.csv", labels=folder / "kinds.csv")
    with pytest.raises(ValueError, match="size"):
        model.predict(two)
    two = credence.open(folder / "ring.csv", features=folder / "two.csv", labels=folder / "kinds.csv", like=model)
    assert two.feature_names == ["size", "age"]
    assert np.array_equal(model.predict(two).probability, model.predict(one).probability)
