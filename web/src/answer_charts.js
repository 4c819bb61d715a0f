/* SPDX-License-Identifier: MIT */
/* How good the answers are: reliability, risk and coverage, confusion; and how training went. */
import { barChart, chartFigure, lineChart } from "./charts.js";
import { riskAt, SCORE_NAMES } from "./detection_charts.js";
import { clip, element, nameElement } from "./dom.js";
import { formatCount, formatPercent, formatShare } from "./numbers.js";

const wholePercent = (value) => formatPercent(value, 0);

function beforeCalibration({ ece_before: ece, nll, nll_before: log, brier, brier_before: squares }) {
    if (!Number.isFinite(ece)) return "";
    return (
        ` Before calibration it was ${formatPercent(ece)}; the log loss went from ${log?.toFixed(3)} to ` +
        `${nll?.toFixed(3)}, the Brier score from ${squares?.toFixed(3)} to ${brier?.toFixed(3)}.`
    );
}

export function reliabilityFigure(reliability) {
    const bins = reliability.bins.filter((bin) => bin.count > 0),
        earlier = (reliability.bins_before ?? []).filter((bin) => bin.count > 0);
    const chart = lineChart({
        title: "Reliability: is it as often right as it says?",
        x: { label: "probability of the answer", domain: [0, 1], format: wholePercent },
        y: { label: "share that is right", domain: [0, 1], format: wholePercent },
        series: [
            ...(earlier.length > 0
                ? [
                      {
                          name: "before calibration",
                          points: earlier.map((bin) => [bin.confidence, bin.accuracy]),
                          dash: true,
                          colour: "var(--muted)"
                      }
                  ]
                : []),
            {
                name: earlier.length > 0 ? "after" : "measured",
                points: bins.map((bin) => [bin.confidence, bin.accuracy]),
                dots: true,
                colour: "var(--class-0)"
            },
            {
                name: "ideal",
                points: [
                    [0, 0],
                    [1, 1]
                ],
                quiet: true
            }
        ]
    });
    const counts = barChart({
        title: "",
        height: 130,
        edges: [
            ...reliability.bins.map((bin) => bin.low),
            reliability.bins[reliability.bins.length - 1].high
        ],
        x: { label: "probability of the answer", format: wholePercent },
        y: { label: "nodes", format: formatCount },
        series: [
            { name: "nodes", values: reliability.bins.map((bin) => bin.count), colour: "var(--class-0)" }
        ],
        legend: false
    });
    const figure = chartFigure(chart, {
        note:
            `Answers are sorted by their probability into ${reliability.bins.length} bins (below: how many ` +
            `nodes are in each). On the grey diagonal, of answers with a probability of 80\u202f% four in ` +
            `five are right; above it the model is better than it says, below it it promises too much. ` +
            `Expected calibration error (ECE), the mean distance from the diagonal: ` +
            `${formatPercent(reliability.ece)}.${beforeCalibration(reliability)}`,
        table: () => ({
            columns: ["from", "to", "nodes", "mean probability", "right"],
            rows: reliability.bins.map((bin) => [
                formatPercent(bin.low, 0),
                formatPercent(bin.high, 0),
                bin.count,
                formatPercent(bin.confidence),
                formatPercent(bin.accuracy)
            ])
        })
    });
    figure.insertBefore(counts, figure.querySelector("figcaption"));
    return figure;
}

export function riskFigure(errors) {
    const scores = Object.entries(errors.scores).filter(
        ([name, score]) => name in SCORE_NAMES && score?.risk?.length > 1
    );
    if (scores.length === 0) return null;
    /* The slider goes by the score of `credence predict --coverage`. Nodes of classes that the model does not know have
     * no right answer, so they are not in the curve. */
    const applied = scores.find(([name]) => name === "aleatoric") ?? scores[0];
    const highest = Math.max(...scores.flatMap(([, score]) => score.risk.map(([, risk]) => risk)), 0.01);
    const draw = (coverage) =>
        lineChart({
            title: "Risk and coverage: answer only what it is sure of",
            x: {
                label: "coverage: share of the nodes that is answered",
                domain: [0, 1],
                format: wholePercent
            },
            y: {
                label: "share of answers that is wrong",
                domain: [0, highest],
                format: formatShare
            },
            series: scores.map(([name, score]) => ({
                name: `by ${SCORE_NAMES[name]}`,
                points: score.risk,
                colour:
                    name === "epistemic"
                        ? "var(--class-0)"
                        : name === "aleatoric"
                          ? "var(--class-1)"
                          : "var(--class-2)"
            })),
            marks: [{ x: coverage, text: wholePercent(coverage) }]
        });
    const figure = chartFigure(draw(0.9), {
        note:
            "Answer the surest nodes and send the rest to a person: the fewer are answered (to the left), " +
            "the fewer answers should be wrong. The lower the curve the better. Only nodes of classes that the model " +
            "knows count here: for others every answer is wrong.",
        table: () => ({
            columns: ["score", "coverage", "wrong"],
            rows: scores.flatMap(([name, score]) =>
                score.risk.map(([x, y]) => [SCORE_NAMES[name], formatPercent(x, 2), formatPercent(y, 2)])
            )
        })
    });
    const sentence = element("output", { for: "coverage", class: "risk-sentence" });
    const slider = element("input", {
        type: "range",
        id: "coverage",
        min: "1",
        max: "100",
        value: "90",
        "aria-label": "Share of the nodes that is answered, in percent"
    });
    const follow = () => {
        const coverage = Number(slider.value) / 100,
            risk = riskAt(applied[1].risk, coverage);
        sentence.textContent =
            `Answer the ${wholePercent(coverage)} surest nodes of known classes (by ${SCORE_NAMES[applied[0]]} ` +
            `uncertainty) and be wrong ${formatPercent(risk)} of the time.`;
        figure.replaceChild(draw(coverage), figure.querySelector("svg.chart"));
    };
    slider.addEventListener("input", follow);
    figure.insertBefore(
        element("div", null, element("div", { class: "slider" }, slider), element("p", null, sentence)),
        figure.querySelector("figcaption")
    );
    follow();
    return figure;
}

/* Rows are true classes, those of the model first; columns are predicted classes. */
export function confusionFigure(counts, classes) {
    const rows = classes.map((one) => one.short),
        columns = rows.slice(0, counts[0].length);
    const cells = counts.map((row, r) => {
        const all = row.reduce((sum, count) => sum + count, 0);
        return element(
            "tr",
            null,
            element(
                "th",
                { scope: "row", title: clip(rows[r], 300) },
                nameElement(rows[r], 40),
                r < columns.length ? null : element("span", { class: "muted" }, " (never seen)")
            ),
            row.map((count, c) => {
                const share = all > 0 ? count / all : 0,
                    shade = Math.round(100 * share);
                return element(
                    "td",
                    {
                        title: `${clip(rows[r], 60)} for ${clip(columns[c], 60)}: ${formatPercent(share)}`,
                        style: {
                            "background-color": `color-mix(in srgb, var(--class-0) ${shade}%, var(--panel))`,
                            color: share > 0.55 ? "#000000" : "var(--ink)"
                        }
                    },
                    count === 0 ? "" : formatCount(count)
                );
            }),
            element("td", { class: "muted" }, formatCount(all))
        );
    });
    const table = element(
        "table",
        { class: "confusion" },
        element(
            "thead",
            null,
            element(
                "tr",
                null,
                element("th", { scope: "col" }, "answer →", element("br"), "true class ↓"),
                columns.map((name) =>
                    element("th", { scope: "col", title: clip(name, 300) }, nameElement(name, 24))
                ),
                element("th", { scope: "col" }, "all")
            )
        ),
        element("tbody", null, cells)
    );
    return element(
        "figure",
        { class: "panel full" },
        element("h3", null, "Confusion matrix: which classes it takes for which"),
        element(
            "div",
            { class: "scroll", tabindex: "0", role: "group", "aria-label": "Confusion matrix" },
            table
        ),
        element(
            "figcaption",
            null,
            "A row is a true class, a column an answer; the number says how many test nodes. Right answers " +
                "are on the diagonal. The darker, the larger the share of the row. Classes that the model " +
                "never saw can only be taken for others: their rows have no diagonal."
        )
    );
}
