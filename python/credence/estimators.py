# SPDX-License-Identifier: MIT
"""Classifiers with scikit-learn's conventions, one for each kind of model. scikit-learn itself is not needed."""
import inspect

import numpy as np

from . import _knn, _table, _take
from .core import Config, Dataset, Model, Split

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import DataConversionWarning, NotFittedError
except ImportError:
    from ._without_sklearn import BaseEstimator, ClassifierMixin, DataConversionWarning, NotFittedError

# What every estimator has, whatever the kind of model.
COMMON = {"graph": "knn", "n_neighbors": 10, "unlabelled": "auto", "random_state": None, "n_jobs": None, "verbose": 0,
          "warm_start": False}
_COMMON_HELP = {
    "graph": 'the graph, if fit gets none: any form that fit takes, or "knn": join each row to those most like it',
    "n_neighbors": 'how many rows each one is joined to, with graph="knn"',
    "unlabelled": 'the label that means "no class": a value, None for none, or "auto": -1 if there is a graph. NaN and '
                  "None always mean that",
    "random_state": "seed of the split, the initial weights and dropout",
    "n_jobs": "threads; None or -1: as many as the process may use",
    "verbose": "1: a progress bar (with tqdm) or lines; 0: nothing",
    "warm_start": "start from the weights of the last fit",
}
_NOT_PARAMETERS = {"model", "seed", "threads"}
_RENAMED = {"score": "doubt_score"}  # score is a method of scikit-learn's classifiers


def _parameter(option):
    return _RENAMED.get(option, option.replace("-", "_"))


class _Classifier(ClassifierMixin, BaseEstimator):
    _kind = ""
    _options = {}  # of this kind of model, with their defaults

    # ---- fitting ----

    def fit(self, X, y=None, graph=None):
        """Trains on the labelled rows of X; the others, if any, are seen without a label.

        Parameters
        ----------
        X : table or matrix with a row per node, dense or sparse; or a graph object that has features and labels.
        y : a label per node; unlabelled nodes have -1, NaN or None.
        graph : a SciPy matrix, a NetworkX or igraph graph, an edge list as array or table, ... or "knn".
        """
        whole = _take.graph(X) if hasattr(X, "edge_index") or hasattr(X, "ndata") else None
        if whole is not None:
            X, y, graph = whole.features, whole.labels if y is None else y, whole
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        graph = self.graph if graph is None else graph
        is_knn = isinstance(graph, str)
        if is_knn and graph != "knn":
            raise ValueError(f'graph is {graph!r}, expected a graph or "knn"')
        names = _feature_names(X)
        numbers, encoded, encoding = _table.features(X)
        _check_shape(numbers)
        unlabelled = (None if is_knn else -1) if isinstance(self.unlabelled, str) and self.unlabelled == "auto" \
            else self.unlabelled
        labels, self.classes_ = _take.labels(y, unlabelled, DataConversionWarning)
        if len(labels) != numbers.shape[0]:
            raise ValueError(f"X has {numbers.shape[0]} rows, but y has {len(labels)} labels")
        if len(self.classes_) == 0:
            raise ValueError("y has no label, expected one for some of the nodes")
        if len(labels) == 1:
            raise ValueError("X has 1 sample, expected at least two nodes and an edge between them")
        self._neighbours = _knn.Neighbours(numbers, self.n_neighbors) if is_knn else None
        index = list(X.index) if _take.is_frame(X) else None
        taken = _knn.graph(self._neighbours) if is_knn else \
            graph if isinstance(graph, _take.Graph) else _take.graph(graph, numbers.shape[0], _named(index))
        self._graph, self._X, self._encoding = taken, numbers, encoding
        self._dataset = Dataset.from_arrays(taken, numbers, labels, class_names=[str(one) for one in self.classes_],
                                            feature_names=encoded, n_jobs=self.n_jobs)
        seed = _seed(self.random_state)
        if taken.roles is not None:
            split = Split.from_roles(np.where(labels >= 0, taken.roles, 0))
        else:
            split = self._dataset.split("75/25/0" if (labels >= 0).all() else "auto", seed=seed)
        changed = {option: getattr(self, _parameter(option)) for option, usual in self._options.items()
                   if getattr(self, _parameter(option)) != usual}
        init = getattr(self, "model_", None) if self.warm_start else None
        with _progress(self.verbose) as progress:
            self.model_ = Model.train(self._dataset, split, Config(model=self._kind, seed=seed, **changed), init,
                                      self.n_jobs, progress)
        self.n_features_in_ = numbers.shape[1] if encoding is None else len(encoding.columns)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.n_iter_ = self.model_.facts().get("epochs")
        self.index_ = index
        return self

    # ---- answers ----

    def _answers(self, X, graph):
        """A prediction and the rows of it that were asked for."""
        if X is None and graph is None:
            return self.model_.predict(self._dataset, n_jobs=self.n_jobs), None
        numbers, _, _ = _table.features(X, self._encoding)
        _check_shape(numbers)
        if numbers.shape[1] != self.n_features_in_ and self._encoding is None:
            raise ValueError(f"X has {numbers.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        if graph is not None:
            index = list(X.index) if _take.is_frame(X) else None
            taken = _take.graph(graph, numbers.shape[0], _named(index))
            return self.model_.predict(Dataset.from_arrays(taken, numbers), n_jobs=self.n_jobs), None
        if self._neighbours is None:
            if _same(numbers, self._X):
                return self.model_.predict(self._dataset, n_jobs=self.n_jobs), None
            raise ValueError("X has other nodes than those of fit, expected their graph too: predict(X, graph=...)")
        return self._appended(numbers)

    def _appended(self, numbers):
        """New rows, joined to the rows of fit that are most like them."""
        old = self._X.shape[0]
        source, target = self._neighbours.pairs(numbers)
        both = np.concatenate([_knn._dense(self._X), _knn._dense(numbers)]).astype(np.float32)
        grown = _take.Graph(len(both), source=np.concatenate([self._graph.source, old + source]),
                            target=np.concatenate([self._graph.target, target]))
        prediction = self.model_.predict(Dataset.from_arrays(grown, both), n_jobs=self.n_jobs)
        return prediction, np.arange(old, len(both))

    def _rows(self, X, graph, get):
        if not hasattr(self, "model_"):
            raise NotFittedError(f"This {type(self).__name__} is not fitted: call fit first")
        prediction, rows = self._answers(X, graph)
        values = get(prediction)
        return values if values is None or rows is None else values[rows]

    def predict(self, X=None, graph=None):
        """The class of each row of X; without X, of each node of fit."""
        numbers = self._rows(X, graph, lambda one: one.classes)
        return self.classes_[numbers]

    def predict_proba(self, X=None, graph=None):
        """Calibrated probabilities: rows x classes, in the order of ``classes_``."""
        return self._rows(X, graph, lambda one: one.probability)

    def predict_log_proba(self, X=None, graph=None):
        return np.log(self.predict_proba(X, graph))

    def predict_uncertainty(self, X=None, graph=None, kind="epistemic"):
        """Grows with doubt: "epistemic" (unlike anything seen in training) or "aleatoric" (ambiguous)."""
        return self._rows(X, graph, lambda one: one.uncertainty(kind))

    def predict_doubt(self, X=None, graph=None):
        """Between 0 and 1, on every graph alike: the share of known-class nodes that look less strange."""
        return self._rows(X, graph, _doubt)

    def score_samples(self, X=None, graph=None):
        """Grows with normality, as scikit-learn's novelty detectors have it."""
        values = self.predict_uncertainty(X, graph)
        return None if values is None else -values

    def predict_set(self, X=None, graph=None, coverage=0.9, method="daps"):
        """Rows x classes: True where the class is in the set, which holds the right one with this probability."""
        return self._rows(X, graph, lambda one: one.sets(coverage, method))

    def flag(self, X=None, graph=None, false_alarms=0.05):
        """True where a row looks like no known class: of rows of known classes, at most this fraction."""
        return self._rows(X, graph, lambda one: one.flag_unknown(false_alarms))

    def explain(self, node, most=10):
        """Which nodes the answer for a node of fit comes from."""
        return self.model_.explain(self._dataset, node, most, self.n_jobs)

    # ---- what other tools look at ----

    def _more_tags(self):
        return {"poor_score": False}


def _doubt(prediction):
    values = prediction.doubt
    if values is None:
        raise ValueError("the model has no calibration nodes, so its doubt has no scale: expected hold_out above 0, "
                         "and more labels")
    return values


def _feature_names(X):
    """Of a table whose columns all have names."""
    if not _take.is_frame(X):
        return None
    names = list(X.columns)
    return np.array(names, dtype=object) if all(isinstance(one, str) for one in names) else None


def _named(index):
    """An index that is just 0, 1, 2, ... names nothing."""
    return None if index is None or index == list(range(len(index))) else index


def _check_shape(numbers):
    for size, what in zip(numbers.shape, ("sample(s)", "feature(s)")):
        if size == 0:
            raise ValueError(f"X has 0 {what} (shape={numbers.shape}) while a minimum of 1 is required.")
    values = numbers.data if _take.is_sparse(numbers) else numbers
    if not np.isfinite(values).all():
        raise ValueError("X contains NaN or infinity, expected numbers (in a table, missing numbers are filled in)")


def _same(a, b):
    if _take.is_sparse(a) != _take.is_sparse(b) or a.shape != b.shape:
        return False
    if _take.is_sparse(a):
        return all(np.array_equal(getattr(a, one), getattr(b, one)) for one in ("indptr", "indices", "data"))
    return a is b or np.array_equal(a, b)


def _seed(random_state):
    if random_state is None:
        return 1
    if hasattr(random_state, "randint"):
        return int(random_state.randint(1, 2**31 - 1))
    return int(random_state)


class _progress:
    """A bar with tqdm, if it is installed, else a line now and then; nothing with verbose=0."""

    def __init__(self, verbose):
        self.verbose, self.bar = verbose, None

    def __enter__(self):
        if not self.verbose:
            return None
        try:
            from tqdm.auto import tqdm
            self.bar = tqdm(unit=" epochs", desc="training")
        except ImportError:
            pass
        return self._show

    def _show(self, epoch):
        if self.bar is not None:
            self.bar.update(1)
            self.bar.set_postfix(loss=f"{epoch.loss:.3f}", accuracy=f"{epoch.validation_accuracy:.3f}")
        elif epoch.epoch % 20 == 0:
            print(f"epoch {epoch.epoch}: loss {epoch.loss:.4f}, validation accuracy {epoch.validation_accuracy:.4f}")

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()


def _make(name, kind, about):
    """A class whose parameters are the options that this kind of model has, with their defaults."""
    options = {option: value for option, value in Config(model=kind).as_dict().items()
               if option not in _NOT_PARAMETERS}
    defaults = {**{_parameter(option): value for option, value in options.items()}, **COMMON}

    def __init__(self, **parameters):
        unknown = set(parameters) - set(defaults)
        if unknown:
            raise TypeError(f"{name} has no parameter {sorted(unknown)[0]!r}")
        for parameter, usual in defaults.items():
            setattr(self, parameter, parameters.get(parameter, usual))

    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    __init__.__signature__ = inspect.Signature(
        own + [inspect.Parameter(one, keyword, default=usual) for one, usual in defaults.items()])
    return type(name, (_Classifier,), {"__init__": __init__, "_kind": kind, "_options": options, "__doc__": about,
                                       "__module__": __name__})


def _about(kind, first):
    from .core import options
    lines = [first, "", "Parameters", "----------"]
    helps = {one["name"]: one["help"] for one in options()}
    lines += [f"{_parameter(option)} : {helps[option]}" for option in Config(model=kind).as_dict()
              if option not in _NOT_PARAMETERS]
    return "\n".join(lines + [f"{name} : {text}" for name, text in _COMMON_HELP.items()])


CredenceClassifier = _make("CredenceClassifier", "committee", _about("committee", "The default model: a committee of "
                           "small networks with calibrated probabilities and doubt."))
GPNClassifier = _make("GPNClassifier", "gpn", _about("gpn", "A graph posterior network, the paper's model."))
APPNPClassifier = _make("APPNPClassifier", "appnp", _about("appnp", "Features, then personalised PageRank."))
VGCNClassifier = _make("VGCNClassifier", "vgcn", _about("vgcn", "A graph convolutional network with an energy."))
GKDEGCNClassifier = _make("GKDEGCNClassifier", "gkde-gcn", _about("gkde-gcn", "A GCN taught by kernel densities."))
EGCNClassifier = _make("EGCNClassifier", "egcn", _about("egcn", "An evidential GCN."))
