/* Charts as SVG elements: lineChart, barChart, boxPlot, scatterChart; and chartFigure, which puts a sentence on how to
 * read it and its numbers as a table beside a chart.
 *
 * Every chart takes one object and returns one <svg>, drawn in a box of `width` x `height` units that fills the width
 * it is given, with its title, labelled axes and, for more than one series, a legend. Colours are CSS variables, so
 * that it follows the page's theme. Texts may be anything: they are clipped, and never parsed.
 *
 * Common options
 *   title        text above the chart, and its name for screen readers
 *   description  a sentence for screen readers
 *   x, y         axes: {label, domain: [low, high], format: (number) => text, ticks: [numbers], log: true,
 *                zero: true (0 belongs to the domain)}; all may be left out
 *   width, height   440 x 290 units
 *   legend       false: none
 *   marks        lines across: [{x: 12, text: "best epoch"} or {y: 0.5, text: "guessing"}]
 * A `colour` is a CSS colour; without one, series get seriesColour(0), seriesColour(1), ...
 * Numbers that are null or NaN are left out.
 *
 * lineChart({..., series: [{name, points: [[x, y], ...], colour, dash: true, dots: true, area: true, quiet: true}]})
 *   Points by growing x where the pointer is to find them. `dash`: broken line; `dots`: a dot at every point;
 *   `area`: filled down to the axis; `quiet`: thin and grey, not in the legend.
 * barChart({..., names: ["a", "b"], series: [{name, values: [...], colour}], mode: "grouped" or "stacked"})
 *   One group of bars for every name; or, for histograms, edges: [n + 1 numbers] instead of names, with the further
 *   mode "overlay" (bars through which the others are seen).
 * boxPlot({..., x: axis of the values, boxes: [{name, values: [...], colour, texts: [...]}]})
 *   A row for each: median, quartiles, whiskers to the last value within 1.5 times their distance, a dot for every
 *   value (its text, or itself, as tooltip).
 * scatterChart({..., series: [{name, points: [{x, y, text, strong: true}], colour}], line: [[x, y], ...]})
 *   `text` is a point's tooltip; `strong` points are larger and ringed; `line` is drawn through, behind them.
 */
import { clip, element, svgElement, tableElement } from "./dom.js";
import { formatNumber, isNumber } from "./numbers.js";
import { extent, makeScale, niceDomain, quantile } from "./scales.js";

const CHART_FONT = 12;

export function seriesColour(index) {
    return `var(--class-${index % 10})`;
}

/* About how wide a text is, in units: it is laid out before it is in a document. */
export function textWidth(text, size = CHART_FONT) {
    let width = 0;
    for (const character of text) {
        const code = character.codePointAt(0);
        width += code > 0x2e80 ? 1.05 : /[ijl.,:;'|!\u202f ]/.test(character) ? 0.3 : /[A-Zmw%@—…]/.test(character) ? 0.74 : 0.56;
    }
    return width * size;
}

function clipToWidth(text, width) {
    let shown = clip(text, 120);
    if (textWidth(shown) <= width) return shown;
    const characters = Array.from(shown.replace(/…$/, ""));
    while (characters.length > 1 && textWidth(characters.join("") + "…") > width) characters.pop();
    return characters.join("") + "…";
}

function textElement(x, y, text, attributes = {}) {
    return svgElement("text", { x: x.toFixed(1), y: y.toFixed(1), ...attributes }, text);
}

/* A name that may be long: what fits, with the rest in a tooltip. */
export function nameText(x, y, name, width, attributes) {
    const shown = clipToWidth(name, width);
    const node = textElement(x, y, "\u2068" + shown + "\u2069", attributes);
    if (shown.endsWith("…")) node.append(svgElement("title", null, clip(name, 300)));
    return node;
}

let chartCount = 0;

export function openChart({ title = "", description = "", width = 440, height = 290 }) {
    const name = `chart-${++chartCount}`;
    const svg = svgElement("svg", {
        viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img",
        "aria-labelledby": `${name}-title` + (description ? ` ${name}-description` : "")
    });
    svg.append(svgElement("title", { id: `${name}-title` }, clip(title, 300)));
    if (description) svg.append(svgElement("desc", { id: `${name}-description` }, clip(description, 1000)));
    if (title) svg.append(nameText(0, 14, title, width, { class: "chart-title" }));
    return svg;
}

/* Swatches and names, line after line; returns where the plot may begin, and each entry's text for readings. */
function drawLegend(svg, entries, top, width) {
    const texts = new Map();
    let x = 0, y = top;
    for (const entry of entries) {
        const room = Math.min(textWidth(clip(entry.name, 60)) + (entry.room ?? 0), 0.6 * width);
        if (x > 0 && x + 22 + room > width) {
            x = 0;
            y += 18;
        }
        const swatch = entry.line
            ? svgElement("line", { x1: x, x2: x + 14, y1: y - 4, y2: y - 4, class: "line" + (entry.dash ? " dash" : ""),
                style: { stroke: entry.colour } })
            : entry.dot
                ? svgElement("circle", { cx: x + 7, cy: y - 4, r: 4.5, style: { fill: entry.colour } })
                : svgElement("rect", { x, y: y - 10, width: 14, height: 11, rx: 2, style: { fill: entry.colour } });
        const text = nameText(x + 19, y, entry.name, room + 1, { class: "legend" });
        svg.append(swatch, text);
        texts.set(entry.name, { text, shown: text.firstChild.data });
        x += 19 + room + 14;
    }
    return { bottom: entries.length ? y + 8 : top - 12, texts };
}

function axisDomain(axis, values) {
    if (axis.domain) return axis.domain;
    let [low, high] = extent(axis.log ? values.filter((value) => value > 0) : values);
    if (axis.log) return [low, high];
    if (axis.zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    return niceDomain([low, high]);
}

/* Frame, grid, ticks and names of the axes; returns the scales and the plot's edges. */
export function drawAxes(svg, options, { top, xValues, yValues, rows = null, names = null }) {
    const { x: xAxis = {}, y: yAxis = {}, width = 440, height = 290 } = options;
    const bottom = height - (xAxis.label ? 38 : 22);
    const yScale = rows ? null
        : makeScale({ ...yAxis, domain: axisDomain(yAxis, yValues), range: [bottom, top] });
    const yTicks = rows ? [] : yScale.ticks(5);
    const labels = rows
        ? Math.min(Math.max(...rows.map((row) => textWidth(clip(row, 60))), 20), 0.38 * width)
        : Math.max(...yTicks.map((tick) => textWidth(tick.text)), 12);
    const left = Math.ceil(labels + 8 + (yAxis.label ? 18 : 0)), right = width - 12;
    const grid = svgElement("g", { class: "axes" });
    for (const tick of yTicks) {
        const y = yScale(tick.value);
        grid.append(svgElement("line", { x1: left, x2: right, y1: y, y2: y, class: "grid" }),
            textElement(left - 6, y + 4, tick.text, { "text-anchor": "end" }));
    }
    let xScale = null;
    if (names) {
        const band = (right - left) / names.length;
        names.forEach((name, i) => grid.append(nameText(left + (i + 0.5) * band, bottom + 15, name, band - 4,
            { "text-anchor": "middle" })));
    } else {
        xScale = makeScale({ ...xAxis, domain: axisDomain(xAxis, xValues), range: [left, right] });
        let free = -Infinity;
        for (const tick of xScale.ticks(6)) {
            const x = xScale(tick.value), half = textWidth(tick.text) / 2;
            grid.append(svgElement("line", { x1: x, x2: x, y1: top, y2: bottom, class: "grid" }));
            if (x - half < free) continue;
            const shift = Math.min(0, width - x - half);
            grid.append(textElement(x + shift, bottom + 15, tick.text, { "text-anchor": "middle" }));
            free = x + half + 6;
        }
    }
    grid.append(svgElement("path", { d: `M${left} ${top}V${bottom}H${right}`, class: "frame" }));
    if (xAxis.label)
        grid.append(nameText((left + right) / 2, height - 6, xAxis.label, right - left,
            { "text-anchor": "middle", class: "axis-label" }));
    if (yAxis.label)
        grid.append(nameText(0, 0, yAxis.label, bottom - top + 30, {
            "text-anchor": "middle", class: "axis-label",
            transform: `translate(12 ${((top + bottom) / 2).toFixed(1)}) rotate(-90)`
        }));
    svg.append(grid);
    return { xScale, yScale, left, right, top, bottom };
}

export function drawMarks(svg, marks, plot) {
    for (const { x, y, text } of marks ?? []) {
        const across = isNumber(y);
        if (!across && !isNumber(x)) continue;
        const place = across ? plot.yScale(y) : plot.xScale(x);
        const ends = across ? { x1: plot.left, x2: plot.right, y1: place, y2: place }
            : { x1: place, x2: place, y1: plot.top, y2: plot.bottom };
        svg.append(svgElement("line", { ...ends, class: "mark" }));
        if (!text) continue;
        if (across) {
            svg.append(nameText(plot.right - 4, place + (place < plot.top + 16 ? 14 : -5), text,
                plot.right - plot.left, { "text-anchor": "end", class: "mark-text" }));
        } else {
            const leftwards = place > (plot.left + plot.right) / 2;
            svg.append(nameText(place + (leftwards ? -5 : 5), plot.top + 12, text, (plot.right - plot.left) / 2,
                { "text-anchor": leftwards ? "end" : "start", class: "mark-text" }));
        }
    }
}

function linePath(points, plot) {
    let path = "", pen = "M";
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

/* The pointer's x, and every series' value there, in the legend. */
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
        const x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
        if (x < plot.left || x > plot.right) return rest();
        const at = plot.xScale.invert(x);
        const nearest = series.map((one) => one.points.reduce((best, point) =>
            isNumber(point[0]) && isNumber(point[1]) &&
                (best === null || Math.abs(point[0] - at) < Math.abs(best[0] - at)) ? point : best, null));
        const found = nearest.filter((point) => point !== null);
        if (found.length === 0) return rest();
        const there = found.reduce((best, point) =>
            Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best)[0];
        const place = plot.xScale(there), leftwards = place > (plot.left + plot.right) / 2;
        hair.setAttribute("x1", place);
        hair.setAttribute("x2", place);
        hair.setAttribute("visibility", "visible");
        value.setAttribute("x", place + (leftwards ? -5 : 5));
        value.setAttribute("text-anchor", leftwards ? "end" : "start");
        value.setAttribute("visibility", "visible");
        value.textContent = format(options.x, there) +
            (texts.size === 0 ? ": " + format(options.y, nearest[0][1]) : "");
        series.forEach((one, i) => {
            const entry = texts.get(one.name);
            if (entry && nearest[i]) entry.text.firstChild.data = entry.shown + " " + format(options.y, nearest[i][1]);
        });
    });
    svg.addEventListener("pointerleave", rest);
}

export function lineChart(options) {
    const svg = openChart(options);
    const series = options.series.map((one, i) => ({ colour: seriesColour(i), ...one }));
    const named = series.filter((one) => one.name && !one.quiet);
    const legend = drawLegend(svg, options.legend === false || named.length < 2 ? []
        : named.map(({ name, colour, dash }) => ({ name, colour, dash, line: true, room: 40 })),
    options.title ? 34 : 12, options.width ?? 440);
    const plot = drawAxes(svg, options, {
        top: legend.bottom + 4,
        xValues: series.flatMap((one) => one.points.map(([x]) => x)),
        yValues: series.flatMap((one) => one.points.map(([, y]) => y))
    });
    for (const one of series) {
        const path = linePath(one.points, plot);
        if (one.area && path) {
            const first = one.points[0], last = one.points[one.points.length - 1];
            svg.append(svgElement("path", {
                d: `${path}L${plot.xScale(last[0]).toFixed(2)} ${plot.bottom}L${plot.xScale(first[0]).toFixed(2)} ${plot.bottom}Z`,
                class: "area", style: { fill: one.colour }
            }));
        }
        svg.append(svgElement("path", {
            d: path, class: "line" + (one.dash ? " dash" : "") + (one.quiet ? " quiet" : ""),
            style: one.quiet ? null : { stroke: one.colour }
        }));
        if (!one.dots) continue;
        for (const [x, y] of one.points)
            if (isNumber(x) && isNumber(y))
                svg.append(svgElement("circle", { cx: plot.xScale(x), cy: plot.yScale(y), r: 3.5,
                    style: { fill: one.colour } }));
    }
    drawMarks(svg, options.marks, plot);
    readAlong(svg, options, series.filter((one) => !one.quiet), plot, legend.texts);
    return svg;
}

function barTops(series, mode, count) {
    if (mode !== "stacked") return series.flatMap((one) => one.values);
    return Array.from({ length: count }, (_, i) => series.reduce((sum, one) => sum + (one.values[i] ?? 0), 0));
}

export function barChart(options) {
    const svg = openChart(options);
    const { edges = null, names = null, mode = "grouped" } = options;
    const series = options.series.map((one, i) => ({ colour: seriesColour(i), ...one }));
    const count = edges ? edges.length - 1 : names.length;
    const legend = drawLegend(svg, options.legend === false || series.length < 2 ? []
        : series.map(({ name, colour }) => ({ name, colour })), options.title ? 34 : 12, options.width ?? 440);
    const x = edges ? { ...options.x, domain: [edges[0], edges[count]] } : options.x;
    const plot = drawAxes(svg, { ...options, x, y: { zero: true, ...options.y } },
        { top: legend.bottom + 4, xValues: [], yValues: [0, ...barTops(series, mode, count)], names: edges ? null : names });
    const zero = plot.yScale(Math.max(plot.yScale.domain[0], Math.min(0, plot.yScale.domain[1])));
    const format = options.y?.format ?? formatNumber;
    for (let i = 0; i < count; i++) {
        const from = edges ? plot.xScale(edges[i]) : plot.left + (i + 0.12) / count * (plot.right - plot.left);
        const to = edges ? plot.xScale(edges[i + 1]) : plot.left + (i + 0.88) / count * (plot.right - plot.left);
        const place = edges ? `${formatNumber(edges[i])} to ${formatNumber(edges[i + 1])}` : clip(names[i], 80);
        let below = 0;
        series.forEach((one, s) => {
            const value = one.values[i];
            if (!isNumber(value) || value === 0) return;
            const wide = (to - from) / (mode === "grouped" ? series.length : 1);
            const start = mode === "grouped" ? from + s * wide : from;
            const base = mode === "stacked" ? plot.yScale(below) : zero;
            const end = plot.yScale(mode === "stacked" ? below + value : value);
            below += value;
            svg.append(svgElement("rect", {
                x: start.toFixed(2), width: Math.max(wide - 0.6, 0.4).toFixed(2),
                y: Math.min(base, end).toFixed(2), height: Math.max(Math.abs(base - end), 0.4).toFixed(2),
                class: mode === "overlay" ? "bar overlay" : "bar", style: { fill: one.colour, stroke: one.colour }
            }, svgElement("title", null, `${clip(one.name ?? "", 80)} ${place}: ${format(value)}`)));
        });
    }
    drawMarks(svg, options.marks, plot);
    return svg;
}

/* The five numbers of a box: quartiles, and the last values within 1.5 times their distance. */
export function boxNumbers(values) {
    const sorted = values.filter(isNumber).sort((a, b) => a - b);
    const low = quantile(sorted, 0.25), middle = quantile(sorted, 0.5), high = quantile(sorted, 0.75);
    const reach = 1.5 * (high - low);
    const inside = sorted.filter((value) => value >= low - reach && value <= high + reach);
    return { count: sorted.length, low, middle, high, first: inside[0], last: inside[inside.length - 1] };
}

export function boxPlot(options) {
    const boxes = options.boxes.map((box, i) => ({ colour: seriesColour(i), ...box }));
    const height = options.height ?? 28 * boxes.length + (options.title ? 22 : 4) + (options.x?.label ? 44 : 28);
    const svg = openChart({ ...options, height });
    const plot = drawAxes(svg, { ...options, height }, {
        top: options.title ? 24 : 6, xValues: boxes.flatMap((box) => box.values), rows: boxes.map((box) => box.name)
    });
    const format = options.x?.format ?? formatNumber;
    const step = (plot.bottom - plot.top) / boxes.length, half = Math.min(9, 0.36 * step);
    boxes.forEach((box, i) => {
        const y = plot.top + (i + 0.5) * step;
        svg.append(nameText(plot.left - 6, y + 4, box.name, plot.left - 8 - (options.y?.label ? 18 : 0),
            { "text-anchor": "end" }));
        const numbers = boxNumbers(box.values);
        if (numbers.count === 0) return;
        const at = (value) => plot.xScale(value).toFixed(2);
        svg.append(
            svgElement("path", { d: `M${at(numbers.first)} ${y}H${at(numbers.low)}M${at(numbers.high)} ${y}H${at(numbers.last)}`,
                class: "whisker", style: { stroke: box.colour } }),
            svgElement("rect", { x: at(numbers.low), width: Math.max(at(numbers.high) - at(numbers.low), 1), y: y - half,
                height: 2 * half, class: "box", style: { fill: box.colour, stroke: box.colour } }),
            svgElement("line", { x1: at(numbers.middle), x2: at(numbers.middle), y1: y - half, y2: y + half,
                class: "median" }));
        box.values.forEach((value, v) => {
            if (!isNumber(value)) return;
            const spread = ((v * 0.618034) % 1 - 0.5) * half;
            svg.append(svgElement("circle", { cx: at(value), cy: (y + spread).toFixed(2), r: 2.2, class: "value",
                style: { fill: box.colour } },
            svgElement("title", null, clip(box.texts?.[v] ?? format(value), 200))));
        });
    });
    drawMarks(svg, options.marks, plot);
    return svg;
}

export function scatterChart(options) {
    const svg = openChart(options);
    const series = options.series.map((one, i) => ({ colour: seriesColour(i), ...one }));
    const legend = drawLegend(svg, options.legend === false || series.length < 2 ? []
        : series.map(({ name, colour }) => ({ name, colour, dot: true })), options.title ? 34 : 12, options.width ?? 440);
    const points = series.flatMap((one) => one.points);
    const plot = drawAxes(svg, options, {
        top: legend.bottom + 4, xValues: points.map((point) => point.x), yValues: points.map((point) => point.y)
    });
    if (options.line) svg.append(svgElement("path", { d: linePath(options.line, plot), class: "line quiet" }));
    for (const one of series) {
        for (const { x, y, text, strong } of one.points) {
            if (!isNumber(x) || !isNumber(y)) continue;
            svg.append(svgElement("circle", {
                cx: plot.xScale(x).toFixed(2), cy: plot.yScale(y).toFixed(2), r: strong ? 5.5 : 3.5,
                class: strong ? "value strong" : "value", style: { fill: one.colour }
            }, text ? svgElement("title", null, clip(text, 300)) : null));
        }
    }
    drawMarks(svg, options.marks, plot);
    return svg;
}

/* A chart with `note`, how to read it, and its numbers: table = {columns: [texts], rows: [[texts or numbers]]}, made
 * when it is opened if it is a function. */
export function chartFigure(chart, { note = "", table = null } = {}) {
    const figure = element("figure", { class: "panel" }, chart, note ? element("figcaption", null, note) : null);
    if (table) {
        const details = element("details", { class: "numbers" }, element("summary", null, "The numbers as a table"));
        details.addEventListener("toggle", () => {
            if (!details.open || details.childElementCount > 1) return;
            const { columns, rows } = typeof table === "function" ? table() : table;
            details.append(element("div", { class: "scroll", tabindex: "0" }, tableElement(columns, rows)));
        });
        figure.append(details);
    }
    return figure;
}
