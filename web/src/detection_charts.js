/* SPDX-License-Identifier: MIT */
/* How well uncertainty detects nodes of unseen classes ("ood") or wrong answers ("errors"). */
import { barChart, chartFigure, lineChart } from "./charts.js";
import { formatCount, formatNumber, formatPercent, formatShare } from "./numbers.js";

export const SCORE_NAMES = {
    epistemic: "epistemic",
    aleatoric: "aleatoric",
    epistemic_features: "epistemic, features alone"
};

/* The target of a task, in words. */
const TARGETS = {
    ood: {
        positives: "nodes out of distribution",
        negatives: "nodes of known classes",
        one: "a node of a class it never saw",
        other: "a node of a class it knows",
        both: "in and out of distribution",
        sides: ["in distribution", "out of distribution"],
        colours: ["var(--in)", "var(--out)"]
    },
    errors: {
        positives: "wrong answers",
        negatives: "right answers",
        one: "a wrong answer",
        other: "a right answer",
        both: "right and wrong answers",
        sides: ["right", "wrong"],
        colours: ["var(--right)", "var(--wrong)"]
    }
};

const shareAxis = (label) => ({ label, domain: [0, 1], format: formatShare });

/* Every score has the same colour in all charts. */
const SCORE_COLOURS = {
    epistemic: "var(--class-0)",
    aleatoric: "var(--class-1)",
    epistemic_features: "var(--class-2)"
};

function scoresOf(task) {
    return Object.keys(SCORE_NAMES)
        .map((name) => [name, task.scores[name]])
        .filter(([, score]) => score);
}

function curveTable(scores, key, xName, yName) {
    return () => ({
        columns: ["score", xName, yName],
        rows: scores.flatMap(([name, score]) =>
            (score[key] ?? []).map(([x, y]) => [SCORE_NAMES[name], formatPercent(x, 2), formatPercent(y, 2)])
        )
    });
}

function rocChart(task, target) {
    const scores = scoresOf(task).filter(([, score]) => score.roc);
    if (scores.length === 0) return null;
    const words = TARGETS[target];
    const chart = lineChart({
        title: `Finding ${words.positives}: ROC`,
        x: shareAxis(`false alarms: share of ${words.negatives}`),
        y: shareAxis("found"),
        series: [
            ...scores.map(([name, score]) => ({
                name: `${SCORE_NAMES[name]} (AUC ${formatPercent(score.auroc)})`,
                points: score.roc,
                colour: SCORE_COLOURS[name]
            })),
            {
                name: "guessing",
                points: [
                    [0, 0],
                    [1, 1]
                ],
                quiet: true
            }
        ]
    });
    return chartFigure(chart, {
        note:
            "Call every node doubtful whose uncertainty is above a threshold, and lower the threshold: how " +
            "many are found, against how many false alarms? The nearer to the upper left corner the " +
            "better; the grey diagonal is guessing. AUC, the area below: how often " +
            `${words.one} is more doubtful than ${words.other}.`,
        table: curveTable(scores, "roc", "false alarms", "found")
    });
}

function precisionChart(task, target) {
    const scores = scoresOf(task).filter(([, score]) => score.pr);
    if (scores.length === 0) return null;
    const words = TARGETS[target];
    const area = (score) => (target === "ood" ? score.aupr : score.aupr_error);
    const chart = lineChart({
        title: `Finding ${words.positives}: precision, recall`,
        x: shareAxis("recall: share that is found"),
        y: shareAxis("precision"),
        series: scores.map(([name, score]) => ({
            name: `${SCORE_NAMES[name]} (AUC ${formatPercent(area(score))})`,
            points: score.pr,
            colour: SCORE_COLOURS[name]
        })),
        marks: [{ y: task.prevalence, text: `guessing: ${formatPercent(task.prevalence)}` }]
    });
    return chartFigure(chart, {
        note:
            "Of the nodes called doubtful, how many are rightly so (precision), when so many of them are " +
            "to be found (recall)? The higher the better. Guessing gets the broken line, the share of " +
            `${words.positives} among the ${formatCount(task.nodes)}.`,
        table: curveTable(scores, "pr", "recall", "precision")
    });
}

function histogramChart(task, target, name, score) {
    const histogram = score.histogram;
    if (!histogram) return null;
    const words = TARGETS[target];
    const share = (counts) => {
        const all = counts.reduce((sum, count) => sum + count, 0);
        return counts.map((count) => (all > 0 ? count / all : 0));
    };
    const [names, colours] = [words.sides, words.colours];
    const title = SCORE_NAMES[name][0].toUpperCase() + SCORE_NAMES[name].slice(1);
    const chart = barChart({
        title: `${title}: ${words.both}`,
        mode: "overlay",
        edges: histogram.edges,
        x: { label: histogram.label },
        y: { label: "share of the nodes", format: formatShare },
        series: [
            { name: names[0], values: share(histogram.negatives), colour: colours[0] },
            { name: names[1], values: share(histogram.positives), colour: colours[1] }
        ]
    });
    const doubt =
        /evidence/.test(histogram.label) && !/^[-−]/.test(histogram.label)
            ? "left (little evidence)"
            : "right";
    return chartFigure(chart, {
        note:
            `How ${words.negatives} and ${words.positives} differ in it, each adding up to 100\u202f%. The ` +
            `less the two overlap the better it tells them apart; doubt grows to the ${doubt}.`,
        table: () => ({
            columns: ["from", "to", names[0], names[1]],
            rows: histogram.negatives.map((count, i) => [
                formatNumber(histogram.edges[i]),
                formatNumber(histogram.edges[i + 1]),
                count,
                histogram.positives[i]
            ])
        })
    });
}

/* Those charts of curves.ood or curves.errors that can be drawn. */
export function detectionCharts(task, target) {
    return [
        rocChart(task, target),
        precisionChart(task, target),
        ...scoresOf(task).map(([name, score]) => histogramChart(task, target, name, score))
    ].filter(Boolean);
}

/* The risk of the most certain answers at a coverage, interpolated between the points of the curve. */
export function riskAt(points, coverage) {
    if (coverage <= points[0][0]) return points[0][1];
    for (let i = 1; i < points.length; i++) {
        const [x0, y0] = points[i - 1],
            [x1, y1] = points[i];
        if (coverage <= x1) return x1 > x0 ? y0 + ((coverage - x0) / (x1 - x0)) * (y1 - y0) : y1;
    }
    return points[points.length - 1][1];
}
