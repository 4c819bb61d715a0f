# SPDX-License-Identifier: MIT
"""The memory of a graph that is lent as arrays, beside the arrays themselves."""
import json

import timing
from timing import figure

SIZE, QUICK = (2_400_000, 62_400_000), (100_000, 2_600_000)  # nodes, edges
KIND = "gpn"


def run(context):
    nodes, edges = QUICK if context.quick else SIZE
    context.say(f"arrays: {nodes:,} nodes, {edges:,} edges")
    _, _, output = timing.run_child([context.build / "bench_arrays", KIND, str(nodes), str(edges)])
    return figures_of(json.loads(output))


def figures_of(answer):
    if not answer["same_addresses"]:
        raise timing.ChildFailed("bench_arrays: arrays that were lent have been copied")
    given = answer["held_before"]
    columns = [("arrays that are lent", "bytes", answer["input_bytes"]),
               ("dataset beside them", "bytes", answer["held_after"] - given),
               ("most while it is made, beside them", "bytes", answer["most_while_making"] - given),
               ("most while it trains, beside them", "bytes", answer["most_while_training"] - given),
               ("as crd_train_memory foretells", "bytes", answer["estimate_of_training"])]
    return [figure("arrays", name, unit, [value], better="lower", grid="arrays", row=KIND, column=name,
                   nodes=answer["nodes"]) for name, unit, value in columns]
