# SPDX-License-Identifier: MIT
"""Opening a graph, beside NumPy, SciPy and pandas reading the same file and making the same graph of it."""
import json
import shutil
from pathlib import Path

import timing
from timing import figure

PEER = Path(__file__).resolve().parent.parent / "peer" / "loading.py"


def run(context):
    figures = []
    for title, path, peers in files(context):
        missing = [peer for peer in peers if python_for(context, peer) is None]
        for peer in missing:
            context.say(f"loading: {peer} is skipped: its Python packages are not here (scripts/setup.sh bench)")
        figures += compare(context, title, path, [peer for peer in peers if peer not in missing])
    return figures


def files(context):
    """(title, path, peers) of each file; those that are made are removed after use."""
    graphs = ["coraml"] if context.quick else ["coraml", "computers", "physics", "arxiv"]
    for name in graphs:
        if name in context.data:
            yield f"{name}, NPZ", context.data[name], ["scipy"]
    nodes = 10_000 if context.quick else 50_000
    made = context.work / "loading"
    for title, options, file, peers in [
            ("dense features, NPZ", ["--features", "100"], "graph.npz", ["scipy"]),
            ("dense features, CSV folder", ["--features", "100", "--to", "csv"], "folder", ["pandas"]),
            ("edge list, CSV", ["--features", "0", "--to", "csv"], "folder/edges.csv", ["pandas", "numpy"])]:
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        timing.run_child([context.build / "bench_graph", made / file.split("/")[0], "--nodes", nodes,
                          "--degree", "20", *options])
        yield f"{nodes // 1000} k nodes, {title}", made / file, peers
    shutil.rmtree(made, ignore_errors=True)


def python_for(context, peer):
    """An interpreter with the peer's packages, or None."""
    needed = {"numpy", "scipy", peer}
    found = {context.python[module] for module in needed}
    return found.pop() if len(found) == 1 else None


def measure(command):
    """The first time does not count, on either side: libraries still load parts of themselves then."""
    answer = json.loads(timing.run_child(command)[2])
    for key in ("seconds", "read_seconds"):
        if key in answer:
            answer[key] = answer[key][1:]
    return answer


def compare(context, title, path, peers):
    context.say(f"loading: {title}")
    commands = [[context.build / "bench_load", path, "--repeats", "3"]]
    commands += [[python_for(context, peer), PEER, peer, path, "--repeats", "3"] for peer in peers]
    calls = [lambda command=command: measure(command) for command in commands]
    ours, *others = timing.interleaved(calls, 2 if context.quick else 4)
    for peer, answers in zip(peers, others):
        if answers[0]["edges"] != ours[0]["edges"]:
            raise ValueError(f"{title}: {peer} found {answers[0]['edges']} edges, Credence {ours[0]['edges']}")
    facts = {key: ours[0][key] for key in ("nodes", "edges", "features", "features_nonzero")}
    facts["bytes"] = sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size
    seconds = [s for answer in ours for s in answer["seconds"]]
    place = {"grid": "opening a file", "row": f"{title}, {facts['bytes'] / 1e6:.1f} MB"}
    figures = [figure("loading", f"{title}: Credence", "s", seconds, better="lower", column="Credence", **place, **facts)]
    for peer, answers in zip(peers, others):
        theirs = [s for answer in answers for s in answer["seconds"]]
        reading = [s for answer in answers for s in answer["read_seconds"]]
        figures.append(figure("loading", f"{title}: {peer}", "s", theirs, better="lower", column=peer, **place,
                              read_seconds=timing.median(reading), peer=True))
        ratios = [timing.median(b["seconds"]) / timing.median(a["seconds"]) for a, b in zip(ours, answers)]
        figures.append(figure("loading", f"{title}: {peer} / Credence", "x", ratios, better="higher",
                              column=f"{peer} / Credence", **place))
    return figures
