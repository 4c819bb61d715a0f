# SPDX-License-Identifier: MIT
"""Node classification that knows when it does not know."""
from . import metrics
from ._library import CredenceError, Interrupted, __version__
from .core import Config, Dataset, Model, Prediction, Report, Serving, Split, generate, kinds, options

__all__ = ["Config", "CredenceError", "Dataset", "Interrupted", "Model", "Prediction", "Report", "Serving", "Split",
           "__version__", "generate", "kinds", "load", "metrics", "open", "options", "train"]


def open(path, **options):  # noqa: A001: it is what numpy and PIL call it, too
    """Opens a graph from a file or folder; see :meth:`Dataset.open`."""
    return Dataset.open(path, **options)


def load(source):
    """Loads a model from a file, or from the bytes of one."""
    return Model.load(source)


def train(dataset, split="auto", *, n_jobs=None, progress=None, **options):
    """Trains a model: ``train(dataset, "5/15/80", model="gpn", seed=3)``."""
    return Model.train(dataset, split, Config(**options), n_jobs=n_jobs, progress=progress)
