# SPDX-License-Identifier: MIT
"""The tables of the page "Beyond the paper": their commands, their run lines, and how they are shown.

There are many run lines, so they keep only what the page shows and are packed: results/beyond/TABLE/runs.jsonl.gz."""
import gzip
import json
import math
import statistics

import experiments
import runs

FILES = {"flickr": 3, "chameleon": 2, "actor": 2, "texas": 1}  # graphs without a public name, and classes left out
TITLES = {"flickr": "Flickr", "chameleon": "Chameleon", "actor": "Actor", "texas": "Texas", "twitch_engb": "Twitch"}
ORDER = runs.GRAPHS + list(TITLES)
FOUND = ("lp,gkde,appnp,appnp-energy,vgcn,gnnsafe,gebm,grasp,grasp-appnp,grasp-gpn,epn,anchor,gkde-gcn,egcn,gpn,"
         "gpn-tuned,log-evidence,default")
ANSWERED = "lp,gkde,appnp,vgcn,gkde-gcn,egcn,gpn,gpn-tuned,default"  # the others share the answers of one of these
SAME = "features=auto,calibration=temperature"  # for every model, as for the default one
FEW = "20n/30n/rest"
LESS = {"aurc", "ece", "ece_before", "nll", "brier"}  # small numbers are good
KEPT = ["id_accuracy", "accuracy", "balanced_accuracy", "ood.aleatoric.auroc", "ood.epistemic.auroc",
        "misclassification.aleatoric.auroc", "misclassification.aleatoric.aurc", "ece", "brier", "nll",
        "calibration.before.ece"]


# ---- commands ----


def files(names):
    return [f"$CREDENCE_DATA/{name}.npz" for name in names]


def unseen(folder, public, others, **options):
    """Classes are left out: of a public graph the usual ones."""
    found = [experiments.compare(folder, public, **options)] if public else []
    for count in sorted({FILES[name] for name in others}, reverse=True):
        names = files(name for name in others if FILES[name] == count)
        found.append(experiments.compare(folder, names, left_out=count, **options))
    return found


def commands():
    """Every table by the folder that it fills."""
    eight, few = experiments.EIGHT, [name for name in FILES if name != "texas"]
    own_errors = {"task": "misclassification", "models": ANSWERED, "set": SAME}
    promised = ["coraml", "citeseer", "citeseer-planetoid", "pubmed", "photos"]
    # Graphs with at most ten classes. Large ones take so long that they get three seeds: still 15 to 30 runs a row.
    small = ["coraml", "citeseer", "citeseer-planetoid"] + files(["chameleon", "actor", "texas"]) + ["pubmed"]
    large = ["physics", "photos"] + files(["flickr"]) + ["computers"]
    each = {"left_out": "each", "models": FOUND, "split": "5/15/80", "set": SAME}
    return {
        "beyond/ood": unseen("beyond/ood", eight, FILES, models=FOUND, split="5/15/80", set=SAME),
        "beyond/errors": [experiments.compare("beyond/errors", eight + files(TITLES), split="5/15/80", **own_errors)],
        "beyond/few": unseen("beyond/few", eight, few, models=FOUND, split=FEW, set=SAME) + [
            experiments.compare("beyond/few", eight + files(few + ["twitch_engb"]), split=FEW, **own_errors)],
        "beyond/each": [experiments.compare("beyond/each", small, **each),
                        experiments.compare("beyond/each", large, seeds=3, **each)],
        "beyond/promises": unseen("beyond/promises", promised, ["chameleon", "actor"], models="default",
                                  split="5/15/80", seeds=100),
        "beyond/time": [experiments.compare("beyond/time", eight + files(TITLES), task="misclassification",
                                            models="gpn,gpn-tuned,default", split="5/15/80", seeds=5, jobs=1,
                                            set=SAME)],
    }


# ---- run lines ----


def thin(line, promises):
    """What the page shows, with six digits, and what `credence compare` needs to find the run again."""
    metrics, kept = line.get("metrics", {}), {}
    for path in KEPT:
        value = runs.at(metrics, path)
        if value is None:
            continue
        *parents, name = path.split(".")
        place = kept
        for parent in parents:
            place = place.setdefault(parent, {})
        place[name] = round(value, 6)
    if promises and "promises" in metrics:
        kept["promises"] = metrics["promises"]
    line = {key: value for key, value in line.items() if key not in ("training", "metrics")}
    return {**line, "metrics": {"task": metrics["task"], **kept}} if metrics else line


def run(folder):
    """Does the runs that are missing, and packs the lines also if it is stopped."""
    path, packed = runs.RESULTS / folder / "runs.jsonl", runs.RESULTS / folder / "runs.jsonl.gz"
    if not path.exists() and packed.exists():
        path.write_bytes(gzip.decompress(packed.read_bytes()))
    try:
        for words in commands()[folder]:
            experiments.run(words)
    finally:
        if path.exists():
            lines = [thin(line, folder == "beyond/promises") for line in runs.read_lines(path)]
            text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
            packed.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
            path.unlink()


READ = {}  # the rows of folders that were read, so that many tables need not read them again


def rows(folder, task="ood"):
    """The rows of a table; none if it was not run yet."""
    place = runs.RESULTS / folder
    when = tuple(path.stat().st_mtime_ns for path in sorted(place.glob("runs.jsonl*")))
    if (place, when) not in READ:
        READ[place, when] = runs.Folder(folder).rows if when else []
    return [row for row in READ[place, when] if row.task == task and row.runs]


# ---- tables ----

NONE = "*There are no runs yet.*"


def title(row):
    return TITLES.get(row.data, row.graph)


def by_graph(found):
    """Graphs in order, each with its rows by model."""
    graphs = {}
    for row in sorted(found, key=lambda row: runs.place_in(ORDER, row.data)):
        graphs.setdefault(row.data, {})[row.model] = row
    return graphs


def models_of(found):
    return sorted({row.model for row in found}, key=lambda name: runs.place_in(runs.MODELS, name))


def table(head, lines):
    out = ["| " + " | ".join(head) + " |", "|:--" + "|--:" * (len(head) - 1) + "|"]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines])


def signed(value, digits):
    return f"{value:+.{digits}f}".replace("-", "−")


def lead(models, metric):
    """How much better the default is than the best other model; None: there is nothing to compare."""
    own = models["default"].mean(metric) if "default" in models else None
    others = [row.mean(metric) for name, row in models.items() if name != "default" and row.mean(metric) is not None]
    if own is None or not others:
        return None
    return min(others) - own if metric in LESS else own - max(others)


def grid(folder, metric, task="ood"):
    """A line per model and a column per graph, the best in bold, and how much better the default is."""
    found = [row for row in rows(folder, task) if metric == "auroc_epi" or row.model in ANSWERED.split(",")]
    graphs = by_graph(found)
    if not graphs:
        return NONE
    digits, scale = (3, 0.01) if metric in ("nll", "brier") else (2, 1.0) if metric in LESS else (1, 1.0)
    best, most, lines, fewer = {}, {}, [], False
    for data, models in graphs.items():
        means = [round(scale * row.mean(metric), digits) for row in models.values() if row.mean(metric) is not None]
        best[data] = (min if metric in LESS else max)(means, default=None)
        most[data] = max(len(row.runs) for row in models.values())
    for model in models_of(found):
        cells = []
        for data, models in graphs.items():
            row = models.get(model)
            mean = None if row is None else row.mean(metric)
            if mean is None:
                cells.append("")
                continue
            text = f"{scale * mean:.{digits}f}"
            text = f"**{text}**" if round(scale * mean, digits) == best[data] else text
            fewer = fewer or len(row.runs) < most[data]
            cells.append(text + ("\\*" if len(row.runs) < most[data] else ""))
        if any(cells):
            lines.append([runs.MODELS.get(model, model)] + cells)
    leads = [lead(models, metric) for models in graphs.values()]
    lines.append(["*Committee better by*"] + ["" if one is None else signed(scale * one, digits) for one in leads])
    text = table(["model"] + [title(next(iter(models.values()))) for models in graphs.values()], lines)
    return text + "\n\n\\* Fewer runs than the others." if fewer else text


def within(folder, metric, points, task="ood"):
    """11 of 12 graphs (the most is 1.3, on PubMed): where the default is at most this far behind the best."""
    graphs = by_graph(rows(folder, task)).values()
    leads = [(lead(models, metric), title(next(iter(models.values())))) for models in graphs]
    leads = [one for one in leads if one[0] is not None]
    if not leads:
        return "no graph (not run yet)"
    near, worst = sum(one >= -points for one, _ in leads), min(leads)
    text = f"{near} of {len(leads)} graphs"
    return text if worst[0] >= 0.0 else f"{text} (it is furthest behind on {worst[1]}: {-worst[0]:.2f})"


def distances(folder):
    """For every graph and class that was left out, how far each model is below the best; by model and graph."""
    found = {}
    for block in runs.blocks(rows(folder)):
        means = {row.model: row.mean("auroc_epi") for row in block if row.mean("auroc_epi") is not None}
        for model, mean in means.items():
            found.setdefault(model, {}).setdefault(block[0].data, []).append(max(means.values()) - mean)
    return found


def each(folder="beyond/each"):
    found = distances(folder)
    if not found:
        return NONE
    graphs = {row.data: title(row) for row in rows(folder)}
    graphs = {data: graphs[data] for data in sorted(graphs, key=lambda data: runs.place_in(ORDER, data))}
    lines = []
    for model in sorted(found, key=lambda name: runs.place_in(runs.MODELS, name)):
        cells = [found[model].get(data) for data in graphs]
        cells.append([one for some in found[model].values() for one in some])
        lines.append((model, cells))
    best = [min(math.fsum(cells[i]) / len(cells[i]) for _, cells in lines if cells[i]) for i in range(len(graphs) + 1)]

    def text(values, least):
        if not values:
            return ""
        mean = math.fsum(values) / len(values)
        shown = f"{mean:.1f} / {max(values):.1f}"
        return f"**{shown}**" if round(mean, 1) == round(least, 1) else shown

    return table(["model"] + list(graphs.values()) + ["all"],
                 [[runs.MODELS.get(model, model)] + [text(cell, least) for cell, least in zip(cells, best)]
                  for model, cells in lines])


def spread(values, digits=2, scale=100.0):
    """A mean with its standard error."""
    values = [scale * value for value in values if value is not None]
    if not values:
        return "n.a."
    text = f"{math.fsum(values) / len(values):.{digits}f}"
    return text if len(values) < 2 else f"{text} ± {statistics.stdev(values) / math.sqrt(len(values)):.{digits}f}"


def promised(row, path, level=None):
    """A number of every split; null where nothing could be promised."""
    found = []
    for line in row.runs:
        block = runs.at(line, "metrics.promises") or {}
        if level is not None:
            kind, name = path.split(".")
            block = {kind: (block.get(kind) or [{}] * 3)[level]}
        found.append(runs.at(block, path))
    return found


def promises(what, folder="beyond/promises"):
    found = [models["default"] for models in by_graph(rows(folder)).values() if "default" in models]
    if not found:
        return NONE
    if what == "sets":
        head = ["graph", "splits", "calibration nodes", "right, %", "right with 0 or 1 neighbour", "classes per set",
                "APS: right, %", "APS: classes per set"]
        lines = [[spread(promised(row, "calibration_nodes"), 0, 1.0).split(" ")[0],
                  spread(promised(row, "sets.coverage")),
                  spread(promised(row, "sets.coverage_by_degree.0-1")), spread(promised(row, "sets.size"), 3, 1.0),
                  spread(promised(row, "sets.aps.coverage")), spread(promised(row, "sets.aps.size"), 3, 1.0)]
                 for row in found]
    elif what == "false_alarms":
        head = ["graph", "splits", "at 1 %", "found", "at 5 %", "found", "at 10 %", "found"]
        lines = [[cell for level in range(3) for cell in (spread(promised(row, "false_alarms.false_alarms", level)),
                                                          spread(promised(row, "false_alarms.detected", level), 1))]
                 for row in found]
    else:
        head = ["graph", "splits"] + [f"at {level} %: {name}" for level in (1, 2, 5)
                                      for name in ("splits", "wrong", "answered")]
        lines = [[cell for level in range(3) for cell in (
            str(sum(one is not None for one in promised(row, "max_error.wrong", level))),
            spread(promised(row, "max_error.wrong", level)), spread(promised(row, "max_error.answered", level), 1))]
            for row in found]
    return table(head, [[title(row), str(len(row.runs))] + line for row, line in zip(found, lines)])


def times(folder="beyond/time"):
    """Medians: seconds of training, milliseconds of prediction, and the default's as a multiple of the tuned GPN's."""
    graphs, lines = by_graph(rows(folder, "misclassification")), []
    for models in graphs.values():
        if not {"gpn", "gpn-tuned", "default"} <= set(models):
            continue
        line = [title(models["default"])]
        for key, scale in (("training_seconds", 1.0), ("prediction_seconds", 1000.0)):
            took = [scale * statistics.median(run[key] for run in models[name].runs)
                    for name in ("gpn", "gpn-tuned", "default")]
            line += [f"{one:.2f}" for one in took] + [f"**{took[2] / took[1]:.2f}**"]
        lines.append(line)
    names = ["GPN", "GPN, tuned", "Committee", "ratio"]
    return table(["graph"] + [f"training: {name}" for name in names] + [f"prediction: {name}" for name in names],
                 lines) if lines else NONE
