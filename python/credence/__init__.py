# SPDX-License-Identifier: MIT
"""Node classification that knows when it does not know.

>>> import credence
>>> graph = credence.generate(nodes=300, seed=1)        # or credence.open(...) for your own
>>> model = credence.train(graph, "20/20/60", seed=1, max_epochs=30)
>>> answers = model.predict(graph)
>>> answers.probability.shape                            # calibrated, nodes x classes
(300, 7)
>>> model.evaluate(graph)["accuracy"] > 0.7
True
"""
from . import metrics, plot
from ._compare import Comparison, compare
from ._library import CredenceError, Interrupted, __version__
from ._open import open  # noqa: A004: it is what numpy and PIL call it, too
from ._tune import Tuning, tune
from .core import Config, Dataset, Model, Prediction, Report, Serving, Split, generate, kinds, options

__all__ = ["Comparison", "Config", "CredenceError", "Dataset", "Interrupted", "Model", "Prediction", "Report", "Serving",
           "Split", "Tuning", "__version__", "compare", "generate", "kinds", "load", "metrics", "open", "options", "plot",
           "train", "tune"]


def load(source):
    """Loads a model from a file, or from the bytes of one."""
    return Model.load(source)


def train(dataset, split="auto", *, n_jobs=None, progress=None, init=None, checkpoint=None, **options):
    """Trains a model. `options` are those of ``credence train``, with underscores; :func:`options` lists them. The other
    arguments are those of :meth:`Model.train`.

    >>> import credence
    >>> credence.train(credence.generate(nodes=200), "20/20/60", model="gpn", max_epochs=5, seed=3)
    <credence.Model: gpn, 7 classes>
    """
    return Model.train(dataset, split, Config(**options), init, n_jobs, progress, checkpoint)
