# SPDX-License-Identifier: MIT
"""What people have, as arrays: graphs, features and labels of other libraries, which are never imported here.

An object is known by its attributes, so nothing needs to be installed but what made it."""
import warnings

import numpy as np


class Graph:
    """Edges as compressed rows or as pairs, and what came with them."""

    def __init__(self, nodes=None, start=None, neighbour=None, source=None, target=None, weight=None, names=None,
                 features=None, labels=None, roles=None):
        self.nodes, self.start, self.neighbour = nodes, start, neighbour
        self.source, self.target, self.weight = source, target, weight
        self.names, self.features, self.labels, self.roles = names, features, labels, roles


class Rows:
    """Compressed rows, as SciPy has them, where SciPy is not needed."""

    def __init__(self, indptr, indices, data, shape):
        self.indptr, self.indices, self.data, self.shape = indptr, indices, data, shape
        self.nnz, self.dtype = len(indices), data.dtype

    def tocsr(self):
        return self


def array(values, what):
    """Anything with the numbers of an array: NumPy, torch, lists."""
    if hasattr(values, "detach"):  # a torch tensor, perhaps one that records gradients or is elsewhere
        values = values.detach().cpu()
    try:
        if not hasattr(values, "__array__") and hasattr(values, "__dlpack__"):
            return np.from_dlpack(values)
        return np.asarray(values)
    except (ValueError, OverflowError) as problem:
        raise ValueError(f"{what}: expected an array of numbers: {problem}") from None


def is_sparse(values):
    return hasattr(values, "tocsr")


def is_frame(values):
    return hasattr(values, "iloc") and hasattr(values, "columns")


def rows(values, what):
    """A sparse matrix as compressed rows whose arrays have the lengths that they must have."""
    made = values.tocsr()
    starts = len(made.indptr)
    if starts != made.shape[0] + 1 or not 0 <= made.indptr[-1] <= min(len(made.indices), len(made.data)):
        raise ValueError(f"{what}: the sparse matrix contradicts itself: {made.shape[0]} rows, {starts} starts of rows, "
                         f"{len(made.indices)} columns and {len(made.data)} values")
    return made


def whole(values, what):
    """An array of int32 or int64; floats are taken if they are whole numbers."""
    values = array(values, what)
    if values.dtype.kind in "ib" or (values.dtype.kind == "u" and not np.any(values >= 2**63)):
        return values if values.dtype in (np.int32, np.int64) else values.astype(np.int64)
    if values.dtype.kind == "f" and np.all(np.abs(values) < 2.0**63) and np.all(values == np.floor(values)):
        return values.astype(np.int64)
    if values.size == 0:
        return values.astype(np.int64)
    raise TypeError(f"{what}: has the type {values.dtype}, expected whole numbers"
                    if values.dtype.kind not in "uf" else f"{what}: has fractions, NaN or numbers beyond 64 bits, "
                    "expected whole numbers")


# ---- graphs ----


def graph(given, nodes=None, names=None):
    """`given` as a Graph. `nodes` is how many there are, if that is known; `names` are those of the nodes, if edges are
    written with names."""
    for known, take in ((is_sparse, _sparse), (_is_networkx, _networkx), (_is_igraph, _igraph), (_is_dgl, _dgl),
                        (lambda one: hasattr(one, "edge_index"), _pyg), (is_frame, _frame)):
        if known(given):
            return take(given, nodes, names)
    return _dense(given, nodes, names)


def _sparse(given, nodes, names):
    made = rows(given, "graph")
    if made.shape[0] != made.shape[1]:
        raise ValueError(f"graph: the matrix has {made.shape[0]} rows and {made.shape[1]} columns, expected as many "
                         "columns as rows")
    values = made.data[:made.nnz]
    if values.dtype.kind not in "biuf":
        raise TypeError(f"graph: the matrix has values of the type {values.dtype}, expected numbers")
    return Graph(made.shape[0], made.indptr, made.indices[:made.nnz], names=names,
                 weight=values if np.any(values != 1) else None)


def _is_networkx(given):
    return hasattr(given, "adj") and hasattr(given, "nodes") and hasattr(given, "number_of_nodes") and \
        not hasattr(given, "ndata")


def _networkx(given, nodes, names):
    own = list(given.nodes)
    order = own if names is None else list(names)
    place = {name: i for i, name in enumerate(order)}
    try:
        pairs = np.array([(place[a], place[b]) for a, b in given.edges()], dtype=np.int64).reshape(-1, 2)
    except KeyError as missing:
        raise ValueError(f"graph: the node {missing} has an edge but no row of features") from None
    return Graph(len(order), source=pairs[:, 0].copy(), target=pairs[:, 1].copy(), names=order)


def _is_igraph(given):
    return hasattr(given, "get_edgelist") and hasattr(given, "vcount")


def _igraph(given, nodes, names):
    pairs = np.array(given.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    own = given.vs["name"] if "name" in given.vs.attributes() else None
    return Graph(given.vcount(), source=pairs[:, 0].copy(), target=pairs[:, 1].copy(), names=own or names)


def _is_dgl(given):
    return hasattr(given, "ndata") and hasattr(given, "edges") and hasattr(given, "num_nodes")


def _dgl(given, nodes, names):
    source, target = given.edges()
    data = given.ndata
    named = lambda *words: next((array(data[word], f"ndata[{word!r}]") for word in words if word in data), None)
    return Graph(int(given.num_nodes()), source=whole(source, "graph"), target=whole(target, "graph"), names=names,
                 features=named("feat", "x", "features"), labels=named("label", "y", "labels"),
                 roles=_roles(named("train_mask"), named("val_mask"), named("test_mask")))


def _pyg(given, nodes, names):
    part = lambda name: None if getattr(given, name, None) is None else array(getattr(given, name), name)
    edges, features = whole(given.edge_index, "edge_index"), part("x")
    if edges.ndim != 2 or edges.shape[0] != 2:
        raise ValueError(f"edge_index: has the shape {edges.shape}, expected (2, edges)")
    count = getattr(given, "num_nodes", None)
    if count is None:
        count = nodes if features is None else len(features)
    labels = part("y")
    return Graph(None if count is None else int(count), source=np.ascontiguousarray(edges[0]),
                 target=np.ascontiguousarray(edges[1]), names=names, features=features,
                 labels=None if labels is None else labels.reshape(-1),
                 roles=_roles(part("train_mask"), part("val_mask"), part("test_mask")))


def _roles(train, validation, test):
    if train is None:
        return None
    roles = np.zeros(len(train), dtype=np.uint8)
    for role, mask in ((3, test), (2, validation), (1, train)):
        if mask is not None:
            mask = mask[:, 0] if mask.ndim == 2 else mask  # the first of several splits
            roles[mask.astype(bool)] = role
    return roles


def _frame(given, nodes, names):
    """The columns source and target, or the first two; a column weight."""
    if given.shape[1] < 2:
        raise ValueError(f"graph: the table has {given.shape[1]} columns, expected two: source and target")
    columns = [str(one) for one in given.columns]
    both = [columns.index(one) for one in ("source", "target")] if {"source", "target"} <= set(columns) else [0, 1]
    ends = [given.iloc[:, one].to_numpy() for one in both]
    weight = _numbers(given.iloc[:, columns.index("weight")], "weight") if "weight" in columns else None
    if names is None and all(one.dtype.kind in "iu" for one in ends):
        return Graph(nodes, source=whole(ends[0], "graph"), target=whole(ends[1], "graph"), weight=weight)
    if names is None:
        names = list(dict.fromkeys(np.concatenate(ends).tolist()))
    place = {name: i for i, name in enumerate(names)}
    try:
        numbers = [np.array([place[name] for name in one.tolist()], dtype=np.int64) for one in ends]
    except KeyError as missing:
        raise ValueError(f"graph: the node {missing} has an edge but no row of features") from None
    return Graph(len(names), source=numbers[0], target=numbers[1], weight=weight, names=names)


def _numbers(column, name):
    try:
        return column.to_numpy(dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"graph: the column {name!r} has something other than numbers") from None


def _dense(given, nodes, names):
    """A square matrix, or pairs of node numbers as rows or as columns."""
    values = array(given, "graph")
    if values.ndim != 2:
        raise ValueError(f"graph: has {values.ndim} dimensions, expected a square matrix or pairs of nodes")
    square = values.shape[0] == values.shape[1] and (nodes is None or nodes == values.shape[0])
    if square:
        if values.dtype.kind not in "biuf":
            raise TypeError(f"graph: has the type {values.dtype}, expected numbers")
        source, target = np.nonzero(values)
        weight = values[source, target]
        return Graph(values.shape[0], source=source.astype(np.int64), target=target.astype(np.int64),
                     weight=weight.astype(float) if np.any(weight != 1) else None, names=names)
    values = whole(values, "graph")
    if values.shape[0] == 2:
        values = values.T
    if values.shape[1] != 2:
        raise ValueError(f"graph: has the shape {values.shape}, expected a square matrix, (edges, 2) or (2, edges)")
    return Graph(nodes, source=np.ascontiguousarray(values[:, 0]), target=np.ascontiguousarray(values[:, 1]),
                 names=names)


# ---- labels ----


def labels(given, unlabelled, column_warning=UserWarning):
    """Class numbers with -1 for nodes without one, and the classes, sorted. `unlabelled` is a value that means "no
    class", a mask that is True at nodes without one, or None; None and NaN always mean it."""
    values = array(given, "y")
    if values.ndim == 2 and values.shape[1] == 1:
        warnings.warn("A column-vector y was passed when a 1d array was expected", column_warning, stacklevel=3)
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"y: has the shape {values.shape}, expected one label per node")
    known = ~_missing(values)
    if np.ndim(unlabelled) > 0:
        mask = array(unlabelled, "unlabelled")
        if mask.shape != values.shape or mask.dtype.kind != "b":
            raise ValueError(f"unlabelled: has the shape {mask.shape} and the type {mask.dtype}, expected a value, or True "
                             f"or False for each of {len(values)} nodes")
        known &= ~mask
    elif unlabelled is not None:
        known &= np.array([one != unlabelled for one in np.where(known, values, None).tolist()], dtype=bool)
    kept = values[known]
    if kept.dtype.kind == "f" and np.any(kept != np.floor(kept)):
        raise ValueError("Unknown label type: y has numbers such as "
                         f"{kept[kept != np.floor(kept)][0]:g}, expected classes")
    if kept.dtype == object and len({type(one) for one in kept.tolist()}) == 1:
        kept = np.array(kept.tolist())
    classes, numbers = np.unique(kept, return_inverse=True) if kept.dtype != object else _unique(kept)
    result = np.full(len(values), -1, dtype=np.int32)
    result[known] = numbers
    return result, classes


def _missing(values):
    """Where there is no value: None, NaN, pandas' NA."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype != object:
        return np.zeros(len(values), dtype=bool)
    return np.array([one is None or type(one).__name__ in ("NAType", "NaTType") or one != one
                     for one in values.tolist()], dtype=bool)


def _unique(values):
    classes = sorted(set(values.tolist()), key=lambda one: (str(type(one)), one))
    place = {one: i for i, one in enumerate(classes)}
    return np.array(classes, dtype=object), np.array([place[one] for one in values.tolist()], dtype=np.int64)
