/* SPDX-License-Identifier: MIT */
/* A part of the kind "tuning": the trials of a folder. */
import { chartFigure, scatterChart } from "./charts.js";
import { chosenView, commandList, factList, sortableTable, wholeLine } from "./choosers.js";
import { clip, element, tableElement } from "./dom.js";
import { axisPlaces, countText, durationText, jitter, orderSettings, robustDomain, seedsText } from "./lab_data.js";
import { settingConfig, settingState, settingText } from "./lab_data.js";
import { formatNumber, formatPercent, isNumber } from "./numbers.js";
import { quantile } from "./scales.js";
import { searchesOf } from "./trials.js";

const CRITERION_WORDS = {
    "val-ce": "the lowest validation cross-entropy",
    "left-out-class": "the best detection of a class held out, at little loss of accuracy",
    "own-errors": "the best detection of its own wrong answers, at little loss of accuracy"
};

/* The states of settings, the best last: it is drawn over the others. */
const SETTING_STATES = [
    { state: null, name: "not ranked", colour: "var(--class-5)" },
    { state: "eliminated", name: "dropped out early", colour: "var(--muted)" },
    { state: "inaccurate", name: "loses too much accuracy", colour: "var(--class-4)" },
    { state: "finalist", name: "trained in full", colour: "var(--class-0)" },
    { state: "chosen", name: "chosen", colour: "var(--wrong)" }
];

function scoreTitle(search) {
    return search.detects ? "AUROC (%)" : "validation cross-entropy";
}

function shownScore(search, value) {
    return !isNumber(value) ? null : search.detects ? 100 * value : value;
}

function scoreText(search, value) {
    return !isNumber(value) ? "n.a." : search.detects ? (100 * value).toFixed(2) : value.toFixed(4);
}

/* ---- facts ---- */

function aboutSearch(search, tuning) {
    const trials = search.budgets.reduce((sum, budget) => sum + budget.trials, 0);
    const criterion = clip(search.criterion, 40), words = CRITERION_WORDS[search.criterion];
    return factList([
        ["Data", clip(search.title, 80) + (search.fingerprint ? ` (${clip(search.fingerprint, 40)})` : "")],
        ["Chosen by", words ? `${words} (${criterion})` : criterion],
        ["Tried", `${countText(search.settings.length, "setting")} in ${countText(trials, "trial")}`],
        ["Options", search.axes.map((axis) => clip(axis, 40)).join(", ") || "none differs"],
        ["Split", clip(search.split ?? "", 80)],
        ["Seeds", seedsText(search.seeds)],
        ["Classes left out", search.left_out_classes ?? (search.left_out > 0 ? `the last ${search.left_out}` : null)],
        ["Held out in turn", search.held_out.length > 0 ? `classes ${seedsText(search.held_out)}` : null],
        ["Computing time", `${durationText(tuning.seconds)} of one core`],
        ["Credence", search.versions.map((version) => clip(version, 20)).join(", ")],
        [tuning.commands.length > 1 ? "Commands" : "Command", commandList(tuning.commands)]
    ]);
}

function chosenPanel(search, best) {
    const error = isNumber(best.standard_error) ? ` ± ${scoreText(search, best.standard_error)}` : "";
    const measured = search.detects ? `AUROC ${scoreText(search, best.score)}${error} %`
        : `Validation cross-entropy ${scoreText(search, best.score)}${error}`;
    return element("div", { class: "panel chosen" },
        element("h3", null, "Chosen", best.choices.length > 0 ? `: ${clip(best.choices.join(", "), 80)}` : ""),
        element("p", null, clip(settingText(search.axes, best), 300) || "the only setting"),
        element("p", { class: "note" }, `${measured}, accuracy ${formatPercent(best.accuracy, 2)}, over ` +
            `${countText(best.trials, "trial")}.${error ? " ± is the standard error over splits." : ""}`),
        element("details", null, element("summary", null, "The whole configuration, for 'train --config'"),
            element("pre", { class: "scroll", tabindex: "0" }, JSON.stringify(settingConfig(search, best), null, 2))));
}

function chosenPanels(search) {
    const chosen = search.settings.filter((setting) => settingState(setting) === "chosen");
    if (chosen.length > 0) return chosen.map((setting) => chosenPanel(search, setting));
    return [element("p", { class: "alert", role: "note" }, "The search has not come to its end, so nothing is chosen " +
        "yet: the numbers are means over the trials that are there, of few epochs and splits for some settings and " +
        "of many for others.")];
}

/* ---- rungs ---- */

function countTable(titles, rows, caption) {
    return sortableTable(titles.map((title) => ({ title, number: true })),
        rows.map((row) => ({ cells: row.map((value) => ({ text: String(value), value })) })), caption);
}

function rungSection(search) {
    const epochs = (value) => value === null ? "all" : value;
    const rungs = (search.rungs ?? []).map((rung, i) => [i + 1, rung.settings, rung.splits, epochs(rung.epochs)]);
    const budgets = search.budgets.map((budget) =>
        [epochs(budget.epochs), budget.settings, budget.trials, budget.limited, budget.failed]);
    const how = rungs.length > 1
        ? "All settings start with few epochs; on every rung the best part of them stays and gets more epochs and " +
            "one more split. The last rung trains in full."
        : "Settings were trained with these limits on their epochs.";
    return element("section", { class: "rungs" },
        element("h3", null, rungs.length > 0 ? "Rungs" : "Trials"),
        element("p", { class: "note" }, how),
        element("div", { class: "tables" },
            rungs.length === 0 ? null
                : countTable(["rung", "settings", "splits", "epochs"], rungs, "The search's plan"),
            countTable(["epochs at most", "settings", "trials", "ended by the limit", "failed"], budgets,
                "What was done; a training that ends before its limit counts for later rungs too")));
}

/* ---- charts ---- */

/* The settings by state; pointOf(setting, place) is a setting's point, or null for none. */
function stateSeries(search, pointOf) {
    const order = orderSettings(search);
    return SETTING_STATES.map(({ state, name, colour }) => ({
        name, colour,
        points: order.flatMap((setting, i) => {
            const point = settingState(setting) === state ? pointOf(setting, i) : null;
            const measured = `${scoreTitle(search)} ${scoreText(search, setting.score)}`;
            const text = `${settingText(search.axes, setting)}: ${measured}, ` +
                `accuracy ${formatPercent(setting.accuracy, 2)}`;
            return point === null ? [] : [{ ...point, text, strong: state === "chosen" }];
        })
    })).filter((one) => one.points.length > 0);
}

function outsideText(count) {
    return count === 0 ? "" : ` ${countText(count, "setting")} far out on the bad side ` +
        `${count === 1 ? "is" : "are"} not drawn; the table has all.`;
}

/* Settings whose numbers are from other epochs and splits than those of the rest. */
function unequalText(search) {
    const has = (state) => search.settings.some((setting) => settingState(setting) === state);
    const early = " Settings that dropped out early were trained for fewer epochs and on fewer splits.";
    const other = " Those not ranked are of other searches in the same folder, on other splits or fewer of them.";
    return (has("eliminated") ? early : "") + (search.finished && has(null) ? other : "");
}

function isInside(value, domain) {
    return isNumber(value) && domain !== null && value >= domain[0] && value <= domain[1];
}

/* The half of the settings with the better scores: a search also has hopeless ones, which would reduce a chart of all
 * settings to two heaps. */
function betterHalf(search) {
    const scored = search.settings.filter((setting) => isNumber(setting.score))
        .sort((a, b) => search.detects ? b.score - a.score : a.score - b.score);
    const half = new Set(scored.slice(0, Math.ceil(scored.length / 2)));
    return { ...search, settings: search.settings.filter((one) => half.has(one) || settingState(one) === "chosen") };
}

function searchCharts(search) {
    const few = search.settings.length < 8;
    return chosenView({ shown: "all" }, [{ field: "shown", label: "settings", options: [{ value: "all", text: "all" },
        ...(few ? [] : [{ value: "half", text: "the better half" }])] }], ({ shown }) => {
        const part = shown === "all" ? search : betterHalf(search);
        return [lossChart(part), axisSection(part)].filter(Boolean);
    });
}

/* Loss against detection; if nothing is detected, against accuracy. */
function lossChart(search) {
    const up = (setting) => search.detects ? shownScore(search, setting.score)
        : isNumber(setting.accuracy) ? 100 * setting.accuracy : null;
    const measured = search.settings.filter((setting) => isNumber(setting.cross_entropy) && isNumber(up(setting)));
    if (measured.length === 0) return null;
    const x = robustDomain(measured.map((setting) => setting.cross_entropy), { cutHigh: true });
    const y = robustDomain(measured.map(up), { cutLow: true });
    const inside = (setting) => isInside(setting.cross_entropy, x.domain) && isInside(up(setting), y.domain);
    const label = search.detects ? "detection: AUROC (%)" : "validation accuracy (%)";
    const chart = scatterChart({
        title: search.detects ? "Loss against detection" : "Loss against accuracy", width: wholeLine(640), height: 400,
        description: `Validation cross-entropy and ${label} of every setting`,
        x: { label: "validation cross-entropy", domain: x.domain }, y: { label, domain: y.domain },
        series: stateSeries(search, (setting) => inside(setting) ? { x: setting.cross_entropy, y: up(setting) } : null)
    });
    const reading = search.detects
        ? "Every dot is a setting; further left its answers fit the validation labels better, further up it detects " +
            "better. What is best for the one need not be for the other."
        : "Every dot is a setting; further left its probabilities are better, further up more of its answers are " +
            "right.";
    return element("div", { class: "wide" }, chartFigure(chart, {
        note: reading + unequalText(search) + outsideText(measured.filter((setting) => !inside(setting)).length)
    }));
}

function medianLine(points) {
    const byPlace = new Map();
    for (const { at, y } of points) byPlace.set(at, [...(byPlace.get(at) ?? []), y]);
    return [...byPlace.entries()].sort(([a], [b]) => a - b)
        .map(([at, values]) => [at, quantile(values.sort((a, b) => a - b), 0.5)]);
}

function axisChart(search, axis, index, y) {
    const { axis: places, place, steps } = axisPlaces(search.settings.map((setting) => setting.values[index]));
    const shown = search.settings.filter((setting) => isInside(shownScore(search, setting.score), y.domain));
    const points = shown.map((setting) => ({ at: place(setting.values[index]), y: shownScore(search, setting.score) }));
    return scatterChart({
        title: axis, height: 260, legend: false,
        description: `${scoreTitle(search)} of every setting by its ${clip(axis, 40)}`,
        x: { ...places, label: axis }, y: { label: scoreTitle(search), domain: y.domain },
        series: stateSeries(search, (setting, i) => !shown.includes(setting) ? null : {
            x: place(setting.values[index]) + (steps === null ? 0 : 0.5 * jitter(i)),
            y: shownScore(search, setting.score)
        }),
        line: steps === null ? null : medianLine(points)
    });
}

function axisSection(search) {
    const y = robustDomain(search.settings.map((setting) => shownScore(search, setting.score)),
        { cutLow: search.detects, cutHigh: !search.detects });
    if (search.axes.length === 0 || y.domain === null) return null;
    return element("section", { class: "full axes-of-search" },
        element("h3", null, `Options against ${search.detects ? "detection" : "cross-entropy"}`),
        element("p", { class: "note" }, "Every dot is a setting, at its value of one option, " +
            `${search.detects ? "higher" : "lower"} is better; the broken line joins the medians. Colours are those ` +
            `above: ringed is what was chosen, grey what dropped out early.${outsideText(y.outside)}`),
        element("div", { class: "charts" },
            search.axes.map((axis, i) => chartFigure(axisChart(search, axis, i, y)))));
}

/* ---- the table ---- */

function stateText(setting) {
    const word = setting.state === "eliminated" ? `out on rung ${setting.rung}` : settingState(setting) ?? "";
    const names = setting.choices.length > 0 ? ` (${setting.choices.join(", ")})` : "";
    return word + names + (setting.why ? `: ${setting.why}` : "");
}

function settingCells(search, setting) {
    const fixed = (value, digits) => ({ text: isNumber(value) ? value.toFixed(digits) : "n.a.", value });
    const plain = (value) => ({ text: formatNumber(value), value });
    const score = (value) => ({ text: scoreText(search, value), value });
    return [
        { text: setting.rank === null ? "–" : String(setting.rank), value: setting.rank },
        ...setting.values.map((value) => ({ text: value === null ? "" : String(value), value: value ?? "" })),
        score(setting.score), score(setting.standard_error),
        fixed(isNumber(setting.accuracy) ? 100 * setting.accuracy : null, 2),
        ...(search.detects ? [fixed(setting.cross_entropy, 4)] : []),
        plain(setting.epochs), plain(setting.trials), plain(setting.seconds), { text: stateText(setting) }
    ];
}

function settingSection(search) {
    const numbers = [search.detects ? "AUROC" : "cross-entropy", "±", "accuracy",
        ...(search.detects ? ["cross-entropy"] : []), "epochs", "trials", "seconds"];
    const columns = [{ title: "rank", number: true }, ...search.axes.map((title) => ({ title })),
        ...numbers.map((title) => ({ title, number: true })), { title: "state" }];
    const rows = orderSettings(search).map((setting) => ({
        class: settingState(setting) === "chosen" ? "chosen" : null, cells: settingCells(search, setting)
    }));
    const shared = Object.entries(search.fixed).map(([name, value]) => [name, String(value)]);
    return element("section", { class: "settings" },
        element("h3", null, "Everything that was tried"),
        element("p", { class: "note" }, "A heading sorts by its column. AUROC and accuracy are percent, ± is the " +
            "standard error over splits, cross-entropy and epochs are means over the trials that count."),
        sortableTable(columns, rows),
        element("details", { class: "options" }, element("summary", null, "Options that all settings share"),
            element("div", { class: "scroll" }, tableElement(["option", "value"], shared))));
}

export function showTuning(part, root) {
    const tuning = part.blocks.get("tuning"), searches = searchesOf(tuning);
    if (searches.length === 0)
        root.append(element("p", { class: "alert" }, "No trial of a search is in this folder."));
    searches.forEach((search, i) => {
        if (searches.length > 1)
            root.append(element("h2", null, `${clip(search.title, 60)}: ${clip(search.criterion, 40)}`));
        root.append(...[
            aboutSearch(search, i === 0 ? tuning : { ...tuning, commands: [] }), ...chosenPanels(search),
            search.loss === null ? null : element("p", { class: "note" }, "Chosen: the highest AUROC of those whose " +
                `accuracy is at most ${formatPercent(search.loss, 2)} points, and one standard error of its own, below ` +
                "the best of the last rung."),
            searchCharts(search), rungSection(search), settingSection(search)
        ].filter(Boolean));
    });
}
