/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as lab from "../../src/lab_data.js";
import { compareCells } from "../../src/choosers.js";

const metric = { name: "auroc_epi", group: "AUROC", label: "epistemic", column: true, percent: true, loss: false };
const loss = { name: "nll", group: "Calibration", label: "log loss", column: false, percent: false, loss: true };

function row(model, title, values, more = {}) {
    return {
        model, title, runs: values.length, failed: 0, seeds: values.map((_, i) => i + 1), config: {},
        values: { auroc_epi: values, nll: values.map(() => null) }, ...more
    };
}

function block(title, rows, more = {}) {
    return { title, label: title, shift: null, left_out: 3, rows, ...more };
}

function table(blocks, pairs = []) {
    return { task: "ood", title: "OOD", failures: false, metrics: [metric, loss], blocks, pairs };
}

test("seeds are ranges", () => {
    assert.equal(lab.seedsText([3, 1, 2, 7, 2]), "1–3, 7");
    assert.equal(lab.seedsText([]), "");
});

test("durations are read at a glance", () => {
    assert.equal(lab.durationText(3.14159), "3.1 s");
    assert.equal(lab.durationText(600), "10 min");
    assert.equal(lab.durationText(4000), "1 h 7 min");
    assert.equal(lab.durationText(7200), "2 h");
    assert.equal(lab.durationText(null), "–");
});

test("numbers look as in the command's tables", () => {
    assert.equal(lab.metricNumber(metric, 88.126), "88.13");
    assert.equal(lab.metricNumber(metric, -0.5), "−0.50");
    assert.equal(lab.metricNumber(metric, -0.004), "0.00");
    assert.equal(lab.metricNumber(metric, null), "n.a.");
    assert.equal(lab.metricNumber(loss, 0.123456), "0.1235");
    assert.equal(lab.signedNumber(metric, -0.001), "+0.00");
    assert.equal(lab.signedNumber(metric, -1.5), "−1.50");
    assert.equal(lab.signedNumber(metric, 1.5), "+1.50");
    assert.equal(lab.chanceText(0.00001), "<0.0001");
    assert.equal(lab.chanceText(0.25), "0.2500");
});

test("models are those of all blocks, told apart by name where titles are equal", () => {
    const models = lab.tableModels(table([block("A", [row("gpn", "GPN", [1])]),
        block("B", [row("config", "GPN", [1]), row("lp", "LP", [1])])]));
    assert.deepEqual(models.map((one) => one.title), ["GPN (gpn)", "GPN (config)", "LP"]);
});

test("metrics without a number are not offered, and the first is the task's own", () => {
    const one = table([block("A", [row("gpn", "GPN", [80, null])])]);
    assert.deepEqual(lab.tableMetrics(one), [metric]);
    assert.equal(lab.firstMetric(one).name, "auroc_epi");
    const other = table([block("A", [row("x", "X", [null], { values: { auroc_epi: [null], nll: [1] } })])]);
    assert.equal(lab.firstMetric(other).name, "nll");
});

test("runs that others have are missing, those that failed are not", () => {
    const one = table([block("A", [row("gpn", "GPN", [1, 2, 3]), row("lp", "LP", [1])])]);
    assert.deepEqual(lab.missingRuns(one, []), [{ block: "A", title: "LP", seeds: [2, 3] }]);
    const failure = { task: "ood", title: "A", shift: null, model: "LP", seed: 3 };
    assert.deepEqual(lab.missingRuns(one, [failure]), [{ block: "A", title: "LP", seeds: [2] }]);
});

const pair = {
    block: 0, a: 0, b: 1, metric: "auroc_epi", pairs: 3, mean_a: 91, mean_b: 86, difference: 5, low: 4, high: null,
    wilcoxon_p: 0.25, sign_p: 0.25, wins: 3, ties: 0, losses: 0
};

test("a comparison turned round twice is itself", () => {
    const turned = lab.turnComparison({ ...pair, high: 6 });
    assert.deepEqual([turned.difference, turned.low, turned.high, turned.wins, turned.losses], [-5, -6, -4, 0, 3]);
    assert.deepEqual(lab.turnComparison(turned), { ...pair, high: 6 });
    assert.equal(lab.turnComparison(pair).low, null);
});

test("comparisons are found from either side", () => {
    const rows = [row("ours", "Ours", [91]), row("gpn", "GPN", [86])];
    const one = table([block("A", rows), block("B", rows)], [pair, { ...pair, block: 1 }, { ...pair, metric: "nll" }]);
    const straight = lab.findComparisons(one, { metric: "auroc_epi", b: "gpn\nGPN" });
    assert.deepEqual(straight.map((found) => [found.blockTitle, found.titleA, found.difference]), [["A", "Ours", 5], ["B", "Ours", 5]]);
    const turned = lab.findComparisons(one, { metric: "auroc_epi", a: "gpn\nGPN", b: "ours\nOurs", block: 1 });
    assert.deepEqual(turned.map((found) => [found.blockTitle, found.titleA, found.difference]), [["B", "GPN", -5]]);
    assert.deepEqual(lab.findComparisons(one, { metric: "auroc_epi", a: "gpn\nGPN", b: "gpn\nGPN" }), []);
});

test("a verdict needs an interval without 0, and losses are better small", () => {
    assert.equal(lab.verdict(metric, { low: 1, high: 2 }), 1);
    assert.equal(lab.verdict(metric, { low: -2, high: -1 }), -1);
    assert.equal(lab.verdict(metric, { low: -1, high: 1 }), 0);
    assert.equal(lab.verdict(metric, { low: null, high: null }), 0);
    assert.equal(lab.verdict(loss, { low: 1, high: 2 }), -1);
    assert.equal(lab.verdict(metric, { low: 0, high: 0 }), 0);
});

test("options that differ are named, those that are alike are not", () => {
    const one = table([block("A", [row("a", "A", [1], { config: { hidden: 64, lr: 0.1 } }),
        row("b", "B", [1], { config: { hidden: 64, lr: 0.2, steps: 10 } }), row("c", "C", [1], { config: null })])]);
    const { options, rows } = lab.optionDifferences(one);
    assert.deepEqual(options, ["hidden", "lr", "steps"]);
    assert.deepEqual(rows.map((found) => found.values), [["64", "0.1", ""], ["64", "0.2", "10"], ["", "", ""]]);
});

test("ranks are over the blocks that all models have, and equals share theirs", () => {
    const one = table([
        block("A", [row("a", "A", [1, 3]), row("b", "B", [2.001]), row("c", "C", [5])]),
        block("B", [row("a", "A", [9]), row("b", "B", [1]), row("c", "C", [2])]),
        block("C", [row("a", "A", [9]), row("b", "B", [null]), row("c", "C", [2])]), block("D", [row("a", "A", [9])])
    ]);
    const { blocks, models } = lab.overallRanks(one, metric);
    assert.equal(blocks, 2);
    assert.deepEqual(models.map(({ title, rank, firsts }) => [title, rank, firsts]), [["C", 1.5, 1], ["A", 1.75, 1], ["B", 2.75, 0]]);
    assert.equal(models[1].mean, 5.5);
    const reversed = lab.overallRanks(one, { ...metric, loss: true });
    assert.deepEqual(reversed.models.map(({ title, firsts }) => [title, firsts]), [["B", 2], ["A", 1], ["C", 0]]);
});

test("shifts are lines over their strengths", () => {
    const shifted = (amount, value, kind = "normal", mode = "all") =>
        block("A", [row("gpn", "GPN", [value, value + 2])], { shift: `${kind}:${amount}:${mode}`, kind, amount, mode });
    const one = table([shifted(0.5, 70), shifted(0.1, 60), shifted(0.1, 90, "dice", "isolated"), block("A", [])]);
    const groups = lab.shiftGroups(one);
    assert.deepEqual(groups.map((group) => [group.name, group.blocks.length]), [["normal", 2], ["dice, isolated", 1]]);
    const [line] = lab.shiftLines(groups[0], lab.tableModels(one), "auroc_epi");
    assert.deepEqual(line, { name: "GPN", points: [[0.1, 61], [0.5, 71]] });
});

const search = {
    detects: true, axes: ["reg", "latent"], fixed: { hidden: 64 },
    settings: [
        { rank: 2, score: 0.9, state: "finalist", choices: ["x.json"], values: ["none", 16] }, { rank: null, score: 0.5, values: ["none", null] },
        { rank: null, score: 0.7, values: ["none", 4] }, { rank: 1, score: 0.95, values: ["evidence", 10] },
        { rank: null, score: null, values: ["none", 5] }
    ]
};

test("settings are in the order of ranks, then of scores, those without one last", () => {
    assert.deepEqual(lab.orderSettings(search).map((setting) => setting.score), [0.95, 0.9, 0.7, 0.5, null]);
    assert.deepEqual(lab.orderSettings({ ...search, detects: false }).map((setting) => setting.score),
        [0.95, 0.9, 0.5, 0.7, null]);
});

test("a setting that a file of the folder holds is chosen, unless the search said what it is", () => {
    assert.equal(lab.settingState(search.settings[0]), "finalist");
    assert.equal(lab.settingState({ state: null, choices: ["x.json"] }), "chosen");
    assert.equal(lab.settingState({ state: null, choices: [] }), null);
});

test("a setting is a text and a configuration", () => {
    assert.equal(lab.settingText(search.axes, search.settings[0]), "reg=none latent=16");
    assert.deepEqual(lab.settingConfig(search, search.settings[1]), { hidden: 64, reg: "none" });
});

test("what is far out on the bad side does not set the scale", () => {
    const { domain, outside } = lab.robustDomain([1, 2, 3, 4, 1000, null], { cutHigh: true });
    assert.equal(outside, 1);
    assert.ok(domain[0] < 1 && domain[1] > 4 && domain[1] < 5);
    assert.equal(lab.robustDomain([1, 2, 3, 4, 1000]).outside, 0);
    assert.equal(lab.robustDomain([-1000, 1, 2, 3, 4], { cutHigh: true }).outside, 0);
    assert.equal(lab.robustDomain([-1000, 1, 2, 3, 4], { cutLow: true }).outside, 1);
    assert.deepEqual(lab.robustDomain([null]), { domain: null, outside: 0 });
    assert.ok(lab.robustDomain([0.5]).domain[0] < 0.5);
    assert.equal(lab.robustDomain([1, 1, 1, 1, 9], { cutHigh: true }).outside, 0);
});

test("values of an option stand side by side, many numbers at their places", () => {
    const few = lab.axisPlaces([0.1, 0.001, 0.1, 10]);
    assert.deepEqual(few.steps, ["0.001", "0.1", "10"]);
    assert.equal(few.place(10), 2);
    assert.equal(few.axis.format(1), "0.1");
    assert.deepEqual(lab.axisPlaces(["relu", "gelu", 1]).steps, ["relu", "gelu", "1"]);
    const many = lab.axisPlaces(Array.from({ length: 20 }, (_, i) => 10 ** -i));
    assert.equal(many.axis.log, true);
    assert.equal(many.place(0.25), 0.25);
    assert.equal(lab.axisPlaces(Array.from({ length: 20 }, (_, i) => i)).axis.log, false);
});

test("jitter stays within half a step, and points next to each other part", () => {
    for (let i = 0; i < 100; i++) assert.ok(Math.abs(lab.jitter(i)) <= 0.5);
    assert.ok(Math.abs(lab.jitter(1) - lab.jitter(2)) > 0.2);
});

test("cells are sorted as numbers where they are numbers", () => {
    assert.deepEqual([10, "b", 9, "a", null].sort(compareCells), [9, 10, null, "a", "b"]);
});
