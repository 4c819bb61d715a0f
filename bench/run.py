#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make bench: runs the sections, prints one table and writes every figure as JSON.

Needs nothing beyond the standard library; what a section compares with may need more, and says so.
"""
import argparse
import datetime
import importlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

from timing import ChildFailed  # noqa: E402

# In this order; a section that is missing, in a partial copy, is skipped with a line.
SECTIONS = ["epoch", "models", "kernels", "growth", "loading", "arrays", "serving", "tsne", "end_to_end"]

# The names of the public graphs in `credence`, and possible names of their files.
DATASETS = {
    "coraml": ["cora_ml.npz", "coraml.npz"],
    "citeseer": ["citeseer.npz"],
    "citeseer-planetoid": ["citeseer_planetoid.npz", "citeseer-planetoid.npz"],
    "pubmed": ["pubmed.npz"],
    "computers": ["amazon_electronics_computers.npz", "amazon_computers.npz", "computers.npz"],
    "photos": ["amazon_electronics_photo.npz", "amazon_photo.npz", "photos.npz"],
    "cs": ["ms_academic_cs.npz", "coauthor_cs.npz", "cs.npz"],
    "physics": ["ms_academic_phy.npz", "coauthor_physics.npz", "physics.npz"],
    "arxiv": ["ogbn_arxiv_nofeat.npz", "ogbn_arxiv.npz", "arxiv.npz"],
}


class Context:
    """What every section gets."""

    def __init__(self, build, quick, work, data):
        self.quick = quick
        self.build = build
        self.credence = build / "credence"
        self.data = find_data(data)
        self.work = work
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.threads = [1, 2] if cores > 1 else [1]
        self.python = find_python()
        self.failed = []

    def fail(self, section, problem):
        """Something of a section went wrong: the run goes on, and ends with exit code 1."""
        self.say(f"{section} failed: {problem}")
        self.failed.append({"section": section, "problem": str(problem)})

    def say(self, text):
        print(f"bench: {text}", file=sys.stderr, flush=True)


def find_data(folder):
    """The public graphs that the folder has: name -> path."""
    found = {}
    for name, files in DATASETS.items() if folder else []:
        for file in files:
            if name not in found and (Path(folder) / file).is_file():
                found[name] = Path(folder) / file
    return found


def find_python():
    """A Python that has what: {"numpy": ..., "torch": ...}, each the interpreter's path or None.

    The one that runs this may be another than the one that the system's packages belong to.
    """
    found = {}
    for module in ("numpy", "scipy", "pandas", "torch", "sklearn"):
        found[module] = None
        for python in (sys.executable, "/usr/bin/python3"):
            if python and Path(python).exists() and has_module(python, module):
                found[module] = python
                break
    return found


def has_module(python, module):
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    return subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL, check=False).returncode == 0


def git(*words):
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def facts(context):
    """What the figures depend on, for whoever reads the file later."""
    return {
        "commit": git("rev-parse", "HEAD"),
        "changed": bool(git("status", "--porcelain", "--untracked-files=no")),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load_at_start": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.release()}",
        "quick": context.quick,
    }


def write_json(path, content):
    """Beside the target first, then renamed: never half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, allow_nan=False)
        file.write("\n")
    os.replace(beside, path)


# ---- the table ----

UNITS = {"s": [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")],
         "bytes": [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")]}


def show(value, unit):
    """A value with three digits that mean something, in a unit that suits its size."""
    for size, name in UNITS.get(unit, []):
        if abs(value) >= size or size == UNITS[unit][-1][0]:
            return f"{three(value / size)} {name}"
    if unit in ("x", "ratio"):
        return f"{three(value)} x"
    return f"{three(value)} {unit}".rstrip()


def three(value):
    if value == 0 or not abs(value) < 1e15:
        return f"{value:g}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


LEGEND = "Medians; in brackets how far the repeats lie apart: (largest - smallest) / median."


def cell(figure):
    """The value, and how far the repeats lie apart."""
    shown = show(figure["value"], figure["unit"])
    return f"{shown} ({100 * figure['spread']:.0f}%)" if figure["repeats"] > 1 else shown


def as_grid(figures):
    """Figures that name their grid, row and column: one line for each row."""
    rows, columns = {}, {}
    for figure in figures:
        rows.setdefault(figure["row"], {})[figure["column"]] = cell(figure)
        columns[figure["column"]] = None
    return [["", *columns]] + [[row, *(cells.get(column, "") for column in columns)] for row, cells in rows.items()]


def as_list(figures):
    noted = any(figure.get("note") for figure in figures)
    lines = [["", "value", "repeats"] + ["note"] * noted]
    for figure in figures:
        lines.append([figure["name"], cell(figure), str(figure["repeats"])] + [figure.get("note") or ""] * noted)
    return lines


def parts_of(figures):
    """(title, lines of cells): a section's figures, those with rows and columns apart from its others."""
    parts = {}
    for figure in figures:
        parts.setdefault((figure["section"], figure.get("grid")), []).append(figure)
    for (section, grid), own in parts.items():
        lines = as_grid(own) if grid else as_list(own)
        lines[0][0] = f"{section}: {grid}" if grid else section
        yield lines


def table(figures):
    text = []
    for lines in parts_of(figures):
        width = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))]
        for number, line in enumerate(lines):
            cells = [part.rjust(w) if c > 0 else part.ljust(w) for c, (part, w) in enumerate(zip(line, width))]
            text.append("  ".join(cells).rstrip())
            if number == 0:
                text.append("  ".join("-" * w for w in width))
        text.append("")
    return "\n".join([*text, LEGEND])


def markdown(figures):
    text = []
    for lines in parts_of(figures):
        text.append("| " + " | ".join(lines[0]) + " |")
        text.append("|---" + "|---:" * (len(lines[0]) - 1) + "|")
        text += ["| " + " | ".join(line) + " |" for line in lines[1:]]
        text.append("")
    return "\n".join([*text, LEGEND, ""])


# ---- all of it ----

def read_arguments():
    parser = argparse.ArgumentParser(description="Measures Credence; see bench/README.md.")
    parser.add_argument("--build", type=Path, default=ROOT / "build-bench",
                        help="the folder of the build (default: build-bench)")
    parser.add_argument("--quick", action="store_true", help="a useful subset, in under two minutes")
    parser.add_argument("--only", metavar="NAME,...", help=f"only these sections, of {', '.join(SECTIONS)}")
    parser.add_argument("--data-dir", type=Path, metavar="FOLDER", default=os.environ.get("CREDENCE_DATA"),
                        help="the folder of the public graphs (default: $CREDENCE_DATA)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.json",
                        help="where the figures go (default: bench.json in the build's folder)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the table as Markdown too")
    arguments = parser.parse_args()
    wanted = arguments.only.split(",") if arguments.only else SECTIONS
    for name in wanted:
        if name not in SECTIONS:
            parser.error(f"--only {name}: expected some of {', '.join(SECTIONS)}")
    arguments.sections = [name for name in SECTIONS if name in wanted]
    arguments.build = arguments.build.resolve()
    if not (arguments.build / "credence").exists():
        parser.error(f"{arguments.build} has no credence: build with -DCREDENCE_BENCH=ON first (make bench does)")
    arguments.output = arguments.output or arguments.build / "bench.json"
    return arguments


def load_section(name, context):
    """The section's module; None where its file is not here. Whatever goes wrong inside it is an error."""
    if not (HERE / "sections" / f"{name}.py").exists():
        context.say(f"{name}: there is no bench/sections/{name}.py, passed over")
        return None
    return importlib.import_module(f"sections.{name}")


def main():
    arguments = read_arguments()
    work = Path(tempfile.mkdtemp(prefix="credence-bench-"))
    try:
        context = Context(arguments.build, arguments.quick, work, arguments.data_dir)
        result = {"format": 1, "facts": facts(context), "figures": [], "failed": context.failed}
        if result["facts"]["load_at_start"] and result["facts"]["load_at_start"] > 0.5:
            context.say(f"the machine is busy (load {result['facts']['load_at_start']:.1f}): expect wide spreads")
        for name in arguments.sections:
            section = load_section(name, context)
            if section is None:
                continue
            start = time.monotonic()
            context.say(f"{name} ...")
            try:
                result["figures"] += section.run(context)
            except (ChildFailed, AssertionError, OSError, ValueError) as problem:
                context.fail(name, problem)
            context.say(f"{name}: {time.monotonic() - start:.0f} s")
            write_json(arguments.output, result)
        print(table(result["figures"]))
        if arguments.markdown:
            arguments.markdown.write_text(markdown(result["figures"]), encoding="utf-8")
        context.say(f"figures written to {arguments.output}")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for problem in context.failed:
        context.say(f"{problem['section']} failed: {problem['problem']}")
    return 1 if context.failed else 0


if __name__ == "__main__":
    sys.exit(main())
