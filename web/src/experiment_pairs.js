/* SPDX-License-Identifier: MIT */
/* Models of an experiment compared split by split. */
import { chartFigure } from "./charts.js";
import { chosenView, sortableTable, wholeLine } from "./choosers.js";
import { element } from "./dom.js";
import { ALL_BLOCKS, blockOptions, metricOf, metricOptions } from "./experiment_charts.js";
import { intervalChart } from "./intervals.js";
import { chanceText, countText, ENOUGH_PAIRS, findComparisons, firstMetric, metricNumber } from "./lab_data.js";
import { metricTitle, signedNumber, tableModels, verdict } from "./lab_data.js";
import { isNumber } from "./numbers.js";

const EVERY_OTHER = "every other";

const VERDICT_COLOURS = { 1: "var(--right)", "-1": "var(--wrong)", 0: "var(--muted)" };

function intervalText(metric, { low, high }) {
    return isNumber(low) ? `[${metricNumber(metric, low)}, ${metricNumber(metric, high)}]` : "n.a.";
}

function comparisonText(metric, one) {
    return `${one.titleA} − ${one.titleB} on ${one.blockTitle}: ${signedNumber(metric, one.difference)}, 95 % ` +
        `interval ${intervalText(metric, one)}, ${countText(one.pairs, "pair")}, ` +
        `Wilcoxon p ${chanceText(one.wilcoxon_p)}`;
}

function comparisonTable(metric, found) {
    const plain = (value) => ({ text: metricNumber(metric, value), value });
    const chance = (p) => ({ text: chanceText(p), value: p });
    const numbers = ["pairs", "its mean", "the other's", "difference", "95 % interval", "Wilcoxon p", "sign p",
        "won/tied/lost"].map((title) => ({ title, number: true }));
    const columns = [{ title: "graph" }, { title: "model" }, { title: "against" }, ...numbers];
    return sortableTable(columns, found.map((one) => ({
        cells: [
            { text: one.blockTitle }, { text: one.titleA }, { text: one.titleB },
            { text: String(one.pairs), value: one.pairs }, plain(one.mean_a), plain(one.mean_b),
            { text: signedNumber(metric, one.difference), value: one.difference },
            { text: intervalText(metric, one), value: one.low }, chance(one.wilcoxon_p), chance(one.sign_p),
            { text: `${one.wins}/${one.ties}/${one.losses}`, value: one.wins - one.losses }
        ]
    })));
}

function howToRead(found) {
    const luck = 0.05 * found.length, about = luck < 1 ? `${luck.toFixed(2)} on average` : `about ${Math.round(luck)}`;
    return "A pair is two models trained and measured on the same split. The dot is the mean of the pairs' " +
        "differences, the line its 95 % bootstrap interval. Blue: better; orange: worse; grey: the interval has 0 in " +
        "it, or there is none." +
        (found.length > 1 ? ` Of ${found.length} comparisons of equals, ${about} would have a p-value below 0.05 ` +
            "by luck." : "") +
        (found.some((one) => one.pairs < ENOUGH_PAIRS) ? ` Intervals of fewer than ${ENOUGH_PAIRS} pairs are not to ` +
            "be trusted, and no p-value of so few is below 0.05." : "");
}

function comparisonFigures(table, state) {
    const metric = metricOf(table, state.metric), others = state.a === EVERY_OTHER;
    const found = findComparisons(table, {
        metric: metric.name, a: others ? null : state.a, b: state.b,
        block: state.block === ALL_BLOCKS ? null : Number(state.block)
    });
    if (found.length === 0)
        return [element("p", { class: "note" }, state.a === state.b ? "These are the same model."
            : "No run of the one has a partner of the other with this number on the same graph, split and seed.")];
    const graphs = state.block === ALL_BLOCKS;
    const nameOf = (one) => !others ? one.blockTitle : graphs ? `${one.titleA}, ${one.blockTitle}` : one.titleA;
    const chart = intervalChart({
        title: `${others ? "Each model" : found[0].titleA} − ${found[0].titleB}`, width: wholeLine(760),
        description: `Mean paired differences in ${metricTitle(metric)} with 95 % intervals`,
        x: { label: `difference in ${metricTitle(metric)}${metric.loss ? ", less is better" : ""}` },
        rows: found.map((one) => ({
            name: nameOf(one), value: one.difference, low: one.low, high: one.high,
            colour: VERDICT_COLOURS[verdict(metric, one)], text: comparisonText(metric, one)
        }))
    });
    return [element("div", { class: "wide" }, chartFigure(chart, { note: howToRead(found) })),
        element("div", { class: "full" }, comparisonTable(metric, found))];
}

export function pairedDifferences(table) {
    const models = tableModels(table);
    if (table.pairs.length === 0 || models.length < 2) return null;
    const named = (name) => models.find((model) => model.key.startsWith(`${name}\n`));
    const b = named("gpn") ?? models[0], several = table.blocks.length > 1;
    const a = [named("ours"), ...[...models].reverse()].find((model) => model && model !== b);
    const options = models.map((model) => ({ value: model.key, text: model.title }));
    const state = {
        metric: firstMetric(table).name, a: several ? a.key : EVERY_OTHER, b: b.key,
        block: blockOptions(table)[0].value
    };
    return element("section", { class: "pairs" },
        element("h3", null, "Paired differences"),
        chosenView(state, [
            { field: "metric", label: "number", options: metricOptions(table) },
            { field: "a", label: "model", options: [{ value: EVERY_OTHER, text: EVERY_OTHER }, ...options] },
            { field: "b", label: "against", options },
            { field: "block", label: "graph", options: blockOptions(table) }
        ], (chosen) => comparisonFigures(table, chosen)));
}
