# SPDX-License-Identifier: MIT
"""Writes ogbn-arxiv's graph, labels and split with made-up dense features, which stand for the real ones:

    arxiv.py ogbn_arxiv_nofeat.npz OUT.npz [--nodes N]

--nodes: the graph between N nodes only: those nearest to some training node of each class.
"""
import argparse

import numpy as np

FEATURES = 128


def nearest(start, column, roots, count):
    """count nodes, in order: the roots, their neighbours, those ones' neighbours, ..."""
    seen = np.zeros(len(start) - 1, bool)
    seen[roots] = True
    order, front = [roots], roots
    while len(front) and sum(map(len, order)) < count:
        reached = np.unique(np.concatenate([column[start[node]:start[node + 1]] for node in front]))
        front = reached[~seen[reached]]
        seen[front] = True
        order.append(front)
    return np.sort(np.concatenate(order)[:count])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph")
    parser.add_argument("out")
    parser.add_argument("--nodes", type=int)
    arguments = parser.parse_args()
    random = np.random.default_rng(1)
    with np.load(arguments.graph) as arrays:
        labels = arrays["labels"].astype(np.int32)
        start = arrays["adj_indptr"].astype(np.int64)
        row = np.repeat(np.arange(len(labels)), np.diff(start))
        column = arrays["adj_indices"].astype(np.int64)
        roles = np.zeros(len(labels), np.int8)
        for role, name in enumerate(("split_train", "split_valid", "split_test"), 1):
            roles[arrays[name]] = role
    if arguments.nodes:
        teachers = np.flatnonzero(roles == 1)
        roots = teachers[np.unique(labels[teachers], return_index=True)[1]]
        chosen = nearest(start, column, roots, arguments.nodes)
        number = np.full(len(labels), -1)
        number[chosen] = np.arange(arguments.nodes)
        kept = (number[row] >= 0) & (number[column] >= 0)
        row, column = number[row[kept]], number[column[kept]]
        labels, roles = labels[chosen], roles[chosen]
    # A point for every class with noise around it, as large as the real features.
    points = random.normal(0, 0.1, (labels.max() + 1, FEATURES))
    features = (points[labels] + random.normal(0, 0.2, (len(labels), FEATURES))).astype(np.float32)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(labels)))])
    np.savez(arguments.out, adj_data=np.ones(len(column), np.float32), adj_indices=column.astype(np.int32),
             adj_indptr=start, adj_shape=np.array([len(labels)] * 2), attr_matrix=features, labels=labels,
             split_train=np.flatnonzero(roles == 1), split_valid=np.flatnonzero(roles == 2),
             split_test=np.flatnonzero(roles == 3))


if __name__ == "__main__":
    main()
