# SPDX-License-Identifier: MIT
"""Run lines read and put together: rows of a table, with means over seeds.

A line of runs.jsonl is one run: what was run (task, data, model, seed, split, configuration) and what was measured.
Lines of older versions are read too: they may be of the task "ablation", which is now a comparison of its own."""
import csv
import gzip
import json
import math
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"

TASKS = ["ood", "misclassification", "shift", "ablation"]
GRAPHS = ["coraml", "citeseer", "citeseer-planetoid", "pubmed", "computers", "photos", "cs", "physics", "arxiv"]
TITLES = {"coraml": "CoraML", "citeseer-planetoid": "CiteSeer", "pubmed": "PubMed", "computers": "Computers",
          "photos": "Photos", "cs": "Coauthor CS", "physics": "Coauthor Physics"}
MODELS = {"lp": "LP", "gkde": "GKDE", "appnp": "APPNP", "appnp-energy": "APPNP-Energy", "vgcn": "VGCN-Energy",
          "gnnsafe": "GNNSafe", "gebm": "GEBM", "grasp": "GRASP", "grasp-appnp": "GRASP (APPNP)",
          "grasp-gpn": "GRASP (GPN)", "epn": "EPN-reg", "anchor": "Distance", "gkde-gcn": "GKDE-GCN",
          "egcn": "Evidential GCN", "gpn": "GPN", "gpn-tuned": "GPN, tuned", "log-evidence": "GPN, log evidence",
          "gpn-ce": "GPN-CE", "gpn-ce-act": "GPN-CE-ACT", "gpn-ce-act-gd": "GPN-CE-ACT-GD",
          "paper": "Published choice", "ours": "Ours", "default": "Committee (default)", "config": "Config"}
# The paper's split and left-out classes: other numbers cannot be compared with the published ones.
PAPERS_LEFT_OUT = {"coraml": 3, "citeseer-planetoid": 2, "pubmed": 1, "computers": 5, "photos": 3, "cs": 4,
                   "physics": 2, "arxiv": 15}
PAPERS_SPLIT = {"arxiv": "auto"}

# The paths of the columns' numbers in a run's metrics, for tasks that look for strange nodes and for wrong answers.
PLACES = {
    "id_acc": ("id_accuracy", "accuracy"),
    "auroc_alea": ("ood.aleatoric.auroc", "misclassification.aleatoric.auroc"),
    "auroc_epi": ("ood.epistemic.auroc", "misclassification.epistemic.auroc"),
    "auroc_epi_wo": ("ood.epistemic_features.auroc", None),
    "aupr_alea": ("ood.aleatoric.aupr", "misclassification.aleatoric.aupr_error"),
    "aupr_epi": ("ood.epistemic.aupr", "misclassification.epistemic.aupr_error"),
    "aupr_epi_wo": ("ood.epistemic_features.aupr", None),
    "aupr_success_alea": (None, "misclassification.aleatoric.aupr_success"),
    "aupr_success_epi": (None, "misclassification.epistemic.aupr_success"),
    "balanced_acc": ("balanced_accuracy", "balanced_accuracy"),
    "aurc": (None, "misclassification.aleatoric.aurc"),
    "ece": (None, "ece"),
    "ece_before": (None, "calibration.before.ece"),
    "nll": (None, "nll"),
    "brier": (None, "brier"),
}


class Missing(Exception):
    """Something that a page asks for is not in the run lines."""


def read_lines(path):
    """The objects of a file of JSON lines, which may be packed."""
    packed = path.with_name(path.name + ".gz")
    use_packed = packed.exists() and not path.exists()
    with gzip.open(packed, "rt", encoding="utf-8") if use_packed else open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def at(value, path):
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def title_of(line):
    return line.get("model_title") or MODELS.get(line["model"], line["model"])


def number(line, metric):
    """A number of a run in percent, by the name of a column; None if the run has none."""
    metrics = line.get("metrics", {})
    task = metrics.get("task")
    place = PLACES[metric][task == "misclassification"]
    if place is None:
        return None
    value = at(metrics, place)
    if value is None and task and place.startswith("ood."):  # other nodes to find have a group of their own name
        value = at(metrics, task + place[3:])
    return None if value is None else 100.0 * value


def place_in(order, name):
    return list(order).index(name) if name in order else len(order)


def natural(text):
    """A key that sorts "noise 2" before "noise 10"."""
    return [(0, float(part), "") if part[:1].isdigit() else (1, 0.0, part)
            for part in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?|\D+", text)]


def same_but_seed(a, b):
    strip = lambda line: {key: value for key, value in line.get("config", {}).items() if key != "seed"}
    return all(a.get(key) == b.get(key) for key in ("split", "fingerprint")) and strip(a) == strip(b)


class Row:
    """A model on a graph: of its lines those like the last one count, one per seed."""

    def __init__(self, lines):
        last = next((line for line in reversed(lines) if "error" not in line), lines[-1])
        by_seed = {}
        for line in lines:
            if same_but_seed(line, last) and ("error" not in line or line["seed"] not in by_seed):
                by_seed[line["seed"]] = line
        self.runs = [by_seed[seed] for seed in sorted(by_seed) if "error" not in by_seed[seed]]
        self.like = self.runs[0] if self.runs else last
        self.task, self.data, self.model = (self.like[key] for key in ("task", "data", "model"))
        self.graph, self.title, self.shift = self.like["title"], title_of(self.like), self.like.get("shift", "")
        self.left_out = self.like.get("config", {}).get("left-out")
        self.classes = self.like.get("left_out_classes", "")
        self.failures = at(self.like, "metrics.task") == "misclassification"

    def values(self, metric):
        return [(line["seed"], number(line, metric)) for line in self.runs]

    def mean(self, metric):
        values = [value for _, value in self.values(metric) if value is not None]
        return math.fsum(values) / len(values) if values else None

    def deviation(self, metric):
        values = [value for _, value in self.values(metric) if value is not None]
        if len(values) < 2:
            return None
        mean = math.fsum(values) / len(values)
        return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))

    def published(self, metric):
        """What the paper has for this row and column; None: nothing that can be compared."""
        if self.shift or self.left_out != (0 if self.task == "misclassification" else PAPERS_LEFT_OUT.get(self.data)):
            return None
        if self.like.get("split") != PAPERS_SPLIT.get(self.data, "5/15/80"):
            return None
        # A user's own configuration is in no paper, but the ablation's rows are such configurations.
        if self.model == "config" and self.task != "ablation":
            return None
        model = "ours" if self.model == "paper" else self.title.lower()
        return PUBLISHED.get((self.task, self.graph, model), {}).get(metric)

    def difference(self, metric):
        """How far the mean is above the published value, as far as both are shown."""
        mean, published = self.mean(metric), self.published(metric)
        return None if mean is None or published is None else round(round(mean, 2) - published, 2) + 0.0

    def order(self):
        return (place_in(TASKS, self.task), place_in(GRAPHS, self.data), self.data, natural(self.shift),
                self.left_out or 0, self.classes, place_in(MODELS, self.model), natural(self.title))

    def block(self):
        return self.task, self.data, self.shift, self.left_out, self.classes


def read_published():
    with open(pathlib.Path(__file__).parent / "published.csv", encoding="utf-8", newline="") as file:
        return {(line["task"], line["data"], line["model"].lower()):
                {name: float(text) for name, text in line.items() if name in PLACES and text}
                for line in csv.DictReader(file)}


PUBLISHED = read_published()


def listed(names, *own):
    return names is None or any(name in own for name in names.split(","))


class Folder:
    """The rows of a folder of runs. `task` is what its runs are called here, whatever their lines say."""

    def __init__(self, name, task=None):
        self.name = name
        lines = read_lines(RESULTS / name / "runs.jsonl")
        if task:
            lines = [{**line, "task": task} for line in lines]
        groups = {}
        for line in lines:
            key = (line["task"], line["data"], line.get("shift"), line.get("left_out_classes"), line["model"],
                   title_of(line))
            groups.setdefault(key, []).append(line)
        self.rows = sorted((Row(group) for group in groups.values()), key=Row.order)

    def select(self, data=None, models=None):
        return [row for row in self.rows if listed(data, row.data) and listed(models, row.model, row.title)]

    def row(self, data, model):
        found = [row for row in self.rows if row.data == data and model == row.title]
        found = found or [row for row in self.rows if row.data == data and model == row.model]
        if len(found) != 1:
            raise Missing(f"results/{self.name}: {len(found)} rows of '{model}' on '{data}', expected one")
        return found[0]


def blocks(rows):
    """Rows that share all but the model, in the order of tables."""
    found = {}
    for row in rows:
        found.setdefault(row.block(), []).append(row)
    return list(found.values())
