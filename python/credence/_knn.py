# SPDX-License-Identifier: MIT
"""A graph for a table that has none: each row is joined to the rows that are most like it."""
import numpy as np

from . import _take

BLOCK = 1024  # rows whose distances are computed at once


class Neighbours:
    """Finds the nearest rows of a table, by Euclidean distance between standardised columns."""

    def __init__(self, X, count):
        X = _dense(X)
        self.mean, self.scale = X.mean(axis=0), X.std(axis=0)
        self.scale[self.scale == 0] = 1.0
        self.points = self._standardised(X)
        self.square = np.einsum("ij,ij->i", self.points, self.points)
        self.count = max(1, min(count, len(X) - 1)) if len(X) > 1 else 0

    def _standardised(self, X):
        return (X - self.mean) / self.scale

    def pairs(self, X=None):
        """Of each row of X its nearest rows of the table, as two arrays; without X, of each row of the table the
        nearest others."""
        own = X is None
        points = self.points if own else self._standardised(_dense(X))
        count = self.count if own else min(max(self.count, 1), len(self.points))
        found = np.empty((len(points), count), dtype=np.int64)
        for first in range(0, len(points), BLOCK):
            some = points[first:first + BLOCK]
            distance = self.square[None, :] - 2.0 * (some @ self.points.T)
            if own:
                rows = np.arange(len(some))
                distance[rows, first + rows] = np.inf
            if count < distance.shape[1]:
                found[first:first + len(some)] = np.argpartition(distance, count - 1, axis=1)[:, :count] \
                    if count else 0
            else:
                found[first:first + len(some)] = np.arange(count)
        return np.repeat(np.arange(len(points), dtype=np.int64), count), found.reshape(-1)


def _dense(X):
    X = X.toarray() if _take.is_sparse(X) else X
    return np.asarray(X, dtype=np.float64)


def graph(neighbours):
    source, target = neighbours.pairs()
    return _take.Graph(len(neighbours.points), source=source, target=target)
