# SPDX-License-Identifier: MIT
"""Files that the C library does not read, each by the Python library that does, which is imported only then: GraphML and
GML (NetworkX), parquet (pandas), MATLAB (SciPy). MUSAE's folders need nothing.

Every reader gives the graph, a table or matrix of features, and the classes, which may be None."""
import csv
import importlib
import json
import pathlib

import numpy as np

from . import _take


def reader(path):
    """The function that reads a file or folder; None: the C library shall try."""
    known = {".graphml": graphml, ".gml": gml, ".parquet": parquet, ".pq": parquet, ".mat": matlab}
    path = pathlib.Path(path)
    if path.is_dir():
        return musae if not (path / "edges.csv").exists() and _musae_parts(path) else None
    return known.get(path.suffix.lower())


def _need(name, path):
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"{path}: {name.split('.')[0]} reads such files, and is not installed") from None


# ---- GraphML and GML ----


def graphml(path, label_column):
    return _networkx(path, "read_graphml", label_column)


def gml(path, label_column):
    return _networkx(path, "read_gml", label_column)


def _networkx(path, read, label_column):
    networkx = _need("networkx", path)
    try:
        graph = getattr(networkx, read)(path)
    except OSError:
        raise
    except Exception as problem:  # noqa: B902: parsers raise whatever their parser raises
        raise ValueError(f"{path}: cannot be read: {problem}") from None
    return (graph, *of_attributes(graph, label_column))


def of_attributes(graph, label_column=None):
    """The attributes of the nodes of a NetworkX or igraph graph as a table, which needs pandas, and their classes."""
    if hasattr(graph, "vs"):
        names = {name: graph.vs[name] for name in graph.vs.attributes() if name != "name"}
        index = graph.vs["name"] if "name" in graph.vs.attributes() else None
    else:
        found = [dict(values) for _, values in graph.nodes(data=True)]
        names = {name: [one.get(name) for one in found] for name in dict.fromkeys(key for one in found for key in one)}
        index = list(graph.nodes)
    if not names:
        return None, None
    table = _need("pandas", "the attributes of nodes").DataFrame(names, index=index)
    return split_label(table, label_column, "the attributes of nodes")


# ---- tables ----


def parquet(path, label_column=None):
    """The edges; features are another table."""
    return table(path), None, None


def table(path):
    """A table of any kind that pandas reads."""
    pandas, path = _need("pandas", path), pathlib.Path(path)
    if path.suffix.lower() not in (".parquet", ".pq"):
        return pandas.read_csv(path, sep="\t" if ".tsv" in path.name else ",")
    try:
        return pandas.read_parquet(path)
    except ImportError:
        raise ImportError(f"{path}: pandas needs pyarrow or fastparquet to read parquet, and neither is installed") \
            from None
    except OSError:
        raise
    except Exception as problem:  # noqa: B902: each engine has errors of its own
        raise ValueError(f"{path}: cannot be read: {problem}") from None


def split_label(frame, label_column, what):
    """A table without the column of classes, and that column."""
    if label_column is None:
        return frame, None
    if label_column not in frame.columns:
        raise ValueError(f"{what}: there is no column {label_column!r}, expected one of "
                         f"{', '.join(map(str, frame.columns))}")
    rest = frame.drop(columns=label_column)
    return (rest if rest.shape[1] else None), frame[label_column]


# ---- MATLAB ----

_GRAPHS = ("A", "Network", "network", "adj", "adjacency", "graph")
_FEATURES = ("Attributes", "attributes", "attrb", "features", "feat", "X")
_LABELS = ("Label", "label", "labels", "Class", "group", "gnd", "y")
# Facebook100: seven columns, 0 is "not said".
_FACEBOOK = ("status", "gender", "major", "minor", "dorm", "year", "school")


def matlab(path, label_column=None):
    scipy = _need("scipy.io", path)
    try:
        content = scipy.loadmat(path)
    except OSError:
        raise
    except NotImplementedError:
        raise ValueError(f"{path}: is a MATLAB file of version 7.3, expected 7 or older: save it with -v7") from None
    except Exception as problem:  # noqa: B902: a damaged file gives any error
        raise ValueError(f"{path}: cannot be read: {problem}") from None
    arrays = {name: one for name, one in content.items() if not name.startswith("__") and hasattr(one, "shape")}
    square = [name for name, one in arrays.items() if len(one.shape) == 2 and one.shape[0] == one.shape[1]
              and one.shape[0] > 1]
    name = next((one for one in _GRAPHS if one in square), square[0] if len(square) == 1 else None)
    if name is None:
        raise ValueError(f"{path}: has {len(square)} square matrices among {', '.join(arrays) or 'no arrays'}, expected "
                         f"one for the graph, or one with a usual name ({', '.join(_GRAPHS)})")
    if "local_info" in arrays:
        return (arrays[name], *_facebook(path, arrays["local_info"], label_column))
    find = lambda names: next((arrays[one] for one in names if one in arrays and one != name), None)
    wanted = (label_column,) if label_column is not None else _LABELS
    labels = find(wanted)
    if labels is None and label_column is not None:
        raise ValueError(f"{path}: there is no array {label_column!r}, expected one of {', '.join(arrays)}")
    return arrays[name], find(_FEATURES), None if labels is None else np.asarray(labels).reshape(-1)


def _facebook(path, info, label_column):
    if info.ndim != 2 or info.shape[1] != len(_FACEBOOK):
        raise ValueError(f"{path}: local_info has the shape {info.shape}, expected {len(_FACEBOOK)} columns")
    if label_column not in _FACEBOOK:
        raise ValueError(f"{path}: which column of local_info has the classes? label_column is {label_column!r}, "
                         f"expected one of {', '.join(_FACEBOOK)}")
    pandas = _need("pandas", path)
    frame = pandas.DataFrame({name: pandas.Series(info[:, i]).map(lambda one: str(one) if one else None)
                              for i, name in enumerate(_FACEBOOK)})
    return split_label(frame, label_column, str(path))


# ---- MUSAE: features as JSON, edges and targets as CSV ----


def _musae_parts(folder):
    """The three files of a folder as it is downloaded; None: it is something else."""
    parts = [sorted(folder.glob(pattern)) for pattern in ("*.json", "*edges*.csv", "*target*.csv")]
    return [one[0] for one in parts] if all(len(one) == 1 for one in parts) else None


def musae(path, label_column=None, id_column=None):
    """The numbers of nodes are in the column `id_column` of the targets; without it, in "new_id", or else in the first
    column. Nodes have the names of the first column. Columns that are no classes are left out."""
    features, edges, targets = _musae_parts(pathlib.Path(path))
    rows = _csv(targets)
    header = rows.pop(0)
    number = "new_id" if id_column is None and "new_id" in header else header[0] if id_column is None else id_column
    others = [one for one in header if one != number and one != header[0]]
    label = others[0] if label_column is None and len(others) == 1 else label_column
    if number not in header or label not in header:
        which = ("id_column", number) if number not in header else ("label_column", label)
        raise ValueError(f"{targets}: {which[0]} is {which[1]!r}, expected one of {', '.join(header)}")
    nodes = len(rows)
    place = _numbers([row[header.index(number)] for row in rows], targets, nodes)
    if len(set(place.tolist())) != nodes:
        raise ValueError(f"{targets}: the column {number!r} has a number twice, expected each of 0 to {nodes - 1} once")
    names, labels = np.empty(nodes, dtype=object), np.empty(nodes, dtype=object)
    names[place] = [row[0] for row in rows]
    labels[place] = [row[header.index(label)] or None for row in rows]
    pairs = _csv(edges)[1:]
    ends = [_numbers([pair[i] for pair in pairs], edges, nodes) for i in (0, 1)]
    graph = _take.Graph(nodes, source=ends[0], target=ends[1], names=names.tolist())
    return graph, _musae_features(features, nodes), labels


def _csv(path):
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row]
    except (UnicodeDecodeError, csv.Error) as problem:
        raise ValueError(f"{path}: cannot be read: {problem}") from None
    width = len(rows[0]) if rows else 0
    for i, row in enumerate(rows):
        if len(row) != width or width < 2:
            raise ValueError(f"{path}: row {i + 1} has {len(row)} columns, expected {max(width, 2)}")
    if not rows:
        raise ValueError(f"{path}: is empty, expected a first row with the names of the columns")
    return rows


def _numbers(texts, path, nodes):
    try:
        found = np.array([int(one) for one in texts], dtype=np.int64)
    except (ValueError, OverflowError):
        raise ValueError(f"{path}: has something other than node numbers, expected 0 to {nodes - 1}") from None
    if len(found) and not 0 <= found.min() <= found.max() < nodes:
        raise ValueError(f"{path}: has node numbers from {found.min()} to {found.max()}, expected 0 to {nodes - 1}")
    return found


def _musae_features(path, nodes):
    """{"node": [features that it has]}, as compressed rows."""
    try:
        content = json.loads(path.read_bytes())
        lists = [(int(node), np.array(sorted(set(has)), dtype=np.int64)) for node, has in content.items()]
    except (ValueError, TypeError, AttributeError, OverflowError) as problem:
        raise ValueError(f"{path}: expected a list of numbers for each node: {problem}") from None
    of_node = [np.zeros(0, dtype=np.int64)] * nodes
    for node, has in lists:
        if not 0 <= node < nodes or (len(has) and not 0 <= has[0] <= has[-1] < 2**31 - 1):
            raise ValueError(f"{path}: node {node} has features {has[:3].tolist()}, expected nodes from 0 to {nodes - 1} "
                             "and features from 0")
        of_node[node] = has
    start = np.zeros(nodes + 1, dtype=np.int64)
    np.cumsum([len(one) for one in of_node], out=start[1:])
    columns = np.concatenate(of_node).astype(np.int32) if nodes else np.zeros(0, dtype=np.int32)
    return _take.Rows(start, columns, np.ones(len(columns), dtype=np.float32),
                      (nodes, int(columns.max(initial=-1)) + 1))
