/* SPDX-License-Identifier: MIT */
/* Combines the lines of a file of trials: searches, and in each the settings that it tried. A part of the kind
 * "tuning" is {commands, versions, lines, seconds, trials: [lines of trials.jsonl], tried: tried.json or null, files:
 * {name: configuration} of the folder}. */
import { isNumber } from "./numbers.js";

/* The same text for the same object, whatever the order of its keys. */
function canonical(value) {
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

function groupBy(items, keyOf) {
    const groups = new Map();
    for (const item of items) {
        const key = keyOf(item);
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(item);
    }
    return [...groups.values()];
}

function different(values) {
    return [...new Set(values.filter((value) => value !== null && value !== undefined))];
}

function mean(values) {
    const sum = values.reduce((total, value) => total + (isNumber(value) ? value : NaN), 0) / values.length;
    return isNumber(sum) ? sum : null;
}

/* Of the trials of a split and a held-out class the one with the most epochs counts; of several, one that did not
 * fail; of these, the last. A budget below 0 means no limit. */
function countingTrials(trials) {
    const worth = (trial) => [trial.budget < 0 ? Infinity : trial.budget, typeof trial.error === "string" ? 0 : 1];
    return groupBy(trials, (trial) => `${trial.seed} ${trial.held_out}`).map((group) => group.reduce((best, trial) => {
        const [a, b] = [worth(best), worth(trial)];
        return b[0] > a[0] || (b[0] === a[0] && b[1] >= a[1]) ? trial : best;
    }));
}

function summarise(trials, detects) {
    const counting = countingTrials(trials), splits = groupBy(counting, (trial) => trial.seed);
    const score = (trial) => (detects ? trial.metrics?.auroc : trial.metrics?.cross_entropy) ?? null;
    const failed = counting.find((trial) => typeof trial.error === "string" || !isNumber(score(trial)));
    const why = failed ? failed.error ?? "its score is not a number" : null;
    const over = (value) => mean(splits.map((split) => mean(split.map(value))));
    const scores = splits.map((split) => mean(split.map(score))), middle = over(score);
    const spread = scores.length < 2 || middle === null ? null : Math.sqrt(
        scores.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (scores.length - 1) / scores.length);
    return {
        trials: counting.length, score: why ? null : middle, standard_error: why ? null : spread,
        accuracy: why ? null : over((trial) => trial.metrics?.accuracy ?? null),
        cross_entropy: over((trial) => trial.training?.validation_cross_entropy ?? null),
        epochs: over((trial) => trial.training?.epochs ?? null), why
    };
}

/* The trials of every budget, few epochs first: [{epochs: null for all, settings, trials, limited: ended by the
 * budget, failed}]. */
function budgetsOf(lines) {
    const epochs = (line) => line.budget < 0 ? null : line.budget;
    return groupBy(lines, epochs).map((group) => ({
        epochs: epochs(group[0]), settings: different(group.map((line) => canonical(line.config))).length,
        trials: group.length, limited: group.filter((line) => line.training?.stop === "epochs").length,
        failed: group.filter((line) => typeof line.error === "string").length
    })).sort((a, b) => (a.epochs ?? Infinity) - (b.epochs ?? Infinity));
}

function settingOf(trials, place, search, files) {
    const { config } = trials[0], found = summarise(trials, search.detects), key = canonical(config);
    const ranked = place === undefined ? {} : {
        trials: place.trials, score: (search.detects ? place.auroc : place.cross_entropy) ?? null,
        standard_error: place.standard_error, accuracy: place.accuracy
    };
    return {
        rank: place?.rank ?? null, state: place?.state ?? null, rung: place?.rung ?? null, ...found, ...ranked,
        seconds: trials.reduce((sum, trial) => sum + (trial.seconds ?? 0), 0),
        choices: Object.keys(files).filter((name) => canonical(files[name]) === key).sort(),
        values: search.axes.map((axis) => config[axis] ?? null)
    };
}

/* Whether a ranking belongs to this search: the same data and criterion, and only settings that were tried. */
function isRankingOf(tried, lines) {
    if (!tried?.tried?.length || ["criterion", "data", "fingerprint"].some((key) => tried[key] !== lines[0][key]))
        return false;
    const configs = new Set(lines.map((line) => canonical(line.config)));
    return tried.tried.every((place) => configs.has(canonical(place.config)));
}

function searchOf(lines, tried, files) {
    const settings = groupBy(lines, (line) => canonical(line.config)), configs = settings.map(([line]) => line.config);
    const options = different(configs.flatMap((config) => Object.keys(config)));
    const differs = (option) => configs.some((config) =>
        JSON.stringify(config[option]) !== JSON.stringify(configs[0][option]));
    const { criterion, data, title, fingerprint, split, left_out, left_out_classes, halves } = lines[0];
    const search = {
        criterion, data, title, fingerprint, split, left_out, left_out_classes, halves, detects: criterion !== "val-ce",
        versions: different(lines.map((line) => line.version)), seeds: different(lines.map((line) => line.seed)),
        held_out: different(lines.map((line) => line.held_out)), axes: options.filter(differs),
        fixed: Object.fromEntries(options.filter((option) => !differs(option)).map((option) =>
            [option, configs[0][option]])),
        finished: tried !== null, budgets: budgetsOf(lines), rungs: tried?.rungs, loss: tried?.max_accuracy_loss ?? null
    };
    const places = new Map((tried?.tried ?? []).map((place) => [canonical(place.config), place]));
    search.settings = settings.map((trials) =>
        settingOf(trials, places.get(canonical(trials[0].config)), search, files));
    search.settings.sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || 0);
    return search;
}

/* The searches of a folder, newest first: trials of one criterion on one graph and one kind of split. */
export function searchesOf({ trials, tried, files }) {
    const lines = trials.map((line, place) => ({ ...line, place }));
    const groups = groupBy(lines, (line) => canonical(Object.fromEntries(
        ["criterion", "data", "fingerprint", "split", "left_out", "left_out_classes", "halves"].map((key) => [key, line[key] ?? null]))));
    groups.sort((a, b) => b[b.length - 1].place - a[a.length - 1].place);
    const ranked = groups.find((group) => isRankingOf(tried, group));
    return groups.map((group) => searchOf(group, group === ranked ? tried : null, files ?? {}));
}
