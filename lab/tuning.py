# SPDX-License-Identifier: MIT
"""What a search chose, worked out again from its trials."""
import json
import math

import runs


def choice(folder, seeds, most_loss=0.015):
    """The setting that the last rung of a search chose: of those that were trained in full on every split the one with
    the lowest cross-entropy, or with the best AUROC if its accuracy is at most `most_loss`, and one standard error of
    its own, below the best. The file may hold trials of other seeds, which do not count."""
    settings, wanted = {}, set()
    for line in runs.read_lines(runs.RESULTS / folder / "trials.jsonl"):
        if line["seed"] not in seeds:
            continue
        key = json.dumps(line["config"], sort_keys=True)
        ended = line["budget"] < 0 or line.get("training", {}).get("stop") not in ("epochs", None)
        if "error" in line or not ended:
            continue  # a training that ended by itself would have ended so with any budget
        settings.setdefault(key, {})[line["seed"], line["held_out"]] = line
        wanted.add((line["seed"], line["held_out"]))
        detects = line["criterion"] != "val-ce"
    found = [summary(trials, detects) for trials in settings.values() if len(trials) == len(wanted)]
    if detects:
        best = max(one["accuracy"] for one in found)
        found = [one for one in found if one["accuracy"] + one["chance"] >= best - most_loss - 1e-12]
        return max(found, key=lambda one: one["score"])
    return min(found, key=lambda one: one["score"])


def summary(trials, detects):
    """A setting's trials taken together: mean over splits of the mean over held-out classes."""
    lines = [trials[key] for key in sorted(trials, key=lambda key: (key[0], key[1] or 0))]
    by_split = {}
    for line in lines:
        by_split.setdefault(line["seed"], []).append(line)
    held = len(lines) // len(by_split)
    scores = [sum(line["metrics"]["auroc" if detects else "cross_entropy"] / held for line in split)
              for split in by_split.values()]
    accuracy = sum(line["metrics"]["accuracy"] / len(lines) for line in lines)
    own = lines[0]["criterion"] == "own-errors"
    checked = sum((line["metrics"].get("negatives", 0) + (line["metrics"].get("positives", 0) if own else 0)) / held
                  for line in lines)
    mean = sum(scores) / len(scores)
    error = None
    if len(scores) > 1:
        variance = sum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
        error = math.sqrt(variance / len(scores))
    return {"title": lines[0]["title"], "config": lines[0]["config"], "score": mean, "standard_error": error,
            "accuracy": accuracy, "chance": math.sqrt(accuracy * (1 - accuracy) / checked) if checked else 0.0}
