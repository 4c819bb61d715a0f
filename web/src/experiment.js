/* SPDX-License-Identifier: MIT */
/* A part of the kind "experiment": a folder's runs as cli/runs/report.c packs them. */
import { commandList, factList, sortableTable } from "./choosers.js";
import { clip, element, nameElement } from "./dom.js";
import { ablationSection, overGraphs, overSeeds, runScatter, shiftSection } from "./experiment_charts.js";
import { pairedDifferences } from "./experiment_pairs.js";
import { blockName, countText, durationText, metricNumber, missingRuns, optionDifferences } from "./lab_data.js";
import { seedsText } from "./lab_data.js";

/* ---- facts ---- */

function sumOverRows(experiment, field) {
    return experiment.tables.flatMap((table) => table.blocks).flatMap((block) => block.rows)
        .reduce((sum, row) => sum + row[field], 0);
}

/* The different texts among some. */
function listTexts(texts, most = 40) {
    const different = [...new Set(texts)].filter((text) => text !== "");
    return different.slice(0, most).map((text) => clip(text, 80)).join(", ") +
        (different.length > most ? `, and ${different.length - most} more` : "");
}

function runsText(experiment) {
    const failed = experiment.failures.length, passed = sumOverRows(experiment, "passed_over");
    return `${countText(sumOverRows(experiment, "runs"), "run")} in the tables, ` +
        (failed > 0 ? `${failed} failed` : "none failed") +
        (passed > 0 ? `; ${countText(passed, "line")} of earlier configurations passed over` : "");
}

function leftOutText(blocks) {
    return listTexts(blocks.filter((block) => block.left_out > 0)
        .map((block) => `${block.left_out_classes ?? block.left_out} (${block.title})`)) || null;
}

function aboutExperiment(experiment) {
    const blocks = experiment.tables.flatMap((table) => table.blocks), rows = blocks.flatMap((block) => block.rows);
    return factList([
        ["Task", listTexts(experiment.tables.map((table) => table.title))],
        ["Graphs", listTexts(blocks.map((block) => block.label))],
        ["Models", listTexts(rows.map((row) => row.title))],
        ["Runs", runsText(experiment)],
        ["Seeds", seedsText(rows.flatMap((row) => row.seeds))],
        ["Split", listTexts(blocks.map((block) => block.split ?? ""))],
        ["Classes left out", leftOutText(blocks)],
        ["Computing time", `${durationText(experiment.seconds)} of one core`],
        ["Credence", listTexts(experiment.versions)],
        [experiment.commands.length > 1 ? "Commands" : "Command", commandList(experiment.commands)]
    ]);
}

/* Missing runs come before anything else. */
function experimentWarnings(experiment) {
    const missing = experiment.tables.flatMap((table) => missingRuns(table, experiment.failures)), most = 12;
    const count = missing.reduce((sum, one) => sum + one.seeds.length, 0), notes = [];
    const there = sumOverRows(experiment, "runs");
    if (experiment.commands.length === 0)
        notes.push("The folder has no command.txt, so this experiment has not come to its end: " +
            `${countText(there, "run")} ${there === 1 ? "is" : "are"} there.`);
    if (count > 0)
        notes.push(`${countText(count, "run")} that other models of the same graph have ` +
            `${count === 1 ? "is" : "are"} missing: ` + missing.slice(0, most).map((one) =>
            `${clip(one.title, 60)} on ${clip(one.block, 60)} (seed ${seedsText(one.seeds)})`).join("; ") +
            (missing.length > most ? "; …" : "."));
    return notes.map((note) => element("p", { class: "alert", role: "note" }, note));
}

function failureSection(failures) {
    if (failures.length === 0) return null;
    const columns = [{ title: "task" }, { title: "graph" }, { title: "model" }, { title: "seed", number: true },
        { title: "why" }];
    return element("section", { class: "failures" },
        element("h2", null, "Runs that failed"),
        element("p", { class: "note" }, "They are in no table and no chart; the same command tries them again."),
        sortableTable(columns, failures.map((one) => ({ cells: [
            { text: one.task }, { text: one.shift === null ? one.title : `${one.title}, ${one.shift}` },
            { text: one.model }, { text: String(one.seed), value: one.seed }, { text: String(one.error) }
        ] }))));
}

/* ---- the table ---- */

function resultCell(row, cell, metric) {
    if (row.runs === 0) return element("td", { class: "number muted" }, "failed");
    const mean = cell.runs === 0 ? "n.a." : metricNumber(metric, cell.mean) +
        (cell.sd === null ? "" : ` ± ${metricNumber(metric, cell.sd)}`) + (cell.fewer_runs ? " *" : "");
    return element("td", { class: "number" + (cell.best ? " best" : "") },
        cell.best ? element("strong", null, mean) : mean);
}

/* The headings of groups, each over its columns. */
function groupHeads(columns) {
    const heads = [];
    for (const { group } of columns) {
        const last = heads[heads.length - 1];
        if (last && group !== "" && last.group === group) last.span++;
        else heads.push({ group, span: 1 });
    }
    return heads.map(({ group, span }) => group === "" ? element("td", { colspan: span })
        : element("th", { colspan: span, scope: "colgroup", class: "group" }, group));
}

function blockRows(block, columns) {
    const most = Math.max(...block.rows.map((row) => row.runs));
    const failed = block.rows.reduce((sum, row) => sum + row.failed, 0);
    const runs = ` ${countText(most, "run")} each` + (failed > 0 ? `, ${failed} failed` : "");
    return element("tbody", null,
        element("tr", { class: "block" }, element("th", { colspan: columns.length + 1, scope: "rowgroup" },
            element("span", { class: "stay" }, nameElement(blockName(block)),
                element("span", { class: "note" }, runs)))),
        block.rows.map((row) => element("tr", null,
            element("th", { scope: "row" }, nameElement(row.title, 40)),
            columns.map((metric) => resultCell(row, row.cells[metric.name], metric)))));
}

function resultTable(table) {
    const columns = table.metrics.filter((metric) => metric.column);
    const cells = table.blocks.flatMap((block) => block.rows.flatMap((row) => Object.values(row.cells)));
    const note = "Percent, mean ± standard deviation over the runs; the best of each graph in bold." +
        (cells.some((cell) => cell.fewer_runs) ? " * Of fewer runs than others." : "");
    return element("figure", { class: "panel results" },
        element("div", { class: "scroll whole", tabindex: "0" }, element("table", null,
            element("thead", null,
                element("tr", null, element("td"), groupHeads(columns)),
                element("tr", null, element("th", { scope: "col" }, "model"), columns.map((metric) =>
                    element("th", { scope: "col", class: "number" }, metric.label)))),
            table.blocks.map((block) => blockRows(block, columns)))),
        element("figcaption", null, note));
}

function optionSection(table) {
    const { options, rows } = optionDifferences(table);
    if (options.length === 0) return null;
    return element("details", { class: "options" },
        element("summary", null, "Options in which the models differ"),
        sortableTable([{ title: "graph" }, { title: "model" }, ...options.map((title) => ({ title }))],
            rows.map((row) => ({ cells: [row.block, row.title, ...row.values].map((text) => ({ text })) }))));
}

export function showExperiment(part, root) {
    const experiment = part.blocks.get("experiment");
    root.append(aboutExperiment(experiment), ...experimentWarnings(experiment));
    for (const table of experiment.tables) {
        const sections = [resultTable(table), shiftSection(table), ablationSection(table), overSeeds(table),
            pairedDifferences(table), overGraphs(table), runScatter(table), optionSection(table)];
        root.append(element("h2", null, clip(table.title, 80)), ...sections.filter(Boolean));
    }
    root.append(...[failureSection(experiment.failures)].filter(Boolean));
}
