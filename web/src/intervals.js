/* SPDX-License-Identifier: MIT */
/* A chart of differences with their intervals, one row per difference. */
import { drawAxes, drawMarks, nameText, openChart } from "./chart_parts.js";
import { clip, svgElement } from "./dom.js";
import { formatNumber, isNumber } from "./numbers.js";
import { extent } from "./scales.js";

/* intervalChart({title, description, x: axis, rows: [{name, value, low, high, colour, text}], marks, width})
 *   A dot at the value, a line from low to high; `text` is a row's tooltip. 0 belongs to the axis. */
export function intervalChart(options) {
    const rows = options.rows;
    const height = 24 * Math.max(rows.length, 1) + (options.title ? 22 : 4) + (options.x?.label ? 44 : 28);
    const values = rows.flatMap(({ value, low, high }) => [value, low, high]).filter(isNumber);
    const [least, most] = extent([0, ...values]), room = 0.04 * (most - least);
    const svg = openChart({ ...options, height });
    const plot = drawAxes(svg, { ...options, height, x: { domain: [least - room, most + room], ...options.x } }, {
        top: options.title ? 24 : 6, rows: rows.map((row) => row.name)
    });
    drawMarks(svg, options.marks ?? [{ x: 0 }], plot);
    const format = options.x?.format ?? formatNumber;
    const step = (plot.bottom - plot.top) / Math.max(rows.length, 1);
    rows.forEach(({ name, value, low, high, colour = "var(--muted)", text }, i) => {
        const y = (plot.top + (i + 0.5) * step).toFixed(2);
        svg.append(nameText(plot.left - 6, Number(y) + 4, name, plot.left - 8, { "text-anchor": "end" }));
        if (!isNumber(value)) return;
        const group = svgElement("g", { class: "interval" },
            svgElement("title", null, clip(text ?? format(value), 300)));
        if (isNumber(low) && isNumber(high))
            group.append(svgElement("path", {
                d: `M${plot.xScale(low).toFixed(2)} ${y}H${plot.xScale(high).toFixed(2)}`, class: "whisker",
                style: { stroke: colour }
            }));
        group.append(svgElement("circle", { cx: plot.xScale(value).toFixed(2), cy: y, r: 4, class: "value",
            style: { fill: colour } }));
        svg.append(group);
    });
    return svg;
}
