# SPDX-License-Identifier: MIT
"""Several models on the same splits, and whether luck explains their differences."""
import math
import statistics

import numpy as np

from . import metrics
from .core import Config, Dataset, Model, choice, kinds, pointer_of, whole_number

# The short names of ``credence compare``, and where an evaluation has the numbers.
_PLACES = {"id_acc": ("id_accuracy", "accuracy"), "auroc_alea": ("aleatoric.auroc",), "auroc_epi": ("epistemic.auroc",),
           "auroc_epi_wo": ("epistemic_features.auroc",), "aupr_alea": ("aleatoric.aupr", "aleatoric.aupr_error"),
           "aupr_epi": ("epistemic.aupr", "epistemic.aupr_error"), "aupr_epi_wo": ("epistemic_features.aupr",),
           "aupr_success_alea": ("aleatoric.aupr_success",), "aupr_success_epi": ("epistemic.aupr_success",)}
_SHOWN = {"ood": ("id_acc", "auroc_alea", "auroc_epi", "aupr_epi"),
          "misclassification": ("id_acc", "auroc_alea", "auroc_epi", "ece")}
_LOSSES = ("nll", "brier", "ece", "fpr95", "aurc")


def seeds_of(given, what, first):
    """A number of seeds, from `first` on, or the seeds themselves."""
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        return [first + i for i in range(whole_number(given, what, 1, 100000))]
    try:
        found = [whole_number(one, what, 0, 2**64 - 1) for one in given]
    except TypeError:
        raise TypeError(f"{what} is {given!r}, expected a number or a list of whole numbers") from None
    if not found or len(set(found)) != len(found):
        raise ValueError(f"{what} has {len(found)} numbers, {len(set(found))} of them different, expected different ones")
    return found


def split_of(dataset, spec, seed, own_splits):
    """The split of a seed, as the command makes it: seeds take turns with splits of the data's own."""
    return dataset.split(spec, seed % own_splits if own_splits > 1 else 0, seed)


def metric_of(evaluation, name):
    """A number of an evaluation by its short name or its place ("epistemic.fpr95"); NaN: there is none."""
    for table in (evaluation.get(evaluation["task"]) or {}, evaluation):
        for place in _PLACES.get(name, (name,)):
            value = table
            for word in place.split("."):
                value = value.get(word) if isinstance(value, dict) else None
            if isinstance(value, (int, float)):
                return float(value)
    return math.nan


class Comparison:
    """The runs of :func:`compare`: a dictionary each, with "model", "seed" and "evaluation"."""

    def __init__(self, task, runs):
        self.task, self.runs = task, runs
        self.models = list(dict.fromkeys(run["model"] for run in runs))

    def values(self, model, metric):
        """A metric of one model, seed by seed: a fraction, as everywhere in this package."""
        return np.array([metric_of(run["evaluation"], metric) for run in self.runs if run["model"] == model])

    def table(self, *wanted):
        """The mean and the standard deviation over the seeds, for every model: {model: {metric: (mean, deviation)}}."""
        found = {}
        for model in self.models:
            found[model] = {}
            for metric in wanted or _SHOWN[self.task]:
                values = [one for one in self.values(model, metric).tolist() if math.isfinite(one)]
                found[model][metric] = (statistics.fmean(values) if values else math.nan,
                                        statistics.stdev(values) if len(values) > 1 else math.nan)
        return found

    def differences(self, metric=None, a=None, seed=1):
        """A model (the one with the best mean) beside each of the others: dictionaries as from
        :func:`credence.metrics.paired`, with the intervals and tests of ``credence compare``, as fractions."""
        metric = metric or ("auroc_epi" if self.task == "ood" else "auroc_alea")
        means = {model: self.table(metric)[model][metric][0] for model in self.models}
        known = [model for model in self.models if not math.isnan(means[model])]
        if a is None:
            if not known:
                raise ValueError(f"metric is {metric!r}, which no run has")
            a = (min if metric.split(".")[-1] in _LOSSES else max)(known, key=means.get)
        choice({model: model for model in known}, a, "a")
        return [{"metric": metric, "a": a, "b": b, **metrics.paired(self.values(a, metric), self.values(b, metric), seed)}
                for b in known if b != a]

    def to_frame(self):
        """The table as a pandas frame."""
        import pandas
        return pandas.DataFrame({model: {(metric, what): value for metric, pair in row.items()
                                         for what, value in zip(("mean", "deviation"), pair)}
                                 for model, row in self.table().items()}).T

    def __repr__(self):
        rows = [[model] + [f"{100 * mean:.2f} +- {100 * spread:.2f}" for mean, spread in row.values()]
                for model, row in self.table().items()]
        rows.insert(0, ["percent", *_SHOWN[self.task]])
        widths = [max(map(len, column)) for column in zip(*rows)]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def compare(dataset, models=("committee", "gpn", "vgcn", "appnp"), split="auto", *, seeds=10, task=None, n_jobs=None,
            **options):
    """Trains and measures every model with every seed, on the same splits.

    It trains with :func:`credence.train` and measures with :meth:`Model.evaluate`, one run after the other; splits,
    metrics, intervals and tests are those of ``credence compare``, which also runs in parallel, keeps its runs on disk,
    knows models by the names of papers, and gives all of them the features that suit the graph.

    Parameters
    ----------
    models : kinds of model (see :func:`kinds`), or a dictionary of titles and options, such as
        ``{"GNNSafe": {"model": "vgcn", "score": "gnnsafe", "calibration": "none"}}``.
    seeds : how many (10: 1 to 10), or the seeds themselves.
    task : "ood" or "misclassification"; without it, "ood" if classes are left out.
    options : of every model that has them, such as ``left_out=3``.

    >>> import credence
    >>> found = compare(credence.generate(nodes=200), ["lp", "gkde"], "20/20/60", seeds=6)
    >>> sorted(found.table("id_acc")), found.differences("id_acc")[0]["pairs"]
    (['gkde', 'lp'], 6)
    """
    pointer_of(dataset, Dataset, "dataset")
    plans = dict(models) if isinstance(models, dict) else {one: {"model": one} for one in _list_of(models)}
    if not plans:
        raise ValueError("models is empty, expected at least one")
    configs = {title: _with(plan, options, title) for title, plan in plans.items()}
    if task is None:
        task = "ood" if options.get("left_out") else "misclassification"
    choice(_SHOWN, task, "task")
    own, runs = dataset.info()["splits"], []
    for seed in seeds_of(seeds, "seeds", 1):
        used = split_of(dataset, split, seed, own)
        for title, config in configs.items():
            model = Model.train(dataset, used, Config(**{**config, "seed": seed}), n_jobs=n_jobs, progress=False)
            runs.append({"model": title, "seed": seed,
                         "evaluation": model.evaluate(dataset, used, task, n_jobs)})
    return Comparison(task, runs)


def _list_of(models):
    if isinstance(models, str) or not hasattr(models, "__iter__"):
        raise TypeError(f"models is {models!r}, expected a list of kinds, or a dictionary of titles and options")
    return [choice({kind: kind for kind in kinds()}, one, "a model") for one in models]


def _with(plan, options, title):
    if not isinstance(plan, dict):
        raise TypeError(f"the model {title!r} is {plan!r}, expected a dictionary of options")
    has = Config(**plan).as_dict()
    shared = {name: value for name, value in options.items() if name.replace("_", "-") in has}
    unknown = [name for name in options if name not in shared and not _is_option(name)]
    if unknown:
        raise ValueError(f"there is no option {unknown[0]!r}")
    return {**plan, **shared}


def _is_option(name):
    from .core import options
    return any(one["name"] == name.replace("_", "-") for one in options())
