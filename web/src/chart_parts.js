/* SPDX-License-Identifier: MIT */
/* The parts of all charts: title, legend, axes, marks. */
import { clip, svgElement } from "./dom.js";
import { isNumber } from "./numbers.js";
import { extent, makeScale, niceDomain } from "./scales.js";

const CHART_FONT = 12;

export function seriesColour(index) {
    return `var(--class-${index % 10})`;
}

/* The approximate width of a text, in units: it is laid out before it is in a document. */
export function textWidth(text, size = CHART_FONT) {
    let width = 0;
    for (const character of text) {
        const code = character.codePointAt(0);
        width +=
            code > 0x2e80
                ? 1.05
                : /[ijl.,:;'|!\u202f ]/.test(character)
                  ? 0.3
                  : /[A-Zmw%@—…]/.test(character)
                    ? 0.74
                    : 0.56;
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

export function textElement(x, y, text, attributes = {}) {
    return svgElement("text", { x: x.toFixed(1), y: y.toFixed(1), ...attributes }, text);
}

/* A name that may be long: as much as fits, with the rest in a tooltip. */
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
        viewBox: `0 0 ${width} ${height}`,
        class: "chart",
        role: "img",
        "aria-labelledby": `${name}-title` + (description ? ` ${name}-description` : "")
    });
    svg.append(svgElement("title", { id: `${name}-title` }, clip(title, 300)));
    if (description) svg.append(svgElement("desc", { id: `${name}-description` }, clip(description, 1000)));
    /* larger and bolder than the letters by which texts are measured */
    if (title) svg.append(nameText(0, 14, title, width / 1.3, { class: "chart-title" }));
    return svg;
}

/* Swatches and names, line by line; returns where the plot may begin, and each entry's text for readings. */
export function drawChartLegend(svg, entries, top, width) {
    const texts = new Map();
    let x = 0,
        y = top;
    for (const entry of entries) {
        const room = Math.min(textWidth(clip(entry.name, 60)) + (entry.room ?? 0), 0.6 * width);
        if (x > 0 && x + 22 + room > width) {
            x = 0;
            y += 18;
        }
        const swatch = entry.line
            ? svgElement("line", {
                  x1: x,
                  x2: x + 14,
                  y1: y - 4,
                  y2: y - 4,
                  class: "line" + (entry.dash ? " dash" : ""),
                  style: { stroke: entry.colour }
              })
            : entry.dot
              ? svgElement("circle", { cx: x + 7, cy: y - 4, r: 4.5, style: { fill: entry.colour } })
              : svgElement("rect", {
                    x,
                    y: y - 10,
                    width: 14,
                    height: 11,
                    rx: 2,
                    style: { fill: entry.colour }
                });
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
    const yScale = rows
        ? null
        : makeScale({ ...yAxis, domain: axisDomain(yAxis, yValues), range: [bottom, top] });
    const yTicks = rows ? [] : yScale.ticks(Math.max(2, Math.round((bottom - top) / 42)));
    const labels = rows
        ? Math.min(Math.max(...rows.map((row) => textWidth(clip(row, 60))), 20), 0.38 * width)
        : Math.max(...yTicks.map((tick) => textWidth(tick.text)), 12);
    const left = Math.ceil(labels + 8 + (yAxis.label ? 18 : 0)),
        right = width - 12;
    const grid = svgElement("g", { class: "axes" });
    for (const tick of yTicks) {
        const y = yScale(tick.value);
        grid.append(
            svgElement("line", { x1: left, x2: right, y1: y, y2: y, class: "grid" }),
            textElement(left - 6, y + 4, tick.text, { "text-anchor": "end" })
        );
    }
    let xScale = null;
    if (names) {
        const band = (right - left) / names.length;
        names.forEach((name, i) =>
            grid.append(
                nameText(left + (i + 0.5) * band, bottom + 15, name, band - 4, { "text-anchor": "middle" })
            )
        );
    } else {
        xScale = makeScale({ ...xAxis, domain: axisDomain(xAxis, xValues), range: [left, right] });
        let free = -Infinity;
        for (const tick of xScale.ticks(6)) {
            const x = xScale(tick.value),
                half = textWidth(tick.text) / 2;
            grid.append(svgElement("line", { x1: x, x2: x, y1: top, y2: bottom, class: "grid" }));
            if (x - half < free) continue;
            const shift = Math.min(0, width - x - half);
            grid.append(textElement(x + shift, bottom + 15, tick.text, { "text-anchor": "middle" }));
            free = x + half + 6;
        }
    }
    grid.append(svgElement("path", { d: `M${left} ${top}V${bottom}H${right}`, class: "frame" }));
    if (xAxis.label)
        grid.append(
            nameText((left + right) / 2, height - 6, xAxis.label, right - left, {
                "text-anchor": "middle",
                class: "axis-label"
            })
        );
    if (yAxis.label)
        grid.append(
            nameText(0, 0, yAxis.label, bottom - top + 30, {
                "text-anchor": "middle",
                class: "axis-label",
                transform: `translate(12 ${((top + bottom) / 2).toFixed(1)}) rotate(-90)`
            })
        );
    svg.append(grid);
    return { xScale, yScale, left, right, top, bottom };
}

export function drawMarks(svg, marks, plot) {
    for (const { x, y, text } of marks ?? []) {
        const across = isNumber(y);
        if (!across && !isNumber(x)) continue;
        const place = across ? plot.yScale(y) : plot.xScale(x);
        const ends = across
            ? { x1: plot.left, x2: plot.right, y1: place, y2: place }
            : { x1: place, x2: place, y1: plot.top, y2: plot.bottom };
        svg.append(svgElement("line", { ...ends, class: "mark" }));
        if (!text) continue;
        if (across) {
            svg.append(
                nameText(
                    plot.right - 4,
                    place + (place < plot.top + 16 ? 14 : -5),
                    text,
                    plot.right - plot.left,
                    { "text-anchor": "end", class: "mark-text" }
                )
            );
        } else {
            const leftwards = place > (plot.left + plot.right) / 2;
            svg.append(
                nameText(place + (leftwards ? -5 : 5), plot.top + 12, text, (plot.right - plot.left) / 2, {
                    "text-anchor": leftwards ? "end" : "start",
                    class: "mark-text"
                })
            );
        }
    }
}
