# SPDX-License-Identifier: MIT
"""scikit-learn's conventions."""
import pickle

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_wine  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

from credence import estimators  # noqa: E402
from credence.estimators import CredenceClassifier, GPNClassifier  # noqa: E402

ALL = [one for one in vars(estimators).values() if isinstance(one, type) and one.__name__.endswith("Classifier")
       and one.__module__ == estimators.__name__ and not one.__name__.startswith("_")]


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


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
