# SPDX-License-Identifier: MIT
"""Answers for rows that a model did not see in its graph, each as if it alone had been added to it."""
import threading

import numpy as np

from . import _knn, _take
from .core import Dataset


class Alone:
    """Joins each new row to the rows of the graph that are most like it. Threads may share it; pickled, it is small:
    what it computes of the graph is computed again."""

    def __init__(self, model, dataset, neighbours, numbers):
        self.model, self.dataset, self.neighbours, self.numbers = model, dataset, neighbours, numbers
        self._serving, self._lock = None, threading.Lock()

    def edges(self, numbers):
        row, near = self.neighbours.pairs(numbers)
        return np.stack([len(self.dataset) + row, near], axis=1)

    def predict(self, numbers, n_jobs):
        edges = self.edges(numbers)
        with self._lock:
            if self._serving is None:
                self._serving = self.model.serve(self.dataset, n_jobs)
            return self._serving._predict_new(numbers, edges, n_jobs)

    def together(self, numbers, n_jobs):
        """The answers for all nodes, those of the graph first, as if all rows had been added at once."""
        start, neighbour = self.dataset.adjacency
        source = np.repeat(np.arange(len(self.dataset)), np.diff(start))
        edges = np.concatenate([np.stack([source, neighbour], axis=1), self.edges(numbers)])
        both = np.concatenate([_knn.dense(one).astype(np.float32) for one in (self.numbers, numbers)])
        grown = _take.Graph(len(both), source=edges[:, 0].copy(), target=edges[:, 1].copy())
        return self.model.predict(Dataset.from_arrays(grown, both), n_jobs=n_jobs)

    def __reduce__(self):
        return Alone, (self.model, self.dataset, self.neighbours, self.numbers)
