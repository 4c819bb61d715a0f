# SPDX-License-Identifier: MIT
"""The commands behind every number: what `lab/reproduce run` runs, and what the page shows."""
import json
import os
import pathlib
import shlex
import subprocess
import sys

import runs

SEVEN = ["coraml", "citeseer-planetoid", "pubmed", "computers", "photos", "cs", "physics"]
EIGHT = ["coraml", "citeseer"] + SEVEN[1:]
STRENGTHS = ["0", "1e-4", "5e-4", "1e-3", "2e-3", "5e-3", "1e-2", "3e-2", "1e-1"]


def compare(folder, graphs, **options):
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    return ["credence", "compare", *graphs, *words, "-o", f"results/{folder}"]


def comparisons():
    """Every comparison by the folder that it fills."""
    tuned = [compare("ood", [graph], models="config", config=f"results/tune/{graph}/val-ce.json",
                     config_title="Tuned by cross-entropy") for graph in SEVEN]
    found = {
        "ood": tuned + [compare("ood", EIGHT, models="lp,gkde,vgcn,gkde-gcn,gpn,paper,gpn-tuned,ours,default")],
        "arxiv": [compare("arxiv", ["arxiv"], models="lp,gkde", seeds=1)],
        "misclassification": [compare("misclassification", EIGHT, task="misclassification",
                                      models="appnp,vgcn,gkde-gcn,gpn,ours")],
        "citeseer-activation": [compare("citeseer-activation", ["citeseer-planetoid"], models="gpn,paper,config",
                                        config="results/gpn-logsigmoid.json", config_title="GPN, LogSigmoid")],
        "coraml-no-dropout": [compare("coraml-no-dropout", ["coraml"], models="paper", set="dropout=0")],
        "citeseer-rounded": [compare("citeseer-rounded", ["citeseer-planetoid"], models="lp,gkde",
                                     set="rounded-alpha=on")],
        "pubmed-tfidf": [compare("pubmed-tfidf", ["pubmed"], models="vgcn,gkde-gcn", seeds=5,
                                 set="features=rownorm")],
        "shift": [compare("shift", ["coraml", "citeseer-planetoid"], task="shift",
                          models="vgcn,gpn,gpn-tuned,default", seeds=5)],
    }
    for strength in STRENGTHS:
        folder = f"strength/{strength}"
        found[folder] = [compare(folder, ["coraml", "citeseer-planetoid", "photos"], models="gpn-tuned", seeds=5,
                                 set=f"reg-strength={strength}")]
    return found


# What `credence tune` chooses for each graph: by detecting held-out classes and, as in the paper, by validation
# cross-entropy. Tuning splits have the seeds 101 and up, tables 1 to 10. Larger graphs get smaller grids, and every
# setting trains for all its epochs. On Planetoid's CiteSeer a second search takes a closer look, on more splits, at
# what the first one preferred. As in the paper, probabilities are as the model gives them.
START = "model=gpn;calibration=none;reg=evidence;"
WIDE = START + ("reg-strength=0,2e-3,8e-3;teleport=0.1,0.25;latent=10,16;activation=relu,logsigmoid;"
                "weight-decay=1e-3,1e-2")
CLOSE = START + "reg-strength=0,5e-4,2e-3;teleport=0.1,0.2;latent=10,16;activation=logsigmoid;weight-decay=1e-3"
PUBMED = START + "reg-strength=2e-3,8e-3,3e-2;teleport=0.1,0.25;latent=10,16"
LARGE = START + "reg-strength=2e-3,8e-3;teleport=0.1,0.25,0.4;class-scale=off,on"
OWN_ERRORS = START + "reg-strength=0,2e-3;teleport=0.1,0.25;share-weight=0,0.3;weight-decay=1e-3,1e-2"
SEARCHES = [  # graph, name, space, seeds, classes held out, finalists (0: all)
    ("coraml", "", WIDE, "101-104", 3, 5), ("citeseer-planetoid", "first-", WIDE, "101-104", 3, 5),
    ("citeseer-planetoid", "", CLOSE, "101-108", 3, 0), ("pubmed", "", PUBMED, "101-106", None, 0),
    ("photos", "", LARGE, "101-102", 2, 0), ("cs", "", LARGE, "101-102", 2, 0),
    ("computers", "", LARGE, "101-101", 2, 0), ("physics", "", LARGE, "101-101", 2, 0)]
ERROR_SEEDS = {"coraml": "101-104", "citeseer-planetoid": "101-104", "photos": "101-103", "pubmed": "101-103",
               "cs": "101-102", "computers": "101-102", "physics": "101-102"}


def tune(graph, folder, *options, output=None):
    return ["credence", "tune", graph, *options, "--trials-dir", f"results/{folder}", "-o",
            output or f"results/{folder}.json"]


def searches():
    found = []
    for criterion in ("left-out-class", "val-ce"):
        for graph, name, space, seeds, held, finalists in SEARCHES:
            options = ["--criterion", criterion, "--space", space, "--seeds", seeds]
            options += ["--finalists", str(finalists)] if finalists else ["--eta", "0"]
            if held and criterion == "left-out-class":
                options += ["--held-out-classes", str(held)]
            found.append(tune(graph, f"tune/{graph}/{name}{criterion}", *options))
    for graph, seeds in ERROR_SEEDS.items():
        found.append(tune(graph, f"tune/{graph}/own-errors", "--criterion", "own-errors", "--space", OWN_ERRORS,
                          "--left-out", "0", "--seeds", seeds, "--eta", "0"))
    return found


def search_seeds(folder):
    """The seeds that the search which filled the folder used."""
    for words in searches():
        if f"results/{folder}" in words:
            first, last = words[words.index("--seeds") + 1].split("-")
            return range(int(first), int(last) + 1)
    raise runs.Missing(f"no search fills results/{folder}")


def as_typed(words):
    """For a shell, which also knows the folder of graphs."""
    return " ".join(word if word.startswith("$CREDENCE_DATA/") else shlex.quote(word) for word in words)


def command():
    return os.environ.get("CREDENCE", str(runs.ROOT / "build" / "credence"))


def output(words):
    """What a command of ours prints."""
    return subprocess.run([command(), *words[1:]], cwd=runs.ROOT, check=True, stdout=subprocess.PIPE).stdout


def run(words):
    """Runs a command of ours from the repository's folder; it goes on where it was stopped."""
    print("$ " + as_typed(words), file=sys.stderr)
    for name, folder in zip(words, words[1:]):
        if name in ("-o", "--trials-dir"):
            (runs.ROOT / folder).parent.mkdir(parents=True, exist_ok=True)
    words = [os.path.expandvars(word) for word in words]
    subprocess.run([command(), *words[1:]], cwd=runs.ROOT, check=True, stdout=subprocess.DEVNULL)


# ---- the ablation: GPNs that may choose one thing more from row to row ----

ABLATION = [("gpn-ce", "GPN-CE", ["entropy-weight"]), ("gpn-ce-act", "GPN-CE-ACT", ["entropy-weight", "activation"]),
            ("gpn-ce-act-gd", "GPN-CE-ACT-GD", ["entropy-weight", "activation", "reg", "reg-weight"])]
ABLATION_SPACE = {"entropy-weight": "0,1e-5,1e-4,1e-3", "activation": "relu,gelu,logsigmoid,hardtanh,sigmoid",
                  "reg": "distance,evidence", "reg-weight": "0,decades:-10..-1/1"}
ABLATION_WEIGHTS = {"pubmed": "0,decades:-10..-2/2"}


def ablation_commands(graph):
    """The plain GPN, then a search for each row; all searches share their trials."""
    space = {**ABLATION_SPACE, "reg-weight": ABLATION_WEIGHTS.get(graph, ABLATION_SPACE["reg-weight"])}
    folder = f"ablation/tuning/{graph}"
    found = [compare("ablation", [graph], models="gpn")]
    for name, _, options in [("gpn", "GPN", [])] + ABLATION:
        values = ";".join(f"{option}={space[option]}" for option in options) or "entropy-weight=1e-4"
        found.append(tune(graph, folder, "--preset", "gpn", "--set", "features=auto", "--seeds", "1", "--space", values,
                          output=f"results/{folder}/{name}.json"))
    return found


def run_ablation():
    """A row keeps the choice of the row before it unless its own has a lower cross-entropy: an option more never makes
    the criterion worse."""
    for graph in ("coraml", "citeseer-planetoid", "pubmed"):
        folder = runs.RESULTS / "ablation" / "tuning" / graph
        commands, best = ablation_commands(graph), None
        run(commands[0])
        for command, (name, title, _) in zip(commands[1:], [("gpn", "GPN", [])] + ABLATION):
            run(command)
            found = json.loads((folder / "tried.json").read_text(encoding="utf-8"))["tried"][0]
            if best is None or found["cross_entropy"] < best["cross_entropy"]:
                best = found
            path = folder / f"{name}.json"
            path.write_text(json.dumps(best["config"], indent=2) + "\n", encoding="utf-8")
            if name != "gpn":
                run(compare("ablation", [graph], models="config", config=path.relative_to(runs.ROOT),
                            config_title=title))


def write_configurations():
    """Configurations that are not chosen by a search."""
    path = pathlib.Path(runs.RESULTS / "gpn-logsigmoid.json")
    path.write_text('{"preset": "gpn", "activation": "logsigmoid"}\n', encoding="utf-8")
