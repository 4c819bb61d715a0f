# SPDX-License-Identifier: MIT
"""Every hot kernel by itself, beside the most that the machine can do; bench/kernels.c measures."""
import json

import timing


def run(context):
    command = [context.build / "bench_kernels", "--threads", ",".join(map(str, context.threads))]
    if context.quick:
        command += ["--quick", "--isa", "best", "--shapes", "computers,arxiv", "--samples", "5", "--seconds", "0.004"]
    else:
        command += ["--isa", "all"]
    context.say("kernels: " + ("the best instruction set" if context.quick else "all instruction sets"))
    _, _, output = timing.run_child(command)
    figures = []
    for line in output.splitlines():
        fact = json.loads(line)
        figures += roof(fact) if fact["type"] == "roof" else [kernel(fact)]
    return figures


def setup(fact):
    return f"{fact['isa']}, {fact['threads']} thread" + ("s" if fact["threads"] > 1 else "")


def roof(fact):
    """The roof is the best of many: it has no spread of its own."""
    common = {"section": "kernels", "repeats": 1, "spread": 0.0, "better": "higher"}
    figures = [{**common, "name": f"roof: arithmetic ({setup(fact)})", "unit": "GFLOP/s",
                "value": fact["flops"] / 1e9}]
    for level, at in fact["levels"].items():
        figures.append({**common, "name": f"roof: {level} read ({setup(fact)})", "unit": "GB/s",
                        "value": at["read"] / 1e9, "triad": at["triad"] / 1e9, "fetch": at["fetch"] / 1e9,
                        "bytes": at["bytes"], "note": f"{at['fetch'] / 64e6:.0f} million scattered lines/s"})
    figures[0]["sizes"] = fact["sizes"]
    return figures


def kernel(fact):
    name = fact["kernel"] + (f" {fact['use']}" if fact["use"] else "")
    kept = ("rows", "calls", "flops", "operations", "read", "written", "gathered", "table", "flops_per_second",
            "bytes_per_second", "roof_seconds", "roof", "fraction", "of_fetch", "isa", "threads", "shape")
    return {"section": "kernels", "name": f"{name}, {fact['shape']} ({setup(fact)})", "unit": "s",
            "value": fact["seconds"], "repeats": fact["samples"],
            "spread": (fact["most"] - fact["least"]) / fact["seconds"], "better": "lower",
            "note": f"{fact['fraction']:.0%} of the roof ({fact['roof']}), {fact['flops_per_second'] / 1e9:.1f} "
                    f"GFLOP/s, {fact['bytes_per_second'] / 1e9:.1f} GB/s" +
                    (f"; {fact['of_fetch']:.0%} of scattered lines" if fact["of_fetch"] > 0 else ""),
            **{key: fact[key] for key in kept}}
