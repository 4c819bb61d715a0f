/* SPDX-License-Identifier: MIT */
/* The blocks of a "model" part without training: a graph of clusters, evidence that is large inside them, and
 * everything that follows from these, computed in the slow and obvious way. */

/* A small random number generator, the same everywhere. */
export function randomNumbers(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}

/* Neighbours of each node, sorted, symmetric, without loops. */
export function makeGraph(nodes, edges, group, random) {
    const members = new Map();
    for (let i = 0; i < nodes; i++) {
        if (!members.has(group[i])) members.set(group[i], []);
        members.get(group[i]).push(i);
    }
    const neighbours = Array.from({ length: nodes }, () => new Set());
    for (let e = 0; e < edges; e++) {
        const from = Math.floor(random() * nodes),
            own = members.get(group[from]);
        const to = random() < 0.85 ? own[Math.floor(random() * own.length)] : Math.floor(random() * nodes);
        if (from === to) continue;
        neighbours[from].add(to);
        neighbours[to].add(from);
    }
    return neighbours.map((set) => Array.from(set).sort((a, b) => a - b));
}

export function packGraph(neighbours) {
    const bytes = [];
    const put = (value) => {
        for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
        bytes.push(value);
    };
    neighbours.forEach((list, i) => {
        const larger = list.filter((j) => j > i);
        put(larger.length);
        let before = i;
        for (const j of larger) {
            put(j - before);
            before = j;
        }
    });
    return Uint8Array.from(bytes);
}

function diffuse(neighbours, values, teleport, steps) {
    const scale = neighbours.map((list) => 1 / Math.sqrt(list.length + 1));
    let now = values.slice();
    for (let step = 0; step < steps; step++)
        now = now.map(
            (value, i) =>
                (1 - teleport) *
                    scale[i] *
                    neighbours[i].reduce((sum, j) => sum + scale[j] * now[j], scale[i] * value) +
                teleport * values[i]
        );
    return now;
}

function thin(points, most = 120) {
    const every = Math.max(1, Math.floor(points.length / most));
    return points.filter((_, i) => i % every === 0 || i === points.length - 1);
}

function scoreCurves(score, positive, label, failures) {
    const order = Array.from(score.keys()).sort((a, b) => score[b] - score[a]);
    const all = positive.filter(Boolean).length,
        none = score.length - all;
    let hits = 0,
        misses = 0,
        area = 0;
    const roc = [[0, 0]],
        pr = [],
        risk = [];
    for (const i of order) {
        if (positive[i]) hits++;
        else {
            misses++;
            area += hits;
        }
        roc.push([misses / none, hits / all]);
        pr.push([hits / all, hits / (hits + misses)]);
    }
    let wrong = 0;
    order
        .slice()
        .reverse()
        .forEach((i, at) => {
            wrong += positive[i] ? 1 : 0;
            risk.push([(at + 1) / order.length, wrong / (at + 1)]);
        });
    const low = score.reduce((a, b) => Math.min(a, b)),
        high = score.reduce((a, b) => Math.max(a, b)),
        bins = 30;
    const edges = Array.from({ length: bins + 1 }, (_, b) => low + (b * (high - low)) / bins);
    const histogram = { label, edges, negatives: Array(bins).fill(0), positives: Array(bins).fill(0) };
    score.forEach((value, i) => {
        const bin = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins));
        histogram[positive[i] ? "positives" : "negatives"][bin]++;
    });
    const auroc = area / (all * none);
    return failures
        ? {
              auroc,
              aupr_error: 0.41,
              aupr_success: 0.98,
              aurc: 0.021,
              roc: thin(roc),
              pr: thin(pr),
              risk: thin(risk),
              histogram
          }
        : { auroc, aupr: 0.83, ap: 0.83, fpr95: 0.4, roc: thin(roc), pr: thin(pr), histogram };
}

function reliability(confidence, right) {
    const bins = Array.from({ length: 10 }, (_, b) => ({
        low: b / 10,
        high: (b + 1) / 10,
        count: 0,
        confidence: 0,
        accuracy: 0
    }));
    confidence.forEach((p, i) => {
        const bin = bins[Math.min(9, Math.floor(p * 10))];
        bin.count++;
        bin.confidence += p;
        bin.accuracy += right[i] ? 1 : 0;
    });
    let ece = 0;
    for (const bin of bins) {
        if (bin.count === 0) bin.confidence = bin.accuracy = null;
        else {
            ece += Math.abs(bin.confidence - bin.accuracy) / confidence.length;
            bin.confidence /= bin.count;
            bin.accuracy /= bin.count;
        }
    }
    return { bins, ece, brier: 0.123, nll: 0.456 };
}

function makeHistory() {
    const epochs = Array.from({ length: 85 }, (_, i) => i);
    const fall = (from, to, speed) => epochs.map((i) => to + (from - to) * Math.exp(-i / speed));
    return {
        warmup: 5,
        epoch: epochs.map((i) => (i < 5 ? i + 1 : i - 4)),
        loss: fall(2.1, 0.3, 14),
        terms: { uce: fall(1.9, 0.25, 12), entropy: fall(-0.01, -0.03, 20), share: fall(0.3, 0.05, 18) },
        validation_cross_entropy: epochs.map((i) => 0.5 + 1.2 * Math.exp(-i / 10) + 0.00004 * i * i),
        validation_accuracy: epochs.map((i) => 0.92 - 0.6 * Math.exp(-i / 9))
    };
}

/* Two networks with three views each. */
function makeViews() {
    return {
        networks: 2,
        bias: -0.25,
        step: 0.001,
        views: [
            { name: "alone", teleport: 0, steps: 0, weight: 0.2, unlike: 0.5, unsure: 0.1 },
            { name: "near", teleport: 0, steps: 2, weight: 0.3, unlike: 0.2, unsure: 0 },
            { name: "far", teleport: 0.1, steps: 5, weight: 0.5, unlike: 0.3, unsure: 0.4 }
        ]
    };
}

/* What `credence evaluate` would print, in part. */
function makeEvaluation(names) {
    const level = (promised) => ({ promised, false_alarms: promised + 0.002, detected: 0.4 + 3 * promised });
    const numbers = (ece) => ({ ece, nll: 10 * ece, brier: 5 * ece });
    return {
        nodes: 400,
        accuracy: 0.92,
        balanced_accuracy: 0.913,
        classes: names.map((name, k) => ({ name, precision: 0.9, recall: k === 0 ? null : 0.8, support: 50 + k })),
        calibration: {
            method: "temperature",
            before: numbers(0.08),
            after: numbers(0.02),
            classes: names.map((name) => ({ class: name, answers: 80, before: numbers(0.09), after: numbers(0.03) }))
        },
        promises: {
            calibration_nodes: 123,
            false_alarms: [0.01, 0.05, 0.1].map(level),
            max_error: [
                { promised: 0.01, confidence: 0.9, answered: null, wrong: null },
                { promised: 0.05, confidence: 0.9, answered: 0.81, wrong: 0.034 }
            ],
            sets: {
                promised: 0.9,
                coverage: 0.914,
                size: 1.07,
                coverage_by_degree: { "0-1": 0.848, "2-4": 0.916, "5+": 0.941 }
            }
        }
    };
}

export function modelPart({
    nodes = 600,
    known = 4,
    out = 2,
    degree = 4,
    seed = 1,
    title = "gpn on made",
    classNames = null,
    nodeNames = null,
    evidence = true,
    explain = true,
    committee = false,
    overrides = {}
} = {}) {
    const random = randomNumbers(seed),
        groups = known + out;
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const group = Array.from({ length: nodes }, () => Math.floor(random() * groups));
    const neighbours = makeGraph(nodes, (nodes * degree) / 2, group, random);
    const x = new Uint16Array(nodes),
        y = new Uint16Array(nodes),
        predicted = new Uint16Array(nodes);
    const label = new Int16Array(nodes),
        role = new Uint8Array(nodes),
        probability = new Uint16Array(nodes);
    const own = new Float32Array(nodes),
        ownClass = new Uint16Array(nodes);
    const within = (value) => Math.min(65535, Math.max(0, Math.round(value)));
    for (let i = 0; i < nodes; i++) {
        const angle = (2 * Math.PI * group[i]) / groups,
            isOut = group[i] >= known;
        x[i] = within(32768 + 21000 * Math.cos(angle) + 4500 * normal());
        y[i] = within(32768 + 21000 * Math.sin(angle) + 4500 * normal());
        label[i] = i % 17 === 5 ? -1 : group[i];
        const mistaken = random() < 0.08;
        predicted[i] = isOut || mistaken ? Math.floor(random() * known) : group[i];
        ownClass[i] = predicted[i];
        role[i] = isOut ? 3 : i % 20 === 0 ? 1 : i % 20 < 4 ? 2 : 3;
        probability[i] = within(
            65535 * (mistaken ? 0.4 + 0.3 * random() : isOut ? 0.4 + 0.5 * random() : 0.7 + 0.299 * random())
        );
        own[i] = (isOut ? -0.5 : 1.5) + 0.8 * normal();
    }
    const diffusion = { teleport: 0.2, steps: 10 };
    const after = diffuse(
        neighbours,
        Array.from(own, (value) => 10 ** value),
        diffusion.teleport,
        diffusion.steps
    );
    const logEvidence = Float32Array.from(after, Math.log10);
    const names = classNames ?? Array.from({ length: groups }, (_, k) => `class ${"ABCDEFGHIJ"[k] ?? k}`);
    const classes = names.map((name, k) => ({
        name,
        out: k >= known,
        nodes: group.filter((g) => g === k).length,
        train: k >= known ? 0 : group.filter((g, i) => g === k && role[i] === 1).length
    }));
    const tested = Array.from({ length: nodes }, (_, i) => i).filter((i) => role[i] === 3 && label[i] >= 0);
    const inside = tested.filter((i) => label[i] < known);
    const isOut = tested.map((i) => label[i] >= known),
        isWrong = inside.map((i) => predicted[i] !== label[i]);
    const doubt = (list) => list.map((i) => 1 - probability[i] / 65535),
        lack = (list) => list.map((i) => -logEvidence[i]);
    const accuracy = 1 - isWrong.filter(Boolean).length / inside.length;
    const counts = Array.from({ length: groups }, (_, k) =>
        Array.from(
            { length: known },
            (_, c) => tested.filter((i) => label[i] === k && predicted[i] === c).length
        )
    );
    const curves = {
        ood:
            out === 0
                ? null
                : {
                      nodes: tested.length,
                      positives: isOut.filter(Boolean).length,
                      prevalence: isOut.filter(Boolean).length / tested.length,
                      accuracy,
                      scores: {
                          ...(evidence
                              ? { epistemic: scoreCurves(lack(tested), isOut, "−log10 evidence", false) }
                              : {}),
                          aleatoric: scoreCurves(doubt(tested), isOut, "1 - p", false)
                      }
                  },
        errors: {
            nodes: inside.length,
            positives: isWrong.filter(Boolean).length,
            prevalence: isWrong.filter(Boolean).length / inside.length,
            accuracy,
            scores: {
                aleatoric: scoreCurves(doubt(inside), isWrong, "1 - p", true),
                ...(evidence
                    ? { epistemic: scoreCurves(lack(inside), isWrong, "−log10 evidence", true) }
                    : {})
            },
            reliability: reliability(
                inside.map((i) => probability[i] / 65535),
                inside.map((i) => predicted[i] === label[i])
            )
        },
        confusion: counts
    };
    const facts = {
        data: {
            path: "made.npz",
            nodes,
            edges: neighbours.reduce((sum, list) => sum + list.length, 0) / 2,
            features: 12,
            classes: groups,
            labelled: nodes,
            edge_homophily: 0.85,
            fingerprint: "00ff",
            notes: ["made for a test"]
        },
        model: {
            kind: "gpn",
            classes: names.slice(0, known),
            best_epoch: 48,
            config: { latent: 16, ...diffusion, preset: "default" }
        },
        command: "credence report made.safetensors made.npz -o report.html",
        credence: "0.0.0-test",
        map: { method: "t-SNE", perplexity: 30, iterations: 1000, divergence: 1.23, of: "latent space" }
    };
    const blocks = [
        ["facts", "json", facts],
        ["classes", "json", classes],
        ["x", "uint16", x],
        ["y", "uint16", y],
        ["predicted", "uint16", predicted],
        ["label", "int16", label],
        ["role", "uint8", role],
        ["probability", "uint16", probability],
        ["graph", "uint8", packGraph(neighbours)],
        ["curves", "json", curves],
        ["history", "json", makeHistory()]
    ];
    if (evidence) blocks.push(["evidence", "float32", logEvidence]);
    if (explain)
        blocks.push(
            ["own", "float32", own],
            ["own_class", "uint16", ownClass],
        );
    if (nodeNames) blocks.push(["names", "json", Array.from({ length: nodes }, (_, i) => nodeNames(i))]);
    if (committee) {
        blocks.push(
            ["views", "json", makeViews()],
            ["own_logits", "int16", Int16Array.from({ length: 2 * nodes * 3 * (known + 1) }, (_, i) => {
                const column = i % (known + 1),
                    node = Math.floor(i / (3 * (known + 1))) % nodes;
                return Math.round(1000 * normal() + (column === Math.min(group[node], known) ? 4000 : 0));
            })],
            ["doubt", "float32", Float32Array.from(label, (k) => (k >= known ? 0.5 : 0) + 0.5 * random())],
            ["epistemic", "float32", Float32Array.from(label, (k) => (k >= known ? 1 : -1) + normal())]
        );
        curves.errors.evaluation = makeEvaluation(names.slice(0, known));
        const { bins } = curves.errors.reliability;
        curves.errors.reliability.bins_before = bins.map((bin) => ({ ...bin, confidence: 0.8 * bin.confidence }));
        const history = makeHistory();
        history.warmup = 0;
        history.epoch = history.epoch.map((_, i) => (i < 40 ? i + 1 : i - 39));
        blocks.find((block) => block[0] === "history")[2] = history;
    }
    for (const block of blocks) if (block[0] in overrides) block[2] = overrides[block[0]];
    return {
        kind: "model",
        title,
        neighbours,
        blocks: blocks.map(([name, type, value]) => ({ name, type, value }))
    };
}
