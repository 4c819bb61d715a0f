# SPDX-License-Identifier: MIT
"""What the peers share: a case as bench_epoch --write leaves it, the losses, the loop and what is printed."""
import argparse
import csv
import json
import math
import os
import statistics
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional

ACTIVATIONS = {"relu": functional.relu, "gelu": functional.gelu, "logsigmoid": functional.logsigmoid,
               "hardtanh": functional.hardtanh, "sigmoid": torch.sigmoid, "linear": lambda x: x}


# ---- the case ----

class Rows:
    """A sparse matrix by rows, as NumPy arrays."""

    def __init__(self, start, column, value, shape):
        self.start, self.column, self.value, self.shape = start, column, value, shape

    def dense(self):
        full = np.zeros(self.shape, np.float32)
        full[np.repeat(np.arange(self.shape[0]), np.diff(self.start)), self.column] = self.value
        return full

    def transposed(self):
        row = np.repeat(np.arange(self.shape[0]), np.diff(self.start))
        order = np.argsort(self.column, kind="stable")
        start = np.concatenate([[0], np.cumsum(np.bincount(self.column, minlength=self.shape[1]))])
        return Rows(start, row[order], self.value[order], self.shape[::-1])


class Case:
    """Graph, features, labels, split, settings and initial weights."""

    def __init__(self, folder, settings):
        folder = Path(folder)
        self.config = json.loads((folder / "config.json").read_text())
        self.config.update(settings)
        with np.load(folder / "data.npz") as arrays:
            self.nodes = len(arrays["labels"])
            self.row, self.column = both_directions(arrays, self.nodes)
            self.features = prepared_features(arrays, self.config["features"])
            labels = arrays["labels"].astype(np.int64)
        self.weights = read_safetensors(folder / "init.safetensors")
        self.classes = self.weights["flow.center"].shape[1]
        roles = read_split(folder / "split.csv")
        self.train, self.train_label = labelled(roles["train"], labels, self.classes)
        self.validation, self.validation_label = labelled(roles["val"], labels, self.classes)
        self.prior = np.bincount(self.train_label.numpy(), minlength=self.classes) / len(self.train)
        # The weight of the regulariser as a sum over both directions of the edges.
        self.reg_weight = self.config["reg-weight"] + self.config["reg-strength"] * len(self.train) / len(self.row)

    def shift(self):
        """What is added to log p(z|c): log(n_c/|T|) + (D/2) log 4 pi, and log K if asked for."""
        shift = np.log(self.prior) + 0.5 * self.config["latent"] * math.log(4 * math.pi)
        if self.config["class-scale"]:
            shift = shift + math.log(self.classes)
        return torch.tensor(shift, dtype=torch.float32)


def both_directions(arrays, nodes):
    """The entries of A = 1[(A + A^T) != 0] without self-loops, by rows."""
    row = np.repeat(np.arange(nodes, dtype=np.int64), np.diff(arrays["adj_indptr"]))
    column = arrays["adj_indices"].astype(np.int64)
    kept = (row != column) & (arrays["adj_data"] != 0)
    row, column = row[kept], column[kept]
    entry = np.unique(np.concatenate([row * nodes + column, column * nodes + row]))
    return entry // nodes, entry % nodes


def prepared_features(arrays, how):
    """Rows where the file has them sparse, else a dense array."""
    binary, normal = how == "binary,rownorm", how in ("binary,rownorm", "rownorm")
    if how != "none" and not normal:
        raise ValueError(f"features {how}: the peers know none, rownorm and binary,rownorm")
    if "attr_indptr" not in arrays:
        if how != "none":
            raise ValueError(f"features {how}: the peers take dense features as they are")
        return arrays["attr_matrix"].astype(np.float32)
    start, column = arrays["attr_indptr"].astype(np.int64), arrays["attr_indices"].astype(np.int64)
    value, shape = arrays["attr_data"].astype(np.float64), tuple(arrays["attr_shape"])
    row = np.repeat(np.arange(shape[0]), np.diff(start))
    if binary:
        value = (value > 0).astype(np.float64)
    kept = value != 0
    row, column, value = row[kept], column[kept], value[kept]
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))])
    if normal:
        total = np.bincount(row, weights=value, minlength=shape[0])
        value = value / np.where(total == 0, 1, total)[row]
    return Rows(start, column, value.astype(np.float32), shape)


def read_safetensors(path):
    content = Path(path).read_bytes()
    size = int.from_bytes(content[:8], "little")
    tensors = {}
    for name, entry in json.loads(content[8:8 + size]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        tensors[name] = torch.from_numpy(
            np.frombuffer(content[begin:end], "<f4").reshape(entry["shape"]).copy())
    return tensors


def read_split(path):
    roles = {"train": [], "val": [], "test": []}
    with open(path, newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            roles[line["split"]].append(int(line["node"]))
    return {role: np.array(nodes, np.int64) for role, nodes in roles.items()}


def labelled(nodes, labels, classes):
    nodes = nodes[(labels[nodes] >= 0) & (labels[nodes] < classes)]
    return torch.from_numpy(nodes), torch.from_numpy(labels[nodes])


# ---- the objective, on the training nodes; they are few, so that double precision costs nothing ----

def uncertain_cross_entropy(alpha, label):
    """UCE = sum psi(alpha_0) - psi(alpha_y)"""
    alpha = alpha.double()
    true = alpha.gather(1, label.unsqueeze(1)).squeeze(1)
    return (torch.digamma(alpha.sum(1)) - torch.digamma(true)).sum()


def entropy(alpha):
    """sum H(Dir(alpha)); from alpha_0 = 1e4 upwards the asymptotic form, where the exact one cancels."""
    alpha = alpha.double()
    total, classes = alpha.sum(1), alpha.shape[1]
    exact = (torch.lgamma(alpha).sum(1) - torch.lgamma(total) + (total - classes) * torch.digamma(total)
             - ((alpha - 1) * torch.digamma(alpha)).sum(1))
    limit = (0.5 * (classes - 1) * (1 + math.log(2 * math.pi)) + 0.5 * torch.log(alpha).sum(1)
             - (classes - 0.5) * torch.log(total))
    return torch.where(total < 1e4, exact, limit).sum()


def objective(network, case):
    """The terms as they enter the loss: UCE - lambda_1 entropy + lambda_2 R"""
    z, evidence, alpha = network(training=True)
    alpha = alpha[case.train]
    terms = {"uce": uncertain_cross_entropy(alpha, case.train_label),
             "entropy": -case.config["entropy-weight"] * entropy(alpha)}
    if case.config["reg"] == "distance":
        terms["distance"] = case.reg_weight * network.latent_distance(z)
    elif case.config["reg"] == "evidence":
        terms["evidence"] = case.reg_weight * network.evidence_distance(evidence)
    return terms


@torch.no_grad()
def validate(network, case):
    """-mean log p_y and accuracy on the validation nodes, without dropout."""
    alpha = network(training=False)[2][case.validation]
    p = alpha / alpha.sum(1, keepdim=True)
    true = p.gather(1, case.validation_label.unsqueeze(1))
    accuracy = (p.argmax(1) == case.validation_label).double().mean().item()
    return -torch.log(true.double()).mean().item(), accuracy


# ---- the loop ----

def train(network, case, epochs, budget):
    """Epochs of one step and one validation each; fewer than asked for once the budget of seconds is spent."""
    config = case.config
    optimiser = torch.optim.Adam(
        [{"params": network.encoder_parameters(), "weight_decay": config["weight-decay"]},
         {"params": network.flow_parameters(), "weight_decay": 0.0}], lr=config["lr"])
    result = {"seconds": [], "loss": [], "validation_cross_entropy": [], "first_terms": {}}
    begin = time.perf_counter()
    for epoch in range(epochs):
        start = time.perf_counter()
        optimiser.zero_grad()
        terms = objective(network, case)
        loss = sum(terms.values())
        loss.backward()
        optimiser.step()
        cross_entropy, _ = validate(network, case)
        result["seconds"].append(time.perf_counter() - start)
        result["loss"].append(loss.item())
        result["validation_cross_entropy"].append(cross_entropy)
        if epoch == 0:
            result["first_terms"] = {name: term.item() for name, term in terms.items()}
        # At least two: the first one also pays for the set-up.
        if epoch >= 1 and time.perf_counter() - begin > budget:
            break
    return result


def blas():
    """Which library multiplies dense matrices: the reference one is many times slower than the others."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "unknown"
    for name in ("openblas", "mkl_core", "blis", "libblas"):
        if name in maps:
            return "reference" if name == "libblas" else name
    return "built in"


def value_of(text):
    """A setting as config.json would have it."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def main(make_network):
    parser = argparse.ArgumentParser()
    parser.add_argument("case", help="a folder that bench_epoch --write filled")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds after which no epoch begins")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    settings = {name: value_of(value) for name, value in (word.split("=", 1) for word in arguments.set)}
    start = time.perf_counter()
    case = Case(arguments.case, settings)
    network = make_network(case)
    result = {"load_seconds": time.perf_counter() - start, "nodes": case.nodes, "edges": len(case.row) // 2,
              "classes": case.classes, **train(network, case, arguments.epochs, arguments.budget)}
    result["epochs"] = len(result["seconds"])
    result["median_seconds"] = statistics.median(result["seconds"])
    result["torch"] = torch.__version__
    result["blas"] = blas()
    result["mkl"] = torch.backends.mkl.is_available()
    result["openblas_threads"] = os.environ.get("OPENBLAS_NUM_THREADS")
    result["chosen"] = getattr(network, "chosen", {})
    print(json.dumps(result))
