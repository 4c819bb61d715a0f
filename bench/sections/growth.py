# SPDX-License-Identifier: MIT
"""How time and memory grow with the graph: made-up ones of one mean degree, up to the size of ogbn-products."""
import json
import math
import os
import shutil

import timing
from timing import figure

DEGREE, FEATURES, CLASSES = 51.7, 100, 47  # 2.4 million nodes then have 62 million edges
# nodes, epochs per run, runs
SIZES = [(10_000, 20, 3), (100_000, 8, 3), (1_000_000, 4, 2), (2_400_000, 4, 1)]
QUICK = [(10_000, 10, 3), (100_000, 3, 2)]


def run(context):
    figures, edges, seconds = [], [], []
    for nodes, epochs, runs in QUICK if context.quick else SIZES:
        lacking = what_lacks(nodes, context.work)
        if lacking:
            context.say(f"growth: {title(nodes)} nodes are skipped: {lacking}")
            continue
        context.say(f"growth: {title(nodes)} nodes")
        path = context.work / f"growth-{nodes}.npz"
        try:
            timing.run_child([context.build / "bench_graph", str(path), "--nodes", str(nodes), "--degree",
                              str(DEGREE), "--features", str(FEATURES), "--classes", str(CLASSES)])
            answers = [train(context, path, epochs) for _ in range(runs)]
        finally:
            path.unlink(missing_ok=True)
        found = figures_of(nodes, answers)
        figures += found
        edges.append(answers[0]["edges"])
        seconds.append(found[0]["value"])
    if len(edges) > 1:
        figures.append({"section": "growth", "name": f"log-log slope of seconds an epoch against edges, {len(edges)} "
                        "sizes", "unit": "", "value": slope(edges, seconds), "repeats": 1, "spread": 0.0,
                        "better": "lower", "edges": edges, "seconds": seconds})
    return figures


def train(context, path, epochs):
    """What bench_epoch says, with the largest memory of its process."""
    _, peak, output = timing.run_child([context.build / "bench_epoch", str(path), "--preset", "gpn", "--set",
                                        "warmup=0", "--epochs", str(epochs), "--threads", str(max(context.threads))])
    return {**json.loads(output), "peak_bytes": peak}


def figures_of(nodes, answers):
    first = answers[0]
    facts = {"nodes": first["nodes"], "edges": first["edges"], "input_bytes": first["input_bytes"]}
    # A single run is judged by its epochs, without the first, which touches new memory.
    epochs = ([answer["median_seconds"] for answer in answers] if len(answers) > 1
              else first["seconds"][1:] or first["seconds"])
    columns = [("seconds an epoch", "s", epochs),
               ("loading", "s", [answer["load_seconds"] for answer in answers]),
               ("peak memory", "bytes", [answer["peak_bytes"] for answer in answers]),
               ("peak memory / input arrays", "x", [answer["peak_bytes"] / first["input_bytes"] for answer in answers])]
    return [figure("growth", f"{name}, {title(nodes)} nodes", unit, values, better="lower", grid="made-up graphs",
                   row=f"{title(nodes)} nodes, {first['edges']:,} edges", column=name, **facts)
            for name, unit, values in columns]


def slope(x, y):
    """Of the straight line through the points' logarithms, by least squares: 1 is linear."""
    x, y = [math.log(value) for value in x], [math.log(value) for value in y]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def title(nodes):
    return f"{nodes / 1e6:g} M" if nodes >= 1_000_000 else f"{nodes // 1000} k"


def what_lacks(nodes, work):
    """Room on disk and in memory, or what is missing of it, as words. A node costs about 4 KB of memory while the
    graph is made or trained (features, 52 neighbours, hidden layers), and 1 KB on disk."""
    memory, disk = 4096 * nodes, 1024 * nodes
    free = shutil.disk_usage(work).free
    if free < disk * 3 // 2:
        return f"{disk * 3 / 2e9:.1f} GB of disk are needed in {work}, {free / 1e9:.1f} GB are free"
    have = available_memory()
    if have is not None and have < memory:
        return f"{memory / 1e9:.1f} GB of memory are needed, {have / 1e9:.1f} GB are available"
    return None


def available_memory():
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None
