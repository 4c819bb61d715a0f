/* SPDX-License-Identifier: MIT */
/* Charts as SVG elements: lineChart, barChart, boxPlot, scatterChart; and chartFigure, which adds to a chart a
 * sentence on how to read it and its numbers as a table.
 *
 * Every chart takes one object and returns one <svg>, drawn in a box of `width` x `height` units that fills the
 * available width, with its title, labelled axes and, for more than one series, a legend. Colours are CSS variables,
 * so that it follows the page's theme. Texts may be anything: they are clipped, never parsed.
 *
 * Common options
 *   title        text above the chart, and its name for screen readers
 *   description  a sentence for screen readers
 *   x, y         axes: {label, domain: [low, high], format: (number, step of the ticks) => text,
 *                ticks: [numbers], log: true, zero: true (0 belongs to the domain)}; all may be left out
 *   width, height   440 x 290 units
 *   legend       false: none
 *   marks        lines across: [{x: 12, text: "best epoch"} or {y: 0.5, text: "guessing"}]
 * A `colour` is a CSS colour; without one, series get seriesColour(0), seriesColour(1), ...
 * Numbers that are null or NaN are left out.
 *
 * lineChart({..., series: [{name, points: [[x, y], ...], colour, dash, dots, area, quiet}]})
 *   Points by growing x where the pointer is to find them. `dash`: broken line; `dots`: a dot at every point;
 *   `area`: filled down to the axis; `quiet`: thin and grey, not in the legend.
 * barChart({..., names: ["a", "b"], series: [{name, values: [...], colour}], mode: "grouped" or "stacked"})
 *   One group of bars for every name; or, for histograms, edges: [n + 1 numbers] instead of names, with the
 *   further mode "overlay" (bars through which the others are seen).
 * boxPlot({..., x: axis of the values, boxes: [{name, values: [...], colour, texts: [...]}]})
 *   A row for each: median, quartiles, whiskers to the last value within 1.5 times their distance, a dot for
 *   every value (its text, or itself, as tooltip).
 * scatterChart({..., series: [{name, points: [{x, y, text, strong: true}], colour}], line: [[x, y], ...]})
 *   `text` is a point's tooltip; `strong` points are larger and ringed; `line` is drawn through, behind them.
 */
import { drawAxes, drawChartLegend, drawMarks, nameText, openChart } from "./chart_parts.js";
import { seriesColour, textElement } from "./chart_parts.js";
import { clip, element, svgElement, tableElement } from "./dom.js";
import { formatNumber, isNumber } from "./numbers.js";
import { quantile } from "./scales.js";

function linePath(points, plot) {
    let path = "",
        pen = "M";
    for (const [x, y] of points) {
        if (!isNumber(x) || !isNumber(y)) {
            pen = "M";
            continue;
        }
        path += `${pen}${plot.xScale(x).toFixed(2)} ${plot.yScale(y).toFixed(2)}`;
        pen = "L";
    }
    return path;
}

/* Shows the pointer's x, and every series' value there, in the legend. */
function readAlong(svg, options, series, plot, texts) {
    const hair = svgElement("line", { y1: plot.top, y2: plot.bottom, class: "hair", visibility: "hidden" });
    const value = textElement(0, plot.bottom - 5, "", { class: "hair-text", visibility: "hidden" });
    svg.append(hair, value);
    const format = (axis, number) => (axis?.format ?? formatNumber)(number);
    const rest = () => {
        hair.setAttribute("visibility", "hidden");
        value.setAttribute("visibility", "hidden");
        for (const { text, shown } of texts.values()) text.firstChild.data = shown;
    };
    svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect();
        const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
        if (x < plot.left || x > plot.right) return rest();
        const at = plot.xScale.invert(x);
        const nearest = series.map((one) =>
            one.points.reduce(
                (best, point) =>
                    isNumber(point[0]) &&
                    isNumber(point[1]) &&
                    (best === null || Math.abs(point[0] - at) < Math.abs(best[0] - at))
                        ? point
                        : best,
                null
            )
        );
        const found = nearest.filter((point) => point !== null);
        if (found.length === 0) return rest();
        const there = found.reduce((best, point) =>
            Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best
        )[0];
        const place = plot.xScale(there),
            leftwards = place > (plot.left + plot.right) / 2;
        hair.setAttribute("x1", place);
        hair.setAttribute("x2", place);
        hair.setAttribute("visibility", "visible");
        value.setAttribute("x", place + (leftwards ? -5 : 5));
        value.setAttribute("text-anchor", leftwards ? "end" : "start");
        value.setAttribute("visibility", "visible");
        value.textContent =
            format(options.x, there) + (texts.size === 0 ? ": " + format(options.y, nearest[0][1]) : "");
        series.forEach((one, i) => {
            const entry = texts.get(one.name);
            if (entry && nearest[i])
                entry.text.firstChild.data = entry.shown + " " + format(options.y, nearest[i][1]);
        });
    });
    svg.addEventListener("pointerleave", rest);
}

export function lineChart(options) {
    const svg = openChart(options);
    const series = options.series.map((one, i) => ({ colour: seriesColour(i), ...one }));
    const named = series.filter((one) => one.name && !one.quiet);
    const legend = drawChartLegend(
        svg,
        options.legend === false || named.length < 2
            ? []
            : named.map(({ name, colour, dash }) => ({ name, colour, dash, line: true, room: 40 })),
        options.title ? 34 : 12,
        options.width ?? 440
    );
    const plot = drawAxes(svg, options, {
        top: legend.bottom + 4,
        xValues: series.flatMap((one) => one.points.map(([x]) => x)),
        yValues: series.flatMap((one) => one.points.map(([, y]) => y))
    });
    for (const one of series) {
        const path = linePath(one.points, plot);
        if (one.area && path) {
            const [from, to] = [one.points[0], one.points[one.points.length - 1]].map(([x]) =>
                plot.xScale(x).toFixed(2)
            );
            svg.append(
                svgElement("path", {
                    d: `${path}L${to} ${plot.bottom}L${from} ${plot.bottom}Z`,
                    class: "area",
                    style: { fill: one.colour }
                })
            );
        }
        svg.append(
            svgElement("path", {
                d: path,
                class: "line" + (one.dash ? " dash" : "") + (one.quiet ? " quiet" : ""),
                style: one.quiet ? null : { stroke: one.colour }
            })
        );
        if (!one.dots) continue;
        for (const [x, y] of one.points)
            if (isNumber(x) && isNumber(y))
                svg.append(
                    svgElement("circle", {
                        cx: plot.xScale(x),
                        cy: plot.yScale(y),
                        r: 3.5,
                        style: { fill: one.colour }
                    })
                );
    }
    drawMarks(svg, options.marks, plot);
    readAlong(
        svg,
        options,
        series.filter((one) => !one.quiet),
        plot,
        legend.texts
    );
    return svg;
}

function barTops(series, mode, count) {
    if (mode !== "stacked") return series.flatMap((one) => one.values);
    return Array.from({ length: count }, (_, i) =>
        series.reduce((sum, one) => sum + (one.values[i] ?? 0), 0)
    );
}

export function barChart(options) {
    const svg = openChart(options);
    const { edges = null, names = null, mode = "grouped" } = options;
    const series = options.series.map((one, i) => ({ colour: seriesColour(i), ...one }));
    const count = edges ? edges.length - 1 : names.length;
    const legend = drawChartLegend(
        svg,
        options.legend === false || series.length < 2
            ? []
            : series.map(({ name, colour }) => ({ name, colour })),
        options.title ? 34 : 12,
        options.width ?? 440
    );
    const x = edges ? { ...options.x, domain: [edges[0], edges[count]] } : options.x;
    const plot = drawAxes(
        svg,
        { ...options, x, y: { zero: true, ...options.y } },
        {
            top: legend.bottom + 4,
            xValues: [],
            yValues: [0, ...barTops(series, mode, count)],
            names: edges ? null : names
        }
    );
    const zero = plot.yScale(Math.max(plot.yScale.domain[0], Math.min(0, plot.yScale.domain[1])));
    const format = options.y?.format ?? formatNumber;
    for (let i = 0; i < count; i++) {
        const from = edges
            ? plot.xScale(edges[i])
            : plot.left + ((i + 0.12) / count) * (plot.right - plot.left);
        const to = edges
            ? plot.xScale(edges[i + 1])
            : plot.left + ((i + 0.88) / count) * (plot.right - plot.left);
        const place = edges
            ? `${formatNumber(edges[i])} to ${formatNumber(edges[i + 1])}`
            : clip(names[i], 80);
        let below = 0;
        series.forEach((one, s) => {
            const value = one.values[i];
            if (!isNumber(value) || value === 0) return;
            const wide = (to - from) / (mode === "grouped" ? series.length : 1);
            const start = mode === "grouped" ? from + s * wide : from;
            const base = mode === "stacked" ? plot.yScale(below) : zero;
            const end = plot.yScale(mode === "stacked" ? below + value : value);
            below += value;
            svg.append(
                svgElement(
                    "rect",
                    {
                        x: start.toFixed(2),
                        width: Math.max(wide - 0.6, 0.4).toFixed(2),
                        y: Math.min(base, end).toFixed(2),
                        height: Math.max(Math.abs(base - end), 0.4).toFixed(2),
                        class: mode === "overlay" ? "bar overlay" : "bar",
                        style: { fill: one.colour, stroke: one.colour }
                    },
                    svgElement("title", null, `${clip(one.name ?? "", 80)} ${place}: ${format(value)}`)
                )
            );
        });
    }
    drawMarks(svg, options.marks, plot);
    return svg;
}

/* The five numbers of a box: median, quartiles, and the last values within 1.5 times the quartiles' distance. */
export function boxNumbers(values) {
    const sorted = values.filter(isNumber).sort((a, b) => a - b);
    const low = quantile(sorted, 0.25),
        middle = quantile(sorted, 0.5),
        high = quantile(sorted, 0.75);
    const reach = 1.5 * (high - low);
    const inside = sorted.filter((value) => value >= low - reach && value <= high + reach);
    return { count: sorted.length, low, middle, high, first: inside[0], last: inside[inside.length - 1] };
}

export function boxPlot(options) {
    const boxes = options.boxes.map((box, i) => ({ colour: seriesColour(i), ...box }));
    const height =
        options.height ?? 28 * boxes.length + (options.title ? 22 : 4) + (options.x?.label ? 44 : 28);
    const svg = openChart({ ...options, height });
    const plot = drawAxes(
        svg,
        { ...options, height },
        {
            top: options.title ? 24 : 6,
            xValues: boxes.flatMap((box) => box.values),
            rows: boxes.map((box) => box.name)
        }
    );
    const format = options.x?.format ?? formatNumber;
    const step = (plot.bottom - plot.top) / boxes.length,
        half = Math.min(9, 0.36 * step);
    boxes.forEach((box, i) => {
        const y = plot.top + (i + 0.5) * step;
        svg.append(
            nameText(plot.left - 6, y + 4, box.name, plot.left - 8 - (options.y?.label ? 18 : 0), {
                "text-anchor": "end"
            })
        );
        const numbers = boxNumbers(box.values);
        if (numbers.count === 0) return;
        const at = (value) => plot.xScale(value).toFixed(2);
        svg.append(
            svgElement("path", {
                d:
                    `M${at(numbers.first)} ${y}H${at(numbers.low)}` +
                    `M${at(numbers.high)} ${y}H${at(numbers.last)}`,
                class: "whisker",
                style: { stroke: box.colour }
            }),
            svgElement("rect", {
                x: at(numbers.low),
                width: Math.max(at(numbers.high) - at(numbers.low), 1),
                y: y - half,
                height: 2 * half,
                class: "box",
                style: { fill: box.colour, stroke: box.colour }
            }),
            svgElement("line", {
                x1: at(numbers.middle),
                x2: at(numbers.middle),
                y1: y - half,
                y2: y + half,
                class: "median"
            })
        );
        box.values.forEach((value, v) => {
            if (!isNumber(value)) return;
            const spread = (((v * 0.618034) % 1) - 0.5) * half;
            svg.append(
                svgElement(
                    "circle",
                    {
                        cx: at(value),
                        cy: (y + spread).toFixed(2),
                        r: 2.2,
                        class: "value",
                        style: { fill: box.colour }
                    },
                    svgElement("title", null, clip(box.texts?.[v] ?? format(value), 200))
                )
            );
        });
    });
    drawMarks(svg, options.marks, plot);
    return svg;
}

export function scatterChart(options) {
    const svg = openChart(options);
    const series = options.series.map((one, i) => ({ colour: seriesColour(i), ...one }));
    const legend = drawChartLegend(
        svg,
        options.legend === false || series.length < 2
            ? []
            : series.map(({ name, colour }) => ({ name, colour, dot: true })),
        options.title ? 34 : 12,
        options.width ?? 440
    );
    const points = series.flatMap((one) => one.points);
    const plot = drawAxes(svg, options, {
        top: legend.bottom + 4,
        xValues: points.map((point) => point.x),
        yValues: points.map((point) => point.y)
    });
    if (options.line)
        svg.append(svgElement("path", { d: linePath(options.line, plot), class: "line quiet" }));
    for (const one of series) {
        for (const { x, y, text, strong } of one.points) {
            if (!isNumber(x) || !isNumber(y)) continue;
            svg.append(
                svgElement(
                    "circle",
                    {
                        cx: plot.xScale(x).toFixed(2),
                        cy: plot.yScale(y).toFixed(2),
                        r: strong ? 5.5 : 3.5,
                        class: strong ? "value strong" : "value",
                        style: { fill: one.colour }
                    },
                    text ? svgElement("title", null, clip(text, 300)) : null
                )
            );
        }
    }
    drawMarks(svg, options.marks, plot);
    return svg;
}

/* A chart with `note` on how to read it, and its numbers: table = {columns: [texts], rows: [[texts or numbers]]}; if
 * `table` is a function, it is called when the table is opened. */
export function chartFigure(chart, { note = "", table = null } = {}) {
    const figure = element(
        "figure",
        { class: "panel" },
        chart,
        note ? element("figcaption", null, note) : null
    );
    if (table) {
        const details = element(
            "details",
            { class: "numbers" },
            element("summary", null, "The numbers as a table")
        );
        details.addEventListener("toggle", () => {
            if (!details.open || details.childElementCount > 1) return;
            const { columns, rows } = typeof table === "function" ? table() : table;
            details.append(element("div", { class: "scroll", tabindex: "0" }, tableElement(columns, rows)));
        });
        figure.append(details);
    }
    return figure;
}
