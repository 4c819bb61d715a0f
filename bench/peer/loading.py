# SPDX-License-Identifier: MIT
"""Reads a graph with NumPy, SciPy or pandas, and makes of it what Credence makes: a symmetric graph without loops.

    loading.py scipy|pandas|numpy PATH [--repeats N]    prints JSON: seconds, seconds of reading alone, nodes, edges
"""
import argparse
import json
import time
from pathlib import Path


def symmetric(rows, columns, nodes):
    """Undirected edges as compressed rows, without loops or repetitions."""
    import numpy
    import scipy.sparse
    kept = rows != columns
    rows, columns = rows[kept], columns[kept]
    ends = (numpy.concatenate([rows, columns]), numpy.concatenate([columns, rows]))
    graph = scipy.sparse.coo_matrix((numpy.ones(len(ends[0]), dtype=bool), ends), (nodes, nodes)).tocsr()
    graph.sort_indices()
    return graph


def read_npz(path):
    """An .npz in one of the usual layouts: compressed rows, or an edge index."""
    import numpy
    import scipy.sparse
    with numpy.load(path, allow_pickle=True) as file:
        arrays = {name: file[name] for name in file.files}
    read = time.perf_counter()
    if "adj_indptr" in arrays:
        nodes = len(arrays["adj_indptr"]) - 1
        rows = numpy.repeat(numpy.arange(nodes), numpy.diff(arrays["adj_indptr"]))
        graph = symmetric(rows, arrays["adj_indices"], nodes)
    else:
        ends = arrays["edge_index"]
        ends = ends if ends.shape[0] == 2 else ends.T
        nodes = int(arrays["num_nodes"]) if "num_nodes" in arrays else len(arrays["labels"])
        graph = symmetric(ends[0], ends[1], nodes)
    if "attr_indptr" in arrays:
        features = scipy.sparse.csr_matrix((arrays["attr_data"].astype(numpy.float32), arrays["attr_indices"],
                                            arrays["attr_indptr"]), arrays["attr_shape"])
        features.sort_indices()
    return read, graph


def read_csv(path):
    """An edge list, or a folder of edges.csv, features.csv and labels.csv, by pandas."""
    import numpy
    import pandas
    folder = Path(path).is_dir()
    edges = pandas.read_csv(Path(path) / "edges.csv" if folder else path)
    nodes = None
    if folder:
        pandas.read_csv(Path(path) / "features.csv", dtype=numpy.float32).to_numpy()
        labels = pandas.read_csv(Path(path) / "labels.csv")
        nodes = len(labels)
        labels["label"].factorize()
    read = time.perf_counter()
    source, target = edges["source"].to_numpy(), edges["target"].to_numpy()
    return read, symmetric(source, target, nodes or int(max(source.max(), target.max())) + 1)


def read_text(path):
    """An edge list, by NumPy alone."""
    import numpy
    edges = numpy.loadtxt(path, delimiter=",", skiprows=1, dtype=numpy.int64)
    read = time.perf_counter()
    return read, symmetric(edges[:, 0], edges[:, 1], int(edges.max()) + 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("how", choices=["scipy", "pandas", "numpy"])
    parser.add_argument("path")
    parser.add_argument("--repeats", type=int, default=1)
    arguments = parser.parse_args()
    import numpy  # noqa: F401  # before the clock starts
    import scipy.sparse  # noqa: F401
    if arguments.how == "pandas":
        import pandas  # noqa: F401
    read = {"scipy": read_npz, "pandas": read_csv, "numpy": read_text}[arguments.how]
    seconds, reading = [], []
    for _ in range(arguments.repeats):
        begin = time.perf_counter()
        moment, graph = read(arguments.path)
        seconds.append(time.perf_counter() - begin)
        reading.append(moment - begin)
    print(json.dumps({"seconds": seconds, "read_seconds": reading, "nodes": graph.shape[0], "edges": graph.nnz // 2}))


if __name__ == "__main__":
    main()
