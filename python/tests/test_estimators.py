# SPDX-License-Identifier: MIT
"""scikit-learn's conventions."""
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_wine  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from credence import estimators  # noqa: E402
from credence.estimators import APPNPClassifier, CredenceClassifier, GPNClassifier  # noqa: E402

ALL = [one for one in vars(estimators).values() if isinstance(one, type) and one.__name__.endswith("Classifier")
       and one.__module__ == estimators.__name__ and not one.__name__.startswith("_")]


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


@pytest.fixture(scope="module")
def fitted(arrays):
    graph, features, labels = arrays
    return GPNClassifier(max_epochs=30, random_state=1).fit(features, labels, graph=graph)


@parametrize_with_checks([kind(n_jobs=1) for kind in ALL])  # more threads: the same answers, but slower
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


def test_a_table_without_a_graph(wine):
    assert cross_val_score(CredenceClassifier(), *wine, cv=3).mean() > 0.9


def test_pipelines_and_searches(wine):
    pipeline = make_pipeline(StandardScaler(), GPNClassifier(max_epochs=20))
    search = GridSearchCV(pipeline, {"gpnclassifier__teleport": [0.1, 0.3]}, cv=2).fit(*wine)
    assert search.best_params_["gpnclassifier__teleport"] in (0.1, 0.3)


@pytest.mark.parametrize("kind", ALL)
def test_parameters(kind):
    one = kind(random_state=5, hidden=32)
    assert clone(one).get_params() == one.get_params()
    assert "hidden=32" in repr(one)
    with pytest.raises(TypeError, match="no parameter"):
        kind(nonsense=1)


def test_unlabelled_nodes(arrays):
    graph, features, labels = arrays
    some = np.where(np.arange(len(labels)) % 3 == 0, labels, -1)
    one = CredenceClassifier(max_epochs=30, random_state=1).fit(features, some, graph=graph)
    assert one.predict().shape == labels.shape
    assert (one.predict() == labels)[some < 0].mean() > 0.5
    assert np.array_equal(one.predict(features), one.predict())
    assert one.predict_set(coverage=0.9).shape == (len(labels), len(one.classes_))
    assert np.allclose(one.score_samples(), -one.predict_uncertainty())
    assert one.flag(false_alarms=0.2).dtype == bool
    with pytest.raises(ValueError, match="expected their graph too"):
        one.predict(features[:5])


def test_pickled_estimators_answer_alike(wine):
    one = CredenceClassifier(max_epochs=10).fit(*wine)
    assert np.array_equal(pickle.loads(pickle.dumps(one)).predict_proba(wine[0]), one.predict_proba(wine[0]))


# ---- new rows ----


@pytest.mark.parametrize("kind", ALL)
def test_rows_are_answered_alone(kind, wine):
    """With the same bits, whatever other rows there are."""
    X, y = wine
    one = kind(max_epochs=10, n_jobs=1).fit(X[::2], y[::2])
    new, some = X[1::2], [3, 7, 40]
    for answer in (one.predict_proba, one.score_samples, one.predict):
        whole = answer(new)
        assert np.array_equal(answer(new[some]), whole[some])
        assert np.array_equal(answer(new[::-1]), whole[::-1])


def test_a_row_is_answered_as_if_it_were_added(wine):
    from credence import Dataset
    X, y = wine
    one = CredenceClassifier(max_epochs=10).fit(X[:150], y[:150])
    edges = one._alone.edges(X[150:151])
    start, neighbour = one._dataset.adjacency
    source = np.concatenate([np.repeat(np.arange(150), np.diff(start)), edges[:, 0]])
    grown = np.stack([source, np.concatenate([neighbour, edges[:, 1]])])
    whole = one.model_.predict(Dataset.from_arrays(grown, X[:151]))
    assert np.allclose(one.predict_proba(X[150:151])[0], whole.probability[150], atol=1e-5)
    assert one.score_samples(X[150:151])[0] == pytest.approx(-whole.uncertainty("epistemic")[150], rel=1e-4)


def test_sets_of_new_rows(wine):
    X, y = wine
    one = CredenceClassifier(max_epochs=20).fit(X[:150], y[:150])
    assert one.predict_set(X[150:], coverage=0.8).shape == (len(X) - 150, 3)


def test_neighbours_do_not_depend_on_the_other_rows():
    from credence._knn import Neighbours
    generator = np.random.default_rng(1)
    X = generator.integers(0, 3, size=(300, 4)).astype(float)  # most distances are the same as others
    found = Neighbours(X, 7)
    whole = found.pairs(X)[1].reshape(-1, 7)
    for i in (0, 17, 299):
        assert np.array_equal(found.pairs(X[i:i + 1])[1], whole[i])
    exact = np.square(found.points[:, None, :] - found.points[None, :, :]).sum(axis=2)
    np.fill_diagonal(exact, np.inf)
    own = found.pairs()[1].reshape(-1, 7)
    assert np.array_equal(own, np.argsort(exact, axis=1, kind="stable")[:, :7])


# ---- labels ----


@pytest.mark.parametrize("no_class", [-1, np.nan, None, "none", "mask", "parameter"])
def test_unlabelled_nodes_in_every_form(arrays, no_class):
    graph, features, labels = arrays
    absent = np.arange(len(labels)) % 3 != 0
    options, given, y = {}, {}, labels.astype(object)
    if isinstance(no_class, str) and no_class in ("mask", "parameter"):
        (given if no_class == "mask" else options)["unlabelled"] = absent
    else:
        y[absent] = no_class
    if no_class == "none":
        y, options = np.where(absent, "none", labels.astype(str)), {"unlabelled": "none"}
    elif no_class is np.nan:
        y = y.astype(float)
    one = GPNClassifier(max_epochs=5, **options).fit(features, y, graph=graph, **given)
    assert len(one.classes_) == len(set(labels[~absent]))
    expected = GPNClassifier(max_epochs=5).fit(features, np.where(absent, -1, labels), graph=graph)
    assert np.array_equal(one.predict_proba(), expected.predict_proba())


def test_minus_one_is_a_class_of_a_table(wine):
    one = GPNClassifier(max_epochs=5).fit(wine[0], wine[1] - 1)
    assert one.classes_.tolist() == [-1, 0, 1]
    other = GPNClassifier(max_epochs=5, unlabelled=-1).fit(wine[0], wine[1] - 1)
    assert other.classes_.tolist() == [0, 1]


def test_a_wrong_mask(wine):
    with pytest.raises(ValueError, match=r"unlabelled: has the shape \(3,\)"):
        GPNClassifier().fit(*wine, unlabelled=[True, False, True])


# ---- answers ----


def test_frames_by_the_names_of_nodes(arrays):
    pandas = pytest.importorskip("pandas")
    graph, features, labels = arrays
    frame = pandas.DataFrame(features.toarray(), index=[f"node {i}" for i in range(len(labels))])
    one = CredenceClassifier(max_epochs=10).fit(frame, labels, graph=graph)
    table = one.table(false_alarms=0.2)
    assert table.index.tolist() == frame.index.tolist()
    assert {"class", "probability", "aleatoric", "epistemic", "doubt", "unknown"} == set(table.columns)
    assert np.array_equal(table["class"], one.predict())
    assert np.array_equal(table["unknown"], one.flag(false_alarms=0.2))
    assert one.explain("node 7")["node"] == 7
    with pytest.raises(ValueError, match="there is no node 'node 1000'"):
        one.explain("node 1000")
    assert "epistemic" not in APPNPClassifier(max_epochs=3).fit(frame, labels, graph=graph).table().columns


def test_models_without_epistemic_uncertainty_say_so(wine):
    one = APPNPClassifier(max_epochs=3).fit(*wine)
    with pytest.raises(ValueError, match="APPNPClassifier has no epistemic uncertainty"):
        one.predict_uncertainty()
    assert np.array_equal(one.score_samples(), -one.predict_uncertainty(kind="aleatoric"))


def test_detectors(fitted, arrays):
    graph, features, labels = arrays
    one = fitted.as_detector(contamination=0.2)
    assert np.array_equal(one.decision_scores_, fitted.predict_uncertainty())
    assert one.labels_.mean() == pytest.approx(0.2, abs=0.01)
    assert np.array_equal(one.labels_, one.decision_scores_ > one.threshold_)
    assert np.array_equal(one.predict(features), one.labels_)
    assert np.allclose(one.predict_proba(features).sum(axis=1), 1.0)
    assert np.argmax(one.predict_proba(features)[:, 1]) == np.argmax(one.decision_scores_)
    again = GPNClassifier(max_epochs=30, random_state=1).as_detector(contamination=0.2)
    again.fit(features, labels, graph=graph)
    assert np.array_equal(again.labels_, one.labels_)
    assert clone(one).get_params()["contamination"] == 0.2
    with pytest.raises(ValueError, match="contamination is 0.9"):
        fitted.as_detector(contamination=0.9)


def test_a_score_with_weights(wine):
    one = GPNClassifier(max_epochs=10).fit(*wine)
    right = one.predict(wine[0]) == wine[1]
    weights = np.where(right, 0.0, 1.0) + 1e-9
    assert one.score(*wine, sample_weight=weights) < 0.1 or right.all()


def test_warm_starts(wine):
    one = GPNClassifier(max_epochs=40).fit(*wine)
    trained = one.model_.history[-1]["loss"]
    assert one.set_params(warm_start=True, max_epochs=1).fit(*wine).model_.history[0]["loss"] < trained * 1.5
    cold = one.set_params(warm_start=False).fit(*wine)
    assert cold.model_.history[0]["loss"] > trained * 1.5


def test_what_notebooks_show(wine):
    from sklearn.utils import estimator_html_repr
    assert "GPNClassifier(hidden=32)" in estimator_html_repr(GPNClassifier(hidden=32))
    assert "<div" in make_pipeline(StandardScaler(), GPNClassifier())._repr_html_()


def test_names_of_features(wine):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(wine[0], columns=[f"feature {i}" for i in range(wine[0].shape[1])])
    one = GPNClassifier(max_epochs=3).fit(frame, wine[1])
    assert one.feature_names_in_.tolist() == list(frame.columns) and one.n_features_in_ == frame.shape[1]
    assert np.array_equal(one.predict_proba(frame[frame.columns[::-1]]), one.predict_proba(frame))
    assert not hasattr(one.fit(*wine), "feature_names_in_")


# ---- processes and threads ----


def _fit_again(given):
    """In another process, or another thread: the bytes of a model, its answers, and those of one that was sent."""
    sent, X, y = given
    one = CredenceClassifier(max_epochs=10, random_state=3, n_jobs=1).fit(X, y)
    return one.model_.to_bytes(), one.predict_proba(X[:20]), sent.predict_proba(X[:20])


@pytest.fixture(scope="module")
def alike(wine):
    one = CredenceClassifier(max_epochs=10, random_state=3).fit(*wine)

    def check(answers):
        for model, own, sent in answers:
            assert model == one.model_.to_bytes()
            assert np.array_equal(own, one.predict_proba(wine[0][:20])) and np.array_equal(own, sent)

    return one, check


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_other_processes(wine, alike, way):
    one, check = alike
    with multiprocessing.get_context(way).Pool(2) as pool:
        check(pool.map(_fit_again, [(one, *wine)] * 3))


def test_joblib(wine, alike, tmp_path):
    joblib = pytest.importorskip("joblib")
    one, check = alike
    check(joblib.Parallel(n_jobs=2)(joblib.delayed(_fit_again)((one, *wine)) for _ in range(3)))
    joblib.dump(one, tmp_path / "one.joblib")
    assert np.array_equal(joblib.load(tmp_path / "one.joblib").predict_proba(wine[0]), one.predict_proba(wine[0]))


def test_eight_threads(wine, alike):
    one, check = alike
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(_fit_again((one, *wine)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    check(answers)


def test_without_scikit_learn(wine, alike, tmp_path):
    np.savez(tmp_path / "wine.npz", X=wine[0], y=wine[1])
    said = subprocess.run([sys.executable, "-c", """
import pickle, sys
import numpy as np
sys.modules["sklearn"] = None
from credence.estimators import CredenceClassifier
wine = np.load(sys.argv[1])
one = CredenceClassifier(max_epochs=10, random_state=3).fit(wine["X"], wine["y"])
assert "sklearn.base" not in sys.modules
assert one.get_params()["max_epochs"] == 10 and "max_epochs=10" in repr(one)
assert one.score(wine["X"], wine["y"]) > 0.9
assert one.as_detector(contamination=0.3).labels_.mean() > 0.2
again = pickle.loads(pickle.dumps(one))
assert np.array_equal(again.predict_proba(wine["X"]), one.predict_proba(wine["X"]))
sys.stdout.buffer.write(one.model_.to_bytes())
""", tmp_path / "wine.npz"], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=True,
                          stdout=subprocess.PIPE).stdout
    assert said == alike[0].model_.to_bytes()
