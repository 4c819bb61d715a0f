# SPDX-License-Identifier: MIT
"""Tables of run lines, as Markdown and LaTeX."""
import paired
import runs

OOD = [("id_acc", "", "ID-ACC"), ("auroc_alea", "AUROC", "aleatoric"), ("auroc_epi", "AUROC", "epistemic"),
       ("auroc_epi_wo", "AUROC", "w/o network"), ("aupr_alea", "AUPR", "aleatoric"), ("aupr_epi", "AUPR", "epistemic"),
       ("aupr_epi_wo", "AUPR", "w/o network")]
FAILURES = [("id_acc", "", "accuracy"), ("auroc_alea", "AUROC", "aleatoric"), ("auroc_epi", "AUROC", "epistemic"),
            ("aupr_alea", "AUPR-error", "aleatoric"), ("aupr_epi", "AUPR-error", "epistemic"),
            ("aupr_success_alea", "AUPR-success", "aleatoric"), ("aupr_success_epi", "AUPR-success", "epistemic")]


def markdown_text(text):
    return "".join("\\" + c if c in "|\\`*_<" else c for c in text)


def latex_text(text):
    special = {"\\": "\\textbackslash{}", "~": "\\~{}", "^": "\\^{}"}
    return "".join(special.get(c, "\\" + c if c in "&%$#_{}" else c) for c in text)


def shown(value):
    return "n.a." if value is None else f"{value:.2f}"


def best_of(rows, metric):
    """The rows of a block with the largest mean, as far as digits are shown."""
    means = [(round(row.mean(metric), 2), row) for row in rows if row.mean(metric) is not None]
    return [row for mean, row in means if mean == max(mean for mean, _ in means)]


class Cell:
    """What a row shows in a column: its mean, and what was published."""

    def __init__(self, block, row, metric):
        self.row, self.metric = row, metric
        self.best = row in best_of(block, metric)
        values = [value for _, value in row.values(metric) if value is not None]
        self.fewer = bool(values) and len(values) < max(len(other.runs) for other in block)
        self.published, self.difference = row.published(metric), row.difference(metric)

    def text(self, sign, fewer):
        mean, deviation = self.row.mean(self.metric), self.row.deviation(self.metric)
        if mean is None:
            return "n.a.", ""
        return f"{mean:.2f}" + (f"{sign}{deviation:.2f}" if deviation is not None else ""), fewer if self.fewer else ""


def table_cells(rows):
    """Every row with its cells, and the columns."""
    columns = FAILURES if rows[0].failures else OOD
    blocks = {id(row): block for block in runs.blocks(rows) for row in block}
    return columns, [(row, [Cell(blocks[id(row)], row, metric) for metric, _, _ in columns]) for row in rows]


def markdown_cell(cell):
    text, mark = cell.text(" ± ", " \\*")
    text = f"**{text}**{mark}" if cell.best else text + mark
    if cell.published is None:
        return text
    return f"{text}<br>{cell.published:.2f}" + ("" if cell.difference is None else f" ({cell.difference:+.2f})")


def markdown(rows):
    """A table with the published value below each mean."""
    columns, lines = table_cells(rows)
    shifts = any(row.shift for row in rows)
    head = ["data"] + ["shift"] * shifts + ["model", "runs"] + [f"{group} {name}".strip() for _, group, name in columns]
    out = ["| " + " | ".join(head) + " |", "|:--|:--|" + ":--|" * shifts + "--:" + "|--:" * len(columns) + "|"]
    for row, cells in lines:
        names = [row.graph] + [row.shift] * shifts + [row.title]
        out.append("| " + " | ".join([markdown_text(name) for name in names] + [str(len(row.runs))] +
                                     [markdown_cell(cell) for cell in cells]) + " |")
    cells = [cell for _, line in lines for cell in line]
    published = any(cell.published is not None for cell in cells)
    note = "Percent, mean ± standard deviation over the runs; the best of each graph in bold."
    if published:
        note += " Below: the published value (and how far the mean is above it)."
    if any(cell.fewer for cell in cells):
        note += " \\* Fewer runs than the others."
    if published and rows[0].failures:
        note += " The published AUPR of Ours takes right answers as positives: it stands below AUPR-success."
    return "\n".join(out + ["", note])


def latex(rows):
    """The same for a paper: what was published is a row of its own."""
    columns, lines = table_cells(rows)
    groups = [group for _, group, _ in columns]
    heads = [f"\\multicolumn{{{groups.count(group)}}}{{c}}{{{group}}}" for group in dict.fromkeys(groups)]
    out = ["\\begin{tabular}{llrrrrrrr}", "\\hline", " & & " + " & ".join(heads) + " \\\\",
           "Data & Model & " + " & ".join(name for _, _, name in columns) + " \\\\"]
    last = None
    for row, cells in lines:
        first = row.block() != last
        last = row.block()
        if first:
            out.append("\\hline")
        name = latex_text(row.graph + (f", {row.shift}" if row.shift else "")) if first else ""
        means = []
        for cell in cells:
            text, mark = cell.text(" $\\pm$ ", "$^{*}$")
            means.append(f"\\textbf{{{text}}}{mark}" if cell.best else text + mark)
        out.append(f"{name} & {latex_text(row.title)} & " + " & ".join(means) + " \\\\")
        if any(cell.published is not None for cell in cells):
            out.append(" & \\quad\\textit{published} & " + " & ".join(
                "" if cell.published is None else f"{cell.published:.2f}" +
                ("" if cell.difference is None else f" (${cell.difference:+.2f}$)") for cell in cells) + " \\\\")
    return "\n".join(out + ["\\hline", "\\end{tabular}"])


# ---- comparisons ----


def difference_text(found, digits):
    text = f"{found['difference']:+.{digits}f}"
    return "+" + text[1:] if float(text) == 0.0 else text


def interval_text(found, digits):
    if found["interval"] is None:
        return "n.a."
    return "[{:.{d}f}, {:.{d}f}]".format(*found["interval"], d=digits)


def chance_text(chance):
    return "<0.0001" if chance < 0.0001 else f"{chance:.4f}"


def comparisons(rows, a, b, metric):
    """A table of two models on every graph that has both."""
    out, few = [], False
    for block in runs.blocks(rows):
        one, other = ([row for row in block if name in (row.title, row.model)] for name in (a, b))
        found = paired.compare_rows(one[0], other[0], metric) if len(one) == len(other) == 1 else None
        if found is None or found["pairs"] == 0:
            continue
        titles, few = (one[0].title, other[0].title), few or found["pairs"] < 6
        out.append([one[0].graph, str(found["pairs"]), shown(found["mean_a"]), shown(found["mean_b"]),
                    difference_text(found, 2), interval_text(found, 2), chance_text(found["wilcoxon_p"]),
                    chance_text(found["sign_p"]), f"{found['wins']}/{found['ties']}/{found['losses']}"])
    if not out:
        raise runs.Missing(f"no run of '{a}' has a partner of '{b}'")
    head = ["data", "pairs", *titles, "difference", "95 % interval", "Wilcoxon p", "sign p", "won/tied/lost"]
    lines = ["| " + " | ".join(markdown_text(cell) for cell in line) + " |" for line in [head] + out]
    lines.insert(1, "|:--" + "|--:" * (len(head) - 1) + "|")
    if few:
        lines += ["", "Do not trust intervals of fewer than 6 pairs; no p-value of so few is below 0.05."]
    return "\n".join(lines)
