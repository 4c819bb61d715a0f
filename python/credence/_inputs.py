# SPDX-License-Identifier: MIT
"""What estimators ask of their inputs."""
import numpy as np

from . import _take


def feature_names(X):
    """Of a table whose columns all have names."""
    if not _take.is_frame(X):
        return None
    names = list(X.columns)
    return np.array(names, dtype=object) if all(isinstance(one, str) for one in names) else None


def index_of(X):
    """The names of the rows of a table."""
    return list(X.index) if _take.is_frame(X) else None


def named(index):
    """An index that is just 0, 1, 2, ... names nothing."""
    return None if index is None or index == list(range(len(index))) else index


def check_numbers(numbers):
    for size, what in zip(numbers.shape, ("sample(s)", "feature(s)")):
        if size == 0:
            raise ValueError(f"X has 0 {what} (shape={numbers.shape}) while a minimum of 1 is required.")
    values = numbers.data if _take.is_sparse(numbers) else numbers
    if not np.isfinite(values).all():
        raise ValueError("X contains NaN or infinity, expected numbers (in a table, missing numbers are filled in)")


def same(a, b):
    if _take.is_sparse(a) != _take.is_sparse(b) or a.shape != b.shape:
        return False
    if _take.is_sparse(a):
        return all(np.array_equal(getattr(a, one), getattr(b, one)) for one in ("indptr", "indices", "data"))
    return a is b or np.array_equal(a, b)


def seed(random_state):
    if random_state is None:
        return 1
    if hasattr(random_state, "randint"):
        return int(random_state.randint(1, 2**31 - 1))
    return int(random_state)
