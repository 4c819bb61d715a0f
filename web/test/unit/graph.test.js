/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    committeeContributions,
    contributions,
    diffusionRow,
    doubtSlope,
    edgesAmong,
    reach,
    unpackGraph
} from "../../src/graph.js";
import { makeGraph, modelPart, packGraph, randomNumbers } from "../make_model.js";

test("a packed graph is unpacked to both directions of every edge, in order", () => {
    const graph = unpackGraph(packGraph([[1, 2], [0], [0, 3], [2], []]), 5);
    assert.deepEqual([...graph.start], [0, 2, 3, 5, 6, 6]);
    assert.deepEqual([...graph.neighbour], [1, 2, 0, 0, 3, 2]);
});

test("numbers of several bytes survive packing", () => {
    for (const far of [127, 128, 16383, 16384, 40000]) {
        const neighbours = Array.from({ length: far + 1 }, () => []);
        neighbours[0] = [far];
        neighbours[far] = [0];
        const graph = unpackGraph(packGraph(neighbours), far + 1);
        assert.deepEqual([...graph.neighbour], [far, 0]);
        assert.equal(graph.start[far], 1);
    }
});

test("a packed graph that is damaged is refused", () => {
    assert.throws(() => unpackGraph(Uint8Array.of(1), 2), /ends too early/);
    assert.throws(() => unpackGraph(Uint8Array.of(1, 128), 2), /ends too early/);
    assert.throws(() => unpackGraph(Uint8Array.of(1, 5, 0), 2), /does not exist/);
});

/* The whole matrix, multiplied out. */
function denseDiffusion(neighbours, teleport, steps) {
    const count = neighbours.length;
    const degree = neighbours.map((list) => list.length + 1);
    const walk = neighbours.map((list, i) =>
        Array.from({ length: count }, (_, j) =>
            i === j || list.includes(j) ? 1 / Math.sqrt(degree[i] * degree[j]) : 0
        )
    );
    const identity = walk.map((_, i) => walk.map((__, j) => (i === j ? 1 : 0)));
    let result = identity;
    for (let step = 0; step < steps; step++)
        result = walk.map((row, i) =>
            row.map(
                (_, j) =>
                    (1 - teleport) * row.reduce((sum, weight, k) => sum + weight * result[k][j], 0) +
                    teleport * identity[i][j]
            )
        );
    return result;
}

test("a row of personalised PageRank is that of the whole matrix", () => {
    const random = randomNumbers(7);
    const group = Array.from({ length: 40 }, (_, i) => i % 4);
    const neighbours = makeGraph(40, 60, group, random);
    const graph = unpackGraph(packGraph(neighbours), 40);
    for (const [teleport, steps] of [
        [0.2, 10],
        [0.5, 1],
        [0.1, 3],
        [0.3, 0]
    ]) {
        const dense = denseDiffusion(neighbours, teleport, steps);
        for (const node of [0, 13, 39]) {
            const { weight } = diffusionRow(graph, node, { teleport, steps });
            dense[node].forEach((value, j) => assert.ok(Math.abs(value - weight[j]) < 1e-12, `${node} ${j}`));
        }
    }
});

test("contributions add up to the evidence after the graph, largest first", () => {
    const part = modelPart({ nodes: 300, seed: 3 });
    const block = (name) => part.blocks.find((one) => one.name === name).value;
    const graph = unpackGraph(block("graph"), 300);
    for (const node of [0, 100, 299]) {
        const found = contributions(graph, block("own"), node, block("facts").model.config, 15);
        assert.ok(Math.abs(Math.log10(found.total) - block("evidence")[node]) < 1e-5);
        const shown = found.given.reduce((sum, one) => sum + one.share, 0);
        assert.ok(Math.abs(shown + found.rest.share - 1) < 1e-12);
        for (let i = 1; i < found.given.length; i++)
            assert.ok(found.given[i - 1].share >= found.given[i].share);
        const { hops } = reach(graph, node, 10);
        for (const one of found.given) assert.equal(one.hops, hops[one.node]);
    }
});

test("a node alone has its own evidence and nobody else's", () => {
    const graph = unpackGraph(packGraph([[], [2], [1]]), 3);
    const found = contributions(graph, Float32Array.of(1, 2, 3), 0, { teleport: 0.2, steps: 10 }, 15);
    assert.deepEqual(found.given, [{ node: 0, hops: 0, share: 1 }]);
    assert.deepEqual(found.rest, { count: 0, share: 0 });
    assert.ok(Math.abs(found.total - 10) < 1e-9);
});

test("evidence that is none, or not a number, gives nothing", () => {
    const graph = unpackGraph(packGraph([[1, 2], [0], [0]]), 3);
    const own = Float32Array.of(0, -Infinity, NaN);
    const found = contributions(graph, own, 0, { teleport: 0.2, steps: 2 }, 15);
    assert.deepEqual(
        found.given.map((one) => one.node),
        [0]
    );
});

/* log-odds of one view as crd_pool_signals has them. */
function viewDoubt({ unlike, unsure }, logits) {
    const known = logits.slice(0, -1),
        sum = Math.log(known.reduce((all, z) => all + Math.exp(z), 0));
    return unlike * (logits[logits.length - 1] - sum) + unsure * (sum - Math.max(...known));
}

test("doubt is a sum over logits", () => {
    const view = { unlike: 0.7, unsure: 1.3 },
        logits = [0.3, -1, 2.2, 0.4];
    const { fixed, slope } = doubtSlope(view, logits);
    const sum = logits.reduce((all, z, k) => all + slope[k] * z, fixed);
    assert.ok(Math.abs(sum - viewDoubt(view, logits)) < 1e-12);
});

test("contributions to a committee add up to its logits and its doubt, the largest first", () => {
    const known = 3,
        part = modelPart({ nodes: 80, known, out: 1, seed: 5, committee: true });
    const block = (name) => part.blocks.find((one) => one.name === name).value;
    const views = { ...block("views"), beyond: { 41: 2.5 } },
        own = block("own_logits"),
        graph = unpackGraph(block("graph"), 80),
        columns = known + 1;
    const lonely = part.neighbours.findIndex((list) => list.length === 0);
    for (const node of [0, 41, 79, lonely].filter((i) => i >= 0)) {
        const logits = Array(known).fill(0);
        let doubt = views.bias + (node === 41 ? 2.5 : 0);
        for (let m = 0; m < views.networks; m++)
            views.views.forEach((view, v) => {
                const matrix = denseDiffusion(part.neighbours, view.teleport, view.steps);
                const seen = Array.from({ length: columns }, (_, k) =>
                    matrix[node].reduce(
                        (sum, weight, j) => sum + weight * views.step * own[((m * 80 + j) * 3 + v) * columns + k],
                        0
                    )
                );
                for (let k = 0; k < known; k++) logits[k] += (view.weight * seen[k]) / views.networks;
                doubt += viewDoubt(view, seen) / views.networks;
            });
        const mean = logits.reduce((sum, z) => sum + z, 0) / known;
        for (const most of [0, 4, 1000]) {
            const found = committeeContributions(graph, own, node, views, known, most);
            const add = (read) => found.given.reduce((sum, one) => sum + read(one), read(found.rest));
            assert.ok(Math.abs(found.doubt - doubt) < 1e-9);
            assert.ok(Math.abs(add((one) => one.doubt) + found.fixed - doubt) < 1e-9);
            for (let k = 0; k < known; k++) {
                assert.ok(Math.abs(found.logits[k] - logits[k] + mean) < 1e-9);
                assert.ok(Math.abs(add((one) => one.logits[k]) - logits[k] + mean) < 1e-9);
                const [plus, minus] = found.forClass[k].sum;
                assert.ok(plus >= 0 && minus <= 0 && Math.abs(plus + minus - found.logits[k]) < 1e-9);
            }
            assert.ok(found.given.length <= most);
            for (let i = 1; i < found.given.length; i++) assert.ok(found.given[i - 1].size >= found.given[i].size);
            if (node === lonely && most > 0) assert.deepEqual(found.given.map((one) => one.node), [lonely]);
        }
    }
});

test("edges among a list are found once each", () => {
    const graph = unpackGraph(packGraph([[1, 2, 3], [0, 2], [0, 1], [0]]), 4);
    assert.deepEqual(edgesAmong(graph, [2, 0, 1]), [
        [0, 1],
        [0, 2],
        [1, 2]
    ]);
});
