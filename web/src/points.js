/* SPDX-License-Identifier: MIT */
/* How the map shows each node: its colour, shape and size. */
import { classLook, parseColour, sequentialColour, THEME_COLOURS, CLASS_SHAPES } from "./colours.js";
import { shortNames } from "./dom.js";
import { pixelOf, RADIUS_STEPS } from "./raster.js";
import { quantile } from "./scales.js";

/* The ways to colour, and the question each answers. */
export const COLOURINGS = {
    truth: "True class",
    predicted: "Answer",
    correct: "Right or wrong",
    doubt: "Doubt (0 to 1)",
    aleatoric: "Aleatoric uncertainty",
    epistemic: "Epistemic uncertainty"
};

/* Everything in a model's part that belongs to single nodes. Without evidence, `evidence` is null; `score` is the
 * epistemic uncertainty if it is not minus the evidence; `doubt` is either of them, null if the model has none;
 * `rank` is the share of calibration nodes with less of it, null without such nodes. */
export function makeNodes(part) {
    const { blocks } = part;
    const given = blocks.get("classes"),
        label = blocks.get("label"),
        { names, shared } = shortNames(given.map((one) => one.name));
    const classes = given.map((one, k) => ({ ...one, short: names[k] }));
    const known = classes.filter((one) => !one.out).length;
    const evidence = blocks.get("evidence") ?? null,
        score = blocks.get("epistemic") ?? null,
        rank = blocks.get("doubt") ?? null;
    const nodes = {
        count: label.length,
        classes,
        shared,
        known,
        label,
        evidence,
        score,
        rank,
        x: blocks.get("x"),
        y: blocks.get("y"),
        predicted: blocks.get("predicted"),
        role: blocks.get("role"),
        probability: blocks.get("probability"),
        doubt: score ?? (evidence ? evidence.map((value) => -value) : null),
        isOut: (i) => label[i] >= known,
        outCount: label.reduce((sum, value) => sum + (value >= known ? 1 : 0), 0)
    };
    const sortedFinite = (values) => values.filter(Number.isFinite).sort();
    nodes.sortedEvidence = evidence ? sortedFinite(evidence) : null;
    nodes.sortedDoubt = nodes.doubt ? sortedFinite(nodes.doubt) : null;
    return nodes;
}

export function colouringsOf(nodes) {
    const needed = { epistemic: nodes.doubt, doubt: nodes.rank };
    return Object.keys(COLOURINGS).filter((name) => needed[name] !== null);
}

/* Colourings that show how large an uncertainty is. */
export function isDoubtful(colouring) {
    return colouring === "aleatoric" || colouring === "epistemic" || colouring === "doubt";
}

/* The share of nodes with less evidence than this one. */
export function evidenceRank(nodes, i) {
    const sorted = nodes.sortedEvidence,
        value = nodes.evidence[i];
    let low = 0,
        high = sorted.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (sorted[middle] < value) low = middle + 1;
        else high = middle;
    }
    return low / Math.max(sorted.length, 1);
}

/* The ends of the colour scale: all aleatoric values, or all epistemic ones but the outermost hundredths. */
export function doubtRange(nodes, colouring) {
    if (colouring === "doubt") return [0, 1];
    if (colouring === "aleatoric") {
        let low = 65535;
        for (const value of nodes.probability) if (value < low) low = value;
        return [0, Math.max(1 - low / 65535, 0.01)];
    }
    const low = quantile(nodes.sortedDoubt, 0.01),
        high = quantile(nodes.sortedDoubt, 0.99);
    return low < high ? [low, high] : [low - 1, low + 1];
}

/* Entries of the legend: {name, colour (of the map's pixels), css (of the legend), shape, count}, and category(i), the
 * index of a node's entry. If out-of-distribution nodes are shown apart (`apart`), the last entry is theirs. */
export function categoriesOf(nodes, colouring, apart, theme) {
    const colours = THEME_COLOURS[theme],
        entries = [];
    const add = (name, colour, css, shape = "circle") =>
        entries.push({
            name,
            colour: typeof colour === "string" ? parseColour(colour) : colour,
            css,
            shape,
            count: 0
        }) - 1;
    let plain;
    if (colouring === "correct") {
        const right = add("right", colours.right, "var(--right)");
        const wrong = add("wrong", colours.wrong, "var(--wrong)", "diamond");
        const unknown = add("true class unknown", colours.unknown, "var(--unknown)");
        plain = (i) => (nodes.label[i] < 0 ? unknown : nodes.label[i] === nodes.predicted[i] ? right : wrong);
    } else if (colouring === "truth" || colouring === "predicted") {
        const listed = colouring === "predicted" || apart ? nodes.known : nodes.classes.length;
        for (let k = 0; k < listed; k++) {
            const { colour, css, shape } = classLook(k, theme);
            add(nodes.classes[k].short, colour, css, shape);
        }
        const unknown =
            colouring === "truth" ? add("true class unknown", colours.unknown, "var(--unknown)") : -1;
        plain =
            colouring === "truth"
                ? (i) => (nodes.label[i] < 0 ? unknown : nodes.label[i])
                : (i) => nodes.predicted[i];
    } else {
        add("not out of distribution", colours.unknown, "var(--unknown)");
        plain = () => 0;
    }
    const out = apart ? add("out of distribution", colours.ink, "var(--out)") : -1;
    const category = (i) => (apart && nodes.isOut(i) ? out : plain(i));
    for (let i = 0; i < nodes.count; i++) entries[category(i)].count++;
    return { entries, category, out };
}

/* Steps of size by the square root of evidence, up to that of the top hundredth. */
export function sizeSteps(nodes, byEvidence) {
    const steps = new Uint8Array(nodes.count);
    if (!byEvidence || !nodes.evidence) return steps.fill(Math.floor(RADIUS_STEPS / 3));
    const most = quantile(nodes.sortedEvidence, 0.99);
    for (let i = 0; i < nodes.count; i++) {
        const share = 10 ** (0.5 * (nodes.evidence[i] - most));
        steps[i] = Math.round(Math.min(Number.isFinite(share) ? share : 0, 1) * (RADIUS_STEPS - 1));
    }
    return steps;
}

/* The radius of each step in pixels, for `count` points on a map `across` pixels wide: sparse and large maps have
 * larger points; points grow with the zoom. */
export function stepRadii(count, across, zoom, ratio) {
    const middle = Math.min(3, Math.max(1.1, Math.sqrt(20000 / Math.max(count, 1))));
    const grown =
        ratio * Math.min(1, Math.max(0.6, across / 560)) * middle * Math.min(3, Math.max(1, zoom) ** 0.4);
    const radii = [];
    for (let step = 0; step < RADIUS_STEPS; step++)
        radii.push(Math.min(24, grown * (0.55 + (1.45 * step) / (RADIUS_STEPS - 1))));
    return radii;
}

/* The input of the rasteriser, in drawing order: large points first, out-of-distribution nodes last, hidden categories
 * left out; and the legend's entries. */
export function lookOfPoints(nodes, { colouring, apart, byEvidence, hidden }, theme) {
    const { entries, category, out } = categoriesOf(nodes, colouring, apart, theme);
    const doubtful = isDoubtful(colouring);
    const step = sizeSteps(nodes, byEvidence);
    const buckets = Array.from({ length: 2 * RADIUS_STEPS }, () => []);
    for (let i = 0; i < nodes.count; i++) {
        const entry = category(i);
        if (!hidden.has(entry)) buckets[(entry === out ? 2 : 1) * RADIUS_STEPS - 1 - step[i]].push(i);
    }
    const order = buckets.flat(),
        pixels = entries.map((entry) => pixelOf(entry.colour));
    const shapes = entries.map((entry) => CLASS_SHAPES.indexOf(entry.shape));
    const points = {
        x: Uint16Array.from(order, (i) => nodes.x[i]),
        y: Uint16Array.from(order, (i) => nodes.y[i]),
        stamp: Uint16Array.from(order, (i) => shapes[category(i)] * RADIUS_STEPS + step[i]),
        pixel: Uint32Array.from(order, (i) => pixels[category(i)]),
        ringed: null
    };
    if (doubtful) {
        const [low, high] = doubtRange(nodes, colouring);
        const ladder = Array.from({ length: 256 }, (_, s) => pixelOf(sequentialColour(s / 255, theme)));
        order.forEach((i, at) => {
            const value =
                colouring === "aleatoric"
                    ? 1 - nodes.probability[i] / 65535
                    : (colouring === "doubt" ? nodes.rank : nodes.doubt)[i];
            const share = Number.isFinite(value) ? (value - low) / (high - low) : value > 0 ? 1 : 0;
            points.pixel[at] = ladder[Math.round(255 * Math.min(Math.max(share, 0), 1))];
        });
        if (apart) points.ringed = Uint8Array.from(order, (i) => (nodes.isOut(i) ? 1 : 0));
    }
    return { points, step, entries, category };
}
