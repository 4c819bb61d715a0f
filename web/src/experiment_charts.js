/* SPDX-License-Identifier: MIT */
/* The charts of an experiment: over the seeds, over the graphs, one number against another, shifts, ablations. */
import { seriesColour } from "./chart_parts.js";
import { barChart, boxPlot, chartFigure, lineChart, scatterChart } from "./charts.js";
import { chosenView, sortableTable, wholeLine } from "./choosers.js";
import { clip, element } from "./dom.js";
import { blockName, firstMetric, meanOf, metricNumber, metricTitle, overallRanks, rowKey } from "./lab_data.js";
import { shiftGroups, shiftLines, tableMetrics, tableModels } from "./lab_data.js";
import { isNumber } from "./numbers.js";

/* ---- choices ---- */

export const ALL_BLOCKS = "all";

export function blockOptions(table) {
    const blocks = table.blocks.map((block, i) => ({ value: String(i), text: blockName(block) }));
    return blocks.length > 1 ? [{ value: ALL_BLOCKS, text: "all" }, ...blocks] : blocks;
}

export function metricOptions(table) {
    return tableMetrics(table).map((metric) => ({ value: metric.name, text: metricTitle(metric) }));
}

export function metricOf(table, name) {
    return table.metrics.find((metric) => metric.name === name);
}

function blocksOf(table, choice) {
    return choice === ALL_BLOCKS ? table.blocks : [table.blocks[Number(choice)]];
}

function rowOf(block, key) {
    return block.rows.find((row) => rowKey(row) === key);
}

function modelColour(models, row) {
    return seriesColour(models.findIndex((model) => model.key === rowKey(row)));
}

function metricAxis(metric) {
    return { label: metricTitle(metric) };
}

/* All blocks if they are few, else the first. */
function firstBlock(table) {
    return table.blocks.length > 4 ? "0" : blockOptions(table)[0].value;
}

function emptyFigure(block, what) {
    return element("figure", { class: "panel" },
        element("p", { class: "note" }, `${clip(blockName(block), 80)}: no model has ${what}.`));
}

/* ---- over the seeds ---- */

function spreadRow(row, metric) {
    const values = row.values[metric.name].filter(isNumber), mean = meanOf(values);
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const sd = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : NaN;
    return [row.title, values.length, ...[mean, sd, Math.min(...values), Math.max(...values)]
        .map((value) => metricNumber(metric, value))];
}

function boxFigure(block, metric, models) {
    const rows = block.rows.filter((row) => row.values[metric.name].some(isNumber));
    if (rows.length === 0) return emptyFigure(block, "this number");
    const chart = boxPlot({
        title: blockName(block), x: metricAxis(metric),
        description: `${metricTitle(metric)} of every run on ${clip(blockName(block), 80)}, a box for each model`,
        boxes: rows.map((row) => ({
            name: row.title, values: row.values[metric.name], colour: modelColour(models, row),
            texts: row.values[metric.name].map((value, i) =>
                `${row.title}, seed ${row.seeds[i]}: ${metricNumber(metric, value)}`)
        }))
    });
    return chartFigure(chart, { table: () => ({
        columns: ["model", "runs", "mean", "sd", "least", "most"], rows: rows.map((row) => spreadRow(row, metric))
    }) });
}

export function overSeeds(table) {
    const models = tableModels(table);
    return element("section", { class: "seeds" },
        element("h3", null, "Over the seeds"),
        element("p", { class: "note" }, "A dot for every run; the box holds the middle half of them, the line in it " +
            "is the median, whiskers reach to the last run within 1.5 boxes. Boxes that overlap may still differ on " +
            "every single split: the paired differences tell."),
        chosenView({ metric: firstMetric(table).name, block: blockOptions(table)[0].value }, [
            { field: "metric", label: "number", options: metricOptions(table) },
            { field: "block", label: "graph", options: blockOptions(table) }
        ], (state) => blocksOf(table, state.block).map((block) =>
            boxFigure(block, metricOf(table, state.metric), models))));
}

/* ---- over the graphs ---- */

function rankTable(table, metric) {
    const { blocks, models } = overallRanks(table, metric);
    if (blocks === 0) return [element("p", { class: "note" }, "On no graph do all models have this number.")];
    const columns = [{ title: "model" }, ...["mean", "mean rank", "first"].map((title) => ({ title, number: true }))];
    return [element("div", { class: "wide" },
        element("p", { class: "note" }, `On ${blocks} of ${table.blocks.length} blocks of the table, where every ` +
            "model has the number: the mean of the models' means and of their ranks among each other (1 is " +
            `${metric.loss ? "the smallest" : "the largest"}), and how often each is first.`),
        sortableTable(columns, models.map((model) => ({ cells: [
            { text: model.title }, { text: metricNumber(metric, model.mean), value: model.mean },
            { text: model.rank.toFixed(2), value: model.rank }, { text: String(model.firsts), value: model.firsts }
        ] }))))];
}

export function overGraphs(table) {
    if (table.blocks.length < 2 || tableModels(table).length < 2) return null;
    return element("section", { class: "graphs" }, element("h3", null, "Over the graphs"),
        chosenView({ metric: firstMetric(table).name },
            [{ field: "metric", label: "number", options: metricOptions(table) }],
            (state) => rankTable(table, metricOf(table, state.metric))));
}

/* ---- one number against another ---- */

function runsFigure(block, x, y, models) {
    const series = block.rows.map((row) => ({
        name: row.title, colour: modelColour(models, row),
        points: row.seeds.map((seed, i) => {
            const [across, up] = [row.values[x.name][i], row.values[y.name][i]];
            return { x: across, y: up,
                text: `${row.title}, seed ${seed}: ${metricNumber(x, across)}, ${metricNumber(y, up)}` };
        }).filter((point) => isNumber(point.x) && isNumber(point.y))
    })).filter((one) => one.points.length > 0);
    if (series.length === 0) return emptyFigure(block, "both numbers");
    return chartFigure(scatterChart({
        title: blockName(block), description: `${metricTitle(y)} against ${metricTitle(x)} of every run`,
        x: metricAxis(x), y: metricAxis(y), height: 330, series
    }));
}

export function runScatter(table) {
    const metrics = tableMetrics(table), models = tableModels(table), y = firstMetric(table);
    const x = metrics.find(({ name }) => name === "id_acc" && name !== y.name) ??
        metrics.find(({ name }) => name !== y.name);
    if (!x) return null;
    return element("section", { class: "against" }, element("h3", null, "One number against another"),
        element("p", { class: "note" }, "A dot for every run: what is gained in the one may be paid for in the other."),
        chosenView({ x: x.name, y: y.name, block: firstBlock(table) }, [
            { field: "x", label: "across", options: metricOptions(table) },
            { field: "y", label: "up", options: metricOptions(table) },
            { field: "block", label: "graph", options: blockOptions(table) }
        ], (state) => blocksOf(table, state.block).map((block) =>
            runsFigure(block, metricOf(table, state.x), metricOf(table, state.y), models))));
}

/* ---- shifts ---- */

function shiftLineFigure(group, metric, models) {
    const series = shiftLines(group, models, metric.name).map((one) => ({ ...one, dots: true }))
        .filter((one) => one.points.some(([, value]) => isNumber(value)));
    const chart = lineChart({
        title: `${group.data}: ${group.name}`, series,
        x: { label: "strength: share that is changed" }, y: metricAxis(metric),
        description: `${metricTitle(metric)} over the strength of the shift ${clip(group.name, 80)}, a line a model`
    });
    return chartFigure(chart, {
        note: "Means over the seeds; the further right, the more was changed.",
        table: () => ({
            columns: ["strength", ...series.map((one) => one.name)],
            rows: group.blocks.map(({ amount }, i) =>
                [amount, ...series.map((one) => metricNumber(metric, one.points[i][1]))])
        })
    });
}

/* `groups` have one strength each, which may be the same for all. */
function shiftBarFigure(title, groups, metric, models) {
    const strengths = new Set(groups.map((group) => group.blocks[0].amount)), same = strengths.size === 1;
    const series = models.map(({ key, title: name }, i) => ({
        name, colour: seriesColour(i),
        values: groups.map(({ blocks: [{ block }] }) => meanOf(rowOf(block, key)?.values[metric.name] ?? []))
    })).filter((one) => one.values.some(isNumber));
    const names = groups.map((group) => same ? group.name : `${group.name} ${group.blocks[0].amount}`);
    const chart = barChart({
        title: same ? `${title}, strength ${groups[0].blocks[0].amount}` : title, width: wholeLine(760), names, series,
        y: metricAxis(metric), marks: metric.name.startsWith("auroc") ? [{ y: 50, text: "guessing" }] : [],
        description: `${metricTitle(metric)} for every shift, a bar for each model`
    });
    return element("div", { class: "wide" }, chartFigure(chart, {
        note: "Means over the seeds, a bar for each model.",
        table: () => ({
            columns: ["shift", ...series.map((one) => one.name)],
            rows: names.map((name, i) => [name, ...series.map((one) => metricNumber(metric, one.values[i]))])
        })
    }));
}

/* A kind with several strengths is drawn as lines over them; kinds with one strength are bars side by side. */
function shiftFigures(groups, metric, models) {
    const lines = groups.filter((group) => group.blocks.length > 1);
    const single = groups.filter((group) => group.blocks.length === 1);
    const figures = lines.map((group) => shiftLineFigure(group, metric, models));
    if (single.length > 0)
        figures.push(shiftBarFigure(`${single[0].data}: ${lines.length > 0 ? "the other shifts" : "every shift"}`,
            single, metric, models));
    return figures;
}

export function shiftSection(table) {
    const groups = shiftGroups(table), models = tableModels(table);
    if (groups.length === 0) return null;
    const data = [...new Set(groups.map((group) => group.data))];
    return element("section", { class: "shifts" },
        element("h3", null, "What each shift does"),
        element("p", { class: "note" }, "Test nodes are changed after training. A model that notices has a high " +
            "AUROC, one that is robust keeps its accuracy on the shifted nodes."),
        chosenView({ metric: firstMetric(table).name, data: data[0] }, [
            { field: "metric", label: "number", options: metricOptions(table) },
            { field: "data", label: "graph", options: data.map((name) => ({ value: name, text: name })) }
        ], (state) => shiftFigures(groups.filter((group) => group.data === state.data), metricOf(table, state.metric),
            models)));
}

/* ---- ablations ---- */

function ablationFigure(table, metric, models) {
    const series = table.blocks.map((block) => ({
        name: blockName(block), dots: true,
        points: models.map(({ key }, i) => [i, meanOf(rowOf(block, key)?.values[metric.name] ?? [])])
    }));
    const chart = lineChart({
        title: `${metricTitle(metric)}, step by step`, width: wholeLine(640), height: 320, series,
        y: metricAxis(metric),
        description: `${metricTitle(metric)} of every row of the ablation, a line for each graph`,
        x: {
            label: "each row tunes what the row before it does, and more", domain: [-0.4, models.length - 0.6],
            ticks: models.map((_, i) => i), format: (place) => clip(models[Math.round(place)]?.title ?? "", 24)
        }
    });
    return element("div", { class: "wide" }, chartFigure(chart, {
        note: "Means over the seeds, a line for each graph. Options are chosen on validation data: a step need not " +
            "go up.",
        table: () => ({
            columns: ["graph", ...models.map((model) => model.title)],
            rows: series.map((one) => [one.name, ...one.points.map(([, value]) => metricNumber(metric, value))])
        })
    }));
}

/* The rows of an ablation are steps: each tunes one more option. */
export function ablationSection(table) {
    const models = tableModels(table);
    if (table.task !== "ablation" || models.length < 2) return null;
    return element("section", { class: "ablation" }, element("h3", null, "From row to row"),
        chosenView({ metric: firstMetric(table).name },
            [{ field: "metric", label: "number", options: metricOptions(table) }],
            (state) => [ablationFigure(table, metricOf(table, state.metric), models)]));
}
