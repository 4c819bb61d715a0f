# SPDX-License-Identifier: MIT
"""A classifier's doubt with the habits of PyOD's detectors."""
import numpy as np

try:
    from sklearn.base import BaseEstimator
except ImportError:
    from ._without_sklearn import BaseEstimator


class Detector(BaseEstimator):
    """Says which nodes look strange: 1, and 0 for the others. Scores grow with strangeness.

    Parameters
    ----------
    estimator : a classifier of this package; fit leaves it as it is, and fits one like it.
    contamination : the share of the nodes of fit that are called strange, above 0 and at most 0.5.

    Attributes
    ----------
    decision_scores_ : the scores of the nodes of fit.
    threshold_ : nodes with a larger score are strange.
    labels_ : 0 or 1 for each node of fit.
    """

    def __init__(self, estimator, contamination=0.1):
        self.estimator = estimator
        self.contamination = contamination

    def fit(self, X, y=None, graph=None):
        """Trains as the classifier does: it needs labels for some of the nodes."""
        return self._use(type(self.estimator)(**self.estimator.get_params()).fit(X, y, graph))

    def _use(self, fitted):
        if not 0.0 < self.contamination <= 0.5:
            raise ValueError(f"contamination is {self.contamination!r}, expected a number above 0 and at most 0.5")
        self.estimator_ = fitted
        self.decision_scores_ = -fitted.score_samples()
        self.threshold_ = float(np.quantile(self.decision_scores_, 1.0 - self.contamination))
        self.labels_ = (self.decision_scores_ > self.threshold_).astype(int)
        return self

    def decision_function(self, X=None, graph=None):
        """One score per row of X; without X, per node of fit."""
        return self.decision_scores_ if X is None else -self.estimator_.score_samples(X, graph)

    def predict(self, X=None, graph=None):
        """1: strange, 0: not."""
        return (self.decision_function(X, graph) > self.threshold_).astype(int)

    def fit_predict(self, X, y=None, graph=None):
        """Trains, and gives ``labels_``."""
        return self.fit(X, y, graph).labels_

    def predict_proba(self, X=None, graph=None):
        """Rows x (not strange, strange): where the score lies between the least and the largest of fit. These are no
        calibrated probabilities; ``predict_doubt`` of the classifier has a scale with a meaning."""
        least, largest = self.decision_scores_.min(), self.decision_scores_.max()
        strange = (self.decision_function(X, graph) - least) / (largest - least or 1.0)
        return np.stack([1.0 - strange.clip(0.0, 1.0), strange.clip(0.0, 1.0)], axis=1)
