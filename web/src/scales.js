/* SPDX-License-Identifier: MIT */
/* From numbers to positions and back. */
import { formatTick, isNumber } from "./numbers.js";

/* Steps of 1, 2 or 5 times a power of ten, about `count` of them over the span. */
export function tickStep(low, high, count) {
    const span = high - low;
    if (!(span > 0) || !(count > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(span / count));
    const error = span / count / power;
    return power * (error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.SQRT2 ? 2 : 1);
}

/* The multiples of tickStep between low and high, both included. */
export function linearTicks(low, high, count = 5) {
    const step = tickStep(low, high, count);
    const ticks = [];
    const last = Math.floor(high / step + 1e-9);
    for (let i = Math.ceil(low / step - 1e-9); i <= last && ticks.length < 1000; i++)
        ticks.push(Number((i * step).toPrecision(12)));
    return ticks;
}

/* Powers of ten, thinned so that at most `count` remain. */
export function logTicks(low, high, count = 5) {
    const first = Math.ceil(Math.log10(low) - 1e-9),
        last = Math.floor(Math.log10(high) + 1e-9);
    const every = Math.max(1, Math.ceil((last - first + 1) / count));
    const ticks = [];
    for (let power = first; power <= last; power += every) ticks.push(10 ** power);
    return ticks.length >= 2 ? ticks : linearTicks(low, high, count).filter((tick) => tick > 0);
}

/* The smallest and largest number, widened if they are equal; `fallback` if there is none. */
export function extent(values, fallback = [0, 1]) {
    let low = Infinity,
        high = -Infinity;
    for (const value of values) {
        if (!isNumber(value)) continue;
        if (value < low) low = value;
        if (value > high) high = value;
    }
    if (low > high) return fallback;
    if (low < high) return [low, high];
    const room = Math.abs(low) > 0 ? 0.1 * Math.abs(low) : 1;
    return [low - room, high + room];
}

/* Widens a span to whole steps. */
export function niceDomain([low, high], count = 5) {
    const step = tickStep(low, high, count);
    return [
        Number((Math.floor(low / step + 1e-9) * step).toPrecision(12)),
        Number((Math.ceil(high / step - 1e-9) * step).toPrecision(12))
    ];
}

/* scale(value) -> place; scale.invert(place) -> value; scale.ticks(count) -> [{value, text}] */
export function makeScale({ domain, range, log = false, format = null, ticks = null }) {
    const bend = log ? (value) => Math.log10(Math.max(value, Number.MIN_VALUE)) : (value) => value;
    const unbend = log ? (value) => 10 ** value : (value) => value;
    const low = bend(domain[0]),
        high = bend(domain[1]);
    const scale = (value) => range[0] + ((bend(value) - low) / (high - low || 1)) * (range[1] - range[0]);
    scale.domain = domain;
    scale.range = range;
    scale.invert = (place) => unbend(low + ((place - range[0]) / (range[1] - range[0] || 1)) * (high - low));
    scale.ticks = (count) => {
        const values = ticks ?? (log ? logTicks(...domain, count) : linearTicks(...domain, count));
        const step = tickStep(...domain, count);
        return values.map((value) => ({
            value,
            text: format ? format(value, step) : formatTick(value, log ? value : step)
        }));
    };
    return scale;
}

export function quantile(sorted, share) {
    if (sorted.length === 0) return NaN;
    const place = share * (sorted.length - 1),
        below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}
