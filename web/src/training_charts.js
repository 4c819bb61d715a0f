/* SPDX-License-Identifier: MIT */
/* How training went. */
import { chartFigure, lineChart } from "./charts.js";
import { formatCount, formatNumber, formatShare, isNumber } from "./numbers.js";

/* Epochs are counted again from the start after the warm-up; here the count continues: {epochs, begin (the end of the
 * warm-up, 0 without one), best (null if there is none)}. A long training does not have every epoch. */
export function countEpochs(history, bestEpoch) {
    const isWarmup = (i) => i < history.warmup;
    const begin = history.epoch.reduce((most, epoch, i) => (isWarmup(i) ? Math.max(most, epoch) : most), 0);
    const epochs = history.epoch.map((epoch, i) => (isWarmup(i) ? epoch : begin + epoch));
    return { epochs, begin, best: bestEpoch > 0 ? begin + bestEpoch : null };
}

/* Where the networks of a committee begin: each counts its epochs from the start. */
export function networkStarts(history) {
    return history.epoch.map((_, i) => i).filter((i) => i === 0 || history.epoch[i] <= history.epoch[i - 1]);
}

/* The curves of all networks in the same charts. */
function committeeFigures(history) {
    const starts = networkStarts(history),
        ends = [...starts.slice(1), history.epoch.length];
    const last = Math.max(...history.epoch);
    const lines = (values) =>
        starts.map((start, n) => ({
            name: `network ${n + 1}`,
            points: history.epoch.slice(start, ends[n]).map((epoch, i) => [epoch, values[start + i]])
        }));
    const figure = (title, label, values, note, format) => {
        if (!values?.some(isNumber)) return null;
        return chartFigure(
            lineChart({
                title,
                x: { label: "epoch", domain: [1, Math.max(last, 2)], format: formatCount },
                y: { label, ...(format ? { format } : {}) },
                series: lines(values)
            }),
            {
                note,
                table: () => ({
                    columns: ["network", "epoch", label],
                    rows: lines(values).flatMap((one) =>
                        one.points.map(([epoch, value]) => [one.name, epoch, formatNumber(value)])
                    )
                })
            }
        );
    };
    return [
        figure("Training: the loss", "loss", history.loss, "What training makes small, epoch by epoch."),
        figure(
            "Validation: cross-entropy",
            "cross-entropy",
            history.validation_cross_entropy,
            "How badly each network predicts the validation nodes of its own fold, whose labels it does not learn " +
                "from. Each network is kept as it was in its best epoch."
        ),
        figure(
            "Validation: accuracy",
            "share that is right",
            history.validation_accuracy,
            "How many of these nodes are answered rightly.",
            formatShare
        )
    ].filter(Boolean);
}

export function trainingFigures(history, bestEpoch, isCommittee = false) {
    if (isCommittee) return committeeFigures(history);
    const { epochs, begin, best } = countEpochs(history, bestEpoch);
    const pairs = (values) => values.map((value, i) => [epochs[i], value]);
    const marks = best === null ? [] : [{ x: best, text: "best" }];
    const last = epochs[epochs.length - 1];
    if (begin > 0)
        marks.push({ x: begin, text: best !== null && best - begin < 0.3 * last ? "" : "end of warm-up" });
    const x = { label: "epoch", domain: [epochs[0], Math.max(last, epochs[0] + 1)], format: formatCount };
    const figures = [];
    const add = (title, yLabel, series, note, format) => {
        const drawn = series.filter((one) => one.points.some(([, y]) => isNumber(y)));
        if (drawn.length === 0) return;
        figures.push(
            chartFigure(
                lineChart({
                    title,
                    x,
                    y: { label: yLabel, ...(format ? { format } : {}) },
                    series: drawn,
                    marks
                }),
                {
                    note,
                    table: () => ({
                        columns: ["epoch", ...drawn.map((one) => one.name)],
                        rows: epochs.map((epoch, i) => [
                            epoch,
                            ...drawn.map((one) => formatNumber(one.points[i][1]))
                        ])
                    })
                }
            )
        );
    };
    add(
        "Training: the loss and its terms",
        "loss",
        [
            { name: "loss", points: pairs(history.loss), colour: "var(--ink)" },
            ...Object.entries(history.terms ?? {}).map(([name, values]) => ({
                name: name.replaceAll("_", " "),
                points: pairs(values)
            }))
        ],
        "What training makes small, epoch by epoch. The loss is the sum of its terms, each as weighted in it."
    );
    if (history.validation_cross_entropy)
        add(
            "Validation: cross-entropy",
            "cross-entropy",
            [{ name: "cross-entropy", points: pairs(history.validation_cross_entropy) }],
            "How badly nodes are predicted that training does not look at. Where it rises while the loss " +
                "falls, the model learns by heart; the model of the best epoch is kept."
        );
    if (history.validation_accuracy)
        add(
            "Validation: accuracy",
            "share that is right",
            [{ name: "accuracy", points: pairs(history.validation_accuracy) }],
            "How many of these nodes are answered rightly.",
            formatShare
        );
    return figures;
}
