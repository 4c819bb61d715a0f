# SPDX-License-Identifier: MIT
"""Plots with matplotlib, one line each: they draw on `ax`, or on a new figure, and return the axes.

>>> import credence, matplotlib
>>> matplotlib.use("Agg")
>>> graph = credence.generate(nodes=300)
>>> model = credence.train(graph, "20/20/60", left_out=2, max_epochs=30)
>>> credence.plot.roc(model, graph).get_title()
'Finding nodes of unknown classes'
"""
import ctypes

import numpy as np

from . import _abi, metrics
from ._library import function, long_call
from .core import Dataset, Model, Split, choice, pointer_of

_TITLES = {"ood": "Finding nodes of unknown classes", "misclassification": "Finding wrong answers"}
_KINDS = {"ood": ("epistemic", "aleatoric"), "misclassification": ("aleatoric", "epistemic_class")}


class _Nodes:
    """The test nodes of a task, as :meth:`Model.evaluate` takes them, and which of them are to be found."""

    def __init__(self, model, dataset, split, task):
        pointer_of(model, Model, "model"), pointer_of(dataset, Dataset, "dataset")
        split = model.split if split is None else split
        roles = None if split is None else (pointer_of(split, Split, "split"), split.roles)[1]
        if roles is None or len(roles) != len(dataset):
            raise ValueError("these data are not those of the training, expected a split that has their test nodes")
        truth, tests = model.truth(dataset), roles == _abi.ROLE_TEST
        if task is None:
            task = "ood" if np.any(tests & (truth == -2)) else "misclassification"
        choice(_TITLES, task, "task")
        self.task, self.answers = task, model.predict(dataset)
        self.rows = np.flatnonzero(tests & ((truth != -1) if task == "ood" else (truth >= 0)))
        wrong = self.answers.classes != truth
        self.positive = ((truth == -2) if task == "ood" else wrong)[self.rows]

    def score(self, kind):
        values = self.answers.uncertainty(kind)
        return None if values is None else values[self.rows]

    def confidence(self):
        return self.answers.probability[self.rows, self.answers.classes[self.rows]]


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot
    return matplotlib.pyplot.subplots()[1]


def _lines(ax, nodes, kinds, draw):
    kinds = kinds if kinds is not None else _KINDS[nodes.task]
    for kind in (kinds,) if isinstance(kinds, str) else kinds:
        score = nodes.score(kind)
        if score is not None:
            x, y, label = draw(score)
            ax.plot(x, y, label=f"{kind}: {label}")
    ax.set_title(_TITLES[nodes.task])
    ax.legend()


def roc(model, dataset, split=None, task=None, kinds=None, ax=None):
    """How many of the nodes to find are found, for how many false alarms. `task` is "ood" or "misclassification"; without
    it, "ood" if test nodes have classes that the model does not know. `kinds` are kinds of uncertainty."""
    nodes, ax = _Nodes(model, dataset, split, task), _axes(ax)
    _lines(ax, nodes, kinds, lambda score: (*metrics.curve("roc", nodes.positive, score),
                                            f"AUROC {metrics.auroc(nodes.positive, score):.3f}"))
    ax.plot([0, 1], [0, 1], color="0.7", linestyle=":", zorder=0)
    ax.set(xlabel="false-positive rate", ylabel="true-positive rate")
    return ax


def risk_coverage(model, dataset, split=None, kinds=None, ax=None):
    """How many answers are wrong, if only the least uncertain ones are given."""
    nodes, ax = _Nodes(model, dataset, split, "misclassification"), _axes(ax)
    _lines(ax, nodes, kinds, lambda score: (*metrics.curve("risk", nodes.positive, score),
                                            f"AURC {metrics.aurc(nodes.positive, score):.4f}"))
    ax.set(xlabel="coverage: share of nodes with an answer", ylabel="share of wrong answers", title="Risk and coverage")
    return ax


def reliability(model, dataset, split=None, ax=None):
    """How often answers of some probability are right; on the diagonal, probabilities say what they mean."""
    nodes, ax = _Nodes(model, dataset, split, "misclassification"), _axes(ax)
    found = metrics.reliability(nodes.positive, nodes.confidence())
    full = found["count"] > 0
    ax.bar(found["low"][full], found["accuracy"][full], width=(found["high"] - found["low"])[full], align="edge",
           edgecolor="white", label="right answers")
    ax.plot(found["confidence"][full], found["accuracy"][full], "o", color="black", markersize=3)
    ax.plot([0, 1], [0, 1], color="0.7", linestyle=":")
    ax.set(xlabel="probability of the answer", ylabel="share of right answers", xlim=(0, 1), ylim=(0, 1),
           title=f"Reliability (ECE {found['ece']:.4f})")
    return ax


def positions(model, dataset, seed=1, n_jobs=None):
    """A place in the plane for every node, so that those which the model sees near each other are near each other
    (t-SNE): the map of ``credence map``."""
    answers = model.predict(dataset, n_jobs=n_jobs)
    points = answers.latent if answers.latent is not None else answers.probability
    options, map_ = _abi.TsneOptions(), np.empty((len(points), 2), dtype=np.float32)
    function("crd_tsne_defaults_sized")(ctypes.byref(options), ctypes.sizeof(options))
    options.seed = seed

    def arguments(control):
        options.control = ctypes.addressof(control._obj)
        return (points.ctypes.data, points.shape[0], points.shape[1], ctypes.byref(options), map_.ctypes.data, None)

    long_call("crd_tsne", arguments, n_jobs)
    return map_


def map(model, dataset, by="class", seed=1, ax=None):  # noqa: A001: it is what the command calls it
    """The nodes as the model sees them. `by` is "class" (true classes; those that the model does not know are black,
    nodes without one grey) or a kind of uncertainty, or "doubt"."""
    truth, places = model.truth(dataset), positions(model, dataset, seed)
    ax = _axes(ax)
    if by == "class":
        for k, name in enumerate(model.class_names):
            ax.scatter(*places[truth == k].T, s=4, label=name)
        for number, name, colour in ((-1, "no class", "0.8"), (-2, "unknown to the model", "black")):
            if np.any(truth == number):
                ax.scatter(*places[truth == number].T, s=4, color=colour, label=name, zorder=0 if number == -1 else 3)
        ax.legend(markerscale=3, fontsize="small")
    else:
        answers = model.predict(dataset)
        values = answers.doubt if by == "doubt" else answers.uncertainty(by)
        if values is None:
            raise ValueError(f"by is {by!r}, which this model does not have")
        shown = ax.scatter(*places.T, c=values, s=4, cmap="viridis")
        ax.figure.colorbar(shown, ax=ax, label=by)
    ax.set(xticks=[], yticks=[], title="Nodes as the model sees them")
    return ax
