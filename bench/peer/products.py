# SPDX-License-Identifier: MIT
"""A constant sparse matrix times a dense one, in the ways that PyTorch has, for the peers that keep them sparse."""
import math
import time
import warnings

import numpy as np
import torch

import common

warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")


def by_csr(rows, dtype):
    matrix = torch.sparse_csr_tensor(torch.from_numpy(rows.start), torch.from_numpy(rows.column),
                                     torch.from_numpy(rows.value).to(dtype), size=rows.shape)
    return lambda dense: matrix @ dense


def by_coo(rows, dtype):
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.start))
    matrix = torch.sparse_coo_tensor(torch.from_numpy(np.stack([row, rows.column])),
                                     torch.from_numpy(rows.value).to(dtype), rows.shape).coalesce()
    return lambda dense: torch.sparse.mm(matrix, dense)


TORCH_SPARSE = {"csr": by_csr, "coo": by_coo}


def fastest(ways, rows, width, dtype=torch.float32):
    """(name, product) of the way that is fastest for a dense matrix of this width; ways: {name: maker}."""
    dense = torch.rand(rows.shape[1], width, dtype=dtype)
    best = (math.inf, None, None)
    for name, make in ways.items():
        try:
            product = make(rows, dtype)
            seconds = []
            # The first call also sets things up; a way that is far behind even so is not tried again.
            while len(seconds) < 4 and (len(seconds) != 1 or seconds[0] < 10 * best[0]):
                start = time.perf_counter()
                product(dense)
                seconds.append(time.perf_counter() - start)
        except RuntimeError:
            continue  # not every build of PyTorch has all ways
        best = min(best, (min(seconds), name, product), key=lambda entry: entry[0])
    if best[1] is None:
        raise RuntimeError(f"this PyTorch multiplies sparse matrices in none of the ways {', '.join(ways)}")
    return best[1:]


class Product(torch.autograd.Function):
    """X W for a constant sparse X; the gradient of W is X^T times that of the product. The automatic gradient
    would transpose X anew in every step."""

    @staticmethod
    def forward(ctx, weight, product, transposed):
        ctx.transposed = transposed
        return product(weight)

    @staticmethod
    def backward(ctx, gradient):
        return ctx.transposed(gradient.contiguous()), None, None


def normalised_adjacency(case):
    """A^ = S (A + I) S, by rows"""
    nodes = case.nodes
    degree = np.bincount(case.row, minlength=nodes) + 1
    loops = np.arange(nodes)
    row, column = np.concatenate([case.row, loops]), np.concatenate([case.column, loops])
    order = np.argsort(row * nodes + column)
    row, column = row[order], column[order]
    s = 1 / np.sqrt(degree)
    start = np.concatenate([[0], np.cumsum(degree)])
    return common.Rows(start, column, (s[row] * s[column]).astype(np.float32), (nodes, nodes))
