# SPDX-License-Identifier: MIT
"""A graph for a table that has none: each row is joined to the rows that are most like it."""
import numpy as np

from . import _take

BLOCK = 1024  # rows whose distances are computed at once
ROUNDING = 1e-10  # of a product, relative to the squares of its factors


class Neighbours:
    """Finds the nearest rows of a table, by Euclidean distance between standardised columns."""

    def __init__(self, X, count):
        X = dense(X)
        self.mean, self.scale = X.mean(axis=0), X.std(axis=0)
        self.scale[self.scale == 0] = 1.0
        self.points = self._standardised(X)
        self.square = np.einsum("ij,ij->i", self.points, self.points)
        self.largest = self.square.max(initial=0.0)
        self.count = max(1, min(count, len(X) - 1)) if len(X) > 1 else 0

    def _standardised(self, X):
        return (X - self.mean) / self.scale

    def pairs(self, X=None):
        """Of each row of X its nearest rows of the table, as two arrays; without X, of each row of the table the
        nearest others."""
        own = X is None
        points = self.points if own else self._standardised(dense(X))
        count = self.count if own else min(max(self.count, 1), len(self.points))
        found = np.empty((len(points), count), dtype=np.int64)
        for first in range(0, len(points), BLOCK):
            some = points[first:first + BLOCK]
            distance = self.square[None, :] - 2.0 * (some @ self.points.T)
            for i in range(len(some) if count else 0):
                found[first + i] = self._nearest(some[i], distance[i], count, first + i if own else None)
        return np.repeat(np.arange(len(points), dtype=np.int64), count), found.reshape(-1)

    def _nearest(self, point, rough, count, without):
        """Rough distances choose those that may be among the nearest; exact ones, and for the same distance the order
        of rows, choose among them. So the rows that a product was made with never matter."""
        if without is not None:
            rough[without] = np.inf
        if count < len(rough):
            limit = np.partition(rough, count - 1)[count - 1]
            near = np.flatnonzero(rough <= limit + ROUNDING * (self.largest + np.dot(point, point)))
        else:
            near = np.arange(len(rough))
        exact = np.square(self.points[near] - point).sum(axis=1)
        return near[np.argsort(exact, kind="stable")[:count]]


def dense(X):
    X = X.toarray() if _take.is_sparse(X) else X
    return np.asarray(X, dtype=np.float64)


def graph(neighbours):
    source, target = neighbours.pairs()
    return _take.Graph(len(neighbours.points), source=source, target=target)
