# SPDX-License-Identifier: MIT
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .core import Model, _Graph, _Table

_Self = TypeVar("_Self", bound="_Classifier")
_SelfDetector = TypeVar("_SelfDetector", bound="Detector")

class _Classifier:
    model_: Model
    classes_: npt.NDArray[Any]
    n_features_in_: int
    feature_names_in_: npt.NDArray[Any]
    n_iter_: int | None
    index_: list[Any] | None

    def fit(
        self: _Self, X: _Table, y: Any = None, graph: _Graph | None = None, unlabelled: Any = None
    ) -> _Self: ...
    def predict(self, X: _Table | None = None, graph: _Graph | None = None) -> npt.NDArray[Any]: ...
    def predict_proba(self, X: _Table | None = None, graph: _Graph | None = None) -> npt.NDArray[np.float32]: ...
    def predict_log_proba(self, X: _Table | None = None, graph: _Graph | None = None) -> npt.NDArray[np.float32]: ...
    def predict_uncertainty(
        self, X: _Table | None = None, graph: _Graph | None = None, kind: str = "epistemic"
    ) -> npt.NDArray[np.float64]: ...
    def predict_doubt(self, X: _Table | None = None, graph: _Graph | None = None) -> npt.NDArray[np.float64]: ...
    def score_samples(self, X: _Table | None = None, graph: _Graph | None = None) -> npt.NDArray[np.float64]: ...
    def predict_set(
        self, X: _Table | None = None, graph: _Graph | None = None, coverage: float = 0.9, method: str = "daps"
    ) -> npt.NDArray[np.bool_]: ...
    def flag(
        self, X: _Table | None = None, graph: _Graph | None = None, false_alarms: float = 0.05
    ) -> npt.NDArray[np.bool_]: ...
    def table(
        self, X: _Table | None = None, graph: _Graph | None = None, false_alarms: float | None = None
    ) -> Any: ...
    def explain(self, node: Any, most: int = 10) -> dict[str, Any]: ...
    def as_detector(self, contamination: float = 0.1) -> Detector: ...
    # Of scikit-learn's classifiers.
    def score(self, X: _Table, y: Any, sample_weight: npt.ArrayLike | None = None) -> float: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self: _Self, **params: Any) -> _Self: ...

class Detector:
    estimator: _Classifier
    contamination: float
    estimator_: _Classifier
    decision_scores_: npt.NDArray[np.float64]
    threshold_: float
    labels_: npt.NDArray[np.int64]

    def __init__(self, estimator: _Classifier, contamination: float = 0.1) -> None: ...
    def fit(self: _SelfDetector, X: _Table, y: Any = None, graph: _Graph | None = None) -> _SelfDetector: ...
    def decision_function(self, X: _Table | None = None, graph: _Graph | None = None) -> npt.NDArray[np.float64]: ...
    def predict(self, X: _Table | None = None, graph: _Graph | None = None) -> npt.NDArray[np.int64]: ...
    def fit_predict(self, X: _Table, y: Any = None, graph: _Graph | None = None) -> npt.NDArray[np.int64]: ...
    def predict_proba(self, X: _Table | None = None, graph: _Graph | None = None) -> npt.NDArray[np.float64]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self: _SelfDetector, **params: Any) -> _SelfDetector: ...

COMMON: dict[str, Any]

# ---- written by scripts/python_stubs.py from the library's options ----

class CredenceClassifier(_Classifier):
    def __init__(
        self,
        *,
        features: str = "auto",
        left_out: int = 0,
        inductive: bool = False,
        class_weights: str = "none",
        hidden: int = 64,
        teleport: float = 0.1,
        steps: int = 10,
        dropout: float = 0.5,
        activation: str = "relu",
        lr: float = 0.01,
        weight_decay: float = 0.001,
        calibration: str = "temperature",
        hold_out: float = 0.3,
        patience: int = 20,
        networks: int = 2,
        max_epochs: int = 150,
        graph: Any = "knn",
        n_neighbors: int = 10,
        unlabelled: Any = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None: ...

class GPNClassifier(_Classifier):
    def __init__(
        self,
        *,
        features: str = "auto",
        left_out: int = 0,
        inductive: bool = False,
        class_weights: str = "none",
        doubt_score: str = "own",
        hidden: int = 64,
        latent: int = 10,
        flow_layers: int = 10,
        teleport: float = 0.25,
        steps: int = 10,
        class_scale: bool = False,
        dropout: float = 0.5,
        activation: str = "relu",
        reg: str = "evidence",
        reg_strength: float = 0.002,
        reg_weight: float = 0,
        entropy_weight: float = 0.0001,
        share_weight: float = 0.3,
        lr: float = 0.01,
        weight_decay: float = 0.01,
        warmup: int = 5,
        calibration: str = "temperature",
        hold_out: float = 0,
        patience: int = 50,
        max_epochs: int = -1,
        graph: Any = "knn",
        n_neighbors: int = 10,
        unlabelled: Any = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None: ...

class APPNPClassifier(_Classifier):
    def __init__(
        self,
        *,
        features: str = "auto",
        left_out: int = 0,
        inductive: bool = False,
        class_weights: str = "none",
        doubt_score: str = "own",
        hidden: int = 64,
        teleport: float = 0.1,
        steps: int = 10,
        dropout: float = 0.5,
        activation: str = "relu",
        lr: float = 0.01,
        weight_decay: float = 0.0001,
        calibration: str = "temperature",
        hold_out: float = 0,
        patience: int = 50,
        max_epochs: int = -1,
        graph: Any = "knn",
        n_neighbors: int = 10,
        unlabelled: Any = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None: ...

class VGCNClassifier(_Classifier):
    def __init__(
        self,
        *,
        features: str = "auto",
        left_out: int = 0,
        inductive: bool = False,
        class_weights: str = "none",
        doubt_score: str = "own",
        hidden: int = 64,
        dropout: float = 0.8,
        activation: str = "relu",
        lr: float = 0.01,
        weight_decay: float = 0.0001,
        calibration: str = "temperature",
        hold_out: float = 0,
        patience: int = 50,
        max_epochs: int = -1,
        graph: Any = "knn",
        n_neighbors: int = 10,
        unlabelled: Any = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None: ...

class GKDEGCNClassifier(_Classifier):
    def __init__(
        self,
        *,
        features: str = "auto",
        left_out: int = 0,
        inductive: bool = False,
        class_weights: str = "none",
        doubt_score: str = "own",
        hidden: int = 16,
        dropout: float = 0.5,
        activation: str = "relu",
        lr: float = 0.01,
        weight_decay: float = 0.0005,
        calibration: str = "temperature",
        hold_out: float = 0,
        patience: int = 50,
        max_epochs: int = -1,
        graph: Any = "knn",
        n_neighbors: int = 10,
        unlabelled: Any = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None: ...

class EGCNClassifier(_Classifier):
    def __init__(
        self,
        *,
        features: str = "auto",
        left_out: int = 0,
        inductive: bool = False,
        class_weights: str = "none",
        doubt_score: str = "vacuity",
        hidden: int = 64,
        dropout: float = 0.5,
        activation: str = "relu",
        entropy_weight: float = 1,
        lr: float = 0.01,
        weight_decay: float = 0.005,
        calibration: str = "temperature",
        hold_out: float = 0,
        patience: int = 50,
        max_epochs: int = -1,
        graph: Any = "knn",
        n_neighbors: int = 10,
        unlabelled: Any = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None: ...
