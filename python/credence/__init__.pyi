# SPDX-License-Identifier: MIT
import os
from collections.abc import Callable
from typing import Any

from .core import Config as Config
from .core import Dataset as Dataset
from .core import _Epoch
from .core import Model as Model
from .core import Prediction as Prediction
from .core import Serving as Serving
from .core import Split as Split
from .core import kinds as kinds
from .core import options as options

__version__: str

class CredenceError(Exception): ...
class Interrupted(UserWarning): ...

def open(path: str | os.PathLike[str], **options: Any) -> Dataset: ...
def load(source: str | os.PathLike[str] | bytes | bytearray | memoryview) -> Model: ...
def train(
    dataset: Dataset,
    split: str | Split | None = "auto",
    *,
    n_jobs: int | None = None,
    progress: Callable[[_Epoch], object] | None = None,
    **options: Any,
) -> Model: ...
