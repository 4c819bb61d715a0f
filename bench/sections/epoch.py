# SPDX-License-Identifier: MIT
"""Seconds per epoch and memory, beside three PyTorch programs that compute the same.

Nothing is timed before all four agree: from the same weights, with the same split and without dropout, on every
term of the first loss and on the loss and the validation cross-entropy of some epochs.
"""
import json
import math
import os
from pathlib import Path

import timing
from timing import figure

PEERS = Path(__file__).resolve().parent.parent / "peer"
REGULARISERS = {"distance": "R_D", "evidence": "R_alpha"}
GRAPHS = ["coraml", "citeseer", "citeseer-planetoid", "pubmed", "computers", "photos", "cs", "physics"]
QUICK_GRAPHS = ["coraml"]  # another would take --quick beyond its two minutes
ARXIV_PART = 20_000  # nodes of the part of arxiv that the published way can hold

# glibc keeps freed memory instead of asking the system for fresh pages again, which matters for large tensors.
KEEP_MEMORY = {"MALLOC_MMAP_MAX_": 0, "MALLOC_TRIM_THRESHOLD_": 10**12, "MALLOC_TOP_PAD_": 64 << 20}

# If a real graph is missing: one of its size, for `credence generate`, and how it is run.
LIKE = {
    "coraml": (2995, 5.45, 2879, 50, 7, 3), "citeseer": (4230, 2.52, 602, 5, 6, 2),
    "citeseer-planetoid": (3327, 2.74, 3703, 32, 6, 2), "pubmed": (19717, 4.5, 500, 50, 3, 1),
    "computers": (13752, 35.8, 767, 267, 10, 5), "photos": (7650, 31.1, 745, 259, 8, 3),
    "cs": (18333, 8.93, 6805, 60, 15, 4), "physics": (34493, 14.4, 8415, 33, 5, 2),
}

AGREEMENT_EPOCHS = 5
AGREEMENT_BUDGET = 15  # seconds; a peer that is slower is compared over fewer epochs, two at least
TOLERANCE = 1e-4  # relative; single precision, added up in another order by each
ROUNDS = 3
SLOW = 4.0  # seconds an epoch; a program that is slower sits out every second round
HEAVY = 0.3  # of the first loss: the regulariser's part where its gradient is to be felt


class Side:
    """One of the four programs: how it is run, and for how long at a time."""

    def __init__(self, name, command, budget, variables=None):
        self.name, self.command, self.budget, self.variables = name, command, budget, variables or {}

    def run(self, case, threads, epochs, settings=(), budget=None):
        """One process: (its JSON, peak bytes)."""
        variables = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "MKL_NUM_THREADS": threads,
                     "BLIS_NUM_THREADS": threads, **self.variables}
        _, peak, output = timing.run_child(self.command(case, threads, epochs, settings, budget), variables)
        return json.loads(output), peak


def sides(context):
    def ours(case, threads, epochs, settings, _):
        return [context.build / "bench_epoch", case / "data.npz", "--config", case / "config.json", "--split-file",
                case / "split.csv", "--init", case / "init.safetensors", "--threads", threads, "--epochs", epochs,
                *(word for setting in settings for word in ("--set", setting))]

    def peer(file):
        def command(case, threads, epochs, settings, budget):
            return [context.python["torch"], PEERS / file, case, "--threads", threads, "--epochs", epochs,
                    *(["--budget", budget] if budget else []),
                    *(word for setting in settings for word in ("--set", setting))]
        return command

    found = [Side("ours", ours, 0.5)]
    if context.python.get("torch") and context.python.get("numpy"):
        # This order in every round; ours is last, so that it does not get the machine's first moments.
        found = [Side("published", peer("published.py"), 1.5),
                 Side("sparse", peer("sparse.py"), 1.0, KEEP_MEMORY),
                 Side("by hand", peer("by_hand.py"), 1.0, KEEP_MEMORY)] + found
    else:
        context.say("epoch: the PyTorch peers are skipped, there is no Python with torch and numpy "
                    "(scripts/setup.sh bench installs them)")
    return found


# ---- cases ----

def path_name(title):
    return "".join(letter if letter.isalnum() else "-" for letter in title)


def write_case(context, name, source, regulariser, options):
    folder = context.work / f"epoch-{name}-{regulariser}"
    folder.mkdir(exist_ok=True)
    timing.run_child([context.build / "bench_epoch", source, *options, "--set", f"reg={regulariser}", "--seed", 1,
                      "--write", folder])
    return folder


def generate(context, name):
    """A graph of the size of a real one that is not here."""
    nodes, degree, features, words, classes, left_out = LIKE[name]
    path = context.work / f"like-{name}.npz"
    if not path.exists():
        timing.run_child([context.credence, "generate", "-o", path, "--nodes", nodes, "--classes", classes,
                          "--vocabulary", features, "--degree", degree, "--words", words, "--seed", 1])
    preset = "gpn-amazon" if name in ("computers", "photos") else "gpn"
    return path, ["--preset", preset, "--left-out", left_out, "--split", "5/15/80"]


def arxiv(context, python, part):
    """arxiv's graph with made-up features; part: so many of its nodes, or None for all."""
    path = context.work / ("arxiv-part.npz" if part else "arxiv.npz")
    if not path.exists():
        timing.run_child([python, PEERS / "arxiv.py", context.data["arxiv"], path,
                          *(["--nodes", part] if part else [])])
    return path, ["--preset", "arxiv", "--left-out", 15, "--split", "auto"]


def cases(context, python):
    """(name, where, regulariser, the names of the sides that sit it out), one at a time: each takes room on disk."""
    for name in QUICK_GRAPHS if context.quick else GRAPHS:
        for regulariser in ["distance"] if context.quick else REGULARISERS:
            if name in context.data:
                source, options, title = context.data[name], ["--known", name], name
            else:
                source, options = generate(context, name)
                title = f"like {name}"
            yield title, write_case(context, name, source, regulariser, options), regulariser, set()
    if context.quick:
        return
    if "arxiv" not in context.data or python is None:
        context.say("epoch: the arxiv-sized case is skipped: "
                    + ("it needs numpy" if "arxiv" in context.data else "ogbn-arxiv's graph is not here"))
        return
    for regulariser in REGULARISERS:
        for part in (ARXIV_PART, None):
            source, options = arxiv(context, python, part)
            title = f"arxiv, {part:,} nodes" if part else "arxiv"
            # The published way allocates memory for every node, class and pair of dimensions, which does not fit.
            without = set() if part else {"published"}
            folder = write_case(context, path_name(title), source, regulariser, options)
            yield title, folder, regulariser, without


# ---- agreement ----

def apart(a, b):
    """Relative difference; of what is not a number, infinite."""
    if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    return abs(a - b) / max(abs(a), abs(b), 1e-30)


def disagreement(ours, theirs):
    """The largest relative difference of the first step, and of the epochs; of what, where beyond tolerance."""
    if set(ours["first_terms"]) != set(theirs["first_terms"]):
        return math.inf, math.inf, f"the terms {sorted(ours['first_terms'])} and {sorted(theirs['first_terms'])}"
    problem, first, later = None, 0.0, 0.0
    for term, value in ours["first_terms"].items():
        difference = apart(value, theirs["first_terms"][term])
        first = max(first, difference)
        if difference > TOLERANCE:
            problem = problem or f"{term} of the first step: {value:.9g} and {theirs['first_terms'][term]:.9g}"
    for what in ("loss", "validation_cross_entropy"):
        if len(theirs[what]) < 2:
            return math.inf, math.inf, f"the number of epochs: {len(ours[what])} and {len(theirs[what])}"
        for epoch, (a, b) in enumerate(zip(ours[what], theirs[what]), 1):
            difference = apart(a, b)
            later = max(later, difference)
            if difference > TOLERANCE:
                problem = problem or f"{what} of epoch {epoch}: {a} and {b}"
    return first, later, problem


def check(context, title, case, programs, settings=()):
    """Fails unless all compute the same. Returns what each said, and how far each peer is from ours."""
    settings = ["dropout=0", "warmup=0", *settings]
    answers = {side.name: side.run(case, 1, AGREEMENT_EPOCHS, settings, AGREEMENT_BUDGET)[0] for side in programs}
    found = {}
    for name, answer in answers.items():
        if name == "ours":
            continue
        first, later, problem = disagreement(answers["ours"], answer)
        if problem:
            raise ValueError(f"{title}: {name} and ours do not compute the same, so no time is taken: {problem} "
                             f"(tolerance {TOLERANCE:g})")
        found[name] = {"first_step": first, "later": later, "epochs": answer["epochs"]}
    if found:
        context.say(f"epoch: {title}: agree ("
                    + "; ".join(f"{name} {d['first_step']:.0e} first step, {d['later']:.0e} in "
                                f"{d['epochs']} epochs" for name, d in found.items()) + ")")
    return answers, found


# ---- time ----

def middle(answer):
    """Seconds of an epoch of one process; its first one also touches memory for the first time."""
    return timing.median(answer["seconds"][1:])


def epochs_for(side, answer, quick):
    """As many as fill the side's time, by how long one took when they were compared."""
    return max(3, min(20 if quick else 50, round(side.budget / middle(answer))))


def in_turn(case, threads, programs, answers, quick):
    """Name -> for every round (answer, peak bytes), or None where the program sat it out."""
    rounds = 2 if quick else ROUNDS

    def caller(side):
        answer, turns = answers[side.name], iter(range(rounds))

        def call():
            if next(turns) % 2 == 1 and middle(answer) > SLOW:
                return None
            return side.run(case, threads, epochs_for(side, answer, quick), ["warmup=0"], side.budget)
        return call
    return dict(zip((side.name for side in programs), timing.interleaved([caller(side) for side in programs], rounds)))


def measure(context, title, case, regulariser, threads, programs, answers, agreement):
    runs = in_turn(case, threads, programs, answers, context.quick)
    row = f"{title}, {REGULARISERS[regulariser]}, {threads} thread" + "s" * (threads > 1)

    def time(column, unit, values, **facts):
        return figure("epoch", f"{row}: {column}", unit, values, grid="seconds an epoch", row=row, column=column,
                      **facts)

    def peak(column, unit, values, **facts):
        return figure("epoch", f"{row}: memory, {column}", unit, values, grid="peak memory", row=row, column=column,
                      **facts)

    seconds = {name: [took and middle(took[0]) for took in run] for name, run in runs.items()}
    memory = {name: [took and took[1] for took in run] for name, run in runs.items()}
    ours = runs["ours"][0][0]
    shape = {fact: ours[fact] for fact in ("nodes", "edges", "features", "classes")}
    figures = [time("ours", "s", there(seconds["ours"]), **shape)]
    peers = [name for name in runs if name != "ours"]
    for name in peers:
        first = runs[name][0][0]
        figures.append(time(name, "s", there(seconds[name]), peer=True, agreement=agreement[name],
                            torch=first["torch"], blas=first["blas"], mkl=first["mkl"], chosen=first["chosen"]))
    # Ratios are within a round, so that a disturbance of the machine is in both numbers.
    for name in peers:
        figures.append(time(f"{name} / ours", "x", divided(seconds[name], seconds["ours"]), better="higher"))
    figures.append(peak("input", "bytes", [ours["input_bytes"]]))
    figures.append(peak("ours", "bytes", there(memory["ours"])))
    figures.append(peak("ours / input", "x", [value / ours["input_bytes"] for value in there(memory["ours"])]))
    for name in peers:
        figures.append(peak(name, "bytes", there(memory[name]), peer=True))
    for name in peers:
        figures.append(peak(f"{name} / ours", "x", divided(memory[name], memory["ours"]), better="higher"))
    return figures


def there(values):
    return [value for value in values if value is not None]


def divided(theirs, ours):
    return [a / b for a, b in zip(theirs, ours) if a is not None and b is not None]


def torch_alone(context):
    """What a process that has only loaded PyTorch takes, to read the peers' memory by."""
    argv = [context.python["torch"], "-c", "import numpy, torch"]
    return figure("epoch", "memory of a process that has only loaded PyTorch", "bytes",
                  [timing.run_child(argv)[1] for _ in range(3)], peer=True)


def warn_of_build(context, answers):
    if any(answer.get("blas") == "reference" for answer in answers.values()):
        context.say("epoch: PyTorch multiplies with the reference BLAS here, many times slower than it could: the "
                    "ratios flatter us (scripts/setup.sh bench installs OpenBLAS)")
    if any(answer.get("mkl") is False for answer in answers.values()):
        context.say("epoch: PyTorch is built without MKL here, and slow with its own sparse matrices: "
                    "the ratio to sparse flatters us, by hand goes round it")


def check_small(context, programs):
    """A small generated graph first: quick to fail, and there without any data."""
    path = context.work / "small.npz"
    timing.run_child([context.credence, "generate", "-o", path, "--nodes", 300, "--classes", 5, "--vocabulary", 200,
                      "--seed", 7])
    for regulariser in REGULARISERS:
        case = write_case(context, "small", path, regulariser, ["--preset", "gpn-amazon", "--left-out", 1, "--split",
                                                               "20/30/50"])
        title = f"a small graph, {REGULARISERS[regulariser]}"
        # --quick leaves the usual weight to the graphs that are timed.
        answers, _ = check(context, title, case, programs[-1:] if context.quick else programs)
        # With its usual weight the regulariser is almost nothing at first, and so is a mistake in its gradient.
        terms = answers["ours"]["first_terms"]
        strength = json.loads((case / "config.json").read_text())["reg-strength"]
        strength *= HEAVY * terms["uce"] / terms[regulariser]
        answers, _ = check(context, f"{title}, heavy", case, programs, [f"reg-strength={strength:.9g}"])
    warn_of_build(context, answers)


def run(context):
    programs = sides(context)
    figures = []
    check_small(context, programs)
    missing = [name for name in (QUICK_GRAPHS if context.quick else GRAPHS) if name not in context.data]
    if missing:
        context.say(f"epoch: generated graphs of like size stand for {', '.join(missing)}, which are not here "
                    "(CREDENCE_DATA)")
    for title, case, regulariser, without in cases(context, context.python.get("numpy")):
        taking_part = [side for side in programs if side.name not in without]
        try:
            answers, agreement = check(context, f"{title}, {REGULARISERS[regulariser]}", case, taking_part)
            for threads in context.threads[:1] if context.quick else context.threads:
                context.say(f"epoch: {title}, {REGULARISERS[regulariser]}, threads: {threads}")
                figures += measure(context, title, case, regulariser, threads, taking_part, answers, agreement)
        except (timing.ChildFailed, ValueError) as problem:
            context.fail("epoch", problem)  # the other graphs' figures are still good
        for file in case.iterdir():
            os.unlink(file)
    if len(programs) > 1:
        figures.append(torch_alone(context))
    return figures
