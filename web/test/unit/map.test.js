/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeGrid, nearestPoint } from "../../src/pick.js";
import { categoriesOf, doubtRange, evidenceRank, lookOfPoints, makeNodes } from "../../src/points.js";
import { drawPoints, makeStamp, pixelOf, RADIUS_STEPS } from "../../src/raster.js";
import { fitView, flight, panView, toMap, toScreen, zoomView } from "../../src/view.js";
import { modelPart, randomNumbers } from "../make_model.js";

function near(one, other, within = 1e-9) {
    one.forEach((value, i) => assert.ok(Math.abs(value - other[i]) < within, `${one} is not ${other}`));
}

test("a view fits, and goes from the map to the screen and back", () => {
    const view = fitView({ low: [0, 0], high: [1000, 500] }, 640, 480, 20);
    near(toScreen(view, 640, 480, 0, 250), [20, 240]);
    near(toScreen(view, 640, 480, 1000, 250), [620, 240]);
    near(toMap(view, 640, 480, ...toScreen(view, 640, 480, 123, 456)), [123, 456]);
    const [, low] = toScreen(view, 640, 480, 0, 0),
        [, high] = toScreen(view, 640, 480, 0, 500);
    assert.ok(low > high, "y grows upwards");
});

test("what is under the pointer stays there while zooming and moves along while panning", () => {
    const view = { x: 300, y: 400, scale: 0.1 };
    const under = toMap(view, 640, 480, 100, 50);
    near(toMap(zoomView(view, 640, 480, 100, 50, 3, 0.01, 10), 640, 480, 100, 50), under);
    near(toMap(panView(view, 30, -20), 640, 480, 130, 30), under);
    assert.equal(zoomView(view, 640, 480, 100, 50, 1e9, 0.01, 10).scale, 10);
});

test("a flight begins and ends where it should, and goes out when it is far", () => {
    const from = { x: 0, y: 0, scale: 1 },
        to = { x: 60000, y: 0, scale: 2 };
    const way = flight(from, to, 800);
    near(Object.values(way(0)), Object.values(from));
    near(Object.values(way(1)), Object.values(to), 1e-6);
    assert.ok(way(0.5).scale < 0.1);
});

test("the nearest point is found, as by looking at all", () => {
    const random = randomNumbers(5);
    const x = Uint16Array.from({ length: 3000 }, () => random() * 65535),
        y = x.map(() => random() * 65535);
    const grid = makeGrid(x, y);
    for (let t = 0; t < 200; t++) {
        const [px, py, radius] = [random() * 70000 - 2000, random() * 65535, 100 + random() * 4000];
        let best = -1,
            square = radius * radius;
        for (let i = 0; i < 3000; i++) {
            const distance = (x[i] - px) ** 2 + (y[i] - py) ** 2;
            if (i % 3 > 0 && distance <= square) [best, square] = [i, distance];
        }
        const found = nearestPoint(grid, px, py, radius, (i) => i % 3 > 0);
        assert.equal(found < 0 ? -1 : (x[found] - px) ** 2 + (y[found] - py) ** 2, best < 0 ? -1 : square);
    }
    assert.equal(
        nearestPoint(makeGrid(Uint16Array.of(65535), Uint16Array.of(65535)), 65535, 65535, 1, () => true),
        0
    );
});

test("a stamp covers the area of its shape", () => {
    for (const radius of [1, 2.5, 7]) {
        const { coverage } = makeStamp("circle", radius, 0.25, 0.75);
        const area = coverage.reduce((sum, value) => sum + value / 255, 0);
        assert.ok(Math.abs(area / (Math.PI * radius * radius) - 1) < 0.06, `${radius}: ${area}`);
    }
    for (const shape of ["square", "triangle", "diamond", "cross"]) {
        const { coverage } = makeStamp(shape, 6, 0.25, 0.25);
        const share = coverage.reduce((sum, value) => sum + value / 255, 0) / (Math.PI * 36);
        assert.ok(share > 0.6 && share < 1.1, `${shape}: ${share}`);
    }
});

function draw(x, y, look) {
    const picture = { pixels: new Uint32Array(64 * 48), width: 64, height: 48 };
    const count = x.length,
        colours = [
            [200, 10, 10],
            [10, 10, 200]
        ].map(pixelOf);
    const points = {
        x: Uint16Array.from(x),
        y: Uint16Array.from(y),
        stamp: new Uint16Array(count),
        pixel: Uint32Array.from({ length: count }, (_, i) => colours[i]),
        ringed: look.ringed ?? null
    };
    drawPoints(picture, { x: 32, y: 24, scale: 1 }, points, {
        shapes: ["circle"],
        radii: Array(RADIUS_STEPS).fill(3),
        background: pixelOf([255, 255, 255]),
        ink: pixelOf([0, 0, 0]),
        halo: 0,
        moving: false,
        ...look
    });
    const at = (px, py) => [0, 8, 16].map((shift) => (picture.pixels[py * 64 + px] >>> shift) & 255);
    return { at, picture };
}

test("points are drawn where they belong, later ones on top, cut off at the edge", () => {
    for (const moving of [false, true]) {
        const { at } = draw([10, 13], [40, 40], { moving });
        assert.deepEqual(at(8, 8), [200, 10, 10]);
        assert.deepEqual(at(12, 8), [10, 10, 200], "the later one is on top");
        assert.deepEqual(at(40, 30), [255, 255, 255]);
        const edge = draw([0, 63], [48, 0], { moving });
        assert.deepEqual(edge.at(0, 0), [200, 10, 10]);
        assert.deepEqual(edge.at(63, 47), [10, 10, 200]);
        assert.deepEqual(edge.at(63, 0), [255, 255, 255], "nothing comes in again on the other side");
    }
});

test("a ring is around a point", () => {
    const { at } = draw([32], [24], { ringed: Uint8Array.of(1) });
    assert.deepEqual(at(32, 24), [200, 10, 10]);
    assert.deepEqual(at(28, 24), [0, 0, 0]);
});

function nodesOf(options) {
    const part = modelPart(options);
    return makeNodes({ blocks: new Map(part.blocks.map(({ name, value }) => [name, value])) });
}

test("every node is in one category, those out of distribution apart if wanted", () => {
    const nodes = nodesOf({ nodes: 400, known: 3, out: 2 });
    for (const colouring of ["truth", "predicted", "correct", "aleatoric", "epistemic"])
        for (const apart of [true, false]) {
            const { entries, category, out } = categoriesOf(nodes, colouring, apart, "light");
            assert.equal(
                entries.reduce((sum, entry) => sum + entry.count, 0),
                400
            );
            for (let i = 0; i < 400; i++) assert.equal(category(i) === out, apart && nodes.isOut(i));
            if (apart) assert.equal(entries[out].count, nodes.outCount);
        }
    assert.ok(nodes.outCount > 0);
});

test("hidden categories are not drawn, and those out of distribution come last", () => {
    const nodes = nodesOf({ nodes: 400, known: 3, out: 2 });
    const options = { colouring: "truth", apart: true, byEvidence: true, hidden: new Set() };
    const all = lookOfPoints(nodes, options, "light").points;
    assert.equal(all.x.length, 400);
    assert.ok(all.pixel.slice(-nodes.outCount).every((pixel) => pixel === pixelOf([0, 0, 0])));
    assert.ok(!all.pixel.slice(0, -nodes.outCount).includes(pixelOf([0, 0, 0])));
    const some = lookOfPoints(nodes, { ...options, hidden: new Set([0]) }, "light");
    assert.equal(some.points.x.length, 400 - some.entries[0].count);
});

test("more evidence is larger, and less doubtful", () => {
    const nodes = nodesOf({ nodes: 400 });
    const order = Array.from(nodes.evidence.keys()).sort((a, b) => nodes.evidence[a] - nodes.evidence[b]);
    const { step } = lookOfPoints(
        nodes,
        { colouring: "truth", apart: true, byEvidence: true, hidden: new Set() },
        "light"
    );
    for (let i = 1; i < order.length; i++) assert.ok(step[order[i - 1]] <= step[order[i]]);
    assert.equal(evidenceRank(nodes, order[0]), 0);
    assert.ok(evidenceRank(nodes, order[399]) > 0.99);
    const [low, high] = doubtRange(nodes, "epistemic");
    assert.ok(low < high);
});

test("a model without evidence has points of one size and no epistemic colour", () => {
    const nodes = nodesOf({ nodes: 50, evidence: false });
    assert.equal(nodes.doubt, null);
    const { step } = lookOfPoints(
        nodes,
        { colouring: "truth", apart: true, byEvidence: true, hidden: new Set() },
        "dark"
    );
    assert.equal(new Set(step).size, 1);
});
