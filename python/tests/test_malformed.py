# SPDX-License-Identifier: MIT
"""Two hundred malformed inputs for every entry point: one sentence as ValueError or TypeError (OSError for files), or an
answer if the input happens to be good; never another error, never a crash."""
import warnings

import numpy as np
import pytest

hypothesis = pytest.importorskip("hypothesis")
sparse = pytest.importorskip("scipy.sparse")
from hypothesis import HealthCheck, given, settings, strategies as st  # noqa: E402
from hypothesis.extra import numpy as arrays_of  # noqa: E402

import credence  # noqa: E402

many = settings(max_examples=200, deadline=None, derandomize=True, database=None,
                suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow,
                                       HealthCheck.data_too_large])
NODES = 12
odd_numbers = st.one_of(st.sampled_from([-1, 0, 2**31, 2**63, 2**64, -2**63, 10**40, 0.5, float("nan"), float("inf"),
                                         -float("inf"), 1e308, True, None, "", "x", "1\0", "\ud800", b"1", [], {}, (1, 2),
                                         1j, np.float32(3), np.array([1, 2]), object()]),
                        st.integers(), st.floats(), st.text(max_size=5))
types = st.sampled_from(["int8", "int32", "int64", "uint8", "uint64", "float16", "float32", "float64", "bool",
                         "complex128", "U3", "S2", "O", "datetime64[s]"])
any_array = types.flatmap(lambda name: st.sampled_from(["O"]).flatmap(lambda _: arrays_of.arrays(
    object, arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=NODES), elements=odd_numbers))
    if name == "O" else arrays_of.arrays(
        np.dtype(name), arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=NODES)))
things = st.one_of(odd_numbers, any_array, st.lists(st.lists(odd_numbers, max_size=3), max_size=4))


@pytest.fixture(scope="module")
def data():
    return credence.generate(nodes=80, features=40, classes=3, lookalikes=1)


@pytest.fixture(scope="module")
def model(data):
    return credence.train(data, "40/40/20", max_epochs=5)


@pytest.fixture(scope="module")
def serving(data, model):
    return model.serve(data)


def tried(call, *also):
    """The call gives something, or one of the allowed errors with a sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (ValueError, TypeError, *also) as problem:
            assert str(problem).strip(), repr(problem)
            assert "ctypes" not in str(problem), problem


class Matrix(sparse.csr_matrix):
    def __repr__(self):  # SciPy's own fails for some of these
        return f"Matrix({self.indptr}, {self.indices}, {self.data})"


@st.composite
def matrices(draw):
    """SciPy's compressed rows whose arrays may contradict each other: it does not look again after they were made."""
    made = Matrix(sparse.random(NODES, NODES, 0.2, "csr", random_state=1))
    entries = made.nnz
    for name in draw(st.sets(st.sampled_from(["indptr", "indices", "data"]), min_size=1)):
        setattr(made, name, draw(st.one_of(
            arrays_of.arrays(draw(st.sampled_from([np.int32, np.int64])), st.integers(0, 2 * NODES)),
            arrays_of.arrays(np.int32, NODES + 1, elements=st.integers(-2, 40)),
            arrays_of.arrays(draw(st.sampled_from([np.float32, np.float64, np.complex128, bool])), entries))))
    return made


@many
@given(graph=st.one_of(things, matrices()), X=st.one_of(st.none(), things, matrices()), y=st.one_of(st.none(), things))
def test_open_of_objects(graph, X, y):
    if isinstance(graph, (str, bytes)):
        return
    made = tried(lambda: credence.open(graph, None if isinstance(X, (str, bytes)) else X,
                                       None if isinstance(y, (str, bytes)) else y))
    assert made is None or len(made) > 0


@many
@given(graph=st.one_of(st.just(np.array([[0, 1], [1, 2]])), things, matrices()),
       X=st.one_of(st.just(np.eye(NODES)), things, matrices()), y=st.one_of(st.just([0, 1] * (NODES // 2)), things),
       names=st.one_of(st.none(), st.lists(st.text(max_size=3), max_size=NODES)))
def test_from_arrays(graph, X, y, names):
    tried(lambda: credence.Dataset.from_arrays(graph, X, y, node_names=names))
    tried(lambda: credence.Dataset.from_arrays([(0, 1)], np.eye(NODES), y, class_names=names, feature_names=names))


@many
@given(place=st.floats(0, 1), junk=st.binary(min_size=1, max_size=30), cut=st.booleans(),
       ending=st.sampled_from(["npz", "csv", "mtx", "mat", "gml", "graphml", "npy", "txt.gz"]))
def test_open_of_damaged_files(data, path, folder, place, junk, cut, ending):
    content = path.read_bytes() if ending == "npz" else b"0,1\n1,2\n2,3\n"
    at = int(place * len(content))
    damaged = folder / f"damaged.{ending}"
    damaged.write_bytes(content[:at] + junk + (b"" if cut else content[at + len(junk):]))
    tried(lambda: credence.open(damaged), OSError)
    tried(lambda: credence.Dataset.from_bytes(damaged.read_bytes()), OSError)


@many
@given(source=odd_numbers, features=odd_numbers, label=odd_numbers)
def test_paths_and_columns(folder, source, features, label):
    tried(lambda: credence.open(source, features), OSError, ImportError)
    tried(lambda: credence.open(folder, label_column=label), OSError)
    tried(lambda: credence.load(source), OSError)
    tried(lambda: credence.open([(0, 1)], np.eye(2), label_column=label, id_column=source), OSError)


NAMES = [one["name"].replace("-", "_") for one in credence.options()]


@many
@given(options=st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=8)),
                               odd_numbers.filter(lambda one: not isinstance(one, int) or abs(one) > 1000), min_size=1,
                               max_size=3), split=st.one_of(st.just("20/20/60"), odd_numbers))
def test_train_options(data, options, split):
    if set(options) & {"max_epochs", "networks", "hidden", "n_jobs", "patience", "steps"} and split == "20/20/60":
        split = "x"  # a good number among them could train for hours
    tried(lambda: credence.Config(**options))
    tried(lambda: credence.train(data, split, **{"max_epochs": 1, "model": "lp", **options}), credence.CredenceError,
          MemoryError)


@many
@given(what=things, split=things)
def test_splits_and_roles(data, what, split):
    tried(lambda: data.split(what))
    tried(lambda: data.split("20/20/60", what, split))
    tried(lambda: credence.Split.from_roles(what))


@many
@given(nodes=things, task=odd_numbers, other=things)
def test_predict(data, model, nodes, task, other):
    tried(lambda: model.predict(data, nodes))
    tried(lambda: model.predict(other))
    tried(lambda: model.evaluate(data, task=task))
    tried(lambda: model.evaluate(data, split=other))
    tried(lambda: model.explain(data, nodes, other))
    tried(lambda: model.predict(data, n_jobs=task) if not isinstance(task, int) else None)


@many
@given(level=odd_numbers, other=odd_numbers)
def test_promises(data, model, level, other):
    answers = model.predict(data, [0, 1, 2])
    tried(lambda: answers.sets(level))
    tried(lambda: answers.sets(0.9, other))
    tried(lambda: answers.flag_unknown(level))
    tried(lambda: answers.answer(level, other))
    tried(lambda: answers.uncertainty(other))


@many
@given(X=st.one_of(st.none(), things, matrices()), edges=st.one_of(st.just(()), things), nodes=things)
def test_serving(serving, X, edges, nodes):
    before = len(serving)
    if tried(lambda: serving.add(X, edges)) is None:
        assert len(serving) == before  # nothing half-added
    tried(lambda: serving.predict(nodes))


@many
@given(rows=st.integers(1, 3), what=st.sampled_from(["indptr", "indices", "data"]),
       values=arrays_of.arrays(np.int64, st.integers(0, 6), elements=st.integers(-3, 2**40)))
def test_serving_of_contradicting_matrices(data, serving, rows, what, values):
    given_ = sparse.random(rows, data.n_features, 0.1, "csr", dtype=np.float32, random_state=1)
    before = len(serving)
    setattr(given_, what, values)
    if tried(lambda: serving.add(given_)) is None:
        assert len(serving) == before


@many
@given(place=st.floats(0, 1), junk=st.binary(min_size=1, max_size=40), cut=st.booleans(), key=odd_numbers,
       value=odd_numbers)
def test_load(model, place, junk, cut, key, value):
    content = model.to_bytes()
    at = int(place * len(content))
    damaged = content[:at] + junk + (b"" if cut else content[at + len(junk):])
    assert tried(lambda: credence.load(damaged)) is None or damaged == content
    tried(lambda: credence.load(junk))
    tried(lambda: model.set_metadata(key, value))


@many
@given(options=st.dictionaries(st.sampled_from(["classes", "features", "degree", "homophily", "words", "strength", "overlap",
                                                "lookalikes", "seed"]),
                               odd_numbers.filter(lambda one: not isinstance(one, (int, float)) or not 50 < one < 2**62),
                               max_size=3))
def test_generate(options):
    tried(lambda: credence.generate(nodes=20, **options), MemoryError)
