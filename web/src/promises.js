/* SPDX-License-Identifier: MIT */
/* What `credence evaluate` measures besides curves: promises and what came of them, calibration, single classes. */
import { element, nameElement, tableElement } from "./dom.js";
import { formatCount, formatNumber, formatPercent, isNumber, NO_NUMBER } from "./numbers.js";

function tablePanel(title, note, tables) {
    return element(
        "figure",
        { class: "panel full tables-panel" },
        element("h3", null, title),
        element(
            "div",
            { class: "tables" },
            tables.map((table) =>
                element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title }, table)
            )
        ),
        element("figcaption", null, note)
    );
}

/* Texts that are numbers, aligned right like numbers. */
const right = (text) => element("span", { class: "right" }, text);
const share = (value, digits = 1) => right(formatPercent(value, digits));

export function promisesFigure({ calibration_nodes: nodes, false_alarms, max_error, sets }) {
    const degrees = Object.entries(sets.coverage_by_degree ?? {});
    return tablePanel(
        "Promises, and what came of them",
        `What predict promises rests on ${formatCount(nodes)} calibration nodes, whose labels no weight was ` +
            "learnt from. False alarms and sets are promised on average over splits, wrong answers with the stated " +
            "confidence; on these test nodes a promise may be missed by chance. " +
            `A dash: with so few calibration nodes this cannot be promised. Sets of classes have ` +
            `${formatNumber(sets.size)} classes on average.`,
        [
            tableElement(
                ["false alarms at most", "false alarms", "unseen classes found"],
                false_alarms.map((one) => [
                    share(one.promised, 0),
                    share(one.false_alarms),
                    share(one.detected)
                ]),
                "Flag nodes as unknown"
            ),
            tableElement(
                ["wrong at most", "wrong answers", "nodes answered"],
                max_error.map((one) => [share(one.promised, 0), share(one.wrong), share(one.answered)]),
                `Answer only if sure (confidence ${formatPercent(max_error[0]?.confidence, 0)})`
            ),
            tableElement(
                ["nodes", "set has the class"],
                [
                    ["all", share(sets.coverage)],
                    ...degrees.map(([name, coverage]) => [
                        `${name.replace("0-1", "0 or 1").replace("-", " to ").replace("+", " or more")} neighbours`,
                        share(coverage)
                    ])
                ],
                `Answer with a set of classes (${formatPercent(sets.promised, 0)} promised)`
            )
        ]
    );
}

const CALIBRATED = [
    ["ece", "ECE", formatPercent],
    ["nll", "log loss", (value) => (isNumber(value) ? value.toFixed(3) : NO_NUMBER)],
    ["brier", "Brier", (value) => (isNumber(value) ? value.toFixed(3) : NO_NUMBER)]
];

/* ECE, log loss and Brier score before and after calibration, of all answers and of those of each class. `names` are the
 * classes' short names. */
export function calibrationFigure({ calibration, nodes }, names) {
    const numbers = ({ before, after }) =>
        CALIBRATED.flatMap(([key, , format]) => [right(format(before[key])), right(format(after[key]))]);
    const classes = calibration.classes ?? [];
    return tablePanel(
        "Before and after calibration",
        `Calibration (${calibration.method}) changes probabilities, not answers. ECE: how far probabilities are from ` +
            "the share of answers that are right; log loss and Brier score: how bad the probabilities are in " +
            "all. Smaller is better everywhere. A class's row is about the nodes that were answered with it.",
        [
            tableElement(
                ["answers", "nodes", ...CALIBRATED.flatMap(([, name]) => [`${name} before`, "after"])],
                [
                    ["all", formatCount(nodes), calibration],
                    ...classes.map((one, k) => [nameElement(names[k] ?? one.class, 40), formatCount(one.answers), one])
                ].map(([name, count, one]) => [name, right(count), ...numbers(one)])
            )
        ]
    );
}

/* Precision and recall of every class. */
export function classesFigure({ accuracy, balanced_accuracy: balanced, classes }, names) {
    return tablePanel(
        "Every class by itself",
        "Precision: of the nodes answered with the class, the share that has it. Recall: of the nodes that have the " +
            `class, the share that is answered with it. The mean recall, the balanced accuracy, is ` +
            `${formatPercent(balanced)}; it counts small classes as much as large ones (accuracy: ` +
            `${formatPercent(accuracy)}).`,
        [
            tableElement(
                ["class", "test nodes", "precision", "recall"],
                classes.map((one, k) => [
                    nameElement(names[k] ?? one.name, 40),
                    right(formatCount(one.support)),
                    share(one.precision),
                    share(one.recall)
                ])
            )
        ]
    );
}
