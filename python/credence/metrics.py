# SPDX-License-Identifier: MIT
"""How good doubt is, for answers and scores of any model. The library itself computes them, so they are the numbers of
``credence evaluate``.

The truth comes first, as in scikit-learn. Scores and uncertainties grow with doubt. What does not apply is NaN.

>>> found = detection([False, False, True, True], [0.1, 0.4, 0.35, 0.8])
>>> found["auroc"], found["fpr95"]
(0.75, 0.5)
>>> round(aurc([True, False, False], [0.9, 0.2, 0.1]), 4)
0.1111
"""
import ctypes

import numpy as np

from . import _abi, _take
from ._library import call

_CURVES = {"roc": _abi.CURVE_ROC, "pr": _abi.CURVE_PR, "risk": _abi.CURVE_RISK}


def _flags(values, what):
    flags = _take.array(values, what)
    if flags.dtype.kind not in "biuf" or (flags.dtype != bool and not np.isin(flags, (0, 1)).all()):
        raise ValueError(f"{what}: expected True and False, or 1 and 0, for every node")
    return np.ascontiguousarray(flags.reshape(-1), dtype=np.bool_)


def _scores(values, what, count):
    scores = _take.array(values, what)
    if scores.dtype.kind not in "biuf":
        raise TypeError(f"{what}: has the type {scores.dtype}, expected numbers")
    scores = np.ascontiguousarray(scores.reshape(-1), dtype=np.float64)
    if len(scores) != count:
        raise ValueError(f"{what}: has {len(scores)} numbers, expected {count}, one for every flag")
    return scores


def _fields(structure):
    return {name: getattr(structure, name) for name, _ in structure._fields_}


def detection(positive, score):
    """How well a score finds the positives: "auroc", "aupr" (by trapezoids), "ap" and "fpr95"."""
    positive, found = _flags(positive, "positive"), _abi.Detection()
    score = _scores(score, "score", len(positive))
    call("crd_detection_metrics", score.ctypes.data, positive.ctypes.data, len(score), ctypes.byref(found))
    return _fields(found)


def failure(wrong, uncertainty):
    """How well an uncertainty finds the wrong answers: "auroc", "aupr_error", "aupr_success" and "aurc"."""
    wrong, found = _flags(wrong, "wrong"), _abi.Failure()
    uncertainty = _scores(uncertainty, "uncertainty", len(wrong))
    call("crd_failure_metrics", uncertainty.ctypes.data, wrong.ctypes.data, len(wrong), ctypes.byref(found))
    return _fields(found)


def auroc(positive, score):
    """The chance that a positive has a higher score than a negative; 0.5 is tossing a coin."""
    return detection(positive, score)["auroc"]


def aupr(positive, score):
    """The area under precision over recall, by trapezoids."""
    return detection(positive, score)["aupr"]


def average_precision(positive, score):
    """The mean precision over the positives, from the highest score down."""
    return detection(positive, score)["ap"]


def fpr95(positive, score):
    """The false-positive rate when 95 % of the positives are found."""
    return detection(positive, score)["fpr95"]


def aurc(wrong, uncertainty):
    """The area under the risk-coverage curve."""
    return failure(wrong, uncertainty)["aurc"]


def reliability(wrong, confidence):
    """How often answers of some confidence are right: "ece", and for each of 15 bins "low", "high", "count", and the
    means "confidence" and "accuracy", which are NaN in an empty bin."""
    wrong, bins, error = _flags(wrong, "wrong"), (_abi.ReliabilityBin * _abi.ECE_BINS)(), ctypes.c_double()
    confidence = _scores(confidence, "confidence", len(wrong))
    call("crd_reliability", confidence.ctypes.data, wrong.ctypes.data, len(wrong), ctypes.byref(bins),
         ctypes.byref(error))
    return {"ece": error.value, **{name: np.array([getattr(one, name) for one in bins])
                                   for name, _ in _abi.ReliabilityBin._fields_}}


def ece(wrong, confidence):
    """The expected calibration error, with 15 bins of equal width; `confidence` is the probability of the answer."""
    return reliability(wrong, confidence)["ece"]


def curve(kind, positive, score, most=1000):
    """Points of a curve as two arrays: "roc" (false-positive rate, true-positive rate), "pr" (recall, precision) or
    "risk" (coverage, error rate; positives are wrong answers). At most `most` points, chosen so that none is missed."""
    if not isinstance(kind, str) or kind not in _CURVES:
        raise ValueError(f"kind is {kind!r}, expected one of {', '.join(_CURVES)}")
    positive, found = _flags(positive, "positive"), ctypes.c_int64()
    score = _scores(score, "score", len(positive))
    points = np.empty((max(2, int(most)), 2), dtype=np.float64)
    call("crd_curve_points", _CURVES[kind], score.ctypes.data, positive.ctypes.data, len(score), points.ctypes.data,
         len(points), ctypes.byref(found))
    return points[:found.value, 0], points[:found.value, 1]


def paired(a, b, seed=1):
    """Two models measured on the same splits: is one better, or was it luck? The mean "difference" a - b with its 95 %
    interval ("low", "high"), "wilcoxon_p" and "sign_p", "wins", "ties" and "losses" of a.

    >>> found = paired([0.91, 0.93, 0.92, 0.95, 0.94, 0.93], [0.90, 0.90, 0.91, 0.91, 0.92, 0.92])
    >>> round(found["difference"], 3), found["wins"], found["wilcoxon_p"]
    (0.02, 6, 0.03125)
    """
    a = _take.array(a, "a").reshape(-1)
    a, found = _scores(a, "a", len(a)), _abi.Comparison()
    b = _scores(b, "b", len(a))
    call("crd_compare", a.ctypes.data, b.ctypes.data, len(a), seed, ctypes.byref(found))
    return _fields(found)
