# SPDX-License-Identifier: MIT
"""A map of a model's latent space, beside scikit-learn's Barnes-Hut t-SNE: seconds, and how good the map is."""
import json
import zipfile
from pathlib import Path

import timing
from timing import figure

PEER = Path(__file__).resolve().parent.parent / "peer" / "tsne.py"
PERPLEXITY = 30


def run(context):
    graph = next((name for name in (["coraml"] if context.quick else ["physics", "coraml"]) if name in context.data),
                 None)
    if graph is None:
        context.say("tsne: skipped, the public graphs are not here (CREDENCE_DATA)")
        return []
    points = latents(context, graph)
    iterations = 500 if context.quick else 1000
    figures, best = ours(context, graph, points, iterations)
    python = context.python["sklearn"]
    if python is None or python != context.python["numpy"]:
        context.say("tsne: scikit-learn is skipped: its Python package is not here (scripts/setup.sh bench)")
        return figures
    return figures + theirs(context, python, graph, points, iterations, best)


def latents(context, graph):
    """The latent space of a model of the graph, as an .npy file."""
    context.say(f"tsne: training on {graph}")
    model, answers = context.work / "tsne.safetensors", context.work / "tsne.npz"
    timing.run_child([context.credence, "train", context.data[graph], "-o", model, "-q"])
    timing.run_child([context.credence, "predict", model, context.data[graph], "--full", "-o", answers, "-q"])
    with zipfile.ZipFile(answers) as archive:
        return Path(archive.extract("latent.npy", context.work))


def options(iterations, threads):
    return ["--perplexity", PERPLEXITY, "--iterations", iterations, "--threads", threads]


def count(threads):
    return f"{threads} thread" + "s" * (threads > 1)


def ours(context, graph, points, iterations):
    """The figures, and of the largest number of threads the seconds and the divergence."""
    context.say(f"tsne: {graph}")
    calls = [lambda threads=threads: timing.run_child([context.build / "bench_tsne", points,
                                                       *options(iterations, threads)]) for threads in context.threads]
    figures = []
    for threads, runs in zip(context.threads, timing.interleaved(calls, 3)):
        answers = [json.loads(output) for _, _, output in runs]
        best = [answer["seconds"] for answer in answers], answers[0]["divergence"]
        title = f"{graph}, {answers[0]['points']:,} points, {iterations} iterations"
        facts = {"points": answers[0]["points"], "dims": answers[0]["dims"], "iterations": iterations}
        figures.append(figure("tsne", f"{title}: Credence, {count(threads)}", "s", best[0], better="lower", **facts,
                              before_seconds=timing.median([answer["before_seconds"] for answer in answers]),
                              descent_seconds=timing.median([answer["descent_seconds"] for answer in answers]),
                              memory_bytes=timing.median([memory for _, memory, _ in runs])))
    figures.append(figure("tsne", f"{title}: divergence, Credence", "nats", [best[1]], better="lower",
                          told=answers[0]["told_divergence"]))
    return figures, best


def theirs(context, python, graph, points, iterations, best):
    """Once, because it takes minutes; its map is measured as ours is."""
    threads = context.threads[-1]
    context.say(f"tsne: {graph} with scikit-learn")
    made = context.work / "map.npy"
    answer = json.loads(timing.run_child([python, PEER, points, made, *options(iterations, threads)],
                                         {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads})[2])
    measured = json.loads(timing.run_child([context.build / "bench_tsne", points, "--map", made, "--perplexity",
                                            PERPLEXITY])[2])
    title = f"{graph}, {measured['points']:,} points, {iterations} iterations"
    ratio = answer["seconds"] / timing.median(best[0])
    return [figure("tsne", f"{title}: scikit-learn, {count(threads)}", "s", [answer["seconds"]], better="lower",
                   peer=True, version=answer["version"], processor_seconds=answer["processor_seconds"]),
            figure("tsne", f"{title}: scikit-learn / Credence", "x", [ratio], better="higher"),
            figure("tsne", f"{title}: divergence, scikit-learn", "nats", [measured["divergence"]], better="lower",
                   peer=True, told=answer["told_divergence"])]
