# SPDX-License-Identifier: MIT
"""What a person waits for: from the start of a process to what it has written, on CoraML."""
import json
import shutil

import timing
from timing import figure


def run(context):
    if "coraml" not in context.data:
        context.say("end_to_end: skipped, CoraML is not here (CREDENCE_DATA)")
        return []
    return train_and_predict(context) + table(context) + tune(context)


def train_and_predict(context):
    context.say("end_to_end: train and predict")
    credence, data = context.credence, str(context.data["coraml"])
    model, answers = context.work / "end.safetensors", context.work / "end.csv"
    train, predict, both, facts = [], [], [], {}
    for _ in range(3 if context.quick else 9):
        first, _, output = timing.run_child([credence, "train", data, "-o", str(model), "--json", "-q"])
        second, _, _ = timing.run_child([credence, "predict", str(model), data, "-o", str(answers), "-q"])
        train.append(first)
        predict.append(second)
        both.append(first + second)
        facts = {key: json.loads(output)[key] for key in ("epochs", "best_epoch", "graph_nodes")}
    return [
        figure("end_to_end", "CoraML: train and predict, start to written answers", "s", both, **facts),
        figure("end_to_end", "CoraML: train, start to saved model", "s", train, **facts),
        figure("end_to_end", "CoraML: predict, start to written answers", "s", predict, **facts),
    ]


def table(context):
    """The table of out-of-distribution detection: its six models, each seed a split of its own."""
    seeds, repeats = (1, 2) if context.quick else (10, 3)
    models = ["lp", "gkde", "vgcn", "gkde-gcn", "gpn", "ours"]
    seconds = []
    for _ in range(repeats):
        context.say(f"end_to_end: the table, {len(models)} models x {seeds} seed" + "s" * (seeds > 1))
        folder = fresh(context.work / "end-table")
        taken, _, _ = timing.run_child(
            [context.credence, "compare", "coraml", "--data-dir",
             str(context.data["coraml"].parent), "--models", ",".join(models), "--seeds", str(seeds), "-o", str(folder),
             "-q"])
        runs = count_lines(folder / "runs.jsonl")
        if runs != len(models) * seeds:
            raise ValueError(f"the table has {runs} runs, expected {len(models) * seeds}")
        seconds.append(taken)
        shutil.rmtree(folder)
    return [figure("end_to_end", f"CoraML: table of {len(models)} models x {seeds} seed" + "s" * (seeds > 1), "s",
                   seconds, runs=len(models) * seeds)]


def tune(context):
    """Every trial is a training to its end; the same settings are drawn each time."""
    trials, repeats = (2, 2) if context.quick else (20, 3)
    rates = []
    for _ in range(repeats):
        context.say(f"end_to_end: tune, {trials} trials")
        folder = fresh(context.work / "end-tune")
        taken, _, _ = timing.run_child(
            [context.credence, "tune", "coraml", "--data-dir", str(context.data["coraml"].parent), "--search",
             "random", "--trials", str(trials), "--seeds", "1", "--eta", "0", "--trials-dir", str(folder), "-o",
             str(context.work / "end-tune.json"), "-q"])
        done = count_lines(folder / "trials.jsonl")
        if done != trials:
            raise ValueError(f"tune made {done} trials, expected {trials}")
        rates.append(60.0 * done / taken)
        shutil.rmtree(folder)
    return [figure("end_to_end", f"CoraML: tune, trials a minute, {trials} trials", "1/min", rates, better="higher")]


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def count_lines(path):
    with open(path, encoding="utf-8") as lines:
        return sum(1 for _ in lines)
