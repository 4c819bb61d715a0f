# SPDX-License-Identifier: MIT
"""New nodes with ten edges each, appended and scored, beside predictions of the whole graph in the same run."""
import json

import timing
from timing import figure

# nodes, additions, compared with a whole prediction after so many
SIZE, QUICK = (100_000, 1000, 20), (10_000, 100, 10)
KINDS = {"committee": 20, "gpn": 25, "appnp": 20}  # and epochs


def run(context):
    nodes, additions, every = QUICK if context.quick else SIZE
    figures = []
    for kind, epochs in KINDS.items():
        context.say(f"serving: {kind}, {nodes:,} nodes")
        _, _, output = timing.run_child([context.build / "bench_serving", kind, str(nodes), str(additions), str(every),
                                         str(epochs)])
        figures += figures_of(kind, json.loads(output))
    return figures


def figures_of(kind, answer):
    wall, cpu, whole = answer["wall"], answer["cpu"], answer["whole"]["median"]
    columns = [("one node, median", "s", wall["median"]), ("one node, mean", "s", wall["mean"]),
               ("one node, 99th percentile", "s", wall["p99"]),
               ("one node, median of processor time", "s", cpu["median"]),
               (f"{answer['additions']} nodes in one call", "s", answer["together"]),
               ("whole graph rebuilt and predicted", "s", whole),
               ("whole / one node, median", "x", whole / wall["median"]),
               ("largest relative difference", "", answer["difference"])]
    return [figure("serving", f"{name}, {kind}", unit, [value], better="higher" if unit == "x" else "lower",
                   grid="serving", row=kind, column=name, nodes=answer["nodes"])
            for name, unit, value in columns]
