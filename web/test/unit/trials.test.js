/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import { test } from "node:test";
import { searchesOf } from "../../src/trials.js";

function trial(seed, held_out, budget, hidden, auroc, more = {}) {
    return {
        task: "tune", criterion: "left-out-class", data: "d", title: "D", seed, fingerprint: "f", version: "0",
        split: "5/15/80", left_out: 0, held_out, halves: false, budget, config: { model: "gpn", hidden, lr: 0.1 },
        seconds: 2, training: { epochs: budget, stop: "epochs", validation_cross_entropy: auroc },
        metrics: { auroc, accuracy: 0.5, positives: 1, negatives: 2 }, ...more
    };
}

const trials = [
    trial(101, 0, 50, 64, 0.5), trial(101, 0, 50, 32, 0.75), trial(101, 1, 50, 64, 0.7), trial(101, 1, 50, 32, 0.25),
    trial(101, 1, 150, 64, 0.9), trial(102, 1, 150, 64, 0.6)
];

const near = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-12, `${value}, expected ${expected}`);

test("a search that was stopped shows what there is and calls nothing chosen", () => {
    const [search] = searchesOf({ trials, tried: null, files: {} });
    assert.equal(search.finished, false);
    assert.equal(search.rungs, undefined);
    assert.deepEqual(search.axes, ["hidden"]);
    assert.deepEqual(search.fixed, { model: "gpn", lr: 0.1 });
    assert.deepEqual([search.seeds, search.held_out], [[101, 102], [0, 1]]);
    assert.deepEqual(search.budgets, [
        { epochs: 50, settings: 2, trials: 4, limited: 4, failed: 0 },
        { epochs: 150, settings: 1, trials: 2, limited: 2, failed: 0 }
    ]);
    /* Of a split and a class the trial with the most epochs counts: (0.5 + 0.9) / 2 and 0.6 are two splits. */
    const [wide, narrow] = search.settings;
    assert.deepEqual([wide.rank, wide.state, wide.rung, wide.trials, wide.values], [null, null, null, 3, [64]]);
    for (const [name, value] of Object.entries({ score: 0.65, standard_error: 0.05, accuracy: 0.5, cross_entropy: 0.65,
        epochs: 125, seconds: 8 })) near(wide[name], value);
    assert.equal(wide.why, null);
    assert.deepEqual([narrow.trials, narrow.score, narrow.standard_error], [2, 0.5, null]);
});

test("a ranking counts for the search that it is of, and for no other", () => {
    const place = (rank, state, config) => ({ rank, state, rung: 1, trials: 3, auroc: 0.7, standard_error: 0.1,
        accuracy: 0.6, config });
    const tried = { criterion: "left-out-class", data: "d", fingerprint: "f", max_accuracy_loss: 0.015,
        rungs: [{ settings: 2, splits: 1, epochs: 50 }],
        tried: [place(1, "chosen", { lr: 0.1, hidden: 32, model: "gpn" }), place(2, "eliminated", trials[0].config)] };
    const [search] = searchesOf({ trials, tried, files: { "mine.json": trials[1].config, "other.json": {} } });
    assert.equal(search.finished, true);
    assert.deepEqual(search.rungs, tried.rungs);
    assert.deepEqual(search.settings.map(({ rank, state, values, score, choices }) => [rank, state, values, score, choices]),
        [[1, "chosen", [32], 0.7, ["mine.json"]], [2, "eliminated", [64], 0.7, []]]);
    for (const other of [{ ...tried, criterion: "val-ce" }, { ...tried, tried: [place(1, "chosen", { hidden: 7 })] }])
        assert.equal(searchesOf({ trials, tried: other, files: {} })[0].finished, false);
});

test("failed trials count last, searches come newest first", () => {
    const failed = trial(101, 0, 50, 64, null, { error: "it did not work", metrics: undefined, training: undefined });
    const [newest, older] = searchesOf({ trials: [trial(101, 0, 50, 8, 0.5, { left_out: 1 }), failed], tried: null });
    assert.deepEqual([newest.left_out, older.left_out], [0, 1]);
    assert.equal(newest.settings[0].why, "it did not work");
    assert.equal(newest.settings[0].score, null);
    const [again] = searchesOf({ trials: [trial(101, 0, 50, 64, 0.5), failed], tried: null });
    assert.equal(again.settings[0].why, null);
    assert.equal(again.budgets[0].failed, 1);
});
