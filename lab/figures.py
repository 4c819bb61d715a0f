# SPDX-License-Identifier: MIT
"""Maps of latent spaces: drawn from kept discs, which new runs make with `credence train`, `predict` and `map`.

results/figures/panels.jsonl has a line per panel, with all that was measured; GRAPH-GRID.json.gz has the panels' discs
in units of half a pixel: {"classes": [names], "left_out": [names], "panels": [{"panel", "scale": [[evidence, radius]],
"letters": [[letter, x, y]], "discs": [[radius, class (-1: left out), [x, y, dx, dy, ...]]]}]}, large discs first."""
import array
import ast
import csv
import gzip
import json
import math
import tempfile
import pathlib
import zipfile

import experiments
import runs

FOLDER = runs.RESULTS / "figures"
PICTURES = runs.ROOT / "docs" / "figures"
GRIDS = {
    "lambda": (2, "latent space for four weights λ₂ of the distance regulariser",
               {"0": "λ₂ = 0", "1e-6": "λ₂ = 1e-6", "1e-4": "λ₂ = 1e-4", "1e-2": "λ₂ = 1e-2"}),
    "activation": (3, "latent space for three activations, no distance regulariser",
                   {"relu": "ReLU", "logsigmoid": "LogSigmoid", "hardtanh": "HardTanh"}),
}
# Chosen one by one to be as far as possible, in OKLab, from all earlier ones and from white, black and grey, for
# normal sight and three kinds of colour blindness. Letters distinguish classes if colours do not.
COLOURS = ["#0072b2", "#e69f00", "#950000", "#15d4ff", "#d45515", "#6a95ff", "#6a406a", "#bfd495", "#402abf", "#aa556a",
           "#9555ea", "#bf152a", "#ff6a6a", "#800095", "#eaaad4", "#d46ad4"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WIDTH, MARGIN, GAP, LINE, SMALL, TINY, ROW = 900, 16, 20, 17, 12.5, 11.5, 19

# ---- drawing ----


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def width_of(text):
    """Roughly how wide a text is, in its own size."""
    return sum(0.3 if c in "ijl.,:;'|! " else 0.9 if c in "mwMW%@" else 0.7 if c.isupper() else
               0.6 if ord(c) >= 0x80 else 0.56 for c in text)


def number_text(value):
    """9820; 1.2·10⁷"""
    if value is None:
        return "n.a."
    exponent = int(f"{value:.2e}".split("e")[1])
    if -3 <= exponent < 3:
        return f"{value:.3g}"
    if exponent < 5 and exponent > 0:
        return f"{float(f'{value:.2e}'):.0f}"
    digits = f"{value / 10.0 ** exponent:.1f}·"
    raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return ("" if digits == "1.0·" else digits) + "10" + raised


def text_at(x, y, size, text, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}"{more}>{text}</text>'


def paragraph(y, text):
    """A long text in lines as wide as the page."""
    out, words = [], text.split(" ")
    while words:
        count = len(words)
        while count > 1 and width_of(" ".join(words[:count])) > (WIDTH - 2 * MARGIN) / TINY:
            count -= 1
        out.append(text_at(MARGIN, y, TINY, escape(" ".join(words[:count]))))
        words, y = words[count:], y + LINE
    return out, y


def legend(kept):
    """The classes side by side, and below them those that were left out."""
    out, x, y = [], MARGIN, MARGIN + 42
    entries = [(COLOURS[i % 16], LETTERS[i], name) for i, name in enumerate(kept["classes"])]
    entries.append(("#000000", "", "left out of training (OOD): " + ", ".join(kept["left_out"])))
    for colour, letter, name in entries:
        width = 15 + (1.1 * SMALL if letter else 0) + width_of(name) * SMALL + 16
        if not letter or (x > MARGIN and x + width > WIDTH - MARGIN):
            x, y = MARGIN, y + ROW
        bold = f'<tspan font-weight="bold">{letter}</tspan> ' if letter else ""
        out.append(f'<circle cx="{x + 5:.1f}" cy="{y:.1f}" r="5.0" fill="{colour}"/>' +
                   text_at(x + 15, y + 0.36 * SMALL, SMALL, bold + escape(name)))
        x += width
    return out, y + ROW / 2


def disc_path(radius, kind, places):
    colour = "#000000" if kind < 0 else COLOURS[kind % 16]
    steps = [f"M{places[0]} {places[1]}z"]
    for dx, dy in zip(places[2::2], places[3::2]):
        steps.append(f"m{dx}{'' if dy < 0 else ' '}{dy}z")  # a path of no length with round ends is a disc
    return f'<path stroke="{colour}" stroke-width="{2 * radius:.2f}" d="{"".join(steps)}"/>'


def caption(line, scale, x, y):
    percent = lambda name: f"{line[name]:.1f} %"
    texts = [f"accuracy {percent('id_acc')}, OOD AUROC {percent('auroc_epi')}",
             f"OOD AUROC without the graph {percent('auroc_epi_wo')}",
             f"median evidence {number_text(line['evidence_id'])}, OOD {number_text(line['evidence_ood'])}", "evidence"]
    out = [text_at(x, y + i * LINE, SMALL, text) for i, text in enumerate(texts)]
    y += 3 * LINE
    x += width_of("evidence") * SMALL + 10
    for evidence, radius in scale:
        text = number_text(evidence)
        out.append(f'<circle cx="{x + radius:.1f}" cy="{y - 0.36 * SMALL:.1f}" r="{radius:.2f}" fill="#666666"/>' +
                   text_at(x + 2 * radius + 4, y, SMALL, text))
        x += 2 * radius + 4 + width_of(text) * SMALL + 12
    return out


def draw_panel(panel, line, title, x, y, side):
    out = [text_at(x, y + 15, 15, title, ' font-weight="bold"'),
           f'<rect x="{x:.1f}" y="{y + 22:.1f}" width="{side}" height="{side}" fill="none" stroke="#bbbbbb"/>',
           f'<g transform="translate({x:.1f} {y + 22:.1f}) scale(0.5)">', '<g fill="none" stroke-linecap="round">']
    out += [disc_path(*disc) for disc in panel["discs"]]
    out += ['</g>', '<g font-size="26" font-weight="bold" text-anchor="middle" fill="#000000" stroke="#ffffff" '
            'stroke-width="8" stroke-linejoin="round" paint-order="stroke">']
    out += [f'<text x="{at_x}" y="{at_y}">{letter}</text>' for letter, at_x, at_y in panel["letters"]]
    return out + ["</g>", "</g>"] + caption(line, panel["scale"], x, y + 22 + side + LINE)


def note(line, grid):
    activation = f"activation {line['config']['activation']}, " if grid == "lambda" else ""
    return (f"All {line['nodes']} nodes; t-SNE of the {line['config']['latent']} latent dimensions, perplexity "
            f"{line['map']['perplexity']:g}, {line['map']['iterations']} iterations. Model: {activation}λ₁ = "
            f"{line['config']['entropy-weight']:g}, seed {line['seed']}. The area of a disc grows with the square root "
            "of the node's total evidence after the graph, on a scale of each panel's own; small discs lie on large "
            "ones. Letters stand where most of a class is. " +
            ("Accuracy, AUROC (of epistemic uncertainty) and medians: test nodes." if "medians" not in line else
             f"Accuracy and AUROC (of epistemic uncertainty): test nodes; medians: {line['medians']}."))


def draw(graph, grid):
    """The drawing of a graph's grid as SVG."""
    columns, heading, titles = GRIDS[grid]
    with gzip.open(FOLDER / f"{graph}-{grid}.json.gz", "rt", encoding="utf-8") as file:
        kept = json.load(file)
    lines = {line["panel"]: line for line in runs.read_lines(FOLDER / "panels.jsonl")
             if (line["data"], line["grid"]) == (graph, grid)}
    first = next(iter(lines.values()))
    side = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) // columns
    height = 22 + side + 4 * LINE + 18
    title = escape(f"{first['title']}: {heading}")
    body, y = legend(kept)
    y += 10
    for i, panel in enumerate(kept["panels"]):
        body += draw_panel(panel, lines[panel["panel"]], titles[panel["panel"]], MARGIN + i % columns * (side + GAP),
                           y + i // columns * height, side)
    below, y = paragraph(y + -(-len(kept["panels"]) // columns) * height + 6, note(first, grid))
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y:.0f}" viewBox="0 0 {WIDTH} {y:.0f}" '
            'role="img" font-family="Helvetica, Arial, \'Liberation Sans\', sans-serif" fill="#222222">',
            f"<title>{title}</title>", f'<rect width="{WIDTH}" height="{y:.0f}" fill="#ffffff"/>',
            text_at(MARGIN, MARGIN + 18, 18, title, ' font-weight="bold"')]
    return "\n".join(head + body + below + ["</svg>", ""])


def drawings():
    """Every drawing by the name of its file."""
    return {f"{path.name[:-8]}.svg": draw(*path.name[:-8].rsplit("-", 1)) for path in sorted(FOLDER.glob("*.json.gz"))}


# ---- new panels ----

UNITS, LEVELS, SMALLEST, STRIP, CELLS = 2, 12, 0.5, 12, 24
NEIGHBOURS, SAMPLE = 10, 2000


def read_npz(path):
    """The arrays of an .npz file of ours: {name: (shape, values)}."""
    kinds = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}
    found = {}
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            data = file.read(name)
            size = int.from_bytes(data[8:10], "little")
            head = ast.literal_eval(data[10:10 + size].decode("latin-1"))
            if head["descr"] in kinds:
                values = array.array(kinds[head["descr"]])
                values.frombytes(data[10 + size:])
                found[name[:-4]] = head["shape"], values
    return found


def disc_levels(evidence, nodes, side):
    """Radii in units from small to large, and from which evidence on discs are of the largest size."""
    largest = min(max(0.62 * side / math.sqrt(nodes), 1.7), 6.0)
    most = sorted(evidence)[int(0.98 * (nodes - 1))]
    return [UNITS * SMALLEST * (largest / SMALLEST) ** (level / (LEVELS - 1)) for level in range(LEVELS)], most


def radius_of(radii, most, evidence):
    return min(max(radii[-1] * (evidence / most) ** 0.25 if most > 0 else radii[0], radii[0]), radii[-1])


def visible(discs, side):
    """Discs of which the others leave more than a speck to see."""
    picture = {}
    for index, (x, y, _, radius) in enumerate(discs):
        reach = int(radius)
        for dy in range(-reach, reach + 1):
            for dx in range(-reach, reach + 1):
                if dx * dx + dy * dy <= radius * radius:
                    picture[x + dx, y + dy] = index
    seen = [0] * len(discs)
    for index in picture.values():
        seen[index] += 1
    return [disc for disc, count in zip(discs, seen) if count >= 3]


def place_letters(discs, classes, side):
    """Where most of each class is, large classes first, apart from each other."""
    placed = []
    for kind in sorted(range(classes), key=lambda kind: -sum(disc[2] == kind for disc in discs)):
        weights = {}
        for x, y, own, _ in discs:
            if own == kind:
                cell = x * CELLS // side, y * CELLS // side
                for dx in (-1, 0, 1):
                    for dy in (-1, 0, 1):
                        weights[cell[0] + dx, cell[1] + dy] = weights.get((cell[0] + dx, cell[1] + dy), 0) + 1
        spots = sorted(((weight, (column + 0.5) * side / CELLS, (row + 0.5) * side / CELLS)
                        for (column, row), weight in weights.items()), reverse=True)
        for _, x, y in spots:
            if all(math.hypot(x - a, y - b) >= 1.4 * 13 * UNITS for _, a, b in placed):
                placed.append((LETTERS[kind], round(x), round(y)))
                break
    return [[letter, x, y + 9] for letter, x, y in placed]


def make_discs(points, evidence, kinds, classes, side):
    """A panel's discs, letters and scale, from nodes' places on the map."""
    side *= UNITS
    radii, most = disc_levels(evidence, len(points), side / UNITS)
    low = [min(point[i] for point in points) for i in (0, 1)]
    high = [max(point[i] for point in points) for i in (0, 1)]
    spans = [high[i] - low[i] for i in (0, 1)]
    scale = (side - 2 * (math.ceil(radii[-1]) + 1)) / (max(spans) or 1.0)
    left, top = ((side - scale * span) / 2 for span in spans)
    discs = []
    for (x, y), own, kind in zip(points, evidence, kinds):
        radius = min(radii, key=lambda one: abs(one - radius_of(radii, most, own)))
        discs.append((round(left + scale * (x - low[0])), round(top + scale * (high[1] - y)), kind, radius))
    strip = lambda y: y // STRIP  # to and fro in strips, so that the next disc is near and takes few digits
    discs.sort(key=lambda d: (-d[3], d[2] % (classes + 1), strip(d[1]), d[0] * (-1) ** (strip(d[1]) % 2), d[1]))
    letters, groups, last = place_letters(discs, classes, side), [], None
    for x, y, kind, radius in visible(discs, side):
        if not groups or groups[-1][:2] != [radius, kind]:
            groups.append([radius, kind, [x, y]])
        else:
            groups[-1][2] += [x - last[0], y - last[1]]
        last = x, y
    largest = 10.0 ** math.floor(math.log10(most)) if most > 0 else 0.0
    steps = [largest * 10.0 ** (i - 2) for i in range(3)] if largest else []
    return {"scale": [[step, round(radius_of(radii, most, step) / UNITS, 4)] for step in steps], "letters": letters,
            "discs": [[round(radius, 4), kind, places] for radius, kind, places in groups]}


def neighbours(points, kinds):
    """Of the nearest neighbours of a node of a trained class the share of its class, and of those of a left-out node
    the share of left-out ones, in percent."""
    asked, alike = [0, 0], [0, 0]
    count = len(points)
    sample = min(count, SAMPLE)
    for s in range(sample):
        i = s * count // sample
        near = sorted((math.dist(points[i], points[j]), j) for j in range(count) if j != i)[:NEIGHBOURS]
        out = kinds[i] < 0
        asked[out] += len(near)
        alike[out] += sum(kinds[j] == kinds[i] for _, j in near)
    return [100.0 * a / n if n else None for a, n in zip(alike, asked)]


def dimensions(points):
    """Over how many dimensions a cloud of points really spreads: the participation ratio of its covariance."""
    dims, count = len(points[0]), len(points)
    means = [sum(point[d] for point in points) / count for d in range(dims)]
    trace = square = 0.0
    for a in range(dims):
        for b in range(a + 1):
            total = sum((point[a] - means[a]) * (point[b] - means[b]) for point in points)
            trace += total if a == b else 0.0
            square += (1.0 if a == b else 2.0) * total * total
    return trace * trace / square if square else 0.0


def make_panel(graph, grid, value, folder):
    """Trains, predicts and maps; returns the panel's line, its discs and the classes."""
    model, answers, placed, data = (str(folder / name) for name in ("model", "answers.npz", "map.csv", "data"))
    words = ["credence", "train", graph, "--preset", "published", "--seed", "1", "-o", model]
    if grid == "activation":
        words += ["--reg", "none", "--activation", value]
    else:
        words += ["--reg", "none"] if value == "0" else ["--reg", "distance", "--reg-weight", value]
    experiments.run(words + ["--left-out", str(runs.PAPERS_LEFT_OUT[graph])])
    experiments.run(["credence", "predict", model, graph, "--full", "-o", answers])
    experiments.run(["credence", "map", model, graph, "-o", placed])
    experiments.run(["credence", "convert", graph, data, "--to", "csv"])
    measured = json.loads(experiments.output(["credence", "evaluate", model, graph, "--task", "ood", "--json"]))
    facts = json.loads(experiments.output(["credence", "info", model, "--json"]))
    about = json.loads(experiments.output(["credence", "info", graph, "--json"]))
    with open(placed, encoding="utf-8", newline="") as file:
        points = [(float(row["x"]), float(row["y"])) for row in csv.DictReader(file)]
    with open(pathlib.Path(data) / "labels.csv", encoding="utf-8", newline="") as file:
        labels = {row["node"]: row["label"] for row in csv.DictReader(file)}
    names = [entry["class"] for entry in about["class_counts"]]
    return panel_of((graph, grid, value), points, list(labels.values()), names, read_npz(answers), measured, facts)


def panel_of(what, points, labels, names, arrays, measured, facts):
    graph, grid, value = what
    trained, left_out = names[:facts["classes"]], names[facts["classes"]:]
    kinds = [trained.index(label) if label in trained else -1 for label in labels]
    (count, dims), flat = arrays["latent"]
    latent = [tuple(flat[i * dims:(i + 1) * dims]) for i in range(count)]
    evidence = [max(-score - len(trained), 0.0) for score in arrays["epistemic"][1]]
    middle = lambda out: median([own for own, kind in zip(evidence, kinds) if (kind < 0) == out])
    same, together = neighbours(latent, kinds)
    percent = lambda *path: round(100 * runs.at(measured, ".".join(path)), 2)
    line = {"data": graph, "title": runs.TITLES[graph], "grid": grid, "panel": value, "seed": 1, "nodes": count,
            "version": facts["version"], "fingerprint": facts["fingerprint"], "medians": "all nodes",
            "map": {"perplexity": 30, "iterations": 1000}, "config": facts["config"], "id_acc": percent("id_accuracy"),
            "auroc_epi": percent("ood", "epistemic", "auroc"),
            "auroc_epi_wo": percent("ood", "epistemic_features", "auroc"), "evidence_id": middle(False),
            "evidence_ood": middle(True), "same_class_latent": round(same, 2),
            "ood_together_latent": round(together, 2), "dimensions": float(f"{dimensions(latent):.3g}")}
    columns = GRIDS[grid][0]
    side = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) // columns
    panel = {"panel": value, **make_discs(points, evidence, kinds, len(trained), side)}
    return line, panel, [class_title(name) for name in trained], [class_title(name) for name in left_out]


def class_title(name):
    """Without the folders before it; a number is called a class."""
    name = name.rsplit("/", 1)[-1]
    return f"class {name}" if name.isdigit() else name


def median(values):
    values = sorted(values)
    middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
    return float(f"{middle:.3g}")


def write_kept(graph, grid, kept):
    text = json.dumps(kept, separators=(",", ":"), ensure_ascii=False)
    (FOLDER / f"{graph}-{grid}.json.gz").write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


def run():
    """Makes the panels that are not there. It takes hours: the maps of large graphs are slow, and so is counting
    neighbours here."""
    lines = runs.read_lines(FOLDER / "panels.jsonl")
    for graph in experiments.SEVEN:
        for grid, (_, _, titles) in GRIDS.items():
            if all(any((one["data"], one["grid"], one["panel"]) == (graph, grid, value) for one in lines)
                   for value in titles):
                continue
            with tempfile.TemporaryDirectory() as folder:
                made = [make_panel(graph, grid, value, pathlib.Path(folder)) for value in titles]
            write_kept(graph, grid, {"classes": made[0][2], "left_out": made[0][3], "panels": [one[1] for one in made]})
            lines = [one for one in lines if (one["data"], one["grid"]) != (graph, grid)] + [one[0] for one in made]
            (FOLDER / "panels.jsonl").write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines),
                                                 encoding="utf-8")
