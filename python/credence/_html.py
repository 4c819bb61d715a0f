# SPDX-License-Identifier: MIT
"""What a notebook shows: the facts of a model and the curves of its training, and pages in a frame."""
import html
import math

WIDTH, HEIGHT, MARGIN = 320, 120, 6
CURVES = (("loss", "loss", "#8a8a8a"), ("validation_cross_entropy", "validation cross-entropy", "#1f6feb"),
          ("validation_accuracy", "validation accuracy", "#2da44e"))


def frame(page, height=720):
    """A page of its own in a frame, so that its style does not touch the notebook's."""
    return (f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="{height}" '
            'style="border:1px solid #ccc" sandbox="allow-scripts"></iframe>')


def model(facts, classes, history):
    """The facts of a model as a table, and the curves of its training."""
    few = ", ".join(classes[:12]) + (", …" if len(classes) > 12 else "")
    rows = [("model", facts.get("model")), ("classes", f"{len(classes)}: {few}"), ("features", facts.get("features")),
            ("trained on", f"{facts.get('training_nodes')} of {facts.get('graph_nodes')} nodes"),
            ("split", facts.get("split")), ("epochs", f"{facts.get('epochs')}, stopped by {facts.get('stop')}"),
            ("validation accuracy", _number(facts.get("validation_accuracy"))),
            ("validation cross-entropy", _number(facts.get("validation_cross_entropy"))),
            ("calibration", f"{facts.get('calibration')}, {facts.get('calibration_nodes')} nodes"),
            ("id", (facts.get("id") or "")[:12])]
    cells = "".join(f'<tr><th style="text-align:left">{html.escape(name)}</th>'
                    f'<td style="text-align:left">{html.escape(str(value))}</td></tr>' for name, value in rows)
    return f"<table>{cells}</table>{''.join(curve(history, *one) for one in CURVES)}"


def _number(value):
    return "none" if value is None else f"{value:.4f}"


def curve(history, key, title, colour):
    """One curve over the epochs, with a dot at the last best one; nothing if there are no numbers."""
    points = [(i, one[key], one["best"]) for i, one in enumerate(history) if math.isfinite(one[key])]
    if len(points) < 2:
        return ""
    low, high = min(y for _, y, _ in points), max(y for _, y, _ in points)
    span = (high - low) or 1.0

    def place(i, y):
        x = MARGIN + (WIDTH - 2 * MARGIN) * i / (len(history) - 1)
        return f"{x:.1f},{HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (y - low) / span:.1f}"

    line = " ".join(place(i, y) for i, y, _ in points)
    best = [place(i, y).split(",") for i, y, is_best in points if is_best][-1:]
    dot = "".join(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in best)
    return (f'<figure style="display:inline-block;margin:4px"><svg width="{WIDTH}" height="{HEIGHT}" role="img" '
            f'aria-label="{title}"><polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{line}"/>{dot}'
            f"</svg><figcaption>{title}: {low:.4g} to {high:.4g}</figcaption></figure>")
