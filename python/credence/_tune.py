# SPDX-License-Identifier: MIT
"""A search for better options that never looks at test labels."""
import itertools
import math

import numpy as np

from . import _abi, metrics
from ._compare import seeds_of, split_of
from ._library import CredenceError
from .core import Config, Dataset, Model, choice, pointer_of, real_number, shown, whole_number

FIRST_SEED = 101  # as the command: tables begin at 1
_CRITERIA = {"val-ce": "the lowest validation cross-entropy", "own-errors": "the best AUROC of finding own errors"}


class Tuning:
    """What :func:`tune` tried, the best first: `best` has the options that it chose, `tried` a dictionary for each
    setting: "options", "score", "accuracy", "trials" and "why" (why it has no score; None: it has one)."""

    def __init__(self, criterion, tried):
        self.criterion, self.tried, self.best = criterion, tried, tried[0]["options"]

    def to_frame(self):
        """A pandas frame with a row per setting."""
        import pandas
        return pandas.DataFrame([{**one["options"], "score": one["score"], "accuracy": one["accuracy"]}
                                 for one in self.tried])

    def __repr__(self):
        return f"<credence.Tuning: {len(self.tried)} settings by {self.criterion}, chosen: {self.best}>"


def tune(dataset, space, split="auto", *, criterion="val-ce", seeds=3, trials=None, seed=1, max_accuracy_loss=0.015,
         n_jobs=None, **options):
    """Chooses options on validation nodes.

    Every setting is trained in full with every seed, one training after the other. Splits, seeds and the criteria
    "val-ce" (the lowest validation cross-entropy) and "own-errors" (finds its own wrong answers best, by AUROC on
    validation nodes, without losing more than `max_accuracy_loss` of the best accuracy) are those of ``credence tune
    --eta 0``. The command can do more: it drops bad settings early, works in parallel, keeps its trials on disk, and has
    the criterion "left-out-class".

    Parameters
    ----------
    space : the values that options may take: ``{"hidden": [32, 64], "activation": ["relu", "gelu"]}``.
    seeds : how many (3: 101 to 103), or the seeds themselves, of splits and weights.
    trials : how many settings to draw at random, with `seed`; without it, all of them.
    options : the others, for every setting, such as ``left_out=3``.

    >>> import credence
    >>> graph = credence.generate(nodes=200)
    >>> found = tune(graph, {"hidden": [8, 32]}, "20/20/60", seeds=1, max_epochs=10)
    >>> model = credence.train(graph, "20/20/60", max_epochs=10, **found.best)
    >>> len(found.tried)
    2
    """
    pointer_of(dataset, Dataset, "dataset")
    choice(_CRITERIA, criterion, "criterion")
    most_loss = real_number(max_accuracy_loss, "max_accuracy_loss")
    settings = _settings(space, trials, seed)
    for setting in settings:  # a wrong value fails before the work
        Config(**{**options, **setting})
    own, tried = dataset.info()["splits"], [_Setting(setting) for setting in settings]
    for one_seed in seeds_of(seeds, "seeds", FIRST_SEED):
        used = split_of(dataset, split, one_seed, own)
        if used.count("validation") == 0:
            raise ValueError("no node validates with this split, and choosing needs some")
        for one in tried:
            config = Config(**{**options, **one.options, "seed": one_seed})
            one.add(dataset, used, config, criterion, n_jobs)
    return Tuning(criterion, [one.summary() for one in _ranked(tried, criterion, most_loss)])


def _settings(space, trials, seed):
    if not isinstance(space, dict) or not space:
        raise TypeError(f"space is {shown(space)}, expected a dictionary of options and lists of values")
    for name, values in space.items():
        if isinstance(values, str) or not hasattr(values, "__len__") or len(values) == 0:
            raise ValueError(f"space: {name} is {shown(values)}, expected a list of values")
    if math.prod(len(values) for values in space.values()) > 100000:
        raise ValueError("the space has more than 100000 settings: leave some values out")
    settings = [dict(zip(space, values)) for values in itertools.product(*space.values())]
    if trials is None:
        return settings
    trials = min(whole_number(trials, "trials", 1), len(settings))
    drawn = np.random.default_rng(whole_number(seed, "seed", 0)).choice(len(settings), trials, replace=False)
    return [settings[i] for i in sorted(drawn.tolist())]


class _Setting:
    def __init__(self, options):
        self.options, self.scores, self.accuracies, self.checked, self.why = options, [], [], 0, None

    def add(self, dataset, split, config, criterion, n_jobs):
        try:
            model = Model.train(dataset, split, config, n_jobs=n_jobs, progress=False)
        except CredenceError as problem:
            if isinstance(problem, ValueError):
                raise
            self.why = str(problem)  # numbers left their range
            return
        score, accuracy, checked = _loss(model) if criterion == "val-ce" else _own_errors(model, dataset, split, n_jobs)
        if not math.isfinite(score):
            self.why = self.why or "its score is not a number"
        self.scores.append(score)
        self.accuracies.append(accuracy)
        self.checked += checked

    score = property(lambda self: math.nan if self.why else sum(self.scores) / len(self.scores))
    accuracy = property(lambda self: math.nan if self.why else sum(self.accuracies) / len(self.accuracies))

    def summary(self):
        return {"options": self.options, "score": self.score, "accuracy": self.accuracy, "trials": len(self.scores),
                "why": self.why}


def _loss(model):
    facts = model.facts()
    number = lambda name: math.nan if facts.get(name) is None else facts[name]
    if facts["stop"] == "diverged":
        return math.nan, math.nan, 0
    return number("validation_cross_entropy"), number("validation_accuracy"), 0


def _own_errors(model, dataset, split, n_jobs):
    """On validation nodes of the model's classes; of a committee, which learns from them, on calibration nodes."""
    truth = model.truth(dataset)
    checked = (split.roles == _abi.ROLE_VALIDATION) & (truth >= 0)
    if "networks" in model.facts():
        checked &= model.split.roles == _abi.ROLE_CALIBRATION
    answers = model.predict(dataset, n_jobs=n_jobs)
    wrong = (answers.classes != truth)[checked]
    if len(wrong) == 0:
        return math.nan, math.nan, 0
    return metrics.auroc(wrong, answers.uncertainty("aleatoric")[checked]), 1.0 - wrong.mean(), len(wrong)


def _ranked(tried, criterion, most_loss):
    """The best first; those that lose too much accuracy after the others, those without a score last."""
    scored = [one for one in tried if not one.why]
    if not scored:
        raise CredenceError(f"every setting failed; the first one because: {tried[0].why}")
    if criterion == "val-ce":
        return sorted(scored, key=lambda one: one.score) + [one for one in tried if one.why]
    best = max(one.accuracy for one in scored)

    def chance(one):  # the best of many accuracies is high partly by luck: a difference within chance is no loss
        return math.sqrt(one.accuracy * (1.0 - one.accuracy) / one.checked) if one.checked else 0.0

    lost = {id(one) for one in scored if one.accuracy + chance(one) < best - most_loss - 1e-12}
    return (sorted((one for one in scored if id(one) not in lost), key=lambda one: -one.score)
            + sorted((one for one in scored if id(one) in lost), key=lambda one: -one.accuracy)
            + [one for one in tried if one.why])
