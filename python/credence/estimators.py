# SPDX-License-Identifier: MIT
"""Classifiers with scikit-learn's conventions, one for each kind of model. scikit-learn itself is not needed."""
import inspect

import numpy as np

from . import _alone, _inputs, _knn, _table, _take
from ._detector import Detector
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
    "unlabelled": 'the label that means "no class": a value; None for none; "auto": -1 if there is a graph; or a mask, '
                  "True at the nodes without one. NaN and None always mean that",
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

    def fit(self, X, y=None, graph=None, unlabelled=None):
        """Trains on the labelled rows of X; the others, if any, are seen without a label.

        Parameters
        ----------
        X : table or matrix with a row per node, dense or sparse; or a graph object that has features and labels.
        y : a label per node; unlabelled nodes have NaN or None, or what `unlabelled` says.
        graph : a SciPy matrix, a NetworkX or igraph graph, an edge list as array or table, ... or "knn".
        unlabelled : as the parameter of that name, and instead of it: the label that means "no class", or a mask.
        """
        graph = self.graph if graph is None else graph
        whole = _take.graph(X) if hasattr(X, "edge_index") or hasattr(X, "ndata") else None
        if whole is not None:
            X, y, graph = whole.features, whole.labels if y is None else y, whole
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        is_knn = isinstance(graph, str)
        if is_knn and graph != "knn":
            raise ValueError(f'graph is {graph!r}, expected a graph or "knn"')
        numbers, encoded, encoding = _table.features(X)
        _inputs.check_numbers(numbers)
        labels, self.classes_ = self._labels(y, numbers.shape[0], unlabelled, is_knn)
        neighbours = _knn.Neighbours(numbers, self.n_neighbors) if is_knn else None
        self.index_ = _inputs.index_of(X)
        taken = _knn.graph(neighbours) if is_knn else graph if isinstance(graph, _take.Graph) else \
            _take.graph(graph, numbers.shape[0], _inputs.named(self.index_))
        self._dataset = Dataset.from_arrays(taken, numbers, labels, class_names=[str(one) for one in self.classes_],
                                            feature_names=encoded, n_jobs=self.n_jobs)
        self._dataset._encoding = encoding
        self._train(labels, taken.roles)
        self._X, self._encoding = numbers, encoding
        self._alone = _alone.Alone(self.model_, self._dataset, neighbours, numbers) if is_knn else None
        self.index_ = taken.names if self.index_ is None else self.index_
        self._describe(X, numbers if encoding is None else encoding.columns)
        return self

    def _labels(self, y, rows, unlabelled, is_knn):
        unlabelled = self.unlabelled if unlabelled is None else unlabelled
        if isinstance(unlabelled, str) and unlabelled == "auto":
            unlabelled = None if is_knn else -1
        labels, classes = _take.labels(y, unlabelled, DataConversionWarning)
        if len(labels) != rows:
            raise ValueError(f"X has {rows} rows, but y has {len(labels)} labels")
        if len(classes) == 0:
            raise ValueError("y has no label, expected one for some of the nodes")
        if rows == 1:
            raise ValueError("X has 1 sample, expected at least two nodes and an edge between them")
        return labels, classes

    def _train(self, labels, roles):
        seed = _inputs.seed(self.random_state)
        if roles is not None:
            split = Split.from_roles(np.where(labels >= 0, roles, 0))
        else:
            split = self._dataset.split("75/25/0" if (labels >= 0).all() else "auto", seed=seed)
        changed = {option: getattr(self, _parameter(option)) for option, usual in self._options.items()
                   if getattr(self, _parameter(option)) != usual}
        init = getattr(self, "model_", None) if self.warm_start else None
        self.model_ = Model.train(self._dataset, split, Config(model=self._kind, seed=seed, **changed), init,
                                  self.n_jobs, bool(self.verbose))
        self.n_iter_ = self.model_.facts().get("epochs")

    def _describe(self, X, columns):
        self.n_features_in_ = columns.shape[1] if hasattr(columns, "shape") else len(columns)
        names = _inputs.feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    # ---- answers ----

    def _prediction(self, X, graph, together=False):
        """A prediction and the names of its nodes. New rows are answered each as if it alone had been added,
        unless they are wanted together with all nodes of fit."""
        if not hasattr(self, "model_"):
            raise NotFittedError(f"This {type(self).__name__} is not fitted: call fit first")
        if X is None and graph is None:
            return self.model_.predict(self._dataset, n_jobs=self.n_jobs), self.index_
        numbers, _, _ = _table.features(X, self._encoding)
        _inputs.check_numbers(numbers)
        if numbers.shape[1] != self.n_features_in_ and self._encoding is None:
            raise ValueError(f"X has {numbers.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        index = _inputs.index_of(X)
        if graph is not None:
            taken = _take.graph(graph, numbers.shape[0], _inputs.named(index))
            index = taken.names if index is None else index
            return self.model_.predict(Dataset.from_arrays(taken, numbers), n_jobs=self.n_jobs), index
        if self._alone is not None:
            ask = self._alone.together if together else self._alone.predict
            return ask(numbers, self.n_jobs), index
        if _inputs.same(numbers, self._X):
            return self.model_.predict(self._dataset, n_jobs=self.n_jobs), self.index_
        raise ValueError("X has other nodes than those of fit, expected their graph too: predict(X, graph=...)")

    def predict(self, X=None, graph=None):
        """The class of each row of X; without X, of each node of fit."""
        numbers = self._prediction(X, graph)[0].classes
        return self.classes_[numbers]

    def predict_proba(self, X=None, graph=None):
        """Calibrated probabilities: rows x classes, in the order of ``classes_``."""
        return self._prediction(X, graph)[0].probability

    def predict_log_proba(self, X=None, graph=None):
        """The logarithms of :meth:`predict_proba`."""
        return np.log(self.predict_proba(X, graph))

    def predict_uncertainty(self, X=None, graph=None, kind="epistemic"):
        """Grows with doubt: "epistemic" (unlike anything seen in training) or "aleatoric" (ambiguous)."""
        values = self._prediction(X, graph)[0].uncertainty(kind)
        if values is None:
            raise ValueError(f"{type(self).__name__} has no {kind} uncertainty, expected kind='aleatoric'")
        return values

    def predict_doubt(self, X=None, graph=None):
        """Between 0 and 1, on every graph alike: the share of known-class nodes that look less strange."""
        values = self._prediction(X, graph)[0].doubt
        if values is None:
            raise ValueError("the model has no calibration nodes, so its doubt has no scale: expected hold_out above "
                             "0, and more labels")
        return values

    def score_samples(self, X=None, graph=None):
        """Grows with normality, as scikit-learn's novelty detectors have it: minus the epistemic uncertainty, or minus
        the aleatoric one of a model that has no other."""
        prediction = self._prediction(X, graph)[0]
        values = prediction.uncertainty("epistemic")
        return -(prediction.uncertainty("aleatoric") if values is None else values)

    def predict_set(self, X=None, graph=None, coverage=0.9, method="daps"):
        """Rows x classes: True where the class is in the set, which holds the right one with this probability. Sets
        look at the sets of neighbours, so all rows are taken together."""
        sets = self._prediction(X, graph, together=True)[0].sets(coverage, method)
        return sets if X is None else sets[len(sets) - _rows(X):]

    def flag(self, X=None, graph=None, false_alarms=0.05):
        """True where a row looks like no known class: of rows of known classes, at most this fraction."""
        return self._prediction(X, graph)[0].flag_unknown(false_alarms)

    def table(self, X=None, graph=None, false_alarms=None):
        """All answers as a pandas frame, by the names of the nodes: class, its probability, uncertainties, doubt; with
        `false_alarms`, also what ``flag`` says."""
        import pandas
        prediction, index = self._prediction(X, graph)
        columns = {"class": self.classes_[prediction.classes], "probability": prediction.probability.max(axis=1),
                   "aleatoric": prediction.uncertainty("aleatoric"), "epistemic": prediction.uncertainty("epistemic"),
                   "doubt": prediction.doubt}
        if false_alarms is not None:
            columns["unknown"] = prediction.flag_unknown(false_alarms)
        return pandas.DataFrame({name: one for name, one in columns.items() if one is not None}, index=index)

    def explain(self, node, most=10):
        """Which nodes the answer for a node of fit comes from. A node is a name if nodes have names, else a number."""
        if not hasattr(self, "model_"):
            raise NotFittedError(f"This {type(self).__name__} is not fitted: call fit first")
        if self.index_ is not None:
            if node not in self.index_:
                raise ValueError(f"there is no node {node!r} in the graph of fit")
            node = self.index_.index(node)
        return self.model_.explain(self._dataset, node, most, self.n_jobs)

    def as_detector(self, contamination=0.1):
        """This classifier's doubt with the habits of PyOD's detectors; see :class:`Detector`. One that is fitted gives
        a detector that is fitted."""
        detector = Detector(self, contamination)
        return detector._use(self) if hasattr(self, "model_") else detector

    # ---- what other tools look at ----

    def _more_tags(self):
        return {"poor_score": False}


def _rows(X):
    return X.shape[0] if hasattr(X, "shape") else len(X)


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
