# SPDX-License-Identifier: MIT
"""The documents whose numbers come from run lines: pages/*.md with Python expressions in double braces."""
import pathlib
import re

import beyond
import experiments
import runs
import tables
import tuning

PAGES = pathlib.Path(__file__).parent / "pages"
FIGURES = runs.RESULTS / "figures"


class Words:
    """What the expressions of a page may say. Folders are below results/."""

    def __init__(self):
        self.folders = {}

    def folder(self, name):
        if name not in self.folders:
            self.folders[name] = runs.Folder(name, "ablation" if name == "ablation" else None)
        return self.folders[name]

    def value(self, folder, data, model, metric, digits=2):
        """A mean, or with an ending its deviation, the published value, or the difference to it: "auroc_epi_sd"."""
        row = self.folder(folder).row(data, model)
        if metric == "runs":
            return str(len(row.runs))
        for ending, find in (("_sd", row.deviation), ("_published", row.published), ("_difference", row.difference)):
            if metric.endswith(ending):
                found = find(metric[:-len(ending)])
                break
        else:
            found = row.mean(metric)
        if found is None:
            raise runs.Missing(f"there is no {metric} of {model} on {data} in results/{folder}")
        return f"{found:.{digits}f}"

    def table(self, folder, models=None):
        return tables.markdown(self.folder(folder).select(models=models))

    def compared(self, folder, a, b, metric):
        return tables.comparisons(self.folder(folder).rows, a, b, metric)

    def gap(self, folder, data, a, b, metric, digits=1):
        """+9.5 [8.1, 10.9]"""
        found = tables.paired.compare_rows(self.folder(folder).row(data, a), self.folder(folder).row(data, b), metric)
        return f"{tables.difference_text(found, digits)} {tables.interval_text(found, digits)}"

    def firsts(self, folder, model, metric, models):
        """5 of 7 (CoraML, ...): the seven graphs on which no other model has a larger mean."""
        blocks = runs.blocks(self.folder(folder).select(",".join(experiments.SEVEN), models))
        won = [block[0].graph for block in blocks
               if any(row.model == model for row in tables.best_of(block, metric))]
        return f"{len(won)} of {len(blocks)} ({', '.join(won)})"

    def commands(self, folder):
        if folder == "ablation":
            found = [command for graph in ("coraml", "citeseer-planetoid", "pubmed")
                     for command in experiments.ablation_commands(graph)]
        else:
            found = {**experiments.comparisons(), **beyond.commands()}[folder]
        return "\n".join(experiments.as_typed(words) for words in found)

    def strengths(self):
        lines = ["| strength | CoraML: accuracy | AUROC | CiteSeer: accuracy | AUROC | Photos: accuracy | AUROC |",
                 "|---|---|---|---|---|---|---|"]
        for strength in experiments.STRENGTHS:
            cells = [self.value(f"strength/{strength}", graph, "gpn-tuned", metric, 1)
                     for graph in ("coraml", "citeseer-planetoid", "photos") for metric in ("id_acc", "auroc_epi")]
            lines.append("| " + " | ".join([strength] + cells) + " |")
        return "\n".join(lines)

    def strength_line(self, graph):
        return ", ".join(self.value(f"strength/{strength}", graph, "gpn-tuned", "auroc_epi", 1)
                         for strength in experiments.STRENGTHS)

    def chosen(self, name, options, score):
        """What searches chose, a line per graph."""
        lines = ["| graph | " + " | ".join(options.values()) + f" | {score} | ± | accuracy |",
                 "|---" * (len(options) + 4) + "|"]
        for graph in experiments.SEVEN:
            folder = f"tune/{graph}/{name}"
            best = tuning.choice(folder, experiments.search_seeds(folder))
            cells = [option_text(best["config"].get(option)) for option in options]
            numbers = [best["score"], best["standard_error"], best["accuracy"]]
            cells += ["n.a." if one is None else f"{one:.4f}" for one in numbers]
            lines.append(f"| {best['title']} | " + " | ".join(cells) + " |")
        return "\n".join(lines)

    # ---- beyond the paper ----

    grid, within, each, times = map(staticmethod, (beyond.grid, beyond.within, beyond.each, beyond.times))
    promises = staticmethod(beyond.promises)

    # ---- figures ----

    def panels(self, data, grid):
        return [line for line in runs.read_lines(FIGURES / "panels.jsonl") if (line["data"], line["grid"]) == (data, grid)]

    def panel(self, data, grid, panel, field, digits=1):
        found = [line for line in self.panels(data, grid) if line["panel"] == panel]
        if len(found) != 1:
            raise runs.Missing(f"{len(found)} panels {panel} of {grid} on {data}, expected one")
        return f"{found[0][field]:.{digits}f}"

    def panel_table(self, data, grid):
        fields = {"panel": "λ₂" if grid == "lambda" else "activation", "id_acc": "accuracy", "auroc_epi": "OOD AUROC",
                  "auroc_epi_wo": "without the graph", "evidence_id": "median evidence",
                  "evidence_ood": "of OOD nodes", "same_class_latent": "same class",
                  "ood_together_latent": "OOD together", "dimensions": "dimensions"}
        lines = ["| " + " | ".join(fields.values()) + " |", "|---" * len(fields) + "|"]
        for line in self.panels(data, grid):
            lines.append("| " + " | ".join(option_text(line[field]) for field in fields) + " |")
        return "\n".join(lines)


def option_text(value):
    """As a table shows it: six digits that count."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def fill(template):
    """The page, or an error that names the expression."""
    words = Words()
    names = {name: getattr(words, name) for name in dir(words) if not name.startswith("_")}

    def replace(match):
        try:
            return str(eval(match.group(1), {"__builtins__": {}}, names))  # our own documents, not somebody's input
        except Exception as problem:
            raise runs.Missing(f"{{{{{match.group(1)}}}}}: {problem}") from problem

    return re.sub(r"\{\{(.*?)\}\}", replace, template)
