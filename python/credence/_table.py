# SPDX-License-Identifier: MIT
"""Tables of features as numbers. How a table was encoded is kept, so that later tables are encoded alike."""
import numpy as np

from . import _take

MOST_CATEGORIES = 1000


class Encoding:
    """Of each column of a table: numbers stay, True and False are 1 and 0, a category has one column per value that
    training had. Where a number is missing stands the mean, and a column of its own says so, if training had such
    rows. A value that training did not have gives zeros."""

    def __init__(self, columns):
        self.columns = columns  # dictionaries, so that the encoding can be kept as JSON

    @classmethod
    def of(cls, frame):
        return cls([_look_at(str(name), frame.iloc[:, i]) for i, name in enumerate(frame.columns)])

    def names(self):
        return [name for column in self.columns for name in _names(column)]

    def apply(self, frame):
        """The numbers of a table that has these columns, in any order and perhaps with others."""
        have = {str(name): i for i, name in enumerate(frame.columns)}
        missing = [column["name"] for column in self.columns if column["name"] not in have]
        if missing:
            raise ValueError(f"X: the column {missing[0]!r} is missing ({len(missing)} of {len(self.columns)} columns "
                             "that the model was trained with)")
        parts = [_encode(column, frame.iloc[:, have[column["name"]]]) for column in self.columns]
        return np.ascontiguousarray(np.concatenate(parts, axis=1), dtype=np.float32) if parts else \
            np.zeros((len(frame), 0), dtype=np.float32)


def _is_number(series):
    return series.dtype.kind in "iufb" or str(series.dtype) in ("boolean", "Float32", "Float64") or \
        str(series.dtype).startswith(("Int", "UInt"))


def _look_at(name, series):
    absent = series.isna().to_numpy()
    if series.dtype.kind in "mM":
        raise TypeError(f"X: the column {name!r} has dates, expected numbers or categories: make numbers of them first")
    if _is_number(series):
        values = series.to_numpy(dtype=float, na_value=np.nan)
        known = values[~absent]
        return {"name": name, "kind": "number", "missing": bool(absent.any()),
                "mean": float(known.mean()) if len(known) else 0.0}
    values = sorted({str(one) for one in series[~absent]})
    if len(values) > MOST_CATEGORIES:
        raise ValueError(f"X: the column {name!r} has {len(values)} different texts, expected at most "
                         f"{MOST_CATEGORIES}: leave it out, or make numbers of it")
    return {"name": name, "kind": "category", "values": values}


def _names(column):
    if column["kind"] == "category":
        return [f"{column['name']}={value}" for value in column["values"]]
    return [column["name"]] + ([f"{column['name']} is missing"] if column["missing"] else [])


def _encode(column, series):
    if column["kind"] == "category":
        values = series.astype(str).to_numpy()
        return (values[:, None] == np.array(column["values"], dtype=object)[None, :]).astype(np.float32)
    try:
        values = series.to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError):
        raise TypeError(f"X: the column {column['name']!r} had numbers in training, and has texts now") from None
    absent = np.isnan(values)
    parts = [np.where(absent, column["mean"], values)]
    if column["missing"]:
        parts.append(absent.astype(float))
    return np.stack(parts, axis=1)


def features(given, encoding=None):
    """Features as a float array or a sparse matrix in compressed rows, their names, and how a table was encoded."""
    if _take.is_frame(given):
        encoding = encoding or Encoding.of(given)
        return encoding.apply(given), encoding.names(), encoding
    if encoding is not None:
        raise TypeError("X: the model was trained with a table that has named columns, expected such a table")
    if _take.is_sparse(given):
        rows = _take.rows(given, "X")
        if rows.dtype.kind not in "iufb":
            raise TypeError(f"X: has the type {rows.dtype}, expected numbers")
        if rows.dtype not in (np.float32, np.float64):
            # Not rows.astype: it would sort the user's own matrix, and trust its indices while it does.
            rows = type(rows)((rows.data.astype(np.float32), rows.indices, rows.indptr), shape=rows.shape)
        return rows, None, None
    values = _take.array(given, "X")
    if values.dtype.kind == "c":
        raise ValueError("Complex data not supported: X has complex numbers, expected real ones")
    if values.dtype.kind not in "iufb":
        values = values.astype(np.float64)
    if values.ndim != 2:
        raise ValueError(f"X has {values.ndim} dimensions, expected a row per node and a column per feature. Reshape "
                         "your data with X.reshape(-1, 1) if it has one feature, X.reshape(1, -1) if it is one node")
    return values if values.dtype in (np.float32, np.float64) else values.astype(np.float32), None, None
