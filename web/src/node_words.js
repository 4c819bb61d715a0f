/* SPDX-License-Identifier: MIT */
/* The words about one node, in the tooltip and beside its neighbourhood. */
import { clip } from "./dom.js";
import { formatCount, formatNumber, formatPercent, formatPower } from "./numbers.js";
import { evidenceRank } from "./points.js";

const ROLES = ["", "a training node", "a validation node", "a test node", "a calibration node"];

export function className(nodes, index) {
    return index >= 0 && index < nodes.classes.length ? nodes.classes[index].short : "unknown";
}

/* Pairs of texts: a name and its value. `name` may be undefined. */
export function nodeWords(nodes, i, name) {
    const p = nodes.probability[i] / 65535;
    const answer = nodes.predicted[i],
        label = nodes.label[i];
    const judged =
        label < 0
            ? ""
            : nodes.isOut(i)
              ? " (a class it never saw)"
              : label === answer
                ? ""
                : " (the answer is wrong)";
    const words = [["Node", formatCount(i)]];
    if (name !== undefined) words.push(["Name", clip(name, 120)]);
    words.push(
        ["True class", clip(className(nodes, label), 60) + judged],
        ["Answer", clip(className(nodes, answer), 60)],
        ["Probability", formatPercent(p)],
        ["Aleatoric", formatNumber(1 - p) + " (1 − probability)"]
    );
    if (nodes.rank) words.push(["Doubt", `${nodes.rank[i].toFixed(3)} (0 to 1)`]);
    if (nodes.evidence) words.push(["Evidence", formatPower(nodes.evidence[i])]);
    if (nodes.score) words.push(["Epistemic", formatNumber(nodes.score[i])]);
    else if (nodes.evidence)
        words.push(["Epistemic", `more evidence than ${formatPercent(evidenceRank(nodes, i), 0)} of the nodes`]);
    if (ROLES[nodes.role[i]]) words.push(["It was", ROLES[nodes.role[i]]]);
    return words;
}
