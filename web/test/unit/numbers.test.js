/* SPDX-License-Identifier: MIT */
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCount, formatNumber, formatPercent, formatPower, formatTick } from "../../src/numbers.js";
import {
    extent,
    linearTicks,
    logTicks,
    makeScale,
    niceDomain,
    quantile,
    tickStep
} from "../../src/scales.js";

test("numbers are written for people", () => {
    assert.equal(formatCount(1234567), "1,234,567");
    assert.equal(formatPercent(0.99412), "99.4\u202f%");
    assert.equal(formatNumber(0.123456), "0.123");
    assert.equal(formatNumber(-0.5), "−0.5");
    assert.equal(formatNumber(12345.6), "12,346");
    assert.equal(formatNumber(1.5e9), "1.50\u202f×\u202f10⁹");
    assert.equal(formatNumber(2e-7), "2.00\u202f×\u202f10⁻⁷");
    assert.equal(formatPower(2), "100");
    assert.equal(formatPower(-Infinity), "0");
    assert.equal(formatPower(-400), "10⁻⁴⁰⁰");
    for (const none of [null, undefined, NaN, Infinity]) {
        for (const format of [formatCount, formatPercent, formatNumber, formatPower])
            assert.equal(format(none), "–");
    }
});

test("ticks have the digits of their step", () => {
    assert.equal(formatTick(0.1 + 0.2, 0.1), "0.3");
    assert.equal(formatTick(1, 0.25), "1.0");
    assert.equal(formatTick(20000, 5000), "20,000");
    assert.equal(formatTick(-1.5, 0.5), "−1.5");
});

test("ticks are few, round, and inside", () => {
    for (const [low, high] of [
        [0, 1],
        [-3.7, 12.2],
        [0, 1e-9],
        [1e6, 1e6 + 3],
        [0.2, 0.21],
        [-1e12, 1e12]
    ]) {
        const ticks = linearTicks(low, high, 5),
            step = tickStep(low, high, 5);
        assert.ok(ticks.length >= 2 && ticks.length <= 11, `${low} ${high}: ${ticks}`);
        for (const tick of ticks) assert.ok(tick >= low - step * 1e-6 && tick <= high + step * 1e-6);
    }
    assert.deepEqual(linearTicks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
    assert.deepEqual(logTicks(0.001, 1000, 7), [0.001, 0.01, 0.1, 1, 10, 100, 1000]);
    assert.deepEqual(linearTicks(1, 1, 5), [1]);
});

test("a domain is never empty", () => {
    assert.deepEqual(extent([]), [0, 1]);
    assert.deepEqual(extent([null, NaN, Infinity]), [0, 1]);
    const [low, high] = extent([3, 3]);
    assert.ok(low < 3 && high > 3);
    assert.deepEqual(niceDomain([0.03, 0.97]), [0, 1]);
});

test("scales go there and back", () => {
    const linear = makeScale({ domain: [2, 4], range: [100, 0] });
    assert.equal(linear(2), 100);
    assert.equal(linear(4), 0);
    assert.ok(Math.abs(linear.invert(linear(3.3)) - 3.3) < 1e-12);
    const log = makeScale({ domain: [1, 1000], range: [0, 30], log: true });
    assert.ok(Math.abs(log(10) - 10) < 1e-9);
    assert.ok(Math.abs(log.invert(20) - 100) < 1e-9);
});

test("quantiles lie between neighbours", () => {
    assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5);
    assert.equal(quantile([5], 0.99), 5);
    assert.ok(Number.isNaN(quantile([], 0.5)));
});
