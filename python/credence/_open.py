# SPDX-License-Identifier: MIT
"""credence.open: a graph from whatever people have."""
import os
import pathlib

from . import _files, _table, _take
from .core import Dataset, Model, pointer_of


def open(source, features=None, labels=None, *, label_column=None, id_column=None, unlabelled=-1,  # noqa: A001
         like=None, n_jobs=None, **reading):
    """Opens a graph.

    Parameters
    ----------
    source : a path to any file or folder that the command reads, or to GraphML, GML, parquet (edges), MATLAB, or a
        folder as MUSAE's; or an object: a SciPy matrix, pairs of nodes, a square array, a table of edges, a NetworkX,
        igraph, DGL or PyG graph.
    features : a table (pandas) or matrix (NumPy, SciPy, torch) with a row per node, or a path to one. A table's texts,
        truth values and missing numbers become numbers, and the model remembers how. Without it, an object's own.
    labels : a class per node, or a path to them.
    label_column : the column of the table, or the attribute of nodes, that has the classes.
    id_column : the column of the table that names the nodes; without it, the table's index does.
    unlabelled : the label that means "no class", beside None and NaN.
    like : a model: tables are encoded as the one that it was trained with, and their columns put into its order.
    reading : how files are read that the command reads, as for :meth:`Dataset.open`.

    Returns
    -------
    Dataset

    >>> import credence, numpy as np
    >>> pairs = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
    >>> graph = credence.open(pairs, features=np.eye(5), labels=["a", "a", "b", "b", None])
    >>> graph, graph.class_names, graph.labels.tolist()
    (<credence.Dataset: 5 nodes, 5 features, 2 classes>, ['a', 'b'], [0, 0, 1, 1, -1])
    """
    if like is not None:
        pointer_of(like, Model, "like")
    if isinstance(source, (str, bytes, os.PathLike)):
        path = os.fsdecode(source)
        read = _files.reader(path) if "\0" not in path else None
        if read is None:
            made = _by_the_library(path, features, labels, label_column, id_column, n_jobs, reading)
            if like is not None:
                made._align(like)
            return made
        more = {"id_column": id_column} if read is _files.musae else {}
        source, own, classes = read(path, label_column, **more)
        label_column, id_column = (None, None) if own is not None or classes is not None else (label_column, id_column)
    else:
        own = classes = None
        if features is None and (_take._is_networkx(source) or _take._is_igraph(source)):
            own, classes = _files.of_attributes(source, label_column)
            label_column = None
    if reading:
        raise ValueError(f"{next(iter(reading))} is for files that the command reads, and this is none")
    features = _loaded(own if features is None else features)
    labels = _loaded(classes if labels is None else labels)
    return _assemble(source, features, labels, label_column, id_column, unlabelled, like, n_jobs)


def _by_the_library(path, features, labels, label_column, id_column, n_jobs, reading):
    for name, value in (("features", features), ("labels", labels)):
        if value is not None and not isinstance(value, (str, bytes, os.PathLike)):
            raise TypeError(f"{name} is a {type(value).__name__}, expected a path, because the graph is a file: read "
                            "the edges first, with pandas for example, and give both")
    return Dataset.open(path, features, labels, n_jobs, label_column=label_column, id_column=id_column, **reading)


def _loaded(given):
    return _files.table(pathlib.Path(os.fsdecode(given))) if isinstance(given, (str, bytes, os.PathLike)) else given


def _assemble(source, features, labels, label_column, id_column, unlabelled, like, n_jobs):
    names = None
    if _take.is_frame(features):
        if id_column is not None:
            if id_column not in features.columns:
                raise ValueError(f"features: there is no column {id_column!r} for the names of nodes")
            features = features.set_index(id_column)
        names = _names(features.index)
        if label_column is not None:
            features, found = _files.split_label(features, label_column, "features")
            labels = found if labels is None else labels
        id_column = label_column = None
    if _take.is_frame(labels):
        labels, id_column, label_column = _column(labels, id_column, label_column), None, None
    if id_column is not None or label_column is not None:
        which = "id_column" if id_column is not None else "label_column"
        raise ValueError(f"{which} is given, but features are no table with columns")
    encoding = None if like is None else like.encoding
    X, columns, encoding = (None, None, None) if features is None else _table.features(features, encoding)
    count = X.shape[0] if X is not None else len(names) if names is not None else None
    graph = source if isinstance(source, _take.Graph) else _take.graph(source, count, names)
    if X is None and graph.features is not None:
        X, columns, encoding = _table.features(graph.features, encoding)
    labels = graph.labels if labels is None else labels
    names = None if graph.names is None or _plain(graph.names) else graph.names
    numbers, classes = None, None
    if labels is not None:
        if names is not None and hasattr(labels, "reindex") and not _plain(labels.index):
            if labels.index.has_duplicates:
                raise ValueError(f"labels: the node {labels.index[labels.index.duplicated()][0]!r} has more than one")
            labels = labels.reindex(names)
        numbers, classes = _take.labels(labels, unlabelled)
        classes = [_text(one) for one in classes.tolist()]
    made = Dataset.from_arrays(graph, X, numbers, class_names=classes or None, feature_names=columns,
                               node_names=None if names is None else [_text(one) for one in names], n_jobs=n_jobs)
    made._encoding = encoding
    return made


def _column(table, id_column, label_column):
    """The classes in a table of nodes and classes, by the names of nodes."""
    columns = list(table.columns)
    if len(columns) == 1 and id_column is None:
        return table[columns[0] if label_column is None else label_column]
    node = columns[0] if id_column is None else id_column
    rest = [one for one in columns if one != node]
    label = rest[0] if label_column is None and len(rest) == 1 else label_column
    for name, value in (("id_column", node), ("label_column", label)):
        if value not in columns:
            raise ValueError(f"labels: {name} is {value!r}, expected one of {', '.join(map(str, columns))}")
    return table.set_index(node)[label]


def _text(value):
    """A name as text: 3.0 is "3"."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _plain(index):
    """Whether an index is just 0, 1, 2, ..., which names nothing."""
    return list(index) == list(range(len(index)))


def _names(index):
    if _plain(index):
        return None
    names = list(index)
    if len(set(names)) != len(names):
        twice = next(one for i, one in enumerate(names) if one in names[:i])
        raise ValueError(f"features: the node {twice!r} has more than one row")
    return names
