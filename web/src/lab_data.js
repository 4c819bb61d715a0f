/* SPDX-License-Identifier: MIT */
/* What experiments and tunings say, computed without a page: which models are compared, what is missing, which options
 * differ, and where a chart's points are. */
import { formatNumber, isNumber, NO_NUMBER } from "./numbers.js";
import { quantile } from "./scales.js";

/* ---- words ---- */

/* [1, 2, 3, 7] -> "1–3, 7" */
export function seedsText(seeds) {
    const sorted = [...new Set(seeds)].sort((a, b) => a - b), ranges = [];
    for (const seed of sorted) {
        const last = ranges[ranges.length - 1];
        if (last && seed === last[1] + 1) last[1] = seed;
        else ranges.push([seed, seed]);
    }
    return ranges.map(([first, last]) => first === last ? `${first}` : `${first}–${last}`).join(", ");
}

/* 4000 -> "1 h 7 min" */
export function durationText(seconds) {
    if (!isNumber(seconds)) return NO_NUMBER;
    if (seconds < 60) return `${formatNumber(seconds, 2)} s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return `${minutes} min`;
    return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function countText(count, one, many = one + "s") {
    return `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
}

/* As in the command's tables: two digits after the point for percent, else four significant digits. */
export function metricNumber(metric, value) {
    if (!isNumber(value)) return "n.a.";
    return metric.percent ? value.toFixed(2).replace(/^-0\.00$/, "0.00").replace("-", "−") : formatNumber(value, 4);
}

export function signedNumber(metric, value) {
    if (!isNumber(value)) return "n.a.";
    const text = metricNumber(metric, Math.abs(value));
    return (value < 0 && Number(text) !== 0 ? "−" : "+") + text;
}

export function chanceText(p) {
    return !isNumber(p) ? "n.a." : p < 0.0001 ? "<0.0001" : p.toFixed(4);
}

export function metricTitle(metric) {
    return (metric.group ? `${metric.group}, ${metric.label}` : metric.label) + (metric.percent ? " (%)" : "");
}

/* ---- experiments ---- */

/* The name of a block in its table: the graph, and its shift. */
export function blockName(block) {
    return block.shift === null ? block.label : `${block.label}, ${block.shift}`;
}

/* Rows of different blocks are the same model if both names are equal. */
export function rowKey(row) {
    return `${row.model}\n${row.title}`;
}

/* The models of a table in the order of its rows: [{key, title}]; if two have the same title, their names follow it. */
export function tableModels(table) {
    const models = new Map();
    for (const block of table.blocks)
        for (const row of block.rows) models.set(rowKey(row), { key: rowKey(row), title: row.title, name: row.model });
    const all = [...models.values()];
    return all.map(({ key, title, name }) => ({
        key, title: all.filter((other) => other.title === title).length > 1 ? `${title} (${name})` : title
    }));
}

/* Metrics for which some row has a number. */
export function tableMetrics(table) {
    return table.metrics.filter(({ name }) =>
        table.blocks.some((block) => block.rows.some((row) => row.values[name].some(isNumber))));
}

/* The metric that readers want first: how well the task's own uncertainty detects. */
export function firstMetric(table) {
    const metrics = tableMetrics(table);
    for (const name of table.failures ? ["auroc_alea", "auroc_epi"] : ["auroc_epi", "auroc_alea"]) {
        const found = metrics.find((metric) => metric.name === name);
        if (found) return found;
    }
    return metrics[0] ?? table.metrics[0];
}

/* Runs that a model lacks but others of the same block have: [{block, title, seeds}]. */
export function missingRuns(table, failures) {
    const missing = [];
    for (const block of table.blocks) {
        const seeds = new Set(block.rows.flatMap((row) => row.seeds));
        for (const row of block.rows) {
            const failed = failures.filter((one) => one.task === table.task && one.title === block.title &&
                one.shift === block.shift && one.model === row.title).map((one) => one.seed);
            const lacking = [...seeds].filter((seed) => !row.seeds.includes(seed) && !failed.includes(seed));
            if (lacking.length > 0) missing.push({ block: blockName(block), title: row.title, seeds: lacking });
        }
    }
    return missing;
}

/* The same comparison from the other side. */
export function turnComparison(pair) {
    const minus = (value) => value === null ? null : 0 - value;
    return {
        ...pair, a: pair.b, b: pair.a, mean_a: pair.mean_b, mean_b: pair.mean_a, difference: minus(pair.difference),
        low: minus(pair.high), high: minus(pair.low), wins: pair.losses, losses: pair.wins
    };
}

/* Comparisons by a metric of model `a` (null: every other one) with model `b`, in one block or (null) in all: [{block,
 * titleA, titleB, ...comparison}] in the order of the table. */
export function findComparisons(table, { metric, a = null, b, block = null }) {
    const found = [];
    for (const pair of table.pairs) {
        if (pair.metric !== metric || (block !== null && pair.block !== block)) continue;
        const rows = table.blocks[pair.block].rows;
        const straight = rowKey(rows[pair.b]) === b, turned = rowKey(rows[pair.a]) === b;
        if (!straight && !turned) continue;
        const seen = straight ? pair : turnComparison(pair);
        if (a !== null && rowKey(rows[seen.a]) !== a) continue;
        found.push({ ...seen, blockTitle: blockName(table.blocks[pair.block]),
            titleA: rows[seen.a].title, titleB: rows[seen.b].title });
    }
    return found.sort((x, y) => x.block - y.block || x.a - y.a);
}

/* Fewer pairs than this tell little, as 'credence compare' warns. */
export const ENOUGH_PAIRS = 6;

/* The direction of a difference: 1 better, -1 worse, 0 unknown: the interval contains 0, or there is none. */
export function verdict(metric, { low, high }) {
    if (!isNumber(low) || !isNumber(high) || (low <= 0 && high >= 0)) return 0;
    return (low > 0) === !metric.loss ? 1 : -1;
}

function optionText(value) {
    return value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

/* The options in which rows of a table differ: {options: [names], rows: [{block, title, values: [texts]}]}. */
export function optionDifferences(table) {
    const rows = table.blocks.flatMap((block) => block.rows.map((row) =>
        ({ block: blockName(block), title: row.title, config: row.config ?? {} })));
    const names = [...new Set(rows.flatMap((row) => Object.keys(row.config)))];
    const options = names.filter((name) => rows.some((row) =>
        optionText(row.config[name]) !== optionText(rows[0].config[name])));
    return {
        options,
        rows: rows.map(({ block, title, config }) =>
            ({ block, title, values: options.map((name) => optionText(config[name])) }))
    };
}

export function meanOf(values) {
    const numbers = values.filter(isNumber);
    return numbers.length === 0 ? NaN : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

/* How models do over all blocks in which every model has the number: {blocks: how many, models: [{title, mean, rank:
 * mean of its ranks, firsts}]}, the best rank first. Means that look equal share a rank. */
export function overallRanks(table, metric) {
    const models = tableModels(table).map(({ key, title }) => ({ key, title, means: [], ranks: [], firsts: 0 }));
    let blocks = 0;
    for (const block of table.blocks) {
        const means = models.map(({ key }) => {
            const row = block.rows.find((one) => rowKey(one) === key);
            const mean = row ? meanOf(row.values[metric.name]) : NaN;
            return isNumber(mean) ? Number(mean.toFixed(metric.percent ? 2 : 12)) : NaN;
        });
        if (!means.every(isNumber)) continue;
        blocks++;
        models.forEach((model, i) => {
            const better = means.filter((mean) => metric.loss ? mean < means[i] : mean > means[i]).length;
            const equal = means.filter((mean) => mean === means[i]).length;
            model.means.push(means[i]);
            model.ranks.push(better + (equal + 1) / 2);
            model.firsts += better === 0 ? 1 : 0;
        });
    }
    return {
        blocks,
        models: models.map(({ title, means, ranks, firsts }) =>
            ({ title, mean: meanOf(means), rank: meanOf(ranks), firsts })).sort((a, b) => a.rank - b.rank)
    };
}

/* The blocks of a table of shifts, by graph and kind, in order of strength: [{data, name: "bernoulli, all", blocks:
 * [{amount, block}]}]. */
export function shiftGroups(table) {
    const groups = new Map();
    table.blocks.forEach((block) => {
        if (!isNumber(block.amount)) return;
        const name = block.mode && block.mode !== "all" ? `${block.kind}, ${block.mode}` : block.kind;
        const key = `${block.label}\n${name}`;
        if (!groups.has(key)) groups.set(key, { data: block.label, name, blocks: [] });
        groups.get(key).blocks.push({ amount: block.amount, block });
    });
    for (const group of groups.values()) group.blocks.sort((x, y) => x.amount - y.amount);
    return [...groups.values()];
}

/* One line per model over the strengths of a group. */
export function shiftLines(group, models, metric) {
    return models.map(({ key, title }) => ({
        name: title,
        points: group.blocks.map(({ amount, block }) => {
            const row = block.rows.find((one) => rowKey(one) === key);
            return [amount, row ? meanOf(row.values[metric]) : NaN];
        })
    }));
}

/* ---- tunings ---- */

/* "reg=evidence latent=10" */
export function settingText(axes, setting) {
    return axes.map((axis, i) => `${axis}=${optionText(setting.values[i])}`).join(" ");
}

/* The whole configuration of a setting, as 'train --config' takes it. */
export function settingConfig(search, setting) {
    const config = { ...search.fixed };
    search.axes.forEach((axis, i) => {
        if (setting.values[i] !== null) config[axis] = setting.values[i];
    });
    return config;
}

/* The state of a setting: as given, or "chosen" if the folder holds it as somebody's choice. Null: unknown so far. */
export function settingState(setting) {
    return setting.state ?? (setting.choices.length > 0 ? "chosen" : null);
}

/* Best first: by rank, then by score. */
export function orderSettings(search) {
    const worth = (setting) => !isNumber(setting.score) ? -Infinity : search.detects ? setting.score : -setting.score;
    return [...search.settings].sort((a, b) =>
        (a.rank ?? Infinity) - (b.rank ?? Infinity) || worth(b) - worth(a) || 0);
}

/* A span of all values except those far out on the bad side: {domain, outside: how many}. */
export function robustDomain(values, { cutHigh = false, cutLow = false } = {}) {
    const sorted = values.filter(isNumber).sort((a, b) => a - b);
    if (sorted.length === 0) return { domain: null, outside: 0 };
    const low = quantile(sorted, 0.25), high = quantile(sorted, 0.75), reach = 4 * (high - low);
    const inside = sorted.filter((value) =>
        reach === 0 || ((!cutHigh || value <= high + reach) && (!cutLow || value >= low - reach)));
    const first = inside[0], last = inside[inside.length - 1];
    const room = 0.04 * (last - first) || 0.02 * Math.abs(last) || 0.01;
    return { domain: [first - room, last + room], outside: sorted.length - inside.length };
}

/* The places of an option's values on an axis: side by side, small ones first. If there are many different numbers (a
 * random search), at their own values, on a logarithmic axis if they span several powers of ten. */
export function axisPlaces(values) {
    const texts = new Map();
    for (const value of values) texts.set(optionText(value), value);
    const all = [...texts.values()], numeric = all.every(isNumber);
    if (numeric && all.length > 9) {
        const low = Math.min(...all), high = Math.max(...all);
        return { axis: { log: low > 0 && high / low > 50 }, place: (value) => value, steps: null };
    }
    const sorted = numeric ? all.sort((a, b) => a - b) : all;
    const names = sorted.map(optionText);
    return {
        axis: {
            domain: [-0.6, names.length - 0.4], ticks: names.map((_, i) => i),
            format: (place) => names[place] ?? ""
        },
        place: (value) => names.indexOf(optionText(value)), steps: names
    };
}

/* A small offset, always the same for the same number, so that points with the same value do not hide each other. */
export function jitter(index) {
    return ((index + 1) * 0.618034) % 1 - 0.5;
}
