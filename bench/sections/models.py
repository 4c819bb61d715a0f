# SPDX-License-Identifier: MIT
"""Seconds an epoch of the trained models beside the GPN."""
import json

import timing
from timing import figure

MODELS = ["appnp", "vgcn", "gkde-gcn"]


def run(context):
    figures = []
    graphs = [name for name in (["coraml"] if context.quick else ["coraml", "computers", "physics"])
              if name in context.data]
    if not graphs:
        context.say("models: skipped, the public graphs are not here (CREDENCE_DATA)")
    for graph in graphs:
        for threads in context.threads:
            context.say(f"models: {graph}, threads: {threads}")
            calls = [lambda model=model: train(context, graph, model, threads) for model in MODELS]
            for model, answers in zip(MODELS, timing.interleaved(calls, 3 if context.quick else 5)):
                figures.append(figure("models", f"{model}, {graph}, {threads} thread" + "s" * (threads > 1), "s",
                                      [answer["median_seconds"] for answer in answers], better="lower",
                                      grid="seconds an epoch", row=f"{model}, {graph}",
                                      column=f"{threads} thread" + "s" * (threads > 1),
                                      epochs=answers[0]["epochs"], nodes=answers[0]["nodes"],
                                      edges=answers[0]["edges"]))
    return figures


def train(context, graph, model, threads):
    """Of gkde-gcn the teacher's epochs, which come first, are not counted."""
    _, _, output = timing.run_child([context.build / "bench_epoch", str(context.data[graph]), "--known", graph,
                                     "--set", f"model={model}", "--epochs", "15" if context.quick else "50",
                                     "--threads", str(threads)])
    return json.loads(output)
