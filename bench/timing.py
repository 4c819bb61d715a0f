# SPDX-License-Identifier: MIT
"""Helpers of the benchmarks: child processes with their time and memory, medians, and interleaving."""
import os
import subprocess
import tempfile
import time


class ChildFailed(Exception):
    """A child process ended with another exit code than 0; the text says which and why."""


def run_child(argv, env=None):
    """Runs a program to its end: (wall-clock seconds, peak resident bytes, standard output as text).

    env has variables to set on top of ours. Raises ChildFailed with the last of what it said.
    """
    argv = [str(word) for word in argv]
    environment = dict(os.environ, **{name: str(value) for name, value in (env or {}).items()})
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment)
        try:
            # wait4 instead of wait: it returns the peak memory of this child.
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            child.wait()
            raise
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
        if child.returncode != 0:
            err.seek(0)
            said = err.read().decode("utf-8", "replace").strip() or text.strip() or "no message"
            raise ChildFailed(f"{' '.join(argv)}: exit code {child.returncode}: {said[-2000:]}")
    return seconds, usage.ru_maxrss * 1024, text


def median(values):
    """The middle value; the mean of the two middle ones if their number is even."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("the median of nothing")
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else 0.5 * (ordered[half - 1] + ordered[half])


def spread(values):
    """(max - min) / median: how far the repeats lie apart. 0 for a single one."""
    values = list(values)
    middle = median(values)
    return (max(values) - min(values)) / abs(middle) if middle != 0 else 0.0


def interleaved(callables, repeats):
    """Calls each once, then each once more, ...: what disturbs the machine disturbs all alike.

    Returns one list of results for every callable, in the order of the calls.
    """
    results = [[] for _ in callables]
    for _ in range(repeats):
        for call, result in zip(callables, results):
            result.append(call())
    return results


def figure(section, name, unit, values, **facts):
    """A figure as the JSON has it: the median of the repeats, how many, and how far they lie apart."""
    values = list(values)
    return {"section": section, "name": name, "unit": unit, "value": median(values), "repeats": len(values),
            "spread": spread(values), **facts}
