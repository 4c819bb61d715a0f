# SPDX-License-Identifier: MIT
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import metrics as metrics
from . import plot as plot
from .core import Config as Config
from .core import Dataset as Dataset
from .core import Model as Model
from .core import Prediction as Prediction
from .core import Report as Report
from .core import Serving as Serving
from .core import Split as Split
from .core import _Graph, _Path, _Progress, _Table
from .core import generate as generate
from .core import kinds as kinds
from .core import options as options

__all__ = [
    "Comparison", "Config", "CredenceError", "Dataset", "Interrupted", "Model", "Prediction", "Report", "Serving",
    "Split", "Tuning", "__version__", "compare", "generate", "kinds", "load", "metrics", "open", "options", "plot",
    "train", "tune",
]

__version__: str

class CredenceError(Exception): ...
class Interrupted(UserWarning): ...

class Comparison:
    task: str
    runs: list[dict[str, Any]]
    models: list[str]
    def __init__(self, task: str, runs: list[dict[str, Any]]) -> None: ...
    def values(self, model: str, metric: str) -> npt.NDArray[np.float64]: ...
    def table(self, *wanted: str) -> dict[str, dict[str, tuple[float, float]]]: ...
    def differences(self, metric: str | None = None, a: str | None = None, seed: int = 1) -> list[dict[str, Any]]: ...
    def to_frame(self) -> Any: ...

class Tuning:
    criterion: str
    tried: list[dict[str, Any]]
    best: dict[str, Any]
    def __init__(self, criterion: str, tried: list[dict[str, Any]]) -> None: ...
    def to_frame(self) -> Any: ...

def open(
    source: _Graph,
    features: _Table | None = None,
    labels: Any = None,
    *,
    label_column: str | None = None,
    id_column: str | None = None,
    unlabelled: Any = -1,
    like: Model | None = None,
    n_jobs: int | None = None,
    **reading: Any,
) -> Dataset: ...
def load(source: _Path | bytes | bytearray | memoryview) -> Model: ...
def train(
    dataset: Dataset,
    split: str | Split | None = "auto",
    *,
    n_jobs: int | None = None,
    progress: _Progress = None,
    init: Model | None = None,
    checkpoint: _Path | None = None,
    **options: Any,
) -> Model: ...
def compare(
    dataset: Dataset,
    models: Sequence[str] | Mapping[str, Mapping[str, Any]] = ("committee", "gpn", "vgcn", "appnp"),
    split: str | None = "auto",
    *,
    seeds: int | Sequence[int] = 10,
    task: str | None = None,
    n_jobs: int | None = None,
    **options: Any,
) -> Comparison: ...
def tune(
    dataset: Dataset,
    space: Mapping[str, Sequence[Any]],
    split: str | None = "auto",
    *,
    criterion: str = "val-ce",
    seeds: int | Sequence[int] = 3,
    trials: int | None = None,
    seed: int = 1,
    max_accuracy_loss: float = 0.015,
    n_jobs: int | None = None,
    **options: Any,
) -> Tuning: ...

