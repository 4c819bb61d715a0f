# SPDX-License-Identifier: MIT
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .core import Dataset, Model, Split

def roc(
    model: Model,
    dataset: Dataset,
    split: Split | None = None,
    task: str | None = None,
    kinds: Sequence[str] | None = None,
    ax: Any = None,
) -> Any: ...
def risk_coverage(
    model: Model, dataset: Dataset, split: Split | None = None, kinds: Sequence[str] | None = None, ax: Any = None
) -> Any: ...
def reliability(model: Model, dataset: Dataset, split: Split | None = None, ax: Any = None) -> Any: ...
def positions(
    model: Model, dataset: Dataset, seed: int = 1, n_jobs: int | None = None
) -> npt.NDArray[np.float32]: ...
def map(model: Model, dataset: Dataset, by: str = "class", seed: int = 1, ax: Any = None) -> Any: ...
